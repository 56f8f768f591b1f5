package agent_test

import (
	"os"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/sandbox"
	"coauthor/agent/settings"
	"coauthor/agent/verify"
)

// goFolder is a folder that shows to use go vet, with a test beside.
var goFolder = map[string]string{"a.py": "x = 1\n", "go.mod": "module x\n\ngo 1.24\n", "a.go": "package x\n", "a_test.go": "package x\n"}

// offering is a bench in that folder, with the answers that were kept so far.
func offering(t *testing.T, state string) *bench {
	t.Helper()
	b := newBench(t, replies(goTwice, goTwice, goTwice), goFolder)
	b.settings.Verify = "lint"
	withCommands(t, b, state)
	return b
}

const goTwice = "a.go\n```\n<<<<<<< SEARCH\npackage x\n=======\npackage x\n\nimport \"fmt\"\n\nfunc f() { fmt.Printf(\"%d\", \"x\") }\n>>>>>>> REPLACE\n```\n"

// What the folder shows to use is offered once, in its exact text; a yes and a no are kept, no answer is not.
func TestChecksAreOfferedOnce(t *testing.T) {
	for _, c := range []struct {
		answer string
		taken  bool
		again  int
	}{{"check", true, 0}, {"no", false, 0}, {"", false, 3}} {
		t.Run(c.answer, func(t *testing.T) {
			state := t.TempDir()
			b := offering(t, state)
			o := b.session.Consent.Suggest(t.Context())
			if len(o.Tools) != 3 || o.Full {
				t.Fatalf("%+v", o)
			}
			if c.answer != "" {
				b.answers = []string{c.answer}
			}
			taken, err := b.session.Consent.Offer(t.Context(), o, b)
			if err != nil || taken != c.taken || len(b.asked) != 1 {
				t.Fatal(taken, err, b.asked)
			}
			q := b.asked[0]
			for _, want := range []string{`go vet "{dirs}"`, `to format: gofmt -w "{files}"`, "to test: go test -json ./... (only if verify.level is full)", "{dirs} stands for"} {
				if !strings.Contains(q.Text, want) {
					t.Errorf("%q is not in %q", want, q.Text)
				}
			}
			for i, want := range []string{`go vet "{dirs}"`, ""} {
				if text, err := b.session.Consent.Advise(o); err != nil || !strings.Contains(text, want) || (text == "") != (i == 1) {
					t.Errorf("advised %q, %v", text, err)
				}
			}
			if q.Default != "no" || q.ID == "" {
				t.Errorf("%+v", q)
			}
			if again := b.session.Consent.Suggest(t.Context()); len(again.Tools) > 0 {
				t.Errorf("offered twice: %+v", again)
			}
			b.engine.Close()
			withCommands(t, b, state)
			if again := b.session.Consent.Suggest(t.Context()); len(again.Tools) != c.again {
				t.Errorf("in the next session: %+v", again)
			}
		})
	}
}

// Nothing is offered to who has set commands, or wants none of them.
func TestChecksAreNotOffered(t *testing.T) {
	for name, change := range map[string]func(b *bench){
		"a linter is set":  func(b *bench) { b.settings.Checks.Lint = []settings.CheckCommand{linter} },
		"a test is set":    func(b *bench) { b.settings.Checks.Test = []settings.CheckCommand{linter} },
		"a formatter is":   func(b *bench) { b.settings.Checks.Format = []settings.CheckCommand{linter} },
		"syntax":           func(b *bench) { b.settings.Verify = "syntax" },
		"off":              func(b *bench) { b.settings.Verify = "off" },
		"nothing can run":  func(b *bench) { b.session = agent.NewEngine(b.options(t.TempDir())).Session(b.ws) },
		"nothing is shown": func(b *bench) { b.session = b.engine.Session(newBench(t, replies("x"), nil).ws) },
	} {
		t.Run(name, func(t *testing.T) {
			b := offering(t, t.TempDir())
			change(b)
			if o := b.session.Consent.Suggest(t.Context()); len(o.Tools) > 0 {
				t.Errorf("%+v", o)
			}
		})
	}
}

// What was taken runs in the next turn without another question, also in the next session; what was not does not, and what
// the user sets takes its place.
func TestTakenChecksRun(t *testing.T) {
	state := t.TempDir()
	b := offering(t, state)
	b.answers = []string{"check"}
	if taken, err := b.session.Consent.Offer(t.Context(), b.session.Consent.Suggest(t.Context()), b); err != nil || !taken {
		t.Fatal(taken, err)
	}
	verdict := func() string {
		t.Helper()
		b.settings.MaxReflections = 0
		r, _ := b.run(agent.Request{Instruction: "Add f.", Files: []string{"a.go"}})
		if r.State != event.TurnProposed {
			t.Fatalf("%+v", r)
		}
		return untimed(r.Proposal.Verdict)
	}
	got := verdict()
	if got != "syntax ✓, go vet: 1 problem (new)" || len(b.asked) != 1 {
		t.Errorf("%q, asked %+v", got, b.asked)
	}
	b.engine.Close()
	withCommands(t, b, state)
	if got := verdict(); got != "syntax ✓, go vet: 1 problem (new)" || len(b.asked) != 1 {
		t.Errorf("in the next session: %q, asked %+v", got, b.asked)
	}
	b.settings.Checks.Lint = []settings.CheckCommand{{Run: verify.Command{"true"}}}
	if got := verdict(); got != "syntax ✓, true not run (you did not allow it)" {
		t.Errorf("with a linter of the user's own: %q", got)
	}
}

// A script that runs by its name is offered with its words. When these change, and be it by the change that is checked, the
// user is asked again before it runs.
func TestAScriptIsAskedAboutAgainWhenItChanges(t *testing.T) {
	state := t.TempDir()
	const before, after = `{"scripts": {"test": "true"}}`, `{"scripts": {"pretest": "echo more", "test": "false"}}`
	reply := "package.json\n```\n<<<<<<< SEARCH\n" + before + "\n=======\n" + after + "\n>>>>>>> REPLACE\n```\n"
	b := newBench(t, replies(reply), map[string]string{"package.json": before + "\n"})
	b.settings.Verify, b.settings.MaxReflections = "full", 0
	withCommands(t, b, state)
	b.answers = []string{"check"}
	o := b.session.Consent.Suggest(t.Context())
	if taken, err := b.session.Consent.Offer(t.Context(), o, b); err != nil || !taken {
		t.Fatalf("%+v, %v, %v", o, taken, err)
	}
	if text := b.asked[0].Text; !strings.Contains(text, "to test: npm test (runs: true)") {
		t.Errorf("%q", text)
	}
	b.answers = []string{"skip"}
	r, _ := b.run(agent.Request{Instruction: "Change the test.", Files: []string{"package.json"}})
	if r.State != event.TurnProposed || len(b.asked) != 2 || untimed(r.Proposal.Verdict) != "syntax ✓, npm test not run (you did not allow it)" {
		t.Fatalf("%+v, asked %+v", r, b.asked)
	}
	if text := b.asked[1].Text; !strings.Contains(text, "Always run npm test to check") || !strings.Contains(text, "The script in package.json runs: echo more && false.") {
		t.Errorf("%q", text)
	}
}

// What is offered is shown whole: scripts that a sentence would cut stand below the question, a line each.
func TestLongChecksAreOfferedWhole(t *testing.T) {
	script := "node ./tests/" + strings.Repeat("all", 190) + ".js && rm -rf build"
	b := newBench(t, replies("x"), map[string]string{"package.json": `{"scripts": {"test": "` + script + `", "lint": "eslint ."}}` + "\n", "package-lock.json": "{}\n"})
	b.settings.Verify = "lint"
	withCommands(t, b, t.TempDir())
	o := b.session.Consent.Suggest(t.Context())
	q := o.Question()
	lines := strings.Split(q.Body, "\n")
	if len(lines) != len(o.Tools) || lines[len(lines)-1] != "to test (only if verify.level is full): npm test (runs: "+script+")" {
		t.Errorf("%+v", q)
	}
	if !strings.HasPrefix(q.Text, "Coauthor found these commands in this folder. ") || !strings.Contains(q.Text, "discards anything that commands write") {
		t.Errorf("%q", q.Text)
	}
}

// Where commands run in a copy, the question says what that does not keep them from, and the yes is for that alone; where
// nothing is possible, nothing is offered.
func TestChecksInACopyAreOfferedAsSuch(t *testing.T) {
	state := t.TempDir()
	b := offering(t, state)
	shadow := func(ways ...sandbox.Way) {
		o := b.options(state)
		o.Shadow = sandbox.NewShadow(sandbox.ShadowOptions{Dir: t.TempDir(), Environ: os.Environ(), Ways: ways})
		b.engine.Close()
		b.engine = agent.NewEngine(o)
		t.Cleanup(b.engine.Close)
		b.session = b.engine.Session(b.ws)
	}
	shadow(sandbox.Overlay) // without a helper there is none
	if o := b.session.Consent.Suggest(t.Context()); len(o.Tools) > 0 {
		t.Errorf("%+v", o)
	}
	shadow(sandbox.Copied)
	b.answers = []string{"check"}
	if taken, err := b.session.Consent.Offer(t.Context(), b.session.Consent.Suggest(t.Context()), b); err != nil || !taken {
		t.Fatal(taken, err)
	}
	if text := b.asked[0].Text; !strings.Contains(text, "This system has no sandbox") {
		t.Errorf("%q", text)
	}
	b.settings.MaxReflections = 0
	r, _ := b.run(agent.Request{Instruction: "Add f.", Files: []string{"a.go"}})
	if r.State != event.TurnProposed || untimed(r.Proposal.Verdict) != "syntax ✓, go vet: 1 problem (new)" ||
		!strings.HasSuffix(r.Proposal.Verdict, "in a copy of the folder without a sandbox") || len(b.asked) != 1 {
		t.Fatalf("%+v, asked %+v", r.Proposal, b.asked)
	}
	b.engine.Close()
	withCommands(t, b, state) // where there are namespaces, that is another question
	if o := b.session.Consent.Suggest(t.Context()); len(o.Tools) != 3 && o.Tools != nil {
		t.Errorf("%+v", o)
	}
}
