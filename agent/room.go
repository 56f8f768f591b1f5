package agent

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/history"
	"coauthor/agent/llm"
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

// How a long turn stays within the model's window: when a prompt is nearly full, what was said or looked at first in
// the turn is summed up by the weak model, and the last part of it stays as it was. The request, the files and the
// rules are put in again with every prompt, and nothing here touches them.

// keptShare is how much of a talk stays as it is when the rest is summed up, in percent.
const keptShare = 30

// leastWon is the least share of the room that summing up has to win, in percent.
const leastWon = 10

// condensed stands for the first replies of a talk.
type condensed struct {
	from int // the talk's, as talkFrom was
	of   int // so many replies
	text string
}

// said is the talk so far as the model gets to see it.
func (m *memory) said() []history.Said {
	talk := m.talk[m.talkFrom:]
	if m.short.of == 0 || m.short.from != m.talkFrom {
		return talk
	}
	first := history.Said{Reply: "(What I did so far, in short.)\n\n" + m.short.text, News: talk[m.short.of-1].News}
	return append([]history.Said{first}, talk[m.short.of:]...)
}

// nearlyFull says whether a prompt has hardly any room left, or more than it has.
func (p Prompt) nearlyFull() bool {
	return len(p.Dropped) > 0 || p.Over > 0 || p.Tokens*100 >= p.Model.Room*nearlyFull
}

// condenser sums up what takes too much room in a turn.
type condenser struct {
	ctx    context.Context // of the turn
	memory *memory
	asked  string // of the turn
	note   func(...event.Note)
	// ask has the weak model write a short text, and counts that for the turn.
	ask func(say func(m strategy.Model) ([]llm.Message, error)) (string, error)
	log *slog.Logger // with the turn
}

// condenser returns what sums up for the turn.
func (t *turn) condenser() *condenser {
	o := &t.s.Engine.o
	writer := weak.New(weak.Options{Settings: t.s.Settings, Catalog: o.Catalog, Client: o.ClientFor, Spent: func(u event.Usage) {
		t.usage = t.usage.Add(u)
		t.tell(event.Event{Kind: event.KindUsage, Usage: &u})
	}})
	return &condenser{ctx: t.life.ctx, memory: &t.memory, asked: t.resolved.Request.Instruction, note: t.emit.Note, log: o.Log.With("turn", t.id),
		ask: func(say func(m strategy.Model) ([]llm.Message, error)) (string, error) {
			t.rounds.calls++
			return writer.Ask(t.life.ctx, say)
		}}
}

// talk sums up the first replies of the talk. Where no model does, they are left out as soon as there is no room
// for them. It is false where neither is done, because that would not win enough or need not be.
func (c *condenser) talk(p Prompt) bool {
	m := c.memory
	if !p.nearlyFull() || m.full && p.Over == 0 {
		return false
	}
	list, format := m.said(), p.Context.formatName()
	sizes := make([]int, len(list))
	for i := range list {
		for _, one := range history.Talk(list[i:i+1], format) {
			sizes[i] += prompt.Tokens(one, p.Model.Counter.Count)
		}
	}
	n := firstPart(sizes, p.Model.Room)
	if n == 0 {
		return false
	}
	in := prompt.Summary{Said: []prompt.Spoken{{User: true, Text: c.asked}}}
	head, of := list[:n], n
	if m.short.of > 0 && m.short.from == m.talkFrom {
		in.Before, of = m.short.text, n-1+m.short.of
		in.Said = append(in.Said, prompt.Spoken{User: true, Text: head[0].News})
		head = head[1:]
	}
	for i := range head {
		for _, one := range history.Talk(head[i:i+1], format) {
			in.Said = append(in.Said, prompt.Spoken{User: one.Role == llm.RoleUser, Text: one.String()})
		}
	}
	text, ok := "", false
	if !m.full {
		text, ok = c.sumUp(in, sumOf(sizes[:n]), p.Model)
	}
	became := "summarized"
	if !ok {
		if p.Over == 0 || c.ctx.Err() != nil {
			return false
		}
		text, became = "(It is left out here to save room. What came of it is in the files.)", "left out"
	}
	m.short = condensed{from: m.talkFrom, of: of, text: text}
	c.note(event.Info(fmt.Sprintf("To fit the context window of %s, %s %s.", p.Model.Profile.Name, firstOnes(of, "reply in this request", "replies in this request"), became)))
	return true
}

// firstOnes are the first of something as the beginning of a sentence in the past.
func firstOnes(n int, one, many string) string {
	if n == 1 {
		return "the first " + one + " was"
	}
	return fmt.Sprintf("the first %d %s were", n, many)
}

// firstPart is how many of the first things of a talk are to be summed up: all before its last part, if that wins
// enough.
func firstPart(sizes []int, room int) int {
	kept, total := 0, sumOf(sizes)
	n := len(sizes)
	for n > 0 && (n == len(sizes) || (kept+sizes[n-1])*100 <= total*keptShare) {
		n--
		kept += sizes[n]
	}
	if (total-kept)*100 < room*leastWon {
		return 0
	}
	return n
}

func sumOf(sizes []int) int {
	n := 0
	for _, size := range sizes {
		n += size
	}
	return n
}

// sumUp has the weak model sum up what takes so many tokens in the prompt of a model. It is false where no model
// does, or the summary is no shorter; the turn then tries no more.
func (c *condenser) sumUp(in prompt.Summary, tokens int, m strategy.Model) (string, bool) {
	in.Tokens = min(tokens/4, m.Room/10)
	in.Said = slices.DeleteFunc(in.Said, func(one prompt.Spoken) bool { return strings.TrimSpace(one.Text) == "" })
	text, err := weak.InPieces(in, c.ask)
	if err != nil || m.Counter.Count(text)*2 > tokens {
		c.memory.full = true
		if err != nil && c.ctx.Err() == nil {
			c.log.Warn("could not summarize a long request", "error", err)
		}
		return "", false
	}
	return text, true
}

// condense sums up what the model looked at first, so that there is room for more.
func (l *toolLoop) condense() {
	t := l.t
	if t.memory.full || t.rounds.calls >= mostCalls-2 {
		return
	}
	sizes := l.heard.Sizes()
	n := firstPart(sizes, l.p.Model.Room)
	if n == 0 {
		return
	}
	in := prompt.Summary{Before: l.heard.Notes, Said: []prompt.Spoken{{User: true, Text: t.resolved.Request.Instruction}}}
	for i, text := range l.heard.Words(n) {
		in.Said = append(in.Said, prompt.Spoken{User: i%2 == 1, Text: text})
	}
	text, ok := t.condenser().sumUp(in, sumOf(sizes[:n]), l.p.Model)
	if !ok {
		return
	}
	l.heard.Replace(n, text)
	l.run.Forget(l.heard.Calls())
	t.emit.Note(event.Info("To fit the model's context window, Coauthor summarized its first tool results."))
}
