package lsp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"coauthor/agent/event"
	"coauthor/lsp/lsptest"
	"coauthor/lsp/review"
)

// TestPromptDocumentsAreNamedAtOnce: the document's URI is the answer also where the client takes its time to open it,
// or the user types.
func TestPromptDocumentsAreNamedAtOnce(t *testing.T) {
	for _, test := range []struct{ name, command, argument, head string }{
		{"a prompt", "openPrompt", `{}`, "coder: code"},
		{"a question", "openPrompt", `{"kind":"ask"}`, "coder: ask"},
		{"a kind as a word", "openPrompt", `"ask"`, "coder: ask"},
		{"an answer", "openPrompt", `{"kind":"answer"}`, "Which one?"},
		{"an answer as a word", "openPrompt", `"answer"`, "Which one?"},
		{"a change without words", "edit", `{}`, "coder: code"},
		{"a question without words", "ask", `{}`, "coder: ask"},
	} {
		for _, slow := range []string{"", "the client", "the user"} {
			t.Run(test.name+", slow is "+slow, func(t *testing.T) {
				d := newBufferHarness(t, map[string]string{"a": "a\n"}, nil)
				d.s.opts.slack = 0.05
				d.open("a")
				if strings.Contains(test.argument, "answer") {
					d.s.questions.Put(d.root.Session, event.Question{ID: "q", Text: "Which one?", FreeText: true})
				}
				call := &executeParams{Command: "coauthor." + test.command, Arguments: []json.RawMessage{json.RawMessage(test.argument)}}
				captured := d.s.captureCommand(call)
				switch slow {
				case "the client":
					d.slowShow = true
				case "the user":
					d.typed("a", "typed\n")
					d.s.docs.keys.sleep = func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() }
				}
				got, err := d.s.executeCommand(context.Background(), call, captured)
				if err != nil {
					t.Fatal(err)
				}
				raw, err := json.Marshal(got)
				var answer struct{ URI, Status string }
				if err != nil || json.Unmarshal(raw, &answer) != nil || answer.URI == "" || answer.Status == "started" {
					t.Fatalf("%s, %v", raw, err)
				}
				if path := d.path(answer.URI); !review.IsPrompt(path) || !strings.Contains(d.text(path), test.head) {
					t.Errorf("%s reads %q", path, d.text(path))
				}
				is := func() bool { return slices.Contains(d.documents(), answer.URI) }
				for end := time.Now().Add(lsptest.Hung); slow != "the user" && !is() && time.Now().Before(end); {
					time.Sleep(time.Millisecond) // the answer may be quicker than the document
				}
				if is() != (slow != "the user") {
					t.Errorf("shown %q", d.documents())
				}
			})
		}
	}
}
