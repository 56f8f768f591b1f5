package agent_test

import (
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/chosen"
	"coauthor/agent/coder"
	"coauthor/agent/event"
)

// A coder's row makes its slash command: with words behind it it is for one request, without for all that follow.
func TestSlashCommands(t *testing.T) {
	b := newBench(t, "repeat: true\n-- 1.md --\n"+xIsTwo, map[string]string{"a.py": "x = 1\n"})
	b.withCoders(coder.Coder{Name: "poet", Doc: "Rhymes.", Template: "ask.md.tmpl", Next: coder.Finish})
	for _, c := range []struct {
		said string
		want event.State
		sent string
	}{
		{"/poet Make x two.", event.TurnAnswered, "Make x two."},
		{"  /poet\nMake x two.", event.TurnAnswered, "Make x two."},
		{"/ask Make x two.", event.TurnAnswered, "Make x two."},
		{"/code /ask Make x two.", event.TurnProposed, "/ask Make x two."},
		{"/poetry Make x two.", event.TurnProposed, "/poetry Make x two."},
		{"/editor Make x two.", event.TurnProposed, "/editor Make x two."},
		{"/ask/poet Make x two.", event.TurnProposed, "/ask/poet Make x two."},
		{"Make x /ask two.", event.TurnProposed, "Make x /ask two."},
	} {
		r, _ := b.run(agent.Request{Instruction: c.said, Files: []string{"a.py"}})
		all := b.server.Requests()
		if sent := shownRequest(all[len(all)-1]); r.State != c.want || !strings.Contains(sent, c.sent) || c.sent == "Make x two." && strings.Contains(sent[strings.LastIndex(sent, "== user"):], "/") {
			t.Errorf("%q: %s, sent\n%s", c.said, r.State, sent)
		}
	}
	calls := len(b.server.Requests())
	started, _ := b.start(agent.Request{Instruction: "/poet"})
	if started.Status != agent.StatusSwitched || started.InForce.Coder != "poet" || len(b.server.Requests()) != calls {
		t.Errorf("/poet alone: %+v", started)
	}
	if r, _ := b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}}); r.State != event.TurnAnswered {
		t.Errorf("after /poet: %s", r.State)
	}
	if _, err := b.session.Choose(chosen.Choice{Coder: "editor"}); err == nil {
		t.Error("an inner coder can be chosen")
	}
	if _, err := start(b.session, agent.Request{Instruction: "x", Coder: "editor"}, agent.Ports{}); err == nil {
		t.Error("an inner coder can be asked")
	}
}
