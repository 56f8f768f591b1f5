package remote_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"coauthor/agent/llm"
	"coauthor/agent/llm/remote"
)

// printing is a client whose key command prints one text after the other.
func printing(t *testing.T, script string, texts ...string) (*harness, *int) {
	ran := 0
	r := newHarness(t, script, func(o *remote.Options) {
		o.KeyCommand = func(ctx context.Context, command string) (string, error) {
			if command != "print it" {
				t.Errorf("ran %q", command)
			}
			ran++
			text := texts[min(ran, len(texts))-1]
			if text == "fail" {
				return secret, errors.New("it ended with status 3")
			}
			return text, ctx.Err()
		}
	})
	r.profile.APIKeyCommand, r.profile.APIKeyEnv = "print it", "TEST_KEY"
	return r, &ran
}

// TestKeyFromACommand: the first line of what it prints is the key, it runs once for many calls, and the
// variable counts no more.
func TestKeyFromACommand(t *testing.T) {
	for _, text := range []string{"fresh-key-1", "fresh-key-1\n", "\n  fresh-key-1 \r\nuser: me\n"} {
		r, ran := printing(t, "key: fresh-key-1\nrepeat: true\n-- 1.md --\nx\n", text)
		for range 2 {
			if _, err := r.stream(); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
		if _, err := r.client.Models(t.Context(), r.profile); err != nil || *ran != 1 {
			t.Errorf("%q: %v, ran %d times", text, err, *ran)
		}
		if log := r.log.String(); strings.Contains(log, "fresh-key-1") || strings.Contains(log, "print it") {
			t.Errorf("the log: %s", log)
		}
	}
}

// TestAKeyGrowsOld: a key that the server refuses is asked for once more; the same one is no news.
func TestAKeyGrowsOld(t *testing.T) {
	everyAPI(t, func(t *testing.T, api string) {
		r, ran := printing(t, "key: fresh-key-2\nrepeat: true\n-- 1.md --\nx\n", "old-key-0001", "fresh-key-2")
		r.profile.API = api
		if reply, err := r.stream(); err != nil || reply.Text != "x\n" || *ran != 2 {
			t.Errorf("%+v, %v, ran %d times", reply, err, *ran)
		}
		r, ran = printing(t, "key: fresh-key-2\nrepeat: true\n-- 1.md --\nx\n", "old-key-0001", "fresh-key-2")
		r.profile.API = api
		if list, err := r.client.Models(t.Context(), r.profile); err != nil || len(list) != 1 || *ran != 2 {
			t.Errorf("the list: %+v, %v, ran %d times", list, err, *ran)
		}
		r, ran = printing(t, "key: fresh-key-2\nrepeat: true\n-- 1.md --\nx\n", "old-key-0001")
		r.profile.API = api
		if e := r.fail(llm.Auth, "apiKeyCommand"); strings.Contains(e.Error(), "old-key-0001") || *ran != 2 {
			t.Errorf("%v, ran %d times", e, *ran)
		}
	})
}

// TestNoKeyFromACommand: the user is told what to do, and never what was printed.
func TestNoKeyFromACommand(t *testing.T) {
	for _, text := range []string{"fail", "", "\n \n", "a\x00b", "two\x1b[1m"} {
		r, _ := printing(t, "repeat: true\n-- 1.md --\nx\n", text)
		r.fail(llm.NoKey, "apiKeyCommand")
		if n := len(r.server.Requests()); n > 0 {
			t.Errorf("%q: %d requests went out", text, n)
		}
	}
	r := newHarness(t, "-- 1.md --\nx\n")
	r.profile.APIKeyCommand = "print it"
	r.fail(llm.NoKey, "apiKeyCommand")
}

// TestAKeyCommandIsCancelled with the call that needs it.
func TestAKeyCommandIsCancelled(t *testing.T) {
	r := newHarness(t, "-- 1.md --\nx\n", func(o *remote.Options) {
		o.KeyCommand = func(ctx context.Context, _ string) (string, error) { <-ctx.Done(); return "", ctx.Err() }
	})
	r.profile.APIKeyCommand = "print it"
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := r.client.Stream(ctx, llm.Request{Model: r.profile}, nil)
	var e *llm.Error
	if !errors.As(err, &e) || e.Kind != llm.Canceled {
		t.Errorf("%v", err)
	}
}

// TestTheCommandsKeyGoesToItsHost: a profile that moves elsewhere leaves the command behind.
func TestTheCommandsKeyGoesToItsHost(t *testing.T) {
	url, came := heard(t, func(*http.Request) (int, string) { return http.StatusOK, said })
	r, ran := printing(t, "-- 1.md --\nx\n", "fresh-key-1")
	p := r.profile.At(url, "")
	if p.APIKeyCommand != "" || p.APIKeyEnv != "" {
		t.Errorf("%+v", p)
	}
	if _, err := r.client.Stream(t.Context(), llm.Request{Model: p}, nil); err != nil || *ran != 0 || strings.Contains(fmt.Sprint((*came)[0].Header), "fresh-key-1") {
		t.Errorf("%v, ran %d times", err, *ran)
	}
}
