#!/usr/bin/env bash
# Gets the editors of the end-to-end tests: Neovim 0.7, 0.10 and 0.12 and Helix, each with all its
# libraries in a folder of its own below CACHEDIR, Emacs 28 and 30 (install-emacs.sh), Kakoune (install-kakoune.sh), VS Code in
# a browser (install-vscode.sh), and a second language server (install-pyright.sh). The system's packages and sources stay as they
# are; they only tell which Debian mirror to ask. What is there already is left alone.
#
#   editors/e2e/install.sh CACHEDIR     then     COAUTHOR_E2E_CACHE=CACHEDIR go test ./editors/e2e
set -euo pipefail

[ $# = 1 ] || { echo "usage: install.sh CACHEDIR" >&2; exit 2; }
[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || { echo "install.sh: Linux on x86_64 only" >&2; exit 1; }
for tool in apt-get dpkg-deb tar; do
	command -v "$tool" > /dev/null || { echo "install.sh: needs $tool, so a Debian or a child of it" >&2; exit 1; }
done
mkdir -p "$1"
cache=$(cd "$1" && pwd)

mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m1 '/debian/*$' || true)
[ -n "$mirror" ] || { echo "install.sh: the system's apt names no Debian mirror (run apt-get update?)" >&2; exit 1; }

# runner DIR: writes DIR/run, which starts a program of DIR/root with the libraries of DIR/root. The
# script finds its folder by itself, so that a cache may be moved.
runner() {
	cat > "$1/run" <<'R'
#!/bin/sh
R=$(dirname "$(readlink -f "$0")")/root; p=$1; shift
case $p in /*) ;; *) p=$R/usr/bin/$p ;; esac
exec "$R/lib64/ld-linux-x86-64.so.2" --library-path "$R/usr/lib/x86_64-linux-gnu:$R/usr/lib" \
	--argv0 "${p##*/}" "$(readlink -f "$p")" "$@"
R
	chmod +x "$1/run"
}

# unpack NAME SUITE PACKAGE...: the packages of a Debian suite with everything they depend on.
unpack() {
	local name=$1 suite=$2 dir=$cache/$1 work=$cache/.$1.new
	shift 2
	if [ -e "$dir/complete" ]; then
		echo "$name: there"
		return
	fi
	rm -rf "$work" "$dir"
	mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial" "$work/apt/parts" "$work/root"
	: > "$work/apt/status"
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" > "$work/apt/sources.list"
	cat > "$work/apt/apt.conf" <<C
Dir::Etc::sourcelist "$work/apt/sources.list";
Dir::Etc::sourceparts "$work/apt/parts";
Dir::State::Lists "$work/apt/lists";
Dir::State::status "$work/apt/status";
Dir::Cache "$work/apt/cache";
APT::Install-Recommends "false";
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::Retries "3";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled "false";
C
	APT_CONFIG=$work/apt/apt.conf apt-get -qq update
	APT_CONFIG=$work/apt/apt.conf apt-get -qq -y --download-only -o Dpkg::Use-Pty=0 install "$@" > /dev/null
	local d
	for d in bin sbin lib lib64; do
		mkdir -p "$work/root/usr/$d"
		ln -sfn "usr/$d" "$work/root/$d" # merged /usr, as the packages expect
	done
	for d in "$work"/apt/cache/archives/*.deb; do
		dpkg-deb --fsys-tarfile "$d" | tar -x --keep-directory-symlink -C "$work/root"
	done
	rm -rf "$work/apt"
	runner "$work"
	: > "$work/complete"
	mv "$work" "$dir" # only a whole folder gets the name
	echo "$name: unpacked from $suite"
}

unpack nvim07 bookworm neovim
unpack nvim010 trixie neovim
unpack nvim012 forky neovim
unpack helix trixie hx
unpack helix2507 forky hx
# What such a program starts in its own root has to be there too: git for the server, Python for a multiplexer.
beside=(git dash coreutils ncurses-base python3 libstdc++6)
unpack emacs30 trixie emacs-nox elpa-lsp-mode "${beside[@]}"
unpack emacs28 bookworm emacs-nox elpa-eglot "${beside[@]}"
unpack kakoune trixie kakoune
command -v tmux > /dev/null || unpack tmux trixie tmux ncurses-base

for name in nvim07 nvim010 nvim012; do "$cache/$name/run" nvim --version | head -n 1; done
for name in helix helix2507; do "$cache/$name/run" hx --version; done
bash "$(dirname "$0")/install-emacs.sh" "$cache"
bash "$(dirname "$0")/install-kakoune.sh" "$cache"
bash "$(dirname "$0")/install-vscode.sh" "$cache"
bash "$(dirname "$0")/install-pyright.sh" "$cache"
