package agent_test

import (
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
)

// A reply in which no edit can be read is an answer, whatever it looks like: the user sees all of it, and nothing is asked.
func TestAReplyWithoutAnEditIsAnAnswer(t *testing.T) {
	for name, reply := range map[string]string{
		"marks without their words": "So:\n\n<<<<<<<\nx = 1\n=======\nx = 2\n>>>>>>>\n",
		"a diff without a hunk":     "```diff\n--- a.py\n+++ a.py\n```\n",
		"nothing but words":         "x is one. A block would begin with <<<<<<< SEARCH and end with >>>>>>> REPLACE.",
		"code alone":                "It would be:\n\n```python\nx = 2\n```\n",
		"a conflict of git":         "There is a conflict in it:\n\n<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> other\n",
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, replies(reply), map[string]string{"a.py": "x = 1\n"})
			r, events := b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
			b.checkEvents(events, r)
			if n := len(b.server.Requests()); n != 1 || r.State != event.TurnAnswered || !strings.Contains(r.Answer, strings.TrimSpace(reply)) {
				t.Fatalf("%d requests, %s, %v, answered %q", n, r.State, r.Err, r.Answer)
			}
		})
	}
}
