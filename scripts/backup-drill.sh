#!/bin/sh
# Drills a backup: dumps the database of a fleet that publishes, loses it some seconds
# later, restores it elsewhere with publishing held, reconciles and releases, and counts
# the posts that went out twice. Needs Postgres with pg_dump and pg_restore, and Redis;
# takes four minutes. With MISSIOND_DRILL_RECKLESS=1 it doesn't reconcile, and fails.
set -eu
cd "$(dirname "$0")/.."
MISSIOND_TEST_DRILL=1 exec go test -v -count=1 -timeout 15m -run '^TestBackupDrill$' ./test/servers
