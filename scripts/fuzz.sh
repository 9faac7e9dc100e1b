#!/usr/bin/env bash
# Runs each fuzz target of the module for a while, one after another.
# Usage: fuzz.sh DURATION
set -euo pipefail
cd "$(dirname "$0")/.."

duration=$1
targets=$(git -c core.quotePath=off ls-files --cached --others --exclude-standard '*_test.go' |
	xargs -r grep -HoE '^func Fuzz[A-Za-z0-9_]*\(' || true)
if [ -z "$targets" ]; then
	echo "there are no fuzz targets"
	exit 0
fi
while IFS=: read -r file target; do
	target=${target#func }
	target=${target%(}
	echo "=== $target in $(dirname "$file")"
	go test -run '^$' -fuzz "^$target\$" -fuzztime "$duration" "./$(dirname "$file")" </dev/null
done <<<"$targets"
