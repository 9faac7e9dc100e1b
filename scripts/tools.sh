#!/usr/bin/env bash
# Builds a program at a version into .tools, unless it is there. A linter that an
# older Go built refuses the module's language version, so programs are built again
# when Go's minor version changes.
# Usage: tools.sh PACKAGE VERSION
set -euo pipefail
cd "$(dirname "$0")/.."

package=$1 version=$2
name=$(basename "$package")
binary=.tools/$name

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
echo "building $name $version into .tools (once; some minutes)"
GOBIN="$PWD/.tools" go install "$package@$version"
