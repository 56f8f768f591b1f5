package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"coauthor/agent/event"
	"coauthor/agent/history"
	"coauthor/agent/prompt"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/edits/formats"
)

// Regenerate: the last request is asked once more, of the same model or of another one. What comes takes the place of what
// came before, in the conversation and as a new revision of the proposal, if that still waits.

// Again returns the request that asks the last one once more, of a model; "" is the one that was asked.
func (s *Session) Again(ctx context.Context, model string) (Request, error) {
	if err := s.Conversation.Restore(ctx); err != nil {
		return Request{}, err
	}
	if s.Turns.busy() {
		return Request{}, ErrRunning
	}
	r, proposals, err := s.Turns.lastRequest(s.Conversation.History)
	if err != nil {
		return Request{}, err
	}
	for _, id := range proposals {
		p, ok := s.Proposals.Get(id)
		switch {
		case !ok:
		case len(proposals) > 1:
			return Request{}, errors.New("cannot regenerate a request that made one change per step; discard the changes and send the request again")
		case p.State != event.ProposalPending && p.State != event.ProposalConflict && p.State != event.ProposalDiscarded && p.State != event.ProposalUndone:
			return Request{}, fmt.Errorf("the last request's change (%s) is already applied, at least in part; undo it and try again", p.Label)
		}
	}
	r.Model = cmp.Or(model, r.Model)
	return r, nil
}

// lastRequest is the request of the turn that ended last, as it was made, and the proposals that came of it.
// Where no turn has ended it is the last one that was said.
func (q *Queue) lastRequest(said *history.History) (r Request, proposals []string, err error) {
	last, again, on, _ := q.lastEnded()
	if last == nil { // it may be known from the transcript
		x, ok := said.Last()
		if !ok {
			return r, nil, errors.New("no request to send again; send one first")
		}
		r = Request{Instruction: x.User, Coder: x.Coder, Files: x.Files, ReadOnly: x.ReadOnly, Label: proposal.Label(x.User), again: x.Turn}
		return r, []string{x.Proposal}, nil
	}
	r = last.resolved.Request
	if r.Given != "" {
		return r, nil, errors.New("cannot regenerate a pasted answer; paste another one with /paste")
	}
	if r.Job != nil {
		return r, nil, errors.New("cannot regenerate a command with several steps; run it again")
	}
	r.again, r.baseFiles, r.notes, r.Label = again, on, nil, last.life.label
	if r.Changes == nil {
		r.Coder = last.resolved.Coder.Name
	}
	if t := q.find(again); t != nil {
		for _, p := range t.life.result.Proposals {
			proposals = append(proposals, p.ID)
		}
	}
	return r, proposals, nil
}

// Regenerable says whether a pending proposal is of the last request, so that it can be generated again.
func (q *Queue) Regenerable(p proposal.Proposal) bool {
	last, again, _, idle := q.lastEnded()
	return last != nil && idle && last.resolved.Request.Given == "" && last.resolved.Request.Job == nil && again == p.Turn && p.State != event.ProposalPartial
}

// CanAskAgain says whether AskAgain takes a refused edit: one that another wording could help, or whose file the model had not
// been shown.
func CanAskAgain(f edits.Failure) bool { return prompt.Askable(f) || f.Reason == edits.ReasonNotInChat }

// AskAgain makes the request that asks for edits again that a turn has ended without, and for nothing else; numbers are theirs
// among Result.Failures, from 1. It follows the turn up, so that what comes joins its proposal while that waits. Their files are
// shown, also those that the user had not added: asking for them again adds them.
func (s *Session) AskAgain(turn string, numbers ...int) (Request, error) {
	t := s.Turns.find(turn)
	if t == nil {
		return Request{}, errors.New("that request is no longer available; send a new request for the change")
	}
	select {
	case <-t.life.done:
	default:
		return Request{}, ErrRunning
	}
	var files []string
	var questions []prompt.Question
	for _, n := range numbers {
		if n < 1 || n > len(t.life.result.Failures) {
			return Request{}, fmt.Errorf("refused hunk %d not found; that request has %d", n, len(t.life.result.Failures))
		}
		f := t.life.result.Failures[n-1]
		switch {
		case f.Reason == edits.ReasonNotInChat:
			questions = append(questions, prompt.HeldBack(f))
		case prompt.Askable(f):
			questions = append(questions, prompt.Refused(f))
		default:
			return Request{}, fmt.Errorf("cannot ask again for this hunk: %s", prompt.Told(f))
		}
		if s.Workspace.Snapshot().Exists(f.Path) && !slices.Contains(t.resolved.Request.Files, f.Path) && !slices.Contains(files, f.Path) {
			files = append(files, f.Path)
		}
	}
	format, whole := t.resolved.Request.Format, (*edits.Format)(nil)
	if t.life.handoff.whole {
		format = "whole"
		if found, ok := formats.ByName(format); ok {
			whole = &found
		}
	}
	news, err := prompt.Reflection{Fence: edits.Fences[0], Format: whole, Questions: questions, Files: lookedAt{s.Workspace.Snapshot()}}.Text()
	if err != nil {
		return Request{}, err
	}
	r := Request{FollowUp: t.id, Instruction: news, Model: t.resolved.Request.Model, Format: format, Preview: t.resolved.Request.Preview, ReadOnly: t.resolved.Request.ReadOnly,
		Label: t.life.label, Files: files, Goals: t.resolved.Request.Goals, Quotes: true}
	if t.resolved.Request.Job != nil {
		r.Job, r.first = t.resolved.Request.Job.Retry, cmp.Or(t.resolved.Request.first, t.resolved.Request.Instruction)
		if r.Job != nil && r.first != "" { // it is shown the files, and not what was said
			r.Instruction = "This was asked for before: " + r.first + "\n\n" + news
		}
	}
	return r, nil
}

// lastEnded is the turn that ended last, nil for none, and the one that has what came of its request: an attempt to
// regenerate that failed has nothing. on is what the last one went on with, and idle says that nothing runs or waits.
func (q *Queue) lastEnded() (last *turn, again string, on []proposal.File, idle bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	idle = len(q.live()) == 0
	if len(q.ended) == 0 {
		return nil, "", nil, idle
	}
	last = q.ended[len(q.ended)-1]
	again = last.id
	if last.resolved.Request.again != "" && (last.life.state == event.TurnFailed || last.life.state == event.TurnCancelled) {
		again = last.resolved.Request.again
	}
	return last, again, last.life.handoff.baseFiles, idle
}

// LastEnded returns the id of the turn that ended last; "" for none.
func (q *Queue) LastEnded() string {
	if last, _, _, _ := q.lastEnded(); last != nil {
		return last.id
	}
	return ""
}
