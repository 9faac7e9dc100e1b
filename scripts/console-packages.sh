#!/usr/bin/env bash
# Installs the console's packages as its lock file has them, unless they are there.
set -euo pipefail
cd "$(dirname "$0")/../web/console"
if [ node_modules/.package-lock.json -ot package-lock.json ]; then npm ci --no-audit --no-fund --silent; fi
