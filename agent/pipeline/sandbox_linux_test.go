package pipeline_test

import (
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent/event"
	"coauthor/agent/pipeline"
	"coauthor/agent/sandbox"
	"coauthor/agent/settings"
)

// TestAProgramRunsInASandbox: it sees neither the home nor secrets of the project, reaches no socket, and what it writes
// elsewhere is gone; what it keeps in its own folder is there in the next run. The user is told what is hidden, and where there
// is no sandbox, so the question says.
func TestAProgramRunsInASandbox(t *testing.T) {
	mark := rand.Text() // of this run: a build cache or a clone that the environment names has the text of the test
	marked := "TOP-SECRET-" + mark
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	base := t.TempDir()
	home := filepath.Join(base, "home")
	for name, text := range map[string]string{".ssh/id_rsa": marked, ".config/x": marked, ".cargo/bin/tool": "there\n", ".cargo/credentials.toml": marked} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(home, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l, err := net.Listen("unix", filepath.Join(home, "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	script := `
grep -rl 'TOP-SECRET-[` + mark[:1] + `]` + mark[1:] + `' . "$HOME" /tmp /var/tmp 2>/dev/null && exit 10
cat .env 2>/dev/null && exit 11
test "$(cat "$HOME/.cargo/bin/tool")" = there || exit 12
python3 -c "import socket; socket.socket(socket.AF_UNIX).connect('` + filepath.Join(home, "s") + `')" 2>/dev/null && exit 13
echo x > "$HOME/coauthor-was-here"; echo x > /var/tmp/coauthor-was-here; echo x > '` + filepath.Join(base, "outside") + `'
if test -e kept; then sh main.sh; else touch kept; echo first >&2; exit 1; fi
`
	b := improving(t, map[string]string{"run.sh": script, "main.sh": "exit 2\n", ".env": marked, "certs/a.pem": marked}, becomes("exit 2\n", "echo works\n"))
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b.environ = append(os.Environ(), "HOME="+home)
	b.shadow = sandbox.NewShadow(sandbox.ShadowOptions{Dir: filepath.Join(base, "state"), Helper: []string{"env", "GORACE=atexit_sleep_ms=0", self, "check-worker"}, Environ: b.environ})
	b.needsSandbox()
	b.answers = []event.Answer{{Choice: "run"}, {Choice: "run"}, {Choice: "run"}}
	r := b.run("selfHeal", pipeline.Args{Files: []string{"main.sh"}})
	if r.State != event.TurnProposed || !strings.HasPrefix(r.Answer, "It works") {
		t.Errorf("%s %v %q\n%s", r.State, r.Err, r.Answer, b.logged("debug"))
	}
	if len(b.asked) != 2 || !strings.Contains(b.asked[0].Text, "It runs in a sandbox") || !strings.Contains(b.notes(), "Hidden from the script, because they may contain secrets: .env, certs/a.pem.") {
		t.Errorf("asked %+v\n%s", b.asked, b.notes())
	}
	for _, name := range []string{filepath.Join(home, "coauthor-was-here"), "/var/tmp/coauthor-was-here", filepath.Join(base, "outside")} {
		if _, err := os.Lstat(name); err == nil {
			t.Errorf("%s is there", name)
			_ = os.Remove(name)
		}
	}
	for i := range b.server.Requests() {
		if _, sent := b.request(i + 1); strings.Contains(fmt.Sprint(sent), marked) {
			t.Errorf("the model was sent\n%s", sent)
		}
	}
}

// With pipeline.run a program runs in the sandbox and nobody is asked; where there is no sandbox it does not run.
func TestAProgramRunsUnattended(t *testing.T) {
	for _, apart := range []bool{true, false} {
		base := t.TempDir()
		b := improving(t, map[string]string{"run.sh": "echo fine\n"}, "never asked")
		b.settings.Pipeline.Run = settings.RunAlways
		b.environ = append(os.Environ(), "HOME="+base)
		if apart {
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			b.shadow = sandbox.NewShadow(sandbox.ShadowOptions{Dir: filepath.Join(base, "state"), Helper: []string{"env", "GORACE=atexit_sleep_ms=0", self, "check-worker"}, Environ: b.environ})
			b.needsSandbox()
		}
		r := b.run("selfHeal", pipeline.Args{})
		if works := strings.HasPrefix(r.Answer, pipeline.Works); works != apart || (r.Err == nil) != apart || len(b.asked) > 0 {
			t.Errorf("sandbox %v: %q, %v, asked %d", apart, r.Answer, r.Err, len(b.asked))
		}
	}
}

// needsSandbox skips a test where programs cannot run apart, but where that is required.
func (b *bench) needsSandbox() {
	b.t.Helper()
	switch {
	case b.shadow.Apart(b.t.Context()):
	case os.Getenv("COAUTHOR_SHADOW") == "require":
		b.t.Fatal("there is no sandbox here")
	default:
		b.t.Skip("there is no sandbox here")
	}
}
