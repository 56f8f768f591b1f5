package llm

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"coauthor/agent/event"
	"coauthor/agent/model"
)

// body is a request in two halves: what go-openai can say, and the fields that are set over it.
//
// The library leaves a temperature of 0 and empty contents out, knows no cache marks and no fields that
// servers want back, and refuses parameters by the model's name. So the model's name, the messages and all
// of these go into the second half, which the transport merges into the JSON that the library made.
type body struct {
	api      string // the interface that it is for
	request  openai.ChatCompletionRequest
	fields   map[string]any
	messages []map[string]any
	streams  bool // the answer is asked for piece by piece
}

// tools are those that are offered, or the one that is forced.
func (r Request) tools() []Tool {
	if r.Tool != nil {
		return []Tool{*r.Tool}
	}
	return r.Tools
}

// newBody writes a request for the interface of its model.
func newBody(r Request, without map[adaptation]bool) body {
	r.Model.Streaming = r.Model.Streaming && !without[withoutStream]
	p := r.Model
	b := body{api: apiOf(p, without), fields: map[string]any{"model": p.ID}, streams: p.Streaming}
	if !b.streams {
		b.fields["stream"] = false
	}
	if p.UseTemperature && !without[withoutTemperature] {
		b.fields["temperature"] = r.temperature()
	}
	protocolOf(b.api).write(&b, r, without)
	return b
}

func (r Request) temperature() float64 {
	switch {
	case r.Temperature != nil:
		return *r.Temperature
	case r.Model.Temperature != nil:
		return *r.Model.Temperature
	}
	return 0
}

// throughChat is the chat protocol of OpenAI, which most servers speak.
func throughChat() protocol {
	return protocol{path: "/chat/completions", messages: "messages", write: (*body).forChat,
		send: func(ctx context.Context, client *openai.Client, r openai.ChatCompletionRequest) (io.Closer, error) {
			return client.CreateChatCompletionStream(ctx, r)
		},
		read: func(to *answer) reader { return &chatReader{answer: to} }}
}

func (b *body) forChat(r Request, without map[adaptation]bool) {
	p := r.Model
	b.request.Stream = true
	if p.Streaming && !without[withoutUsage] {
		b.request.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	}
	if r.MaxTokens > 0 {
		name := "max_tokens"
		if (p.Provider == "openai") != without[otherMaxTokens] {
			name = "max_completion_tokens"
		}
		b.fields[name] = r.MaxTokens
	}
	for _, t := range r.tools() {
		b.request.Tools = append(b.request.Tools, openai.Tool{
			Type: openai.ToolTypeFunction,
			Function: &openai.FunctionDefinition{
				Name: t.Name, Description: t.Description, Parameters: json.RawMessage(t.Schema),
			},
		})
	}
	if t := r.Tool; t != nil && !without[withoutForce] {
		b.request.ToolChoice = openai.ToolChoice{
			Type: openai.ToolTypeFunction, Function: openai.ToolFunction{Name: t.Name},
		}
	}
	b.messages = dialect{profile: p, without: without}.messages(r.Messages)
	if r.begun {
		b.begins(p.Prefill)
	}
	b.thought(r, without)
	for name, v := range p.ExtraBody {
		b.fields[name] = v // the user's word is the last
	}
	if without[withoutEffort] && len(b.request.Tools) > 0 {
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

func dataURL(p Part) string {
	return "data:" + orElse(p.MIME, "application/octet-stream") + ";base64," + base64.StdEncoding.EncodeToString(p.Data)
}

// merge puts the second half of the body into the JSON of the first.
func (b body) merge(data []byte) ([]byte, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	fields := map[string]any{protocolOf(b.api).messages: b.messages}
	for name, v := range b.fields {
		fields[name] = v
	}
	for name, v := range fields {
		raw, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		all[name] = raw
	}
	for name, v := range b.fields {
		if v == nil {
			delete(all, name) // null in extraBody takes a field away
		}
	}
	return json.Marshal(all)
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

// take implements reader.
func (w *chatReader) take(data []byte, _ string) *Error {
	a := w.answer
	var ch chunk
	if !decode(data, &ch) {
		return a.call.unreadable(string(data), errNoJSON)
	}
	if raw := ch.failure(data); raw != nil {
		return a.call.answered(http.StatusOK, nil, raw)
	}
	a.known = a.known || len(ch.Choices) > 0
	a.excess = !w.read(ch)
	if !a.excess && len(a.call.request.Tools) > 0 {
		w.keep(ch)
		a.excess = w.kept.size > maxText
	}
	return nil
}

// back implements reader.
func (w *chatReader) back() json.RawMessage { return w.kept.json() }

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

// usage is what a provider says it counted.
type usage struct {
	Prompt     count  `json:"prompt_tokens"`
	Completion count  `json:"completion_tokens"`
	Cost       amount `json:"cost"`
	Details    struct {
		Cached count `json:"cached_tokens"`
		Write  count `json:"cache_write_tokens"`
	} `json:"prompt_tokens_details"`
	CacheHit      count `json:"prompt_cache_hit_tokens"`
	CacheRead     count `json:"cache_read_input_tokens"`
	CacheCreation count `json:"cache_creation_input_tokens"`
}

// event converts to our own count, in which Prompt is all that was read.
func (u usage) event(p model.Profile) event.Usage {
	if u.CacheRead+u.CacheCreation > 0 && u.Details.Cached == 0 && u.CacheRead+u.CacheCreation > u.Prompt {
		u.Prompt += u.CacheRead + u.CacheCreation // this dialect counts the cache apart
	}
	e := event.Usage{
		Prompt: int(u.Prompt), Completion: int(u.Completion),
		CacheRead:  int(max(u.Details.Cached, u.CacheHit, u.CacheRead)),
		CacheWrite: int(max(u.Details.Write, u.CacheCreation)),
		Cost:       float64(u.Cost),
	}
	if e.Cost == 0 {
		e.Cost = model.Cost(p.Price, e)
	}
	return e
}

// finishOf maps a provider's word for the end of a reply.
func finishOf(reason string) Finish {
	switch strings.ToLower(reason) {
	case "", "network_error", "error": // GLM's servers and some routers end a stream with these when what is behind them broke off
		return FinishCut
	case "length", "max_tokens", "max_output_tokens", "model_length", "incomplete", "model_context_window_exceeded":
		return FinishLength
	case "content_filter", "refusal", "safety", "recitation", "prohibited_content", "sensitive":
		return FinishRefused
	}
	return FinishStop // stop, eos, end_turn, tool_calls, function_call, …
}
