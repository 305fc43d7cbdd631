#!/usr/bin/env bash
# ─────────────────────────────────────────────────────────────────────
#  Lanthorn · light for one household
#  MIT licence, no warranty, copy what you like.
#  The settings are explained in share/default.conf.
# ─────────────────────────────────────────────────────────────────────
#
# ━━━ PURPOSE ━━━
# Watches the WireGuard tunnel to ember and brings it back when it hangs.
#
# ━━━ OPERATIONAL MODEL ━━━
# Handshake Age
#   A tunnel counts as dead when its last handshake is older than VPN_STALE_SECONDS.
#   Pings are no measure: the loft has lost them for a minute now and then ever
#   since it exists.
#
# Metered Flag
#   When the default route goes out by wwan0 the file /run/lanthorn/metered is
#   created, and removed when the fibre is back. Other scripts only look at the file.
#
# ━━━ DESIGN PRINCIPLES ━━━
# Restart The Smallest Thing
#   First the peer is removed and added again, then the interface is restarted, and
#   the third time I get a message. Rebooting beacon is not on the list.
#
# ━━━ OPERATIONAL SAFEGUARDS ━━━
# Back Off
#   After three attempts within an hour it stops trying for VPN_BACKOFF_MINUTES.
#   A dead ember does not get better by being asked more often.
#
# Replication In Flight
#   While snapshot_sync.sh is sending, the interface is not restarted even if the
#   handshake looks old; a busy Pi renews late.
#
# ━━━ CONFIGURATION ━━━
# VPN_IFACE             (default: wg0)
# VPN_STALE_SECONDS     (default: 420)
# VPN_BACKOFF_MINUTES   (default: 50)
#
# ━━━ RUNTIME MODES ━━━
# --status   print handshake age and traffic, change nothing
# --reset    forget the attempts of the last hour

set -euo pipefail
HERE="$(cd "$(dirname "$0")/.." && pwd)"
source "$HERE/lib/common.sh"
source "$HERE/lib/lock.sh"
iface="${VPN_IFACE:-wg0}" tries="$STATE_DIR/vpn.tries"
age=$(( $(date +%s) - $(wg show "$iface" latest-handshakes | awk '{print $2}' | sort -n | tail -1) ))
case "${1:-}" in
    --status) log "handshake $age s ago"; wg show "$iface" transfer; exit 0 ;;
    --reset) : >"$tries"; exit 0 ;;
esac
if ip route show default | grep -q wwan0; then touch "$RUN_DIR/metered"; else rm -f "$RUN_DIR/metered"; fi
((age < ${VPN_STALE_SECONDS:-420})) && exit 0
lock_held snapshot_sync && { log "old handshake, but replication is sending"; exit 0; }
recent="$(find "$tries" -mmin "-${VPN_BACKOFF_MINUTES:-50}" -exec wc -l {} + 2>/dev/null | awk '{print $1}')"
((${recent:-0} >= 3)) && exit 0
date +%s >>"$tries"
run systemctl restart "wg-quick@$iface"
