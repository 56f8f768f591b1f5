#!/usr/bin/env bash
# Makes the Kakoune that install.sh has unpacked into CACHEDIR ready: CACHEDIR/kakoune/bin has it under its name, which
# kakoune-lsp calls it by, and kakoune-lsp itself, compiled once from crates.io. What is ready already is left alone.
#
#   editors/e2e/install-kakoune.sh CACHEDIR
set -euo pipefail

[ $# = 1 ] || { echo "usage: install-kakoune.sh CACHEDIR" >&2; exit 2; }
LSP=22.0.0
cache=$(cd "$1" && pwd)
dir=$cache/kakoune
[ -e "$dir/complete" ] || { echo "install-kakoune.sh: run install.sh, which unpacks it" >&2; exit 1; }

if [ "$(cat "$dir/ready" 2> /dev/null)" = "$LSP" ]; then
	echo "kakoune: ready"
else
	# Debian has no package of kakoune-lsp, and none of its releases a Rust in which it compiles and that runs from a folder.
	command -v cargo > /dev/null || { echo "install-kakoune.sh: needs cargo (Rust 1.82 or later), which compiles kakoune-lsp" >&2; exit 1; }
	mkdir -p "$dir/bin"
	cat > "$dir/bin/kak" <<'R'
#!/bin/sh
dir=$(dirname "$(readlink -f "$0")")/..
KAKOUNE_RUNTIME=$dir/root/usr/share/kak exec "$dir/run" kak "$@"
R
	chmod +x "$dir/bin/kak"
	# Without optimizing over all crates it compiles in half the time, and nobody measures it.
	CARGO_PROFILE_RELEASE_LTO=false CARGO_PROFILE_RELEASE_OPT_LEVEL=1 \
		cargo install --quiet --locked --root "$dir" --target-dir "$cache/.kak-lsp.build" kak-lsp --version "$LSP"
	rm -rf "$cache/.kak-lsp.build"
	echo "$LSP" > "$dir/ready"
fi
"$dir/bin/kak" -n -ui dummy -e 'quit!' || { echo "install-kakoune.sh: Kakoune does not start" >&2; exit 1; }
"$dir/bin/kak-lsp" --version
