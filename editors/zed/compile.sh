#!/usr/bin/env bash
# Compiles the extension to WebAssembly, as Zed does when it installs it, into DIR/coauthor_zed.wasm. It needs a Rust with the
# target wasm32-wasip1: that of rustup (rustup target add wasm32-wasip1) or of Debian 13 (apt-get install cargo
# libstd-rust-dev-wasm32 lld gcc libc6-dev).
#
#   editors/zed/compile.sh DIR
set -euo pipefail

[ $# = 1 ] || { echo "usage: compile.sh DIR" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
target=wasm32-wasip1
library=$(rustc --print sysroot)/lib/rustlib
[ -d "$library/$target" ] || {
	echo "compile.sh: this Rust has no $target: rustup target add $target, or Debian's libstd-rust-dev-wasm32" >&2
	exit 1
}
# Debian's Rust has no linker of its own.
compgen -G "$library/*/bin/rust-lld" > /dev/null || export CARGO_TARGET_WASM32_WASIP1_LINKER=wasm-ld

rm -rf "$out/source"
mkdir "$out/source"
cp -r "$(dirname "$0")"/{Cargo.toml,src} "$out/source" # where it may leave a Cargo.lock
cargo build --manifest-path "$out/source/Cargo.toml" --release --target $target --target-dir "$out/target"
cp "$out/target/$target/release/coauthor_zed.wasm" "$out/coauthor_zed.wasm"
grep -aq language-server-command "$out/coauthor_zed.wasm" || { echo "compile.sh: what came exports nothing that Zed calls" >&2; exit 1; }
echo "$out/coauthor_zed.wasm: $(($(wc -c < "$out/coauthor_zed.wasm") >> 10)) KB"
