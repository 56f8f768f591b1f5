package lsp

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"coauthor/agent/llm/llmtest"
)

// silent is a model that says nothing for three seconds and then writes for two.
func silent(t *testing.T) *llmtest.Script {
	return script(t, "-- 1.yaml --\nfirst-delay: 3s\nchunk: 4\ndelay: 50ms\n-- 1.md --\n"+
		reply+"\n"+strings.Repeat("I thought about it. ", 8))
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

// waited wants a line to have counted the seconds of the silence. On a machine that does more than this
// test a second may be missed.
func waited(t *testing.T, told []string) {
	t.Helper()
	seen := 0
	for _, want := range []string{"Waiting for scripted · 1 s", "Waiting for scripted · 2 s", "Waiting for scripted · 3 s"} {
		if slices.Contains(told, want) {
			seen++
		}
	}
	if seen < 2 {
		t.Errorf("the line stood still: %q", told)
	}
}

// The line moves at least once a second, also while the model is silent, and no client is flooded.
func TestProgressMovesWhileTheModelIsSilent(t *testing.T) {
	t.Parallel()
	r := newRig(t, silent(t), nil)
	r.initialize(plainCaps, `{"preview":"diff"}`)
	r.open("a.txt", "one\ntwo\n")
	begun := time.Now()
	r.start(`"Spanish"`)
	seen := r.untilEnd()
	took := time.Since(begun)
	reports := progressLines(t, seen, "report")
	waited(t, reports)
	writing := slices.DeleteFunc(slices.Clone(reports), func(s string) bool { return !strings.HasPrefix(s, "Writing · ") })
	if len(slices.Compact(writing)) < 3 || !strings.Contains(strings.Join(writing, "\n"), " tokens · 4 s") {
		t.Errorf("writing: %q", writing)
	}
	if !strings.Contains(strings.Join(writing, "\n"), " · a.txt") {
		t.Errorf("no line names the file: %q", writing)
	}
	if most := int(took/reportEvery) + 1; len(reports) > most {
		t.Errorf("%d reports in %s flood the client", len(reports), took)
	}
	if t.Failed() {
		t.Logf("%q", reports)
	}
	// Nothing moves any more when the turn has ended.
	end := time.After(4 * tick)
	for {
		select {
		case <-end:
			return
		case s := <-r.in:
			if strings.Contains(s, "$/progress") {
				t.Fatalf("behind the end: %s", s)
			}
		}
	}
}

// A client that draws the line itself is told it in the same words, and not more often than a person can read.
func TestTurnTellsItsLine(t *testing.T) {
	t.Parallel()
	r := newRig(t, silent(t), nil)
	r.initialize(`{"experimental":{"coauthor":{"turn":true}}}`, `{"preview":"diff"}`)
	r.open("a.txt", "one\ntwo\n")
	r.start(`"Spanish"`)
	var told []string
	r.watch(func(method string, params map[string]any) bool {
		if method != methodTurn {
			return false
		}
		state, _ := params["state"].(string)
		message, _ := params["message"].(string)
		told = append(told, message)
		return state == "proposed"
	})
	waited(t, told)
	if len(told) > 24 {
		t.Errorf("%d notifications: %q", len(told), told)
	}
}
