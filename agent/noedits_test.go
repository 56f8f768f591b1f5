package agent_test

import (
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
)

// A reply that shows that the model meant to edit, and of which no edit can be read, is not taken for an answer: the model hears
// that nothing came through, with the rules. What only speaks of edits, or shows code, is an answer.
func TestAReplyWithoutAWellFormedEdit(t *testing.T) {
	for name, c := range map[string]struct {
		reply, instruction string
		again              bool
	}{
		"marks without their words":    {"So:\n\n<<<<<<<\nx = 1\n=======\nx = 2\n>>>>>>>\n", "Make x two.", true},
		"a diff without a hunk":        {"```diff\n--- a.py\n+++ a.py\n```\n", "Make x two.", true},
		"nothing but words":            {"x is one. A block would begin with <<<<<<< SEARCH and end with >>>>>>> REPLACE.", "Make x two.", false},
		"code alone":                   {"It would be:\n\n```python\nx = 2\n```\n", "Make x two.", false},
		"the conflict that is there":   {"There is a conflict in it:\n\n<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> other\n", "What is in a.py?", false},
		"the user asks for the format": {"Like this:\n\n<<<<<<<\nx\n=======\ny\n>>>>>>>\n", "How does a search/replace block look?", false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, replies(c.reply, xIsTwo), map[string]string{"a.py": "x = 1\n"})
			r, events := b.run(agent.Request{Instruction: c.instruction, Files: []string{"a.py"}})
			b.checkEvents(events, r)
			sent := b.server.Requests()
			if (len(sent) == 2) != c.again || (r.State == event.TurnProposed) != c.again || !c.again && r.State != event.TurnAnswered {
				t.Fatalf("%d requests, %s, %v", len(sent), r.State, r.Err)
			}
			if c.again && (!strings.Contains(shownRequest(sent[1]), "no edit in it is complete, so nothing was changed") || strings.Count(shownRequest(sent[1]), "<<<<<<< SEARCH") == 0) {
				t.Errorf("the model is told\n%s", shownRequest(sent[1]))
			}
			if !c.again && !strings.Contains(r.Answer, strings.TrimSpace(c.reply)) {
				t.Errorf("the answer is %q", r.Answer)
			}
		})
	}
}
