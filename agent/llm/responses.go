package llm

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"coauthor/agent/model"
)

// leastOutput is the least that a request may allow an answer.
const leastOutput = 16

// Responses is OpenAI's newer interface.
type Responses struct{}

// Form implements protocol.
func (Responses) Form() form { return form{Path: "/responses", Messages: "input"} }

// Reader implements protocol.
func (Responses) Reader(to *answer) reader { return &responsesReader{answer: to} }

// Send implements protocol.
func (Responses) Send(ctx context.Context, through doer) (io.Closer, error) {
	return library(through).CreateResponseStream(ctx, openai.CreateResponseRequest{})
}

// Write writes the body for Responses, without anything kept by the server: each request has the whole
// talk, and the reasoning goes back and forth encrypted.
func (Responses) Write(b *body, r Request, without adaptations) {
	p := r.Model
	b.fields["store"] = false
	if r.MaxTokens > 0 {
		b.fields["max_output_tokens"] = max(r.MaxTokens, leastOutput)
	}
	var tools []map[string]any
	for _, t := range toolsOf(r) {
		// Unless told otherwise the server makes every parameter a required one.
		tools = append(tools, map[string]any{"type": "function", "name": t.Name, "description": t.Description,
			"parameters": json.RawMessage(t.Schema), "strict": false})
	}
	if len(tools) > 0 {
		b.fields["tools"] = tools
	}
	if len(r.Tools) > 0 && !without[withoutInclude] {
		b.fields["include"] = []openai.ResponseInclude{openai.ResponseIncludeReasoningEncryptedContent}
	}
	if t := r.Tool; t != nil && !without[withoutForce] {
		b.fields["tool_choice"] = map[string]any{"type": "function", "name": t.Name}
		b.fields["parallel_tool_calls"] = false
	}
	if reasoning := reasoningOf(r, without); len(reasoning) > 0 {
		b.fields["reasoning"] = reasoning
	}
	b.messages = input{profile: p, without: without}.of(r.Messages)
	maps.Copy(b.fields, p.ExtraBody) // the user's word is the last
}

// reasoningOf says how much the model is to think, and asks for what it thinks where it does.
func reasoningOf(r Request, without adaptations) map[string]any {
	p := r.Model
	out := map[string]any{}
	if len(p.Efforts) > 0 && !without[withoutSummary] {
		out["summary"] = "auto" // else nothing comes for minutes
	}
	if without[withoutThought] {
		return out
	}
	if p.ReasoningEffort != "" && effortFits(r) {
		out["effort"] = p.ReasoningEffort
	}
	if p.ThinkingTokens > 0 && (r.MaxTokens == 0 || r.MaxTokens > p.ThinkingTokens) {
		out["max_tokens"] = p.ThinkingTokens
	}
	return out
}

// input writes messages as the items that Responses takes.
type input struct {
	profile model.Profile
	without adaptations
}

func (in input) of(list []Message) []map[string]any {
	out := []map[string]any{}
	for _, m := range list {
		switch m.Role {
		case RoleTool:
			out = append(out, in.results(m)...)
		case RoleAssistant:
			out = append(out, in.said(m)...)
		case RoleSystem, RoleUser:
			role := m.Role
			if !in.profile.UseSystemPrompt {
				role = RoleUser
			}
			out = append(out, map[string]any{"role": string(role), "content": inputContent(m)})
		}
	}
	return out
}

// said is a message of the model's: as it came where that is known, else its text and its calls.
func (in input) said(m Message) []map[string]any {
	if !in.without[withoutBack] {
		if own := ownItems(m, originOf(in.profile), "function_call", "call_id"); own != nil {
			return own
		}
	}
	var out []map[string]any
	if text := m.String(); strings.TrimSpace(text) != "" {
		out = append(out, map[string]any{"role": string(RoleAssistant), "content": text})
	}
	for _, p := range m.Parts {
		if p.Kind == PartCall {
			out = append(out, map[string]any{"type": "function_call", "call_id": idOf(*p.Call), "name": nameOf(*p.Call), "arguments": argumentsOf(*p.Call)})
		}
	}
	return out
}

// results are an item for each call.
func (in input) results(m Message) []map[string]any {
	var out []map[string]any
	for _, p := range m.Parts {
		if p.Kind == PartResult {
			out = append(out, map[string]any{"type": "function_call_output", "call_id": idOf(*p.Call), "output": p.Text})
		}
	}
	return out
}

// inputContent is a plain string where that says everything.
func inputContent(m Message) any {
	plain := true
	for _, p := range m.Parts {
		plain = plain && p.Kind == PartText
	}
	if plain {
		return m.String()
	}
	parts := []map[string]any{}
	for _, p := range m.Parts {
		switch p.Kind {
		case PartText:
			parts = append(parts, map[string]any{"type": "input_text", "text": p.Text})
		case PartImage:
			parts = append(parts, map[string]any{"type": "input_image", "image_url": dataURL(p)})
		case PartFile:
			parts = append(parts, map[string]any{"type": "input_file", "filename": p.Name, "file_data": dataURL(p)})
		case PartCall, PartResult: // not of these messages
		}
	}
	return parts
}
