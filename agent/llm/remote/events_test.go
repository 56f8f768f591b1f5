package remote

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/llm"
	"coauthor/agent/llm/wire"
	"coauthor/agent/model"
)

// TestSecrets: which parts of a head are taken for keys, the longest first, so that none is left in part.
func TestSecrets(t *testing.T) {
	for _, x := range []struct {
		key     string
		headers map[string]string
		want    []string
	}{
		{"k", nil, []string{"k"}},
		{"", map[string]string{"Authorization": " Bearer  token "}, []string{"Bearer  token", "token", ""}},
		{"0123456789", map[string]string{"X-Token": "01"}, []string{"0123456789", "01"}},
		{"01", map[string]string{"Cookie": "0123456789"}, []string{"0123456789", "01"}},
		{"k", map[string]string{"X-Team": "nineteen-characters", "X-Title": "a title of more than twenty", "Referer": "https://example.com/a/b"}, []string{"k"}},
		{"k", map[string]string{"X-Odd": "twenty-characters-xx"}, []string{"twenty-characters-xx", "k"}},
		{"k", map[string]string{"X-Signature": "s1"}, []string{"s1", "k"}},
		{"k", map[string]string{"My-Password": "s1"}, []string{"s1", "k"}},
		{"k", map[string]string{"My-Secret": "s1"}, []string{"s1", "k"}},
		{"k", map[string]string{"My-Credential": "s1"}, []string{"s1", "k"}},
	} {
		if diff := cmp.Diff(x.want, []string(secretsOf(x.key, x.headers))); diff != "" {
			t.Errorf("%v (-want +got):\n%s", x.headers, diff)
		}
	}
	for key, want := range map[string]string{"": "abc abcd", "abc": "abc abcd", "abcd": "abc [key]"} {
		if got := redact("abc abcd", key); got != want {
			t.Errorf("without %q: %q", key, got)
		}
	}
	for raw, want := range map[string]string{
		"https://me:word@x.example/v1?key=1#p": "https://x.example/v1#p", "https://x.example/sk-0123456789": "https://x.example/[key]",
		"https://[::1?key=abc": "https://[::1?key=[key]", "sk-0123456789": "[key]",
	} {
		if got := redactURL(raw); got != want {
			t.Errorf("%s is shown as %s", raw, got)
		}
	}
}

// TestShortening makes one line of so many characters, and cuts none of them.
func TestShortening(t *testing.T) {
	for in, want := range map[string]string{"": "", " a\n\t b ": "a b", "äöüß": "äöüß", "äöüßx": "äöüß…"} {
		if got := shorten(in, 4); got != want {
			t.Errorf("%q becomes %q", in, got)
		}
	}
	if got := wire.StripTags(strings.Repeat("x", 5000)); len(got) != 4096 {
		t.Errorf("%d bytes are left", len(got))
	}
}

// TestDefaults: what is not said is sensible, and what is said holds.
func TestDefaults(t *testing.T) {
	o := New(Options{}).o
	if o.Connect != 15*time.Second || o.FirstToken != 5*time.Minute || o.Idle != 2*time.Minute || o.Total != 10*time.Minute || o.Retries != 3 || o.linger != 10*time.Second {
		t.Errorf("%+v", o)
	}
	if o.HTTP == nil || o.Env == nil || o.Clock == nil || o.Sleep == nil || o.Rand == nil || o.Log == nil {
		t.Errorf("something is missing: %+v", o)
	}
	if o := New(Options{Total: time.Hour}).o; o.FirstToken != 30*time.Minute || o.Idle != 12*time.Minute {
		t.Errorf("who has an hour waits %v for the first piece and %v for the next", o.FirstToken, o.Idle)
	}
	o = New(Options{Connect: 1, FirstToken: 2, Idle: 3, Total: 4, Retries: 5, linger: 6}).o
	if o.Connect != 1 || o.FirstToken != 2 || o.Idle != 3 || o.Total != 4 || o.Retries != 5 || o.linger != 6 {
		t.Errorf("%+v", o)
	}
	if o := New(Options{Retries: -1}).o; o.Retries != 0 {
		t.Errorf("%d retries", o.Retries)
	}
	c := New(Options{Rand: iotest.ErrReader(errors.New("no chance"))})
	for attempt, want := range map[int]time.Duration{0: 500 * time.Millisecond, 1: time.Second, 5: 16 * time.Second, 6: 20 * time.Second, 1000: 20 * time.Second} {
		if got := c.wait(attempt, 0); got != want {
			t.Errorf("attempt %d: %v", attempt, got)
		}
	}
}

// TestStreamsThatStayOpen: a reply is complete once it said why it stopped, with the usage that comes soon
// after; one that holds no data any more is given up at once.
func TestStreamsThatStayOpen(t *testing.T) {
	const last = "data: {\"choices\":[{\"delta\":{\"content\":\"all\"},\"finish_reason\":\"stop\"}]}\n\n"
	for what, x := range map[string]struct {
		sent     string
		streamed bool
		prompt   int // counted by the server
		failed   bool
	}{
		"nothing more":         {last, true, 0, false},
		"usage":                {last + "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":77,\"completion_tokens\":1}}\n\n", true, 77, false},
		"comments":             {last + ": wait\n\n", true, 0, false},
		"not streamed":         {strings.Replace(last, "\"stop\"}]", "\"stop\"}],\"usage\":{\"prompt_tokens\":77,\"completion_tokens\":1}", 1), false, 77, false},
		"no data":              {"data: {\"choices\":[{\"delta\":{\"content\":\"all\"}}]}\n\ndata: <html>\n\n", true, 0, true},
		"no data behind it":    {last + "data: <html>\n\n", true, 0, true},
		"no data, at the head": {"data: <html>\n\n", true, 0, true},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			_, _ = io.Copy(io.Discard, q.Body)
			fmt.Fprint(w, x.sent)
			w.(http.Flusher).Flush()
			<-q.Context().Done()
		}))
		c := New(Options{Env: func(string) string { return "" }, Retries: -1, linger: 50 * time.Millisecond, Idle: 30 * time.Second, FirstToken: 30 * time.Second})
		reply, err := c.Stream(t.Context(), llm.Request{Model: model.Profile{ID: "m", APIBase: server.URL, Streaming: x.streamed}, Messages: []llm.Message{llm.Text(llm.RoleUser, "hi")}}, nil)
		var e *llm.Error
		switch {
		case x.failed && (!errors.As(err, &e) || e.Kind != llm.BadStream || !strings.Contains(e.Message, "Cannot read the answer")):
			t.Errorf("%s: %+v, %v", what, reply, err)
		case !x.failed && (err != nil || reply.Text != "all" || reply.Finish != llm.FinishStop || reply.Usage.Estimated != (x.prompt == 0) || x.prompt > 0 && reply.Usage.Prompt != x.prompt):
			t.Errorf("%s: %+v, %v", what, reply, err)
		}
		server.Close()
	}
}
