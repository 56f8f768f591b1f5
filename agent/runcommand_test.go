//go:build unix

package agent_test

import (
	"slices"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/display"
)

// A command runs only when the user says so or has allowed it; its output comes into the conversation only when they say so.
func TestRunAsksFirst(t *testing.T) {
	for name, test := range map[string]struct {
		line    string
		answers []string
		asked   int
		ran     bool
		added   bool
		then    bool
	}{
		"nobody answers":     {"/run echo out > made", nil, 1, false, false, false},
		"skip":               {"/run echo out > made", []string{"skip"}, 1, false, false, false},
		"run without output": {"/run touch made", []string{"run"}, 1, true, false, false},
		"run":                {"/run echo out | tee made", []string{"run", "add"}, 2, true, true, false},
		"left out":           {"/run echo out | tee made", []string{"run", "skip"}, 2, true, false, false},
		"fails, and fix":     {"/run echo out | tee made; false", []string{"run", "fix"}, 2, true, true, true},
		"fails":              {"/run echo out | tee made; false", []string{"run"}, 2, true, false, false},
		"allowed":            {"/run touch made", []string{"skip"}, 0, true, false, false},
		"allowed beginning":  {"/run touch ./made", nil, 0, true, false, false},
		"more than allowed":  {"/run touch made && echo x", nil, 1, false, false, false},
		"another beginning":  {"/run touch", nil, 1, false, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, "-- 1.md --\nFine.\n", map[string]string{"a.py": "x = 1\n"})
			o := b.options("")
			o.Environ = []string{"PATH=/usr/bin:/bin"}
			b.engine = agent.NewEngine(o)
			t.Cleanup(b.engine.Close)
			b.session = b.engine.Session(b.ws)
			if strings.Contains(name, "allowed") || name == "another beginning" {
				b.settings.Shell.Allow = []string{"touch made", "touch *", ""}
			}
			if name == "run without output" || name == "another beginning" {
				b.settings.Shell.Allow = nil
			}
			b.answers = test.answers
			a, rest, _ := command.CommandOf(command.Actions(), test.line)
			answer, err := a.Run.Do(t.Context(), b.session, command.Call{Args: a.Given(rest), Ports: agent.Ports{Ask: b}})
			if err != nil {
				t.Fatal(err)
			}
			got, _ := answer.Data.(command.Ran)
			if (got.Status == command.RanDone) != test.ran || b.ws.Snapshot().Exists("made") != test.ran || got.Added != test.added || (answer.Then != nil) != test.then {
				t.Errorf("%+v, then %v", got, answer.Then)
			}
			if len(b.asked) != test.asked || test.asked > 0 && !strings.Contains(b.asked[0].Text, rest) {
				t.Errorf("asked %+v", b.asked)
			}
			if list := b.session.Conversation.History.Done(); (len(list) == 1 && strings.Contains(list[0].User, "out")) != (test.added && !test.then) {
				t.Errorf("the conversation is %+v", list)
			}
			if test.then && !strings.Contains(answer.Then.Instruction, "out") {
				t.Errorf("asked for %q", answer.Then.Instruction)
			}
		})
	}
}

// A command that a sentence would cut, or show as another one, stands below the question to its last character.
func TestLongCommandsAreShownWhole(t *testing.T) {
	b := newBench(t, "-- 1.md --\nFine.\n", map[string]string{"a.py": "x = 1\n"})
	o := b.options("")
	o.Environ = []string{"PATH=/usr/bin:/bin"}
	b.engine = agent.NewEngine(o)
	t.Cleanup(b.engine.Close)
	b.session = b.engine.Session(b.ws)
	word := "./" + strings.Repeat("a", 590) + "/end"
	for _, c := range []struct {
		command string
		below   bool
	}{
		{"go vet ./...", false},
		{"echo " + strings.Repeat("b", 195), false},
		{"echo " + strings.Repeat("b", 196), true},
		{"rm -rf " + word, true},
		{strings.Repeat("echo one and two; ", 35) + "rm -rf /", true},
		{"echo one\nrm -rf /", true},
		{"echo one \u202e fr- mr", true},
	} {
		b.asked, b.answers = nil, []string{"skip"}
		a, _, _ := command.CommandOf(command.Actions(), "/run")
		if _, err := a.Run.Do(t.Context(), b.session, command.Call{Args: a.Given(c.command), Ports: agent.Ports{Ask: b}}); err != nil || len(b.asked) != 1 {
			t.Fatalf("%q: %v, asked %+v", c.command, err, b.asked)
		}
		q := b.asked[0]
		if c.below != (q.Body == c.command) || c.below == strings.HasSuffix(q.Text, "\n"+c.command) || !strings.Contains(q.Text, "outside the sandbox.") {
			t.Errorf("%q: asked %+v", c.command, q)
		}
		if display.Text(q.Body) != q.Body && !strings.Contains(c.command, "\u202e") || display.Message(q.Text) != display.Line(q.Text) {
			t.Errorf("%q is cut in %+v", c.command, q)
		}
	}
}

// A command sees none of the keys of models, and ends with its session.
func TestRunSeesNoKeys(t *testing.T) {
	b := newBench(t, "-- 1.md --\nFine.\n", map[string]string{"a.py": "x = 1\n"})
	o := b.options("")
	o.Environ = []string{"PATH=/usr/bin:/bin", "OPENAI_API_KEY=hidden", "MINE=hidden", "OTHER=seen"}
	b.settings.APIKeyEnv, b.settings.Shell.Allow = "MINE", []string{"env"}
	e := agent.NewEngine(o)
	t.Cleanup(e.Close)
	a, _, _ := command.CommandOf(command.Actions(), "/run")
	answer, err := a.Run.Do(t.Context(), e.Session(b.ws), command.Call{Args: a.Given("env"), Ports: agent.Ports{Ask: b}})
	got, _ := answer.Data.(command.Ran)
	if err != nil || strings.Contains(got.Output, "hidden") || !strings.Contains(got.Output, "OTHER=seen") {
		t.Errorf("%v: %s", err, got.Output)
	}
	if _, err := a.Run.Do(t.Context(), b.session, command.Call{Args: a.Given("env")}); err == nil || !strings.Contains(err.Error(), "not available here") {
		t.Errorf("without an environment: %v", err)
	}
	if _, err := a.Run.Do(t.Context(), e.Session(b.ws), command.Call{Args: a.Given(" ")}); err == nil {
		t.Error("nothing was run, and no error")
	}
}

// Without a command, those that the last answer suggests are listed; the one that is chosen is asked about like any other.
func TestRunListsSuggestedCommands(t *testing.T) {
	for _, c := range []struct {
		answers []string
		made    bool
		says    string
	}{
		{nil, false, "Commands suggested by the last answer:\ntouch one\ntouch two"},
		{[]string{"2"}, false, "The command was not run."},
		{[]string{"2", "run"}, true, ""},
	} {
		b := newBench(t, "-- 1.md --\nDo this:\n\n```sh\ntouch one\ntouch two\n```\n", map[string]string{"a.py": "x = 1\n"})
		o := b.options("")
		o.Environ = []string{"PATH=/usr/bin:/bin"}
		b.engine = agent.NewEngine(o)
		t.Cleanup(b.engine.Close)
		b.session = b.engine.Session(b.ws)
		b.run(agent.Request{Instruction: "How?", Coder: "ask"})
		b.answers = c.answers
		a, _, _ := command.CommandOf(command.Actions(), "/run")
		answer, err := a.Run.Do(t.Context(), b.session, command.Call{Args: a.Given(), Ports: agent.Ports{Ask: b}})
		if err != nil || b.ws.Snapshot().Exists("two") != c.made || b.ws.Snapshot().Exists("one") || c.says != "" && answer.Text != c.says {
			t.Errorf("%v: %v, %q", c.answers, err, answer.Text)
		}
		if q := b.asked[0]; !slices.Equal(q.Numbered(), []string{"1", "2"}) || q.Title("1") != "touch one" || q.Title("2") != "touch two" {
			t.Errorf("asked %+v", q)
		}
	}
}
