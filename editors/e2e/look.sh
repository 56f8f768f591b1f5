#!/usr/bin/env bash
# Plays one session in a real Neovim, in a terminal, and leaves its screens as text for a person to
# look at: the instruction, the preview, the result, the undo.
#
#   COAUTHOR_E2E_CACHE=CACHEDIR editors/e2e/look.sh OUTDIR [nvim010|nvim012] [script.txtar]
set -euo pipefail

[ $# -ge 1 ] || { echo "usage: look.sh OUTDIR [nvim010|nvim012] [script.txtar]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
version=${2:-nvim012}
script=$(readlink -f "${3:-$here/testdata/look.txtar}")
prefix=$(cd "${COAUTHOR_E2E_CACHE:?set it to the folder that install.sh filled}/$version" && pwd)
tmux=(tmux)
command -v tmux > /dev/null || tmux=("$COAUTHOR_E2E_CACHE/tmux/run" tmux)

home=$(mktemp -d)
tmux+=(-S "$home/tmux" -f /dev/null)
model=
cleanup() {
	"${tmux[@]}" kill-server 2> /dev/null || true
	[ -z "$model" ] || kill "$model" 2> /dev/null || true
	rm -rf "$home"
}
trap cleanup EXIT

if [ -n "${COAUTHOR_E2E_BIN:-}" ]; then
	ln -s "$(readlink -f "$COAUTHOR_E2E_BIN")" "$home/bin"
else
	(cd "$here/../.." && go build -o "$home/bin/coauthor" ./cmd/coauthor)
fi
"$home/bin/coauthor" fake-model --script "$script" --listen 127.0.0.1:0 > "$home/model" 2> "$home/model.err" &
model=$!
until [ -s "$home/model" ]; do
	kill -0 "$model" || { cat "$home/model.err" >&2; exit 1; }
	sleep 0.1
done

project=$home/project
mkdir -p "$project" "$home/config/coauthor"
git -C "$project" init -q
cat > "$project/greet.py" <<'P'
def greet(name):
    return "Hello, " + name


def part(name):
    return "Bye, " + name
P
cat > "$project/main.py" <<'P'
from greet import greet

print(greet("world"))
P
printf 'model: scripted\napiBase: %s\neditFormat: diff\n' "$(head -n 1 "$home/model")" > "$home/config/coauthor/config.yaml"

# An unpacked Neovim cannot start itself again, which is what its screen does to get its other half.
# So both halves are started here.
env=(env -i HOME="$home" PATH="$home/bin:$PATH" LANG=C.UTF-8 TERM=screen-256color XDG_CONFIG_HOME="$home/config"
	XDG_STATE_HOME="$home/state" XDG_DATA_HOME="$home/data" XDG_CACHE_HOME="$home/cache"
	VIMRUNTIME="$prefix/root/usr/share/nvim/runtime" COAUTHOR_TEST_PARSERS="$prefix/root/usr/lib/nvim"
	COAUTHOR_TEST_PLUGIN="$here/../nvim")
"${tmux[@]}" new-session -d -x 110 -y 30 -c "$project" "${env[@]}" \
	"$prefix/run" nvim --headless --listen "$home/nvim" -n -i NONE -u "$here/testdata/init_module.lua" main.py greet.py
until [ -S "$home/nvim" ]; do sleep 0.1; done
"${tmux[@]}" new-window -c "$project" "${env[@]}" "$prefix/run" nvim --server "$home/nvim" --remote-ui

key() { "${tmux[@]}" send-keys "$@"; }
say() { "${tmux[@]}" send-keys -l "$1"; }
see() { # waits until the screen shows a text
	local i
	for i in $(seq 300); do
		"${tmux[@]}" capture-pane -p 2> /dev/null | grep -qF -- "$1" && return
		sleep 0.1
	done
	echo "look.sh: never on the screen: $1" >&2
	"${tmux[@]}" capture-pane -p >&2
	exit 1
}
shot() { # keeps the screen, also with its colours
	"${tmux[@]}" capture-pane -p > "$out/$1.txt"
	"${tmux[@]}" capture-pane -p -e > "$out/$1.ansi"
}

see 'print(greet("world"))'
say ':next'
key Enter
see 'Bye, '
say 'ggVj'
say ':Coauthor edit'
key Enter
see 'Coauthor: Change selection:'
say 'be polite, and test it'
shot 1-instruction
key Enter
see '3 files pending'
see 'Good day'
shot 2-preview
say 'o'
see '@@ '
shot 3-unified
say 'aa'
see 'Applied to 3 files'
shot 4-applied
say ':silent wall | edit tests/test_greet.py'
key Enter
see 'assert greet'
shot 5-new-file
say ':Coauthor undo'
key Enter
see 'Undid the change in 3 files'
say ':buffer greet.py'
key Enter
see 'Hello, '
shot 6-undone
say ':qall!'
key Enter
echo "screens in $out"
