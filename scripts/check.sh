#!/usr/bin/env bash
# Runs make targets as sections with their seconds: all of them, whatever fails,
# and fails where any failed. What the tests' runners say is said again at the
# end, so that it closes the output.
# Usage: check.sh TARGET…
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
	make --no-print-directory "$target" 2>&1 | tee -a "$log" || { verdict=FAILED; status=1; }
	summary+=$(printf '%-16s %-6s %4d s' "$target" "$verdict" $((SECONDS - started)))$'\n'
done
printf '\n=== in all %d s\n%s\n' "$SECONDS" "$summary"
if ls bin/test/times/*.json >/dev/null 2>&1; then go run ./test/runner -times 5; fi
grep -E '^(ok  |\?   )' "$log" || true
grep -E '^FAIL' "$log" || true
awk '
	/^FLAKY / { on = 1; print; next }
	/^\t/ && on { print; next }
	{ on = 0 }
	/^[0-9]+ tests were FLAKY$/ { flaky += $1 }
	/^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ { passed += $1; failed += $3; skipped += $5; any = 1 }
	END { if (any) printf "%d tests were FLAKY\n%d passed, %d failed, %d skipped\n", flaky, passed, failed, skipped }
' "$log"
exit "$status"
