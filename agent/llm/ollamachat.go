package llm

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"

	"coauthor/agent/model"
)

// Ollama's own interface: a request says how large the context window is to be that it runs in, and each line of the answer
// is a JSON object.

// overChat: the server has no interface of Ollama's.
const overChat adaptation = "chat"

func throughOllama() protocol {
	return protocol{path: "/api/chat", messages: "messages", lines: true, write: (*body).forOllama,
		read: func(to *answer) reader { return ollamaReader{answer: to} }}
}

// forOllama writes the request. What the user sets of its options stands above ours.
func (b *body) forOllama(r Request, without map[adaptation]bool) {
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
	if think, ok := ollamaThought(p); ok && r.effortFits() && !without[withoutThought] {
		b.fields["think"] = think
	}
	var tools []map[string]any
	for _, t := range r.tools() { // none can be forced
		tools = append(tools, map[string]any{"type": "function", "function": map[string]any{
			"name": t.Name, "description": t.Description, "parameters": json.RawMessage(t.Schema)}})
	}
	if tools != nil {
		b.fields["tools"] = tools
	}
	d := dialect{profile: p, without: without}
	for _, m := range r.Messages {
		b.messages = append(b.messages, d.ollamaMessages(m)...)
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

// askedWindow is the window that a request asks for: room for it and its answer, and never more than the model is said to have.
func askedWindow(r Request) int {
	window := windowFor(tokensOf(r))
	if most := r.Model.ContextWindow; most > 0 {
		window = min(window, most)
	}
	return window
}

// tokensOf estimates what a request has the model read.
func tokensOf(r Request) int {
	n := estimate(r.Messages)
	for _, t := range r.tools() {
		n += model.Estimate{}.Count(t.Description) + model.Estimate{}.Count(string(t.Schema))
	}
	return n
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

// ollamaMessages are a message, or one for each result in it.
func (d dialect) ollamaMessages(m Message) []map[string]any {
	if m.Role == RoleTool {
		list := d.results(m)
		for _, one := range list {
			one["tool_name"] = one["name"]
			delete(one, "name")
		}
		return list
	}
	role := m.Role
	if role == RoleSystem && !d.profile.UseSystemPrompt {
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

// take implements reader.
func (w ollamaReader) take(data []byte, _ string) *Error {
	a := w.answer
	var l ollamaLine
	if !decode(data, &l) {
		return a.call.unreadable(string(data), errNoJSON)
	}
	if _, failed := readError(l.Error); failed {
		return a.call.answered(http.StatusOK, nil, data)
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

// back implements reader: what the model thought before its calls.
func (w ollamaReader) back() json.RawMessage {
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
