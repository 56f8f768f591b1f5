package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/llm/llmtest"
	"coauthor/lsp/client"
)

// A model that asks is shown what the client told of the open files, errors first; a severity that
// is none is not shown.
func TestTheModelAsksForProblems(t *testing.T) {
	s, err := llmtest.Parse([]byte("-- 1.md --\n\n-- 1.yaml --\ncalls:\n  - {name: diagnostics, arguments: '{}'}\n-- 2.md --\nTwo problems.\n"))
	if err != nil {
		t.Fatal(err)
	}
	r := newModelHarness(t, s, nil)
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\ntwo\nthree\n")
	at := func(line int) string {
		return fmt.Sprintf(`{"start":{"line":%d,"character":0},"end":{"line":%d,"character":1}}`, line, line)
	}
	r.note(methodDiagnostics, fmt.Sprintf(`{"uri":%q,"diagnostics":[{"range":%s,"severity":2,"source":"lint","message":"unused"},{"range":%s,"severity":1,"message":"undefined"},{"range":%s,"severity":"bad","message":"odd"}]}`,
		r.uri("a.txt"), at(0), at(2), at(1)))
	mustHold(t, r.command("ask", `"What is wrong?"`), `"status":"started"`)
	r.untilEnd()
	requests := r.model.Requests()
	if len(requests) != 2 {
		t.Fatalf("%d requests", len(requests))
	}
	messages := requests[1].Messages
	if got, want := messages[len(messages)-1].Content, "a.txt:3: error: undefined\na.txt:2: odd\na.txt:1: warning: unused (lint)\n3 of 3 problems"; !strings.HasPrefix(got, want) {
		t.Errorf("the model was shown\n%s", got)
	}
}

// What the user's other language servers know of a place is asked of a client that announced that it can ask them, in its own
// units of a text that it has; what they say is shown as far as it is the folder's and may be sent.
func TestTheModelAsksOtherServers(t *testing.T) {
	script := func() *llmtest.Script {
		s, err := llmtest.Parse([]byte(`-- 1.md --

-- 1.yaml --
calls:
  - {name: symbol, arguments: '{"name":"open","at":"a.txt:2"}'}
  - {name: uses, arguments: '{"name":"open","at":"b.txt:1"}'}
  - {name: diagnostics, arguments: '{}'}
-- 2.md --
That is all.
`))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	shown := func(t *testing.T, announced string, told map[string]string) (results []string, asked []string) {
		r := newModelHarness(t, script(), nil)
		for name, text := range map[string]string{"b.txt": "open\n", "c.py": "\ndef open():\n    pass\n", ".env": "open\n"} {
			if err := os.WriteFile(filepath.Join(r.root, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var mu sync.Mutex
		r.Serve = func(method string, params json.RawMessage) (any, error) {
			if method != client.MethodLookUp {
				return nil, nil
			}
			mu.Lock()
			defer mu.Unlock()
			asked = append(asked, strings.ReplaceAll(string(params), r.uri(""), ""))
			for what, answer := range told {
				if strings.Contains(string(params), `"what":"`+what+`"`) {
					return json.RawMessage(strings.ReplaceAll(answer, "ROOT", r.uri(""))), nil
				}
			}
			return nil, nil
		}
		r.initialize(strings.Replace(plainCaps, "{", `{"experimental":{"coauthor":{`+announced+`}},`, 1), "null")
		r.open("a.txt", "one\n\U0001F600 open()\n")
		r.note(methodDiagnostics, fmt.Sprintf(`{"uri":%q,"diagnostics":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"message":"told before"}]}`, r.uri("a.txt")))
		mustHold(t, r.command("ask", `"What is it?"`), `"status":"started"`)
		r.untilEnd()
		requests := r.model.Requests()
		if len(requests) != 2 {
			t.Fatalf("%d requests", len(requests))
		}
		for _, m := range requests[1].Messages {
			if m.Role == "tool" {
				results = append(results, m.Content)
			}
		}
		mu.Lock()
		defer mu.Unlock()
		slices.Sort(asked)
		return results, asked
	}
	at := func(line int) string {
		return fmt.Sprintf(`"range":{"start":{"line":%d,"character":0},"end":{"line":%d,"character":4}}`, line, line)
	}
	told := map[string]string{
		"definition":  `{"locations":[{"uri":"ROOT/c.py",` + at(1) + `},{"uri":"file:///usr/lib/someones/python3/io.py",` + at(6) + `},{"uri":"ROOT/.env",` + at(0) + `}]}`,
		"references":  `{"locations":[{"uri":"ROOT/b.txt",` + at(0) + `}]}`,
		"hover":       `{"text":"def open() -> None"}`,
		"diagnostics": `{"files":[{"uri":"ROOT/c.py","diagnostics":[{` + at(1) + `,"severity":1,"source":"lint","message":"unused"},{` + at(1) + `,"source":"coauthor","message":"ours"}]},{"uri":"file:///usr/x.py","diagnostics":[{` + at(1) + `,"message":"outside"}]}]}`,
	}
	results, asked := shown(t, `"lookUp":true`, told)
	wantAsked := []string{`{"what":"definition","uri":"/a.txt","position":{"line":1,"character":3}}`, `{"what":"diagnostics"}`,
		`{"what":"hover","uri":"/a.txt","position":{"line":1,"character":3}}`, `{"what":"references","uri":"/b.txt","position":{"line":0,"character":0}}`}
	if diff := cmp.Diff(wantAsked, asked); diff != "" {
		t.Error(diff)
	}
	wantShown := []string{
		"def open() -> None\n\nc.py:2-3\n2|def open():\n3|    pass\n1 definition of open, as the editor's language server says. Others: outside of the folder: …/someones/python3/io.py:7, in files that are not sent to the model: 1.",
		"b.txt\n1|open\n1 line with open in 1 file, as the editor's language server says.",
		"c.py:2: error: unused (lint)\n1 of 1 problem, errors first, of the text before this turn.",
	}
	if diff := cmp.Diff(wantShown, results); diff != "" {
		t.Error(diff)
	}
	for what, c := range map[string]struct {
		announced string
		told      map[string]string
		asks      bool
	}{"not announced": {`"lookUp":false`, told, false}, "they know nothing": {`"lookUp":true`, nil, true}} {
		results, asked := shown(t, c.announced, c.told)
		if len(results) != 3 || strings.Contains(strings.Join(results, ""), "language server") || !strings.Contains(results[0], "c.py:2-3") || (len(asked) > 0) != c.asks {
			t.Errorf("%s: asked %q, shown %q", what, asked, results)
		}
		if !strings.Contains(results[2], "told before") {
			t.Errorf("%s: shown %q", what, results)
		}
	}
}
