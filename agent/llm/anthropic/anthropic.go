// Package anthropic is Anthropic's own interface, Messages.
package anthropic

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"

	"coauthor/agent/llm"
	"coauthor/agent/llm/wire"
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

// Form implements wire.Protocol.
func (Anthropic) Form() wire.Form {
	return wire.Form{Path: "/messages", Messages: "messages", OwnKey: true}
}

// Reader implements wire.Protocol.
func (Anthropic) Reader(to *wire.Answer) wire.Reader { return &anthropicReader{answer: to} }

// Send implements wire.Protocol.
func (Anthropic) Send(ctx context.Context, through wire.Doer) (io.Closer, error) {
	return wire.Post(ctx, through, Anthropic{}.Form().Path)
}

// Write writes the body for Anthropic's own interface.
func (Anthropic) Write(b *wire.Body, r llm.Request, without wire.Adaptations) {
	p := r.Model
	b.Fields["stream"] = p.Streaming
	var tools []map[string]any
	for _, t := range wire.ToolsOf(r) {
		tools = append(tools, map[string]any{"name": t.Name, "description": t.Description, "input_schema": json.RawMessage(t.Schema)})
	}
	if len(tools) > 0 {
		b.Fields["tools"] = tools
	}
	if t := r.Tool; t != nil && !without[wire.WithoutForce] {
		b.Fields["tool_choice"] = map[string]any{"type": "tool", "name": t.Name, "disable_parallel_tool_use": true}
	}
	b.Fields["max_tokens"] = mostOutput(r)
	if without[wire.OtherMaxTokens] {
		b.Fields["max_tokens"] = min(mostOutput(r), leastOfAll)
	}
	budget(b, r, without)
	w := blocks{profile: p, without: without}
	w.of(r.Messages)
	if len(r.Tools) > 0 && p.CacheMarks {
		w.markLast() // what the model looks at is read again with each further look
	}
	w.limitMarks()
	if len(w.system) > 0 {
		b.Fields["system"] = w.system
	}
	b.Messages = w.messages
	maps.Copy(b.Fields, p.ExtraBody) // the user's word is the last
}

// mostOutput is how long the answer may be: together with the prompt no more than the window, else some models
// refuse the call.
func mostOutput(r llm.Request) int {
	p := r.Model
	if r.MaxTokens > 0 {
		return r.MaxTokens
	}
	most := p.MaxOutput
	if most == 0 {
		most = usualOutput
	}
	if p.ContextWindow > 0 {
		most = min(most, max(leastRoom, p.ContextWindow-wire.Estimate(r.Messages)*5/4)) // the estimate may be too low
	}
	return most
}

// budget puts into the body how much the model is to think: newer models decide by an effort, older
// ones have a budget. A forced tool goes with no budget.
func budget(b *wire.Body, r llm.Request, without wire.Adaptations) {
	p := r.Model
	if without[wire.WithoutThought] {
		return
	}
	if p.ReasoningEffort != "" && wire.EffortFits(r) {
		b.Fields["output_config"] = map[string]any{"effort": p.ReasoningEffort}
		if !p.TakesThinking {
			b.Fields["thinking"] = map[string]any{"type": "adaptive", "display": "summarized"} // else nothing is shown
			delete(b.Fields, "temperature")                                                    // a model that thinks takes none
		}
	}
	if p.ThinkingTokens == 0 || r.Tool != nil || r.MaxTokens > 0 && r.MaxTokens <= p.ThinkingTokens {
		return
	}
	b.Fields["thinking"] = map[string]any{"type": "enabled", "budget_tokens": p.ThinkingTokens}
	delete(b.Fields, "temperature")
	if r.MaxTokens == 0 {
		b.Fields["max_tokens"] = max(mostOutput(r), p.ThinkingTokens+leastRoom)
	}
}

// blocks writes messages as Anthropic takes them: the system text apart, and every content a list of blocks.
type blocks struct {
	profile  model.Profile
	without  wire.Adaptations
	system   []map[string]any
	messages []map[string]any
}

func (w *blocks) of(list []llm.Message) {
	for i, m := range list {
		switch {
		case m.Role == llm.RoleSystem && len(w.messages) == 0 && w.profile.UseSystemPrompt && i < len(list)-1:
			w.system = append(w.system, contentBlocks(m)...)
		case m.Role == llm.RoleAssistant:
			w.add(llm.RoleAssistant, w.said(m))
		case m.Role == llm.RoleTool:
			w.add(llm.RoleUser, resultBlocks(m))
		default:
			w.add(llm.RoleUser, contentBlocks(m))
		}
	}
}

// add adds a message, or to the last one if that is of the same role.
func (w *blocks) add(role llm.Role, content []map[string]any) {
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
func (w *blocks) said(m llm.Message) []map[string]any {
	if !w.without[wire.WithoutBack] {
		if own := wire.OwnItems(m, wire.OriginOf(w.profile), "tool_use", "id"); own != nil {
			return own
		}
	}
	out := contentBlocks(m)
	for _, p := range m.Parts {
		if p.Kind == llm.PartCall {
			out = append(out, map[string]any{"type": "tool_use", "id": wire.IdOf(*p.Call), "name": wire.NameOf(*p.Call), "input": json.RawMessage(wire.ArgumentsOf(*p.Call))})
		}
	}
	return out
}

// contentBlocks leaves empty texts out, which are refused.
func contentBlocks(m llm.Message) []map[string]any {
	var out []map[string]any
	for _, p := range m.Parts {
		var block map[string]any
		switch p.Kind {
		case llm.PartText:
			if strings.TrimSpace(p.Text) == "" {
				continue
			}
			block = map[string]any{"type": "text", "text": p.Text}
		case llm.PartImage, llm.PartFile:
			kind := "image"
			if p.Kind == llm.PartFile {
				kind = "document"
			}
			block = map[string]any{"type": kind, "source": map[string]any{"type": "base64", "media_type": p.MIME, "data": base64.StdEncoding.EncodeToString(p.Data)}}
		case llm.PartCall, llm.PartResult:
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
func resultBlocks(m llm.Message) []map[string]any {
	var out []map[string]any
	for _, p := range m.Parts {
		if p.Kind == llm.PartResult {
			out = append(out, map[string]any{"type": "tool_result", "tool_use_id": wire.IdOf(*p.Call), "content": wire.OrElse(strings.TrimSpace(p.Text), wire.Nothing)})
		}
	}
	return out
}

// markLast marks the end of the talk for the cache.
func (w *blocks) markLast() {
	if n := len(w.messages); n > 0 && w.messages[n-1]["role"] == string(llm.RoleUser) {
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
