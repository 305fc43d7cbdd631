#!/usr/bin/env bash
# ─────────────────────────────────────────────────────────────────────
#  Lanthorn · light for one household
#  MIT licence, no warranty, copy what you like.
#  The settings are explained in share/default.conf.
# ─────────────────────────────────────────────────────────────────────
#
# USAGE
#   send_one.sh DATASET SNAPSHOT
#
# OPTIONS
#   There are none. snapshot_sync.sh has done all the asking already; this file
#   exists so that one dataset can be sent again by hand after a failure.
#
# EXAMPLES
#   send_one.sh hearth/photos lh-20250302-0200
#   UPLINK_DAY_KBIT=4000 send_one.sh hearth/paper lh-20250302-0200

set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
[[ $# == 2 ]] || die 64 "usage: send_one.sh DATASET SNAPSHOT"
dataset="$1" snapshot="$2" target="embers/${1#*/}"

token="$(ssh ember zfs get -Ho value receive_resume_token "$target" 2>/dev/null || echo -)"
if [[ "$token" != - ]]; then
    log "resuming $dataset"
    zfs send -t "$token" | ssh ember zfs receive -s "$target"
fi

base="$(ssh ember zfs list -Ho name -t snapshot -s creation "$target" | tail -1 | cut -d@ -f2)"
hour="$(date +%-H)"
limit=0
((hour >= 7 && hour < 23)) && limit="${UPLINK_DAY_KBIT:-18000}"
zfs send -c -i "@$base" "$dataset@$snapshot" \
    | pv -q -L "$((limit * 125))" \
    | ssh ember zfs receive -s -o readonly=on -o canmount=noauto "$target"
zfs hold lanthorn "$dataset@$snapshot"
zfs release lanthorn "$dataset@$base" || true
