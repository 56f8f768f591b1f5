package agent

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"coauthor/agent/prompt"
	"coauthor/edits"
	"coauthor/edits/formats"
)

// Askable says whether another wording of a refused edit could help: some are refused for what they want.
func Askable(f edits.Failure) bool { return prompt.Askable(f) }

// CanAskAgain says whether AskAgain takes a refused edit: one that another wording could help, or whose file the model had not
// been shown.
func CanAskAgain(f edits.Failure) bool { return Askable(f) || f.Reason == edits.ReasonNotInChat }

// AskAgain makes the request that asks for edits again that a turn has ended without, and for nothing else; numbers are theirs
// among Result.Failures, from 1. It follows the turn up, so that what comes joins its proposal while that waits. Their files are
// shown, also those that the user had not added: asking for them again adds them.
func (s *Session) AskAgain(turn string, numbers ...int) (Request, error) {
	t := s.queue.find(turn)
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
		case Askable(f):
			questions = append(questions, prompt.Refused(f))
		default:
			return Request{}, fmt.Errorf("cannot ask again for this hunk: %s", prompt.Told(f))
		}
		if s.ws.Snapshot().Exists(f.Path) && !slices.Contains(t.resolved.Request.Files, f.Path) && !slices.Contains(files, f.Path) {
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
	news, err := prompt.Reflection{Fence: edits.Fences[0], Format: whole, Questions: questions, Files: lookedAt{s.ws.Snapshot()}}.Text()
	if err != nil {
		return Request{}, err
	}
	r := Request{FollowUp: t.id, Instruction: news, Model: t.resolved.Request.Model, Format: format, Preview: t.resolved.Request.Preview, ReadOnly: t.resolved.Request.ReadOnly,
		Label: t.life.label, Files: files, quotes: true}
	if t.resolved.Request.Job != nil {
		r.Job, r.first = t.resolved.Request.Job.Retry, cmp.Or(t.resolved.Request.first, t.resolved.Request.Instruction)
		if r.Job != nil && r.first != "" { // it is shown the files, and not what was said
			r.Instruction = "This was asked for before: " + r.first + "\n\n" + news
		}
	}
	return r, nil
}
