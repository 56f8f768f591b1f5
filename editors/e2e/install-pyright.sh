#!/usr/bin/env bash
# Gets a second language server into CACHEDIR/pyright, for what the tests do with the problems of others: one npm package,
# without the scripts that it brings. It is run by the Node of install-vscode.sh. What is there already is left alone.
#
#   editors/e2e/install-pyright.sh CACHEDIR
set -euo pipefail

[ $# = 1 ] || { echo "usage: install-pyright.sh CACHEDIR" >&2; exit 2; }
command -v npm > /dev/null || { echo "install-pyright.sh: needs npm" >&2; exit 1; }
PYRIGHT=1.1.414

mkdir -p "$1"
cache=$(cd "$1" && pwd)
dir=$cache/pyright work=$cache/.pyright.new
if [ -e "$dir/complete" ]; then
	echo "pyright: there"
	exit 0
fi
rm -rf "$work" "$dir"
mkdir -p "$work"
echo '{"private":true}' > "$work/package.json"
npm install --prefix "$work" --no-audit --no-fund --no-optional --ignore-scripts --loglevel error "pyright@$PYRIGHT" > /dev/null
: > "$work/complete"
mv "$work" "$dir" # only a whole folder gets the name
echo "pyright: $PYRIGHT"
