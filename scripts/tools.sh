#!/usr/bin/env bash
# Builds golangci-lint at a version into .tools, unless it is there. One that an
# older Go built refuses the module's language version, so it is built again
# when Go's minor version changes.
# Usage: tools.sh VERSION
set -euo pipefail
cd "$(dirname "$0")/.."

version=$1
binary=.tools/golangci-lint

# built prints what the binary was built from: version, then Go's minor version.
built() {
	go version -m "$binary" 2>/dev/null | awk '
		NR == 1 { split($NF, go, ".") }
		$1 == "mod" { print $3, go[1] "." go[2] }'
}

go_minor=$(go env GOVERSION | cut -d. -f1,2)
if [ -x "$binary" ] && [ "$(built)" = "$version $go_minor" ]; then
	exit 0
fi
echo "building golangci-lint $version into .tools (once; some minutes)"
GOBIN="$PWD/.tools" go install "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$version"
