#!/usr/bin/env bash
# Formats the sources of the console, and of the clients in TypeScript; with --check, fails if that would change one. Without
# Node it says so and does nothing; in CI it fails.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! scripts/has-node.sh; then
	{
		echo
		echo "*****************************************************************"
		echo "  MISSING: Node 20.19 or later, with npm"
		echo "  The console's and the clients' sources aren't formatted."
		echo "*****************************************************************"
		echo
	} >&2
	[ -z "${CI:-}" ]
	exit
fi
scripts/console-packages.sh
prettier=$PWD/web/console/node_modules/.bin/prettier
folders=(web/console clients/typescript clients/n8n clients/testing)
status=0
for folder in "${folders[@]}"; do
	if [ "${1:-}" = --check ]; then
		(cd "$folder" && "$prettier" --check .) || { echo "make fmt changes these files of $folder"; status=1; }
	else
		(cd "$folder" && "$prettier" --write --log-level warn .)
	fi
done
exit "$status"
