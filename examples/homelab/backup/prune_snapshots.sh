#!/usr/bin/env bash
# PURPOSE
# -------
# Destroys snapshots that no retention rule wants any more.
#
# OPERATIONAL MODEL
# -----------------
# Grandfathers
#   Of every hour, day, week and month the newest snapshot is kept, as many as
#   RETAIN_HOURLY, RETAIN_DAILY, RETAIN_WEEKLY and RETAIN_MONTHLY say. What none
#   of the four rules claims is destroyed.
#
# DESIGN PRINCIPLES
# -----------------
# Same Rules On Both Sides
#   ember keeps exactly what wick keeps. Different rules sounded clever until I
#   needed a common base and there was none.
#
# OPERATIONAL SAFEGUARDS
# ----------------------
# Foreign Names
#   A snapshot whose name does not begin with SNAP_PREFIX is never touched. Manual
#   ones, such as before-upgrade, live until I remove them.
#
# Batch Limit
#   More than 200 candidates on one dataset is treated as a mistake in the rules;
#   the script lists them and leaves without destroying any.
#
# CONFIGURATION
# -------------
# RETAIN_HOURLY, RETAIN_DAILY, RETAIN_WEEKLY, RETAIN_MONTHLY; KEEP_MINIMUM
#
# RUNTIME MODES
# -------------
# --dry-run           print the candidates with the reason they are not kept
# --keep-minimum N    the newest N are kept whatever happens

set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
keep=3
while (($#)); do
    case "$1" in
        --dry-run) DRY_RUN=1 ;;
        --keep-minimum) keep="$2"; shift ;;
        *) die 64 "unknown argument: $1" ;;
    esac
    shift
done

for dataset in $SNAP_DATASETS; do
    mapfile -t gone < <(zfs list -Ho name -t snapshot -s name "$dataset" \
        | grep "@${SNAP_PREFIX:-lh}-" | head -n -"$keep" \
        | awk -v hourly="$RETAIN_HOURLY" -v daily="$RETAIN_DAILY" \
              -v weekly="$RETAIN_WEEKLY" -v monthly="$RETAIN_MONTHLY" \
              -f "$LANTHORN_HOME/lib/grandfathers.awk")
    ((${#gone[@]} > 200)) && { log "$dataset: ${#gone[@]} candidates, refusing"; continue; }
    for snapshot in "${gone[@]}"; do run zfs destroy "$snapshot"; done
done
