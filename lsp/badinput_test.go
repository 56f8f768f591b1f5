package lsp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"coauthor/lsp/lsptest"
)

// TestBadInput: whatever a client sends, the server stays up, answers what can be answered, and says in its log what was wrong.
func TestBadInput(t *testing.T) {
	const whole = `{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}`
	r := newModelHarness(t, nil, nil)

	// Before initialize.
	logged := func(what string, words ...string) {
		t.Helper()
		log := r.log.String()
		for _, w := range words {
			if !strings.Contains(log, w) {
				t.Errorf("%s: the log does not say %q:\n%s", what, w, log)
			}
		}
		r.log.mu.Lock()
		r.log.text.Reset()
		r.log.mu.Unlock()
	}
	r.note("textDocument/didOpen", `{"textDocument":{"uri":"file:///x","version":1,"text":"x"}}`)
	mustHold(t, r.call("textDocument/codeAction", `{}`), "error -32002", "before initialize")
	logged("before initialize", "notification dropped", "textDocument/didOpen", "request refused", "textDocument/codeAction", "before initialize")
	r.note("$/setTrace", `{"value":"off"}`) // nothing to tell of
	r.initialize(plainCaps, "null")
	mustHold(t, r.call("initialize", `{"capabilities":{}}`), "error -32600")
	logged("initialize twice", "request refused", "received initialize twice")

	r.open("a.txt", "one\ntwo\n")
	uri := r.uri("a.txt")
	change := func(version int, changes string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":%q,"version":%d},"contentChanges":%s}}`, uri, version, changes)
	}
	actions := func(rng string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":"q","method":"textDocument/codeAction","params":{"textDocument":{"uri":%q},"range":%s,"context":{"diagnostics":[]}}}`, uri, rng)
	}
	command := func(params string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":"q","method":"workspace/executeCommand","params":%s}`, params)
	}
	for _, c := range []struct {
		name, send string
		answer     string // to the request q; "" for none
		log        []string
	}{
		{"half a message", `{"jsonrpc":"2.0","id":"q","method":`, "", []string{"message skipped"}},
		{"no JSON", `hello`, "", []string{"message skipped"}},
		{"nothing", ``, "", []string{"message skipped"}},
		{"a batch", `[{"jsonrpc":"2.0","method":"exit"}]`, "", []string{"message skipped"}},
		{"another version of JSON-RPC", `{"jsonrpc":"1.0","method":"exit"}`, "", []string{"message skipped"}},
		{"an id that is none", `{"jsonrpc":"2.0","id":{},"method":"shutdown"}`, "", []string{"message skipped"}},
		{"bytes that are no text", "{\"jsonrpc\":\"2.0\",\"method\":\"\xff\xfe\"}", "", nil},
		{"an answer to nothing", `{"jsonrpc":"2.0","id":4711,"result":1}`, "", nil},
		{"a message of 70 MB", `{"jsonrpc":"2.0","id":"q","method":"shutdown","params":"` + strings.Repeat("x", 70<<20) + `"}`, "", []string{"message too large"}},
		{"a method that is not offered", `{"jsonrpc":"2.0","id":"q","method":"textDocument/formatting","params":{}}`, "-32601", []string{"request refused", "textDocument/formatting"}},
		{"a notification that is not known", `{"jsonrpc":"2.0","method":"some/thing","params":{}}`, "", []string{"notification ignored", "some/thing"}},
		{"parameters that are a list", command(`[1]`), "-32602", []string{"request refused", "workspace/executeCommand"}},
		{"a number for the name of a command", command(`{"command":7}`), "error", []string{"field omitted", "number"}},
		{"a command that is not there", command(`{"command":"coauthor.nothing"}`), "coauthor.nothing", nil},
		{"arguments of the wrong types", command(`{"command":"coauthor.apply","arguments":[{"hunks":"all","files":7,"turnId":[]}]}`), "error", nil},
		{"arguments that are no list", command(`{"command":"coauthor.status","arguments":{"x":1}}`), `"busy":false`, []string{"field omitted", "arguments"}},
		{"a range that is none", actions(`[1,2]`), `"result"`, []string{"field omitted", "range"}},
		{"places behind the end", actions(`{"start":{"line":4000000000,"character":9},"end":{"line":4000000001,"character":9}}`), `"result"`, nil},
		{"places before the beginning", actions(`{"start":{"line":-3,"character":-1},"end":{"line":-2,"character":0}}`), `"result"`, nil},
		{"places that are no numbers", actions(`{"start":{"line":1e300,"character":0.5},"end":{"line":null,"character":"x"}}`), "-32602", []string{"request refused", "is not a position"}},
		{"a document that is not open", strings.ReplaceAll(actions(whole), "a.txt", "b.txt"), `"result"`, nil},
		{"a URI that is none", `{"jsonrpc":"2.0","id":"q","method":"textDocument/codeAction","params":{"textDocument":{"uri":"::%%"},"range":` + whole + `,"context":{"diagnostics":[]}}}`, `"`, nil},
		{"a document without a URI", `{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"text":"x"}}}`, "", []string{"notification failed", "didOpen without a URI"}},
		{"a document that is a number", `{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":7}}`, "", []string{"field omitted", "textDocument"}},
		{"a change of what is not open", strings.ReplaceAll(change(2, `[{"text":"x"}]`), "a.txt", "b.txt"), "", []string{"notification failed", "which is not open"}},
		{"a close of what is not open", strings.ReplaceAll(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":{"uri":%q}}}`, uri), "a.txt", "b.txt"), "", []string{"notification failed", "which is not open"}},
		{"a version that jumps", change(700, `[{"text":"one\ntwo\n"}]`), "", nil},
		{"a change behind the end", change(701, `[{"range":{"start":{"line":900,"character":0},"end":{"line":901,"character":0}},"text":"x"}]`), "", []string{"starts after the end", "line=900"}},
		{"a version that goes back", change(3, `[{"range":`+whole+`,"text":"x"}]`), "", []string{"notification failed", "dropped"}},
		{"a change whose text is a number", change(702, `[{"text":7}]`), "", []string{"notification failed", "its text is unknown"}},
		{"a change that is no list", change(703, `{"text":"x"}`), "", []string{"notification failed", "its text is unknown"}},
		{"the whole text again", change(704, `[{"text":"one\n"}]`), "", nil},
		{"a cancel of nothing", `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":null}}`, "", []string{"notification failed", "cancel without a request ID"}},
		{"settings that are none", `{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":[7]}}`, "", nil},
		{"folders that are none", `{"jsonrpc":"2.0","method":"workspace/didChangeWorkspaceFolders","params":{"event":{"added":7,"removed":[{"uri":9}]}}}`, "", []string{"field omitted"}},
		{"a progress that nobody has", `{"jsonrpc":"2.0","method":"window/workDoneProgress/cancel","params":{"token":{"x":1}}}`, "", nil},
	} {
		r.Send("%s", c.send)
		if c.answer != "" {
			r.answered(c.name, c.answer)
		}
		if got := r.command("status", ""); !strings.Contains(got, `"busy":false`) {
			t.Errorf("%s: the status is %s", c.name, got)
		}
		logged(c.name, c.log...)
	}
	mustHold(t, r.call("textDocument/codeAction", fmt.Sprintf(`{"textDocument":{"uri":%q},"range":%s,"context":{"diagnostics":[]}}`, uri, whole)), "coauthor.openPrompt")

	// After shutdown.
	if got := r.call("shutdown", "null"); got != "null" {
		t.Errorf("shutdown answers %s", got)
	}
	mustHold(t, r.call("textDocument/codeAction", `{}`), "error -32600")
	r.note("textDocument/didClose", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, uri))
	mustHold(t, r.call("shutdown", "null"), "error -32600")
	logged("after shutdown", "request refused", "after shutdown", "notification dropped", "textDocument/didClose")
	r.note("exit", "null")
	if err := r.ended(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// answered waits for the answer to the request q.
func (r *modelHarness) answered(name, want string) {
	r.t.Helper()
	for {
		s := r.Next()
		if !strings.Contains(s, `"id":"q"`) {
			continue
		}
		if !strings.Contains(s, want) {
			r.t.Errorf("%s is answered with %.2000s, want %q", name, s, want)
		}
		return
	}
}

// TestAClientThatNeverAnswers: it is served as any other, as far as nothing has to be known of it.
func TestAClientThatNeverAnswers(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 100)
	r := newModelHarness(t, nil, func(o *Options) { o.slack = 2 }) // each command waits for the settings that never come
	r.Answer = func(method string, _ json.RawMessage) string { asked <- method; return "" }
	r.initialize(plainCaps, "null")
	if method := lsptest.Receive(t, "a question for the settings", asked); method != "workspace/configuration" {
		t.Errorf("it asked for %s first", method)
	}
	r.open("a.txt", "one\n")
	mustHold(t, r.command("status", ""), `"busy":false`)
	mustHold(t, r.actions("a.txt", 0, 0, 1, ""), "coauthor.openPrompt")
	mustHold(t, r.command("ask", `{"instruction":"what is it?"}`), `"turnId"`)
	if err := r.model.WaitRequest(t.Context(), 1); err != nil { // although progress was never allowed
		t.Fatal(err)
	}
	mustHold(t, r.command("status", ""), `"turns"`)
	if got := r.call("shutdown", "null"); got != "null" {
		t.Errorf("shutdown answers %s", got)
	}
}
