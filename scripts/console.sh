#!/usr/bin/env bash
# Builds the console into web/assets/console, which the binary embeds. The same
# sources make the same bytes.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/console-packages.sh
cd web/console
npm run -s build
cp src/__generated__/persisted.json dist/documents.json
cd ../..
go run ./web/pack web/console/dist web/assets/console
