package lsp

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"coauthor/agent"
	"coauthor/agent/codereview"
	"coauthor/edits"
	"coauthor/lsp/lsptest"
)

// The marks of a folder end with it, those of refused edits as well as those of a review, also where a turn ends after it; and
// nothing of them is kept.
func TestMarksEndWithTheirFolder(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a.txt": "one\ntwo\n", "b.txt": "one\n"}, nil)
	var mu sync.Mutex
	shown := map[string]int{}
	d.note = func(method string, params json.RawMessage) {
		var p struct {
			URI         string
			Diagnostics []any
		}
		if method != "textDocument/publishDiagnostics" || json.Unmarshal(params, &p) != nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		shown[p.URI[strings.LastIndex(p.URI, "/")+1:]] = len(p.Diagnostics)
	}
	soon := func(a, b int) {
		t.Helper()
		for end := time.Now().Add(lsptest.Hung); ; time.Sleep(5 * time.Millisecond) {
			mu.Lock()
			gotA, knownA := shown["a.txt"]
			gotB, knownB := shown["b.txt"]
			mu.Unlock()
			if gotA == a && gotB == b && knownA && knownB {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%d and %d are shown, want %d and %d", gotA, gotB, a, b)
			}
		}
	}
	refused := agent.Result{Turn: "t-1", Failures: []edits.Failure{{Path: "a.txt", Reason: edits.ReasonNoMatch, Message: "not there", Line: 2}}}
	found := codereview.Review{Findings: []codereview.Finding{{Path: "b.txt", Line: 1, Severity: "warning", Message: "odd"}}}
	d.root.Marks.Reject(refused, "")
	d.root.Marks.Review(found)
	soon(1, 1)
	d.s.folders.Change(nil, []string{d.root.Dir})
	soon(0, 0)
	d.root.Marks.Reject(refused, "")
	d.root.Marks.Review(found)
	soon(0, 0)
	if list := d.root.Marks.Rejected(nil); len(list) > 0 || d.root.Marks.Reviewed("b.txt") {
		t.Errorf("kept: %v", list)
	}
}
