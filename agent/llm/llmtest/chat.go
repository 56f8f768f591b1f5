package llmtest

import (
	"fmt"
	"net/http"
)

// chat is OpenAI's chat completions.
type chat struct{ *delivery }

const created = 1750000000 // any fixed moment: replies are the same on every run

func (c chat) refuse(w http.ResponseWriter, status int, code, kind, message string) {
	writeError(w, status, code, kind, message)
}

// begin names the role, as real servers do, some of them with a null content.
func (c chat) begin() []any {
	return []any{c.delta(map[string]any{"role": "assistant", "content": nil})}
}

func (c chat) think(piece string) []any {
	return []any{c.delta(map[string]any{orElse(c.reply.Reasoning, "reasoning_content"): piece})}
}

func (c chat) say(piece string) []any {
	if c.req.forced() != "" {
		return []any{c.delta(map[string]any{"tool_calls": c.forcedCall(piece)})}
	}
	return []any{c.delta(map[string]any{"content": piece})}
}

// calls sends them as OpenAI does: the head of a call first, its arguments in pieces.
func (c chat) calls() []any {
	var list []any
	for i, call := range c.reply.Calls {
		list = append(list, c.delta(map[string]any{"tool_calls": []any{c.call(i, "")}}))
		for _, piece := range pieces(call.Arguments, c.reply.Chunk) {
			more := map[string]any{"index": i, "function": map[string]any{"arguments": piece}}
			list = append(list, c.delta(map[string]any{"tool_calls": []any{more}}))
		}
	}
	return list
}

func (c chat) end(reason, usage bool) []any {
	var list []any
	if reason {
		list = append(list, c.chunk([]any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": c.finish()}}))
	}
	if usage && c.req.StreamOptions != nil && c.req.StreamOptions.IncludeUsage {
		last := c.chunk([]any{})
		last["usage"] = c.usage()
		list = append(list, last)
	}
	return list
}

func (c chat) fail() any {
	return map[string]any{"error": map[string]any{"message": c.reply.Error, "code": c.reply.ErrorCode, "type": c.reply.ErrorType}}
}

func (c chat) last() string { return "data: [DONE]\n\n" }

func (c chat) whole() any {
	message := map[string]any{"role": "assistant", "content": c.reply.Text}
	if c.reply.Thinking != "" {
		message[orElse(c.reply.Reasoning, "reasoning_content")] = c.reply.Thinking
	}
	switch {
	case c.req.forced() != "":
		message["content"] = nil
		message["tool_calls"] = c.forcedCall(c.reply.Text)
	case len(c.reply.Calls) > 0:
		var list []any
		for i, call := range c.reply.Calls {
			list = append(list, c.call(i, call.Arguments))
		}
		message["tool_calls"] = list
	}
	out := c.chunk([]any{map[string]any{"index": 0, "message": message, "finish_reason": c.finish()}})
	out["object"] = "chat.completion"
	if c.reply.Usage == nil || *c.reply.Usage {
		out["usage"] = c.usage()
	}
	return out
}

// finish is why the reply ended.
func (c chat) finish() string {
	if len(c.reply.Calls) > 0 {
		return orElse(c.reply.Finish, "tool_calls")
	}
	return orElse(c.reply.Finish, "stop")
}

func (c chat) call(i int, arguments string) map[string]any {
	return map[string]any{
		"index": i, "id": c.callID(i), "type": "function",
		"function": map[string]any{"name": c.reply.Calls[i].Name, "arguments": arguments},
	}
}

func (c chat) forcedCall(arguments string) []any {
	return []any{map[string]any{
		"index": 0, "id": "call_1", "type": "function",
		"function": map[string]any{"name": c.req.forced(), "arguments": arguments},
	}}
}

func (c chat) delta(delta map[string]any) any {
	return c.chunk([]any{map[string]any{"index": 0, "delta": delta, "finish_reason": nil}})
}

func (c chat) chunk(choices []any) map[string]any {
	return map[string]any{
		"id": fmt.Sprintf("chatcmpl-%d", c.number), "object": "chat.completion.chunk", "created": created,
		"model": c.req.Model, "choices": choices,
	}
}

func (c chat) usage() map[string]any {
	prompt, completion := c.counts()
	return map[string]any{
		"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion,
	}
}
