package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/lsp/lsptest"
)

// A client that asks for the end while a turn runs has every progress that was begun ended before it is answered, and
// sees none begin: neither a conversation that it is still to change nor an item that it agrees to late makes that wait.
// What was said in the conversation is in its file then.
func TestNoProgressOutlivesAShutdown(t *testing.T) {
	for name, late := range map[string]bool{"begun": false, "agreed to late": true} {
		t.Run(name, func(t *testing.T) {
			r := newModelHarness(t, script(t, held), nil)
			const create, edit = "window/workDoneProgress/create", "workspace/applyEdit"
			asked := map[string]chan json.RawMessage{create: make(chan json.RawMessage, 9), edit: make(chan json.RawMessage, 9)}
			r.Answer = func(method string, _ json.RawMessage) string {
				if method == create && late || method == edit {
					return ""
				}
				return "null"
			}
			r.Unanswered = func(method string, id json.RawMessage) { asked[method] <- id }
			r.initialize(plainCaps, "null")
			var opened struct{ URI string }
			if err := json.Unmarshal([]byte(r.command("openPrompt", `{"kind":"ask"}`)), &opened); err != nil {
				t.Fatal(err)
			}
			_, file, _ := strings.Cut(opened.URI, r.uri("")) // the harness's folders have plain names
			path := filepath.Join(r.root, filepath.FromSlash(file))
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			r.didOpen(opened.URI, string(text)+"Why so?\n")
			mustHold(t, r.command("runPrompt", fmt.Sprintf(`{"uri":%q}`, opened.URI)), `"started"`)
			var item json.RawMessage
			if late {
				item = lsptest.Receive(t, "the request for a progress", asked[create])
			} else {
				r.watch(func(method string, _ map[string]any) bool { return method == "$/progress" })
			}
			lsptest.Receive(t, "an edit of the conversation", asked[edit])
			r.id++
			r.Send(`{"jsonrpc":"2.0","id":%d,"method":"shutdown"}`, r.id)
			if late {
				r.Send(`{"jsonrpc":"2.0","id":%s,"result":null}`, item)
			}
			ended := false
			for seen := ""; !strings.Contains(seen, fmt.Sprintf(`"id":%d,`, r.id)); {
				seen = r.Next()
				if late && strings.Contains(seen, `"kind":"begin"`) {
					t.Errorf("begun: %s", seen)
				}
				ended = ended || strings.Contains(seen, `"kind":"end"`)
			}
			if ended == late {
				t.Errorf("ended: %v", ended)
			}
			r.Send(`{"jsonrpc":"2.0","method":"exit"}`)
			if err := r.ended(); err != nil {
				t.Errorf("the server ended with %v", err)
			}
			for s := range r.In {
				if strings.Contains(s, "$/progress") {
					t.Errorf("behind the answer: %s", s)
				}
			}
			if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), "\nStopped") || !strings.Contains(string(text), "Why so?") {
				t.Errorf("%v: the conversation reads\n%s", err, text)
			}
			if strings.Contains(r.log.String(), "work still running") {
				t.Error("the end took its full time")
			}
		})
	}
}

// An item whose work does not come to its end ends all the same.
func TestShutdownEndsWhatRunsOn(t *testing.T) {
	r := newModelHarness(t, nil, nil)
	r.initialize(plainCaps, "null")
	r.command("cancel", "{}") // behind it the session has begun for the server, too
	p := r.s.turns.NewProgress("a program", "Running", func() {})
	r.watch(func(method string, _ map[string]any) bool { return method == "$/progress" })
	r.id++
	r.Send(`{"jsonrpc":"2.0","id":%d,"method":"shutdown"}`, r.id)
	mustHold(t, r.Next(), `"kind":"end"`)
	mustHold(t, r.Next(), fmt.Sprintf(`"id":%d`, r.id))
	late := r.s.turns.NewProgress("a late one", "Running", func() {})
	lsptest.Within(t, "the late one", func() { late.Wait(t.Context()) })
	p.End("Done")
	for s := range drain(r) {
		t.Errorf("behind the answer: %s", s)
	}
}
