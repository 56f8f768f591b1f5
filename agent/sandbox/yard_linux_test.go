package sandbox_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coauthor/agent/sandbox"
	"coauthor/agent/verify"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// yard is a folder of a user with a home, in which commands run as they do for a turn.
type yard struct {
	t          testing.TB
	root, home string
	ws         *workspace.Workspace
	environ    []string
	most       sandbox.Limits
	limit      time.Duration
	state      string
	ways       []sandbox.Way // nil is those that work
	alone      bool          // without a helper
}

// hung is far more than anything here takes.
const hung = 2 * time.Minute

func newYard(t testing.TB, files map[string]string) *yard {
	t.Helper()
	base := t.TempDir()
	y := &yard{t: t, root: filepath.Join(base, "my, own: \\folder"), home: filepath.Join(base, "home"), state: filepath.Join(base, "state"), limit: hung, ways: []sandbox.Way{sandbox.Overlay}}
	for _, dir := range []string{y.root, filepath.Join(y.home, ".cache", "go-build")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		y.put(name, text)
	}
	y.environ = append(os.Environ(), "HOME="+y.home)
	y.reopen()
	return y
}

func (y *yard) reopen() {
	y.t.Helper()
	ws, err := workspace.Open(y.root, workspace.Options{})
	if err != nil {
		y.t.Fatal(err)
	}
	y.t.Cleanup(func() { _ = ws.Close() })
	y.ws = ws
}

// plain gives the folder a name without special characters.
func (y *yard) plain() {
	y.t.Helper()
	plain := filepath.Join(filepath.Dir(y.root), "plain")
	if err := os.Rename(y.root, plain); err != nil {
		y.t.Fatal(err)
	}
	y.root = plain
	y.reopen()
}

func (y *yard) put(name, text string) {
	y.t.Helper()
	abs := filepath.Join(y.root, name)
	if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
		y.t.Fatal(err)
	}
	if err := os.WriteFile(abs, []byte(text), 0o644); err != nil {
		y.t.Fatal(err)
	}
}

// verify runs tools on changes, with the user's consent.
func (y *yard) verify(ctx context.Context, tools []verify.Tool, changes ...edits.Change) ([]verify.Result, error) {
	y.t.Helper()
	set := verify.Settings{Level: verify.Full, Tools: tools, LintTime: y.limit, TestTime: y.limit}
	results, err := verify.Run(ctx, verify.Commands(y.shadow(), set), y.input(set, changes))
	for _, r := range results {
		y.skipWithout(r)
	}
	return results, err
}

// shadow runs commands in the ways of this yard.
func (y *yard) shadow() *sandbox.Shadow {
	y.t.Helper()
	self, err := os.Executable()
	if err != nil {
		y.t.Fatal(err)
	}
	// Under the race detector a program sleeps for a second before it ends, and each command has a helper of its own.
	o := sandbox.ShadowOptions{Dir: y.state, Helper: []string{"env", "GORACE=atexit_sleep_ms=0", self, "check-worker"}, Environ: y.environ, Most: y.most, Ways: y.ways, List: listed}
	if y.alone {
		o.Helper = nil
	}
	return sandbox.NewShadow(o)
}

// input is what a check gets, with the user's consent.
func (y *yard) input(set verify.Settings, changes []edits.Change) verify.Input {
	snap := y.ws.Snapshot()
	return verify.Input{Tree: snap.With(changes), Base: snap, Changes: changes, Settings: set,
		Consent: func(context.Context, verify.Wanted) (bool, error) { return true, nil }}
}

func (y *yard) skipWithout(r verify.Result) {
	y.t.Helper()
	if strings.Contains(r.Skipped, "cannot be run in a sandbox") {
		if os.Getenv("COAUTHOR_SHADOW") == "require" {
			y.t.Fatal(r.Skipped)
		}
		y.t.Skip(r.Skipped)
	}
}

// says runs a script on changes, compares it with nothing, and returns what it wrote.
func (y *yard) says(script string, changes ...edits.Change) string {
	y.t.Helper()
	set := verify.Settings{LintTime: y.limit, TestTime: y.limit}
	r, err := verify.AsItIs(y.t.Context(), y.shadow(), verify.Tool{Argv: verify.Command{"sh", "-c", script}}, nil, y.input(set, changes))
	y.skipWithout(r)
	if err != nil || r.Skipped != "" {
		y.t.Fatalf("%+v, %v", r, err)
	}
	return r.Output
}

// listed are the files that git would show of a folder, and without a repository all of them.
func listed(ctx context.Context, root string) ([]string, error) {
	cmd := exec.CommandContext(ctx, "git", "ls-files", "-z", "-co", "--exclude-standard")
	cmd.Dir, cmd.Env = root, append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(root))
	if out, err := cmd.Output(); err == nil {
		return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), nil
	}
	var list []string
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if d != nil && d.Type().IsRegular() {
			list = append(list, name)
		}
		return err
	})
	return list, err
}

// left is what commands have left in our own folder, but for the copy.
func (y *yard) left() (names []string) {
	y.t.Helper()
	entries, err := os.ReadDir(y.state)
	if err != nil {
		y.t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "copy-") {
			names = append(names, e.Name())
		}
	}
	return names
}

// sh runs a script on changes, and returns the one result.
func (y *yard) sh(script string, changes ...edits.Change) verify.Result {
	y.t.Helper()
	results, err := y.verify(y.t.Context(), []verify.Tool{{Argv: verify.Command{"sh", "-c", script}}}, changes...)
	if err != nil || len(results) != 1 || results[0].Err != nil {
		y.t.Fatalf("%+v, %v", results, err)
	}
	return results[0]
}

// holds runs a script that must hold with the changes: what fails in it is shown.
func (y *yard) holds(script string, changes ...edits.Change) {
	y.t.Helper()
	if r := y.sh("set -e\n"+script, changes...); r.Skipped != "" || len(r.Findings) > 0 || r.Before > 0 || verify.Verdict([]verify.Result{r}) == "" {
		y.t.Errorf("%s\n%+v", script, r)
	}
}

// sum is a hash of all that can be seen of a folder: names, modes, times and contents.
func sum(t *testing.T, dir string) string {
	t.Helper()
	h := sha256.New()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		at := info.ModTime().UnixNano()
		if strings.Contains(name, "/.git/objects/") {
			at = 0 // git notes there that an object is still in use, also one that it borrows
		}
		fmt.Fprintln(h, name, info.Mode(), at)
		if info.Mode().IsRegular() {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			fmt.Fprintf(h, "%x\n", sha256.Sum256(text))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

var oneToTwo = edits.Change{Path: "a.txt", Op: edits.OpUpdate, Before: "one\n", After: "two\n"}
