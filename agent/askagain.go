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

// AskAgain makes the request that asks for one of the edits again that a turn has ended without, and for nothing else; n is
// its number among Result.Failures, from 1. It follows the turn up, so that what comes joins its proposal while that waits.
func (s *Session) AskAgain(turn string, n int) (Request, error) {
	t := s.find(turn)
	if t == nil {
		return Request{}, errors.New("that request is too long ago; ask for the change itself")
	}
	select {
	case <-t.done:
	default:
		return Request{}, ErrRunning
	}
	if n < 1 || n > len(t.result.Failures) {
		return Request{}, fmt.Errorf("that request has no refused edit %d; it has %d", n, len(t.result.Failures))
	}
	f := t.result.Failures[n-1]
	if !Askable(f) {
		return Request{}, fmt.Errorf("asking again would not help: %s", prompt.Told(f))
	}
	format, whole := t.r.Format, (*edits.Format)(nil)
	if t.left.whole {
		format = "whole"
		if found, ok := formats.ByName(format); ok {
			whole = &found
		}
	}
	news, err := prompt.Reflection{Fence: edits.Fences[0], Format: whole, Questions: []prompt.Question{prompt.Refused(f)}, Files: lookedAt{s.ws.Snapshot()}}.Text()
	if err != nil {
		return Request{}, err
	}
	r := Request{FollowUp: t.id, Instruction: news, Model: t.r.Model, Format: format, Preview: t.r.Preview, ReadOnly: t.r.ReadOnly,
		Label: t.label, quotes: true}
	if s.ws.Snapshot().Exists(f.Path) && !slices.Contains(t.r.Files, f.Path) {
		r.Files = []string{f.Path}
	}
	if t.r.Job != nil {
		r.Job, r.first = t.r.Job.Retry, cmp.Or(t.r.first, t.r.Instruction)
		if r.Job != nil && r.first != "" { // it is shown the files, and not what was said
			r.Instruction = "This was asked for before: " + r.first + "\n\n" + news
		}
	}
	return r, nil
}
