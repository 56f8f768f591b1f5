package anthropic

import (
	"encoding/json"
	"maps"
	"slices"

	"coauthor/agent/llm"
	"coauthor/agent/llm/wire"
)

// anthropicEvent is one event of an answer of Anthropic's, or a whole one.
type anthropicEvent struct {
	Type    wire.Word       `json:"type"`
	Index   wire.Mark       `json:"index"`
	Block   json.RawMessage `json:"content_block"`
	Delta   anthropicDelta  `json:"delta"`
	Message struct {
		Usage anthropicUsage `json:"usage"`
	} `json:"message"`
	Usage   anthropicUsage  `json:"usage"`
	Content json.RawMessage `json:"content"`     // of a whole answer
	Reason  wire.Word       `json:"stop_reason"` // of a whole answer
	Error   json.RawMessage `json:"error"`
}

type anthropicDelta struct {
	Text      wire.Word `json:"text"`
	Thinking  wire.Word `json:"thinking"`
	Signature wire.Word `json:"signature"`
	JSON      wire.Word `json:"partial_json"`
	Reason    wire.Word `json:"stop_reason"`
}

type anthropicUsage struct {
	Input    wire.Count `json:"input_tokens"`
	Output   wire.Count `json:"output_tokens"`
	Read     wire.Count `json:"cache_read_input_tokens"`
	Creation wire.Count `json:"cache_creation_input_tokens"`
}

// anthropicBlock is a piece of an answer.
type anthropicBlock struct {
	Type     wire.Word       `json:"type"`
	Text     wire.Prose      `json:"text"`
	Thinking wire.Prose      `json:"thinking"`
	ID       wire.Mark       `json:"id"`
	Name     wire.Word       `json:"name"`
	Input    json.RawMessage `json:"input"`
}

// anthropicReader reads an answer of Anthropic's.
type anthropicReader struct {
	answer *wire.Answer
	items  wire.Items
	blocks map[int]map[string]any // the pieces as they began
	texts  map[textOf][]byte      // what came for them since
}

// Take implements wire.Reader. What a field says counts, whatever the event is called.
func (w *anthropicReader) Take(data []byte, name string) error {
	a := w.answer
	var e anthropicEvent
	if !wire.Decode(data, &e) {
		return wire.Garbled(data)
	}
	kind := wire.OrElse(string(e.Type), name)
	if _, failed := wire.ReadError(e.Error); failed || kind == "error" {
		return wire.Refusal(data)
	}
	a.Known = a.Known || kind == "message_start"
	w.count(e.Message.Usage)
	w.count(e.Usage)
	if len(wire.Objects(e.Block)) > 0 {
		w.begin(string(e.Index), e.Block, false)
	}
	w.grow(string(e.Index), e.Delta)
	var text string
	if text, _ = wire.Unquoted(e.Content); text != "" {
		w.items.Say(a, w.items.Open(wire.ItemText), text)
	}
	for _, raw := range wire.Objects(e.Content) {
		w.begin("", raw, true)
	}
	a.Finish = wire.OrElse(string(e.Delta.Reason), wire.OrElse(string(e.Reason), a.Finish))
	a.Over = a.Over || kind == "message_stop" || kind == "message" && a.Finish != ""
	return nil
}

// begin takes in a piece of the answer at its beginning, or whole.
func (w *anthropicReader) begin(index string, raw json.RawMessage, whole bool) {
	a := w.answer
	var b anthropicBlock
	var fields map[string]any
	wire.Decode(raw, &b)
	kind := map[wire.Word]wire.ItemKind{"text": wire.ItemText, "thinking": wire.ItemThought, "redacted_thinking": wire.ItemThought, "tool_use": wire.ItemCall}[b.Type]
	place := w.items.Begin(kind, index)
	if json.Unmarshal(raw, &fields) == nil && fields != nil {
		if w.blocks == nil {
			w.blocks = map[int]map[string]any{}
		}
		w.blocks[place] = fields
	}
	if b.Type != "tool_use" {
		w.items.Think(a, place, b.Thinking.All())
		w.items.Say(a, place, b.Text.All())
		return
	}
	args := string(b.Input)
	if !whole && args == "{}" {
		args = "" // the pieces follow
	}
	if len(a.Request.Tools) > 0 {
		a.Excess = !a.Calls.Settle(place, string(b.ID), string(b.Name), args)
	} else if !a.Unasked(args) {
		w.items.Say(a, place, args)
	}
}

// grow adds to a piece of the answer.
func (w *anthropicReader) grow(index string, d anthropicDelta) {
	a := w.answer
	if d.Thinking+d.Signature != "" {
		place := w.items.At(wire.ItemThought, index)
		w.items.Think(a, place, string(d.Thinking))
		w.growField(place, "thinking", string(d.Thinking))
		w.growField(place, "signature", string(d.Signature))
	}
	if d.Text != "" {
		place := w.items.At(wire.ItemText, index)
		w.items.Say(a, place, string(d.Text))
		w.growField(place, "text", string(d.Text))
	}
	if d.JSON != "" {
		w.items.Grow(a, w.items.At(wire.ItemCall, index), string(d.JSON))
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

// Back implements wire.Reader: the pieces of the answer, with the signatures of what the model thought.
func (w *anthropicReader) Back() json.RawMessage {
	a := w.answer
	for at, text := range w.texts {
		before, _ := w.blocks[at.index][at.field].(string)
		w.blocks[at.index][at.field] = wire.Joined(before + string(text))
	}
	for _, s := range a.Calls.Slots {
		if block := w.blocks[*s.Index]; block != nil {
			block["input"] = json.RawMessage(wire.ArgumentsOf(llm.Call{Arguments: wire.Joined(string(s.Arguments.Text))}))
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
	return wire.PackItems(wire.OriginOf(w.answer.Request.Model), list)
}

// count takes in what was counted: the prompt at the beginning, the answer at the end. What came from the cache
// and what went into it is counted beside the rest.
func (w *anthropicReader) count(u anthropicUsage) {
	a := w.answer
	if u == (anthropicUsage{}) {
		return
	}
	if a.Usage == nil {
		a.Usage = &wire.Usage{}
	}
	a.Usage.Completion = max(a.Usage.Completion, u.Output)
	if n := u.Input + u.Read + u.Creation; n > 0 {
		a.Usage.Prompt, a.Usage.CacheRead, a.Usage.CacheCreation = n, u.Read, u.Creation
	}
}
