package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/event"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

const twoReply = "I make it two.\n\na.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n\nnew/b.py\n```\n<<<<<<< SEARCH\n=======\ny = 1\n>>>>>>> REPLACE\n```\n"

// shell runs commands in a folder with a scripted model.
type shell struct {
	t        *testing.T
	root     string
	server   *llmtest.Server
	out, err bytes.Buffer
	env      map[string]string // more of the environment on a terminal
	config   string            // where the user's settings lie; "" has none
	intoFile bool              // on a terminal, standard output goes into out
	home     string            // of the user; "" is a new one for each command
	in       io.Reader         // on a terminal, what is piped into the command; nil for nothing
	columns  uint16            // of a terminal; 0 has room for any line
}

func newShell(t *testing.T, script string) *shell {
	t.Helper()
	s, err := llmtest.Parse([]byte(script))
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := &shell{t: t, root: root, server: llmtest.Start(s)}
	t.Cleanup(h.server.Close)
	h.put("a.py", "x = 1\r\nz = 1")
	return h
}

// userSettings gives a shell a file of settings of the user's.
func userSettings(t *testing.T, h *shell, file string) {
	t.Helper()
	config := t.TempDir()
	if err := os.MkdirAll(filepath.Join(config, "coauthor"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(config, "coauthor", "config.yaml"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	h.config = config
	h.env = map[string]string{"XDG_CONFIG_HOME": config, "XDG_STATE_HOME": t.TempDir(), "PATH": os.Getenv("PATH")}
}

func (h *shell) put(name, text string) {
	h.t.Helper()
	name = filepath.Join(h.root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		h.t.Fatal(err)
	}
}

func (h *shell) read(name string) string {
	data, err := os.ReadFile(filepath.Join(h.root, filepath.FromSlash(name)))
	if err != nil {
		return "absent"
	}
	return string(data)
}

func (h *shell) run(args ...string) int {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), hung)
	defer cancel()
	h.out.Reset()
	h.err.Reset()
	home := h.home
	if home == "" {
		home = h.t.TempDir()
	}
	env := map[string]string{"HOME": home, "XDG_STATE_HOME": filepath.Join(home, "state"), "XDG_CONFIG_HOME": filepath.Join(home, "config")}
	if h.config != "" {
		env["XDG_CONFIG_HOME"] = h.config
	}
	flags := []string{"--root", h.root}
	if !slices.Contains([]string{"history", "rewind", "clear", "reset", "undo", "redo"}, args[0]) {
		flags = append(flags, "--model", "local", "--api-base", h.server.URL)
	}
	args = slices.Insert(slices.Clone(args), 1, flags...) // what stands behind the words of a program is the program's
	return run(ctx, args, Streams{In: strings.NewReader(""), Out: &h.out, Err: &h.err, Env: func(name string) string { return env[name] }})
}

func (h *shell) edit(args ...string) int {
	return h.run(append([]string{"edit", "-m", "Make x two.", "--format", "diff", filepath.Join(h.root, "a.py")}, args...)...)
}

func TestEditAppliesWithYes(t *testing.T) {
	h := newShell(t, "-- 1.md --\n"+twoReply)
	if code := h.edit("--yes"); code != 0 {
		t.Fatalf("exit %d: %s", code, h.err.String())
	}
	if got := h.read("a.py"); got != "x = 2\r\nz = 1" {
		t.Errorf("a.py is %q", got)
	}
	if got := h.read("new/b.py"); got != "y = 1\n" {
		t.Errorf("new/b.py is %q", got)
	}
	out := h.out.String()
	if !strings.HasPrefix(out, "I make it two.\n") || !strings.Contains(out, "+x = 2") || strings.Contains(out, "SEARCH") {
		t.Errorf("shown: %s", out)
	}
	if told := h.err.String(); !strings.Contains(told, "Changed a.py (+1 -1)") || !strings.Contains(told, "Created new/b.py") {
		t.Errorf("told: %s", told)
	}
}

func TestNothingIsWrittenUnasked(t *testing.T) {
	for _, how := range []struct {
		flag string
		code int
		told string
		diff bool
	}{{"", 1, "--yes", true}, {"--preview", 0, "Would update a.py", true}, {"--dry-run", 0, "Would update a.py", true}} {
		h := newShell(t, "-- 1.md --\n"+twoReply)
		args := []string{}
		if how.flag != "" {
			args = append(args, how.flag)
		}
		code := h.edit(args...)
		if code != how.code || !strings.Contains(h.err.String(), how.told) || strings.Contains(h.out.String(), "+x = 2") != how.diff {
			t.Errorf("%q: exit %d, shown %s, told %s", how.flag, code, h.out.String(), h.err.String())
		}
		if h.read("a.py") != "x = 1\r\nz = 1" || h.read("new/b.py") != "absent" {
			t.Errorf("%q: something was written", how.flag)
		}
	}
}

func TestJSONIsOneEventALine(t *testing.T) {
	h := newShell(t, "-- 1.md --\n"+twoReply)
	if code := h.edit("--yes", "--json"); code != 0 || h.err.Len() > 0 {
		t.Fatalf("exit %d: %s", code, h.err.String())
	}
	var last event.Event
	var fate []string
	seq := uint64(0)
	for line := range strings.Lines(h.out.String()) {
		last = event.Event{}
		if err := json.Unmarshal([]byte(line), &last); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if seq++; last.Seq != seq {
			t.Errorf("event %d has number %d", seq, last.Seq)
		}
		if last.Landed != nil {
			fate = append(fate, fmt.Sprintf("%s %s %d", last.Kind, last.Landed.Action, len(last.Landed.Files)))
		} else if last.Kind == event.KindEnded || last.Proposal != nil {
			fate = append(fate, string(last.Kind))
		}
	}
	if got := strings.Join(fate, ", "); got != "proposal, ended, proposal, landed apply 2, proposal" {
		t.Errorf("told: %s", got)
	}
	if last.Kind != event.KindProposal || last.Proposal.State != event.ProposalApplied {
		t.Errorf("the last line is %+v", last)
	}
}

func TestAskPrintsTheAnswer(t *testing.T) {
	h := newShell(t, "-- 1.md --\nIt is one.\n\n```\nx = 1\n```\n")
	code := h.run("ask", "-m", "What is x?", filepath.Join(h.root, "a.py"))
	if code != 0 || h.out.String() != "It is one.\n\n```\nx = 1\n```\n" {
		t.Errorf("exit %d, shown %q, told %s", code, h.out.String(), h.err.String())
	}
}

func TestFailuresAreToldOnce(t *testing.T) {
	h := newShell(t, "-- 1.md --\nno\n-- 1.yaml --\nstatus: 401\n")
	if code := h.edit("--yes"); code != 1 || strings.Count(h.err.String(), "coauthor: ") != 1 {
		t.Errorf("exit %d, told %s", code, h.err.String())
	}
	h = newShell(t, "-- 1.md --\nno\n")
	if code := h.run("edit", "-m", "x", filepath.Join(t.TempDir(), "b.py")); code != 1 || !strings.Contains(h.err.String(), "--root") {
		t.Errorf("a file outside: exit %d, told %s", code, h.err.String())
	}
}

func TestRefusedEditsGiveExitOne(t *testing.T) {
	h := newShell(t, "-- 1.md --\n"+twoReply+"\n../out.py\n```\n<<<<<<< SEARCH\n=======\ny\n>>>>>>> REPLACE\n```\n-- 1.yaml --\nrepeat: true\n")
	if code := h.edit("--yes"); code != 1 || !strings.Contains(h.err.String(), "Not applied: ../out.py") {
		t.Errorf("exit %d, told %s", code, h.err.String())
	}
	if h.read("a.py") != "x = 2\r\nz = 1" {
		t.Error("the good edit was lost")
	}
}

func TestInterruptEndsTheTurn(t *testing.T) {
	h := newShell(t, "-- 1.md --\n"+twoReply+"-- 1.yaml --\nhold: true\n")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan int, 1)
	env := map[string]string{"HOME": t.TempDir()}
	go func() {
		ended <- run(ctx, []string{"edit", "-m", "x", "--yes", "--root", h.root, "--model", "local", "--api-base", h.server.URL},
			Streams{In: strings.NewReader(""), Out: &h.out, Err: &h.err, Env: func(name string) string { return env[name] }})
	}()
	limit, stop := context.WithTimeout(context.Background(), hung)
	defer stop()
	if err := h.server.WaitHeld(limit, 1); err != nil {
		t.Fatal(err)
	}
	cancel()
	select {
	case code := <-ended:
		if code != 130 {
			t.Errorf("exit %d, told %s", code, h.err.String())
		}
	case <-limit.Done():
		t.Fatal("the interrupt did not end the command")
	}
	if err := h.server.WaitClosed(limit, 1); err != nil {
		t.Error(err)
	}
}

func TestDiskDelivers(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{"a": "1\n", "b": "1\n", "c": "1\n", "d": "typed meanwhile\n"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := workspace.Open(root, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	d := &disk{ws: ws}
	plan := []proposal.Step{
		{Change: edits.Change{Path: "new/x", Op: edits.OpCreate, After: "n\n"}},
		{Change: edits.Change{Path: "d", Op: edits.OpUpdate, Before: "1\n", After: "2\n"}},
		{Change: edits.Change{Path: "a", Op: edits.OpUpdate, Before: "1\n", After: "2\n"}},
		{Change: edits.Change{Path: "b", Op: edits.OpRename, To: "sub/b2", Before: "1\n", After: "2\n"}},
		{Change: edits.Change{Path: "c", Op: edits.OpDelete, Before: "1\n"}},
		{Change: edits.Change{Path: ".envrc", Op: edits.OpCreate, After: "x\n"}, Consent: true},
		{Change: edits.Change{Path: "later", Op: edits.OpCreate, After: "x\n"}},
	}
	landed, err := d.Deliver(context.Background(), "test", plan)
	if err != nil {
		t.Fatal(err)
	}
	want := []proposal.LandState{proposal.LandLanded, proposal.LandAbsent, proposal.LandLanded, proposal.LandLanded, proposal.LandLanded, proposal.LandRefused, proposal.LandLanded}
	for i, l := range landed {
		if l.State != want[i] || l.Stale != (i == 1) {
			t.Errorf("%s: %+v, want %s", plan[i].Change.Path, l, want[i])
		}
	}
	for name, text := range map[string]string{"new/x": "n\n", "a": "2\n", "b": "absent", "sub/b2": "2\n", "c": "absent", "d": "typed meanwhile\n", ".envrc": "absent"} {
		h := shell{root: root}
		if got := h.read(name); got != text {
			t.Errorf("%s is %q, want %q", name, got, text)
		}
	}
	if info, err := os.Stat(filepath.Join(root, "a")); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode of a file was changed: %v %v", info.Mode(), err)
	}
}

// A model whose context window nobody knows gets no file of megabytes, and the message says which
// setting lets it.
func TestUnknownWindowIsGuardedBySize(t *testing.T) {
	for _, args := range [][]string{{"edit", "-m", "x", "a.py", "big.py"}, {"ask", "-m", "x", "big.py"}, {"ask", "-m", "x", "a.py", "--read", "big.py"}} {
		h := newShell(t, "-- 1.md --\nno\n")
		h.put("big.py", strings.Repeat("y = 'one line of a large file'\n", 100_000))
		t.Chdir(h.root)
		if code := h.run(args...); code != 1 || len(h.server.Requests()) > 0 {
			t.Errorf("%v: exit %d, %d requests", args, code, len(h.server.Requests()))
		}
		for _, want := range []string{"big.py", "96000", "models.local.contextWindow"} {
			if !strings.Contains(h.err.String(), want) {
				t.Errorf("%v: told %q, which lacks %s", args, h.err.String(), want)
			}
		}
	}
	h := newShell(t, "-- 1.md --\nfine\n")
	t.Chdir(h.root)
	h.put("big.py", strings.Repeat("y = 'one line of a large file'\n", 100_000))
	home := t.TempDir()
	h.put("config/coauthor/config.yaml", "models:\n  local:\n    contextWindow: 4000000\n")
	env := map[string]string{"HOME": home, "XDG_STATE_HOME": home, "XDG_CONFIG_HOME": filepath.Join(h.root, "config")}
	code := run(t.Context(), []string{"ask", "-m", "x", "big.py", "--root", h.root, "--model", "local", "--api-base", h.server.URL},
		Streams{In: strings.NewReader(""), Out: &h.out, Err: &h.err, Env: func(name string) string { return env[name] }})
	if code != 0 || len(h.server.Requests()) != 1 {
		t.Errorf("with the setting: exit %d, told %s", code, h.err.String())
	}
}

// TestFilesThatTheModelAsksFor are added with --yes, and not where nobody can agree.
func TestFilesThatTheModelAsksFor(t *testing.T) {
	const script = "-- 1.md --\nother.py\n```\n<<<<<<< SEARCH\ny = 1\n=======\ny = 2\n>>>>>>> REPLACE\n```\n-- 1.yaml --\nrepeat: true\n"
	for args, x := range map[string]struct {
		code  int
		other string
	}{"--yes": {0, "y = 2\n"}, "--preview": {1, "y = 1\n"}, "": {1, "y = 1\n"}} {
		h := newShell(t, script)
		h.put("other.py", "y = 1\n")
		code := h.edit(strings.Fields(args)...)
		if code != x.code || h.read("other.py") != x.other || h.read("a.py") != "x = 1\r\nz = 1" {
			t.Errorf("%q: exit %d, other.py is %q\n%s", args, code, h.read("other.py"), h.err.String())
		}
	}
}

// TestWhatWasNotDoneIsTold: a part that was refused makes the status 1, also of a preview; a form that does
// not exist is refused before the model is asked; an answer alone is no success.
func TestWhatWasNotDoneIsTold(t *testing.T) {
	half := "repeat: true\n-- 1.md --\n" + twoReply + "\n../out.py\n```\n<<<<<<< SEARCH\n=======\ny\n>>>>>>> REPLACE\n```\n"
	for _, x := range []struct {
		script string
		args   []string
		code   int
		told   string
		asked  bool
	}{
		{half, []string{"--preview"}, 1, "Not applied: ../out.py", true},
		{"-- 1.md --\n" + twoReply, []string{"--preview"}, 0, "Would create new/b.py (+1 -0)\nWould update a.py (+1 -1)\n", true},
		{"-- 1.md --\n" + twoReply, []string{"--preview", "--json"}, 0, "", true},
		{"-- 1.md --\nIt is one.\n", []string{"--yes"}, 1, "coauthor: no files changed, because the answer contains no edit", true},
		{"-- 1.md --\nIt is one.\n", []string{"--yes", "--json"}, 1, "coauthor: no files changed, because the answer contains no edit", true},
		{"-- 1.md --\nx\n", []string{"--yes", "--format", "klingon"}, 1, "klingon", false},
	} {
		h := newShell(t, x.script)
		code := h.edit(x.args...)
		if code != x.code || !strings.Contains(h.err.String(), x.told) || x.told == "" && h.err.Len() > 0 || (len(h.server.Requests()) > 0) != x.asked {
			t.Errorf("%v: exit %d, %d requests, told %s", x.args, code, len(h.server.Requests()), h.err.String())
		}
		if h.read("a.py") != "x = 1\r\nz = 1" || h.read("new/b.py") != "absent" {
			t.Errorf("%v: something was written", x.args)
		}
	}
}
