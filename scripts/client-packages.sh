#!/usr/bin/env bash
# Installs the packages of a client of clients/, as its lock file has them, unless they are there.
# Usage: client-packages.sh CLIENT
set -euo pipefail
cd "$(dirname "$0")/../clients/$1"
if [ node_modules/.package-lock.json -ot package-lock.json ]; then npm ci --no-audit --no-fund --silent --ignore-scripts; fi
