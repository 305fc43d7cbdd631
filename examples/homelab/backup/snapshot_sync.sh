#!/usr/bin/env bash
# ─────────────────────────────────────────────────────────────────────
#  Lanthorn · light for one household
#  MIT licence, no warranty, copy what you like.
#  The settings are explained in share/default.conf.
# ─────────────────────────────────────────────────────────────────────
#
# ━━━ PURPOSE ━━━
#
# Takes a snapshot of every dataset in SNAP_DATASETS on wick and replicates it to
# the pool `embers` on ember, so that a fire in the cellar costs us one day.
#
# ━━━ OPERATIONAL MODEL ━━━
#
# Three Phases
#   Snapshot, send, prune, in that order, and for all datasets of one phase before
#   the next phase begins. The snapshots of one night therefore lie within two or
#   three seconds of each other, although sending them takes hours.
#
# Incremental Streams
#   Each dataset is sent from the newest snapshot that both sides have. The first
#   full copy was carried to ember on a disk in a rucksack; over the uplink it
#   would have taken eleven days.
#
# Naming
#   Snapshots are called SNAP_PREFIX-YYYYMMDD-HHMM, for example lh-20250302-0200.
#   Retention reads the time from the name, never from the creation property,
#   because received snapshots keep a creation time of their own.
#
# ━━━ DESIGN PRINCIPLES ━━━
#
# Push, Not Pull
#   wick pushes because ember stands in a house where I do not control the router.
#   The key that wick uses may only run `zfs receive`, nothing else.
#
# Boring Over Clever
#   Existing replication tools do more than this. They also have more to learn at
#   three in the morning. This one has about fifty lines below the header.
#
# ━━━ OPERATIONAL SAFEGUARDS ━━━
#
# Single Flight
#   Only one replication runs at a time. A second start waits LOCK_WAIT seconds
#   for the lock and then leaves with exit code 75, which the timer treats as
#   "try again tomorrow" rather than as a failure.
#
# Tier Drain Exclusion
#   Before the snapshot phase the script looks at the lock of tier_drain.sh. While
#   files are being moved from `spark` to `hearth` a snapshot would catch some of
#   them twice and some not at all. It looks again every 20 seconds, for at most
#   40 minutes, and then skips the night with a warning.
#
# Shrinking Source Brake
#   If a dataset refers to SOURCE_SHRINK_LIMIT percent less data than after the
#   previous run, it is neither sent nor pruned until somebody confirms with
#   --accept-shrink DATASET. Malware and an unmounted child look the same from
#   here: suddenly most of the files are gone.
#
# Mounted Target Proof
#   ember must show the file /embers/.lanthorn-target. Without it the USB disk is
#   absent and the path is only a directory on the system drive, which would be
#   full after a few minutes. Nothing is sent and the run ends with code 69.
#
# Free Space Floor
#   Sending begins only if ember has TARGET_MIN_FREE_GB gigabytes left. A ZFS pool
#   above ninety percent becomes so slow that pruning, the one thing that could
#   help, no longer finishes within a night.
#
# Held Common Base
#   The newest snapshot that both sides share carries a `zfs hold` named lanthorn.
#   No retention rule and no person can destroy it by accident; losing it means
#   sending the whole dataset again.
#
# Resume Before Restart
#   A broken connection leaves a resume token on ember. The next run continues
#   from it instead of starting the stream over. Tokens older than 9 days are
#   dropped, because by then the snapshot they belong to is due for pruning.
#
# Daytime Bandwidth Cap
#   Between 07:00 and 23:00 the stream is limited to UPLINK_DAY_KBIT. Somebody in
#   the house is always in a video call, and a replica that makes people angry
#   gets unplugged.
#
# Battery Veto
#   On UPS battery nothing is started, and a running replication stops at the end
#   of the current dataset. The last minutes of charge belong to a clean shutdown.
#
# Clock Agreement
#   The clocks of wick and ember may differ by at most CLOCK_SKEW_MAX seconds.
#   Names carry the time, so a machine that woke up in 1970 would make every
#   snapshot look expired and prune them all.
#
# Read-Only Replica
#   Every received dataset is set to readonly=on and canmount=noauto. One edited
#   file on ember is enough to break the chain; it happened once, with a file
#   manager that wrote a thumbnail.
#
# Last Three Rule
#   Whatever the retention arithmetic says, the newest KEEP_MINIMUM snapshots of a
#   dataset stay. A dataset that has not been replicated since spring still has
#   something to go back to.
#
# Feature Flag Gate
#   If the pool on wick has an active feature that the ZFS on ember does not know,
#   the run stops before the first byte. Otherwise the receive fails late and, on
#   old versions, leaves a dataset that cannot be destroyed without a reboot.
#
# Loud After Silence
#   A failed night is only logged; ember has power cuts of its own. After
#   FAIL_STREAK_PAGE failed nights in a row the message goes out as urgent and
#   ignores quiet hours.
#
# ━━━ CONFIGURATION ━━━
#
# SNAP_DATASETS         datasets to replicate, separated by blanks
# SNAP_PREFIX           first part of every snapshot name (default: lh)
# SOURCE_SHRINK_LIMIT   percent, see Shrinking Source Brake (default: 25)
# TARGET_MIN_FREE_GB    see Free Space Floor (default: 400)
# UPLINK_DAY_KBIT       daytime limit in kbit/s (default: 18000)
# CLOCK_SKEW_MAX        seconds (default: 90)
# KEEP_MINIMUM          snapshots that are never pruned (default: 3)
# FAIL_STREAK_PAGE      nights before an urgent message (default: 3)
#
# ━━━ RUNTIME MODES ━━━
#
# --dry-run             say what would be snapshotted, sent and pruned; change nothing
# --only DATASET        one dataset, all three phases
# --no-prune            leave old snapshots alone on both sides
# --accept-shrink DATASET   release the brake once for this dataset
#
# Without arguments: everything. Called by lanthorn-snapshot.timer at 02:00.

set -euo pipefail
HERE="$(cd "$(dirname "$0")/.." && pwd)"
source "$HERE/lib/common.sh"
source "$HERE/lib/lock.sh"

DRY_RUN=0 PRUNE=1 ONLY="" ACCEPT=""
while (($#)); do
    case "$1" in
        --dry-run) DRY_RUN=1 ;;
        --no-prune) PRUNE=0 ;;
        --only) ONLY="$2"; shift ;;
        --accept-shrink) ACCEPT="$2"; shift ;;
        *) die 64 "unknown argument: $1" ;;
    esac
    shift
done

remote() { ssh -o BatchMode=yes "${TARGET_HOST:-ember}" "$@"; }

need zfs ssh flock
take_lock snapshot_sync
on_battery && die 69 "on battery, not starting"

for ((waited = 0; waited < 2400; waited += 20)); do
    lock_held tier_drain || break
    sleep 20
done
lock_held tier_drain && { notify default "tier drain still busy, skipped tonight"; exit 0; }

remote test -e /embers/.lanthorn-target || die 69 "target disk is not mounted"
skew=$(( $(date +%s) - $(remote date +%s) ))
(( ${skew#-} <= ${CLOCK_SKEW_MAX:-90} )) || die 69 "clocks differ by $skew s"

free=$(( $(remote zpool get -Hpo value free embers) / 1000000000 ))
(( free >= ${TARGET_MIN_FREE_GB:-400} )) || die 69 "only $free GB free on ember"
[[ "$(remote zfs version | head -1)" < "$(zfs version | head -1)" ]] && die 69 "ember has an older ZFS"

stamp="${SNAP_PREFIX:-lh}-$(date +%Y%m%d-%H%M)"
for dataset in ${ONLY:-$SNAP_DATASETS}; do
    run zfs snapshot "$dataset@$stamp"
done

for dataset in ${ONLY:-$SNAP_DATASETS}; do
    seen="$STATE_DIR/referenced.$(tr / _ <<<"$dataset")"
    now="$(zfs get -Hpo value referenced "$dataset")"
    before="$(cat "$seen" 2>/dev/null || echo "$now")"
    if (( now < before * (100 - ${SOURCE_SHRINK_LIMIT:-25}) / 100 )) && [[ "$dataset" != "$ACCEPT" ]]; then
        notify high "$dataset shrank from $before to $now bytes, not sent"
        continue
    fi
    run "$HERE/backup/send_one.sh" "$dataset" "$stamp"
    [[ $DRY_RUN == 1 ]] || echo "$now" >"$seen"
    on_battery && { log "on battery, stopping after $dataset"; break; }
done

((PRUNE)) && run "$HERE/backup/prune_snapshots.sh" --keep-minimum "${KEEP_MINIMUM:-3}"
log "done: $stamp"
