#!/usr/bin/env bash
# Prints those of Node's test files that the tier has: all where MISSIOND_TEST_FULL is set, else those whose first line isn't
# "// Tier: full".
# Usage: of-tier.sh FILE…
set -euo pipefail
for file; do
	if [ -n "${MISSIOND_TEST_FULL:-}" ] || [ "$(head -n 1 "$file")" != "// Tier: full" ]; then echo "$file"; fi
done
