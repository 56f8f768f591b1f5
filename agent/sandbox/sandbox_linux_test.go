package sandbox_test

import (
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/sandbox"
	"coauthor/agent/verify"
	"coauthor/edits"
)

// marked is what no command may get to see. It is of this run: a build cache or a clone that the environment names has the
// text of the tests.
var marked = "TOP-SECRET-" + rand.Text()

// at writes a file of the user's outside of the project.
func (y *yard) at(name, text string) string {
	y.t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		y.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		y.t.Fatal(err)
	}
	return name
}

// TestACommandSeesNoSecrets: of the home there are the folders of tools without what these keep secret, and of the project
// the files that may hold secrets are empty, whether git knows them or not, unless the user or the turn has named them. Program
// text is there, whatever its name.
func TestACommandSeesNoSecrets(t *testing.T) {
	y := newYard(t, map[string]string{
		"a.txt": "one\n", ".gitignore": ".env*\nlocal/\nsecrets.py\n", ".env": marked, ".env.test": "known\n", ".env.open": marked, "certs/dev.pem": marked, "local/deep/credentials.json": marked,
		"secrets.py": marked, "id_test.go": "package x\n", "node_modules/x/a.pem": "published\n", "conf/real.txt": marked, "shown.key": "shown\n",
	})
	if err := os.Symlink("conf/real.txt", filepath.Join(y.root, "link.key")); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "git", "-C", y.root, "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{".ssh/id_rsa", ".env", ".config/gh/hosts.yml", ".aws/credentials", ".netrc", ".gitconfig", "projects/other/main.go", ".cargo/credentials.toml", ".m2/settings.xml", ".gradle/gradle.properties",
		".nuget/NuGet/NuGet.Config", "go/src/own/main.go", ".cache/mozilla/cookies", ".local/share/keyrings/login", ".bash_history", "elsewhere/cache/token"} {
		y.at(filepath.Join(y.home, name), marked)
	}
	for _, name := range []string{".cargo/bin/tool", ".m2/repository/a.jar", "go/pkg/mod/x/y.go", ".local/lib/python3/x.py", "elsewhere/cache/pip/x"} {
		y.at(filepath.Join(y.home, name), "there\n")
	}
	if err := os.Symlink("../elsewhere/cache/pip", filepath.Join(y.home, ".cache", "pip")); err != nil {
		t.Fatal(err)
	}
	other := y.at(filepath.Join(filepath.Dir(y.root), "other", "notes.txt"), marked)
	given := y.at(filepath.Join(y.home, "data", "rows.csv"), "given\n")
	temporary, err := os.CreateTemp("/var/tmp", "coauthor-test-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Remove(temporary.Name()) })
	if _, err := temporary.WriteString(marked); err != nil {
		t.Fatal(err)
	}
	before, home := sum(t, y.root), sum(t, y.home)
	y.ws.DidOpen(".env.open", marked+" typed", 1)

	set := verify.Settings{Level: verify.Full, LintTime: y.limit, TestTime: y.limit, Visible: []string{".env.test", "~/data"}}
	set.Tools = []verify.Tool{{Argv: verify.Command{"sh", "-c", `set -e
		if grep -rl '` + marked + `' . "$HOME" /tmp /var/tmp '` + other + `' 2>/dev/null; then echo seen; exit 1; fi
		for f in .env .env.open certs/dev.pem local/deep/credentials.json secrets.py link.key; do test -e $f; test ! -s $f; done
		test "$(cat .env.test)" = known; test "$(cat shown.key)" = shown; test "$(cat node_modules/x/a.pem)" = published; test -s id_test.go
		test "$(cat '` + given + `')" = given
		cd "$HOME"
		for f in .cargo/bin/tool .m2/repository/a.jar go/pkg/mod/x/y.go .local/lib/python3/x.py .cache/pip/x; do test "$(cat $f)" = there; done
		echo x > .profile; echo x > .cargo/more; echo x > /var/tmp/coauthor-was-here; echo x > /tmp/coauthor-was-here
		`}}}
	in := y.input(set, []edits.Change{oneToTwo})
	in.Shown = []string{"shown.key"}
	results, err := verify.Run(t.Context(), verify.Commands(y.shadow(), set), in)
	if err != nil || len(results) != 1 {
		t.Fatal(results, err)
	}
	r := results[0]
	y.skipWithout(r)
	if r.Err != nil || r.Skipped != "" || len(r.Findings)+r.Before > 0 {
		t.Errorf("%+v", r)
	}
	if got, want := strings.Join(r.Emptied, " "), ".env .env.open certs/dev.pem link.key local/deep/credentials.json secrets.py"; got != want {
		t.Errorf("emptied %s, want %s", got, want)
	}
	if got := verify.Verdict(results); !strings.HasSuffix(got, "hidden from commands: .env, .env.open, certs/dev.pem and 3 more") {
		t.Errorf("%q", got)
	}
	if sum(t, y.root) != before || sum(t, y.home) != home {
		t.Error("the user's folders are not as they were")
	}
	for _, name := range []string{"/tmp/coauthor-was-here", "/var/tmp/coauthor-was-here"} {
		if _, err := os.Lstat(name); err == nil {
			t.Errorf("%s is there", name)
			_ = os.Remove(name)
		}
	}
}

// TestACopyHasNoSecretsOfTheProject: where there is no sandbox, the files of the project that may hold secrets are empty all
// the same, and the verdict says both.
func TestACopyHasNoSecretsOfTheProject(t *testing.T) {
	y := newYard(t, map[string]string{"a.txt": "one\n", ".env": marked, "certs/dev.pem": marked})
	y.ways = []sandbox.Way{sandbox.Copied}
	r := y.sh("grep -rq "+marked+" . && exit 1; test -e .env && test ! -s .env && test ! -s certs/dev.pem", oneToTwo)
	if len(r.Findings)+r.Before > 0 || !strings.HasSuffix(verify.Verdict([]verify.Result{r}), ", hidden from commands: .env, certs/dev.pem, in a copy of the folder without a sandbox") {
		t.Errorf("%+v", r)
	}
}

// TestACommandReachesNoSocket: neither in a home, nor among temporary files, nor in the project, nor anywhere else on the disk,
// nor one without a file; its own work.
func TestACommandReachesNoSocket(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	y := newYard(t, map[string]string{"a.txt": "one\n"})
	y.plain()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(y.home, ".docker/run"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(y.home, ".cargo"), 0o700); err != nil {
		t.Fatal(err)
	}
	names := []string{filepath.Join(y.home, ".docker/run/docker.sock"), filepath.Join(y.home, ".cargo/s"), filepath.Join(filepath.Dir(y.root), "s"), filepath.Join(y.root, "s"),
		filepath.Join(here, fmt.Sprintf(".test-%d.sock", os.Getpid())), fmt.Sprintf("@coauthor-test-%d", os.Getpid())}
	names = slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, here) && len(name) > 100 }) // no socket has so long a path
	list := listening(t, names)
	y.holds(`python3 - <<'END'
import os, socket, sys
for name in [`+strings.Join(list, ", ")+`]:
    s = socket.socket(socket.AF_UNIX); s.settimeout(5)
    try:
        s.connect("\0" + name[1:] if name[0] == "@" else name)
    except OSError:
        continue
    sys.exit("reached " + name)
for name in ["own", "/tmp/own", os.environ["HOME"] + "/own"]:
    l = socket.socket(socket.AF_UNIX); l.bind(name); l.listen()
    s = socket.socket(socket.AF_UNIX); s.settimeout(5); s.connect(name)
END
grep -q two a.txt`, oneToTwo)
}

// TestTheRepositoryAroundTheFolder: of a repository that the folder is a part of, and of the one of which it is a worktree, as
// much is there as builds and git need, without secrets.
func TestTheRepositoryAroundTheFolder(t *testing.T) {
	for name, tree := range map[string]bool{"a part of it": false, "a worktree": true} {
		t.Run(name, func(t *testing.T) {
			y := newYard(t, map[string]string{"a.txt": "one\n", "packages/p/a.txt": "one\n", "go.work": "there\n", ".env": marked, "packages/q/.env": marked})
			y.plain()
			git := func(args ...string) {
				t.Helper()
				cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com", "-C", y.root}, args...)...)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
			}
			git("init", "-q")
			git("add", "a.txt", "packages/p/a.txt", "go.work")
			git("commit", "-q", "-m", "one")
			script := "test \"$(cat ../../go.work)\" = there; test ! -s ../../.env; test ! -s ../q/.env; test -e ../q/.env; git log -1 --format=%s | grep -x one; grep two a.txt"
			if tree {
				git("worktree", "add", "-q", "../tree")
				y.root, script = filepath.Join(filepath.Dir(y.root), "tree"), "git status --short | grep -x ' M a.txt'; test ! -e ../plain/.env"
			} else {
				y.root = filepath.Join(y.root, "packages/p")
			}
			y.reopen()
			y.holds(script, oneToTwo)
		})
	}
}

// TestAScriptApartReachesTheNetworkAlone: what runs apart on files of its own keeps what it writes there, reaches the network,
// and no socket of this machine, with a file or without one.
func TestAScriptApartReachesTheNetworkAlone(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	y := newYard(t, nil)
	y.plain()
	shadow := y.shadow()
	if !shadow.Apart(t.Context()) {
		y.skipWithout(verify.Result{Skipped: "cannot be run in a sandbox"})
	}
	abstract, file := fmt.Sprintf("@coauthor-test-apart-%d", os.Getpid()), filepath.Join(y.home, "s")
	names := []string{file}
	if sandbox.Scoped() {
		names = append(names, abstract)
	}
	list := listening(t, names)
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer tcp.Close()
	script := `import os, socket, sys
for name in [` + strings.Join(list, ", ") + `]:
    s = socket.socket(socket.AF_UNIX); s.settimeout(60)
    try:
        s.connect("\0" + name[1:] if name[0] == "@" else name)
    except OSError:
        continue
    sys.exit("reached " + name)
l = socket.socket(socket.AF_UNIX); l.bind("\0own"); l.listen()
s = socket.socket(socket.AF_UNIX); s.connect("\0own")
socket.create_connection(("127.0.0.1", ` + fmt.Sprint(tcp.Addr().(*net.TCPAddr).Port) + `), 60)
open("kept", "w").write("x"); open(os.environ["HOME"] + "/gone", "w").write("x"); open("/tmp/own", "w").write("x")
`
	var told strings.Builder
	r, err := shadow.Execute(t.Context(), sandbox.Execution{Argv: verify.Command{"python3", "-c", script}, Dir: y.root, Environ: sandbox.Environment(y.environ, "/tmp"),
		Limits: sandbox.Limits{Time: y.limit}, Disk: y.root, Apart: true, Out: &told})
	if err != nil || r.Code != 0 || r.Stopped != "" {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := os.Stat(filepath.Join(y.root, "kept")); err != nil {
		t.Error(err)
	}
	for _, name := range []string{filepath.Join(y.home, "gone"), "/tmp/own"} {
		if _, err := os.Stat(name); err == nil {
			t.Errorf("%s is there", name)
			_ = os.Remove(name)
		}
	}
	if left := y.left(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// listening listens at sockets until the test ends, and gives their names as Python writes them.
func listening(t *testing.T, names []string) (list []string) {
	t.Helper()
	for _, name := range names {
		l, err := net.Listen("unix", name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		list = append(list, fmt.Sprintf("%q", name))
	}
	return list
}
