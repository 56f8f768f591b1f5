package agent_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/model"
)

// waiting is a clock that a test moves: a wait begins with a word on begun, and ends with one on over.
type waiting struct {
	begun chan time.Duration
	over  chan struct{}
	ended chan error
}

func (w waiting) sleep(ctx context.Context, d time.Duration) error {
	w.begun <- d
	select {
	case <-w.over:
		return nil
	case <-ctx.Done():
		w.ended <- ctx.Err()
		return ctx.Err()
	}
}

// newWarm is a bench whose model has a cache that is told what to keep.
func newWarm(t *testing.T, script string, pings int, marks bool) (*bench, waiting) {
	t.Helper()
	b := newBench(t, script, map[string]string{"a.py": "x = 1\n"})
	b.user.CacheMarks, b.user.Price = &marks, &model.Price{In: 1_000_000, Out: 1_000_000}
	b.settings.CacheKeepalivePings = pings
	b.engine.Close()
	w := waiting{begun: make(chan time.Duration, 10), over: make(chan struct{}), ended: make(chan error, 10)}
	o := b.options("")
	o.Sleep = w.sleep
	b.engine = agent.NewEngine(o)
	b.session = b.engine.Session(b.ws)
	return b, w
}

func next[T any](t *testing.T, c <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(hung):
		t.Fatal("nothing came")
	}
	return v
}

// TestKeepaliveSendsWhatIsCached: as often as the settings say, just before the cache forgets, the beginning up to
// the last mark with an answer of one token, and its cost counts.
func TestKeepaliveSendsWhatIsCached(t *testing.T) {
	b, w := newWarm(t, "-- 1.md --\nIt is one.\n-- 2.md --\nO\n-- 2.yaml --\nprompt-tokens: 40\ncompletion-tokens: 1\n-- 3.md --\nO\n-- 3.yaml --\nprompt-tokens: 40\ncompletion-tokens: 1\n", 2, true)
	r, events := b.run(agent.Request{Instruction: "What is x?", Coder: "ask", Files: []string{"a.py"}})
	if b.checkEvents(events, r); r.State != event.TurnAnswered {
		t.Fatalf("%+v", r)
	}
	before := b.session.Turns.Usage()
	for i := range 2 {
		if d := next(t, w.begun); d < 4*time.Minute || d >= 5*time.Minute {
			t.Errorf("waits %v", d)
		}
		w.over <- struct{}{}
		ctx, stop := context.WithTimeout(t.Context(), hung)
		if err := b.server.WaitRequest(ctx, i+2); err != nil {
			t.Fatal(err)
		}
		stop()
	}
	for end := time.Now().Add(hung); b.session.Turns.Usage().Prompt-before.Prompt < 80 && time.Now().Before(end); time.Sleep(time.Millisecond) {
	}
	b.engine.Close() // waits for what is under way
	if len(w.begun) > 0 {
		t.Error("it goes on")
	}
	sent := b.server.Requests()
	if len(sent) != 3 {
		t.Fatalf("%d requests", len(sent))
	}
	first, ping := sent[0], sent[1]
	if !strings.Contains(string(ping.Body), `"max_tokens":1`) || strings.Contains(string(ping.Body), "What is x?") || string(sent[2].Body) != string(ping.Body) {
		t.Errorf("it says %s", ping.Body)
	}
	if !strings.HasPrefix(messagesOf(t, first), strings.TrimSuffix(messagesOf(t, ping), `],"role":"user"}]`)) || !strings.Contains(messagesOf(t, ping), "x = 1") {
		t.Errorf("it is not how the prompt begins:\n%s\n%s", messagesOf(t, first), messagesOf(t, ping))
	}
	if after := b.session.Turns.Usage(); after.Prompt-before.Prompt != 80 || after.Cost-before.Cost < 81 {
		t.Errorf("before %+v, after %+v", before, after)
	}
}

// messagesOf are the messages of a request as they were sent.
func messagesOf(t *testing.T, sent llmtest.Recorded) string {
	t.Helper()
	var body struct {
		Messages json.RawMessage `json:"messages"`
	}
	if err := json.Unmarshal(sent.Body, &body); err != nil {
		t.Fatal(err)
	}
	return string(body.Messages)
}

// TestKeepaliveEnds with the next turn, with the session, and with the first failure.
func TestKeepaliveEnds(t *testing.T) {
	for what, end := range map[string]func(*bench){
		"the next turn": func(b *bench) { b.run(agent.Request{Instruction: "And now?", Coder: "ask"}) },
		"the session":   func(b *bench) { b.engine.Close() },
	} {
		b, w := newWarm(t, "-- 1.md --\nIt is one.\n-- 2.md --\nStill one.\n", 5, true)
		b.run(agent.Request{Instruction: "What is x?", Coder: "ask", Files: []string{"a.py"}})
		next(t, w.begun)
		end(b)
		if err := next(t, w.ended); err == nil {
			t.Errorf("%s: it waits on", what)
		}
		if n := len(b.server.Requests()); n > 2 {
			t.Errorf("%s: %d requests", what, n)
		}
	}
	b, w := newWarm(t, "-- 1.md --\nIt is one.\n-- 2.yaml --\nstatus: 500\n", 5, true)
	b.run(agent.Request{Instruction: "What is x?", Coder: "ask", Files: []string{"a.py"}})
	next(t, w.begun)
	w.over <- struct{}{}
	ctx, stop := context.WithTimeout(t.Context(), hung)
	defer stop()
	if err := b.server.WaitRequest(ctx, 2); err != nil {
		t.Fatal(err)
	}
	b.engine.Close()
	if len(w.begun) > 0 || len(b.server.Requests()) != 2 {
		t.Error("it goes on after a failure")
	}
}

// TestWhatCannotBeKeptIsTold once for a model, with the next turn: the setting does nothing for it, and why.
func TestWhatCannotBeKeptIsTold(t *testing.T) {
	for what, c := range map[string]struct {
		price model.Price
		pings int
		marks bool
		want  string
	}{
		"its provider's own cache": {model.Price{In: 1, Out: 2, CacheRead: 0.1}, 2, false, "automatically"},
		"no cache known":           {model.Price{In: 1, Out: 2}, 2, false, "set models.scripted.cacheMarks"},
		"not wanted":               {model.Price{}, 0, false, ""},
		"marks":                    {model.Price{CacheRead: 0.1}, 2, true, ""},
	} {
		b, _ := newWarm(t, "repeat: true\n-- 1.md --\nIt is one.\n", c.pings, c.marks)
		b.user.Price = &c.price
		var told []string
		for range 3 {
			_, events := b.run(agent.Request{Instruction: "What is x?", Coder: "ask", Files: []string{"a.py"}})
			told = append(told, notes(events))
		}
		if strings.Contains(told[0], "Pings") || strings.Contains(told[1], "cacheKeepalivePings has no effect on scripted") != (c.want != "") ||
			!strings.Contains(told[1], c.want) || strings.Contains(told[2], "Pings") {
			t.Errorf("%s: told %q", what, told)
		}
	}
}

// TestNothingToKeep: without the setting, without marks, and after a turn that was never answered, nothing is sent.
func TestNothingToKeep(t *testing.T) {
	for what, c := range map[string]struct {
		pings  int
		marks  bool
		script string
	}{
		"not wanted":   {0, true, "-- 1.md --\nIt is one.\n"},
		"no cache":     {5, false, "-- 1.md --\nIt is one.\n"},
		"not answered": {5, true, "-- 1.yaml --\nstatus: 401\n"},
	} {
		b, w := newWarm(t, c.script, c.pings, c.marks)
		b.run(agent.Request{Instruction: "What is x?", Coder: "ask", Files: []string{"a.py"}})
		b.engine.Close()
		if len(w.begun) > 0 || len(b.server.Requests()) != 1 {
			t.Errorf("%s: it waits %d times, %d requests", what, len(w.begun), len(b.server.Requests()))
		}
	}
}
