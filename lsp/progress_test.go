package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"coauthor/agent/llm/llmtest"
	"coauthor/lsp/lsptest"
	"coauthor/lsp/turnview"
)

// handClock is a clock that a test moves.
type handClock struct {
	mu  sync.Mutex
	now time.Time // guarded by mu
}

func (c *handClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *handClock) second() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Second)
}

// newSilent is a modelHarness whose clock stands, and whose model says nothing until it is released; then it writes
// half of its reply, in small pieces, and waits again.
func newSilent(t *testing.T) (*modelHarness, *handClock) {
	t.Helper()
	clock := &handClock{now: time.Unix(1_700_000_000, 0)}
	var thoughts strings.Builder
	for i := range 40 {
		fmt.Fprintf(&thoughts, "%d thoughts on it. ", 10+i)
	}
	return newModelHarness(t, script(t, "-- 1.yaml --\nhold-first: true\nhold: true\nchunk: 4\n-- 1.md --\n"+
		reply+"\n"+thoughts.String()), func(o *Options) { o.Clock = clock.Now }), clock
}

// progressLines gives the texts of progress messages of a kind, each once in a row.
func progressLines(t *testing.T, seen []string, kind string) []string {
	t.Helper()
	var list []string
	for _, s := range seen {
		var m struct {
			Method string
			Params struct {
				Value struct{ Kind, Message string }
			}
		}
		if json.Unmarshal([]byte(s), &m) == nil && m.Method == "$/progress" && m.Params.Value.Kind == kind {
			list = append(list, m.Params.Value.Message)
		}
	}
	return list
}

// silence lets three seconds pass in which the model says nothing, and waits for the line to count each. Then
// the model writes, another second passes, and it ends. line waits until a line holds the words.
func silence(t *testing.T, r *modelHarness, clock *handClock, line func(words ...string)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), lsptest.Hung)
	defer cancel()
	held := func() {
		t.Helper()
		if err := r.model.WaitHeld(ctx, 1); err != nil {
			t.Fatal(err)
		}
	}
	held()
	line("Waiting for scripted")
	for _, want := range []string{"Waiting for scripted · 1 s", "Waiting for scripted · 2 s", "Waiting for scripted · 3 s"} {
		clock.second()
		line(want)
	}
	r.model.Release()
	line("Writing · ", " tokens · 3 s · a.txt")
	held()
	clock.second()
	line("Writing · ", " tokens · 4 s · a.txt")
	r.model.Release()
}

// The line moves with the clock, also while the model is silent, and no client is flooded.
func TestProgressMovesWhileTheModelIsSilent(t *testing.T) {
	t.Parallel()
	r, clock := newSilent(t)
	r.initialize(plainCaps, `{"preview":"diff"}`)
	r.open("a.txt", "one\ntwo\n")
	begun := time.Now()
	r.start(`"Spanish"`)
	var reports []string
	silence(t, r, clock, func(words ...string) {
		t.Helper()
		for {
			seen := r.watch(func(method string, _ map[string]any) bool { return method == "$/progress" })
			reports = append(reports, progressLines(t, seen, "begin")...)
			reports = append(reports, progressLines(t, seen, "report")...)
			if len(reports) > 0 && holdsAll(reports[len(reports)-1], words) {
				return
			}
		}
	})
	reports = append(reports, progressLines(t, r.untilEnd(), "report")...)
	if most := int(time.Since(begun)/turnview.ReportEvery) + 2; len(reports) > most {
		t.Errorf("%d reports in %s flood the client: %q", len(reports), time.Since(begun), reports)
	}
	// Nothing moves any more when the turn has ended.
	ctx, cancel := context.WithTimeout(t.Context(), lsptest.Hung)
	defer cancel()
	r.s.turns.Wait(ctx)
	r.command("status", "")
	for s := range drain(r) {
		if strings.Contains(s, "$/progress") {
			t.Errorf("behind the end: %s", s)
		}
	}
}

// A client that draws the line itself is told it in the same words, and not more often than a person can read.
func TestTurnTellsItsLine(t *testing.T) {
	t.Parallel()
	r, clock := newSilent(t)
	r.initialize(`{"experimental":{"coauthor":{"turn":true}}}`, `{"preview":"diff"}`)
	r.open("a.txt", "one\ntwo\n")
	begun := time.Now()
	r.start(`"Spanish"`)
	told, states := 0, map[string]bool{}
	next := func() (state, message string) {
		r.watch(func(method string, params map[string]any) bool {
			state, _ = params["state"].(string)
			message, _ = params["message"].(string)
			return method == turnview.MethodTurn
		})
		told++
		states[state] = true
		return state, message
	}
	silence(t, r, clock, func(words ...string) {
		t.Helper()
		for {
			if _, message := next(); holdsAll(message, words) {
				return
			}
		}
	})
	for state := ""; state != "proposed"; {
		state, _ = next()
	}
	if most := len(states) + 2 + int(time.Since(begun)/turnview.Tick); told > most {
		t.Errorf("%d notifications in %s, of %d states", told, time.Since(begun), len(states))
	}
}

func holdsAll(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// A client that is slow to agree to a progress item gets its begin and its end all the same, and holds
// nothing else up meanwhile.
func TestProgressOfASlowClient(t *testing.T) {
	r := newModelHarness(t, llmtest.Say("Just an answer."), nil)
	r.Answer = func(method string, _ json.RawMessage) string {
		if method == "window/workDoneProgress/create" {
			return "" // the test answers
		}
		return "null"
	}
	created := make(chan string, 1)
	r.Unanswered = func(method string, id json.RawMessage) { created <- string(id) }
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\n")
	r.command("ask", `"why?"`)
	r.watch(func(method string, _ map[string]any) bool { return method == "window/showMessage" }) // the turn is over
	r.Send(`{"jsonrpc":"2.0","id":%s,"result":null}`, lsptest.Receive(t, "the request for a progress", created))
	seen := r.untilEnd()
	if got := kinds(t, seen); !slices.Equal(got, []string{"begin", "end"}) {
		t.Errorf("progress %v", got)
	}
}
