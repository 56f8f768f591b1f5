package agent

import (
	"context"
	"errors"
	"fmt"

	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/prompt"
)

// ErrNothingToReview says that there are no changes.
var ErrNothingToReview = errors.New("nothing to review")

// Review makes the request in which the model reads changes: those that are not committed, or for a base those of the
// branch that is checked out since it parted from it, with what is not committed. r may say what to look for. The
// session must not wait long for git: ctx ends that.
func (s *Session) Review(ctx context.Context, base string, r Request) (Resolved, error) {
	c, err := s.Commits.UnderReview(ctx, base)
	if err != nil {
		return Resolved{}, err
	}
	asked := r
	if len(c.Files) == 0 {
		return Resolved{}, fmt.Errorf("%w: no %s", ErrNothingToReview, display.Lower(c.About))
	}
	r.Changes = &c
	if r.Instruction == "" {
		r.Instruction = "Review the " + display.Lower(c.About) + "."
	}
	r.Coder, r.Format = "", ""
	return s.resolved(asked, r)
}

// mostOfReview is which part of the room of a prompt the changes may take.
const mostOfReview = 2

// reviewed takes in the changes that a request is about, as far as the model has room for them.
func (g *gathering) reviewed() {
	c := g.c.Request.Changes
	if c == nil {
		return
	}
	g.c.Diff = prompt.Fitting(c.Text, g.c.Model.Room/mostOfReview, g.c.Model.Counter.Count)
	if g.c.Diff != c.Text {
		g.note(event.Warning("The changes do not fit into the context window of " + g.c.Model.Profile.Name + ", so the model reviews only the first part. Review fewer changes or choose a model with a larger context window."))
	}
	if len(c.Hidden) > 0 {
		g.note(event.Info(fmt.Sprintf("Not reviewed because of access settings: %s.", display.Line(display.Names(c.Hidden)))))
	}
}
