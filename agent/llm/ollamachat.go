package llm

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"

	"coauthor/agent/model"
)

// Ollama's own interface: a request says how large the context window is to be that it runs in, and each line of the answer
// is a JSON object.

// Ollama is Ollama's own interface.
type Ollama struct{}

// Form implements protocol.
func (Ollama) Form() form {
	return form{Path: "/api/chat", Messages: "messages", Lines: true, OwnBase: true}
}

// Reader implements protocol.
func (Ollama) Reader(to *answer) reader { return ollamaReader{answer: to} }

// Send implements protocol.
func (Ollama) Send(ctx context.Context, through doer) (io.Closer, error) {
	return post(ctx, through, Ollama{}.Form().Path)
}

// Write writes the request. What the user sets of its options stands above ours.
func (Ollama) Write(b *body, r Request, without adaptations) {
	p := r.Model
	b.fields["stream"] = p.Streaming
	options := map[string]any{"num_ctx": askedWindow(r)}
	if t, ok := b.fields["temperature"]; ok {
		options["temperature"] = t
		delete(b.fields, "temperature")
	}
	if r.MaxTokens > 0 {
		options["num_predict"] = r.MaxTokens
	}
	if think, ok := ollamaThought(p); ok && effortFits(r) && !without[withoutThought] {
		b.fields["think"] = think
	}
	var tools []map[string]any
	for _, t := range toolsOf(r) { // none can be forced
		tools = append(tools, map[string]any{"type": "function", "function": map[string]any{
			"name": t.Name, "description": t.Description, "parameters": json.RawMessage(t.Schema)}})
	}
	if tools != nil {
		b.fields["tools"] = tools
	}
	for _, m := range r.Messages {
		b.messages = append(b.messages, messagesOf(p, m)...)
	}
	for name, v := range p.ExtraBody {
		if own, ok := v.(map[string]any); ok && name == "options" {
			maps.Copy(options, own)
			continue
		}
		b.fields[name] = v
	}
	b.fields["options"] = options
}

// ollamaThought is how much the model is to think, in Ollama's three levels. A budget of tokens is none of them: it thinks.
func ollamaThought(p model.Profile) (think any, ok bool) {
	switch p.ReasoningEffort {
	case "":
		return true, p.ThinkingTokens > 0
	case "none":
		return false, true
	case "minimal":
		return "low", true
	case "low", "medium", "high":
		return p.ReasoningEffort, true
	}
	return "high", true
}

// messagesOf are a message, or one for each result in it.
func messagesOf(p model.Profile, m Message) []map[string]any {
	if m.Role == RoleTool {
		var list []map[string]any
		for _, p := range m.Parts {
			if p.Kind == PartResult {
				list = append(list, map[string]any{"role": string(RoleTool), "tool_call_id": p.Call.ID, "tool_name": p.Call.Name, "content": resultOf(p)})
			}
		}
		return list
	}
	role := m.Role
	if role == RoleSystem && !p.UseSystemPrompt {
		role = RoleUser
	}
	out := map[string]any{}
	maps.Copy(out, fieldsOf(m.Back))
	out["role"], out["content"] = string(role), m.String()
	var images []string
	var calls []map[string]any
	for _, p := range m.Parts {
		switch p.Kind {
		case PartImage:
			images = append(images, base64.StdEncoding.EncodeToString(p.Data))
		case PartCall:
			calls = append(calls, map[string]any{"id": p.Call.ID, "function": map[string]any{"name": p.Call.Name, "arguments": json.RawMessage(argumentsOf(*p.Call))}})
		case PartText, PartFile, PartResult: // a document is nothing that it takes
		}
	}
	if images != nil {
		out["images"] = images
	}
	if calls != nil {
		out["tool_calls"] = calls
	}
	return []map[string]any{out}
}

// ollamaLine is a line of an answer, or a whole one.
type ollamaLine struct {
	Message    many[ollamaMessage] `json:"message"`
	Done       flag                `json:"done"`
	Reason     word                `json:"done_reason"`
	Prompt     count               `json:"prompt_eval_count"`
	Completion count               `json:"eval_count"`
	Error      json.RawMessage     `json:"error"`
}

type ollamaMessage struct {
	Content  prose                 `json:"content"`
	Thinking prose                 `json:"thinking"`
	Calls    many[json.RawMessage] `json:"tool_calls"`
}

// ollamaReader reads an answer of Ollama's.
type ollamaReader struct{ answer *answer }

// Take implements reader.
func (w ollamaReader) Take(data []byte, _ string) error {
	a := w.answer
	var l ollamaLine
	if !decode(data, &l) {
		return garbled(data)
	}
	if _, failed := readError(l.Error); failed {
		return refusal(data)
	}
	a.known = a.known || len(l.Message) > 0
	for _, m := range l.Message {
		a.think(m.Thinking.all())
		a.think(m.Content.Thinking)
		a.say(m.Content.Text)
		for _, raw := range m.Calls {
			if !w.takeCall(raw) {
				a.excess = true
				return nil
			}
		}
	}
	if l.Done {
		a.finish, a.over = orElse(string(l.Reason), "stop"), true
	}
	if l.Prompt > 0 { // without it the prompt was in its cache, and nobody has counted
		a.usage = &usage{Prompt: l.Prompt, Completion: l.Completion}
	}
	return nil
}

// takeCall takes in a call, which always comes whole.
func (w ollamaReader) takeCall(raw json.RawMessage) bool {
	a := w.answer
	var p piece
	decode(raw, &p)
	n := len(a.calls.slots)
	index := count(n)
	p.Index, p.ID = &index, mark(orElse(string(p.ID), fmt.Sprintf("call_%d", n+1)))
	return a.called(p, n, nil)
}

// Back implements reader: what the model thought before its calls.
func (w ollamaReader) Back() json.RawMessage {
	a := w.answer
	if a.thinking.Len() == 0 || len(a.calls.slots) == 0 {
		return nil
	}
	raw, err := json.Marshal(map[string]string{"thinking": a.thinking.String()})
	if err != nil {
		return nil // a text is always JSON
	}
	return raw
}
