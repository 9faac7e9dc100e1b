#!/usr/bin/env bash
# Runs the full suite: the gate's tests and those that begin with testkit.Full(t), part by part. A part that passed is not
# run again until a file of the repository changes, so an interrupted run goes on where it was.
# Usage: test-full.sh [PART…]; PART is a package (store), others (all without a part of their own), image, chart, clients or
# console. --list says what each part's last run was.
set -euo pipefail
cd "$(dirname "$0")/.."

own=(store tasks internal/service/missions internal/blobs internal/mediafile internal/simulate bench test/simulation test/api
	test/chaos test/pages test/program test/servers)
parts=(others "${own[@]}" image chart clients console)
state=bin/test/full
mkdir -p "$state"

# now identifies the files of the working tree.
now=$({
	git rev-parse 'HEAD^{tree}'
	git diff HEAD
	git ls-files --others --exclude-standard -z | xargs -0 -r git hash-object --
} | git hash-object --stdin)

# stamp PART prints the file of a part's last success: what it ran on, and when.
stamp() { echo "$state/${1//\//-}"; }

current() { [ -f "$(stamp "$1")" ] && [ "$(head -n 1 "$(stamp "$1")")" = "$now" ]; }

# in_go ARG… runs Go tests; a first -C is a module's folder. What properties draw is new each time, and said where they fail.
in_go() {
	local module=()
	if [[ $1 == -C* ]]; then
		module=("$1")
		shift
	fi
	go run ./test/runner -part "full/${part//\//-}" -- "${module[@]}" -timeout=60m -count=1 -parallel=4 "$@"
}

run() {
	case $part in
	others) in_go $(go list ./... | grep -v -E "^missiond/($(IFS='|' && echo "${own[*]}"))\$") ;;
	image | chart) in_go "-C=deploy/${part/chart/charttest}" ./... ;;
	clients) scripts/clients-test.sh ;;
	console) scripts/console-test.sh ;;
	*) in_go -p=1 "./$part" ;;
	esac
}

if [ "${1:-}" = --list ]; then
	for part in "${parts[@]}"; do
		verdict="not run"
		[ ! -f "$(stamp "$part")" ] || verdict="passed $(tail -n 1 "$(stamp "$part")"), before changes"
		! current "$part" || verdict="passed $(tail -n 1 "$(stamp "$part")")"
		printf '%-26s %s\n' "$part" "$verdict"
	done
	exit
fi
if [ $# -eq 0 ]; then set -- "${parts[@]}"; fi
for part; do
	if [[ " ${parts[*]} " != *" $part "* ]]; then
		echo "there is no part $part; the parts are ${parts[*]}" >&2
		exit 2
	fi
done
make --no-print-directory services versitygw
export MISSIOND_TEST_FULL=1
failures=()
for part; do
	if current "$part"; then
		echo "=== $part passed on these files ($(tail -n 1 "$(stamp "$part")"))"
		continue
	fi
	printf '\n=== %s\n' "$part"
	started=$SECONDS
	if run; then
		printf '%s\n%s\n' "$now" "$(date -u '+%F %H:%M UTC')" >"$(stamp "$part")"
	else
		failures+=("$part")
	fi
	echo "=== $part: $((SECONDS - started)) s"
done
if [ ${#failures[@]} -gt 0 ]; then
	echo "FAIL	${failures[*]}"
	exit 1
fi
