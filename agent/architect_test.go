package agent_test

import (
	"slices"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/coder"
	"coauthor/agent/event"
	"coauthor/agent/settings"
)

// The main model plans, the editor model writes the edits in its own format, and all of it is one proposal.
func TestTheArchitectPlansAndTheEditorEdits(t *testing.T) {
	for what, c := range map[string]struct {
		editorFormat, setting, request string
		want                           string
	}{
		"by the model's edit format":  {"", "", "", "editor-diff"},
		"by its format as an editor":  {"editor-whole", "diff", "", "editor-whole"},
		"by the setting":              {"", "whole", "", "editor-whole"},
		"by the request":              {"editor-diff", "diff", "whole", "editor-whole"},
		"in a format without another": {"", "", "udiff", "udiff"},
	} {
		edit := map[string]string{"editor-diff": xIsTwo, "editor-whole": "a.py\n```\nx = 2\n```\n", "udiff": "```diff\n--- a.py\n+++ a.py\n@@ @@\n-x = 1\n+x = 2\n```\n"}[c.want]
		b := newBench(t, replies("1. a.py: x becomes 2."+asPlan, edit), map[string]string{"a.py": "x = 1\n", "lib.py": "def far_away():\n    pass\n"})
		b.threeModels()
		writer := b.settings.Models["writer"]
		writer.EditorFormat = c.editorFormat
		b.settings.Models["writer"] = writer
		b.settings.EditFormat = c.setting
		b.settings.RepoMap = settings.RepoMap{Tokens: 200}
		r, events := b.run(agent.Request{Instruction: "Make x two.", Coder: "architect", Format: c.request, Files: []string{"a.py"}})
		b.checkEvents(events, r)
		if r.State != event.TurnProposed || len(r.Proposal.Files) != 1 || r.Proposal.Files[0].Change.After != "x = 2\n" || r.Proposal.Revision != 1 {
			t.Fatalf("%s: %+v", what, r)
		}
		if got := models(b); !slices.Equal(got, []string{"scripted", "writer"}) {
			t.Errorf("%s: the models are %v", what, got)
		}
		if x, ok := b.session.Conversation.History.Find(r.Turn); !ok || x.Format != c.want || !strings.HasPrefix(x.Reply, "1. a.py: x becomes 2.") {
			t.Errorf("%s: the history has %+v", what, x)
		}
		sent := shownRequest(b.server.Requests()[1])
		for _, want := range []string{"Make x two.", "1. a.py: x becomes 2.", "x = 1"} {
			if !strings.Contains(sent, want) {
				t.Errorf("%s: the editor is not told %q:\n%s", what, want, sent)
			}
		}
		if strings.Contains(sent, "far_away") {
			t.Errorf("%s: the editor, whose plan says all, is shown the map:\n%s", what, sent)
		}
	}
}

// Who writes the edits of a plan knows what was said before the turn, as who plans does: a request may go back to it.
func TestTheEditorKnowsTheConversation(t *testing.T) {
	b := newBench(t, replies("The limit is called CEILING here.", "1. a.py: x becomes the limit."+asPlan, "a.py\n```\nx = CEILING\n```\n"), map[string]string{"a.py": "x = 1\n"})
	b.threeModels()
	b.run(agent.Request{Instruction: "What is the limit called?", Coder: "ask", Files: []string{"a.py"}})
	r, events := b.run(agent.Request{Instruction: "Use it for x.", Coder: "architect", Format: "whole", Files: []string{"a.py"}})
	if b.checkEvents(events, r); r.State != event.TurnProposed || r.Proposal.Files[0].Change.After != "x = CEILING\n" {
		t.Fatalf("%+v", r)
	}
	if got := models(b); !slices.Equal(got, []string{"scripted", "scripted", "writer"}) {
		t.Errorf("the models are %v", got)
	}
	for i, request := range b.server.Requests()[1:] {
		sent := shownRequest(request)
		asked, said := strings.Index(sent, "What is the limit called?"), strings.Index(sent, "== assistant\nThe limit is called CEILING here.")
		if now := strings.Index(sent, "Use it for x."); asked < 0 || said < asked || now < said {
			t.Errorf("request %d is without what was said before:\n%s", i+2, sent)
		}
	}
}

// With turn.stepwise the user sees the plan and decides. Whatever is no yes writes no edits; other words
// are for the architect.
func TestThePlanIsConfirmed(t *testing.T) {
	for answer, c := range map[string]struct {
		state event.State
		calls int
	}{"continue": {event.TurnProposed, 2}, "stop": {event.TurnAnswered, 1}, "": {event.TurnAnswered, 1}} {
		b := newBench(t, replies("a.py: x becomes 2."+asPlan, xIsTwo), map[string]string{"a.py": "x = 1\n"})
		b.settings.Stepwise = true
		if answer != "" {
			b.answers = []string{answer}
		}
		r, _ := b.run(agent.Request{Instruction: "Make x two.", Coder: "architect", Files: []string{"a.py"}})
		if r.State != c.state || len(b.asked) != 1 || len(b.server.Requests()) != c.calls || b.asked[0].Default != "stop" {
			t.Errorf("%q: %s, %d calls, asked %+v", answer, r.State, len(b.server.Requests()), b.asked)
		}
	}
	b := newBench(t, replies("a.py: x becomes 3."+asPlan, "a.py: x becomes 2."+asPlan, xIsTwo), map[string]string{"a.py": "x = 1\n"})
	b.settings.Stepwise = true
	b.texts = []string{"Two, not three.", "continue"}
	r, _ := b.run(agent.Request{Instruction: "Make x two.", Coder: "architect", Files: []string{"a.py"}})
	sent := shownRequest(b.server.Requests()[1])
	if r.State != event.TurnProposed || len(b.asked) != 2 || !strings.Contains(sent, "== assistant\na.py: x becomes 3."+asPlan+"\n== user\nTwo, not three.") {
		t.Errorf("%s, asked %d times, sent\n%s", r.State, len(b.asked), sent)
	}
	if order := shownRequest(b.server.Requests()[2]); strings.Contains(order, "becomes 3") || !strings.Contains(order, "becomes 2") {
		t.Errorf("the editor gets\n%s", order)
	}
}

// Files that the architect asks for are offered, and it plans again with them; a plan is not made for ever.
func TestTheArchitectAsksForFiles(t *testing.T) {
	disk := map[string]string{"a.py": "x = 1\n", "lib.py": "lib = 1\n", "other.py": "o = 1\n", ".env": "KEY=secret\n"}
	b := newBench(t, replies("I need lib.py and .env.", "Change x in a.py, as in lib.py."+asPlan, xIsTwo), disk)
	b.answers = []string{"add"}
	r, _ := b.run(agent.Request{Instruction: "Make x two.", Coder: "architect", Files: []string{"a.py"}})
	if r.State != event.TurnProposed || len(b.asked) != 1 || strings.Contains(b.asked[0].Text, ".env") {
		t.Fatalf("%+v, asked %+v", r, b.asked)
	}
	for i, request := range b.server.Requests()[1:] {
		if sent := shownRequest(request); !strings.Contains(sent, "lib = 1") || strings.Contains(sent, "secret") {
			t.Errorf("request %d:\n%s", i+2, sent)
		}
	}
	// Declined, the plan that there is goes on.
	b = newBench(t, replies("Look at lib.py."+asPlan, xIsTwo), disk)
	if r, _ = b.run(agent.Request{Instruction: "Make x two.", Coder: "architect", Files: []string{"a.py"}}); r.State != event.TurnProposed || len(b.server.Requests()) != 2 {
		t.Errorf("declined: %+v", r)
	}
	b = newBench(t, replies("lib.py?", "other.py?", "And c.py?"+asPlan, xIsTwo), map[string]string{"a.py": "x = 1\n", "lib.py": "", "other.py": "", "c.py": ""})
	b.settings.AddMentioned = "always"
	if r, _ = b.run(agent.Request{Instruction: "Make x two.", Coder: "architect", Files: []string{"a.py"}}); r.State != event.TurnProposed || len(b.server.Requests()) != 4 {
		t.Errorf("asks for ever: %+v, %d calls", r, len(b.server.Requests()))
	}
}

// asPlan is how a plan ends.
const asPlan = "\n\n" + coder.PlanSign

// Only a reply that ends with the sign of a plan is carried out, whatever else it says; the editor is not shown the sign.
func TestNoPlanIsNotCarriedOut(t *testing.T) {
	for what, script := range map[string]string{
		"an answer":             replies("It is one already.", xIsTwo),
		"a question":            replies("Which x? In a.py, x becomes 2 or 3.", xIsTwo),
		"cut off":               "-- 1.md --\nChange x in a.py to" + asPlan + "\n-- 1.yaml --\nfinish: length\n-- 2.md --\n" + xIsTwo,
		"the sign elsewhere":    replies("a.py: x becomes 2."+asPlan+"\n\nOr do you want three?", xIsTwo),
		"words around the sign": replies("a.py: x becomes 2.\nThis is no PLAN COMPLETE", xIsTwo),
		"a plan":                replies("a.py: x becomes 2."+asPlan+"\n", xIsTwo),
		"a decorated sign":      replies("a.py: x becomes 2.\n\n**PLAN COMPLETE.**", xIsTwo),
	} {
		want := event.TurnAnswered
		if strings.HasSuffix(what, "a plan") || what == "a decorated sign" {
			want = event.TurnProposed
		}
		b := newBench(t, script, map[string]string{"a.py": "x = 1\n"})
		r, _ := b.run(agent.Request{Instruction: "Make x two.", Coder: "architect", Files: []string{"a.py"}})
		if r.State != want || (len(b.server.Requests()) == 1) != (want == event.TurnAnswered) {
			t.Errorf("%s: %s after %d calls", what, r.State, len(b.server.Requests()))
		}
		if want == event.TurnProposed && strings.Contains(string(b.server.Requests()[1].Body), coder.PlanSign) {
			t.Errorf("%s: the editor is shown the sign", what)
		}
	}
}
