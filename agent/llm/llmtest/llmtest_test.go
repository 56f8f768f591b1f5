package llmtest_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"coauthor/agent/llm/llmtest"
)

func start(t *testing.T, archive string) *llmtest.Server {
	t.Helper()
	s, err := llmtest.Parse([]byte(archive))
	if err != nil {
		t.Fatal(err)
	}
	srv := llmtest.Start(s)
	t.Cleanup(srv.Close)
	return srv
}

// post asks like a client that has never heard of this project.
func post(ctx context.Context, t *testing.T, url, body string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v1/chat/completions", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

func all(t *testing.T, r io.Reader) string {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const ask = `{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"system","content":"s"},{"role":"user","content":[{"type":"text","text":"hi"},{"type":"image_url"}]}]}`

func TestStream(t *testing.T) {
	s := start(t, "chunk: 4\n-- 1.md --\nabcdefg\n")
	resp := post(t.Context(), t, s.URL, ask)
	if ct := resp.Header.Get("Content-Type"); ct != "text/event-stream" {
		t.Errorf("content type %q", ct)
	}
	var text strings.Builder
	var finish string
	var prompt int
	done := false
	for line := range strings.Lines(all(t, resp.Body)) {
		data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: ")
		if !ok {
			continue
		}
		if done = data == "[DONE]"; done {
			continue
		}
		var c struct {
			Choices []struct {
				Delta  struct{ Content *string }
				Finish *string `json:"finish_reason"`
			}
			Usage *struct {
				Prompt int `json:"prompt_tokens"`
			}
		}
		if err := json.Unmarshal([]byte(data), &c); err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		for _, ch := range c.Choices {
			if ch.Delta.Content != nil {
				text.WriteString(*ch.Delta.Content)
			}
			if ch.Finish != nil {
				finish = *ch.Finish
			}
		}
		if c.Usage != nil {
			prompt = c.Usage.Prompt
		}
	}
	if text.String() != "abcdefg\n" || finish != "stop" || prompt == 0 || !done {
		t.Errorf("text %q, finish %q, prompt %d, done %v", text.String(), finish, prompt, done)
	}
	r := s.Requests()[0]
	if r.Model != "m" || len(r.Messages) != 2 || r.Messages[1].Content != "hi[image_url]" || string(r.Body) != ask {
		t.Errorf("recorded %+v", r)
	}
}

func TestChoice(t *testing.T) {
	s := start(t, "stream: false\n-- 1.md --\nfirst\n-- 2.md --\nspecial\n-- 2.yaml --\nmatch: magic\nrepeat: true\n-- 3.md --\nsecond\n")
	for _, x := range []struct{ say, want string }{
		{"a", "first"}, {"magic word", "special"}, {"b", "second"}, {"magic", "special"}, {"c", "the script has no reply for request 5"},
	} {
		body := all(t, post(t.Context(), t, s.URL, `{"messages":[{"role":"user","content":"`+x.say+`"}]}`).Body)
		if !strings.Contains(body, x.want) {
			t.Errorf("%q: %s", x.say, body)
		}
	}
}

func TestModelsKeyAndHealth(t *testing.T) {
	s := start(t, "models: x, y\nkey: k\n-- 1.md --\nz\n")
	for path, want := range map[string]string{"/v1/models": "401", "/health": `"ok"`, "/nothing": "404"} {
		resp, err := http.Get(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		if got := resp.Status + all(t, resp.Body); !strings.Contains(got, want) {
			t.Errorf("%s: %s", path, got)
		}
		_ = resp.Body.Close()
	}
}

func TestHungUpClientIsNoticed(t *testing.T) {
	parsed, err := llmtest.Parse([]byte("hold: true\n-- 1.md --\nabcdefghijklmnopqrstuvwxyz\n"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	told := make(chan llmtest.Recorded, 2) // as many as there will be
	s := llmtest.Serve(l, parsed, func(r llmtest.Recorded) { told <- r })
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	resp := post(ctx, t, s.URL, ask)
	if _, err := bufio.NewReader(resp.Body).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	wait, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	if err := s.WaitHeld(wait, 1); err != nil {
		t.Fatal(err)
	}
	if s.Closed() != 0 {
		t.Error("closed too early")
	}
	cancel()
	if err := s.WaitClosed(wait, 1); err != nil {
		t.Fatal(err)
	}
	if r := <-told; r.Number != 1 || r.Closed {
		t.Errorf("first record %+v", r)
	}
	if r := <-told; r.Number != 1 || !r.Closed {
		t.Errorf("second record %+v", r)
	}
}

func TestReleaseOverHTTP(t *testing.T) {
	s := start(t, "hold: true\nstream: false\n-- 1.md --\nheld\n")
	body := make(chan string, 1)
	go func() {
		resp, err := http.Post(s.URL+"/v1/chat/completions", "application/json", strings.NewReader(ask))
		if err != nil {
			body <- err.Error()
			return
		}
		defer resp.Body.Close()
		b, _ := io.ReadAll(resp.Body)
		body <- string(b)
	}()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	if err := s.WaitHeld(ctx, 1); err != nil {
		t.Fatal(err)
	}
	resp, err := http.Post(s.URL+"/fake/release", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if b := <-body; !strings.Contains(b, "held") {
		t.Error(b)
	}
}

func TestBadScripts(t *testing.T) {
	for archive, want := range map[string]string{
		"":                                       "no reply",
		"-- readme.txt --\nx\n":                  "readme.txt",
		"-- 1.yaml --\nstatsu: 3\n":              "statsu",
		"-- 1.yaml --\ndelay: soon\n":            "1.yaml",
		"speed: fast\n-- 1.md --\nx\n":           "speed",
		"Shows: nothing but prose\n-- 1.md --\n": "",
	} {
		_, err := llmtest.Parse([]byte(archive))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", archive, err)
		}
	}
}
