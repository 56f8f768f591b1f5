package sandbox_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"coauthor/agent/sandbox"
	"coauthor/agent/verify"
	"coauthor/edits"
)

// TestACommandSeesTheChangeAndLeavesNothing: it sees what was changed, made, moved and taken away, and what the
// user has typed and not saved, under the folder's own path; whatever it does there, in the temporary folder
// and in the caches, the user's files stay as they were to the last bit and time.
func TestACommandSeesTheChangeAndLeavesNothing(t *testing.T) {
	y := newYard(t, map[string]string{"a.txt": "one\n", "gone.txt": "x\n", "old.txt": "y\n", "typed.txt": "saved\n", "run.sh": "#!/bin/sh\nexit 3\n", "sub/deep/b.txt": "b\n"})
	if err := os.Chmod(filepath.Join(y.root, "run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(y.home, ".cache", "go-build", "built"), []byte("by the user\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	y.ws.DidOpen("typed.txt", "typed\n", 1)
	before, cache := sum(t, y.root), sum(t, y.home)
	y.holds(`
		test "$(pwd)" = '`+y.root+`'
		test "$(cat a.txt)" = two
		test ! -e gone.txt
		test ! -e old.txt
		test "$(cat new/dir/new.txt)" = y
		test "$(cat typed.txt)" = typed
		test "$(cat sub/deep/b.txt)" = b
		test -x run.sh && ./run.sh
		test "$(cat $HOME/.cache/go-build/built)" = 'by the user'
		echo mine > $HOME/.cache/go-build/built
		echo x > $HOME/.cache/go-build/more
		echo x > ${TMPDIR:-/tmp}/temporary
		rm sub/deep/b.txt; rmdir sub/deep; mkdir sub/deep; echo c > sub/deep/c.txt
		echo more >> a.txt; chmod 600 a.txt; touch -d 2001-01-01 run.sh; mv run.sh ran.sh
		ln -s a.txt link; ln a.txt hard; mkdir locked; echo x > locked/x; chmod 000 locked
		`, oneToTwo,
		edits.Change{Path: "gone.txt", Op: edits.OpDelete, Before: "x\n"},
		edits.Change{Path: "old.txt", To: "new/dir/new.txt", Op: edits.OpRename, Before: "y\n", After: "y\n"},
		edits.Change{Path: "run.sh", Op: edits.OpUpdate, Before: "#!/bin/sh\nexit 3\n", After: "#!/bin/sh\nexit 0\n"})
	if sum(t, y.root) != before {
		t.Error("the user's folder is not as it was")
	}
	if sum(t, y.home) != cache {
		t.Error("the user's home is not as it was")
	}
	if left := y.left(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestACommandReachesNothingElse: no file outside, no server of this machine or another, no process, no right,
// no way to take away what lies over the folder, and no secret.
func TestACommandReachesNothingElse(t *testing.T) {
	y := newYard(t, map[string]string{"a.txt": "one\n"})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	outside := filepath.Join(filepath.Dir(y.root), "outside")
	y.environ = append(y.environ, "MY_TOKEN=t0ken", "OPENAI_API_KEY=sk-0123456789abcdef0123", "DB=postgres://me:pw@host/db", "GOOGLE_APPLICATION_CREDENTIALS=/x", "GOFLAGS=-mod=mod", "LC_TIME=C", "CARGO_HOME=ghp_0123456789abcdef0123",
		"GOPROXY=first", "GOPROXY=second")
	before, home := sum(t, y.root), sum(t, y.home)
	y.holds(`
		echo x > '`+outside+`' # a folder of its own
		echo x > "$HOME/.profile"
		if echo x 2>/dev/null > /etc/coauthor-was-here; then echo wrote /etc; exit 1; fi
		if umount . 2>/dev/null; then echo unmounted; exit 1; fi
		if mount -t tmpfs tmpfs . 2>/dev/null; then echo mounted; exit 1; fi
		if mount -o remount,rw / 2>/dev/null; then echo remounted; exit 1; fi
		if command -v unshare >/dev/null; then
			if unshare -Urm sh -c "umount '$(pwd)'; mount -o remount,rw /; echo x > '`+outside+`'" 2>/dev/null; then echo got out; exit 1; fi
		fi
		if kill -0 `+fmt.Sprint(os.Getpid())+` 2>/dev/null; then echo sees the server; exit 1; fi
		grep -q '^CapEff:[[:space:]]*0*$' /proc/self/status
		if command -v python3 >/dev/null; then python3 - <<'END'
import socket, sys
s = socket.socket(); s.settimeout(5)
try:
    s.connect(("127.0.0.1", `+fmt.Sprint(listener.Addr().(*net.TCPAddr).Port)+`)); sys.exit("reached a server of this machine")
except OSError: pass
l = socket.socket(); l.bind(("127.0.0.1", 0)); l.listen()
s = socket.socket(); s.settimeout(5); s.connect(l.getsockname())
END
		fi
		env > env.txt
		if grep -E 't0ken|sk-0123|postgres|GOOGLE|ghp_' env.txt; then exit 1; fi
		grep -qx NO_COLOR=1 env.txt; grep -qx CI=1 env.txt; grep -qx GIT_TERMINAL_PROMPT=0 env.txt
		test "$(tr '\0' '\n' < /proc/$$/environ | grep '^GOPROXY=')" = GOPROXY=second
		grep -qx GOFLAGS=-mod=mod env.txt; grep -qx LC_TIME=C env.txt; grep -q '^PATH=' env.txt
		`, oneToTwo)
	if _, err := os.Lstat(outside); !errors.Is(err, fs.ErrNotExist) {
		t.Error("there is a file outside")
	}
	if sum(t, y.root) != before || sum(t, y.home) != home {
		t.Error("the user's folders are not as they were")
	}
}

// TestBadCommandsEnd: one that hangs, that does not hear, that leaves others behind, that multiplies, that
// fills the disk, that prints without end, or prints no text, ends with a word for the user, and nothing of it
// goes on.
func TestBadCommandsEnd(t *testing.T) {
	t.Run("overlay", func(t *testing.T) { badCommandsEnd(t, false, sandbox.Overlay) })
	t.Run("copy", func(t *testing.T) { badCommandsEnd(t, false, sandbox.Copied) })
	// As where there is no helper: what leaves its group is missed there, and memory and numbers have no limit.
	t.Run("alone", func(t *testing.T) { badCommandsEnd(t, true, sandbox.Copied) })
}

func badCommandsEnd(t *testing.T, alone bool, way sandbox.Way) {
	t.Helper()
	mark := fmt.Sprintf("%d.123", os.Getpid()+100000) // seconds to sleep, by which the processes are known
	much := 10_000_000                                // bytes to print
	if os.Getenv("COAUTHOR_LARGE") != "" {
		much = 104_857_600
	}
	for _, c := range []struct {
		name, script string
		limit        time.Duration
		most         sandbox.Limits
		skipped      string // in the reason why it did not end by itself
		finding      string
		helped       bool // it takes a helper to end it
	}{
		{name: "hangs", script: "sleep " + mark, limit: 300 * time.Millisecond, skipped: "took longer than 300 ms"},
		{name: "hangs and does not hear", script: "trap '' TERM; while :; do sleep " + mark + "; done", limit: 300 * time.Millisecond, skipped: "took longer"},
		{name: "leaves others behind", script: "nohup sleep " + mark + " & exit 0", limit: hung},
		{name: "leaves others behind that went away", script: "setsid sleep " + mark + " & setsid sh -c 'sleep " + mark + " & sleep " + mark + "' & exit 0", limit: hung, helped: true},
		// A fixed number, so that a limit that does not hold harms nobody.
		{name: "multiplies", script: "i=0; while [ $i -lt 40 ]; do sleep " + mark + " & i=$((i+1)); done; wait", limit: 30 * time.Second, most: sandbox.Limits{Processes: 20}, skipped: "more than 20 processes", helped: true},
		{name: "fills the disk", script: "i=0; while [ $i -lt 100 ]; do head -c 4000000 /dev/zero > fill$i || exit 0; i=$((i+1)); done; sleep 60", limit: hung, most: sandbox.Limits{Written: 64 << 20}, skipped: "wrote more than 64 MB"},
		{name: "writes one large file", script: "exec head -c 200000000 /dev/zero > fill", limit: hung, most: sandbox.Limits{Written: 64 << 20}, skipped: "wrote ", helped: true},
		// A last line is kept until it is written, and nobody reads it.
		{name: "takes all memory", script: "head -c 400000000 /dev/zero | tail -n 1 | sleep 60", limit: hung, most: sandbox.Limits{Memory: 200 << 20}, skipped: "more than 200 MB of memory", helped: true},
		{name: "prints much", script: "head -c " + strconv.Itoa(much) + " /dev/zero | tr '\\0' x; echo; echo the end; exit 1", limit: hung, finding: "the end"},
		{name: "prints without end", script: "yes", limit: 300 * time.Millisecond, skipped: "took longer"},
		{name: "prints no text", script: "head -c 100000 /dev/urandom; echo; exit 1", limit: hung, finding: "sh failed with exit status 1"},
		{name: "is not there", script: "", limit: hung, skipped: "no-such-linter is not installed"},
		{name: "dies", script: "kill -SEGV $$", limit: hung, finding: "exit status 139"},
	} {
		if alone && c.helped {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			y := newYard(t, map[string]string{"a.txt": "one\n"})
			y.limit, y.most, y.alone, y.ways = c.limit, c.most, alone, []sandbox.Way{way}
			before := sum(t, y.root)
			// It is bad only with the change, so that there is something to compare with.
			argv := verify.Command{"sh", "-c", "grep -q two a.txt || exit 0\n" + c.script}
			if c.script == "" {
				argv = verify.Command{"no-such-linter"}
			}
			results, err := y.verify(t.Context(), []verify.Tool{{Argv: argv}}, oneToTwo)
			if err != nil || len(results) != 1 || results[0].Err != nil {
				t.Fatalf("%+v, %v", results, err)
			}
			r := results[0]
			if (c.skipped == "") != (r.Skipped == "") || !strings.Contains(r.Skipped, c.skipped) {
				t.Errorf("skipped: %q", r.Skipped)
			}
			if (c.finding == "") != (len(r.Findings) == 0) || len(r.Findings) > 0 && !strings.Contains(r.Findings[0].Text, c.finding) {
				t.Errorf("findings: %.500q", r.Findings)
			}
			for _, f := range r.Findings {
				if !utf8.ValidString(f.Text) || len(f.Text) > 10_000 {
					t.Errorf("%d bytes of finding: %.300q", len(f.Text), f.Text)
				}
			}
			if sum(t, y.root) != before {
				t.Error("the user's folder is not as it was")
			}
			if running(t, mark) {
				t.Error("some of it still runs")
			}
			if left := y.left(); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// running says whether a process has that argument.
func running(t *testing.T, argument string) bool {
	t.Helper()
	entries, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range entries {
		text, err := os.ReadFile(name)
		if err == nil && strings.Contains(string(text), argument) && strings.HasPrefix(string(text), "sleep") {
			return true
		}
	}
	return false
}

// TestCancelEndsACommand: the user's cancel ends it, and all it started, at once.
func TestCancelEndsACommand(t *testing.T) {
	t.Run("overlay", func(t *testing.T) { cancelEndsACommand(t, false, sandbox.Overlay) })
	t.Run("copy", func(t *testing.T) { cancelEndsACommand(t, false, sandbox.Copied) })
	t.Run("alone", func(t *testing.T) { cancelEndsACommand(t, true, sandbox.Copied) })
}

func cancelEndsACommand(t *testing.T, alone bool, way sandbox.Way) {
	t.Helper()
	y := newYard(t, map[string]string{"a.txt": "one\n"})
	y.alone, y.ways = alone, []sandbox.Way{way}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	mark := fmt.Sprintf("%d.456", os.Getpid()+100000)
	var canceled time.Time
	go func() {
		for !running(t, mark) && ctx.Err() == nil {
			time.Sleep(5 * time.Millisecond) // until it runs
		}
		canceled = time.Now()
		cancel()
	}()
	_, err := y.verify(ctx, []verify.Tool{{Argv: verify.Command{"sh", "-c", "trap '' TERM; sleep " + mark + " & wait"}}}, oneToTwo)
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if took := time.Since(canceled); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	if running(t, mark) {
		t.Error("it still runs")
	}
}

// TestTheUsersNextBuildIsTheUsersOwn: what a build in the shadow leaves in the folder and in the caches never
// comes out of the user's own build afterwards, and the build in the shadow has the change in it.
func TestTheUsersNextBuildIsTheUsersOwn(t *testing.T) {
	for _, way := range sandbox.Ways() {
		t.Run(string(way), func(t *testing.T) { nextBuildIsTheUsersOwn(t, way) })
	}
}

func nextBuildIsTheUsersOwn(t *testing.T, way sandbox.Way) {
	t.Helper()
	for _, c := range []struct {
		name, needs, path, text string
		files                   map[string]string
		build                   string
	}{
		{name: "go", needs: "go version", path: "say/say.go", text: "package say\n\nconst Word = \"one\"\n",
			files: map[string]string{"go.mod": "module example.com/m\n\ngo 1.21\n", "main.go": "package main\n\nimport \"example.com/m/say\"\n\nfunc main() { println(say.Word) }\n"},
			build: "go run . 2>&1"},
		{name: "cargo", needs: "cargo --version", path: "src/main.rs", text: "fn main() { println!(\"one\"); }\n",
			files: map[string]string{"Cargo.toml": "[package]\nname = \"m\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"},
			build: "cargo build --offline -q && ./target/debug/m"},
		{name: "make", needs: "make --version", path: "a.txt", text: "one\n", files: map[string]string{"Makefile": "out: a.txt\n\tcp a.txt out\n"}, build: "make -s && cat out"},
	} {
		t.Run(c.name, func(t *testing.T) {
			y := newYard(t, c.files)
			y.ways = []sandbox.Way{way}
			y.plain() // make and go know no colon in a path
			y.put(c.path, c.text)
			y.reopen()
			for name, dir := range map[string]string{"CARGO_HOME": ".cargo", "RUSTUP_HOME": ".rustup"} { // the tools are the real user's
				if os.Getenv(name) == "" {
					y.environ = append(y.environ, name+"="+filepath.Join(os.Getenv("HOME"), dir))
				}
			}
			needs := exec.CommandContext(t.Context(), "sh", "-c", c.needs)
			needs.Env = y.environ
			if out, err := needs.CombinedOutput(); err != nil { // it is not there, or is rustup's cargo without a toolchain
				t.Skipf("%s: %v: %s", c.needs, err, out)
			}
			if c.name == "go" { // what the standard library takes to compile is not asked here
				cache, err := exec.CommandContext(t.Context(), "go", "env", "GOCACHE").Output()
				if err != nil {
					t.Fatal(err)
				}
				y.environ = append(y.environ, "GOTOOLCHAIN=local", "GOCACHE="+strings.TrimSpace(string(cache)))
			}
			own := func() string {
				cmd := exec.CommandContext(t.Context(), "sh", "-c", c.build)
				cmd.Dir, cmd.Env = y.root, y.environ
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("%v: %s", err, out)
				}
				return strings.TrimSpace(string(out))
			}
			if got := own(); got != "one" {
				t.Fatalf("the user's build says %q", got)
			}
			changed := edits.Change{Path: c.path, Op: edits.OpUpdate, Before: c.text, After: strings.Replace(c.text, "one", "two", 1)}
			y.holds("got=$("+c.build+")\necho $got\ntest \"$got\" = two", changed)
			if got := own(); got != "one" {
				t.Errorf("afterwards the user's build says %q", got)
			}
			// What the user saves while results are there is built, whatever time it has.
			old := time.Now().Add(-time.Hour)
			y.put(c.path, strings.Replace(c.text, "one", "three", 1))
			if err := os.Chtimes(filepath.Join(y.root, c.path), old, old); err != nil {
				t.Fatal(err)
			}
			y.reopen()
			if way == sandbox.Copied && c.name == "go" { // where results lie among the files, these come anew at the same moment as what was saved
				y.holds("got=$("+c.build+")\necho $got\ntest \"$got\" = three", edits.Change{Path: "other.txt", Op: edits.OpCreate, After: "x\n"})
			}
		})
	}
}

// TestLinkedPackagesAreThoseOfTheChange: an editable install and a linked module lead into the folder with the
// change, not to the user's own.
func TestLinkedPackagesAreThoseOfTheChange(t *testing.T) {
	for _, way := range sandbox.Ways() {
		t.Run(string(way), func(t *testing.T) { linkedPackagesAreThoseOfTheChange(t, way) })
	}
}

func linkedPackagesAreThoseOfTheChange(t *testing.T, way sandbox.Way) {
	t.Helper()
	t.Run("python", func(t *testing.T) {
		if _, err := exec.LookPath("python3"); err != nil {
			t.Skip(err)
		}
		y := newYard(t, map[string]string{"src/pkg/__init__.py": "WORD = 'one'\n"})
		y.ways = []sandbox.Way{way}
		y.put("venv/pyvenv.cfg", "")
		y.put("venv/lib/editable.pth", filepath.Join(y.root, "src")+"\n")
		before := sum(t, y.root)
		y.holds(`python3 -c "
import site; site.addsitedir('venv/lib')
import pkg; assert pkg.WORD == 'two', pkg.WORD"`,
			edits.Change{Path: "src/pkg/__init__.py", Op: edits.OpUpdate, Before: "WORD = 'one'\n", After: "WORD = 'two'\n"})
		if sum(t, y.root) != before {
			t.Error("the user's folder is not as it was")
		}
	})
	t.Run("node", func(t *testing.T) {
		if _, err := exec.LookPath("node"); err != nil {
			t.Skip(err)
		}
		y := newYard(t, map[string]string{"packages/lib/index.js": "module.exports = 'one'\n"})
		y.ways = []sandbox.Way{way}
		if err := os.Mkdir(filepath.Join(y.root, "node_modules"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("../packages/lib", filepath.Join(y.root, "node_modules", "lib")); err != nil {
			t.Fatal(err)
		}
		y.holds(`node -e "if (require('lib') !== 'two') throw require('lib')"`,
			edits.Change{Path: "packages/lib/index.js", Op: edits.OpUpdate, Before: "module.exports = 'one'\n", After: "module.exports = 'two'\n"})
	})
}
