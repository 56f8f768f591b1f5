package agent

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"coauthor/agent/history"
	"coauthor/agent/prose"
	"coauthor/edits"
	"coauthor/edits/formats"
)

// What a turn leaves in the conversation, and how a session goes on with an earlier one.

// exchange is what the turn leaves of what was said in it.
func (t *turn) exchange(format string, talk []history.Said) history.Exchange {
	asked := t.resolved.Request.Instruction
	if t.work != nil { // the request may have come from a file, or be the command alone
		asked = cmp.Or(asked, t.work.Asked, t.resolved.Request.Label)
	}
	x := history.Settle(asked, format, talk)
	x.Turn, x.At, x.Coder = t.id, t.life.started, t.resolved.Coder.Name
	x.Model = t.at.Model.Profile.Name
	if len(t.rounds.ended) > 0 {
		x.Model = t.rounds.ended[0].Prompt.Model.Profile.Name
	}
	x.Files, x.ReadOnly, x.Usage = t.at.Chat, t.at.ReadOnly, t.usage
	return x
}

// remember keeps the turn in the history.
func (t *turn) remember(x history.Exchange) {
	t.memory.kept = true
	t.emit.Note(t.s.Conversation.Remember(x, t.resolved.Request.again)...)
}

// Continue has the session go on with the last conversation of its folder, with the files that were in its chat.
// It is meant to be called before the first turn. The error says what to do where there is none.
func (s *Session) Continue(ctx context.Context) (history.Told, error) {
	s.Conversation.Unrestored()
	var told history.Told
	var err error
	if stopped := await(ctx, func() { told, err = s.Conversation.Earlier() }); stopped != nil {
		return history.Told{}, stopped
	}
	if err != nil {
		return told, err
	}
	s.Conversation.GoOn(told)
	last := told.Exchanges[len(told.Exchanges)-1]
	s.Chosen.Add(last.Files, last.ReadOnly)
	return told, nil
}

// proseIn returns what gives a reply in an edit format without its edits, which a transcript does not tell apart.
func proseIn(format string) func(reply string) string {
	f, ok := formats.ByName(format)
	return func(reply string) string {
		switch {
		case format == "":
			return reply
		case !ok || len(reply) > longUnfinished:
			return ""
		}
		list, problems := edits.Parse(f, reply, edits.Cut, edits.ParseOptions{})
		return prose.Of(reply, list, problems)
	}
}

// What a model is told of a reply that came to no end.
const (
	markStopped = "(The user stopped the answer here. Nothing of it was applied.)"
	markBroke   = "(The answer broke off here. Nothing of it was applied.)"
)

// keep leaves in the history what was said in a turn that came to no end, with a mark, so that the user
// can say "go on". Where nothing was answered there is nothing to go on with.
func (t *turn) keep(mark string) {
	talk := slices.Clone(t.memory.talk)
	if t.rounds.pendingReply != "" {
		talk = append(talk, t.at.unfinished(t.rounds.pendingReply))
	}
	if t.memory.kept || len(talk) == 0 || t.resolved.Request.again != "" { // what is asked for again stays until something takes its place
		return
	}
	x := t.exchange(t.at.formatName(), talk)
	if strings.TrimSpace(x.Reply) == "" {
		return
	}
	x.Reply += "\n\n" + mark
	x.Prose = strings.TrimSpace(x.Prose + "\n\n" + mark)
	t.remember(x)
}

// longUnfinished is the longest text that is searched for edits when a turn ends: a cancel waits for it.
const longUnfinished = 256 << 10

// unfinished is a reply that came to no end. Its edits are no prose, as far as they can be told from it.
func (c Context) unfinished(text string) history.Said {
	s := history.Said{Reply: text, Prose: text}
	if c.Format == nil {
		return s
	}
	s.Format, s.Prose = c.Format.Name, ""
	if len(text) <= longUnfinished {
		list, problems := edits.Parse(*c.Format, text, edits.Cut, edits.ParseOptions{})
		s.Prose = prose.Of(text, list, problems)
	}
	return s
}
