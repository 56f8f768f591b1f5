//go:build live

package remote_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"coauthor/agent/llm"
	"coauthor/agent/llm/remote"
)

// TestLive talks to a real server, small enough for any machine: COAUTHOR_LIVE is its base URL. It
// checks the protocol, never the answers.
//
//	COAUTHOR_LIVE=http://127.0.0.1:18200/v1 go test -tags live -run Live -v ./agent/llm/remote
func TestLive(t *testing.T) {
	base := os.Getenv("COAUTHOR_LIVE")
	if base == "" {
		t.Fatal("set COAUTHOR_LIVE to the base URL of a server")
	}
	client, p := remote.New(remote.Options{}), profileAt(base)
	p.ID, p.APIKeyEnv = "local", ""
	list, err := client.Models(t.Context(), p)
	if err != nil || len(list) == 0 {
		t.Fatalf("models: %+v, %v", list, err)
	}
	t.Logf("models: %+v", list)
	ask := func(ctx context.Context, text string, most int, on func(llm.Delta)) (llm.Reply, error) {
		return client.Stream(ctx, llm.Request{
			Model: p, MaxTokens: most,
			Messages: []llm.Message{llm.Text(llm.RoleSystem, "Be brief."), llm.Text(llm.RoleUser, text)},
		}, on)
	}
	t.Run("answer", func(t *testing.T) {
		pieces, start := 0, time.Now()
		reply, err := ask(t.Context(), "Write a Go function that adds two ints.", 0, func(llm.Delta) { pieces++ })
		if err != nil || reply.Text == "" || reply.Finish != llm.FinishStop || reply.Usage.Estimated || reply.Usage.Completion == 0 {
			t.Fatalf("%+v, %v", reply, err)
		}
		t.Logf("%d pieces in %s, usage %+v: %.60q", pieces, time.Since(start), reply.Usage, reply.Text)
	})
	t.Run("length", func(t *testing.T) {
		reply, err := ask(t.Context(), "Count to one hundred.", 5, nil)
		if err != nil || reply.Finish != llm.FinishLength {
			t.Errorf("%+v, %v", reply, err)
		}
	})
	t.Run("not streamed", func(t *testing.T) {
		q := p
		q.Streaming = false
		reply, err := client.Stream(t.Context(), llm.Request{Model: q, MaxTokens: 5, Messages: []llm.Message{llm.Text(llm.RoleUser, "Say hello.")}}, nil)
		if err != nil || reply.Text == "" || reply.Usage.Completion == 0 {
			t.Errorf("%+v, %v", reply, err)
		}
	})
	t.Run("cancel", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var at time.Time
		_, err := ask(ctx, "Count to one thousand, in words.", 0, func(llm.Delta) {
			if at.IsZero() {
				at = time.Now()
				cancel()
			}
		})
		var e *llm.Error
		if !errors.As(err, &e) || e.Kind != llm.Canceled {
			t.Errorf("%v", err)
		}
		t.Logf("back %s after the cancel", time.Since(at))
	})
	t.Run("too long", func(t *testing.T) {
		_, err := ask(t.Context(), strings.Repeat("many words ", 10_000), 0, nil)
		var e *llm.Error
		if !errors.As(err, &e) || e.Kind != llm.TooLong {
			t.Errorf("%v", err)
		}
		t.Log(err)
	})
}
