-- PURPOSE
-- -------
-- How many snapshots each dataset has, how old the oldest is, and what they hold.
-- Runs against /var/lib/lanthorn/history.sqlite, which snapshot_sync.sh fills.
--
-- OPERATIONAL MODEL
-- -----------------
-- The table `snapshot` has one row for each snapshot that exists or existed:
-- dataset, name, taken_at, bytes, destroyed_at (null while it is alive).
--
-- CONFIGURATION
-- -------------
-- :since   first day to look at, ISO date; the caller passes 400 days ago
--
-- RUNTIME MODES
-- -------------
-- sqlite3 -box /var/lib/lanthorn/history.sqlite < retention_report.sql

SELECT dataset,
       count(*)                                        AS alive,
       min(taken_at)                                   AS oldest,
       round(sum(bytes) / 1e9, 1)                      AS gigabytes,
       max(julianday('now') - julianday(taken_at)) > 430 AS overdue
FROM snapshot
WHERE destroyed_at IS NULL
  AND taken_at >= coalesce(:since, '2024-01-01')
GROUP BY dataset
ORDER BY gigabytes DESC;
