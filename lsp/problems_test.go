package lsp

import (
	"fmt"
	"strings"
	"testing"

	"coauthor/agent/llm/llmtest"
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
