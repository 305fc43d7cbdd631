#!/usr/bin/env bash
# ─────────────────────────────────────────────────────────────────────
#  Lanthorn · light for one household
#  MIT licence, no warranty, copy what you like.
#  The settings are explained in share/default.conf.
# ─────────────────────────────────────────────────────────────────────
#
# === PURPOSE ===
# Takes photographs off a memory card or a phone's upload folder and files them as
# /house/photos/YYYY/MM/YYYYMMDD-HHMMSS.ext.
#
# === OPERATIONAL MODEL ===
# Time From The Picture
#   The name comes from the EXIF field DateTimeOriginal. Pictures without it go to
#   /house/photos/undated and wait for a rainy afternoon.
#
# Duplicates
#   A picture whose checksum is already in /var/lib/lanthorn/photos.sha256 is not
#   imported again, whatever it is called.
#
# === DESIGN PRINCIPLES ===
# Originals Are Sacred
#   No rotation, no recompression, no metadata written. Programs that want to do
#   such things get a copy.
#
# === OPERATIONAL SAFEGUARDS ===
# Card Is Cleared Last
#   With --clear the card is emptied only when every file on it has a checksum in
#   the library and the library has been snapshotted since. That means the next
#   morning at the earliest.
#
# Half Battery
#   On UPS power the import waits. An interrupted card is how we lost the first
#   half of the summer of 2021.
#
# === CONFIGURATION ===
# PHOTO_INBOX        phone upload folder (default: /spark/house/inbox)
# PHOTO_EXTENSIONS   (default: jpg jpeg heic dng raf mp4 mov)
#
# === RUNTIME MODES ===
# --dry-run    print the new names
# --clear      empty the card, see safeguards
# --watch      stay and import whenever something arrives in PHOTO_INBOX

set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
need exiftool sha256sum
sums="$STATE_DIR/photos.sha256" source_dir="${PHOTO_INBOX:-/spark/house/inbox}"
[[ "${1:-}" == --dry-run ]] && DRY_RUN=1
on_battery && { log "on battery, waiting"; exit 0; }

find "$source_dir" -type f -mmin +2 -print0 | while IFS= read -r -d '' file; do
    sum="$(sha256sum "$file" | cut -c1-64)"
    grep -q "^$sum" "$sums" 2>/dev/null && { log "already have $file"; continue; }
    taken="$(exiftool -s3 -d '%Y/%m/%Y%m%d-%H%M%S' -DateTimeOriginal "$file")"
    target="/house/photos/${taken:-undated/$(basename "${file%.*}")}.${file##*.}"
    run install -D -m 0640 -p "$file" "$target"
    [[ "${DRY_RUN:-0}" == 1 ]] || echo "$sum  $target" >>"$sums"
done
