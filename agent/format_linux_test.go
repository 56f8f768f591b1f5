package agent_test

import (
	"os"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/sandbox"
	"coauthor/agent/settings"
)

// A reply that formats nothing: of a file that was formatted, of one that was not, and of one that is new.
const goUnformatted = "a.go\n```\n<<<<<<< SEARCH\npackage x\n=======\npackage x\n\nfunc  f(){}\n>>>>>>> REPLACE\n```\n" +
	"b.go\n```\n<<<<<<< SEARCH\nfunc g( ){}\n=======\nfunc g( ){}\nfunc h( ){}\n>>>>>>> REPLACE\n```\n" +
	"c.go\n```\n<<<<<<< SEARCH\n=======\npackage x\nfunc i( ){}\n>>>>>>> REPLACE\n```\n"

// What a formatter makes of the changed files is part of the change once the user has taken the offer, and then alone. A file
// that was not formatted before stays as the model wrote it. It is so in the sandbox and in a copy.
func TestTakenFormattersFormatTheChange(t *testing.T) {
	for _, way := range []sandbox.Way{sandbox.Overlay, sandbox.Copied} {
		for _, answer := range []string{"check", "no"} {
			t.Run(string(way)+" "+answer, func(t *testing.T) {
				state := t.TempDir()
				b := newBench(t, replies(goUnformatted), map[string]string{"go.mod": "module x\n\ngo 1.24\n", "a.go": "package x\n", "b.go": "package x\nfunc g( ){}\n"})
				b.settings.Verify = "lint"
				withCommands(t, b, state)
				if way == sandbox.Copied {
					o := b.options(state)
					o.Shadow = sandbox.NewShadow(sandbox.ShadowOptions{Dir: t.TempDir(), Environ: os.Environ(), Ways: []sandbox.Way{way}})
					b.engine.Close()
					b.engine = agent.NewEngine(o)
					t.Cleanup(b.engine.Close)
					b.session = b.engine.Session(b.ws)
				}
				b.answers = []string{answer}
				o := b.session.Consent.Suggest(t.Context())
				if taken, err := b.session.Consent.Offer(t.Context(), o, b); err != nil || taken != (answer == "check") {
					t.Fatal(taken, err)
				}
				for _, want := range []string{`to format: gofmt -w "{files}"`, "Format and check every change with them", "Only the changed files come back from a formatter"} {
					if q := b.asked[0].Text; !strings.Contains(q, want) {
						t.Errorf("%q is not in %q", want, q)
					}
				}
				r, events := b.run(agent.Request{Instruction: "Add functions.", Files: []string{"a.go", "b.go", "c.go"}})
				if r.State != event.TurnProposed || len(b.asked) != 1 {
					t.Fatalf("%+v, asked %+v", r, b.asked)
				}
				want := map[string]string{"a.go": "package x\n\nfunc  f(){}\n", "b.go": "package x\nfunc g( ){}\nfunc h( ){}\n", "c.go": "package x\nfunc i( ){}\n"}
				if answer == "check" {
					want["a.go"], want["c.go"] = "package x\n\nfunc f() {}\n", "package x\n\nfunc i() {}\n"
				}
				for _, f := range r.Proposal.Files {
					if f.Change.After != want[f.Change.Path] {
						t.Errorf("%s is\n%s", f.Change.Path, f.Change.After)
					}
				}
				told := false
				for _, e := range events {
					told = told || e.Kind == event.KindNote && e.Note.Text == "Formatted with gofmt: a.go, c.go."
				}
				if told != (answer == "check") {
					t.Errorf("told: %v", told)
				}
			})
		}
	}
}

// A formatter that is set is asked about before its first run, as one that formats. What keeps it from running is said with the
// change, and the change is as the model made it.
func TestFormattersThatAreSet(t *testing.T) {
	for name, c := range map[string]struct {
		run           []string
		answer, after string
		verdict       string
	}{
		"allowed":       {[]string{"sh", "-c", `sed -i s/x/y/ "$@"`, "-", "{files}"}, "run", "y = 2\n", "syntax ✓"},
		"refused":       {[]string{"sh", "-c", `sed -i s/x/y/ "$@"`, "-", "{files}"}, "skip", "x = 2\n", "syntax ✓, sh not run (you did not allow it)"},
		"fails":         {[]string{"sh", "-c", `sed -i s/x/y/ "$@"; echo broken; exit 3`, "-", "{files}"}, "run", "x = 2\n", "syntax ✓, sh not run (it failed with exit status 3: broken)"},
		"not installed": {[]string{"no-such-formatter", "{files}"}, "run", "x = 2\n", "syntax ✓, no-such-formatter not run (no-such-formatter is not installed)"},
		"links out":     {[]string{"sh", "-c", `rm "$1"; ln -s /etc/passwd "$1"`, "-", "{files}"}, "run", "x = 2\n", "syntax ✓"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, replies("new.py\n```\n<<<<<<< SEARCH\n=======\nx = 2\n>>>>>>> REPLACE\n```\n"), nil)
			b.settings.Verify = "lint"
			b.settings.Checks.Format = []settings.CheckCommand{{Run: c.run, Files: []string{"*.py"}}}
			withCommands(t, b, t.TempDir())
			b.answers = []string{c.answer}
			r, _ := b.run(agent.Request{Instruction: "Make it.", Files: []string{"new.py"}})
			if r.State != event.TurnProposed || len(b.asked) != 1 || !strings.Contains(b.asked[0].Text, "to format changes in this folder?") {
				t.Fatalf("%+v, asked %+v", r, b.asked)
			}
			if got := r.Proposal.Files[0].Change.After; got != c.after || untimed(r.Proposal.Verdict) != c.verdict {
				t.Errorf("%q, %q", got, r.Proposal.Verdict)
			}
		})
	}
}

// A formatter is no linter and no test: the commands that run these do not run it, and no model is told to.
func TestFormattersAreNoLinters(t *testing.T) {
	b := newBench(t, replies("Fine."), map[string]string{"a.py": "x = 1\n"})
	b.settings.Verify = "lint"
	b.settings.Checks.Format = []settings.CheckCommand{{Run: []string{"my-formatter", "{files}"}}}
	withCommands(t, b, t.TempDir())
	for command, want := range map[string]string{"/lint": "no linters configured or detected", "/test": "no tests configured or detected"} {
		if answer, err := b.command(command); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v, %v", command, answer, err)
		}
	}
	if r, _ := b.run(agent.Request{Instruction: "Why?", Files: []string{"a.py"}}); r.Err != nil || b.sent("my-formatter") || len(b.asked) > 0 {
		t.Errorf("%+v, asked %+v", r, b.asked)
	}
}
