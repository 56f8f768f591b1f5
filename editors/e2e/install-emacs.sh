#!/usr/bin/env bash
# Makes the Emacs folders that install.sh has unpacked into CACHEDIR ready: CACHEDIR/emacs30 (with lsp-mode, and with rass, which
# runs several language servers as one) and CACHEDIR/emacs28 (with Eglot 1.9). What is ready already is left alone.
#
# An unpacked Emacs does not find its files, which it looks for at fixed places. So it runs with its folder as the root of
# the file system, in a name space of its own, which ends with it: that needs root's rights, or a kernel that gives users
# name spaces.
#
#   editors/e2e/install-emacs.sh CACHEDIR
set -euo pipefail

[ $# = 1 ] || { echo "usage: install-emacs.sh CACHEDIR" >&2; exit 2; }
RASS=0.3.5
cache=$(cd "$1" && pwd)

unshare=(unshare --mount)
[ "$(id -u)" = 0 ] || unshare=(unshare --map-root-user --mount)
"${unshare[@]}" true || {
	echo "install-emacs.sh: Emacs needs a mount name space, which this machine does not give (run it as root, or allow user name spaces)" >&2
	exit 1
}

# rooted DIR: writes DIR/run, which starts a program with DIR/root as its root. It sees the folders that COAUTHOR_E2E_BIND
# names, with colons between them, under their own names. The old root is gone from sight, so that who looks from outside
# where a program runs reads the same names.
rooted() {
	mkdir -p "$1/new"
	cat > "$1/run" <<'R'
#!/bin/sh
dir=$(dirname "$(readlink -f "$0")")
user=
[ "$(id -u)" = 0 ] || user=--map-root-user
exec unshare $user --mount sh -ec '
	dir=$1 at=$PWD new=$1/new
	shift
	mount -t tmpfs -o mode=755 none "$new"
	for one in "$dir"/root/*; do
		name=$new/${one##*/}
		if [ -L "$one" ]; then
			cp -P "$one" "$name"
		else
			mkdir "$name"
			mount --bind "$one" "$name"
		fi
	done
	IFS=:
	for one in /proc /dev $COAUTHOR_E2E_BIND; do
		mkdir -p "$new$one"
		mount --rbind "$one" "$new$one"
	done
	unset IFS
	mkdir "$new/.old"
	cd "$new"
	pivot_root . .old
	cd "$at" 2> /dev/null || cd /
	exec "$@"
' sh "$dir" "$@"
R
	chmod +x "$1/run"
}

# ready NAME COMMANDS...: what is to be done once in a folder.
ready() {
	local dir=$cache/$1
	[ -e "$dir/complete" ] || { echo "install-emacs.sh: run install.sh, which unpacks $1" >&2; exit 1; }
	if [ -e "$dir/ready" ]; then
		echo "$1: ready"
		return
	fi
	rooted "$dir"
	local bin=$dir/root/usr/bin
	ln -sfn emacs-nox "$bin/emacs" # which the packages' scripts would do
	[ -e "$bin/emacsclient" ] || ln -sfn emacsclient.emacs "$bin/emacsclient"
	grep -E '^root:' /etc/passwd > "$dir/root/etc/passwd" || true
	shift
	"$@" "$dir"
	: > "$dir/ready"
}

# compiled DIR: lsp-mode, and what it needs, as byte code: it takes long to load otherwise.
compiled() {
	cat > "$1/root/usr/share/compile.el" <<'E'
(setq load-path (append (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa-src/*") load-path)
      native-comp-jit-compilation nil byte-compile-warnings nil)
(dolist (name '("dash" "s" "f" "f-shortdoc" "ht" "lv" "spinner" "markdown-mode" "lsp-protocol" "lsp-mode" "lsp-lens" "lsp-modeline"
                "lsp-headerline" "lsp-diagnostics" "lsp-completion" "lsp-icons" "lsp-semantic-tokens"))
  (let ((file (locate-library (concat name ".el") t)))
    (when file (byte-compile-file file))))
E
	COAUTHOR_E2E_BIND='' "$1/run" emacs -Q --batch -l /usr/share/compile.el > /dev/null 2>&1
	[ -e "$(echo "$1"/root/usr/share/emacs/site-lisp/elpa-src/lsp-mode-*/lsp-mode.elc)" ] || { echo "install-emacs.sh: lsp-mode is not compiled" >&2; exit 1; }
}

# with_rass DIR: the multiplexer, which is Python alone and runs by the Python of the folder.
with_rass() {
	compiled "$1"
	python3 -m pip install --quiet --no-deps --disable-pip-version-check --root-user-action ignore --target "$1/rass" "rassumfrassum==$RASS"
	cat > "$1/rass/rass" <<'R'
#!/bin/sh
PYTHONPATH=$(dirname "$0") exec python3 -c 'import sys; from rassumfrassum.main import main; sys.exit(main())' "$@"
R
	chmod +x "$1/rass/rass"
}

ready emacs30 with_rass
ready emacs28 true
for name in emacs30 emacs28; do COAUTHOR_E2E_BIND='' "$cache/$name/run" emacs --version | head -n 1; done
