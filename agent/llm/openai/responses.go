package openai

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"coauthor/agent/llm"
	"coauthor/agent/llm/wire"
	"coauthor/agent/model"
)

// leastOutput is the least that a request may allow an answer.
const leastOutput = 16

// Responses is OpenAI's newer interface.
type Responses struct{}

// Form implements wire.Protocol.
func (Responses) Form() wire.Form { return wire.Form{Path: "/responses", Messages: "input"} }

// Reader implements wire.Protocol.
func (Responses) Reader(to *wire.Answer) wire.Reader { return &responsesReader{answer: to} }

// Send implements wire.Protocol.
func (Responses) Send(ctx context.Context, through wire.Doer) (io.Closer, error) {
	return library(through).CreateResponseStream(ctx, openai.CreateResponseRequest{})
}

// Write writes the body for Responses, without anything kept by the server: each request has the whole
// talk, and the reasoning goes back and forth encrypted.
func (Responses) Write(b *wire.Body, r llm.Request, without wire.Adaptations) {
	p := r.Model
	b.Fields["store"] = false
	if r.MaxTokens > 0 {
		b.Fields["max_output_tokens"] = max(r.MaxTokens, leastOutput)
	}
	var tools []map[string]any
	for _, t := range wire.ToolsOf(r) {
		// Unless told otherwise the server makes every parameter a required one.
		tools = append(tools, map[string]any{"type": "function", "name": t.Name, "description": t.Description,
			"parameters": json.RawMessage(t.Schema), "strict": false})
	}
	if len(tools) > 0 {
		b.Fields["tools"] = tools
	}
	if len(r.Tools) > 0 && !without[wire.WithoutInclude] {
		b.Fields["include"] = []openai.ResponseInclude{openai.ResponseIncludeReasoningEncryptedContent}
	}
	if t := r.Tool; t != nil && !without[wire.WithoutForce] {
		b.Fields["tool_choice"] = map[string]any{"type": "function", "name": t.Name}
		b.Fields["parallel_tool_calls"] = false
	}
	if reasoning := reasoningOf(r, without); len(reasoning) > 0 {
		b.Fields["reasoning"] = reasoning
	}
	b.Messages = input{profile: p, without: without}.of(r.Messages)
	maps.Copy(b.Fields, p.ExtraBody) // the user's word is the last
}

// reasoningOf says how much the model is to think, and asks for what it thinks where it does.
func reasoningOf(r llm.Request, without wire.Adaptations) map[string]any {
	p := r.Model
	out := map[string]any{}
	if len(p.Efforts) > 0 && !without[wire.WithoutSummary] {
		out["summary"] = "auto" // else nothing comes for minutes
	}
	if without[wire.WithoutThought] {
		return out
	}
	if p.ReasoningEffort != "" && wire.EffortFits(r) {
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
	without wire.Adaptations
}

func (in input) of(list []llm.Message) []map[string]any {
	out := []map[string]any{}
	for _, m := range list {
		switch m.Role {
		case llm.RoleTool:
			out = append(out, in.results(m)...)
		case llm.RoleAssistant:
			out = append(out, in.said(m)...)
		case llm.RoleSystem, llm.RoleUser:
			role := m.Role
			if !in.profile.UseSystemPrompt {
				role = llm.RoleUser
			}
			out = append(out, map[string]any{"role": string(role), "content": inputContent(m)})
		}
	}
	return out
}

// said is a message of the model's: as it came where that is known, else its text and its calls.
func (in input) said(m llm.Message) []map[string]any {
	if !in.without[wire.WithoutBack] {
		if own := wire.OwnItems(m, wire.OriginOf(in.profile), "function_call", "call_id"); own != nil {
			return own
		}
	}
	var out []map[string]any
	if text := m.String(); strings.TrimSpace(text) != "" {
		out = append(out, map[string]any{"role": string(llm.RoleAssistant), "content": text})
	}
	for _, p := range m.Parts {
		if p.Kind == llm.PartCall {
			out = append(out, map[string]any{"type": "function_call", "call_id": wire.IdOf(*p.Call), "name": wire.NameOf(*p.Call), "arguments": wire.ArgumentsOf(*p.Call)})
		}
	}
	return out
}

// results are an item for each call.
func (in input) results(m llm.Message) []map[string]any {
	var out []map[string]any
	for _, p := range m.Parts {
		if p.Kind == llm.PartResult {
			out = append(out, map[string]any{"type": "function_call_output", "call_id": wire.IdOf(*p.Call), "output": p.Text})
		}
	}
	return out
}

// inputContent is a plain string where that says everything.
func inputContent(m llm.Message) any {
	plain := true
	for _, p := range m.Parts {
		plain = plain && p.Kind == llm.PartText
	}
	if plain {
		return m.String()
	}
	parts := []map[string]any{}
	for _, p := range m.Parts {
		switch p.Kind {
		case llm.PartText:
			parts = append(parts, map[string]any{"type": "input_text", "text": p.Text})
		case llm.PartImage:
			parts = append(parts, map[string]any{"type": "input_image", "image_url": wire.DataURL(p)})
		case llm.PartFile:
			parts = append(parts, map[string]any{"type": "input_file", "filename": p.Name, "file_data": wire.DataURL(p)})
		case llm.PartCall, llm.PartResult: // not of these messages
		}
	}
	return parts
}
