#!/usr/bin/env bash
# ─────────────────────────────────────────────────────────────────────
#  Lanthorn · light for one household
#  MIT licence, no warranty, copy what you like.
#  The settings are explained in share/default.conf.
# ─────────────────────────────────────────────────────────────────────
#
# ━━━ PURPOSE ━━━
# Says every five minutes that a node is alive, and notices when another is not.
#
# ━━━ OPERATIONAL MODEL ━━━
# Ring
#   wick watches tallow, tallow watches ember, ember watches wick. Nobody watches
#   beacon: when it is down, no message gets out anyway.
#
# Dead Man's Switch
#   Each node also calls an outside address. If that hears nothing for 35 minutes
#   it sends me an SMS. This is the only part that works when the house is dark.
#
# ━━━ DESIGN PRINCIPLES ━━━
# Alive Means Useful
#   A node that answers pings but cannot write to its disk is not alive. The
#   heartbeat writes, reads back and removes a small file before it calls home.
#
# ━━━ OPERATIONAL SAFEGUARDS ━━━
# Planned Silence
#   `lanthorn quiet 2h` writes an end time to /run/lanthorn/quiet; until then
#   missing neighbours are logged but nobody is woken.
#
# ━━━ CONFIGURATION ━━━
# HEARTBEAT_URL    outside address, one for each node
# HEARTBEAT_PEER   the node to watch
#
# ━━━ RUNTIME MODES ━━━
# --test   do everything except calling outside

set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
probe="$STATE_DIR/heartbeat.probe"
date +%s >"$probe" && read -r stamp <"$probe" && rm "$probe" || die 69 "cannot write to $STATE_DIR"

missed="$STATE_DIR/missed.$HEARTBEAT_PEER"
if curl -fsS -m 5 "http://$HEARTBEAT_PEER:9101/alive" >/dev/null; then
    rm -f "$missed"
else
    echo x >>"$missed"
    if (( $(wc -l <"$missed") >= ${HEARTBEAT_GRACE:-4} )) && [[ ! -e "$RUN_DIR/quiet" ]]; then
        notify high "$HEARTBEAT_PEER has been silent since $(date -r "$missed" +%H:%M)"
    fi
fi
[[ "${1:-}" == --test ]] || curl -fsS -m 10 "$HEARTBEAT_URL?t=$stamp" >/dev/null
