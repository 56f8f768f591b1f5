package agent

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"coauthor/agent/call"
	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
	"coauthor/agent/strategy"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/edits/formats"
)

// canned answers every request with the same bytes: what the network costs is not counted.
type canned string

// RoundTrip implements http.RoundTripper.
func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		_, _ = io.Copy(io.Discard, r.Body)
		_ = r.Body.Close()
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(strings.NewReader(string(c))), Request: r}, nil
}

// BenchmarkStream is the way from the bytes of a reply, an event for each token, to its edits and the events that tell
// of it. What one call costs whatever its length is in it, too.
func BenchmarkStream(b *testing.B) {
	for _, tokens := range []int{1000, 32000} {
		b.Run(fmt.Sprint(tokens, " tokens"), func(b *testing.B) { benchmarkStream(b, tokens) })
	}
}

func benchmarkStream(b *testing.B, tokens int) {
	catalog, err := model.Load(map[string]model.UserModel{"scripted": {APIBase: "http://127.0.0.1:1", APIKeyEnv: model.NoKey, Tools: "never"}})
	if err != nil {
		b.Fatal(err)
	}
	format, ok := formats.ByName("diff")
	if !ok {
		b.Fatal("no format")
	}
	var body strings.Builder
	words := []string{"a.py\\n", "```", "python\\n", "<<<<<<< SEARCH\\n", "value", "_", "1", " =", " compute", "(", "1", ",", " \\\"item\\\"", ")\\n", "=======\\n",
		"value", "_", "1", " =", " recompute", "(", "1", ",", " \\\"item\\\"", ")\\n", ">>>>>>> REPLACE\\n", "```", "\\n\\n"}
	for i := range tokens {
		fmt.Fprintf(&body, `data: {"id":"chatcmpl-9x","object":"chat.completion.chunk","created":1694268190,"model":"gpt-4o-2024-11-20","service_tier":"default","system_fingerprint":"fp_44709d6fcb","choices":[{"index":0,"delta":{"content":"%s"},"logprobs":null,"finish_reason":null}],"usage":null}`+"\n\n", words[i%len(words)])
	}
	body.WriteString(`data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}` + "\n\n" + `data: {"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":10}}` + "\n\ndata: [DONE]\n\n")
	events := 0
	emitter := event.NewEmitter("t", func(event.Event) { events++ })
	d := call.Options{Client: remote.New(remote.Options{HTTP: &http.Client{Transport: canned(body.String())}}), Tell: emitter.Emit}
	p := call.Ask{Strategy: strategy.Strategy{Format: &format, Model: strategy.NewModel(catalog.Resolve("scripted"), llm.RoleMain)}, Messages: []llm.Message{llm.Text(llm.RoleUser, "Change it.")}}
	ws, err := workspace.Open(b.TempDir(), workspace.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = ws.Close() })
	p.Parse = edits.ParseOptions{Chat: []string{"a.py"}, Files: ws.Snapshot()}
	b.ReportAllocs()
	for b.Loop() {
		events = 0
		r, err := call.Do(b.Context(), d, p)
		if err != nil || len(r.Edits) < tokens/len(words) || events < tokens {
			b.Fatalf("%d edits, %d events, %v", len(r.Edits), events, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(tokens), "ms/1000tokens")
}
