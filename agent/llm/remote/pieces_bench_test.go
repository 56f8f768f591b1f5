package remote

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"coauthor/agent/llm"
	"coauthor/agent/model"
)

type cannedReply string

func (c cannedReply) RoundTrip(r *http.Request) (*http.Response, error) {
	_, _ = io.Copy(io.Discard, r.Body)
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(c))), Request: r}, nil
}

// BenchmarkPieces is what the pieces of an answer cost that are more than a text, 10,000 of them.
func BenchmarkPieces(b *testing.B) {
	const n = 10000
	for _, x := range []struct{ name, api, piece, end string }{
		{"reasoning", model.Chat, `{"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"reasoning":"abcd","reasoning_details":[{"type":"reasoning.text","text":"abcd","index":0}]},"finish_reason":null}]}`, `{"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}`},
		{"arguments", model.Chat, `{"id":"x","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"read","arguments":"abcd"}}]},"finish_reason":null}]}`, `{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}`},
		{"anthropic", model.Anthropic, `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"abcd"}}`, `{"type":"message_delta","delta":{"stop_reason":"end_turn"}}` + "\n\ndata: " + `{"type":"message_stop"}`},
		{"responses", model.Responses, `{"type":"response.output_text.delta","sequence_number":7,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"abcd","logprobs":[]}`, `{"type":"response.completed","response":{"status":"completed"}}`},
		{"ollama", model.Ollama, `{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"abcd"},"done":false}`, `{"message":{"content":""},"done":true}`},
	} {
		b.Run(x.name, func(b *testing.B) {
			form := "data: %s\n\n"
			if x.api == model.Ollama {
				form = "%s\n"
			}
			body := strings.Repeat(fmt.Sprintf(form, x.piece), n) + fmt.Sprintf(form, x.end)
			c := New(Options{HTTP: &http.Client{Transport: cannedReply(body)}, Env: func(string) string { return "" }, Retries: -1})
			r := llm.Request{Model: model.Profile{ID: "m", APIBase: "http://127.0.0.1:1", API: x.api, Streaming: true}, Tools: []llm.Tool{{Name: "read", Schema: []byte("{}")}}, Messages: []llm.Message{llm.Text(llm.RoleUser, "hi")}}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Stream(b.Context(), r, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/piece")
		})
	}
}
