package agent_test

import (
	"strings"
	"testing"

	"coauthor/agent"
)

// Who switches the models in the middle of a conversation goes on with it: what was said and the files of the chat stay,
// the next turn is the new model's, and messages of commits are the new weak model's.
func TestSwitchedModelsTakeOver(t *testing.T) {
	b := newGitBench(t, replies("x is one.", "I do it.\n\n"+xIsTwo, "Set x to two"), map[string]string{"a.py": "x = 1\n"})
	b.threeModels()
	b.ws.DidOpen("a.py", "x = 1\n", 1)
	b.run(agent.Request{Instruction: "What is x?", Coder: "ask", Files: []string{"a.py"}})
	c := b.session.Chosen.Get()
	c.Model, c.WeakModel = "writer", "scripted"
	if _, err := b.session.Choose(c); err != nil {
		t.Fatal(err)
	}
	rec := b.twoOfIt()
	b.save("a.py", "x = 2\n")
	if got := b.commits(rec); len(got) != 1 || got[0].Subject != "Set x to two" {
		t.Fatalf("told %+v", got)
	}
	if got := strings.Join(models(b), " "); got != "scripted writer scripted" {
		t.Errorf("%s were asked", got)
	}
	sent := shownRequest(b.server.Requests()[1])
	for _, part := range []string{"What is x?", "x is one.", "Make x two."} {
		if !strings.Contains(sent, part) {
			t.Errorf("%q is not sent:\n%s", part, sent)
		}
	}
}
