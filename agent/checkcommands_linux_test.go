package agent_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/event"
	"coauthor/agent/settings"
)

// checking runs a command with these answers to its questions.
func checking(b *bench, line string, answers ...string) (command.Answer, command.Checked, error) {
	b.t.Helper()
	b.asked, b.answers = nil, answers
	a, rest, ok := command.CommandOf(command.Actions(), line)
	if !ok {
		b.t.Fatalf("%s is no command", line)
	}
	words, err := a.Words(rest)
	if err != nil {
		b.t.Fatal(err)
	}
	answer, err := a.Run.Do(b.t.Context(), b.session, command.Call{Args: a.Given(words...), Ports: agent.Ports{Ask: b}})
	got, _ := answer.Data.(command.Checked)
	return answer, got, err
}

// /lint runs the linters on the files as they are: the unsaved text counts, and so does what was wrong before. Each command
// is asked about, what it writes is dropped, and the model gets the findings only when the user says so.
func TestLintAsItIs(t *testing.T) {
	b := newBench(t, "-- 1.md --\nFine.\n", map[string]string{"a.py": "one\n", "b.py": "two\n", "c.txt": "two\n"})
	b.settings.Checks.Lint = []settings.CheckCommand{{Run: []string{"sh", "-c", `! grep -n two /dev/null "$@" | tee -a a.py | grep .`, "-", "{files}"}, Files: []string{"*.py"}}}
	withCommands(t, b, t.TempDir())
	answer, got, err := checking(b, "/lint", "skip")
	if err != nil || got.Status != command.RanSkipped || !answer.Failed || len(b.asked) != 1 || !strings.Contains(b.asked[0].Text, `grep -n two`) || !strings.Contains(got.Skipped[0], "did not allow") {
		t.Fatalf("%+v, %v, asked %+v", got, err, b.asked)
	}
	b.engine.Close()
	withCommands(t, b, t.TempDir()) // a no holds as long as the session
	b.ws.DidOpen("a.py", "one\n\ntwo\n", 1)
	answer, got, err = checking(b, "/lint", "run", "fix")
	want := []command.CheckFinding{{Check: "sh", Path: "a.py", Line: 3, Text: "line 3: two"}}
	if err != nil || got.Status != command.RanDone || len(got.Findings) != 1 || got.Findings[0].Path != want[0].Path || got.Findings[0].Line != 3 || !answer.Failed {
		t.Fatalf("unsaved files alone: %+v, %v", got, err)
	}
	if r := answer.Then; r == nil || len(r.Diagnostics) != 1 || r.Diagnostics[0].Line != 3 || len(r.Files) != 1 || r.Files[0] != "a.py" || r.Label != "fix what sh reports" {
		t.Errorf("then %+v", r)
	}
	if len(b.asked) != 2 || !strings.Contains(b.asked[1].Text, "a.py:3: ") || b.asked[1].Default != "skip" || !strings.Contains(answer.Page.Text, "a.py:3: ") {
		t.Errorf("asked %+v, shown %s", b.asked, answer.Page.Text)
	}
	if answer, got, err = checking(b, "/lint *.py"); err != nil || len(got.Findings) != 2 || answer.Then != nil || len(b.asked) != 1 {
		t.Errorf("named: %+v, %v, asked %+v", got, err, b.asked)
	}
	if _, got, err = checking(b, "/lint c.txt"); err != nil || got.Status != command.RanSkipped || !strings.Contains(got.Skipped[0], "none of its files") {
		t.Errorf("a file that it is not about: %+v, %v", got, err)
	}
	if _, _, err = checking(b, "/lint no.py"); err == nil || !strings.Contains(err.Error(), "no.py") {
		t.Errorf("%v", err)
	}
	if _, err = b.command("/add b.py"); err != nil {
		t.Fatal(err)
	}
	if _, got, err = checking(b, "/lint"); err != nil || len(got.Findings) != 1 || got.Findings[0].Path != "b.py" {
		t.Errorf("the files of the chat: %+v, %v", got, err)
	}
	if text, err := os.ReadFile(filepath.Join(b.root, "a.py")); err != nil || string(text) != "one\n" {
		t.Errorf("a.py is %q, %v", text, err)
	}
	b.settings.Checks.Lint = nil
	if _, _, err = checking(b, "/lint"); err == nil || !strings.Contains(err.Error(), "verify.lint") {
		t.Errorf("without a linter: %v", err)
	}
	if len(b.server.Requests()) != 0 {
		t.Error("a model was asked")
	}
}

// /test runs the tests that are set, else what the folder shows to use, or the command behind it.
func TestTestAsItIs(t *testing.T) {
	b := newBench(t, "-- 1.md --\nFine.\n", map[string]string{"a.py": "x = 1\n", "go.mod": "module x\n\ngo 1.24\n", "a.go": "package x\n", "a_test.go": "package x\n"})
	withCommands(t, b, t.TempDir())
	b.settings.Checks.Test = []settings.CheckCommand{{Run: []string{"sh", "-c", "exit 0"}}}
	if answer, got, err := checking(b, "/test", "run"); err != nil || got.Status != command.RanDone || answer.Failed || untimed(got.Verdict) != "sh ✓" {
		t.Errorf("%q %+v, %v", answer.Text, got, err)
	}
	answer, got, err := checking(b, `/test sh -c "echo broken; exit 3"`, "run", "fix")
	if err != nil || len(got.Findings) != 1 || !strings.Contains(got.Findings[0].Text, "broken") || !answer.Failed {
		t.Fatalf("%+v, %v", got, err)
	}
	if !strings.Contains(b.asked[0].Text, `sh -c "echo broken; exit 3"`) || answer.Then == nil || !strings.Contains(answer.Then.Instruction, "broken") {
		t.Errorf("asked %+v, then %+v", b.asked, answer.Then)
	}
	if _, _, err := checking(b, "/test sh -c x | cat"); err == nil || !strings.Contains(err.Error(), "/run") || len(b.asked) > 0 {
		t.Errorf("a line of the shell: %v", err)
	}
	if _, got, err := checking(b, "/test no-such-program-here", "run"); err != nil || got.Status != command.RanSkipped || !strings.Contains(got.Skipped[0], "not installed") {
		t.Errorf("%+v, %v", got, err)
	}
	b.settings.Checks.Test = nil
	if _, _, err := checking(b, "/test", "skip"); err != nil || len(b.asked) != 1 || !strings.Contains(b.asked[0].Text, "go test") {
		t.Errorf("asked %+v, %v", b.asked, err)
	}
}

// TestWhatACheckPrintsIsSentWithoutKeys: keys that a command has found, whole and in lines of its own, are not sent to the
// model.
func TestWhatACheckPrintsIsSentWithoutKeys(t *testing.T) {
	random := strings.Repeat("a1B2c3D4e5", 4)
	keys := []string{"gh" + "p_" + random[:36], "s" + "k-" + random}
	b := newBench(t, replies(makeTwo, makeTwo), map[string]string{"a.py": "x = 1\n", "found.txt": "a.py:1: " + strings.Join(keys, " ") + "\n-----BEGIN " + "PRIVATE KEY-----\nMIIEowIBAAKCAQEAt5rSDCYTCG\n-----END " + "PRIVATE KEY-----\n"})
	b.settings.Verify, b.settings.RedactSecrets, b.settings.MaxReflections = "lint", true, 1
	b.settings.Checks.Lint = []settings.CheckCommand{{Run: []string{"sh", "-c", "grep -q two a.py || exit 0; cat found.txt; exit 1"}}}
	withCommands(t, b, t.TempDir())
	b.answers = []string{"run"}
	if r, _ := b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}}); r.State != event.TurnProposed || len(b.server.Requests()) != 2 {
		t.Fatalf("%+v", r)
	}
	sent := shownRequest(b.server.Requests()[1])
	if !strings.Contains(sent, "REDACTED_") {
		t.Errorf("nothing was found:\n%s", sent)
	}
	for _, key := range append(keys, "MIIEow") {
		if strings.Contains(sent, key) {
			t.Errorf("%s was sent:\n%s", key, sent)
		}
	}
}
