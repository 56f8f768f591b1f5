package llmtest

import (
	"fmt"
	"net/http"
	"strings"
)

// responses is OpenAI's Responses. A reply is a list of items, each of which is opened, filled and closed.
type responses struct {
	*delivery
	output []any           // the items so far, whole
	open   string          // the kind of the one under way
	text   strings.Builder // of it
	number int             // of the next event
}

func (r *responses) refuse(w http.ResponseWriter, status int, code, kind, message string) {
	writeError(w, status, code, kind, message)
}

func (r *responses) begin() []any {
	return []any{
		r.event("response.created", map[string]any{"response": r.response("in_progress", false)}),
		r.event("response.in_progress", map[string]any{"response": r.response("in_progress", false)}),
	}
}

func (r *responses) think(piece string) []any {
	list := r.enter("reasoning")
	if len(list) > 0 {
		list = append(list, r.at("response.reasoning_summary_part.added", map[string]any{"summary_index": 0, "part": map[string]any{"type": "summary_text", "text": ""}}))
	}
	r.text.WriteString(piece)
	return append(list, r.at("response.reasoning_summary_text.delta", map[string]any{"summary_index": 0, "delta": piece}))
}

func (r *responses) say(piece string) []any {
	if r.req.forced() != "" {
		list := r.enter("function_call")
		r.text.WriteString(piece)
		return append(list, r.at("response.function_call_arguments.delta", map[string]any{"delta": piece}))
	}
	list := r.enter("message")
	if len(list) > 0 {
		list = append(list, r.at("response.content_part.added", map[string]any{"content_index": 0, "part": map[string]any{"type": "output_text", "text": "", "annotations": []any{}}}))
	}
	r.text.WriteString(piece)
	return append(list, r.at("response.output_text.delta", map[string]any{"content_index": 0, "delta": piece, "logprobs": []any{}}))
}

func (r *responses) calls() []any {
	list := r.leave()
	for i, c := range r.reply.Calls {
		item := r.call(r.callID(i), c.Name, "")
		list = append(list, r.at("response.output_item.added", map[string]any{"item": item}))
		for _, piece := range pieces(c.Arguments, r.reply.Chunk) {
			list = append(list, r.at("response.function_call_arguments.delta", map[string]any{"delta": piece}))
		}
		item = r.call(r.callID(i), c.Name, c.Arguments)
		list = append(list, r.at("response.output_item.done", map[string]any{"item": item}))
		r.output = append(r.output, item)
	}
	return list
}

func (r *responses) end(reason, usage bool) []any {
	list := r.leave()
	if !reason {
		return list
	}
	status := "completed"
	if r.reply.Finish != "" && r.reply.Finish != "stop" {
		status = "incomplete"
	}
	return append(list, r.event("response."+status, map[string]any{"response": r.response(status, usage)}))
}

func (r *responses) fail() any {
	return r.event("error", map[string]any{"code": orElse(r.reply.ErrorCode, r.reply.ErrorType), "message": r.reply.Error, "param": nil})
}

func (r *responses) last() string { return "" }

func (r *responses) whole() any {
	if r.reply.Thinking != "" {
		r.think(r.reply.Thinking)
	}
	if r.reply.Text != "" {
		r.say(r.reply.Text)
	}
	r.calls()
	status := "completed"
	if r.reply.Finish != "" && r.reply.Finish != "stop" {
		status = "incomplete"
	}
	return r.response(status, r.reply.Usage == nil || *r.reply.Usage)
}

// enter opens an item of a kind, unless that is the one under way.
func (r *responses) enter(kind string) []any {
	if r.open == kind {
		return nil
	}
	list := r.leave()
	r.open = kind
	return append(list, r.at("response.output_item.added", map[string]any{"item": r.item()}))
}

// leave closes the item under way.
func (r *responses) leave() []any {
	if r.open == "" {
		return nil
	}
	item := r.item()
	done := r.at("response.output_item.done", map[string]any{"item": item})
	r.output, r.open = append(r.output, item), ""
	r.text.Reset()
	return []any{done}
}

// item is the one under way, as far as it has come.
func (r *responses) item() map[string]any {
	id := fmt.Sprintf("item_%d_%d", r.delivery.number, len(r.output))
	switch r.open {
	case "reasoning":
		summary := []any{}
		if r.text.Len() > 0 {
			summary = append(summary, map[string]any{"type": "summary_text", "text": r.text.String()})
		}
		return map[string]any{"id": id, "type": "reasoning", "summary": summary, "encrypted_content": "sealed-" + id}
	case "function_call":
		return r.call("call_1", r.req.forced(), r.text.String())
	}
	content := []any{}
	if r.text.Len() > 0 {
		content = append(content, map[string]any{"type": "output_text", "text": r.text.String(), "annotations": []any{}})
	}
	return map[string]any{"id": id, "type": "message", "role": "assistant", "status": "completed", "content": content}
}

func (r *responses) call(id, name, arguments string) map[string]any {
	return map[string]any{"id": "fc_" + id, "type": "function_call", "status": "completed", "call_id": id, "name": name, "arguments": arguments}
}

// at is an event of the item under way.
func (r *responses) at(kind string, fields map[string]any) any {
	fields["output_index"] = len(r.output)
	return r.event(kind, fields)
}

func (r *responses) event(kind string, fields map[string]any) any {
	fields["type"], fields["sequence_number"] = kind, r.number
	r.number++
	return fields
}

func (r *responses) response(status string, usage bool) map[string]any {
	out := map[string]any{
		"id": fmt.Sprintf("resp_%d", r.delivery.number), "object": "response", "created_at": created, "status": status,
		"model": r.req.Model, "output": r.output, "error": nil, "incomplete_details": nil, "usage": nil,
	}
	if r.output == nil {
		out["output"] = []any{}
	}
	if status == "incomplete" {
		reason := r.reply.Finish
		if reason == "length" {
			reason = "max_output_tokens"
		}
		out["incomplete_details"] = map[string]any{"reason": reason}
	}
	if usage {
		prompt, completion := r.counts()
		out["usage"] = map[string]any{"input_tokens": prompt, "output_tokens": completion, "total_tokens": prompt + completion,
			"input_tokens_details": map[string]any{"cached_tokens": 0}, "output_tokens_details": map[string]any{"reasoning_tokens": 0}}
	}
	return out
}
