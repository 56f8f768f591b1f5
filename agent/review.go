package agent

import (
	"context"
	"errors"
	"fmt"

	"coauthor/agent/codereview"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/prompt"
	"coauthor/agent/vcs"
)

// ErrNothingToReview says that there are no changes.
var ErrNothingToReview = errors.New("nothing to review")

// reviewContext is how many lines around each changed place the model sees.
const reviewContext = 10

// Review makes the request in which the model reads changes: those that are not committed, or for a base those of the
// branch that is checked out since it parted from it, with what is not committed. r may say what to look for. The
// session must not wait long for git: ctx ends that.
func (s *Session) Review(ctx context.Context, base string, r Request) (Resolved, error) {
	c, err := s.underReview(ctx, base)
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

// underReview are the changes to look at, without what may not be sent.
func (s *Session) underReview(ctx context.Context, base string) (codereview.Changes, error) {
	release, err := s.Life.Hold()
	if err != nil {
		return codereview.Changes{}, err
	}
	defer release()
	given := base
	if base == "" {
		base = "HEAD"
	}
	c, err := s.since(ctx, base)
	if given == "" && err != nil && ctx.Err() == nil { // there may be no commit yet
		place, where := vcs.Where(ctx, s.Workspace.Root())
		if where != nil || place.Head != "" {
			return c, err
		}
		c, err = codereview.Changes{}, nil
	}
	if err != nil {
		return c, err
	}
	c.About = "Uncommitted changes"
	if given != "" {
		c.About = "Changes since " + given
		forked, err := vcs.Forked(ctx, s.Workspace.Root(), c.Base, "HEAD")
		if err != nil {
			return c, err
		}
		if forked != "" {
			c.Base = forked
		}
	}
	err = s.compare(ctx, &c, reviewContext, true)
	return c, err
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
