// Package ollama is Ollama's own interface, and what is to be known of its context window.
package ollama

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"

	"coauthor/agent/llm"
	"coauthor/agent/llm/wire"
	"coauthor/agent/model"
)

// Ollama's own interface: a request says how large the context window is to be that it runs in, and each line of the answer
// is a JSON object.

// Ollama is Ollama's own interface.
type Ollama struct{}

// Form implements wire.Protocol.
func (Ollama) Form() wire.Form {
	return wire.Form{Path: "/api/chat", Messages: "messages", Lines: true}
}

// Reader implements wire.Protocol.
func (Ollama) Reader(to *wire.Answer) wire.Reader { return ollamaReader{answer: to} }

// Send implements wire.Protocol.
func (Ollama) Send(ctx context.Context, through wire.Doer) (io.Closer, error) {
	return wire.Post(ctx, through, Ollama{}.Form().Path)
}

// Write writes the request. What the user sets of its options stands above ours.
func (Ollama) Write(b *wire.Body, r llm.Request, without wire.Adaptations) {
	p := r.Model
	b.Fields["stream"] = p.Streaming
	options := map[string]any{"num_ctx": askedWindow(r)}
	if t, ok := b.Fields["temperature"]; ok {
		options["temperature"] = t
		delete(b.Fields, "temperature")
	}
	if r.MaxTokens > 0 {
		options["num_predict"] = r.MaxTokens
	}
	if think, ok := ollamaThought(p); ok && wire.EffortFits(r) && !without[wire.WithoutThought] {
		b.Fields["think"] = think
	}
	var tools []map[string]any
	for _, t := range wire.ToolsOf(r) { // none can be forced
		tools = append(tools, map[string]any{"type": "function", "function": map[string]any{
			"name": t.Name, "description": t.Description, "parameters": json.RawMessage(t.Schema)}})
	}
	if tools != nil {
		b.Fields["tools"] = tools
	}
	for _, m := range r.Messages {
		b.Messages = append(b.Messages, messagesOf(p, m)...)
	}
	for name, v := range p.ExtraBody {
		if own, ok := v.(map[string]any); ok && name == "options" {
			maps.Copy(options, own)
			continue
		}
		b.Fields[name] = v
	}
	b.Fields["options"] = options
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
func messagesOf(p model.Profile, m llm.Message) []map[string]any {
	if m.Role == llm.RoleTool {
		var list []map[string]any
		for _, p := range m.Parts {
			if p.Kind == llm.PartResult {
				list = append(list, map[string]any{"role": string(llm.RoleTool), "tool_call_id": p.Call.ID, "tool_name": p.Call.Name, "content": wire.ResultOf(p)})
			}
		}
		return list
	}
	role := m.Role
	if role == llm.RoleSystem && !p.UseSystemPrompt {
		role = llm.RoleUser
	}
	out := map[string]any{}
	maps.Copy(out, wire.FieldsOf(m.Back))
	out["role"], out["content"] = string(role), m.String()
	var images []string
	var calls []map[string]any
	for _, p := range m.Parts {
		switch p.Kind {
		case llm.PartImage:
			images = append(images, base64.StdEncoding.EncodeToString(p.Data))
		case llm.PartCall:
			calls = append(calls, map[string]any{"id": p.Call.ID, "function": map[string]any{"name": p.Call.Name, "arguments": json.RawMessage(wire.ArgumentsOf(*p.Call))}})
		case llm.PartText, llm.PartFile, llm.PartResult: // a document is nothing that it takes
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
	Message    wire.Many[ollamaMessage] `json:"message"`
	Done       wire.Flag                `json:"done"`
	Reason     wire.Word                `json:"done_reason"`
	Prompt     wire.Count               `json:"prompt_eval_count"`
	Completion wire.Count               `json:"eval_count"`
	Error      json.RawMessage          `json:"error"`
}

type ollamaMessage struct {
	Content  wire.Prose                 `json:"content"`
	Thinking wire.Prose                 `json:"thinking"`
	Calls    wire.Many[json.RawMessage] `json:"tool_calls"`
}

// ollamaReader reads an answer of Ollama's.
type ollamaReader struct{ answer *wire.Answer }

// Take implements wire.Reader.
func (w ollamaReader) Take(data []byte, _ string) error {
	a := w.answer
	var l ollamaLine
	if !wire.Decode(data, &l) {
		return wire.Garbled(data)
	}
	if _, failed := wire.ReadError(l.Error); failed {
		return wire.Refusal(data)
	}
	a.Known = a.Known || len(l.Message) > 0
	for _, m := range l.Message {
		a.Think(m.Thinking.All())
		a.Think(m.Content.Thinking)
		a.Say(m.Content.Text)
		for _, raw := range m.Calls {
			if !w.takeCall(raw) {
				a.Excess = true
				return nil
			}
		}
	}
	if l.Done {
		a.Finish, a.Over = wire.OrElse(string(l.Reason), "stop"), true
	}
	if l.Prompt > 0 { // without it the prompt was in its cache, and nobody has counted
		a.Usage = &wire.Usage{Prompt: l.Prompt, Completion: l.Completion}
	}
	return nil
}

// takeCall takes in a call, which always comes whole.
func (w ollamaReader) takeCall(raw json.RawMessage) bool {
	a := w.answer
	var p wire.Piece
	wire.Decode(raw, &p)
	n := len(a.Calls.Slots)
	index := wire.Count(n)
	p.Index, p.ID = &index, wire.Mark(wire.OrElse(string(p.ID), fmt.Sprintf("call_%d", n+1)))
	return a.Called(p, n, nil)
}

// Back implements wire.Reader: what the model thought before its calls.
func (w ollamaReader) Back() json.RawMessage {
	a := w.answer
	if a.Thinking.Len() == 0 || len(a.Calls.Slots) == 0 {
		return nil
	}
	raw, err := json.Marshal(map[string]string{"thinking": a.Thinking.String()})
	if err != nil {
		return nil // a text is always JSON
	}
	return raw
}
