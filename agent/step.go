package agent

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"coauthor/agent/call"
	"coauthor/agent/coder"
	"coauthor/agent/event"
	"coauthor/agent/history"
	"coauthor/agent/mention"
	"coauthor/agent/proposal"
	"coauthor/agent/strategy"
	"coauthor/edits"
)

// What a turn may do whatever its coders want: model calls in all, and questions after one round.
const mostCalls, mostQuestions = 24, 8

// goOn does what the coder of the last round says: it makes t.at and the talk ready for the next round,
// or says that there is none.
func (t *turn) goOn() (more bool, err error) {
	know := coder.Turn{Request: t.resolved.Request.Instruction, Confirm: t.current.Settings.Stepwise, Limits: limits(t.current), Used: t.used()}
	for _, r := range t.rounds.ended {
		know.Rounds = append(know.Rounds, forCoder(r))
	}
	last := t.rounds.ended[len(t.rounds.ended)-1]
	if why := t.proposals.rejected(t.session.Proposals); why != "" {
		t.warned.incomplete = why
		t.emit.Note(event.Warning("Stopped because you discarded or undid the change from an earlier step."))
		t.memory.Add(last.said(""))
		return false, nil
	}
	for range mostQuestions {
		step := last.Context.Coder.Next(know)
		switch step := step.(type) {
		case coder.Ask:
			a, err := t.puts()(t.life.ctx, step.Question)
			if err != nil {
				return false, err
			}
			know.Answer = &a
			continue
		case coder.Again:
			if step.News != "" && !t.rounds.spent(t.emit.Note) {
				return t.again(last, step), nil
			}
		case coder.HandOver:
			if !t.rounds.spent(t.emit.Note) {
				if err := t.proposeRound(); err != nil {
					return false, err
				}
				return true, t.handOver(last, step)
			}
		case coder.Done:
			var notes []event.Note
			if t.current, notes, err = bring(t.life.ctx, t.session.Workspace.Door(), t.puts(), t.current, step.Files, step.Drop); err != nil {
				return false, err
			}
			t.emit.Note(notes...)
			if step.Why != "" {
				t.emit.Note(event.Warning(step.Why))
			}
		}
		break
	}
	if t.current.Coder.Finds {
		list := foundSince(t.rounds.ended[0].Context, t.current)
		t.session.Chosen.Add(list, nil)
		t.emit.Note(foundNote(list))
	}
	t.memory.Add(last.said(""))
	return false, nil
}

// state sums up the changes so far, what the checks found in them, and the files of the chat.
func (c Context) state() string {
	h := sha256.New()
	fmt.Fprintf(h, "%q\n", c.Chat)
	for _, x := range effective(c.Now.Changes()) {
		fmt.Fprintf(h, "%q %q %q %q\n", x.Op, x.Path, x.To, x.After)
	}
	for _, f := range c.edits.findings {
		fmt.Fprintf(h, "%q\n", f.String())
	}
	return hex.EncodeToString(h.Sum(nil))
}

// spent says, also to the user, that the turn has called a model as often as it may.
func (r *turnRounds) spent(note func(...event.Note)) bool {
	if r.calls < mostCalls {
		return false
	}
	note(event.Warning(fmt.Sprintf("Stopped after %d calls to the model, the limit for one request. The result may be incomplete.", mostCalls)))
	return true
}

func forCoder(r Round) coder.Round {
	var left []string
	for _, f := range r.Outcome.After.edits.old {
		left = append(left, found(f).Why)
	}
	return coder.Round{
		Checks: r.Outcome.After.edits.verdict, Left: left,
		Coder: r.Context.Coder.Name, Text: r.Reply.Text, Prose: r.Outcome.Prose, Cut: r.Reply.Cut(), Edits: len(r.Outcome.Edits),
		Reflected: r.reflected, Before: r.Context.state(), After: r.Outcome.After.state(), Changed: r.Outcome.Changed, Chat: r.Outcome.After.Chat, Mentioned: r.Outcome.Mentioned, Named: r.Outcome.Named, Seen: r.Outcome.After.seen.Files(),
		News: r.Outcome.Told, Why: r.Outcome.Why, Said: r.Outcome.Said, Unread: r.Outcome.Unread, Stopped: r.Reply.Stopped,
		Says: r.Prompt.Says(r.Prompt.Tools), Landed: r.Outcome.Landed,
	}
}

// again sends the news to the same model, while the setting allows another reflection.
func (t *turn) again(last Round, step coder.Again) bool {
	most := t.current.Settings.MaxReflections
	if t.rounds.reflections >= most {
		if t.rounds.reflections > 0 {
			t.emit.Note(stillWrong(t.rounds.reflections, t.current.edits.findings))
		}
		t.memory.Add(last.said(""))
		return false
	}
	t.memory.Add(last.said(step.News))
	if len(last.Outcome.Lost) > 0 {
		t.current = last.Outcome.asking()
	}
	t.rounds.reflections++
	t.rounds.reflecting = true
	t.enter(event.Event{State: event.TurnReflecting})
	t.emit.Emit(event.Event{Kind: event.KindRound, Round: t.rounds.reflections, Of: most, Text: step.Why})
	return true
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// handOver goes on as another coder or model: files and map are gathered again for it, on top of what
// the turn has changed so far.
func (t *turn) handOver(last Round, step coder.HandOver) error {
	row := t.current.Coder
	if step.To != "" {
		var err error
		if row, err = t.session.Engine.o.Coders.ByName(step.To); err != nil {
			return fmt.Errorf("cannot continue after the coder %s: %w", t.current.Coder.Name, err)
		}
	}
	if row.Edits && !t.resolved.Coder.Proposes() {
		return fmt.Errorf("the coder %s cannot continue as %s because it does not edit files", t.resolved.Coder.Name, row.Name)
	}
	by, err := strategy.Choose(t.session.Engine.o.Catalog(), t.current.Settings, t.resolved.Request.wanted(), row, step)
	if err != nil {
		return err
	}
	r := Request{Instruction: t.resolved.Request.Instruction, Quoted: t.resolved.Request.Quoted, Diagnostics: t.resolved.Request.Diagnostics}
	var notes []event.Note
	if t.current, notes, err = bring(t.life.ctx, t.session.Workspace.Door(), t.puts(), t.current, step.Files, step.Drop); err != nil {
		return err
	}
	t.emit.Note(notes...)
	from := t.current.goingOn()
	from.at.topic.now = step.About
	switch {
	case step.Continues:
		r = Request{Instruction: t.current.Request.Instruction, Quoted: t.current.Request.Quoted, Diagnostics: t.current.Request.Diagnostics}
		t.memory.Add(last.said(cmp.Or(step.Message, t.resolved.Request.Instruction)))
		from.at.seen = t.current.seen
		from.drawn = t.current.mapToKeep()
	default:
		t.memory.Add(last.said(""))
		t.memory.Begin()
		// Who goes on has seen nothing of what was looked at; what the reply speaks of it gets to see.
		from.added = slices.Concat(from.added, mention.Files(last.Reply.Text, t.current.seen.Files()))
		if step.Message != "" {
			r = Request{Instruction: step.Message}
			from.at.Note = ""
		}
	}
	t.emit.Emit(event.Event{Kind: event.KindRound, Round: len(t.rounds.ended), Text: cmp.Or(step.Why, "Continuing")})
	t.enter(event.Event{State: event.TurnCollecting})
	return t.gather(r, from, t.current.Settings, by)
}

// goingOn is where another talk of the same turn sets out.
func (c Context) goingOn() start {
	from := start{at: Context{
		Base: c.Base, Now: c.Now, ReadOnly: c.ReadOnly, Media: c.Media, agreed: c.agreed, offered: c.offered,
		topic: c.topic, Note: c.Note, edits: c.edits, Missing: c.Missing,
	}}
	for _, path := range c.Chat {
		if c.Now.Exists(path) {
			from.at.Chat = append(from.at.Chat, path)
		}
	}
	from.at.Focus, from.at.focused = c.followed()
	return from
}

// What a turn that goes on by itself may use ends it also within a round: tokens and cost before each call of
// the model, time in the middle of a reply. What is whole by then counts, with a warning.

// inTime ends a call when the time that is left for it is over. The result waits until ctx has ended, and says whether
// it was time that ended it.
func inTime(ctx context.Context, left time.Duration, sleep func(context.Context, time.Duration) error, end func()) (late func() bool) {
	var over atomic.Bool
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		if sleep(ctx, left) == nil && ctx.Err() == nil {
			over.Store(true)
			end()
		}
	}()
	return func() bool { <-gone; return over.Load() }
}

// stopped is the reply of a round that a limit has ended: what the model wrote so far.
func (l *toolLoop) stopped(r call.Reply, why string) (call.Reply, error) {
	if strings.TrimSpace(r.Text) == "" && len(l.said) == 0 {
		return r, unfinishedFor(why)
	}
	r, err := l.joined(r)
	r.Stopped = why
	return r, err
}

// unfinishedFor is the end of a turn that a limit has ended before it changed anything.
func unfinishedFor(why string) error {
	return &event.Problem{Message: why, Advice: "Nothing was changed. Make a smaller request, or raise the limit."}
}

// late is why a call was ended that took too long.
func late(used coder.Used, most coder.Limits) string {
	return coder.Limits{Time: most.Time}.Over(coder.Used{Time: max(used.Time, most.Time)})
}

// fewer is what the proposal of a turn says that a limit has ended in the middle of a round.
func fewer(why string) string {
	return why + " The change may be incomplete."
}

// said is what the round leaves in the talk.
func (r Round) said(news string) history.Said {
	s := history.Said{Reply: r.Reply.Text, Prose: r.Outcome.Prose, News: news, Looks: r.looks, Changed: r.Outcome.Changed}
	if r.held() {
		s.Format = r.Context.formatName()
		s.Taken = len(r.Outcome.After.edits.open) == 0 && !r.Outcome.Feedback.Cut && len(r.Outcome.Lost) == 0 && wholeFiles(r.Outcome.Edits)
	}
	return s
}

// held says whether the reply held edits, whatever became of them.
func (r Round) held() bool { return r.Reply.Held() }

// wholeFiles says whether edits are nothing but files written out.
func wholeFiles(list []edits.Edit) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(e edits.Edit) bool { return e.Kind != edits.KindWhole })
}

// rejected says which round's change the user has rejected while the turn went on; "" for none.
func (made *turnProposals) rejected(store *proposal.Store) string {
	for _, id := range made.ids {
		p, ok := store.Get(id)
		if !ok {
			continue
		}
		is := ""
		switch p.State {
		case event.ProposalDiscarded:
			is = "discarded"
		case event.ProposalUndone:
			is = "undone"
		case event.ProposalPending, event.ProposalApplying, event.ProposalApplied, event.ProposalPartial,
			event.ProposalConflict, event.ProposalUnverified, event.ProposalSuperseded:
			continue
		}
		return fmt.Sprintf("The change builds on step %d, which you have %s. Check that it still makes sense.", proposal.RoundOf(p.Turn), is)
	}
	return ""
}
