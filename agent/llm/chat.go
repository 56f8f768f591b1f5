package llm

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"slices"

	openai "github.com/sashabaranov/go-openai"
)

// Chat is the chat protocol of OpenAI, which most servers speak.
type Chat struct{}

// Form implements protocol.
func (Chat) Form() form {
	return form{Path: "/chat/completions", Messages: "messages", Plain: plainText}
}

// Reader implements protocol.
func (Chat) Reader(to *answer) reader { return &chatReader{answer: to} }

// Send implements protocol.
func (Chat) Send(ctx context.Context, through doer) (io.Closer, error) {
	return library(through).CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{})
}

// library is the client that makes the head of a request; its body is written without it, since the library leaves a
// temperature of 0 and empty contents out, knows no cache marks and no fields that servers want back, and refuses
// parameters by the model's name.
func library(through doer) *openai.Client {
	config := openai.DefaultConfig("")
	config.BaseURL, config.HTTPClient = "", through
	return openai.NewClientWithConfig(config)
}

// Write implements protocol.
func (Chat) Write(b *body, r Request, without adaptations) {
	p := r.Model
	if p.Streaming && !without[withoutUsage] {
		b.fields["stream_options"] = openai.StreamOptions{IncludeUsage: true}
	}
	if r.MaxTokens > 0 {
		name := "max_tokens"
		if (p.Provider == "openai") != without[otherMaxTokens] {
			name = "max_completion_tokens"
		}
		b.fields[name] = r.MaxTokens
	}
	var tools []openai.Tool
	for _, t := range toolsOf(r) {
		tools = append(tools, openai.Tool{
			Type: openai.ToolTypeFunction,
			Function: &openai.FunctionDefinition{
				Name: t.Name, Description: t.Description, Parameters: json.RawMessage(t.Schema),
			},
		})
	}
	if tools != nil {
		b.fields["tools"] = tools
	}
	if t := r.Tool; t != nil && !without[withoutForce] {
		b.fields["tool_choice"] = openai.ToolChoice{
			Type: openai.ToolTypeFunction, Function: openai.ToolFunction{Name: t.Name},
		}
	}
	b.messages = dialect{profile: p, without: without}.messages(r.Messages)
	if r.begun {
		goesOn(b, p.Prefill)
	}
	thought(b, r, without)
	maps.Copy(b.fields, p.ExtraBody) // the user's word is the last
	if without[withoutEffort] && len(tools) > 0 {
		b.fields["reasoning_effort"] = "none" // with anything else the call is refused
	}
}

// contentOf is a plain string where that says everything: some servers take nothing else.
func contentOf(m Message) any {
	plain := true
	for _, p := range m.Parts {
		plain = plain && p.Kind == PartText && !p.Cache
	}
	if plain {
		return m.String()
	}
	parts := []map[string]any{}
	for _, p := range m.Parts {
		part := map[string]any{}
		switch p.Kind {
		case PartText:
			part["type"], part["text"] = "text", p.Text
		case PartImage:
			part["type"], part["image_url"] = "image_url", map[string]any{"url": dataURL(p)}
		case PartFile:
			part["type"], part["file"] = "file", map[string]any{"filename": p.Name, "file_data": dataURL(p)}
		case PartCall, PartResult:
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
	Choices many[choice]    `json:"choices"`
	Usage   usage           `json:"usage"`
	Error   json.RawMessage `json:"error"`
	Base    minimaxError    `json:"base_resp"`
}

type choice struct {
	Index        count           `json:"index"`
	Delta        said            `json:"delta"`
	Message      said            `json:"message"`
	FinishReason word            `json:"finish_reason"`
	Error        json.RawMessage `json:"error"`

	raw json.RawMessage
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *choice) UnmarshalJSON(b []byte) error {
	type fields choice
	decode(b, (*fields)(c))
	c.raw = b
	return nil
}

type said struct {
	Content          prose                 `json:"content"`
	Reasoning        prose                 `json:"reasoning"`
	ReasoningContent prose                 `json:"reasoning_content"`
	Refusal          word                  `json:"refusal"`
	ToolCalls        many[json.RawMessage] `json:"tool_calls"`
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
	said := ch.Base.failed()
	if !said {
		_, said = readError(ch.Error)
	}
	for _, one := range ch.mine() {
		if _, ok := readError(one.Error); ok && !said {
			return slices.Concat([]byte(`{"error":`), one.Error, []byte("}"))
		}
	}
	if !said && len(ch.Choices) == 0 && ch.Usage == (usage{}) {
		_, said = parseServerError(raw)
	}
	if !said {
		return nil
	}
	return raw
}

// chatReader reads an answer of the chat protocol.
type chatReader struct {
	answer *answer
	kept   kept // what the server may want back
}

// Take implements reader.
func (w *chatReader) Take(data []byte, _ string) error {
	a := w.answer
	var ch chunk
	if !decode(data, &ch) {
		return garbled(data)
	}
	if raw := ch.failure(data); raw != nil {
		return refusal(raw)
	}
	a.known = a.known || len(ch.Choices) > 0
	a.excess = !w.read(ch)
	if !a.excess && len(a.request.Tools) > 0 {
		w.keep(ch)
		a.excess = w.kept.size > maxText
	}
	return nil
}

// Back implements reader.
func (w *chatReader) Back() json.RawMessage { return w.kept.json() }

// read adds what a chunk says. It is false when the calls in it are more than any reply needs.
func (w *chatReader) read(ch chunk) bool {
	a := w.answer
	if ch.Usage.Prompt+ch.Usage.Completion > 0 {
		a.usage = &ch.Usage
	}
	for _, choice := range ch.mine() {
		for _, s := range []said{choice.Delta, choice.Message} {
			a.think(orElse(s.Reasoning.all(), s.ReasoningContent.all())) // some send both, with the same text
			a.think(s.Content.Thinking)
			a.say(s.Content.Text)
			if s.Refusal != "" {
				a.refusal = true
				a.say(string(s.Refusal))
			}
			for i, raw := range s.ToolCalls {
				var p piece
				decode(raw, &p)
				if !a.called(p, i, raw) {
					return false
				}
			}
		}
		if choice.FinishReason != "" {
			a.finish = string(choice.FinishReason)
		}
	}
	return true
}

// keep collects what the server may want back.
func (w *chatReader) keep(ch chunk) {
	for _, c := range ch.mine() {
		var said struct{ Delta, Message json.RawMessage }
		decode(c.raw, &said)
		w.kept.takeMessage(said.Delta)
		w.kept.takeMessage(said.Message)
	}
}

// goesOn marks the last message as the beginning of the answer, in the way of whoever serves the model.
func goesOn(b *body, way string) {
	last := b.messages[len(b.messages)-1]
	switch way {
	case "prefix":
		last["prefix"] = true
	case "partial":
		last["partial"] = true
	case "continue":
		b.fields["continue_final_message"], b.fields["add_generation_prompt"] = true, false
	}
}

// roomBeside is what an answer may take beside the tokens to think with, where nobody knows how long
// answers of the model can be.
const roomBeside = 16_384

// thought puts into the body how much the model is to think, in the way of whoever serves it.
func thought(b *body, r Request, without adaptations) {
	p := r.Model
	if without[withoutThought] {
		return
	}
	router := p.Provider == "openrouter"
	if p.ReasoningEffort != "" && effortFits(r) {
		if router {
			b.fields["reasoning"] = map[string]any{"effort": p.ReasoningEffort}
		} else {
			b.fields["reasoning_effort"] = p.ReasoningEffort
		}
	}
	if p.ThinkingTokens == 0 || r.MaxTokens > 0 && r.MaxTokens <= p.ThinkingTokens {
		return // a budget that leaves nothing for the answer is refused
	}
	if router {
		b.fields["reasoning"] = map[string]any{"max_tokens": p.ThinkingTokens}
	} else {
		b.fields["thinking"] = map[string]any{"type": "enabled", "budget_tokens": p.ThinkingTokens}
	}
	delete(b.fields, "temperature") // a model that thinks takes none
	if r.MaxTokens == 0 {
		b.fields["max_tokens"] = max(p.MaxOutput, p.ThinkingTokens+roomBeside)
	}
}
