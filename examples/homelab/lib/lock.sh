#!/usr/bin/env bash
# === PURPOSE ===
# One lock implementation for all tasks, so that any script can also ask whether
# another one is running.
#
# === OPERATIONAL MODEL ===
# Locks are flock(2) on RUN_DIR/NAME.lock. The kernel drops the lock when the
# process dies, however it dies, so there is no stale lock to clean up and no
# process id to compare.
#
# === DESIGN PRINCIPLES ===
# No Pid Files
#   A pid file outlives a power cut, and after a reboot the number may belong to
#   the mail server. We had exactly that in 2022.
#
# === CONFIGURATION ===
# LOCK_WAIT   seconds to wait for a lock before giving up (default: 600)
# RUN_DIR     where lock files live (default: /run/lanthorn)

take_lock() {
    local name="$1" wait="${2:-${LOCK_WAIT:-600}}"
    mkdir -p "${RUN_DIR:=/run/lanthorn}"
    exec 9>"$RUN_DIR/$name.lock"
    flock -w "$wait" 9 || { log "lock $name is busy"; exit 75; }
}

lock_held() {
    local file="${RUN_DIR:-/run/lanthorn}/$1.lock"
    [[ -e "$file" ]] || return 1
    ! flock -n "$file" true
}
