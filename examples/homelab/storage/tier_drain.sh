#!/usr/bin/env bash
# ─────────────────────────────────────────────────────────────────────
#  Lanthorn · light for one household
#  MIT licence, no warranty, copy what you like.
#  The settings are explained in share/default.conf.
# ─────────────────────────────────────────────────────────────────────
#
# ━━━━━━━━━━ PURPOSE ━━━━━━━━━━
#
# Moves files that have gone cold from the SSD pool `spark` to the disks of
# `hearth`, so that new files always land on something fast and silent.
#
# ━━━━━━━━━━ OPERATIONAL MODEL ━━━━━━━━━━
#
# Start And Goal
#   Nothing happens below DRAIN_START_PCT. Above it, the oldest files move until
#   the pool is at DRAIN_GOAL_PCT. The gap between the two keeps the disks asleep
#   for days instead of waking them every night for three files.
#
# One Name, Two Places
#   Both pools are joined by mergerfs under /house. A file that moves keeps its
#   path there, so no program notices.
#
# ━━━━━━━━━━ DESIGN PRINCIPLES ━━━━━━━━━━
#
# Age By Access
#   Files are ranked by access time, not by modification time. A film from 2009
#   that the children watch every evening belongs on the SSD.
#
# Copy, Compare, Unlink
#   A file is copied, its checksum compared, and only then removed from `spark`.
#   A rename across pools would do the first two steps without telling us.
#
# ━━━━━━━━━━ OPERATIONAL SAFEGUARDS ━━━━━━━━━━
#
# Open File Skip
#   A file that any process has open is left where it is and counted. A recording
#   in progress must not change disks under the recorder.
#
# Replication Exclusion
#   The drain does not start while snapshot_sync.sh holds its lock, and it takes a
#   lock of its own that snapshot_sync.sh respects. Neither waits for the other
#   for ever: whoever comes second gives up for the night.
#
# Graceful Stop
#   On SIGTERM the file being copied is finished and verified. If that takes more
#   than DRAIN_STOP_TIMEOUT seconds the copy is abandoned and the half-written
#   target removed; the original is untouched either way.
#
# Full Hearth Refusal
#   With less than 6 % free on `hearth` nothing is moved. It is better to have a
#   full SSD and a message than two full pools.
#
# ━━━━━━━━━━ CONFIGURATION ━━━━━━━━━━
#
# DRAIN_START_PCT      fill level of `spark` that starts a drain (default: 70)
# DRAIN_GOAL_PCT       fill level at which it stops (default: 40)
# DRAIN_MIN_AGE_DAYS   files read within this many days stay (default: 5)
# DRAIN_STOP_TIMEOUT   seconds to finish a file after SIGTERM (default: 30)
# DRAIN_SKIP_GLOBS     patterns that never leave the SSD
#
# ━━━━━━━━━━ RUNTIME MODES ━━━━━━━━━━
#
# --dry-run    list the files that would move, with age and size
# --now        ignore DRAIN_START_PCT and drain to the goal
# --status     fill levels and the time of the last drain

set -euo pipefail
HERE="$(cd "$(dirname "$0")/.." && pwd)"
source "$HERE/lib/common.sh"
source "$HERE/lib/lock.sh"
DRY_RUN=0 NOW=0 STOP=0
fill() { df --output=pcent "$1" | tail -1 | tr -dc 0-9; }

case "${1:-}" in
    --dry-run) DRY_RUN=1 ;;
    --now) NOW=1 ;;
    --status) log "spark $(fill /spark) %, hearth $(fill /hearth) %"; exit 0 ;;
    "") ;;
    *) die 64 "unknown argument: $1" ;;
esac

lock_held snapshot_sync && { log "replication is running, not tonight"; exit 0; }
take_lock tier_drain 0
(( $(fill /hearth) > 94 )) && die 69 "hearth is too full"
((NOW == 0)) && (( $(fill /spark) < ${DRAIN_START_PCT:-70} )) && exit 0
trap 'STOP=1; log "stopping within ${DRAIN_STOP_TIMEOUT:-300} s"' TERM

find /spark/house -type f -atime "+${DRAIN_MIN_AGE_DAYS:-5}" -printf '%A@ %P\n' | sort -n | cut -d' ' -f2- |
while IFS= read -r file; do
    ((STOP)) && break
    (( $(fill /spark) <= ${DRAIN_GOAL_PCT:-40} )) && break
    fuser -s "/spark/house/$file" && continue
    run rsync -aX --checksum --remove-source-files "/spark/house/./$file" /hearth/house/
done
