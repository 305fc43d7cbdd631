#!/bin/bash
# ─────────────────────────────────────────────────────────────────────
#  Lanthorn · light for one household
#  MIT licence, no warranty, copy what you like.
#  The settings are explained in share/default.conf.
# ─────────────────────────────────────────────────────────────────────
#
# ━━━ PURPOSE ━━━
# Shuts the rack down in the right order before the battery is empty.
#
# ━━━ OPERATIONAL MODEL ━━━
# Order
#   tallow first, because its containers write to wick; then wick; beacon stays up
#   until the battery dies, so that messages still get out.
#
# Return Of Power
#   When the mains are back, wick starts by itself (BIOS setting) and wakes tallow
#   with `wake-node tallow` as soon as /house is mounted.
#
# ━━━ DESIGN PRINCIPLES ━━━
# Charge, Not Minutes
#   The UPS estimates its runtime, and the estimate jumps. Charge in percent falls
#   steadily, so that is what decides.
#
# ━━━ OPERATIONAL SAFEGUARDS ━━━
# Flicker Grace
#   For the first UPS_GRACE_SECONDS on battery nothing happens. Nine of ten cuts
#   here are shorter than that.
#
# No Return
#   Once the shutdown of wick has begun it is finished even if power returns. A
#   half-stopped pool is worse than a restart.
#
# ━━━ CONFIGURATION ━━━
# UPS_MIN_CHARGE      percent at which shutdown begins (default: 35)
# UPS_GRACE_SECONDS   (default: 240)
# UPS_NAME            (default: ups@localhost)
#
# ━━━ RUNTIME MODES ━━━
# --dry-run   go through the order and say it aloud
# --now       begin at once whatever the charge

set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
[[ "${1:-}" == --dry-run ]] && DRY_RUN=1
if [[ "${1:-}" != --now ]]; then
    on_battery || exit 0
    sleep "${UPS_GRACE_SECONDS:-240}"
    while on_battery; do
        charge="$(upsc "${UPS_NAME:-ups@localhost}" battery.charge)"
        ((charge <= ${UPS_MIN_CHARGE:-35})) && break
        sleep 15
    done
    on_battery || exit 0
fi
notify urgent "shutting down, charge ${charge:-unknown} %"
run ssh tallow systemctl poweroff
run sleep 90
run systemctl poweroff
