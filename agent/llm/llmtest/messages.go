package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// messages is Anthropic's Messages. A reply is a list of blocks, each of which is opened, filled and closed.
type messages struct {
	*delivery
	place int    // of the block under way
	open  string // its kind
}

// refuse has kinds for codes.
func (m *messages) refuse(w http.ResponseWriter, status int, _, kind, message string) {
	if kind == "" {
		kind = map[int]string{401: "authentication_error", 402: "billing_error", 403: "permission_error", 404: "not_found_error",
			413: "request_too_large", 429: "rate_limit_error", 500: "api_error", 504: "timeout_error", 529: "overloaded_error"}[status]
	}
	writeJSON(w, status, m.failed(orElse(kind, "invalid_request_error"), message))
}

func (m *messages) failed(kind, message string) map[string]any {
	return map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": message}}
}

func (m *messages) begin() []any {
	message := m.message(nil)
	if m.tells() {
		prompt, _ := m.counts()
		message["usage"] = map[string]any{"input_tokens": prompt, "output_tokens": 1, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}
	}
	return []any{map[string]any{"type": "message_start", "message": message}, map[string]any{"type": "ping"}}
}

func (m *messages) think(piece string) []any {
	list := m.enter("thinking", map[string]any{"type": "thinking", "thinking": "", "signature": ""})
	return append(list, m.delta(map[string]any{"type": "thinking_delta", "thinking": piece}))
}

func (m *messages) say(piece string) []any {
	if m.req.forced() != "" {
		list := m.enter("tool_use", m.call("toolu_1", m.req.forced()))
		return append(list, m.delta(map[string]any{"type": "input_json_delta", "partial_json": piece}))
	}
	list := m.enter("text", map[string]any{"type": "text", "text": ""})
	return append(list, m.delta(map[string]any{"type": "text_delta", "text": piece}))
}

func (m *messages) calls() []any {
	var list []any
	for i, c := range m.reply.Calls {
		list = append(list, m.leave()...)
		list = append(list, m.enter("tool_use", m.call(m.callID(i), c.Name))...)
		list = append(list, m.delta(map[string]any{"type": "input_json_delta", "partial_json": ""}))
		for _, piece := range pieces(c.Arguments, m.reply.Chunk) {
			list = append(list, m.delta(map[string]any{"type": "input_json_delta", "partial_json": piece}))
		}
	}
	return list
}

func (m *messages) end(reason, usage bool) []any {
	list := m.leave()
	if !reason {
		return list
	}
	delta := map[string]any{"type": "message_delta", "delta": map[string]any{"stop_reason": m.reason(), "stop_sequence": nil}}
	if usage {
		_, completion := m.counts()
		delta["usage"] = map[string]any{"output_tokens": completion}
	}
	return append(list, delta, map[string]any{"type": "message_stop"})
}

func (m *messages) fail() any {
	kind := map[string]string{"502": "api_error", "529": "overloaded_error"}[m.reply.ErrorCode]
	return m.failed(orElse(m.reply.ErrorType, orElse(kind, "unknown_error")), m.reply.Error)
}

func (m *messages) last() string { return "" }

func (m *messages) whole() any {
	content := []any{}
	if m.reply.Thinking != "" {
		content = append(content, map[string]any{"type": "thinking", "thinking": m.reply.Thinking, "signature": m.signature()})
	}
	switch {
	case m.req.forced() != "":
		call := m.call("toolu_1", m.req.forced())
		call["input"] = object(m.reply.Text)
		content = append(content, call)
	case m.reply.Text != "":
		content = append(content, map[string]any{"type": "text", "text": m.reply.Text})
	}
	for i, c := range m.reply.Calls {
		call := m.call(m.callID(i), c.Name)
		call["input"] = object(c.Arguments)
		content = append(content, call)
	}
	message := m.message(content)
	message["stop_reason"] = m.reason()
	if m.tells() {
		prompt, completion := m.counts()
		message["usage"] = map[string]any{"input_tokens": prompt, "output_tokens": completion}
	}
	return message
}

// tells says whether the usage is told.
func (m *messages) tells() bool { return m.reply.Usage == nil || *m.reply.Usage }

// reason is why the reply ended.
func (m *messages) reason() string {
	switch m.reply.Finish {
	case "":
		if len(m.reply.Calls) > 0 || m.req.forced() != "" {
			return "tool_use"
		}
		return "end_turn"
	case "length":
		return "max_tokens"
	case "content_filter":
		return "refusal"
	}
	return m.reply.Finish
}

func (m *messages) message(content []any) map[string]any {
	if content == nil {
		content = []any{}
	}
	return map[string]any{"id": fmt.Sprintf("msg_%d", m.number), "type": "message", "role": "assistant", "model": m.req.Model,
		"content": content, "stop_reason": nil, "stop_sequence": nil}
}

// enter opens a block of a kind, unless that is the one under way.
func (m *messages) enter(kind string, block map[string]any) []any {
	if m.open == kind {
		return nil
	}
	list := m.leave()
	m.open = kind
	return append(list, map[string]any{"type": "content_block_start", "index": m.place, "content_block": block})
}

// leave closes the block under way.
func (m *messages) leave() []any {
	if m.open == "" {
		return nil
	}
	var list []any
	if m.open == "thinking" {
		list = append(list, m.delta(map[string]any{"type": "signature_delta", "signature": m.signature()}))
	}
	list = append(list, map[string]any{"type": "content_block_stop", "index": m.place})
	m.place, m.open = m.place+1, ""
	return list
}

func (m *messages) signature() string { return fmt.Sprintf("signed-%d", m.number) }

func (m *messages) delta(delta map[string]any) any {
	return map[string]any{"type": "content_block_delta", "index": m.place, "delta": delta}
}

func (m *messages) call(id, name string) map[string]any {
	return map[string]any{"type": "tool_use", "id": id, "name": name, "input": map[string]any{}}
}

// object is what a model calls JSON, as an object if it is one.
func object(text string) any {
	var fields map[string]any
	if json.Unmarshal([]byte(text), &fields) != nil {
		return map[string]any{"text": text}
	}
	return json.RawMessage(strings.TrimSpace(text))
}
