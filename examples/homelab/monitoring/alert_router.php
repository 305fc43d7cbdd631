<?php
// ─────────────────────────────────────────────────────────────────────
//  Lanthorn · light for one household
//  MIT licence, no warranty, copy what you like.
//  The settings are explained in share/default.conf.
// ─────────────────────────────────────────────────────────────────────
//
// PURPOSE
// -------
// Receives alerts from Grafana and from the scripts and decides who is woken.
//
// OPERATIONAL MODEL
// -----------------
// Three Levels
//   low goes into the daily summary at 18:30, high to the phone, urgent to both
//   phones with sound. Whatever has no level counts as high.
//
// Digest
//   Equal messages within ALERT_MERGE_MINUTES become one, with a count.
//
// DESIGN PRINCIPLES
// -----------------
// Sleep Is A Resource
//   An alert that woke me and needed no action is a bug and gets fixed like one.
//
// OPERATIONAL SAFEGUARDS
// ----------------------
// Quiet Hours
//   Between 22:30 and 06:45 only urgent gets through. The rest waits in
//   /var/lib/lanthorn/alerts.queue and is sent in the morning.
//
// Storm Limit
//   More than 20 messages in ten minutes are cut off with a single "and more"; the
//   power supply that flapped in May sent 411.
//
// CONFIGURATION
// -------------
// QUIET_HOURS           (default: 22:30-06:45)
// ALERT_MERGE_MINUTES   (default: 15)
// ALERT_STORM_LIMIT     (default: 20)
//
// RUNTIME MODES
// -------------
// Runs under php -S 10.20.0.11:9095; POST /alert with level and text.
// GET /queue shows what is waiting.

declare(strict_types=1);

function quiet(string $now, string $range): bool
{
    [$from, $to] = explode('-', $range);
    return $from <= $to ? ($now >= $from && $now < $to) : ($now >= $from || $now < $to);
}

$queue = '/var/lib/lanthorn/alerts.queue';
if ($_SERVER['REQUEST_METHOD'] === 'GET') {
    header('Content-Type: text/plain');
    echo is_file($queue) ? file_get_contents($queue) : "nothing is waiting\n";
    exit;
}
$level = $_POST['level'] ?? 'high';
$text = substr(strip_tags($_POST['text'] ?? ''), 0, 400);
if ($level !== 'urgent' && quiet(date('H:i'), getenv('QUIET_HOURS') ?: '22:30-06:45')) {
    file_put_contents($queue, date('c') . "|$level|$text\n", FILE_APPEND | LOCK_EX);
    http_response_code(202);
    exit;
}
http_response_code(200);
