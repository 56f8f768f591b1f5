package agent_test

import (
	"slices"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/coder"
	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/settings"
)

// after is the Next of a test's coder by the number of rounds that have ended; past the last it is done.
func after(steps ...func(coder.Turn) coder.Step) coder.Next {
	return func(t coder.Turn) coder.Step {
		if n := len(t.Rounds); n <= len(steps) {
			return steps[n-1](t)
		}
		return coder.Done{}
	}
}

func always(s coder.Step) func(coder.Turn) coder.Step {
	return func(coder.Turn) coder.Step { return s }
}

// withCoders has the bench run coders of the test beside those of the table.
func (b *bench) withCoders(list ...coder.Coder) {
	b.t.Helper()
	b.engine.Close()
	o := b.options("")
	o.Coders = append(coder.All(), list...)
	b.engine = agent.NewEngine(o)
	b.t.Cleanup(b.engine.Close)
	b.session = b.engine.Session(b.ws)
}

// threeModels has the settings name a model for each role, all of them behind the scripted server.
func (b *bench) threeModels() {
	b.settings.Models = map[string]model.UserModel{}
	for _, name := range []string{"scripted", "thrifty", "writer"} {
		b.settings.Models[name] = b.user
	}
	b.settings.WeakModel, b.settings.EditorModel = "thrifty", "writer"
}

func models(b *bench) (list []string) {
	for _, r := range b.server.Requests() {
		list = append(list, r.Model)
	}
	return list
}

// A coder that plans hands its plan over to one that edits, on another model. The editor sees the plan as
// its request and nothing of the talk before it; all of it is one turn with one proposal.
func TestACoderHandsOverToAnother(t *testing.T) {
	b := newBench(t, replies("Set x to 2 in `a.py`.", noSuchX, xIsTwo), map[string]string{"a.py": "x = 1\n"})
	b.threeModels()
	b.withCoders(coder.Coder{Name: "plan", Doc: "Plans.", Leads: true, Template: "ask.md.tmpl", Next: func(t coder.Turn) coder.Step {
		return coder.HandOver{To: "code", Role: llm.RoleEditor, Format: "diff", Message: t.Last().Text, Why: "Writing the edits of the plan"}
	}})
	r, events := b.run(agent.Request{Instruction: "Make x two.", Coder: "plan", Files: []string{"a.py"}})
	b.checkEvents(events, r)
	if r.State != event.TurnProposed || len(r.Proposal.Files) != 1 || r.Proposal.Files[0].Change.After != "x = 2\n" {
		t.Fatalf("%+v", r)
	}
	if !strings.HasPrefix(r.Answer, "Set x to 2") || !r.HeldEdits {
		t.Errorf("the answer is %q", r.Answer)
	}
	if got := models(b); !slices.Equal(got, []string{"scripted", "writer", "writer"}) {
		t.Errorf("the models are %v", got)
	}
	requests := b.server.Requests()
	planner, editor, again := shownRequest(requests[0]), shownRequest(requests[1]), shownRequest(requests[2])
	if !strings.Contains(planner, "Make x two.") || strings.Contains(planner, "SEARCH") {
		t.Errorf("the planner is sent\n%s", planner)
	}
	if strings.Contains(editor, "Make x two.") || !strings.Contains(editor, "Set x to 2 in `a.py`.") || strings.Contains(editor, "== assistant") {
		t.Errorf("the editor is sent\n%s", editor)
	}
	if !strings.Contains(again, "no such line") || !strings.Contains(again, "Set x to 2 in `a.py`.") {
		t.Errorf("its reflection is\n%s", again)
	}
	var rounds []string
	proposals := 0
	for _, e := range events {
		switch e.Kind {
		case event.KindRound:
			rounds = append(rounds, e.Text)
		case event.KindProposal:
			proposals++
		case event.KindState, event.KindDelta, event.KindTool, event.KindEdit, event.KindOutput, event.KindUsage, event.KindNote, event.KindEnded:
		}
	}
	if proposals != 1 || !slices.Equal(rounds, []string{"Writing the edits of the plan", "1 edit did not match"}) {
		t.Errorf("%d proposals, rounds %q", proposals, rounds)
	}
	// The next turn knows both what was planned and what was written.
	x, ok := b.session.Conversation.History.Find(r.Turn)
	if !ok || x.User != "Make x two." || x.Proposal != r.Proposal.ID || x.Format != "diff" ||
		!strings.Contains(x.Reply, "Set x to 2") || !strings.Contains(x.Reply, "SEARCH") {
		t.Errorf("the history has %+v", x)
	}
}

// Edits of all rounds of a turn end in one proposal, whichever coder made them and in whichever format,
// and each works on what those before it have changed.
func TestEditsOfSeveralCodersAreOneProposal(t *testing.T) {
	b := newBench(t, replies(xIsTwo, "a.py\n```\nx = 2\ny = 3\n```\n"), map[string]string{"a.py": "x = 1\n"})
	b.withCoders(
		coder.Coder{Name: "first", Doc: "Begins.", Edits: true, Format: "diff", Template: "code.md.tmpl",
			Next: after(always(coder.HandOver{To: "second", Message: "Now y.", Continues: true}))},
		coder.Coder{Name: "second", Doc: "Ends.", Edits: true, Format: "whole", Template: "code.md.tmpl", Next: coder.Reflect})
	r, _ := b.run(agent.Request{Instruction: "Make x two, add y.", Coder: "first", Files: []string{"a.py"}})
	if r.State != event.TurnProposed || r.Proposal.Revision != 1 || len(b.session.Proposals.Pending()) != 1 {
		t.Fatalf("%+v", r)
	}
	if c := r.Proposal.Files[0].Change; c.Before != "x = 1\n" || c.After != "x = 2\ny = 3\n" {
		t.Errorf("%+v", c)
	}
	second := shownRequest(b.server.Requests()[1])
	for _, want := range []string{"x = 2", "Make x two, add y.", "== assistant\n(I answered with edits.)", "== user\nNow y."} {
		if !strings.Contains(second, want) {
			t.Errorf("the second coder is not sent %q:\n%s", want, second)
		}
	}
	if strings.Contains(second, "SEARCH") {
		t.Errorf("the second coder sees the other's format:\n%s", second)
	}
}

// A coder can name the files for the next one, and repeat the user's request: what may not be sent is left out.
func TestACoderNamesFilesForTheNext(t *testing.T) {
	b := newBench(t, replies("Look at lib.py and .env.", "Fine."), map[string]string{"a.py": "x = 1\n", "lib.py": "lib = 1\n", ".env": "KEY=secret\n"})
	b.withCoders(coder.Coder{Name: "find", Doc: "Finds.", Leads: true, Template: "ask.md.tmpl", Next: after(func(t coder.Turn) coder.Step {
		return coder.HandOver{To: "code", Files: append(t.Last().Mentioned, ".env", "no-such.py")}
	})})
	r, _ := b.run(agent.Request{Instruction: "What is wrong?", Coder: "find", Files: []string{"a.py"}, Diagnostics: []agent.Diagnostic{{Path: "a.py", Line: 1, Message: "odd x"}}})
	if r.State != event.TurnAnswered {
		t.Fatalf("%+v", r)
	}
	next := shownRequest(b.server.Requests()[1])
	for want, there := range map[string]bool{"x = 1": true, "lib = 1": true, "KEY=secret": false, "no-such": false, "What is wrong?": true, "odd x": true, "Look at": false} {
		if strings.Contains(next, want) != there {
			t.Errorf("%q is there: %v, want %v\n%s", want, !there, there, next)
		}
	}
}

// A coder may ask the user before it goes on; what it does then is its own.
func TestACoderAsks(t *testing.T) {
	confirm := func(t coder.Turn) coder.Step {
		switch {
		case t.Answer == nil:
			return coder.Ask{Question: event.Question{Text: "Go on with this plan?", Choices: []string{"go on", "stop"}, Default: "stop"}}
		case t.Answer.Choice == "go on":
			return coder.HandOver{To: "code", Message: t.Last().Text}
		}
		return coder.Done{}
	}
	for answer, want := range map[string]event.State{"go on": event.TurnProposed, "stop": event.TurnAnswered, "": event.TurnAnswered} {
		b := newBench(t, replies("Set x to 2.", xIsTwo), map[string]string{"a.py": "x = 1\n"})
		b.withCoders(coder.Coder{Name: "plan", Doc: "Plans.", Leads: true, Template: "ask.md.tmpl", Next: after(confirm)})
		if answer != "" {
			b.answers = []string{answer}
		}
		r, _ := b.run(agent.Request{Instruction: "Make x two.", Coder: "plan", Files: []string{"a.py"}})
		if r.State != want || len(b.asked) != 1 || b.asked[0].ID == "" || b.asked[0].Turn != r.Turn {
			t.Errorf("%q: %s, asked %+v", answer, r.State, b.asked)
		}
		if calls := len(b.server.Requests()); (calls == 2) != (want == event.TurnProposed) {
			t.Errorf("%q: %d calls", answer, calls)
		}
	}
}

// Coders that never come to an end are stopped, and what they changed is proposed.
func TestCodersThatNeverEnd(t *testing.T) {
	next := map[string]coder.Next{
		"hands over for ever": func(coder.Turn) coder.Step { return coder.HandOver{Message: "More."} },
		"goes on for ever":    func(coder.Turn) coder.Step { return coder.HandOver{Message: "More.", Continues: true} },
		"asks for ever": func(coder.Turn) coder.Step {
			return coder.Ask{Question: event.Question{Text: "Well?", Choices: []string{"yes", "no"}, Default: "no"}}
		},
		"reflects for ever": func(coder.Turn) coder.Step { return coder.Again{News: "Once more."} },
		"says nothing new":  func(coder.Turn) coder.Step { return coder.Again{} },
	}
	calls := map[string]int{"hands over for ever": 24, "goes on for ever": 24, "asks for ever": 1, "reflects for ever": 4, "says nothing new": 1}
	for what, f := range next {
		b := newBench(t, "repeat: true\n-- 1.md --\n"+xIsTwo, map[string]string{"a.py": "x = 1\n"})
		b.withCoders(coder.Coder{Name: "endless", Doc: "Never ends.", Edits: true, Template: "code.md.tmpl", Next: f})
		r, events := b.run(agent.Request{Instruction: "Make x two.", Coder: "endless", Files: []string{"a.py"}})
		if got := len(b.server.Requests()); got != calls[what] || r.State != event.TurnProposed || len(b.asked) > 8 {
			t.Errorf("%s: %d calls, %d questions, %s", what, got, len(b.asked), r.State)
		}
		if calls[what] == 24 && !told(events, "24 calls") {
			t.Errorf("%s: the user is not told", what)
		}
	}
}

// A hand-over to what is not there ends the turn, and so does one to an editor from a coder that said it
// would propose nothing: such turns run beside an editing one.
func TestHandOversThatCannotBe(t *testing.T) {
	for what, c := range map[string]coder.Coder{
		"there is no coder \"poet\"": {Leads: true, Next: func(coder.Turn) coder.Step { return coder.HandOver{To: "poet"} }},
		"does not edit files":        {Next: func(coder.Turn) coder.Step { return coder.HandOver{To: "code"} }},
	} {
		b := newBench(t, replies("Well."), map[string]string{"a.py": "x = 1\n"})
		c.Name, c.Doc, c.Template = "odd", "Odd.", "ask.md.tmpl"
		b.withCoders(c)
		r, _ := b.run(agent.Request{Instruction: "Make x two.", Coder: "odd"})
		if r.State != event.TurnFailed || r.Err == nil || !strings.Contains(r.Err.Error(), what) {
			t.Errorf("%s: %s, %v", what, r.State, r.Err)
		}
	}
}

// Which model is called is the coder's to say, by role or by name.
func TestModelsByRole(t *testing.T) {
	for _, c := range []struct {
		hand coder.HandOver
		role llm.ModelRole // of the row
		want string
	}{
		{coder.HandOver{}, "", "scripted"},
		{coder.HandOver{}, llm.RoleWeak, "thrifty"},
		{coder.HandOver{}, llm.RoleEditor, "writer"},
		{coder.HandOver{Role: llm.RoleMain}, llm.RoleWeak, "scripted"},
		{coder.HandOver{Role: llm.RoleWeak}, "", "thrifty"},
		{coder.HandOver{Model: "thrifty"}, llm.RoleEditor, "thrifty"},
	} {
		b := newBench(t, replies("One.", "Two."), nil)
		b.threeModels()
		c.hand.To, c.hand.Message = "there", "Go on."
		b.withCoders(coder.Coder{Name: "here", Template: "ask.md.tmpl", Next: after(always(c.hand))},
			coder.Coder{Name: "there", Role: c.role, Template: "ask.md.tmpl", Next: coder.Finish})
		r, events := b.run(agent.Request{Instruction: "Say it.", Coder: "here"})
		if got := models(b); r.State != event.TurnAnswered || len(got) != 2 || got[1] != c.want {
			t.Errorf("%+v, row for %q: %s by %v", c.hand, c.role, r.State, got)
		}
		var named []string
		for _, e := range events {
			if e.Kind == event.KindState && e.State == event.TurnRequesting {
				named = append(named, e.Model)
			}
		}
		if !slices.Equal(named, []string{"scripted", c.want}) {
			t.Errorf("the user is told of %v", named)
		}
	}
	// A role without a model of its own is the main one's.
	b := newBench(t, replies("One.", "Two."), nil)
	b.withCoders(coder.Coder{Name: "frugal", Role: llm.RoleWeak, Template: "ask.md.tmpl", Next: coder.Finish})
	if r, _ := b.run(agent.Request{Instruction: "Say it.", Coder: "frugal"}); r.State != event.TurnAnswered || models(b)[0] != "scripted" {
		t.Errorf("%+v by %v", r, models(b))
	}
}

// A consent to send a protected file holds for the whole turn, and no coder asks for it again.
func TestAConsentHoldsForTheTurn(t *testing.T) {
	b := newBench(t, replies("Plan.", "Fine."), map[string]string{".env": "KEY=secret\n"})
	b.withCoders(coder.Coder{Name: "plan", Leads: true, Template: "ask.md.tmpl", Next: after(always(coder.HandOver{To: "code"}))})
	b.answers = []string{"send"}
	r, _ := b.run(agent.Request{Instruction: "Read it.", Coder: "plan", Target: &agent.Target{Path: ".env"}})
	if r.State != event.TurnAnswered || len(b.asked) != 1 || !strings.Contains(shownRequest(b.server.Requests()[1]), "KEY=secret") {
		t.Errorf("%s, asked %d times", r.State, len(b.asked))
	}
}

// A turn of a coder that leads takes the place of an editing turn from its beginning.
func TestALeadingTurnKeepsOthersWaiting(t *testing.T) {
	b := newBench(t, held(xIsTwo), map[string]string{"a.py": "x = 1\n"})
	b.withCoders(coder.Coder{Name: "plan", Leads: true, Template: "ask.md.tmpl", Next: after(always(coder.HandOver{To: "code"}))})
	first, _ := b.start(agent.Request{Instruction: "Plan it.", Coder: "plan"})
	b.held()
	if second, _ := b.start(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}}); second.Status != agent.StatusBusy {
		t.Errorf("an editing turn beside: %+v", second)
	}
	b.server.Release()
	b.wait(first.Turn)
}

// What shows the prompt of a request shows, to the byte, what a turn for it sends, and changes nothing.
func TestThePromptToLookAtIsWhatIsSent(t *testing.T) {
	b := newBench(t, "repeat: true\n-- 1.md --\n"+xIsTwo, zoo())
	b.put("a.py", "x = 1\ny = 1\n")
	b.settings.RepoMap = settings.RepoMap{Tokens: 100}
	r := agent.Request{Instruction: "Make x two.", Target: &agent.Target{Path: "a.py", Start: 0, End: 6}, ReadOnly: []string{"no-such.md"}}
	for range 3 { // the history grows
		shown, err := b.session.Prompt(t.Context(), r, agent.Ports{})
		if err != nil {
			t.Fatal(err)
		}
		again, _ := b.session.Prompt(t.Context(), r, agent.Ports{})
		b.run(r)
		all := b.server.Requests()
		sent := all[len(all)-1]
		if len(shown.Messages) != len(sent.Messages) || len(again.Messages) != len(sent.Messages) || shown.Tokens == 0 {
			t.Fatalf("%d messages of %d tokens are shown, %d are sent", len(shown.Messages), shown.Tokens, len(sent.Messages))
		}
		for i, m := range shown.Messages {
			if m.String() != sent.Messages[i].Content || string(m.Role) != sent.Messages[i].Role || again.Messages[i].String() != m.String() {
				t.Errorf("message %d is shown as\n%s\nand sent as\n%s", i, m.String(), sent.Messages[i].Content)
			}
		}
	}
	if _, err := b.session.Prompt(t.Context(), agent.Request{Instruction: "x", Files: []string{"../out"}}, agent.Ports{}); err == nil {
		t.Error("a file outside is shown")
	}
	if _, err := b.session.Prompt(t.Context(), agent.Request{Instruction: "x", FollowUp: "t0"}, agent.Ports{}); err == nil {
		t.Error("a follow-up of nothing")
	}
}
