#!/usr/bin/env php
<?php
/*
 * ─────────────────────────────────────────────────────────────────────
 *  Lanthorn · light for one household
 *  MIT licence, no warranty, copy what you like.
 *  The settings are explained in share/default.conf.
 * ─────────────────────────────────────────────────────────────────────
 *
 * ━━━ PURPOSE ━━━
 * Tells the registrar our public address when it changes, so that ember can find
 * its way home.
 *
 * ━━━ OPERATIONAL MODEL ━━━
 * Two Witnesses
 *   The address is asked from beacon and from one outside service. Only if both
 *   agree is it taken for true; the modem reports 192.0.2.1 while it trains.
 *
 * ━━━ DESIGN PRINCIPLES ━━━
 * Silence When Nothing Changed
 *   The registrar blocks clients that send the same address again and again. The
 *   last accepted address is in /var/lib/lanthorn/public-ip.
 *
 * ━━━ OPERATIONAL SAFEGUARDS ━━━
 * Private Range Guard
 *   An address from 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 or 100.64.0.0/10 is
 *   never published. The last of these is what the LTE provider hands out.
 *
 * ━━━ CONFIGURATION ━━━
 * DDNS_NAME        record to update (default: door.home.example)
 * DDNS_MIN_HOURS   force an update after this many hours even without a change (default: 72)
 *
 * ━━━ RUNTIME MODES ━━━
 * --print   show both witnesses and exit
 */

declare(strict_types=1);

const STATE = '/var/lib/lanthorn/public-ip';

function is_public(string $ip): bool
{
    $flags = FILTER_FLAG_IPV4 | FILTER_FLAG_NO_PRIV_RANGE | FILTER_FLAG_NO_RES_RANGE;
    $shared = (ip2long($ip) & ip2long('255.192.0.0')) === ip2long('100.64.0.0');
    return filter_var($ip, FILTER_VALIDATE_IP, $flags) !== false && !$shared;
}

$router = trim((string) @file_get_contents('http://10.20.0.1/api/wan/address'));
$outside = trim((string) @file_get_contents('https://ip.home.example/'));
if (in_array('--print', $argv, true)) {
    echo "beacon $router, outside $outside\n";
    exit(0);
}
if ($router !== $outside || !is_public($router)) {
    fwrite(STDERR, "witnesses disagree or address is private\n");
    exit(69);
}
if (trim((string) @file_get_contents(STATE)) !== $router) {
    file_put_contents(STATE, $router);
    echo 'updated ' . (getenv('DDNS_NAME') ?: 'door.home.example') . "\n";
}
