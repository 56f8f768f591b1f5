package turnview

import (
	"sync"
	"time"

	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/prose"
	"coauthor/edits"
	"coauthor/lsp/client"
)

// reply is a reply that still comes, as the conversation and a client that shows it see it: its words and its edits. It
// is not safe for concurrent use.
type reply struct {
	client       *client.Client
	conversation Conversation // nil for none
	proposes     bool         // it may hold edits beside words
	hides        bool         // the user does not want to see what the model thinks

	prose  prose.Stream // tells the words from the edits
	pieces map[event.Channel]*display.Stream
}

// take passes on a piece.
func (r *reply) take(e *event.Event) {
	words, code := e.Text, ""
	switch {
	case e.Channel == event.ChannelEdit:
		words, code = "", e.Text
	case e.Channel == event.ChannelAnswer && r.proposes:
		words, code = r.prose.Write(e.Text)
	}
	r.pass(e, words, code)
}

// end passes on what was held back.
func (r *reply) end(e *event.Event) {
	words, code := r.prose.End()
	last := event.Event{Turn: e.Turn, Seq: e.Seq, Channel: event.ChannelAnswer}
	r.pass(&last, words, code)
}

// pass passes on a piece of which the words and the edits are told apart.
func (r *reply) pass(e *event.Event, words, code string) {
	if r.conversation != nil && e.Channel == event.ChannelAnswer && words != "" {
		r.conversation.Delta(words)
	}
	switch {
	case !r.client.Caps.Stream, r.hides && e.Channel == event.ChannelReasoning:
	case e.Channel == event.ChannelReasoning:
		r.send(e, e.Channel, words)
	case r.client.Caps.StreamEdits:
		r.send(e, event.ChannelAnswer, words)
		r.send(e, event.ChannelEdit, code)
	default: // all of it as it came
		r.send(e, event.ChannelAnswer, e.Text)
	}
}

// send sends coauthor/stream. What the next piece decides on comes with it.
func (r *reply) send(e *event.Event, channel event.Channel, text string) {
	if r.pieces == nil {
		r.pieces = map[event.Channel]*display.Stream{}
	}
	if r.pieces[channel] == nil {
		r.pieces[channel] = &display.Stream{}
	}
	if text = r.pieces[channel].Write(text); text != "" {
		r.client.Notify(MethodStream, &streamParams{TurnID: e.Turn, Seq: e.Seq, Delta: text, Channel: string(channel)})
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

// show sends what is new, not too often.
func (d *drafts) show(now time.Time, send func(turn string, changes []edits.Change)) {
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
	send(turn, changes)
}
