package lsp

import (
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"coauthor/lsp/lsptest"
)

// slowly is encoded in its own time.
type slowly struct{ begun chan struct{} }

func (s slowly) MarshalJSON() ([]byte, error) {
	close(s.begun)
	time.Sleep(50 * time.Millisecond) // in which a server that does not wait answers
	return []byte(`{"type":3,"message":"?"}`), nil
}

// Whoever is about to ask when the client shuts the server down asks before the answer to that.
func TestNoQuestionComesAfterShutdown(t *testing.T) {
	r := newModelHarness(t, nil, nil)
	var questions atomic.Int32
	r.Answer = func(method string, _ json.RawMessage) string {
		if method == "window/showMessageRequest" {
			questions.Add(1)
		}
		return "null"
	}
	r.initialize(plainCaps, "null")
	r.command("status", "") // behind initialized, before which nothing may be asked
	question, asked := slowly{make(chan struct{})}, make(chan error, 1)
	go func() { asked <- r.s.client.Call(t.Context(), "window/showMessageRequest", question, nil) }()
	lsptest.Receive(t, "the question to be written", question.begun)
	r.Send(`{"jsonrpc":"2.0","id":"bye","method":"shutdown"}`)
	for !strings.Contains(r.Next(), `"id":"bye"`) {
	}
	if questions.Load() != 1 {
		t.Error("the question was not sent before the answer")
	}
	if err := lsptest.Receive(t, "the answer", asked); err != nil {
		t.Error(err)
	}
	if err := r.s.client.Call(t.Context(), "window/showMessageRequest", nil, nil); err == nil {
		t.Error("a question after shutdown")
	}
}
