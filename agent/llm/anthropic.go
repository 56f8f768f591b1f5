package llm

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"

	"coauthor/agent/model"
)

// Sizes of requests to Anthropic, which wants to be told how long an answer may be.
const (
	usualOutput = 8192 // where nobody knows
	leastRoom   = 1024
	leastOfAll  = 4096 // every model takes as much
	mostMarks   = 4    // of the cache in one request
)

// Anthropic is Anthropic's own interface.
type Anthropic struct{}

// Form implements protocol.
func (Anthropic) Form() form { return form{Path: "/messages", Messages: "messages", OwnKey: true} }

// Reader implements protocol.
func (Anthropic) Reader(to *answer) reader { return &anthropicReader{answer: to} }

// Send implements protocol.
func (Anthropic) Send(ctx context.Context, through doer) (io.Closer, error) {
	return post(ctx, through, Anthropic{}.Form().Path)
}

// Write writes the body for Anthropic's own interface.
func (Anthropic) Write(b *body, r Request, without adaptations) {
	p := r.Model
	b.fields["stream"] = p.Streaming
	var tools []map[string]any
	for _, t := range toolsOf(r) {
		tools = append(tools, map[string]any{"name": t.Name, "description": t.Description, "input_schema": json.RawMessage(t.Schema)})
	}
	if len(tools) > 0 {
		b.fields["tools"] = tools
	}
	if t := r.Tool; t != nil && !without[withoutForce] {
		b.fields["tool_choice"] = map[string]any{"type": "tool", "name": t.Name, "disable_parallel_tool_use": true}
	}
	b.fields["max_tokens"] = mostOutput(r)
	if without[otherMaxTokens] {
		b.fields["max_tokens"] = min(mostOutput(r), leastOfAll)
	}
	budget(b, r, without)
	w := blocks{profile: p, without: without}
	w.of(r.Messages)
	if len(r.Tools) > 0 && p.CacheMarks {
		w.markLast() // what the model looks at is read again with each further look
	}
	w.limitMarks()
	if len(w.system) > 0 {
		b.fields["system"] = w.system
	}
	b.messages = w.messages
	maps.Copy(b.fields, p.ExtraBody) // the user's word is the last
}

// mostOutput is how long the answer may be: together with the prompt no more than the window, else some models
// refuse the call.
func mostOutput(r Request) int {
	p := r.Model
	if r.MaxTokens > 0 {
		return r.MaxTokens
	}
	most := p.MaxOutput
	if most == 0 {
		most = usualOutput
	}
	if p.ContextWindow > 0 {
		most = min(most, max(leastRoom, p.ContextWindow-estimate(r.Messages)*5/4)) // the estimate may be too low
	}
	return most
}

// budget puts into the body how much the model is to think: newer models decide by an effort, older
// ones have a budget. A forced tool goes with no budget.
func budget(b *body, r Request, without adaptations) {
	p := r.Model
	if without[withoutThought] {
		return
	}
	if p.ReasoningEffort != "" && effortFits(r) {
		b.fields["output_config"] = map[string]any{"effort": p.ReasoningEffort}
		if !p.TakesThinking {
			b.fields["thinking"] = map[string]any{"type": "adaptive", "display": "summarized"} // else nothing is shown
			delete(b.fields, "temperature")                                                    // a model that thinks takes none
		}
	}
	if p.ThinkingTokens == 0 || r.Tool != nil || r.MaxTokens > 0 && r.MaxTokens <= p.ThinkingTokens {
		return
	}
	b.fields["thinking"] = map[string]any{"type": "enabled", "budget_tokens": p.ThinkingTokens}
	delete(b.fields, "temperature")
	if r.MaxTokens == 0 {
		b.fields["max_tokens"] = max(mostOutput(r), p.ThinkingTokens+leastRoom)
	}
}

// blocks writes messages as Anthropic takes them: the system text apart, and every content a list of blocks.
type blocks struct {
	profile  model.Profile
	without  adaptations
	system   []map[string]any
	messages []map[string]any
}

func (w *blocks) of(list []Message) {
	for i, m := range list {
		switch {
		case m.Role == RoleSystem && len(w.messages) == 0 && w.profile.UseSystemPrompt && i < len(list)-1:
			w.system = append(w.system, contentBlocks(m)...)
		case m.Role == RoleAssistant:
			w.add(RoleAssistant, w.said(m))
		case m.Role == RoleTool:
			w.add(RoleUser, resultBlocks(m))
		default:
			w.add(RoleUser, contentBlocks(m))
		}
	}
}

// add adds a message, or to the last one if that is of the same role.
func (w *blocks) add(role Role, content []map[string]any) {
	if len(content) == 0 {
		return
	}
	if n := len(w.messages); n > 0 && w.messages[n-1]["role"] == string(role) {
		before, _ := w.messages[n-1]["content"].([]map[string]any)
		w.messages[n-1]["content"] = append(before, content...)
		return
	}
	w.messages = append(w.messages, map[string]any{"role": string(role), "content": content})
}

// said is a message of the model's: as it came where that is known, else its text and its calls.
func (w *blocks) said(m Message) []map[string]any {
	if !w.without[withoutBack] {
		if own := ownItems(m, originOf(w.profile), "tool_use", "id"); own != nil {
			return own
		}
	}
	out := contentBlocks(m)
	for _, p := range m.Parts {
		if p.Kind == PartCall {
			out = append(out, map[string]any{"type": "tool_use", "id": idOf(*p.Call), "name": nameOf(*p.Call), "input": json.RawMessage(argumentsOf(*p.Call))})
		}
	}
	return out
}

// contentBlocks leaves empty texts out, which are refused.
func contentBlocks(m Message) []map[string]any {
	var out []map[string]any
	for _, p := range m.Parts {
		var block map[string]any
		switch p.Kind {
		case PartText:
			if strings.TrimSpace(p.Text) == "" {
				continue
			}
			block = map[string]any{"type": "text", "text": p.Text}
		case PartImage, PartFile:
			kind := "image"
			if p.Kind == PartFile {
				kind = "document"
			}
			block = map[string]any{"type": kind, "source": map[string]any{"type": "base64", "media_type": p.MIME, "data": base64.StdEncoding.EncodeToString(p.Data)}}
		case PartCall, PartResult:
			continue
		}
		if p.Cache {
			block["cache_control"] = map[string]any{"type": "ephemeral"}
		}
		out = append(out, block)
	}
	return out
}

// resultBlocks are a block for each call.
func resultBlocks(m Message) []map[string]any {
	var out []map[string]any
	for _, p := range m.Parts {
		if p.Kind == PartResult {
			out = append(out, map[string]any{"type": "tool_result", "tool_use_id": idOf(*p.Call), "content": orElse(strings.TrimSpace(p.Text), nothing)})
		}
	}
	return out
}

// markLast marks the end of the talk for the cache.
func (w *blocks) markLast() {
	if n := len(w.messages); n > 0 && w.messages[n-1]["role"] == string(RoleUser) {
		content, _ := w.messages[n-1]["content"].([]map[string]any)
		content[len(content)-1]["cache_control"] = map[string]any{"type": "ephemeral"}
	}
}

// limitMarks takes the first marks off where there are too many: the later ones reach further.
func (w *blocks) limitMarks() {
	var marked []map[string]any
	all := slices.Clone(w.system)
	for _, m := range w.messages {
		content, _ := m["content"].([]map[string]any)
		all = append(all, content...)
	}
	for _, block := range all {
		if block["cache_control"] != nil {
			marked = append(marked, block)
		}
	}
	for _, block := range marked[:max(len(marked)-mostMarks, 0)] {
		delete(block, "cache_control")
	}
}
