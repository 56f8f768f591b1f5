package agent_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent"
	"coauthor/agent/chosen"
	"coauthor/agent/coder"
	"coauthor/agent/command"
	"coauthor/agent/mention"
)

// say runs a command as it is written in the place of an instruction.
func (b *bench) command(line string) (command.Answer, error) {
	b.t.Helper()
	a, rest, ok := command.CommandOf(command.Actions(), line)
	if !ok || a.Run == nil {
		b.t.Fatalf("%q is no command of the session", line)
	}
	words, err := a.Words(rest)
	if err != nil {
		return command.Answer{}, err
	}
	return a.Run.Do(b.t.Context(), b.session, command.Call{Args: a.Given(words...), Table: command.Actions()})
}

// The commands change what is in the chat and who answers, and say so; what they cannot do changes nothing.
func TestCommandsChangeTheSession(t *testing.T) {
	b := newBench(t, "repeat: true\n-- 1.md --\nFine.\n", map[string]string{
		"a.py": "x = 1\n", "src/b.py": "y = 1\n", "src/c.go": "package c\n", "doc one.md": "Words.\n", ".env": "KEY=secret\n", "bin": "\x00\x01",
		"list": "# what I work on\n\n/add a.py\n/model fast\n", "bad list": "/add a.py\n/clear\n",
	})
	b.engine = b.newEngine(t.TempDir())
	t.Cleanup(b.engine.Close)
	b.session = b.engine.Session(b.ws)
	for _, step := range []struct {
		line, says, fails string
		files, readOnly   []string
	}{
		{line: "/ls", says: "The chat has no files"},
		{line: "/add", fails: "name the files"},
		{line: "/add a.py", says: "In the chat: a.py.", files: []string{"a.py"}},
		{line: `/add ./src/b.py "doc one.md" a.py`, says: "doc one.md", files: []string{"a.py", "src/b.py", "doc one.md"}},
		{line: "/add nope.py", fails: "file nope.py not found", files: []string{"a.py", "src/b.py", "doc one.md"}},
		{line: "/add a.py ../outside", fails: "../outside", files: []string{"a.py", "src/b.py", "doc one.md"}},
		{line: "/add .env", fails: ".env", files: []string{"a.py", "src/b.py", "doc one.md"}},
		{line: "/add bin", fails: "bin", files: []string{"a.py", "src/b.py", "doc one.md"}},
		{line: `/add "a.py`, fails: "quotation mark", files: []string{"a.py", "src/b.py", "doc one.md"}},
		{line: "/read-only a.py", says: "Read-only: a.py.", files: []string{"src/b.py", "doc one.md"}, readOnly: []string{"a.py"}},
		{line: "/add src", says: "src/c.go", files: []string{"src/b.py", "doc one.md", "src/c.go"}, readOnly: []string{"a.py"}},
		{line: "/drop nothing", fails: "nothing is not in the chat; In the chat: src/b.py", files: []string{"src/b.py", "doc one.md", "src/c.go"}, readOnly: []string{"a.py"}},
		{line: "/drop b.py", files: []string{"doc one.md", "src/c.go"}, readOnly: []string{"a.py"}},
		{line: "/drop *.py src/", files: []string{"doc one.md"}},
		{line: "/add **/*.py", files: []string{"doc one.md", "a.py", "src/b.py"}},
		{line: "/read-only", readOnly: []string{"doc one.md", "a.py", "src/b.py"}},
		{line: "/add b.py", files: []string{"src/b.py"}, readOnly: []string{"doc one.md", "a.py"}},
		{line: "/save mine", says: "/load mine", files: []string{"src/b.py"}, readOnly: []string{"doc one.md", "a.py"}},
		{line: "/save ../x", fails: "a name of letters", files: []string{"src/b.py"}, readOnly: []string{"doc one.md", "a.py"}},
		{line: "/drop", says: "The chat now has no files"},
		{line: "/ls more", fails: "accepts no arguments"},
		{line: "/load mine", files: []string{"src/b.py"}, readOnly: []string{"doc one.md", "a.py"}},
		{line: "/load bad list", fails: `bad list:2: cannot use "/clear"`, files: []string{"src/b.py"}, readOnly: []string{"doc one.md", "a.py"}},
		{line: "/load nowhere", fails: "no saved chat or file named nowhere", files: []string{"src/b.py"}, readOnly: []string{"doc one.md", "a.py"}},
		{line: "/load", fails: "the name of a saved chat", files: []string{"src/b.py"}, readOnly: []string{"doc one.md", "a.py"}},
		{line: "/load list", says: "model fast", files: []string{"src/b.py", "a.py"}, readOnly: []string{"doc one.md"}},
	} {
		answer, err := b.command(step.line)
		if step.fails != "" {
			if err == nil || !strings.Contains(err.Error(), step.fails) {
				t.Errorf("%s: %v, want an error with %q", step.line, err, step.fails)
			}
		} else if err != nil || !strings.Contains(answer.Text, step.says) {
			t.Errorf("%s: %q, %v, want %q", step.line, answer.Text, err, step.says)
		}
		now := b.session.InForce()
		if !slices.Equal(now.Files, step.files) || !slices.Equal(now.ReadOnly, step.readOnly) {
			t.Fatalf("%s: in the chat %q, to look at %q", step.line, now.Files, now.ReadOnly)
		}
	}
}

// Each command that chooses something says what is in force when it is alone, and refuses what there is not.
func TestCommandsChooseWhoAnswers(t *testing.T) {
	b := newBench(t, "repeat: true\n-- 1.md --\nFine.\n", map[string]string{"a.py": "x = 1\n"})
	for _, step := range []struct{ line, says, fails string }{
		{line: "/model", says: "The model is scripted."},
		{line: "/model other", says: "model other"},
		{line: "/weak-model cheap", says: "weak model cheap"},
		{line: "/weak-model", says: "The weak model is cheap."},
		{line: "/editor-model careful", says: "editor model careful"},
		{line: "/chat-mode", says: "Current coder: code. Current edit format:"},
		{line: "/chat-mode ask", says: "coder ask"},
		{line: "/chat-mode udiff", says: "coder ask, edit format udiff"},
		{line: "/chat-mode nonsense", fails: "unknown coder or edit format"},
		{line: "/think-tokens", says: "The model decides"},
		{line: "/think-tokens 8k", says: "8192 thinking tokens"},
		{line: "/think-tokens", says: "8192 thinking tokens"},
		{line: "/think-tokens many", fails: "must be a whole number"},
		{line: "/think-tokens 0", says: "Now using"},
		{line: "/reasoning-effort high", says: "reasoning effort high"},
		{line: "/reasoning-effort", says: "The reasoning effort is high."},
		{line: "/reasoning-effort very", fails: "reasoningEffort must be one of"},
	} {
		answer, err := b.command(step.line)
		if step.fails != "" {
			if err == nil || !strings.Contains(err.Error(), step.fails) {
				t.Errorf("%s: %v, want an error with %q", step.line, err, step.fails)
			}
		} else if err != nil || !strings.Contains(answer.Text, step.says) {
			t.Errorf("%s: %q, %v, want %q", step.line, answer.Text, err, step.says)
		}
	}
	got := b.session.InForce().Report()
	want := chosen.InForceReport{Coder: "ask", EditFormat: "udiff", Model: "other", WeakModel: "cheap", EditorModel: "careful",
		ReasoningEffort: "high", MapTokens: got.MapTokens, Files: []string{}, ReadOnly: []string{}, Pages: []string{}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// What a session is told of thinking stands above the entry of the model, and what is in force says what will be sent.
func TestThinkingForTheSession(t *testing.T) {
	b := newBench(t, "repeat: true\n-- 1.md --\nFine.\n", nil)
	most := 2048
	b.user.ThinkingTokens, b.user.ReasoningEffort = &most, "odd"
	for _, step := range []struct{ line, says, sent string }{
		{"", "", `"budget_tokens":2048`},
		{"/think-tokens", "2048 thinking tokens", `"reasoning_effort":"odd"`},
		{"/reasoning-effort", "is odd", `"budget_tokens":2048`},
		{"/think-tokens 4k", "4096 thinking tokens", `"budget_tokens":4096`},
		{"/reasoning-effort low", "reasoning effort low", `"reasoning_effort":"low"`},
		{"/think-tokens 0", "Now using", "budget_tokens no more"},
		{"/think-tokens", "The model decides", "budget_tokens no more"},
		{"/reasoning-effort auto", "Now using", "effort no more"},
	} {
		if step.line != "" {
			if answer, err := b.command(step.line); err != nil || !strings.Contains(answer.Text, step.says) {
				t.Errorf("%s: %q, %v", step.line, answer.Text, err)
			}
		}
		b.run(agent.Request{Instruction: "Why?", Coder: "ask"})
		all := b.server.Requests()
		field, gone := strings.CutSuffix(step.sent, " no more")
		if body := string(all[len(all)-1].Body); strings.Contains(body, field) == gone {
			t.Errorf("after %q %s is sent", step.line, body)
		}
	}
}

// What is shown is what a request would send, what there is, and what was said.
func TestCommandsShowThings(t *testing.T) {
	b := newBench(t, "-- 1.md --\nIt is *one*.\n", map[string]string{"a.py": "x = 1\n"})
	page := func(line string, want ...string) command.Answer {
		t.Helper()
		answer, err := b.command(line)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range want {
			if !strings.Contains(answer.Page.Text, text) {
				t.Errorf("%s does not show %q:\n%s", line, text, answer.Page.Text)
			}
		}
		if _, err := json.Marshal(answer.Data); err != nil {
			t.Error(err)
		}
		return answer
	}
	if _, err := b.command("/copy"); err == nil || !strings.Contains(err.Error(), " yet") {
		t.Errorf("copy before anything was said: %v", err)
	}
	if _, err := b.command("/ok"); err == nil || !strings.Contains(err.Error(), " yet") {
		t.Errorf("ok before anything was said: %v", err)
	}
	if _, err := b.command("/add a.py"); err != nil {
		t.Fatal(err)
	}
	b.run(agent.Request{Instruction: "What is x?", Coder: "ask"})
	if got := page("/copy").Page.Text; strings.TrimSpace(got) != "It is *one*." {
		t.Errorf("copied %q", got)
	}
	answer := page("/tokens", "| · a.py |", "| all |")
	if !strings.Contains(answer.Text, "which leaves") {
		t.Error(answer.Text)
	}
	page("/copy-context And now?", "x = 1", "And now?", "SEARCH", "(You answered:)\n\nIt is *one*.")
	page("/settings", "| model.name | scripted | set |", "| network.proxy |", "Model scripted")
	page("/commands", "| /add |", "| /ask |", "| /undo |")
	page("/help", "| /add |")
	page("/models GPT-5", "| gpt-5 |")
	if answer, err := b.command("/models no such model"); err != nil || !strings.Contains(answer.Text, "No known model") {
		t.Errorf("%v, %v", answer, err)
	}
	answer, err := b.command("/ok but in Spanish")
	if err != nil || answer.Then == nil || answer.Then.Coder != coder.Default || !strings.HasSuffix(answer.Then.Instruction, "\n\nbut in Spanish") || answer.Then.FollowUp == "" {
		t.Errorf("%+v, %v", answer.Then, err)
	}
}

// An answer from elsewhere becomes a proposal, in whichever format it is, and no model is asked, whatever is wrong in it.
func TestAnAnswerFromElsewhere(t *testing.T) {
	for name, answer := range map[string]string{
		"diff":  "I make it two.\n\na.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n",
		"udiff": "```diff\n--- a.py\n+++ a.py\n@@ @@\n-x = 1\n+x = 2\n```\n",
	} {
		b := newBench(t, "-- 1.md --\nNobody asked.\n", map[string]string{"a.py": "x = 1\n"})
		b.settings.Model = ""
		if _, err := b.command("/add a.py"); err != nil {
			t.Fatal(err)
		}
		got, err := b.command("/paste " + answer)
		if err != nil || got.Then == nil {
			t.Fatal(got, err)
		}
		r, _ := b.run(*got.Then)
		if r.Proposal == nil || len(r.Proposal.Files) != 1 || r.Proposal.Files[0].Path() != "a.py" {
			t.Errorf("%s: %+v", name, r)
		}
		if r.Usage.Prompt != 0 || len(b.server.Requests()) != 0 {
			t.Errorf("%s: a model was asked, or counted: %+v", name, r.Usage)
		}
	}
	b := newBench(t, "-- 1.md --\nNobody asked.\n", map[string]string{"a.py": "x = 1\n"})
	if _, err := b.command("/paste"); err == nil {
		t.Error("nothing was pasted, and taken")
	}
	got, err := b.command("/paste a.py\n```\n<<<<<<< SEARCH\nnot there\n=======\nx = 2\n>>>>>>> REPLACE\n```\n")
	if err != nil {
		t.Fatal(err)
	}
	r, _ := b.run(*got.Then)
	if r.Proposal != nil || len(r.Failures) == 0 || len(b.server.Requests()) != 0 {
		t.Errorf("%+v", r)
	}
}

// Every command of aider's is there, or it is said why it is not.
func TestEveryCommandOfAider(t *testing.T) {
	const all = "add architect ask chat-mode clear code commit context copy copy-context diff drop edit editor editor-model exit git help lint load ls " +
		"map map-refresh model models multiline-mode ok paste quit read-only reasoning-effort report reset run save settings test " +
		"think-tokens tokens undo voice weak-model web"
	missing := []string{"edit", "editor", "exit", "quit", "multiline-mode", "voice", "report"}
	got := map[string]bool{}
	for _, c := range command.AiderCommands(coder.All()) {
		got[c.Name] = true
		if built := c.Action.ID != "" || c.Coder != ""; built == slices.Contains(missing, c.Name) || !built && c.Why == "" {
			t.Errorf("/%s: built %v, %q", c.Name, built, c.Why)
		}
		if c.Action.ID != "" && c.Action.Word == "" {
			t.Errorf("/%s is %s, which has no word", c.Name, c.Action.ID)
		}
	}
	for _, name := range strings.Fields(all) {
		if !got[name] {
			t.Errorf("/%s is not listed", name)
		}
	}
	if len(got) != len(strings.Fields(all)) {
		t.Errorf("%d are listed: %v", len(got), got)
	}
}

// A name is read back as it was written, whatever is in it.
func FuzzNames(f *testing.F) {
	for _, name := range []string{"a", "a b", `a"b`, `a\"b`, `"`, `\`, "a\tb", ""} {
		f.Add(name, "x")
	}
	f.Fuzz(func(t *testing.T, one, two string) {
		got, err := mention.Names(mention.QuoteName(one) + "\t" + mention.QuoteName(two))
		if err != nil || len(got) != 2 || got[0] != one || got[1] != two {
			t.Errorf("%q, %q: %q, %v", one, two, got, err)
		}
		_, _ = mention.Names(one)
	})
}
