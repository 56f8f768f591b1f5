package llm

import (
	"encoding/json"
	"maps"
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

// anthropicReader reads an answer of Anthropic's.
type anthropicReader struct {
	answer *answer
	items  items
	blocks map[int]map[string]any // the pieces as they began
	texts  map[textOf][]byte      // what came for them since
}

// Take implements reader. What a field says counts, whatever the event is called.
func (w *anthropicReader) Take(data []byte, name string) error {
	a := w.answer
	var e anthropicEvent
	if !decode(data, &e) {
		return garbled(data)
	}
	kind := orElse(string(e.Type), name)
	if _, failed := readError(e.Error); failed || kind == "error" {
		return refusal(data)
	}
	a.known = a.known || kind == "message_start"
	w.count(e.Message.Usage)
	w.count(e.Usage)
	if len(objects(e.Block)) > 0 {
		w.begin(string(e.Index), e.Block, false)
	}
	w.grow(string(e.Index), e.Delta)
	var text string
	if text, _ = unquoted(e.Content); text != "" {
		w.items.say(a, w.items.open(itemText), text)
	}
	for _, raw := range objects(e.Content) {
		w.begin("", raw, true)
	}
	a.finish = orElse(string(e.Delta.Reason), orElse(string(e.Reason), a.finish))
	a.over = a.over || kind == "message_stop" || kind == "message" && a.finish != ""
	return nil
}

// begin takes in a piece of the answer at its beginning, or whole.
func (w *anthropicReader) begin(index string, raw json.RawMessage, whole bool) {
	a := w.answer
	var b anthropicBlock
	var fields map[string]any
	decode(raw, &b)
	kind := map[word]itemKind{"text": itemText, "thinking": itemThought, "redacted_thinking": itemThought, "tool_use": itemCall}[b.Type]
	place := w.items.begin(kind, index)
	if json.Unmarshal(raw, &fields) == nil && fields != nil {
		if w.blocks == nil {
			w.blocks = map[int]map[string]any{}
		}
		w.blocks[place] = fields
	}
	if b.Type != "tool_use" {
		w.items.think(a, place, b.Thinking.all())
		w.items.say(a, place, b.Text.all())
		return
	}
	args := string(b.Input)
	if !whole && args == "{}" {
		args = "" // the pieces follow
	}
	if len(a.request.Tools) > 0 {
		a.excess = !a.calls.settle(place, string(b.ID), string(b.Name), args)
	} else if !a.unasked(args) {
		w.items.say(a, place, args)
	}
}

// grow adds to a piece of the answer.
func (w *anthropicReader) grow(index string, d anthropicDelta) {
	a := w.answer
	if d.Thinking+d.Signature != "" {
		place := w.items.at(itemThought, index)
		w.items.think(a, place, string(d.Thinking))
		w.growField(place, "thinking", string(d.Thinking))
		w.growField(place, "signature", string(d.Signature))
	}
	if d.Text != "" {
		place := w.items.at(itemText, index)
		w.items.say(a, place, string(d.Text))
		w.growField(place, "text", string(d.Text))
	}
	if d.JSON != "" {
		w.items.grow(a, w.items.at(itemCall, index), string(d.JSON))
	}
}

// growField adds to a field of a piece.
func (w *anthropicReader) growField(index int, field, text string) {
	block := w.blocks[index]
	if block == nil || text == "" {
		return
	}
	if w.texts == nil {
		w.texts = map[textOf][]byte{}
	}
	at := textOf{index, field}
	w.texts[at] = append(w.texts[at], text...)
}

// textOf names a field of a piece that comes in pieces itself.
type textOf struct {
	index int
	field string
}

// Back implements reader: the pieces of the answer, with the signatures of what the model thought.
func (w *anthropicReader) Back() json.RawMessage {
	a := w.answer
	for at, text := range w.texts {
		before, _ := w.blocks[at.index][at.field].(string)
		w.blocks[at.index][at.field] = joined(before + string(text))
	}
	for _, s := range a.calls.slots {
		if block := w.blocks[*s.index]; block != nil {
			block["input"] = json.RawMessage(argumentsOf(Call{Arguments: joined(string(s.arguments.text))}))
		}
	}
	var list []json.RawMessage
	for _, i := range slices.Sorted(maps.Keys(w.blocks)) {
		block := w.blocks[i]
		if text, ok := block["text"].(string); ok && block["type"] == "text" && text == "" {
			continue // it would be refused
		}
		if raw, err := json.Marshal(block); err == nil {
			list = append(list, raw)
		}
	}
	return packItems(originOf(w.answer.request.Model), list)
}

// count takes in what was counted: the prompt at the beginning, the answer at the end. What came from the cache
// and what went into it is counted beside the rest.
func (w *anthropicReader) count(u anthropicUsage) {
	a := w.answer
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
