package agent

import (
	"context"
	"fmt"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/memory"
	"coauthor/agent/prompt"
	"coauthor/agent/strategy"
	"coauthor/agent/weak"
)

// nearlyFull is from which share of its room on a prompt is told to be large, in percent.
const nearlyFull = 85

// sized tells the user what the size of a prompt makes necessary, once a turn: what was left out of it, or that
// it is near the limit. A prompt that is still too large is sent only if the user wants that.
func (w *warnings) sized(ctx context.Context, p Prompt, note func(...event.Note), put putQuestion) error {
	switch {
	case len(p.Dropped) > 0:
		if !w.size {
			note(event.Warning(fmt.Sprintf("Left out to fit the limit of %s (%d tokens): %s.", p.Model.Profile.Name, p.Model.Room, strings.Join(p.Dropped, ", "))))
		}
		w.size = true
	case p.Over == 0 && p.Tokens*100 >= p.Model.Room*nearlyFull && !w.size:
		note(event.Warning(fmt.Sprintf("The prompt uses about %d of the %d tokens that %s accepts (%d%%). A larger prompt would lose some parts. Name fewer files or close documents.",
			p.Tokens, p.Model.Room, p.Model.Profile.Name, p.Tokens*100/p.Model.Room)))
		w.size = true
	}
	if p.Over == 0 || w.oversize {
		return nil
	}
	needs := fmt.Sprintf("The request needs about %d tokens", p.Tokens)
	if f := p.largest(); f.Tokens*4 > p.Tokens {
		needs += fmt.Sprintf(", and %s alone needs %d tokens", f.Path, f.Tokens)
	}
	yes, err := put.first(ctx, event.Question{
		Text:    fmt.Sprintf("%s; the limit of %s is %d. Send it anyway?", needs, p.Model.Profile.Name, p.Model.Room),
		Choices: []string{"send", "cancel"}, Titles: []string{"send it, although the model may refuse it or ignore its beginning", "cancel and send nothing"},
	})
	switch {
	case err != nil:
		return err
	case !yes:
		return p.Model.NoRoom(needs, "Name fewer or smaller files")
	}
	w.oversize = true
	return nil
}

// largest is the file with the most tokens.
func (p Prompt) largest() prompt.Sized {
	var most prompt.Sized
	for _, part := range p.Parts {
		for _, f := range part.Files {
			if f.Tokens > most.Tokens {
				most = f
			}
		}
	}
	return most
}

// nearlyFull says whether a prompt has hardly any room left, or more than it has.
func (p Prompt) nearlyFull() bool {
	return len(p.Dropped) > 0 || p.Over > 0 || p.Tokens*100 >= p.Model.Room*nearlyFull
}

// condenser returns what sums up for the turn.
func (t *turn) condenser() memory.Options {
	o := &t.session.Engine.o
	writer := weak.New(weak.Options{Settings: t.session.Settings, Catalog: o.Catalog, Client: o.ClientFor, Spent: func(u event.Usage) {
		t.usage = t.usage.Add(u)
		t.tell(event.Event{Kind: event.KindUsage, Usage: &u})
	}})
	return memory.Options{Context: t.life.ctx, Asked: t.resolved.Request.Instruction, Note: t.emit.Note, Log: o.Log.With("turn", t.id),
		Ask: func(say func(m strategy.Model) ([]llm.Message, error)) (string, error) {
			t.rounds.calls++
			return writer.Ask(t.life.ctx, say)
		}}
}

// condense sums up what the model looked at first, so that there is room for more.
func (l *toolLoop) condense() {
	t := l.t
	if t.memory.Full() || t.rounds.calls >= mostCalls-2 {
		return
	}
	sizes := l.transcript.Sizes()
	n := memory.FirstPart(sizes, l.p.Model.Room)
	if n == 0 {
		return
	}
	in := prompt.Summary{Before: l.transcript.Notes, Said: []prompt.Spoken{{User: true, Text: t.resolved.Request.Instruction}}}
	for i, text := range l.transcript.Words(n) {
		in.Said = append(in.Said, prompt.Spoken{User: i%2 == 1, Text: text})
	}
	text, ok := t.memory.SumUp(t.condenser(), in, sizes[:n], l.p.Model)
	if !ok {
		return
	}
	l.transcript.Replace(n, text)
	t.tools.looks = nil
	l.runner.Forget(l.transcript.Calls())
	t.emit.Note(event.Info("To fit the model's context window, Coauthor summarized its first tool results."))
}
