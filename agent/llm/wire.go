package llm

import (
	"encoding/base64"
	"encoding/json"
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
	switch b.api {
	case model.Responses:
		b.forResponses(r, without)
	case model.Anthropic:
		b.forAnthropic(r, without)
	case model.Ollama:
		b.forOllama(r, without)
	default:
		b.forChat(r, without)
	}
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
	fields := map[string]any{messagesField(b.api): b.messages}
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
	Choices []choice        `json:"choices"`
	Usage   *usage          `json:"usage"`
	Error   json.RawMessage `json:"error"`
	Base    minimaxError    `json:"base_resp"`
}

type choice struct {
	Index        int             `json:"index"`
	Delta        said            `json:"delta"`
	Message      said            `json:"message"`
	FinishReason string          `json:"finish_reason"`
	Error        json.RawMessage `json:"error"`
}

type said struct {
	Content          flexible          `json:"content"`
	Reasoning        string            `json:"reasoning"`
	ReasoningContent string            `json:"reasoning_content"`
	Refusal          string            `json:"refusal"`
	ToolCalls        []json.RawMessage `json:"tool_calls"`
}

// flexible is a content that is a string, null, or a list of parts with texts.
type flexible struct{ Text, Thinking string }

// UnmarshalJSON reads any of the three.
func (f *flexible) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] != '[' {
		return json.Unmarshal(b, &f.Text)
	}
	var parts []struct {
		Type     string          `json:"type"`
		Text     string          `json:"text"`
		Thinking json.RawMessage `json:"thinking"`
	}
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		if p.Type == "thinking" {
			var inner flexible
			if json.Unmarshal(p.Thinking, &inner) == nil {
				f.Thinking += inner.Text
			}
			continue
		}
		f.Text += p.Text
	}
	return nil
}

// usage is what a provider says it counted.
type usage struct {
	Prompt     int     `json:"prompt_tokens"`
	Completion int     `json:"completion_tokens"`
	Cost       float64 `json:"cost"`
	Details    struct {
		Cached int `json:"cached_tokens"`
		Write  int `json:"cache_write_tokens"`
	} `json:"prompt_tokens_details"`
	CacheHit      int `json:"prompt_cache_hit_tokens"`
	CacheRead     int `json:"cache_read_input_tokens"`
	CacheCreation int `json:"cache_creation_input_tokens"`
}

// event converts to our own count, in which Prompt is all that was read.
func (u usage) event(p model.Profile) event.Usage {
	e := event.Usage{
		Prompt: u.Prompt, Completion: u.Completion,
		CacheRead:  max(u.Details.Cached, u.CacheHit, u.CacheRead),
		CacheWrite: max(u.Details.Write, u.CacheCreation),
	}
	if u.CacheRead+u.CacheCreation > 0 && u.Details.Cached == 0 && u.CacheRead+u.CacheCreation > u.Prompt {
		e.Prompt += u.CacheRead + u.CacheCreation // this dialect counts the cache apart
	}
	e.Cost = u.Cost
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
