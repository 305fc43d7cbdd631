#!/bin/bash
# PURPOSE
# ~~~~~~~
# Keeps the wildcard certificate for *.home.example fresh and brings it to the
# three places that need it.
#
# OPERATIONAL MODEL
# ~~~~~~~~~~~~~~~~~
# DNS Challenge
#   The names are not reachable from outside, so only the DNS-01 challenge works.
#   lego sets the record through the API of the registrar.
#
# Distribution
#   The proxy on tallow, the mail relay on wick and the web page of beacon get the
#   new files and a reload each. A consumer that fails does not stop the others.
#
# DESIGN PRINCIPLES
# ~~~~~~~~~~~~~~~~~
# Early
#   Renewal begins 30 days before the end (default: 30), long before the
#   certificate authority starts to send mail.
#
# OPERATIONAL SAFEGUARDS
# ~~~~~~~~~~~~~~~~~~~~~~
# Five A Week
#   The authority allows five identical certificates a week. After two failed
#   attempts in one day the script leaves the matter until the next day.
#
# Old Pair Kept
#   The previous key and certificate stay in /etc/lanthorn/tls/previous until the
#   new pair has served one TLS handshake.
#
# CONFIGURATION
# ~~~~~~~~~~~~~
# CERT_RENEW_DAYS   days before expiry at which renewal starts (default: 30)
# CERT_DNS_API      name of the lego provider
#
# RUNTIME MODES
# ~~~~~~~~~~~~~
# --force      renew now whatever the remaining days
# --staging    use the test authority; its certificates are not trusted
# --expiry     print the remaining days

set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
pem=/etc/lanthorn/tls/home.example.crt
left=$(( ($(date -d "$(openssl x509 -enddate -noout -in "$pem" | cut -d= -f2)" +%s) - $(date +%s)) / 86400 ))
[[ "${1:-}" == --expiry ]] && { echo "$left"; exit 0; }
[[ "${1:-}" != --force ]] && (( left > ${CERT_RENEW_DAYS:-21} )) && exit 0
cp -a /etc/lanthorn/tls/. /etc/lanthorn/tls.previous/
lego --dns "$CERT_DNS_API" --domains '*.home.example' --path /etc/lanthorn/tls renew
for target in tallow wick beacon; do
    run scp -q "$pem" "$target:/etc/ssl/lanthorn.crt" || notify high "certificate not copied to $target"
done
