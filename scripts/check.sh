#!/usr/bin/env bash
# Runs make targets as sections with their seconds: all of them, whatever fails,
# and fails where any failed. The lines of go test are said again at the end, so
# that they close the output. Targets joined by + run beside each other.
# Usage: check.sh TARGET[+TARGET]…
set -euo pipefail
cd "$(dirname "$0")/.."

log=$(mktemp)
trap 'rm -f "$log"' EXIT
summary=""
status=0
for target in "$@"; do
	printf '\n=== %s\n' "$target"
	started=$SECONDS
	verdict=ok
	# shellcheck disable=SC2086 # one word for each target
	make --no-print-directory -j2 --output-sync=target ${target//+/ } 2>&1 | tee "$log" || { verdict=FAILED; status=1; }
	summary+=$(printf '%-16s %-6s %4d s' "$target" "$verdict" $((SECONDS - started)))$'\n'
done
printf '\n=== in all %d s\n%s\n' "$SECONDS" "$summary"
grep -E '^(ok|FAIL|\?|panic:|[[:space:]]*--- FAIL:)' "$log" || true
exit "$status"
