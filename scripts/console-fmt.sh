#!/usr/bin/env bash
# Formats the console's sources; with --check, fails if that would change one. Without
# Node it says so and does nothing; in CI it fails.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! scripts/has-node.sh; then
	{
		echo
		echo "*****************************************************************"
		echo "  MISSING: Node 20.19 or later, with npm"
		echo "  The console's sources aren't formatted."
		echo "*****************************************************************"
		echo
	} >&2
	[ -z "${CI:-}" ]
	exit
fi
scripts/console-packages.sh
cd web/console
if [ "${1:-}" != --check ]; then exec npm run -s fmt; fi
npm run -s fmt-check || { echo "make fmt changes these files of web/console"; exit 1; }
