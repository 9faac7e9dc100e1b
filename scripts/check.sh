#!/usr/bin/env bash
# Runs make targets as sections with their seconds: all of them, whatever fails, and fails where any failed. Those behind a --
# run one after another beside the last one before it, whose output theirs follows. What the tests' runners say is said again
# at the end, so that it closes the output.
# Usage: check.sh TARGET… [-- TARGET…]
set -euo pipefail
cd "$(dirname "$0")/.."

state=$(mktemp -d)
log=$state/log summary=$state/summary job=""
trap '[ -z "$job" ] || kill -- "-$job" 2>/dev/null; rm -rf "$state"' EXIT
trap 'exit 130' INT TERM

# section TARGET runs one, and adds a line to the summary.
section() {
	local started=$SECONDS verdict=ok
	printf '\n=== %s\n' "$1"
	make --no-print-directory "$1" 2>&1 || verdict=FAILED
	printf '%-16s %-6s %4d s\n' "$1" "$verdict" $((SECONDS - started)) >>"$summary"
}

targets=() beside=() last=""
while [ $# -gt 0 ] && [ "$1" != -- ]; do
	targets+=("$1") last=$1
	shift
done
if [ $# -gt 1 ]; then beside=("${@:2}"); fi
for target in "${targets[@]}"; do
	if [ "$target" = "$last" ] && [ ${#beside[@]} -gt 0 ]; then
		set -m # a group of its own, which ends with this script
		for other in "${beside[@]}"; do section "$other"; done >"$state/beside" </dev/null &
		job=$!
		set +m
	fi
	section "$target" | tee -a "$log"
done
if [ -n "$job" ]; then
	wait "$job"
	job=""
	tee -a "$log" <"$state/beside"
fi
printf '\n=== in all %d s\n%s\n\n' "$SECONDS" "$(cat "$summary")"
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
[ "$(grep -c ' ok ' "$summary")" = $((${#targets[@]} + ${#beside[@]})) ]
