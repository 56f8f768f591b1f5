package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/call"
	"coauthor/agent/display"
	"coauthor/agent/history"
	"coauthor/agent/proposal"
	"coauthor/agent/prose"
	"coauthor/edits"
	"coauthor/edits/formats"
)

// What a turn leaves in the conversation, and how a session goes on with an earlier one.

// exchange is what the turn leaves of what was said in it.
func (t *turn) exchange(format string, talk []history.Said) history.Exchange {
	asked := t.resolved.Request.words()
	if t.job != nil { // the request may have come from a file, or be the command alone
		asked = cmp.Or(asked, t.job.Asked, t.resolved.Request.Label)
	}
	x := history.Settle(asked, format, talk)
	x.Turn, x.At, x.Coder = t.id, t.life.started, t.resolved.Coder.Name
	x.Model = t.current.Model.Profile.Name
	if len(t.rounds.ended) > 0 {
		x.Model = t.rounds.ended[0].Prompt.Model.Profile.Name
	}
	x.Files, x.ReadOnly, x.Usage = t.current.Chat, t.current.ReadOnly, t.usage
	return x
}

// remember keeps the turn in the history.
func (t *turn) remember(x history.Exchange) {
	t.memory.Kept = true
	t.session.Conversation.Remember(x, t.resolved.Request.again)
}

// Continue has the session go on with the last conversation of its folder, with the files that were in its chat.
// It is meant to be called before the first turn. The error says what to do where there is none.
func (s *Session) Continue(ctx context.Context) (history.Told, error) {
	s.Conversation.Unrestored()
	var told history.Told
	var err error
	if stopped := call.Await(ctx, func() { told, err = s.Conversation.Earlier() }); stopped != nil {
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
	talk := slices.Clone(t.memory.All)
	if t.rounds.pendingReply != "" {
		talk = append(talk, t.current.unfinished(t.rounds.pendingReply))
	}
	if t.memory.Kept || len(talk) == 0 || t.resolved.Request.again != "" { // what is asked for again stays until something takes its place
		return
	}
	x := t.exchange(t.current.formatName(), talk)
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

// What takes a conversation back, in part or as a whole.

// Rewound tells what came of a Rewind.
type Rewound struct {
	Done    bool             // the conversation, and the files, are as they were before the request
	Before  history.Exchange // the request
	Count   int              // how many requests were taken back, that one included
	Dropped int              // pending proposals that were discarded
	Outcome proposal.Outcome // of the files; without a status where there was nothing to take back

	proposed bool // something was proposed in what is taken back, and nothing of it waits
}

// String says in one line for users what came of it.
func (r Rewound) String() string {
	label := fmt.Sprintf("request %d (%s)", r.Before.Number, proposal.Label(r.Before.User))
	if !r.Done {
		reason := strings.TrimSuffix(r.Outcome.Reason, ".")
		if reason == "" {
			reason = "the editor did not confirm the change"
		}
		return fmt.Sprintf("Could not restore the state before %s: %s. The conversation is unchanged.", label, reason)
	}
	text := fmt.Sprintf("Restored the state before %s: %s undone", label, display.Count(r.Count, "request"))
	files := map[string]bool{} // several requests may have changed one
	for _, f := range r.Outcome.Files {
		files[f.Path] = true
	}
	if n := len(files); n > 0 {
		text += ", " + display.Count(n, "file") + " restored"
	}
	if len(r.Outcome.Files) == 0 && r.proposed {
		text += "; there was no change to undo"
	}
	if r.Dropped > 0 {
		text += ", " + display.Count(r.Dropped, "pending change") + " discarded"
	}
	if r.Outcome.Awaited {
		text += "; your editor has not confirmed the files yet"
	}
	return text + "."
}

// Rewind takes the files and the conversation back to before a request: "" is the last one, a number the one of
// that number in the conversation, anything else the id of its turn. What the turns since then have changed is
// taken back as one change, with what the user typed since kept; where that is in the way, nothing is changed
// and the Outcome says why. port is how files are changed.
func (s *Session) Rewind(ctx context.Context, which string, port proposal.Delivery) (Rewound, error) {
	if err := s.Conversation.Restore(ctx); err != nil {
		return Rewound{}, err
	}
	if s.Turns.busy() {
		return Rewound{}, ErrRunning
	}
	told, err := s.Conversation.ToldBy(ctx)
	if err != nil {
		return Rewound{}, err
	}
	list := told.Exchanges
	at, err := told.Request(which)
	if err != nil {
		return Rewound{}, err
	}
	r := Rewound{Before: list[at], Count: len(list) - at}
	var turns []string
	for _, x := range list[at:] {
		turns = append(turns, x.Turn)
	}
	switch elsewhere, err := s.Proposals.Sent.AppliedElsewhere(ctx, turns); {
	case ctx.Err() != nil:
		return r, ctx.Err()
	case err != nil:
		s.Engine.o.Log.Warn("could not check which changes other programs applied", "error", err)
	case elsewhere:
		r.Outcome = proposal.Outcome{Status: proposal.StatusConflict, Reason: "another running program, such as your editor, applied these changes, and only that program can undo them; " +
			"rewind there, or close it and try again"}
		return r, nil
	}
	r.Outcome, err = s.Proposals.Rewind(ctx, turns, port)
	switch {
	case errors.Is(err, proposal.ErrNotUndone):
		r.Outcome = proposal.Outcome{}
	case err != nil:
		return r, err
	case r.Outcome.Status != proposal.StatusUndone && !r.Outcome.Awaited:
		return r, nil
	}
	r.Done, r.Dropped = true, s.Proposals.Drop(turns)
	r.proposed = r.Dropped == 0 && slices.ContainsFunc(list[at:], func(x history.Exchange) bool { return x.Proposal != "" })
	s.Conversation.BackTo(told, at)
	return r, nil
}
