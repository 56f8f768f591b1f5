package agent_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/sandbox"
	"coauthor/agent/settings"
	"coauthor/agent/verify"
	"coauthor/agent/workspace"
)

// linter complains about every line with a two in it.
var linter = settings.CheckCommand{Run: []string{"sh", "-c", `! grep -n two a.py | sed 's/^/a.py:/' | grep .`}, Files: []string{"*.py"}}

const makeTwo = "Done.\n\na.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 'two'\n>>>>>>> REPLACE\n```\n"

// withCommands gives a bench an engine that runs commands.
func withCommands(t *testing.T, b *bench, state string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o := b.options(state)
	o.Shadow = sandbox.NewShadow(sandbox.ShadowOptions{Dir: filepath.Join(t.TempDir(), "checks"), Helper: []string{"env", "GORACE=atexit_sleep_ms=0", self, "check-worker"}, Environ: os.Environ()})
	b.engine = agent.NewEngine(o)
	t.Cleanup(b.engine.Close)
	b.session = b.engine.Session(b.ws)
	b.settings.Checks.Timeout = 10 * time.Minute
}

// untimed is a verdict without the seconds that it ends with where the commands took one or more, and without the word that
// they ran in a copy, as they do where there are no namespaces.
func untimed(verdict string) string {
	return seconds.ReplaceAllString(strings.TrimSuffix(verdict, ", in a copy of the folder without a sandbox"), "")
}

var seconds = regexp.MustCompile(`, \d+ s$`)

// TestWhatALinterFindsGoesToTheModel: only what the change broke, with the code around it, and the verdict
// stands in the proposal; the file on disk is as it was. Who allowed the command is not asked again, not even
// in another session, and who did not has it not run.
func TestWhatALinterFindsGoesToTheModel(t *testing.T) {
	state := t.TempDir()
	b := newBench(t, replies(makeTwo, strings.NewReplacer("x = 1", "x = 'two'", "x = 'two'", "x = 2").Replace(makeTwo)), map[string]string{"a.py": "# two was here before\nx = 1\n"})
	b.settings.Verify, b.settings.Checks.Lint = "lint", []settings.CheckCommand{linter}
	withCommands(t, b, state)
	b.answers = []string{"run"}
	r, events := b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
	if r.State != event.TurnProposed {
		t.Fatalf("%+v", r)
	}
	if sent := shownRequest(b.server.Requests()[1]); !strings.Contains(sent, "a.py: line 2: x = 'two'") || !strings.Contains(sent, ">   2 x = 'two'") || strings.Contains(sent, "line 1: # two") {
		t.Errorf("the model was sent\n%s", sent)
	}
	if v := untimed(r.Proposal.Verdict); v != "syntax ✓, sh: 1 problem (as before the change)" || len(r.Proposal.Warnings) > 0 {
		t.Errorf("verdict %q, warnings %q", v, r.Proposal.Warnings)
	}
	seen := false
	for _, e := range events {
		seen = seen || e.Proposal != nil && e.Proposal.Verdict == r.Proposal.Verdict
	}
	if !seen {
		t.Error("no event has the verdict")
	}
	if text, err := os.ReadFile(filepath.Join(b.root, "a.py")); err != nil || string(text) != "# two was here before\nx = 1\n" {
		t.Errorf("the file is %q, %v", text, err)
	}
	command := verify.Command(linter.Run).String()
	if len(b.asked) != 1 || !strings.Contains(b.asked[0].Text, command) || b.asked[0].Default != "skip" {
		t.Fatalf("asked %+v", b.asked)
	}
}

// TestConsentIsKeptForTheFolderAndTheText: a yes holds in the next session of the same folder, for the same text
// alone; a command that nobody allowed does not run, which the verdict says.
func TestConsentIsKeptForTheFolderAndTheText(t *testing.T) {
	state := t.TempDir()
	b := newBench(t, replies(xIsTwo, xIsTwo, xIsTwo), map[string]string{"a.py": "x = 1\n"})
	b.settings.Verify = "lint"
	for _, c := range []struct {
		run     string
		answers []string
		asked   int
		verdict string
	}{
		{"exit 0", []string{"run"}, 1, "syntax ✓, sh ✓"},
		{"exit 0", nil, 0, "syntax ✓, sh ✓"},
		{"exit  0", nil, 1, "syntax ✓, sh not run (you did not allow it)"},
	} {
		b.settings.Checks.Lint = []settings.CheckCommand{{Run: []string{"sh", "-c", c.run}}}
		b.asked, b.answers = nil, c.answers
		withCommands(t, b, state)
		r, _ := b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
		if r.Proposal == nil || untimed(r.Proposal.Verdict) != c.verdict || len(b.asked) != c.asked {
			t.Fatalf("%q: %+v, asked %+v", c.run, r.Proposal, b.asked)
		}
		b.engine.Close()
	}
}

// TestConsentIsForTheFolderThatWasThere: a yes does not hold for another folder that is put at the same path, neither in the
// session in which it was given nor in the next one; it holds again when the folder is back.
func TestConsentIsForTheFolderThatWasThere(t *testing.T) {
	state := t.TempDir()
	files := map[string]string{"a.py": "x = 1\n"}
	b := newBench(t, replies(xIsTwo, xIsTwo, xIsTwo, xIsTwo), files)
	b.settings.Verify = "lint"
	b.settings.Checks.Lint = []settings.CheckCommand{{Run: []string{"sh", "-c", "exit 0"}}}
	withCommands(t, b, state)
	turn := func(when string, asked int, verdict string, answers ...string) {
		t.Helper()
		b.asked, b.answers = nil, answers
		r, _ := b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
		if r.Proposal == nil || untimed(r.Proposal.Verdict) != verdict || len(b.asked) != asked {
			t.Fatalf("%s: %+v, asked %+v", when, r.Proposal, b.asked)
		}
	}
	next := func() { // what lies there now is opened by another server
		t.Helper()
		b.engine.Close()
		ws, err := workspace.Open(b.root, workspace.Options{Clock: func() time.Time { return b.clock }})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = ws.Close() })
		b.ws = ws
		withCommands(t, b, state)
	}
	move := func(from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	turn("at first", 1, "syntax ✓, sh ✓", "run")
	move(b.root, b.root+".mine")
	b.put("a.py", files["a.py"])
	turn("another folder, in the session", 1, "syntax ✓, sh not run (you did not allow it)")
	next()
	turn("another folder, in the next one", 1, "syntax ✓, sh not run (you did not allow it)")
	move(b.root, b.root+".other")
	move(b.root+".mine", b.root)
	next()
	turn("the folder again", 0, "syntax ✓, sh ✓")
}
