#!/usr/bin/env bash
# Generates what the clients in clients/ have of docs/openapi.json: TypeScript's and n8n's by
# Node, Go's by oapi-codegen, which is built into .tools for the first time.
set -euo pipefail
cd "$(dirname "$0")/.."
for client in typescript n8n; do
	scripts/client-packages.sh "$client"
	(cd "clients/$client" && npm run -s generate)
done
scripts/tools.sh github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen v2.8.2
cd clients/go
../../.tools/oapi-codegen -config oapi-codegen.yaml -o generated.go ../../docs/openapi.json
