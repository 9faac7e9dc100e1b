#!/usr/bin/env bash
# Succeeds where Node 20.19 or later and npm are installed.
set -euo pipefail
command -v npm >/dev/null
node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || a == 20 && b >= 19 ? 0 : 1)' 2>/dev/null
