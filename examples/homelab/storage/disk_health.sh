#!/bin/bash
# ─────────────────────────────────────────────────────────────────────
#  Lanthorn · light for one household
#  MIT licence, no warranty, copy what you like.
#  The settings are explained in share/default.conf.
# ─────────────────────────────────────────────────────────────────────
#
# PURPOSE
# -------
# Reads SMART values of every disk once a day and says when one gets worse.
#
# OPERATIONAL MODEL
# -----------------
# Trend, Not Threshold
#   The values of each day are appended to /var/lib/lanthorn/smart.csv. A message
#   goes out when a counter has grown since yesterday, not when it is above some
#   number: a disk with 8 old reallocated sectors is fine, one that got its second
#   this week is not.
#
# DESIGN PRINCIPLES
# -----------------
# Four Attributes
#   5 reallocated, 187 reported uncorrectable, 197 pending, 198 offline
#   uncorrectable. The others move all the time and taught me to ignore mail.
#
# OPERATIONAL SAFEGUARDS
# ----------------------
# Do Not Wake
#   A sleeping disk is not woken for its health; smartctl runs with -n standby.
#   After DISK_MAX_SLEEP_DAYS without a reading it is woken once anyway.
#
# CONFIGURATION
# -------------
# DISK_MAX_SLEEP_DAYS   (default: 10)
# DISK_IGNORE           serial numbers to leave out
#
# RUNTIME MODES
# -------------
# --wake     read sleeping disks too
# --table    print the last reading of each disk

set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
need smartctl
csv="$STATE_DIR/smart.csv"
[[ "${1:-}" == --table ]] && { column -s, -t "$csv" | tail -8; exit 0; }
standby=(-n standby); [[ "${1:-}" == --wake ]] && standby=()

for disk in /dev/sd?; do
    values="$(smartctl "${standby[@]}" -A "$disk" | awk '$1 ~ /^(5|187|197|198)$/ {printf ",%s", $10}')" || continue
    last="$(grep ",$disk," "$csv" 2>/dev/null | tail -1 | cut -d, -f3-)"
    [[ -n "$last" && ",$last" != "$values" ]] && notify high "$disk changed from $last to ${values#,}"
    echo "$(date +%F),$disk$values" >>"$csv"
done
