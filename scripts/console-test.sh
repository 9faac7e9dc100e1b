#!/usr/bin/env bash
# Tests the console in a browser, against missiond dev. It needs Node, npm and
# Chromium: where one is missing it says so and tests nothing; in CI it fails.
# Arguments are the test files; without any, those of the tier (of-tier.sh).
set -euo pipefail
cd "$(dirname "$0")/.."

missing=()
scripts/has-node.sh || missing+=("Node 20.19 or later, with npm")
CHROMIUM=${CHROMIUM:-$(command -v chromium-headless-shell chromium chromium-browser google-chrome | head -n 1 || true)}
[ -n "$CHROMIUM" ] || missing+=(Chromium)
if [ ${#missing[@]} -gt 0 ]; then
	{
		echo
		echo "*****************************************************************"
		for each in "${missing[@]}"; do echo "  MISSING: $each"; done
		echo "  The console isn't tested in a browser."
		echo "*****************************************************************"
		echo
	} >&2
	[ -z "${CI:-}" ]
	exit
fi
export CHROMIUM

scripts/console.sh >/dev/null
go build -tags nodynamic -ldflags=-w -o bin/missiond ./cmd/missiond
cd web/console
if [ $# -eq 0 ]; then
	mapfile -t files < <(../../scripts/of-tier.sh e2e/*.test.mjs)
	set -- --part="${MISSIOND_TEST_FULL:+full/}console" "${files[@]}"
fi
exec node ../../test/runner/node.mjs --concurrency=3 "$@"
