#!/bin/bash
# ─────────────────────────────────────────────────────────────────────
#  Lanthorn · light for one household
#  MIT licence, no warranty, copy what you like.
#  The settings are explained in share/default.conf.
# ─────────────────────────────────────────────────────────────────────
#
# === PURPOSE ===
# A third copy, encrypted, with a company, of what cannot be made again: papers,
# photographs, database dumps. Films are not in it.
#
# === OPERATIONAL MODEL ===
# Snapshot As Source
#   restic reads from a clone of the newest snapshot, mounted at /mnt/coldclone,
#   so files do not change under it. The clone is destroyed at the end.
#
# Two Nights A Week
#   Wednesday and Sunday. Uploads are paid for by the request, and in three days
#   little happens that the replica on ember does not already have.
#
# === DESIGN PRINCIPLES ===
# Different Tool On Purpose
#   ZFS replication and restic share no code. A bug that eats one copy should not
#   be able to eat the other.
#
# Append Only
#   The key on wick may add but not delete. Forgetting old restic snapshots is a
#   job for my laptop, by hand, twice a year.
#
# === OPERATIONAL SAFEGUARDS ===
# Size Alarm
#   If the source grew by more than OFFSITE_GROWTH_GB since the last run, nothing
#   is uploaded and I get a message. That was 700 GB of raw video once.
#
# Sample Check
#   After each upload OFFSITE_CHECK_PCT percent of the pack files, picked at
#   random, are downloaded and verified. In about five months everything has been
#   read once.
#
# Metered Link
#   When beacon runs on its LTE modem the upload is skipped. The flag is the file
#   /run/lanthorn/metered, written by vpn_watchdog.sh.
#
# === CONFIGURATION ===
# OFFSITE_REPO            where the repository is
# OFFSITE_PASSFILE        file with the passphrase, mode 0400
# OFFSITE_MAX_UPLOAD_KB   upload limit in KiB/s (default: 2048)
# OFFSITE_CHECK_PCT       share of packs to verify (default: 5)
# OFFSITE_GROWTH_GB       see Size Alarm (default: 120)
#
# === RUNTIME MODES ===
# --check-only    no upload, only the sample check
# --force-metered upload although the link is metered

set -euo pipefail
HERE="$(cd "$(dirname "$0")/.." && pwd)"
source "$HERE/lib/common.sh"
source "$HERE/lib/lock.sh"
CHECK_ONLY=0 FORCE=0
for arg in "$@"; do
    case "$arg" in
        --check-only) CHECK_ONLY=1 ;;
        --force-metered) FORCE=1 ;;
        *) die 64 "unknown argument: $arg" ;;
    esac
done
need restic zfs
take_lock restic_offsite
export RESTIC_REPOSITORY="$OFFSITE_REPO" RESTIC_PASSWORD_FILE="$OFFSITE_PASSFILE"

if ((CHECK_ONLY == 0)); then
    [[ -e "$RUN_DIR/metered" && $FORCE == 0 ]] && { log "metered link, skipped"; exit 0; }
    latest="$(zfs list -Ho name -t snapshot -s creation hearth/paper | tail -1)"
    zfs clone -o mountpoint=/mnt/coldclone "$latest" hearth/coldclone
    trap 'zfs destroy hearth/coldclone' EXIT
    restic backup --limit-upload "${OFFSITE_MAX_UPLOAD_KB:-2048}" --tag cold /mnt/coldclone
fi
restic check --read-data-subset="${OFFSITE_CHECK_PCT:-5}%"
