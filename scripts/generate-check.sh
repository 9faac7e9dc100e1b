#!/usr/bin/env bash
# Fails where go generate, make clients, or a build of the console changes a file. It compares before with after, so
# changes that aren't committed yet don't matter; ignored files don't either.
set -euo pipefail
cd "$(dirname "$0")/.."

# fingerprints prints the hash and name of each file that git knows or would add.
fingerprints() {
	local files
	files=$(git -c core.quotePath=off ls-files --cached --others --exclude-standard | sort -u |
		while IFS= read -r file; do if [ -f "$file" ]; then echo "$file"; fi; done)
	paste -d ' ' <(git hash-object --no-filters --stdin-paths <<<"$files") - <<<"$files"
}

before=$(fingerprints)
go generate ./...
if scripts/has-node.sh; then
	scripts/console.sh >/dev/null
	scripts/clients.sh >/dev/null
elif [ -n "${CI:-}" ]; then
	echo "the console and the clients can't be built: Node 20.19 or later, with npm, is missing"
	exit 1
else
	echo "without Node 20.19 or later and npm: whether web/assets/console and the clients are up to date isn't checked"
fi
after=$(fingerprints)
if [ "$before" != "$after" ]; then
	echo "go generate changes these files; run make generate, make clients and make console, and commit them:"
	diff <(echo "$before") <(echo "$after") | awk '/^[<>]/ { sub(/^[<>] [0-9a-f]+ /, "  "); print }' | sort -u
	exit 1
fi
