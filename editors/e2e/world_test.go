package e2e

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"coauthor/agent/llm/llmtest"
)

// world is what a scenario happens in: a project, a user, and a model that says what is written down.
type world struct {
	t     testing.TB
	dir   string // the project
	own   string // the user's home
	bin   string // holds the built server
	model *llmtest.Server
}

// cache returns the folder that install.sh filled, or skips.
func cache(t testing.TB, name string) string {
	t.Helper()
	fail := t.Skipf
	if os.Getenv("COAUTHOR_E2E") == "require" {
		fail = t.Fatalf
	}
	dir := os.Getenv("COAUTHOR_E2E_CACHE")
	if dir == "" {
		fail("COAUTHOR_E2E_CACHE is not set: run editors/e2e/install.sh DIR and set it to DIR")
	}
	prefix := filepath.Join(dir, name)
	if _, err := os.Stat(filepath.Join(prefix, "complete")); err != nil {
		fail("%s is not installed: run editors/e2e/install.sh %s", name, dir)
	}
	abs, err := filepath.Abs(prefix)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

// built is the folder with the server's binary, made once for all tests of a run. COAUTHOR_E2E_BIN
// names a folder with a binary to test instead.
var built = sync.OnceValues(func() (string, error) {
	if dir := os.Getenv("COAUTHOR_E2E_BIN"); dir != "" {
		return dir, nil
	}
	dir, err := os.MkdirTemp("", "coauthor-e2e-")
	if err != nil {
		return "", err
	}
	ownBin = dir
	cmd := exec.Command("go", "build", "-o", filepath.Join(dir, "coauthor"), "coauthor/cmd/coauthor")
	if out, err := cmd.CombinedOutput(); err != nil {
		_ = os.RemoveAll(dir) // the build's complaint matters more
		return "", fmt.Errorf("build the server: %w\n%s", err, out)
	}
	return dir, nil
})

// ownBin is the folder that built has made, which goes when all tests have ended; "" where no test wanted the server.
var ownBin string

// atOnce is how many editors run at the same time, unless -parallel says otherwise: their tests mostly
// wait, and the bound keeps a machine with two processors quick enough for each.
const atOnce = "3"

func TestMain(m *testing.M) {
	flag.Parse()
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "test.parallel" })
	if !chosen {
		if err := flag.Set("test.parallel", atOnce); err != nil {
			panic(err)
		}
	}
	code := m.Run()
	if ownBin != "" {
		_ = os.RemoveAll(ownBin) // a leftover folder below the temporary one harms nobody
	}
	os.Exit(code)
}

// project is the code that the scenarios change.
var project = map[string]string{
	"greet.py": `def greet(name):
    return "Hello, " + name


def part(name):
    return "Bye, " + name


def shout(name):
    return greet(name).upper()
`,
	"main.py": `from greet import greet

print(greet("world"))
`,
}

// newWorld makes a project and starts the model with a script.
func newWorld(t testing.TB, script string) *world {
	t.Helper()
	bin, err := built()
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := llmtest.Parse([]byte(script))
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, dir: realTemp(t), own: realTemp(t), bin: bin, model: llmtest.Start(parsed)}
	t.Cleanup(w.model.Close)
	t.Cleanup(w.left)
	for name, text := range project {
		w.write(name, text)
	}
	if out, err := exec.Command("git", "-C", w.dir, "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	config := filepath.Join(w.own, "config/coauthor/config.yaml")
	if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("model: scripted\napiBase: %s\neditFormat: diff\nlog:\n  level: debug\n  file: %s\n", w.model.URL, w.log())
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			log, _ := os.ReadFile(w.log())
			t.Logf("the server's log:\n%s", log)
			said, _ := os.ReadFile(filepath.Join(w.own, "state/nvim/lsp.log"))
			t.Logf("Neovim's log of it:\n%s", said)
		}
	})
	return w
}

// left waits for the programs that were started in the folder: a server whose editor is gone still writes the conversation,
// and the folder is removed next.
func (w *world) left() {
	waitFor(20*time.Second, func() bool {
		list, _ := filepath.Glob("/proc/[0-9]*/cwd")
		for _, link := range list {
			if at, err := os.Readlink(link); err == nil && (at == w.dir || strings.HasPrefix(at, w.dir+"/")) {
				return false
			}
		}
		return true
	})
}

// realTemp is a temporary folder by its real name: editors resolve links.
func realTemp(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// configure adds to the user's own configuration.
func (w *world) configure(more string) {
	w.t.Helper()
	name := filepath.Join(w.own, "config/coauthor/config.yaml")
	text, err := os.ReadFile(name)
	if err == nil {
		err = os.WriteFile(name, append(text, more...), 0o600)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) log() string { return filepath.Join(w.own, "coauthor.log") }

func (w *world) path(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }

func (w *world) write(name, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.path(name), []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// disk is the text of a file on disk; "" where there is none.
func (w *world) disk(name string) string {
	b, err := os.ReadFile(w.path(name))
	if err != nil {
		return ""
	}
	return string(b)
}

// env is the environment of an editor in this world: the user's own folders, nothing of ours, and
// the built server on the PATH.
func (w *world) env() []string {
	env := []string{
		"HOME=" + w.own, "PATH=" + w.bin + ":" + os.Getenv("PATH"), "LANG=C.UTF-8", "TERM=xterm-256color",
		"XDG_CONFIG_HOME=" + w.own + "/config", "XDG_STATE_HOME=" + w.own + "/state",
		"XDG_DATA_HOME=" + w.own + "/data", "XDG_CACHE_HOME=" + w.own + "/cache", "XDG_RUNTIME_DIR=" + w.own,
	}
	if dir := os.Getenv("GOCOVERDIR"); dir != "" {
		env = append(env, "GOCOVERDIR="+dir)
	}
	return env
}

// pluginDir is editors/nvim.
func pluginDir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs("../nvim")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// plain is a folder that holds a copy of lsp/coauthor.lua and nothing else of ours.
func (w *world) plain() string {
	w.t.Helper()
	text, err := os.ReadFile(filepath.Join(pluginDir(w.t), "lsp/coauthor.lua"))
	if err != nil {
		w.t.Fatal(err)
	}
	dir := filepath.Join(w.own, "plain")
	if err := os.MkdirAll(filepath.Join(dir, "lsp"), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "lsp/coauthor.lua"), text, 0o644); err != nil {
		w.t.Fatal(err)
	}
	return dir
}

// ctx ends when the test must be said to hang.
func (w *world) ctx() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), hung)
	w.t.Cleanup(cancel)
	return ctx
}

// lastUser is the last message that the model was sent.
func (w *world) lastUser() string {
	all := w.model.Requests()
	for i := len(all) - 1; i >= 0; i-- {
		if n := len(all[i].Messages); n > 0 {
			return all[i].Messages[n-1].Content
		}
	}
	return ""
}

// edit writes a SEARCH/REPLACE block as models do.
func edit(path, search, replace string) string {
	fence := strings.Repeat("`", 3)
	return fmt.Sprintf("%s\n%spython\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n%s\n\n", path, fence, search, replace, fence)
}
