#!/usr/bin/env bash
# Makes a .vsix for each system, with the program in it, from a folder that .ci/release has filled, and one without a
# program, which looks for it on the PATH:
#
#   ./package.sh PROGRAMS [OUT]      after npm ci; default OUT is the folder of this script
#
# The programs for Linux are linked statically, so that the same one serves Debian and Alpine.
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: package.sh PROGRAMS [OUT]" >&2; exit 2; }
programs=$(cd "$1" && pwd)
cd "$(dirname "$0")"
mkdir -p "${2:-.}"
out=$(cd "${2:-.}" && pwd)
version=$(node -p 'require("./package.json").version')
npm run build > /dev/null
trap 'rm -rf bin' EXIT

# pack NAME [vsce's options]...
pack() {
	local file=$out/coauthor-$1$version.vsix
	shift
	npx --no-install vsce package --no-dependencies --allow-missing-repository --out "$file" "$@" > /dev/null
	echo "$file: $(($(wc -c < "$file") >> 10)) KB"
}

rm -rf bin
pack ""
for pair in linux-x64=linux-amd64 linux-arm64=linux-arm64 alpine-x64=linux-amd64 alpine-arm64=linux-arm64 \
	darwin-x64=darwin-amd64 darwin-arm64=darwin-arm64 win32-x64=windows-amd64.exe win32-arm64=windows-arm64.exe; do
	target=${pair%%=*} program=$programs/coauthor-${pair#*=}
	if [ ! -f "$program" ]; then
		echo "$target: no ${program##*/} in $programs, left out" >&2
		continue
	fi
	rm -rf bin
	mkdir bin
	name=bin/coauthor
	case $target in win32-*) name=$name.exe ;; esac
	cp "$program" "$name"
	chmod 755 "$name"
	pack "$target-" --target "$target"
done
(cd "$out" && sha256sum coauthor-*"$version".vsix > SHA256SUMS)
