#!/usr/bin/env bash
#### PURPOSE ####
# Starts the monthly scrub of each pool, one after the other, never two at once.
#
#### OPERATIONAL MODEL ####
# Rota
#   `hearth` on the first Sunday of the month at 06:00, `spark` on the second. On
#   ember the scrub of `embers` follows on the third Sunday; it takes 31 hours
#   there because the disk hangs on USB.
#
#### DESIGN PRINCIPLES ####
# Sundays By Daylight
#   A scrub finds bad sectors, and a bad sector means decisions. I want them to
#   come up while I am awake and the shop for disks opens the next morning.
#
#### OPERATIONAL SAFEGUARDS ####
# Heat Pause
#   If any disk reaches SCRUB_PAUSE_C degrees the scrub is paused for 45 minutes
#   and then continued. In the July of 2024 it paused nine times.
#
# Resilver First
#   While a pool is resilvering no scrub starts anywhere. The disks share one
#   controller.
#
#### CONFIGURATION ####
# SCRUB_PAUSE_C   disk temperature that pauses a scrub (default: 50)
#
#### RUNTIME MODES ####
# POOL      scrub this pool now
# --due     print which pool is due today, start nothing

set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
need zpool smartctl
due() {
    local week=$(( ($(date +%-d) - 1) / 7 + 1 ))
    [[ "$(date +%u)" == 7 ]] || return 0
    case $week in 1) echo hearth ;; 2) echo spark ;; esac
}
[[ "${1:-}" == --due ]] && { due; exit 0; }
pool="${1:-$(due)}"
[[ -n "$pool" ]] || exit 0
zpool status | grep -q 'resilver in progress' && die 69 "a resilver is running"
zpool scrub "$pool"
while zpool status "$pool" | grep -q 'scrub in progress'; do
    hottest="$(for d in /dev/sd?; do smartctl -A "$d" | awk '/Temperature_Celsius/ {print $10}'; done | sort -n | tail -1)"
    if (( ${hottest:-0} >= ${SCRUB_PAUSE_C:-50} )); then
        zpool scrub -p "$pool"; sleep 2700; zpool scrub "$pool"
    fi
    sleep 300
done
