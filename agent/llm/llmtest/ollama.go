package llmtest

import (
	"encoding/json"
	"net/http"
)

// ollamaPath is where Ollama has its own interface, beside the others.
const ollamaPath = "/api/chat"

// ollama is Ollama's own interface: each line is a piece of the reply, the last one says that it is done, and calls come whole.
type ollama struct{ *delivery }

// lines says whether the events are lines of JSON and nothing else.
func (d *delivery) lines() bool { _, ok := d.form.(ollama); return ok }

func (o ollama) refuse(w http.ResponseWriter, status int, code, kind, message string) {
	if code != "" || kind != "" { // a gateway in front of it
		writeError(w, status, code, kind, message)
		return
	}
	writeJSON(w, status, map[string]any{"error": message})
}

// begin is a piece of nothing, as it comes where the template of a model writes the beginning of the reply.
func (o ollama) begin() []any { return []any{o.line(map[string]any{"content": ""})} }

func (o ollama) think(piece string) []any {
	return []any{o.line(map[string]any{"content": "", "thinking": piece})}
}

func (o ollama) say(piece string) []any {
	if o.req.tool() != "" && len(o.reply.Calls) == 0 && json.Valid([]byte(o.reply.Text)) {
		return nil // it is a call
	}
	return []any{o.line(map[string]any{"content": piece})}
}

func (o ollama) calls() []any {
	var list []any
	for _, c := range o.toolCalls() {
		list = append(list, o.line(map[string]any{"content": "", "tool_calls": []any{c}}))
	}
	return list
}

// toolCalls are the calls of the reply. The whole text is one where it is the arguments of the only tool.
func (o ollama) toolCalls() []any {
	var list []any
	for i, c := range o.reply.Calls {
		list = append(list, map[string]any{"id": o.callID(i), "function": map[string]any{"name": c.Name, "arguments": object(c.Arguments)}})
	}
	if name := o.req.tool(); name != "" && len(list) == 0 && json.Valid([]byte(o.reply.Text)) {
		list = append(list, map[string]any{"function": map[string]any{"name": name, "arguments": object(o.reply.Text)}})
	}
	return list
}

func (o ollama) end(reason, usage bool) []any {
	if !reason {
		return nil
	}
	return []any{o.closed(o.line(map[string]any{"content": ""}), usage)}
}

// closed makes a line the last one.
func (o ollama) closed(line map[string]any, usage bool) map[string]any {
	line["done"], line["done_reason"] = true, orElse(o.reply.Finish, "stop")
	if usage {
		line["prompt_eval_count"], line["eval_count"] = o.counts()
	}
	return line
}

func (o ollama) fail() any    { return map[string]any{"error": o.reply.Error} }
func (o ollama) last() string { return "" }

func (o ollama) whole() any {
	message := map[string]any{"content": o.reply.Text}
	if o.reply.Thinking != "" {
		message["thinking"] = o.reply.Thinking
	}
	if calls := o.toolCalls(); len(calls) > 0 {
		if len(o.reply.Calls) == 0 {
			message["content"] = ""
		}
		message["tool_calls"] = calls
	}
	return o.closed(o.line(message), o.reply.Usage == nil || *o.reply.Usage)
}

func (o ollama) line(message map[string]any) map[string]any {
	message["role"] = "assistant"
	return map[string]any{"model": o.req.Model, "created_at": "2025-06-15T15:06:40Z", "message": message, "done": false}
}
