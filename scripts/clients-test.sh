#!/usr/bin/env bash
# Tests the clients in clients/ against missiond dev: TypeScript's as it is packed, in Node and
# Chromium, Go's, the nodes of n8n, and others' clients of the tools for assistants (mcp): all, or those that the arguments name
# (typescript, n8n, mcp, go). Where Node, npm or Chromium is missing it says so and tests Go's only; in CI it fails.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# -eq 0 ]; then set -- typescript n8n mcp go; fi
if [ $# -gt 1 ]; then # each, whatever fails
	status=0
	for client; do scripts/clients-test.sh "$client" || status=1; done
	exit "$status"
fi

missing=()
scripts/has-node.sh || missing+=("Node 20.19 or later, with npm")
CHROMIUM=${CHROMIUM:-$(command -v chromium-headless-shell chromium chromium-browser google-chrome | head -n 1 || true)}
[ -n "$CHROMIUM" ] || missing+=(Chromium)
if [ "$1" != go ] && [ ${#missing[@]} -gt 0 ]; then
	{
		echo
		echo "*****************************************************************"
		for each in "${missing[@]}"; do echo "  MISSING: $each"; done
		echo "  The client $1 isn't tested."
		echo "*****************************************************************"
		echo
	} >&2
	[ -z "${CI:-}" ]
	exit
fi
export CHROMIUM MISSIOND_BINARY=$PWD/bin/missiond
go build -tags nodynamic -ldflags=-w -o bin/missiond ./cmd/missiond

# packed NAME builds and packs the client in a folder, and installs it into build/consumer with its tests.
packed() {
	rm -rf build dist
	npm run -s build
	mkdir -p build/consumer
	npm pack --silent --pack-destination build >/dev/null
	cp -r test build/consumer
	if [ -d examples ]; then cp -r examples build/consumer; fi
	cp ../testing/service.mjs build/consumer/test
	echo '{"private": true, "type": "module"}' >build/consumer/package.json
	(cd build/consumer && npm install --silent --offline --no-audit --no-fund --legacy-peer-deps ../*.tgz)
}

case $1 in
typescript)
	scripts/client-packages.sh typescript
	cd clients/typescript
	packed
	npx tsc -p build/consumer/examples
	mapfile -t files < <(../../scripts/of-tier.sh build/consumer/test/*.test.mjs)
	node ../../test/runner/node.mjs --part="${MISSIOND_TEST_FULL:+full/}clients-typescript" --concurrency=2 "${files[@]}"
	;;
n8n)
	scripts/client-packages.sh n8n
	cd clients/n8n
	packed
	node ../../test/runner/node.mjs --part="${MISSIOND_TEST_FULL:+full/}clients-n8n" build/consumer/test/*.test.mjs
	;;
mcp)
	scripts/client-packages.sh testing/mcp
	node test/runner/node.mjs --part="${MISSIOND_TEST_FULL:+full/}clients-mcp" clients/testing/mcp/*.test.mjs
	;;
go)
	(cd clients/go && go vet ./...)
	go run ./test/runner -part "${MISSIOND_TEST_FULL:+full/}clients-go" -- -C=clients/go -count=1 ./...
	;;
*)
	echo "there is no client $1" >&2
	exit 2
	;;
esac
