package openai

import (
	"encoding/json"
	"strings"
	"testing"

	"coauthor/agent/llm/wire"
)

// taken is what encoding/json makes of an event, as far as it is nothing but a piece of the answer.
func taken(event string) (text string, plain bool) {
	var ch chunk
	if json.Unmarshal([]byte(event), &ch) != nil || len(ch.Choices) != 1 || ch.Usage != (wire.Usage{}) || ch.Error != nil && string(ch.Error) != "null" || ch.Base.Failed() {
		return "", false
	}
	c := ch.Choices[0]
	if c.Error != nil && string(c.Error) != "null" {
		return "", false
	}
	d, m := c.Delta, c.Message
	only := c.Index == 0 && c.FinishReason == "" && d.Reasoning.All()+d.ReasoningContent.All()+string(d.Refusal)+d.Content.Thinking == "" && len(d.ToolCalls) == 0 &&
		m.Reasoning.All()+m.ReasoningContent.All()+string(m.Refusal)+m.Content.Thinking+m.Content.Text == "" && len(m.ToolCalls) == 0
	return d.Content.Text, only
}

const plainEvent = `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1694268190,"model":"gpt-4o","service_tier":"default","system_fingerprint":"fp_44709d6fcb","choices":[{"index":0,"delta":{"content":"TEXT"},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"x1"}`

// Events in which nothing but a text comes are read as encoding/json reads them; all others are left to it.
func TestPlainEvents(t *testing.T) {
	for _, text := range []string{"", " word", `\n`, `\t\"\\\/\r`, `\u00e9\ud83d\ude42`, `\b\f`, "é🙂", `{\"a\": [1]}`, `\ud800`} {
		event := strings.Replace(plainEvent, "TEXT", text, 1)
		want, _ := taken(event)
		if got, ok := plainText([]byte(event)); !ok || got != want {
			t.Errorf("%q: %q, %v, want %q", text, got, ok, want)
		}
	}
	for _, event := range []string{
		`{ "choices" : [ { "delta" : { "role" : "assistant" , "content" : "x" } , "index" : 0 } ] }`,
		`{"choices":[{"delta":{"content":"x","refusal":null,"tool_calls":null}}]}`,
	} {
		if got, ok := plainText([]byte(event)); !ok || got != "x" {
			t.Errorf("%s: %q, %v", event, got, ok)
		}
	}
	for _, event := range []string{
		``, `{}`, `{"choices":[]}`, `{"choices":[{}]}`, `{"choices":[{"delta":{}}]}`, `[]`, `"x"`, `null`, plainEvent + "x", plainEvent[:len(plainEvent)-1],
		`{"choices":[{"delta":{"content":null}}]}`, `{"choices":[{"delta":{"content":[{"type":"text","text":"x"}]}}]}`,
		`{"choices":[{"index":1,"delta":{"content":"x"}}]}`, `{"choices":[{"index":00,"delta":{"content":"x"}}]}`,
		`{"choices":[{"delta":{"content":"x"}},{"delta":{"content":"y"}}]}`, `{"choices":[{"delta":{"content":"x"}},]}`,
		`{"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}`, `{"choices":[{"delta":{"content":"x"}}],"usage":{"prompt_tokens":1}}`,
		`{"choices":[{"delta":{"content":"x"}}],"error":{"message":"no"}}`, `{"choices":[{"delta":{"content":"x"},"error":"no"}]}`,
		`{"choices":[{"delta":{"content":"x","reasoning":"y"}}]}`, `{"choices":[{"delta":{"content":"x","reasoning_content":"y"}}]}`,
		`{"choices":[{"delta":{"content":"x","tool_calls":[{}]}}]}`, `{"choices":[{"delta":{"content":"x","Content":"y"}}]}`,
		`{"choices":[{"delta":{"content":"x","content":"y"}}]}`, `{"choices":[{"delta":{"content":"x"},"message":{"content":"y"}}]}`,
		`{"choices":[{"delta":{"content":"x"}}],"base_resp":{"status_code":1}}`,
		"{\"choices\":[{\"delta\":{\"content\":\"a\nb\"}}]}", `{"choices":[{"delta":{"content":"\x"}}]}`, `{"choices":[{"delta":{"content":"\u12"}}]}`,
		`{"choices":[{"delta":{"content":"x"}}],"choices":[{"delta":{}}]}`, `{"created":01,"choices":[{"delta":{"content":"x"}}]}`,
		`{"id":"\x","choices":[{"delta":{"content":"x"}}]}`, `{"choices":[{"delta":{"content":"x","signature":"y"}}]}`,
	} {
		if got, ok := plainText([]byte(event)); ok {
			t.Errorf("%s is plain: %q", event, got)
		}
	}
}

func FuzzPlainEvents(f *testing.F) {
	f.Add(plainEvent)
	f.Add(`{"choices":[{"delta":{"content":"\u00e9\n"},"index":0}]}`)
	f.Fuzz(func(t *testing.T, event string) {
		got, ok := plainText([]byte(event))
		if !ok {
			return
		}
		if want, plain := taken(event); !plain || got != want {
			t.Errorf("%q: %q, want %q, plain %v", event, got, want, plain)
		}
	})
}
