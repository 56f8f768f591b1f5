package agent_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/settings"
)

// A turn keeps the settings that it began with, also for what it asks the model next and how; those that were changed
// meanwhile are the next one's.
func TestATurnKeepsItsSettings(t *testing.T) {
	const wrong = "a.txt\n```\n<<<<<<< SEARCH\nnowhere\n=======\ntwo\n>>>>>>> REPLACE\n```\n"
	b := newBench(t, "-- 1.md --\n"+wrong+"-- 1.yaml --\nhold: true\n-- 2.md --\na.txt\n```\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n```\n-- 3.md --\n"+wrong+"-- 4.md --\n"+wrong,
		map[string]string{"a.txt": "one\n"})
	o := b.options("")
	var mu sync.Mutex
	var asked []time.Duration // the setting network.requestTimeout of each client that was asked for
	o.ClientFor = func(s settings.Settings) llm.Client {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, s.RequestTimeout)
		return o.Client
	}
	engine := agent.NewEngine(o)
	defer engine.Close()
	session := engine.Session(b.ws)
	turn := func(during func()) agent.Result {
		t.Helper()
		started, err := start(session, agent.Request{Instruction: "Make it two.", Files: []string{"a.txt"}}, agent.Ports{})
		if err != nil {
			t.Fatal(err)
		}
		during()
		result, err := session.Turns.Wait(deadline(t), started.Turn)
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	result := turn(func() {
		if err := b.server.WaitHeld(deadline(t), 1); err != nil {
			t.Fatal(err)
		}
		b.mu.Lock()
		b.settings.MaxReflections, b.settings.RequestTimeout = 0, 7*time.Minute
		b.mu.Unlock()
		b.server.Release()
	})
	if result.State != event.TurnProposed || len(b.server.Requests()) != 2 {
		t.Errorf("%s after %d requests: %v", result.State, len(b.server.Requests()), result.Err)
	}
	if result := turn(func() {}); result.State == event.TurnProposed || len(b.server.Requests()) != 3 {
		t.Errorf("the next turn: %s after %d requests", result.State, len(b.server.Requests()))
	}
	mu.Lock()
	defer mu.Unlock()
	if !slices.Equal(asked, []time.Duration{0, 7 * time.Minute}) {
		t.Errorf("clients with the limits %v", asked)
	}
}
