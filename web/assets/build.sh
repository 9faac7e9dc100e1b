#!/usr/bin/env bash
# Fetches the pages' parts from the npm registry, in the versions that
# README.md beside this file lists. Nobody needs to run it but to change them:
# its results are in the tree.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# take PACKAGE@VERSION FILE NAME [LICENCE NAME]
take() {
	local folder="$work/${1//[@\/]/-}"
	if [ ! -d "$folder" ]; then
		mkdir "$folder"
		(cd "$work" && npm pack --silent "$1" >pack.txt && tar -xzf "$(tail -n 1 pack.txt)" -C "$folder" --strip-components 1)
	fi
	gzip -9nc "$folder/$2" >"$3.gz"
	if [ $# -gt 3 ]; then cp "$folder/$4" "$5"; fi
}

take graphiql@3.9.0 graphiql.min.js graphiql.js LICENSE graphiql.LICENSE
take graphiql@3.9.0 graphiql.min.css graphiql.css LICENSE graphiql.LICENSE
take react@18.3.1 umd/react.production.min.js react.js LICENSE react.LICENSE
take react-dom@18.3.1 umd/react-dom.production.min.js react-dom.js LICENSE react-dom.LICENSE
take @scalar/api-reference@1.46.4 dist/browser/standalone.js scalar.js
