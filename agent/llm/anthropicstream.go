package llm

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
)

// anthropicEvent is one event of an answer of Anthropic's, or a whole one.
type anthropicEvent struct {
	Type    word            `json:"type"`
	Index   mark            `json:"index"`
	Block   json.RawMessage `json:"content_block"`
	Delta   anthropicDelta  `json:"delta"`
	Message struct {
		Usage anthropicUsage `json:"usage"`
	} `json:"message"`
	Usage   anthropicUsage  `json:"usage"`
	Content json.RawMessage `json:"content"`     // of a whole answer
	Reason  word            `json:"stop_reason"` // of a whole answer
	Error   json.RawMessage `json:"error"`
}

type anthropicDelta struct {
	Text      word `json:"text"`
	Thinking  word `json:"thinking"`
	Signature word `json:"signature"`
	JSON      word `json:"partial_json"`
	Reason    word `json:"stop_reason"`
}

type anthropicUsage struct {
	Input    count `json:"input_tokens"`
	Output   count `json:"output_tokens"`
	Read     count `json:"cache_read_input_tokens"`
	Creation count `json:"cache_creation_input_tokens"`
}

// anthropicBlock is a piece of an answer.
type anthropicBlock struct {
	Type     word            `json:"type"`
	Text     prose           `json:"text"`
	Thinking prose           `json:"thinking"`
	ID       mark            `json:"id"`
	Name     word            `json:"name"`
	Input    json.RawMessage `json:"input"`
}

// takeAnthropic takes in an event of an answer of Anthropic's, and gives the error that it carries. What a field
// says counts, whatever the event is called.
func (a *answer) takeAnthropic(data []byte, name string) *Error {
	var e anthropicEvent
	if !decode(data, &e) {
		return a.call.unreadable(string(data), errNoJSON)
	}
	kind := orElse(string(e.Type), name)
	if _, failed := readError(e.Error); failed || kind == "error" {
		return a.call.answered(http.StatusOK, nil, data)
	}
	a.known = a.known || kind == "message_start"
	a.count(e.Message.Usage)
	a.count(e.Usage)
	if len(objects(e.Block)) > 0 {
		a.takeBlock(string(e.Index), e.Block, false)
	}
	a.growBlock(string(e.Index), e.Delta)
	var text string
	if text, _ = unquoted(e.Content); text != "" {
		a.sayOf(a.items.open(itemText), text)
	}
	for _, raw := range objects(e.Content) {
		a.takeBlock("", raw, true)
	}
	a.finish = orElse(string(e.Delta.Reason), orElse(string(e.Reason), a.finish))
	a.over = a.over || kind == "message_stop" || kind == "message" && a.finish != ""
	return nil
}

// takeBlock takes in a piece of the answer at its beginning, or whole.
func (a *answer) takeBlock(index string, raw json.RawMessage, whole bool) {
	var b anthropicBlock
	var fields map[string]any
	decode(raw, &b)
	kind := map[word]itemKind{"text": itemText, "thinking": itemThought, "redacted_thinking": itemThought, "tool_use": itemCall}[b.Type]
	place := a.items.begin(kind, index)
	if json.Unmarshal(raw, &fields) == nil && fields != nil {
		if a.items.blocks == nil {
			a.items.blocks = map[int]map[string]any{}
		}
		a.items.blocks[place] = fields
	}
	if b.Type != "tool_use" {
		a.thinkOf(place, b.Thinking.all())
		a.sayOf(place, b.Text.all())
		return
	}
	args := string(b.Input)
	if !whole && args == "{}" {
		args = "" // the pieces follow
	}
	if len(a.call.request.Tools) > 0 {
		a.excess = !a.calls.settle(place, string(b.ID), string(b.Name), args)
	} else if !a.unasked(args) {
		a.sayOf(place, args)
	}
}

// growBlock adds to a piece of the answer.
func (a *answer) growBlock(index string, d anthropicDelta) {
	if d.Thinking+d.Signature != "" {
		place := a.items.at(itemThought, index)
		a.thinkOf(place, string(d.Thinking))
		a.items.grow(place, "thinking", string(d.Thinking))
		a.items.grow(place, "signature", string(d.Signature))
	}
	if d.Text != "" {
		place := a.items.at(itemText, index)
		a.sayOf(place, string(d.Text))
		a.items.grow(place, "text", string(d.Text))
	}
	if d.JSON == "" {
		return
	}
	place := a.items.at(itemCall, index)
	if len(a.call.request.Tools) > 0 {
		a.excess = !a.calls.grow(place, string(d.JSON))
	} else if !a.unasked(string(d.JSON)) {
		a.sayOf(place, string(d.JSON))
	}
}

// grow adds to a field of a piece.
func (s *items) grow(index int, field, text string) {
	block := s.blocks[index]
	if block == nil || text == "" {
		return
	}
	if s.texts == nil {
		s.texts = map[textOf][]byte{}
	}
	at := textOf{index, field}
	s.texts[at] = append(s.texts[at], text...)
}

// textOf names a field of a piece that comes in pieces itself.
type textOf struct {
	index int
	field string
}

// keptBlocks are the pieces of the answer as they go back: with the signatures of what the model thought.
func (a *answer) keptBlocks() []json.RawMessage {
	for at, text := range a.items.texts {
		before, _ := a.items.blocks[at.index][at.field].(string)
		a.items.blocks[at.index][at.field] = joined(before + string(text))
	}
	for _, s := range a.calls.slots {
		if block := a.items.blocks[*s.index]; block != nil {
			block["input"] = json.RawMessage(argumentsOf(Call{Arguments: joined(string(s.arguments.text))}))
		}
	}
	var list []json.RawMessage
	for _, i := range slices.Sorted(maps.Keys(a.items.blocks)) {
		block := a.items.blocks[i]
		if text, ok := block["text"].(string); ok && block["type"] == "text" && text == "" {
			continue // it would be refused
		}
		if raw, err := json.Marshal(block); err == nil {
			list = append(list, raw)
		}
	}
	return list
}

// count takes in what was counted: the prompt at the beginning, the answer at the end. What came from the cache
// and what went into it is counted beside the rest.
func (a *answer) count(u anthropicUsage) {
	if u == (anthropicUsage{}) {
		return
	}
	if a.usage == nil {
		a.usage = &usage{}
	}
	a.usage.Completion = max(a.usage.Completion, u.Output)
	if n := u.Input + u.Read + u.Creation; n > 0 {
		a.usage.Prompt, a.usage.CacheRead, a.usage.CacheCreation = n, u.Read, u.Creation
	}
}
