#!/usr/bin/env bash
# Builds a program as go build does with the arguments, whose last is its package, and says every few seconds how far it is:
# the first build downloads and compiles everything.
set -euo pipefail
if [ "${BASH_VERSINFO[0]}" -lt 4 ]; then exec go build "$@"; fi # its read doesn't tell a pause from the end

packages=0 modules=0 of="" said=$SECONDS
state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT

# follow reads what go says, and writes what isn't progress.
follow() {
	local line status
	while true; do
		status=0
		IFS= read -r -t 5 line || status=$?
		if [ "$status" -gt 0 ] && [ "$status" -le 128 ]; then return; fi
		case $line in
		"") ;;
		"go: downloading "*) modules=$((modules + 1)) ;;
		*[\ :]*) echo "$line" >&2 ;;
		*) packages=$((packages + 1)) ;;
		esac
		if [ $((SECONDS - said)) -ge 5 ]; then
			said=$SECONDS
			echo "building: $modules modules downloaded, $packages${of:+ of $of} packages compiled ($SECONDS s)" >&2
		fi
	done
}

follow < <(go list -deps "${@: -1}" 2>&1 >"$state/list" || true)
of=$(wc -l <"$state/list")
follow < <(go build -v "$@" 2>&1 || echo $? >"$state/failed")
[ ! -e "$state/failed" ]
