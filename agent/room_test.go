package agent_test

import (
	"strings"
	"testing"
	"time"

	"coauthor/agent"
	"coauthor/agent/event"
)

// Where nobody knows the context window, size guards it: a file that alone is too large is never sent.
func TestUnknownWindowIsGuardedBySize(t *testing.T) {
	const script = "-- 1.md --\n" + xIsTwo
	big := strings.Repeat("y = 'one line of a large file'\n", 210_000) // 6.5 MB
	disk := map[string]string{"a.py": "x = 1\n", "gen/big.py": big}
	for _, c := range []struct {
		name   string
		r      agent.Request
		window int
		sent   bool
	}{
		{"the target", agent.Request{Target: &agent.Target{Path: "gen/big.py"}}, 0, false},
		{"a selection in it", agent.Request{Target: &agent.Target{Path: "gen/big.py", Start: 0, End: 10}}, 0, false},
		{"a named file", agent.Request{Files: []string{"a.py", "gen/big.py"}}, 0, false},
		{"a read-only file", agent.Request{Files: []string{"a.py"}, ReadOnly: []string{"gen/big.py"}}, 0, false},
		{"a question", agent.Request{Coder: "ask", Files: []string{"gen/big.py"}}, 0, false},
		{"a usual file", agent.Request{Files: []string{"a.py"}}, 0, true},
		{"a small known window", agent.Request{Files: []string{"gen/big.py"}}, 32_000, false},
		{"a large known window", agent.Request{Files: []string{"a.py", "gen/big.py"}}, 4_000_000, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, script, disk)
			b.user.ContextWindow = c.window
			c.r.Instruction = "Make x two."
			r, events := b.run(c.r)
			b.checkEvents(events, r)
			if got := len(b.server.Requests()) > 0; got != c.sent {
				t.Fatalf("sent: %v, want %v", got, c.sent)
			}
			end := events[len(events)-1].Ended
			if c.sent {
				if r.State == event.TurnFailed {
					t.Errorf("%+v", end)
				}
				return
			}
			want := []string{"gen/big.py", "1627500 tokens", "scripted"} // four characters a token
			if c.window == 0 {
				want = append(want, "96000", "models.scripted.contextWindow")
			} else {
				want = append(want, "24000")
			}
			for _, w := range want {
				if !strings.Contains(end.Message+"\n"+end.Advice, w) {
					t.Errorf("%q, %q do not say %s", end.Message, end.Advice, w)
				}
			}
			if c.window > 0 && strings.Contains(end.Message+end.Advice, "not known") {
				t.Errorf("%q, %q", end.Message, end.Advice)
			}
		})
	}
	t.Run("files that are too large together", func(t *testing.T) {
		half := strings.Repeat("z = 1\n", 50_000)
		b := newBench(t, script, map[string]string{"a.py": half, "b.py": half})
		r, events := b.run(agent.Request{Instruction: "x", Files: []string{"a.py", "b.py"}})
		end := events[len(events)-1].Ended
		if r.State != event.TurnFailed || len(b.server.Requests()) > 0 ||
			!strings.Contains(end.Advice, "models.scripted.contextWindow") || !strings.Contains(end.Message, "96000") {
			t.Errorf("%+v, %d requests", end, len(b.server.Requests()))
		}
	})
	t.Run("open beside the target", func(t *testing.T) {
		b := newBench(t, script, disk)
		b.clock = b.clock.Add(time.Second)
		b.ws.DidOpen("gen/big.py", big, 1)
		r, events := b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
		if r.State == event.TurnFailed || len(b.server.Requests()) != 1 {
			t.Fatalf("%+v", r)
		}
		for _, m := range b.server.Requests()[0].Messages {
			if strings.Contains(m.Content, "one line of a large file") {
				t.Error("its text was sent")
			}
		}
		if !told(events, "gen/big.py") {
			t.Error("the file that was left out is not named")
		}
	})
	t.Run("a file that the model asks for", func(t *testing.T) {
		b := newBench(t, "-- 1.md --\nPlease add gen/big.py to the chat.\n-- 2.md --\n"+xIsTwo, disk)
		b.settings.AddMentioned = "always"
		b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
		for _, r := range b.server.Requests() {
			for _, m := range r.Messages {
				if strings.Contains(m.Content, "one line of a large file") {
					t.Fatal("its text was sent")
				}
			}
		}
		if len(b.server.Requests()) != 1 {
			t.Errorf("%d requests", len(b.server.Requests()))
		}
	})
}

func told(events []event.Event, what string) bool {
	for _, e := range events {
		if e.Note != nil && strings.Contains(e.Note.Text, what) {
			return true
		}
	}
	return false
}
