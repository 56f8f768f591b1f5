package remote_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/llm"
	"coauthor/agent/model"
)

// TestOllamasWindowFitsTheRequest: a request asks for a window that it and its answer fit into, never for more than the model
// is said to have, and what the user sets stands above that.
func TestOllamasWindowFitsTheRequest(t *testing.T) {
	own := map[string]any{"options": map[string]any{"num_ctx": 5000, "num_gpu": 1}, "keep_alive": "1h"}
	for what, x := range map[string]struct {
		words, window, most int
		extra, options      map[string]any
	}{
		"short":           {10, 0, 0, nil, map[string]any{"num_ctx": 16384.0, "temperature": 0.0}},
		"longer":          {9000, 0, 0, nil, map[string]any{"num_ctx": 32768.0, "temperature": 0.0}},
		"long":            {40000, 0, 0, nil, map[string]any{"num_ctx": 131072.0, "temperature": 0.0}},
		"the model's own": {40000, 40960, 0, nil, map[string]any{"num_ctx": 40960.0, "temperature": 0.0}},
		"a few tokens":    {10, 0, 7, nil, map[string]any{"num_ctx": 16384.0, "temperature": 0.0, "num_predict": 7.0}},
		"the user's word": {9000, 0, 0, own, map[string]any{"num_ctx": 5000.0, "temperature": 0.0, "num_gpu": 1.0}},
	} {
		r := newHarness(t, "-- 1.md --\nok\n-- 1.yaml --\nprompt-tokens: 60000\n")
		r.profile.API, r.profile.ContextWindow, r.profile.ExtraBody = model.Ollama, x.window, x.extra
		reply, err := r.client.Stream(t.Context(), llm.Request{Model: r.profile, MaxTokens: x.most, Messages: []llm.Message{llm.Text(llm.RoleUser, strings.Repeat("word ", x.words))}}, nil)
		if err != nil || reply.Text != "ok\n" || reply.Usage.Prompt != 60000 || reply.Usage.Estimated || len(reply.Notes) > 0 {
			t.Fatalf("%s: %+v, %v", what, reply, err)
		}
		var body struct {
			Options     map[string]any `json:"options"`
			KeepAlive   string         `json:"keep_alive"`
			Temperature any            `json:"temperature"`
		}
		if err := json.Unmarshal(r.server.Requests()[0].Body, &body); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(x.options, body.Options); d != "" || body.Temperature != nil || (body.KeepAlive != "") != (x.extra != nil) {
			t.Errorf("%s: keep_alive %q, temperature %v, options (-want +got)\n%s", what, body.KeepAlive, body.Temperature, d)
		}
	}
	if len(own["options"].(map[string]any)) != 2 {
		t.Errorf("the user's settings became %v", own)
	}
}

// TestOllamaThinks as much as the settings say, in the levels that it has.
func TestOllamaThinks(t *testing.T) {
	for effort, want := range map[string]string{"": "null", "none": "false", "minimal": `"low"`, "medium": `"medium"`, "high": `"high"`, "xhigh": `"high"`, "8000": "true"} {
		r := newHarness(t, "-- 1.think.md --\nlet me see\n-- 1.md --\nok\n")
		r.profile.API, r.profile.ReasoningEffort = model.Ollama, effort
		if effort == "8000" {
			r.profile.ReasoningEffort, r.profile.ThinkingTokens = "", 8000
		}
		reply, err := r.stream()
		if err != nil || reply.Text != "ok\n" || reply.Reasoning != "let me see\n" {
			t.Fatalf("%q: %+v, %v", effort, reply, err)
		}
		var body struct {
			Think json.RawMessage `json:"think"`
		}
		if err := json.Unmarshal(r.server.Requests()[0].Body, &body); err != nil || orNull(body.Think) != want {
			t.Errorf("%q: it is told %s, want %s: %v", effort, body.Think, want, err)
		}
	}
}

func orNull(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "null"
	}
	return string(raw)
}

// TestOllamaSees: an image goes beside the text of its message.
func TestOllamaSees(t *testing.T) {
	r := newHarness(t, "-- 1.md --\nA cat.\n")
	r.profile.API = model.Ollama
	m := llm.Text(llm.RoleUser, "What is it?")
	m.Parts = append(m.Parts, llm.Part{Kind: llm.PartImage, MIME: "image/png", Data: []byte("cat")})
	if _, err := r.stream(m); err != nil {
		t.Fatal(err)
	}
	if body := string(r.server.Requests()[0].Body); !strings.Contains(body, `{"content":"What is it?","images":["Y2F0"],"role":"user"}`) {
		t.Errorf("it is sent %s", body)
	}
}

// TestAServerWithoutOllamasInterface is asked through chat, from then on at once.
func TestAServerWithoutOllamasInterface(t *testing.T) {
	for _, base := range []string{"", "/v1"} {
		r := newHarness(t, "repeat: true\n-- 1.md --\nok\n")
		var asked []string
		near := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			asked = append(asked, q.URL.Path)
			if strings.HasPrefix(q.URL.Path, "/api") {
				http.NotFound(w, q)
				return
			}
			r.server.ServeHTTP(w, q)
		}))
		t.Cleanup(near.Close)
		r.profile.APIBase, r.profile.API = near.URL+base, model.Ollama
		for range 2 {
			if reply, err := r.stream(); err != nil || reply.Text != "ok\n" {
				t.Fatal(reply, err)
			}
		}
		if d := cmp.Diff([]string{"/api/chat", "/v1/chat/completions", "/v1/chat/completions"}, asked); d != "" || len(r.waits) > 0 {
			t.Errorf("asked at (-want +got)\n%s", d)
		}
	}
}
