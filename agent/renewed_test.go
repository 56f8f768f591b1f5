package agent_test

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"coauthor/agent"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
)

// What the settings say of files counts from the next turn on: an ignore file that they name then keeps a file from the
// model that it saw before.
func TestATurnReadsThePolicyAnew(t *testing.T) {
	b := newBench(t, replies("Fine.", "Fine."), map[string]string{"a.py": "x = 1\n", ".mine": "a.py\n"})
	var hidden atomic.Bool
	ws, err := workspace.Open(b.ws.Root(), workspace.Options{Policy: func() workspace.Policy {
		if hidden.Load() {
			return workspace.Policy{IgnoreFiles: []string{".mine"}}
		}
		return workspace.Policy{}
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.Close() })
	b.ws, b.session = ws, b.engine.Session(ws)
	r := agent.Request{Instruction: "Is it fine?", Coder: "ask", Files: []string{"a.py"}}
	if result, _ := b.run(r); result.Err != nil || !strings.Contains(shownRequest(b.server.Requests()[0]), "x = 1") {
		t.Fatalf("%+v", result)
	}
	hidden.Store(true)
	if result, _ := b.run(r); result.Err == nil || len(b.server.Requests()) != 1 || len(b.asked) != 1 || !strings.Contains(b.asked[0].Text, ".mine") {
		t.Errorf("%+v, asked %+v, %d requests", result, b.asked, len(b.server.Requests()))
	}
}

// A file that the settings do not let be sent is in the map no more from the next turn on, also where the map stays.
func TestATurnReadsWhatTheMapLeavesOut(t *testing.T) {
	for _, refresh := range []string{"auto", "always", "files", "manual"} {
		b := newBench(t, "repeat: true\n-- 1.md --\nFine.\n", zoo())
		var out atomic.Bool
		ws, err := workspace.Open(b.ws.Root(), workspace.Options{Policy: func() workspace.Policy {
			if out.Load() {
				return workspace.Policy{DenyGlobs: []string{"crow.*"}}
			}
			return workspace.Policy{}
		}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = ws.Close() })
		b.ws, b.session = ws, b.engine.Session(ws)
		b.settings.RepoMap = settings.RepoMap{Tokens: 1000, Refresh: refresh}
		r := agent.Request{Instruction: "Feed them."}
		if got := b.drawn(r); !slices.Contains(got, "crow") {
			t.Errorf("%s: %v", refresh, got)
		}
		out.Store(true)
		if got := b.drawn(r); slices.Contains(got, "crow") || len(got) < 5 {
			t.Errorf("%s: then %v", refresh, got)
		}
	}
}
