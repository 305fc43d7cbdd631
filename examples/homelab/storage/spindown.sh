#!/usr/bin/env bash
# Sends idle disks to sleep and tells which ones would not go.
#
# USAGE
#   spindown.sh [OPTIONS] [DISK...]
#
# OPTIONS
#   -m, --minutes N   idle time before a disk is put to sleep; 25 if not given
#   -k, --keep DISK   never touch this disk; may be repeated
#   -q, --quiet       print only disks that refused
#   -n, --dry-run     print what would be sent to sleep
#
# EXAMPLES
#   spindown.sh                    all disks of hearth, 25 minutes
#   spindown.sh -m 90 /dev/sdc     one disk, an hour and a half
#   spindown.sh -k /dev/sda -n     see what would happen
#
# NOTES
#   Disks on the USB port of ember ignore standby; their bridge says yes and does
#   nothing. The script detects that by asking again after ten seconds.

set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
minutes=25 quiet=0 keep=() disks=()
while (($#)); do
    case "$1" in
        -m|--minutes) minutes="$2"; shift ;;
        -k|--keep) keep+=("$2"); shift ;;
        -q|--quiet) quiet=1 ;;
        -n|--dry-run) DRY_RUN=1 ;;
        -*) die 64 "unknown option: $1" ;;
        *) disks+=("$1") ;;
    esac
    shift
done
((${#disks[@]})) || disks=(/dev/sd?)
for disk in "${disks[@]}"; do
    [[ " ${keep[*]:-} " == *" $disk "* ]] && continue
    idle="$(( ($(date +%s) - $(stat -c %X "$disk")) / 60 ))"
    ((idle < minutes)) && continue
    run hdparm -qy "$disk"
    sleep 10
    hdparm -C "$disk" | grep -q standby || log "$disk did not go to sleep"
    ((quiet)) || log "$disk asleep after $idle minutes"
done
