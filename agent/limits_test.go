package agent_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/model"
	"coauthor/agent/settings"
)

// TestLimitsBetweenLooks: what a turn of auto may use is looked at before each call, also while the model looks
// around. Edits that were said beside the looks count.
func TestLimitsBetweenLooks(t *testing.T) {
	cost, more, enough := 0.01, 2.0, 1000.0
	x2 := put("a.py", "x = 1", "x = 2", "")
	look := func(path string) string { return "\n>> read {\"path\":\"" + path + "\"}" }
	for what, c := range map[string]struct {
		limit   settings.Auto
		coder   string
		replies []string
		calls   int
		files   int
		told    string // to the user; "" for nothing
	}{
		"cost":                         {settings.Auto{Cost: &cost}, "auto", []string{x2 + look("b.py"), finished("", `{"done":true}`)}, 1, 1, "auto.cost"},
		"time":                         {settings.Auto{Time: 20 * time.Second}, "auto", []string{x2 + look("b.py"), finished("", `{"done":true}`)}, 1, 1, "auto.time"},
		"nothing was edited":           {settings.Auto{Cost: &cost}, "auto", []string{look("b.py"), finished(x2, `{"done":true}`)}, 1, 0, "auto.cost"},
		"the round before stays":       {settings.Auto{Cost: &more}, "auto", []string{finished(x2, `{"done":false,"next":"b.py"}`), look("big.txt"), finished("", `{"done":true}`)}, 2, 1, "auto.cost"},
		"enough":                       {settings.Auto{Cost: &enough}, "auto", []string{x2 + look("b.py"), finished("", `{"done":true}`)}, 2, 1, ""},
		"a coder that does not go on ": {settings.Auto{Cost: &cost}, "ask", []string{look("b.py"), "It is one."}, 2, 0, ""},
	} {
		b := newLookout(t, calling(c.replies...), map[string]string{"a.py": "x = 1\n", "b.py": "y = 1\n", "big.txt": strings.Repeat("some words to fill the line\n", 150)})
		b.settings.Auto = c.limit
		b.user.Price = &model.Price{In: 1000}
		b.engine.Close()
		o := b.options("")
		now := time.Unix(0, 0)
		var mu sync.Mutex
		o.Clock = func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
		o.Sleep = func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() }
		b.engine = agent.NewEngine(o)
		b.session = b.engine.Session(b.ws)
		sink := func(e event.Event) {
			if e.Kind == event.KindTool { // it takes long
				mu.Lock()
				now = now.Add(time.Minute)
				mu.Unlock()
			}
		}
		r, events := b.runWith(sink, agent.Request{Instruction: "Make x two.", Coder: c.coder, Files: []string{"a.py"}})
		files := 0
		if r.Proposal != nil {
			files = len(r.Proposal.Files)
		}
		if got := len(b.server.Requests()); got != c.calls || files != c.files {
			t.Errorf("%s: %d calls, %d files, want %d, %d: %s, %v", what, got, files, c.calls, c.files, r.State, r.Err)
			continue
		}
		said := told(events, c.told) || r.Err != nil && strings.Contains(r.Err.Error(), c.told)
		if c.told != "" && !said || c.told == "" && told(events, "(auto.") {
			t.Errorf("%s: the user is told %v, %v", what, notes(events), r.Err)
		}
		warned := r.Proposal != nil && slices.ContainsFunc(r.Proposal.Warnings, func(w string) bool { return strings.Contains(w, "incomplete") })
		if warned != (c.files > 0 && c.told != "") {
			t.Errorf("%s: the change has the warnings %q", what, r.Proposal.Warnings)
		}
	}
}

// TestTimeCutsAReply: when the time of a turn of auto is over, the reply that is coming is cut. Its edits that
// are whole are proposed with a warning, of the one that has begun nothing; what earlier rounds did stays.
func TestTimeCutsAReply(t *testing.T) {
	long := strings.Repeat("y = 1\n", 200)
	whole, begun := put("a.py", "x = 1", "x = 2", ""), put("b.py", "y = 0", long, "")
	first := func(e event.Event) bool { return e.Kind == event.KindEdit }
	words := func(e event.Event) bool { return e.Kind == event.KindDelta }
	for what, c := range map[string]struct {
		script string
		until  func(e event.Event) bool // when the time is over; nil when that many calls have come to the model
		after  int
		time   time.Duration
		coder  string
		calls  int
		files  int
		state  event.State
		refuse int // edits that are told as refused; -1 where the time may end before one has begun
	}{
		"behind an edit":             {"-- 1.md --\n" + whole + begun + "-- 1.yaml --\nhold: true\n", first, 0, time.Minute, "auto", 1, 1, event.TurnProposed, -1},
		"in the only edit":           {"-- 1.md --\n" + begun + "-- 1.yaml --\nhold: true\n", words, 0, time.Minute, "auto", 1, 0, event.TurnFailed, -1},
		"before any word":            {"-- 1.md --\n" + whole + "-- 1.yaml --\nhold-first: true\n", nil, 1, time.Minute, "auto", 1, 0, event.TurnFailed, 0},
		"among words":                {"-- 1.md --\n" + strings.Repeat("I think about it at length. ", 30) + "\n-- 1.yaml --\nhold: true\n", words, 0, time.Minute, "auto", 1, 0, event.TurnFailed, 0},
		"in the second round":        {"-- 1.md --\n" + whole + "\nNEXT: b.py\n-- 2.md --\n" + begun + "-- 2.yaml --\nhold: true\n", nil, 2, time.Minute, "auto", 2, 1, event.TurnProposed, -1},
		"before the second's words":  {"-- 1.md --\n" + whole + "\nNEXT: b.py\n-- 2.md --\n" + begun + "-- 2.yaml --\nhold-first: true\n", nil, 2, time.Minute, "auto", 2, 1, event.TurnProposed, 0},
		"edits beside the look stay": {calling(whole+"\n>> read {\"path\":\"b.py\"}") + "-- 2.md --\n" + begun + "-- 2.yaml --\nhold-first: true\n", nil, 2, time.Minute, "auto", 2, 1, event.TurnProposed, 0},
		"no limit":                   {"-- 1.md --\n" + whole + "\nDONE\n", nil, 0, 0, "auto", 1, 1, event.TurnProposed, 0},
		"a coder without limits":     {"-- 1.md --\n" + whole, nil, 0, time.Minute, "code", 1, 1, event.TurnProposed, 0},
	} {
		b := newLookout(t, c.script, map[string]string{"a.py": "x = 1\n", "b.py": "y = 0\n"})
		b.settings.Auto = settings.Auto{Rounds: 8, Time: c.time}
		b.engine.Close()
		o := b.options("")
		over, now := make(chan struct{}), time.Unix(0, 0)
		o.Clock = func() time.Time { return now }
		o.Sleep = func(ctx context.Context, d time.Duration) error {
			if c.until == nil && c.after == 0 || d != time.Minute {
				t.Errorf("%s: it waits for %s", what, d)
			}
			for c.after > 0 && len(b.server.Requests()) < c.after && ctx.Err() == nil {
				time.Sleep(time.Millisecond)
			}
			if c.after > 0 {
				return ctx.Err()
			}
			select {
			case <-over:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		b.engine = agent.NewEngine(o)
		b.session = b.engine.Session(b.ws)
		var once sync.Once
		r, events := b.runWith(func(e event.Event) {
			if c.until != nil && c.until(e) {
				once.Do(func() { close(over) })
			}
		}, agent.Request{Instruction: "Make x two.", Coder: c.coder, Files: []string{"a.py", "b.py"}})
		b.checkEvents(events, r)
		files := 0
		if r.Proposal != nil {
			files = len(r.Proposal.Files)
		}
		if got := len(b.server.Requests()); got != c.calls || files != c.files || r.State != c.state {
			t.Errorf("%s: %d calls, %d files, %s, want %d, %d, %s: %v", what, got, files, r.State, c.calls, c.files, c.state, r.Err)
			continue
		}
		if c.refuse >= 0 && len(r.Failures) != c.refuse || len(r.Failures) > 1 {
			t.Errorf("%s: refused are %+v", what, r.Failures)
		}
		late := c.until != nil || c.after > 0
		switch {
		case r.Proposal == nil:
			if !strings.Contains(r.Err.Error(), "Stopped after 1m0s (auto.time). Nothing was changed.") {
				t.Errorf("%s: %v", what, r.Err)
			}
		case r.Proposal.Files[0].Change.After != "x = 2\n":
			t.Errorf("%s: %+v", what, r.Proposal.Files)
		case slices.ContainsFunc(r.Proposal.Warnings, func(w string) bool { return strings.Contains(w, "auto.time") }) != late || told(events, "auto.time") != late:
			t.Errorf("%s: warned %q, told %q", what, r.Proposal.Warnings, notes(events))
		}
	}
}

// TestACancelCountsAboveTime: a user who stops a turn whose time could end has stopped it.
func TestACancelCountsAboveTime(t *testing.T) {
	b := newLookout(t, "-- 1.md --\n"+put("a.py", "x = 1", "x = 2", "")+strings.Repeat("and so on\n", 50)+"-- 1.yaml --\nhold: true\n", map[string]string{"a.py": "x = 1\n"})
	b.settings.Auto = settings.Auto{Time: time.Hour}
	var once sync.Once
	r, _ := b.runWith(func(e event.Event) {
		if e.Kind == event.KindEdit {
			once.Do(func() { go b.session.Turns.Cancel("") })
		}
	}, agent.Request{Instruction: "Make x two.", Coder: "auto", Files: []string{"a.py"}})
	if r.State != event.TurnCancelled || r.Proposal != nil {
		t.Errorf("%s, %+v", r.State, r.Proposal)
	}
}

// runWith is run with somebody who hears each event as it comes.
func (b *bench) runWith(hears event.Sink, r agent.Request) (agent.Result, []event.Event) {
	b.t.Helper()
	rec := &recorder{}
	started, err := start(b.session, r, agent.Ports{Sink: func(e event.Event) { rec.sink(e); hears(e) }, Ask: b})
	if err != nil {
		b.t.Fatal(err)
	}
	return b.wait(started.Turn), rec.list()
}
