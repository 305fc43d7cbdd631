#!/usr/bin/env bash
# Helpers shared by every Lanthorn script. Source it, never run it.
#
# It reads share/default.conf first and /etc/lanthorn/lanthorn.conf second, so a
# value in the second always wins. A file called /etc/lanthorn/NAME.local.conf,
# where NAME is the script without its extension, is read last: handy for a
# single odd node. Log lines go to stderr and to LOG_DIR/NAME.log; the time is
# local, because I compare it with the clock on the wall and not with a server.
#
# Exit codes used all over the repository: 64 wrong usage, 69 something we depend
# on is unavailable, 75 another run holds the lock, 78 the configuration is wrong.

LANTHORN_HOME="${LANTHORN_HOME:-/opt/lanthorn}"
TASK="$(basename "${0%.*}")"

for conf in "$LANTHORN_HOME/share/default.conf" /etc/lanthorn/lanthorn.conf \
            "/etc/lanthorn/$TASK.local.conf"; do
    # shellcheck source=/dev/null
    [[ -r "$conf" ]] && source "$conf"
done

log() {
    local line
    line="$(date '+%F %T') $TASK: $*"
    printf '%s\n' "$line" >&2
    [[ -d "${LOG_DIR:-}" ]] && printf '%s\n' "$line" >>"$LOG_DIR/$TASK.log"
    return 0
}

die() { local code="$1"; shift; log "ERROR $*"; exit "$code"; }

need() {
    local tool
    for tool in "$@"; do
        command -v "$tool" >/dev/null || die 69 "missing command: $tool"
    done
}

run() {
    if [[ "${DRY_RUN:-0}" == 1 ]]; then log "would run: $*"; else "$@"; fi
}

on_battery() { [[ "$(upsc "${UPS_NAME:-ups@localhost}" ups.status 2>/dev/null)" == *OB* ]]; }

notify() {
    local priority="$1"; shift
    run curl -fsS -m 10 -H "Priority: $priority" -d "$TASK: $*" \
        "${NTFY_URL:-http://10.20.0.11:2586}/${NTFY_TOPIC:-lanthorn}" >/dev/null || log "notification failed"
}
