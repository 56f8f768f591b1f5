package agent_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"coauthor/agent"
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
