package agent

import (
	"slices"
	"strings"

	"coauthor/agent/history"
	"coauthor/agent/prose"
	"coauthor/edits"
)

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
