package remote_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
)

// secret is the key that must never be seen anywhere but in the request's header.
const secret = "sk-test-0123456789abcdef"

// harness is a scripted server and a client for it.
type harness struct {
	*testing.T
	server  *llmtest.Server
	client  *remote.Client
	profile model.Profile
	waits   []time.Duration
	retries []llm.ErrorKind
	log     bytes.Buffer
	deltas  []llm.Delta
}

func newHarness(t *testing.T, script string, change ...func(*remote.Options)) *harness {
	t.Helper()
	s, err := llmtest.Parse([]byte(script))
	if err != nil {
		t.Fatal(err)
	}
	r := &harness{T: t, server: llmtest.Start(s)}
	t.Cleanup(r.server.Close)
	r.profile = profileAt(r.server.URL)
	o := remote.Options{
		HTTP: &http.Client{Transport: &http.Transport{}},
		Env:  func(n string) string { return map[string]string{"TEST_KEY": secret}[n] },
		Rand: bytes.NewReader(make([]byte, 100)),
		Log:  slog.New(slog.NewTextHandler(&r.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Sleep: func(ctx context.Context, d time.Duration) error {
			r.waits = append(r.waits, d)
			return ctx.Err()
		},
	}
	for _, f := range change {
		f(&o)
	}
	r.client = remote.New(o)
	return r
}

func profileAt(url string) model.Profile {
	return model.Profile{
		Name: "scripted", ID: "scripted", APIBase: url, APIKeyEnv: "TEST_KEY",
		Streaming: true, UseTemperature: true, UseSystemPrompt: true,
	}
}

func (r *harness) stream(messages ...llm.Message) (llm.Reply, error) {
	r.Helper()
	if messages == nil {
		messages = []llm.Message{llm.Text(llm.RoleSystem, "be brief"), llm.Text(llm.RoleUser, "hello")}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return r.client.Stream(ctx, llm.Request{
		Model: r.profile, Messages: messages,
		OnRetry: func(_ int, _ time.Duration, err *llm.Error) { r.retries = append(r.retries, err.Kind) },
	}, func(d llm.Delta) {
		r.deltas = append(r.deltas, d)
	})
}

// fail streams and expects an error of a kind, with advice, without the key.
func (r *harness) fail(kind llm.ErrorKind, contains ...string) *llm.Error {
	r.Helper()
	reply, err := r.stream()
	var e *llm.Error
	if !errors.As(err, &e) {
		r.Fatalf("reply %+v, error %v; want an *llm.Error", reply, err)
	}
	if e.Kind != kind {
		r.Errorf("kind %s, want %s: %v", e.Kind, kind, e)
	}
	if e.Message == "" || e.Advice == "" || !strings.HasSuffix(e.Message, ".") || !strings.HasSuffix(e.Advice, ".") {
		r.Errorf("message and advice must be sentences: %q, %q", e.Message, e.Advice)
	}
	for _, c := range contains {
		if !strings.Contains(e.Error(), c) {
			r.Errorf("%q does not say %q", e.Error(), c)
		}
	}
	if all := fmt.Sprintf("%v %+v %v %s", e, e, e.Err, r.log.String()); strings.Contains(all, secret) {
		r.Errorf("the key leaked: %s", all)
	}
	if e.Partial.Text != "" && e.Partial.Finish != llm.FinishCut {
		r.Errorf("partial reply ends by %q", e.Partial.Finish)
	}
	return e
}

func (r *harness) text(c event.Channel) string {
	var b strings.Builder
	for _, d := range r.deltas {
		if d.Channel == c {
			b.WriteString(d.Text)
		}
	}
	return b.String()
}

func TestReply(t *testing.T) {
	r := newHarness(t, "chunk: 5\n-- 1.md --\nHello, wörld.\n-- 1.think.md --\nhm\n-- 1.yaml --\nprompt-tokens: 12\ncompletion-tokens: 7\n")
	r.profile.Price = model.Price{In: 1, Out: 2}
	reply, err := r.stream()
	if err != nil {
		t.Fatal(err)
	}
	want := llm.Reply{
		Text: "Hello, wörld.\n", Reasoning: "hm\n", Finish: llm.FinishStop,
		Usage: event.Usage{Prompt: 12, Completion: 7, Cost: 26e-6},
	}
	if d := cmp.Diff(want, reply); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if r.text(event.ChannelAnswer) != want.Text || r.text(event.ChannelReasoning) != want.Reasoning || len(r.deltas) < 4 {
		t.Errorf("deltas %+v", r.deltas)
	}
	req := r.server.Requests()[0]
	if req.Path != "/v1/chat/completions" || req.Header.Get("Authorization") != "Bearer "+secret {
		t.Errorf("request %s with %v", req.Path, req.Header)
	}
	var body map[string]any
	if err := json.Unmarshal(req.Body, &body); err != nil {
		t.Fatal(err)
	}
	wantBody := map[string]any{
		"model": "scripted", "stream": true, "temperature": 0.0,
		"stream_options": map[string]any{"include_usage": true},
		"messages": []any{
			map[string]any{"role": "system", "content": "be brief"},
			map[string]any{"role": "user", "content": "hello"},
		},
	}
	if d := cmp.Diff(wantBody, body); d != "" {
		t.Errorf("body (-want +got):\n%s", d)
	}
	if strings.Contains(r.log.String(), secret) || strings.Contains(r.log.String(), "hello") {
		t.Errorf("the log says too much: %s", r.log.String())
	}
}

// TestBody sends what the library cannot say: cache marks, files, extra fields and headers, a model's
// name that the library would check, an empty content.
func TestBody(t *testing.T) {
	r := newHarness(t, "-- 1.md --\nok\n")
	warm := 0.25
	r.profile.ID = "o3-mini"
	r.profile.Headers = map[string]string{"X-Title": "coauthor"}
	r.profile.ExtraBody = map[string]any{"reasoning_effort": "low", "stream_options": nil}
	r.profile.UseSystemPrompt = false
	_, err := r.client.Stream(t.Context(), llm.Request{
		Model: r.profile, MaxTokens: 50, Temperature: &warm,
		Messages: []llm.Message{
			llm.Text(llm.RoleSystem, "sys"),
			{Role: llm.RoleUser, Parts: []llm.Part{
				{Kind: llm.PartText, Text: "long", Cache: true},
				{Kind: llm.PartImage, MIME: "image/png", Data: []byte("png")},
				{Kind: llm.PartFile, Name: "a.pdf", MIME: "application/pdf", Data: []byte("pdf")},
			}},
			llm.Text(llm.RoleAssistant, ""),
		},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	req := r.server.Requests()[0]
	var body map[string]any
	if err := json.Unmarshal(req.Body, &body); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"model": "o3-mini", "stream": true, "temperature": 0.25, "max_tokens": 50.0, "reasoning_effort": "low",
		"messages": []any{
			map[string]any{"role": "user", "content": "sys"},
			map[string]any{"role": "user", "content": []any{
				map[string]any{"type": "text", "text": "long", "cache_control": map[string]any{"type": "ephemeral"}},
				map[string]any{"type": "image_url", "image_url": map[string]any{"url": "data:image/png;base64,cG5n"}},
				map[string]any{"type": "file", "file": map[string]any{"filename": "a.pdf", "file_data": "data:application/pdf;base64,cGRm"}},
			}},
			map[string]any{"role": "assistant", "content": ""},
		},
	}
	if d := cmp.Diff(want, body); d != "" {
		t.Errorf("body (-want +got):\n%s", d)
	}
	if req.Header.Get("X-Title") != "coauthor" {
		t.Errorf("headers %v", req.Header)
	}
}

func TestToolCallsBecomeText(t *testing.T) {
	everyAPI(t, func(t *testing.T, api string) {
		for _, streaming := range []bool{true, false} {
			r := newHarness(t, "-- 1.md --\n{\"a\":1}")
			r.profile.API = api
			r.profile.Streaming = streaming
			reply, err := r.client.Stream(t.Context(), llm.Request{
				Model: r.profile, Messages: []llm.Message{llm.Text(llm.RoleUser, "x")},
				Tool: &llm.Tool{Name: "edit", Schema: []byte(`{"type":"object"}`)},
			}, nil)
			if err != nil || strings.TrimSpace(reply.Text) != `{"a":1}` {
				t.Errorf("streaming %v: %+v, %v", streaming, reply, err)
			}
		}
	})
}

// TestDialects: the same reply in every way servers have of sending it.
func TestDialects(t *testing.T) {
	const text = "one\ntwo ``` three\n"
	for name, script := range map[string]string{
		"plain":               "",
		"keep-alive comments": "keepalive: true\nchunk: 1\n",
		"carriage returns":    "crlf: true\n",
		"no done":             "done: false\n",
		"stays open":          "stay: true\n",
		"no usage":            "usage: false\n",
		"not streamed":        "stream: false\n",
		"reasoning":           "reasoning-field: reasoning\n",
		"large chunks":        "chunk: 100000\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newHarness(t, script+"-- 1.md --\n"+text+"-- 1.think.md --\nwhy\n")
			reply, err := r.stream()
			if err != nil || reply.Text != text || reply.Reasoning != "why\n" || reply.Finish != llm.FinishStop {
				t.Errorf("%+v, %v", reply, err)
			}
			if estimated := name == "no usage"; reply.Usage.Estimated != estimated || reply.Usage.Completion == 0 || reply.Usage.Prompt == 0 {
				t.Errorf("usage %+v", reply.Usage)
			}
			if got := r.text(event.ChannelAnswer); got != text {
				t.Errorf("deltas %q", got)
			}
		})
	}
	raw := map[string]string{
		"parts and both fields": `data: {"choices":[{"delta":{"content":[{"type":"text","text":"a"},{"type":"thinking","thinking":[{"type":"text","text":"t"}]}],"reasoning":"r","reasoning_content":"r"}}]}

data: {"choices":[{"delta":{"content":null},"finish_reason":"end_turn"}],"usage":{"prompt_tokens":10,"completion_tokens":2,"cache_read_input_tokens":100}}
`,
		"event lines, no blank lines, no space": `event: chunk
data:{"choices":[{"index":0,"delta":{"content":"a","reasoning":"rt"}},{"index":1,"delta":{"content":"other"}}]}
id: 3
data:{"choices":[{"delta":{},"finish_reason":"STOP"}],"usage":{"prompt_tokens":110,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":100}}}
data:[DONE]
`,
		"one event over several lines": `data: {"choices":
data: [{"delta":{"content":"a","reasoning":"rt"}, "finish_reason":"stop"}],
data: "usage":{"prompt_tokens":110,"completion_tokens":2,"prompt_cache_hit_tokens":100}}

data: [DONE]
`,
		"no last line end": `data: {"choices":[{"delta":{"content":"a","reasoning":"rt"},"finish_reason":"eos"}],"usage":{"prompt_tokens":110,"completion_tokens":2,"prompt_cache_hit_tokens":100}}`,
	}
	for name, body := range raw {
		t.Run(name, func(t *testing.T) {
			r := newHarness(t, "raw: true\n-- 1.md --\n"+body)
			reply, err := r.stream()
			if err != nil {
				t.Fatal(err)
			}
			want := llm.Reply{
				Text: "a", Reasoning: "rt", Finish: llm.FinishStop,
				Usage: event.Usage{Prompt: 110, Completion: 2, CacheRead: 100},
			}
			if d := cmp.Diff(want, reply); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestFinish(t *testing.T) {
	for reason, want := range map[string]llm.Finish{
		"stop": llm.FinishStop, "length": llm.FinishLength, "max_tokens": llm.FinishLength,
		"content_filter": llm.FinishRefused, "tool_calls": llm.FinishStop, "odd": llm.FinishStop,
	} {
		r := newHarness(t, "finish: "+reason+"\n-- 1.md --\nx\n")
		if reply, err := r.stream(); err != nil || reply.Finish != want {
			t.Errorf("%s: %+v, %v", reason, reply, err)
		}
	}
	r := newHarness(t, "raw: true\n-- 1.md --\ndata: {\"choices\":[{\"delta\":{\"refusal\":\"I cannot\"},\"finish_reason\":\"stop\"}]}\n")
	if reply, err := r.stream(); err != nil || reply.Finish != llm.FinishRefused || reply.Text != "I cannot" {
		t.Errorf("refusal: %+v, %v", reply, err)
	}
}

func TestReasoningTags(t *testing.T) {
	for _, x := range []struct{ name, text, answer, thinking string }{
		{"leading", "\n<think>\nwhy\n</think>\n\nbecause\n", "because\n", "\nwhy\n"},
		{"none", "plain <think>x</think>\n", "plain <think>x</think>\n", ""},
		{"twice", "<think>a</think><think>b</think>c\n", "c\n", "ab"},
		{"opening tag in the prompt", "why\n</think>\nanswer\n", "answer\n", "why\n"},
		{"in a code block", "```\n</think>\n```\n", "```\n</think>\n```\n", ""},
		{"never closed", "<think>all I know\n", "all I know\n", ""},
		{"another word", "<thinking>why</thinking>because\n", "because\n", "why"},
		{"looks like one", "<thinking about it\n", "<thinking about it\n", ""},
		{"white space only", "  \n", "", ""},
	} {
		for _, chunk := range []int{1, 3, 1000} {
			r := newHarness(t, fmt.Sprintf("chunk: %d\n-- 1.md --\n%s", chunk, x.text))
			r.profile.ReasoningTag = "think"
			reply, err := r.stream()
			if err != nil || reply.Text != x.answer || reply.Reasoning != x.thinking {
				t.Errorf("%s, chunks of %d: text %q, reasoning %q, %v", x.name, chunk, reply.Text, reply.Reasoning, err)
			}
		}
	}
}

func TestCancelClosesTheSocket(t *testing.T) {
	everyAPI(t, func(t *testing.T, api string) {
		for name, script := range map[string]string{
			"in the middle": "hold: true\n-- 1.md --\nfirst half second half\n", "before the head": "first-delay: 1h\n-- 1.md --\nx\n",
		} {
			t.Run(name, func(t *testing.T) {
				r := newHarness(t, script)
				r.profile.API = api
				wait, stop := context.WithTimeout(context.Background(), time.Minute)
				defer stop()
				ctx, cancel := context.WithCancel(t.Context())
				var wg sync.WaitGroup
				var reply llm.Reply
				var err error
				wg.Go(func() {
					reply, err = r.client.Stream(ctx, llm.Request{Model: r.profile, Messages: []llm.Message{llm.Text(llm.RoleUser, "x")}}, nil)
				})
				if name == "in the middle" {
					if err := r.server.WaitHeld(wait, 1); err != nil {
						t.Fatal(err)
					}
				} else if err := r.server.WaitRequest(wait, 1); err != nil {
					t.Fatal(err)
				}
				cancel()
				wg.Wait()
				var e *llm.Error
				if !errors.As(err, &e) || e.Kind != llm.Canceled || !errors.Is(err, context.Canceled) {
					t.Errorf("%+v, %v", reply, err)
				}
				if err := r.server.WaitClosed(wait, 1); err != nil {
					t.Error(err)
				}
				if len(r.waits) > 0 {
					t.Error("a cancelled call was tried again")
				}
			})
		}
	})
}

func TestHeldReplyGoesOn(t *testing.T) {
	r := newHarness(t, "hold: true\n-- 1.md --\nfirst half second half\n")
	var wg sync.WaitGroup
	var reply llm.Reply
	var err error
	wg.Go(func() { reply, err = r.stream() })
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	if err := r.server.WaitHeld(ctx, 1); err != nil {
		t.Fatal(err)
	}
	r.server.Release()
	wg.Wait()
	if err != nil || reply.Text != "first half second half\n" || r.server.Closed() != 0 {
		t.Errorf("%+v, %v, closed %d", reply, err, r.server.Closed())
	}
}

func TestOneModelManyCallsAtOnce(t *testing.T) {
	r := newHarness(t, "-- 1.md --\nx\n-- 1.yaml --\nrepeat: true\n")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			reply, err := r.client.Stream(t.Context(), llm.Request{Model: r.profile, Messages: []llm.Message{llm.Text(llm.RoleUser, "x")}}, nil)
			if err != nil || reply.Text != "x\n" {
				t.Errorf("%+v, %v", reply, err)
			}
		})
	}
	wg.Wait()
	for i, q := range r.server.Requests() {
		if q.Number != i+1 {
			t.Errorf("request %d is numbered %d", i+1, q.Number)
		}
	}
}

func TestTruncatedPromptIsTold(t *testing.T) {
	r := newHarness(t, "-- 1.md --\nx\n-- 1.yaml --\nprompt-tokens: 4096\n")
	reply, err := r.stream(llm.Text(llm.RoleUser, strings.Repeat("many words ", 10_000)))
	if err != nil || len(reply.Notes) != 1 || !strings.Contains(reply.Notes[0], "num_ctx") {
		t.Errorf("%+v, %v", reply.Notes, err)
	}
}

func TestModels(t *testing.T) {
	r := newHarness(t, "models: b, a\nkey: "+secret+"\n-- 1.md --\nx\n")
	list, err := r.client.Models(t.Context(), r.profile)
	if d := cmp.Diff([]remote.ModelInfo{{ID: "a"}, {ID: "b"}}, list); d != "" || err != nil {
		t.Errorf("%s %v", d, err)
	}
	r.profile.APIKeyEnv = "NOT_SET"
	var e *llm.Error
	if _, err = r.client.Models(t.Context(), r.profile); !errors.As(err, &e) || e.Kind != llm.Auth || !strings.Contains(e.Advice, "NOT_SET") {
		t.Errorf("%v", err)
	}
	sizes := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path != "/models" {
			http.NotFound(w, q)
			return
		}
		fmt.Fprint(w, `{"data":[{"id":"x","max_model_len":32768,"created":1.5}]}`)
	}))
	defer sizes.Close()
	list, err = r.client.Models(t.Context(), profileAt(sizes.URL))
	if d := cmp.Diff([]remote.ModelInfo{{ID: "x", ContextWindow: 32768}}, list); d != "" || err != nil {
		t.Errorf("%s %v", d, err)
	}
}

// A reply that never ends is ended at the size that edits take, whatever the pieces: with what had come,
// and once. Where COAUTHOR_LARGE is set, each field comes in pieces of each size, else in those of one.
func TestEndlessReply(t *testing.T) {
	for i, field := range []string{"content", "reasoning_content"} {
		for n, size := range []int{500, 200_000} {
			if n != i && os.Getenv("COAUTHOR_LARGE") == "" {
				continue
			}
			event := fmt.Sprintf("data: {\"choices\":[{\"delta\":{%q:%q}}]}\n\n", field, strings.Repeat("word ", size/5))
			calls, sent := 0, 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
				calls++
				for q.Context().Err() == nil && sent < 200<<20 {
					n, err := w.Write([]byte(event))
					if sent += n; err != nil {
						return
					}
				}
			}))
			r := newHarness(t, "-- 1.md --\nx\n")
			r.profile.APIBase = server.URL + "/v1"
			e := r.fail(llm.BadStream, "longer than 16 MiB")
			server.Close()
			if calls != 1 || sent > 64<<20 {
				t.Errorf("%s in pieces of %d: %d calls, %d bytes sent", field, size, calls, sent)
			}
			if n := len(e.Partial.Text) + len(e.Partial.Reasoning); n < 16<<20 || n > 17<<20 {
				t.Errorf("%s in pieces of %d: %d bytes were kept", field, size, n)
			}
		}
	}
}
