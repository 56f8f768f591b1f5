package lsp

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"coauthor/lsp/lsptest"
	"coauthor/lsp/turnview"
)

// However a turn ends, its progress ends once with a last word, our own clients are told of its state behind that, and a
// message follows where there is something that nothing else shows.
func TestHowTurnsEnd(t *testing.T) {
	for _, c := range []struct {
		name, script, command, state string
		shows                        bool    // the client opens documents
		Kind                         float64 // of the message; 0 for none
	}{
		{"answered and shown", "-- 1.md --\nBecause.\n", "ask", "answered", true, 0},
		{"answered and not shown", "-- 1.md --\nBecause.\n", "ask", "answered", false, 3},
		{"proposed", "-- 1.md --\n" + reply, "edit", "proposed", true, 3},
		{"cancelled", held, "edit", "cancelled", true, 0},
		{"failed", "-- 1.md --\nno such model\n-- 1.yaml --\nstatus: 404\n", "edit", "failed", true, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newModelHarness(t, script(t, c.script), nil)
			r.Answer = func(method string, _ json.RawMessage) string {
				if method == "window/showDocument" {
					return `{"success":true}`
				}
				return "null"
			}
			show := "false"
			if c.shows {
				show = "true"
			}
			r.initialize(`{"window":{"workDoneProgress":true,"showDocument":{"support":`+show+`}},"experimental":{"coauthor":{"turn":true,"progress":true}}}`, `{"preview":"diff"}`)
			r.open("a.txt", "one\ntwo\n")
			r.command(c.command, `"do it"`)
			if c.state == "cancelled" {
				ctx, stop := context.WithTimeout(t.Context(), lsptest.Hung)
				defer stop()
				if err := r.model.WaitHeld(ctx, 1); err != nil {
					t.Fatal(err)
				}
				r.command("cancel", "")
			}
			ended, told := "", ""
			var kind float64
			read := func(method string, p map[string]any) bool {
				switch method {
				case "$/progress":
					value, _ := p["value"].(map[string]any)
					if value["kind"] == "end" {
						if ended != "" {
							t.Errorf("it ended again: %v", p)
						}
						ended, _ = value["message"].(string)
						if ended == "" {
							t.Errorf("no last word: %v", p)
						}
					}
				case turnview.MethodTurn:
					if state, _ := p["state"].(string); state == c.state {
						told = state
						if ended == "" {
							t.Error("the state came before the end of the progress")
						}
						if usage, _ := p["usage"].(map[string]any); c.state != "cancelled" && (usage == nil) != (c.state == "failed") { // one that is stopped may have come to none
							t.Errorf("usage %v", usage)
						}
					}
				case "window/showMessage":
					if told == "" {
						t.Errorf("a message before the end: %v", p)
					}
					kind, _ = p["type"].(float64)
				}
				return told != "" && kind == c.Kind
			}
			r.watch(read)
			if c.Kind == 0 {
				r.command("status", "")
				for s := range drain(r) {
					if strings.Contains(s, `"window/showMessage"`) {
						t.Errorf("told %s", s)
					}
				}
			}
		})
	}
}
