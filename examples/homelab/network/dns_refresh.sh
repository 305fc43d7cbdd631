#!/usr/bin/env bash
# ─────────────────────────────────────────────────────────────────────
#  Lanthorn · light for one household
#  MIT licence, no warranty, copy what you like.
#  The settings are explained in share/default.conf.
# ─────────────────────────────────────────────────────────────────────
#
# === PURPOSE ===
# Builds the zone home.example from deploy/hosts.conf.template's filled-in copy
# and hands it to unbound on beacon.
#
# === OPERATIONAL MODEL ===
# One Table
#   /etc/lanthorn/hosts.conf is the only place where a name meets an address. DHCP
#   reservations and the zone are both written from it.
#
# === DESIGN PRINCIPLES ===
# Names For Roles
#   Services get names after what they do (photos, paper, wiki), machines after
#   light. A service can move without anybody learning a new name.
#
# === OPERATIONAL SAFEGUARDS ===
# Check Before Reload
#   unbound-checkconf must accept the new file, otherwise the old one stays. A
#   house without DNS is a house with complaints from every floor.
#
# Router Stays Resolvable
#   If the new zone lacks an entry for beacon the script refuses it, even when the
#   syntax is fine.
#
# === CONFIGURATION ===
# DNS_TTL        seconds (default: 900)
# DNS_BLOCKLIST  address of the block list, empty for none
#
# === RUNTIME MODES ===
# --dry-run   print the zone, install nothing
# --diff      show what would change against the running zone

set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
zone="$(mktemp)"; trap 'rm -f "$zone"' EXIT
{
    echo 'server:'
    awk -v ttl="${DNS_TTL:-900}" '!/^#/ && NF >= 2 {
        printf "  local-data: \"%s.home.example. %d IN A %s\"\n", $2, ttl, $1 }' /etc/lanthorn/hosts.conf
} >"$zone"
grep -q '"beacon\.' "$zone" || die 78 "no entry for beacon"
case "${1:-}" in
    --dry-run) cat "$zone"; exit 0 ;;
    --diff) ssh beacon cat /var/unbound/home.conf | diff - "$zone" || true; exit 0 ;;
esac
scp -q "$zone" beacon:/var/unbound/home.conf.new
ssh beacon 'unbound-checkconf /var/unbound/home.conf.new && mv /var/unbound/home.conf.new /var/unbound/home.conf && unbound-control reload'
