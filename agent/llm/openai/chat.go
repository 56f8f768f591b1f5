// Package openai is the interfaces of OpenAI: chat completions, which nearly every server speaks, and Responses. It alone
// imports go-openai.
package openai

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"slices"

	openai "github.com/sashabaranov/go-openai"

	"coauthor/agent/llm"
	"coauthor/agent/llm/wire"
)

// Chat is the chat protocol of OpenAI, which most servers speak.
type Chat struct{}

// Form implements wire.Protocol.
func (Chat) Form() wire.Form {
	return wire.Form{Path: "/chat/completions", Messages: "messages", Plain: plainText}
}

// Reader implements wire.Protocol.
func (Chat) Reader(to *wire.Answer) wire.Reader { return &chatReader{answer: to} }

// Send implements wire.Protocol.
func (Chat) Send(ctx context.Context, through wire.Doer) (io.Closer, error) {
	return library(through).CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{})
}

// library is the client that makes the head of a request; its body is written without it, since the library leaves a
// temperature of 0 and empty contents out, knows no cache marks and no fields that servers want back, and refuses
// parameters by the model's name.
func library(through wire.Doer) *openai.Client {
	config := openai.DefaultConfig("")
	config.BaseURL, config.HTTPClient = "", through
	return openai.NewClientWithConfig(config)
}

// Write implements wire.Protocol.
func (Chat) Write(b *wire.Body, r llm.Request, without wire.Adaptations) {
	p := r.Model
	if p.Streaming && !without[wire.WithoutUsage] {
		b.Fields["stream_options"] = openai.StreamOptions{IncludeUsage: true}
	}
	if r.MaxTokens > 0 {
		name := "max_tokens"
		if (p.Provider == "openai") != without[wire.OtherMaxTokens] {
			name = "max_completion_tokens"
		}
		b.Fields[name] = r.MaxTokens
	}
	var tools []openai.Tool
	for _, t := range wire.ToolsOf(r) {
		tools = append(tools, openai.Tool{
			Type: openai.ToolTypeFunction,
			Function: &openai.FunctionDefinition{
				Name: t.Name, Description: t.Description, Parameters: json.RawMessage(t.Schema),
			},
		})
	}
	if tools != nil {
		b.Fields["tools"] = tools
	}
	if t := r.Tool; t != nil && !without[wire.WithoutForce] {
		b.Fields["tool_choice"] = openai.ToolChoice{
			Type: openai.ToolTypeFunction, Function: openai.ToolFunction{Name: t.Name},
		}
	}
	b.Messages = dialect{profile: p, without: without}.messages(r.Messages)
	if r.Begun {
		goesOn(b, p.Prefill)
	}
	thought(b, r, without)
	maps.Copy(b.Fields, p.ExtraBody) // the user's word is the last
	if without[wire.WithoutEffort] && len(tools) > 0 {
		b.Fields["reasoning_effort"] = "none" // with anything else the call is refused
	}
}

// contentOf is a plain string where that says everything: some servers take nothing else.
func contentOf(m llm.Message) any {
	plain := true
	for _, p := range m.Parts {
		plain = plain && p.Kind == llm.PartText && !p.Cache
	}
	if plain {
		return m.String()
	}
	parts := []map[string]any{}
	for _, p := range m.Parts {
		part := map[string]any{}
		switch p.Kind {
		case llm.PartText:
			part["type"], part["text"] = "text", p.Text
		case llm.PartImage:
			part["type"], part["image_url"] = "image_url", map[string]any{"url": wire.DataURL(p)}
		case llm.PartFile:
			part["type"], part["file"] = "file", map[string]any{"filename": p.Name, "file_data": wire.DataURL(p)}
		case llm.PartCall, llm.PartResult:
			continue // fields of their own say them
		}
		if p.Cache {
			part["cache_control"] = map[string]any{"type": "ephemeral"}
		}
		parts = append(parts, part)
	}
	return parts
}

// chunk is one event of the stream, or a whole answer, in every dialect we know.
type chunk struct {
	Choices wire.Many[choice] `json:"choices"`
	Usage   wire.Usage        `json:"usage"`
	Error   json.RawMessage   `json:"error"`
	Base    wire.MinimaxError `json:"base_resp"`
}

type choice struct {
	Index        wire.Count      `json:"index"`
	Delta        said            `json:"delta"`
	Message      said            `json:"message"`
	FinishReason wire.Word       `json:"finish_reason"`
	Error        json.RawMessage `json:"error"`

	raw json.RawMessage
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *choice) UnmarshalJSON(b []byte) error {
	type fields choice
	wire.Decode(b, (*fields)(c))
	c.raw = b
	return nil
}

type said struct {
	Content          wire.Prose                 `json:"content"`
	Reasoning        wire.Prose                 `json:"reasoning"`
	ReasoningContent wire.Prose                 `json:"reasoning_content"`
	Refusal          wire.Word                  `json:"refusal"`
	ToolCalls        wire.Many[json.RawMessage] `json:"tool_calls"`
}

// mine are the choices of a chunk that are the answer. One was asked for, so a single one is that, whatever its
// index; some servers give the text of an answer and its calls as two.
func (ch chunk) mine() []choice {
	if len(ch.Choices) <= 1 {
		return ch.Choices
	}
	var list []choice
	for _, c := range ch.Choices {
		if c.Index == 0 {
			list = append(list, c)
		}
	}
	if list == nil {
		list = ch.Choices[:1]
	}
	return list
}

// failure returns the error that a chunk carries, nil for none. raw is the chunk as it came.
func (ch chunk) failure(raw []byte) []byte {
	said := ch.Base.Failed()
	if !said {
		_, said = wire.ReadError(ch.Error)
	}
	for _, one := range ch.mine() {
		if _, ok := wire.ReadError(one.Error); ok && !said {
			return slices.Concat([]byte(`{"error":`), one.Error, []byte("}"))
		}
	}
	if !said && len(ch.Choices) == 0 && ch.Usage == (wire.Usage{}) {
		_, said = wire.ParseServerError(raw)
	}
	if !said {
		return nil
	}
	return raw
}

// chatReader reads an answer of the chat protocol.
type chatReader struct {
	answer *wire.Answer
	kept   wire.Kept // what the server may want back
}

// Take implements wire.Reader.
func (w *chatReader) Take(data []byte, _ string) error {
	a := w.answer
	var ch chunk
	if !wire.Decode(data, &ch) {
		return wire.Garbled(data)
	}
	if raw := ch.failure(data); raw != nil {
		return wire.Refusal(raw)
	}
	a.Known = a.Known || len(ch.Choices) > 0
	a.Excess = !w.read(ch)
	if !a.Excess && len(a.Request.Tools) > 0 {
		w.keep(ch)
		a.Excess = w.kept.Size > wire.MaxText
	}
	return nil
}

// Back implements wire.Reader.
func (w *chatReader) Back() json.RawMessage { return w.kept.Json() }

// read adds what a chunk says. It is false when the calls in it are more than any reply needs.
func (w *chatReader) read(ch chunk) bool {
	a := w.answer
	if ch.Usage.Prompt+ch.Usage.Completion > 0 {
		a.Usage = &ch.Usage
	}
	for _, choice := range ch.mine() {
		for _, s := range []said{choice.Delta, choice.Message} {
			a.Think(wire.OrElse(s.Reasoning.All(), s.ReasoningContent.All())) // some send both, with the same text
			a.Think(s.Content.Thinking)
			a.Say(s.Content.Text)
			if s.Refusal != "" {
				a.Refusal = true
				a.Say(string(s.Refusal))
			}
			for i, raw := range s.ToolCalls {
				var p wire.Piece
				wire.Decode(raw, &p)
				if !a.Called(p, i, raw) {
					return false
				}
			}
		}
		if choice.FinishReason != "" {
			a.Finish = string(choice.FinishReason)
		}
	}
	return true
}

// keep collects what the server may want back.
func (w *chatReader) keep(ch chunk) {
	for _, c := range ch.mine() {
		var said struct{ Delta, Message json.RawMessage }
		wire.Decode(c.raw, &said)
		w.kept.TakeMessage(said.Delta)
		w.kept.TakeMessage(said.Message)
	}
}

// goesOn marks the last message as the beginning of the answer, in the way of whoever serves the model.
func goesOn(b *wire.Body, way string) {
	last := b.Messages[len(b.Messages)-1]
	switch way {
	case "prefix":
		last["prefix"] = true
	case "partial":
		last["partial"] = true
	case "continue":
		b.Fields["continue_final_message"], b.Fields["add_generation_prompt"] = true, false
	}
}

// roomBeside is what an answer may take beside the tokens to think with, where nobody knows how long
// answers of the model can be.
const roomBeside = 16_384

// thought puts into the body how much the model is to think, in the way of whoever serves it.
func thought(b *wire.Body, r llm.Request, without wire.Adaptations) {
	p := r.Model
	if without[wire.WithoutThought] {
		return
	}
	router := p.Provider == "openrouter"
	if p.ReasoningEffort != "" && wire.EffortFits(r) {
		if router {
			b.Fields["reasoning"] = map[string]any{"effort": p.ReasoningEffort}
		} else {
			b.Fields["reasoning_effort"] = p.ReasoningEffort
		}
	}
	if p.ThinkingTokens == 0 || r.MaxTokens > 0 && r.MaxTokens <= p.ThinkingTokens {
		return // a budget that leaves nothing for the answer is refused
	}
	if router {
		b.Fields["reasoning"] = map[string]any{"max_tokens": p.ThinkingTokens}
	} else {
		b.Fields["thinking"] = map[string]any{"type": "enabled", "budget_tokens": p.ThinkingTokens}
	}
	delete(b.Fields, "temperature") // a model that thinks takes none
	if r.MaxTokens == 0 {
		b.Fields["max_tokens"] = max(p.MaxOutput, p.ThinkingTokens+roomBeside)
	}
}
