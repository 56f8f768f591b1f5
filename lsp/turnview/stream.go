package turnview

import (
	"sync"
	"time"

	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/edits"
)

// What a turn shows of a reply that still comes: its words, and what its edits make of the files.

// piece passes a piece of the reply on to the conversation and to a client that shows it.
func (v *View) piece(e *event.Event) {
	words, code := e.Text, ""
	switch {
	case e.Channel == event.ChannelEdit:
		words, code = "", e.Text
	case e.Channel == event.ChannelAnswer && v.o.Proposes:
		words, code = v.prose.Write(e.Text)
	}
	v.pass(e, words, code)
}

// pieceOver passes on what was held back of a reply that has ended.
func (v *View) pieceOver(e *event.Event) {
	words, code := v.prose.End()
	last := event.Event{Turn: e.Turn, Seq: e.Seq, Channel: event.ChannelAnswer}
	v.pass(&last, words, code)
}

// pass passes on a piece of which the words and the edits are told apart.
func (v *View) pass(e *event.Event, words, code string) {
	if v.o.Conversation != nil && e.Channel == event.ChannelAnswer && words != "" {
		v.o.Conversation.Delta(words)
	}
	switch {
	case !v.table.o.Client.Caps.Stream:
	case e.Channel == event.ChannelReasoning:
		v.stream(e, e.Channel, words)
	case v.table.o.Client.Caps.StreamEdits:
		v.stream(e, event.ChannelAnswer, words)
		v.stream(e, event.ChannelEdit, code)
	default: // all of it as it came
		v.stream(e, event.ChannelAnswer, e.Text)
	}
}

// stream sends coauthor/stream. What the next piece decides on comes with it.
func (v *View) stream(e *event.Event, channel event.Channel, text string) {
	if v.pieces == nil {
		v.pieces = map[event.Channel]*display.Stream{}
	}
	if v.pieces[channel] == nil {
		v.pieces[channel] = &display.Stream{}
	}
	if text = v.pieces[channel].Write(text); text != "" {
		v.table.o.Client.Notify(MethodStream, &streamParams{TurnID: e.Turn, Seq: e.Seq, Delta: text, Channel: string(channel)})
	}
}

// draftEvery is the least time between two states of a change that grows.
const draftEvery = 250 * time.Millisecond

// drafts are the states of a change that grows, of which the newest is shown. The zero value is ready.
type drafts struct {
	telling sync.Mutex // held while one is sent, so that none comes behind the proposal; taken before mu

	mu      sync.Mutex
	turn    string         // guarded by mu
	changes []edits.Change // guarded by mu; nil for nothing new

	told time.Time // when one was sent last; of who sends them
}

// put makes a state the newest.
func (d *drafts) put(turn string, changes []edits.Change) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.turn, d.changes = turn, changes
}

// over drops what was not sent: the proposal stands for it.
func (d *drafts) over() {
	d.telling.Lock()
	defer d.telling.Unlock()
	d.put("", nil)
}

// Drafted is told what the turn has changed so far; see agent.Ports.
func (v *View) Drafted(turn string, changes []edits.Change) {
	v.drafts.put(turn, changes)
	v.signal()
}

// showDraft sends what is new, not too often.
func (v *View) showDraft() {
	d, now := &v.drafts, v.table.o.Clock()
	if !d.told.IsZero() && now.Sub(d.told) < draftEvery {
		return // the clock of the view comes again
	}
	d.telling.Lock()
	defer d.telling.Unlock()
	d.mu.Lock()
	turn, changes := d.turn, d.changes
	d.changes = nil
	d.mu.Unlock()
	if changes == nil {
		return
	}
	d.told = now
	v.o.Draft(turn, changes)
}
