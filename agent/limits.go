package agent

import (
	"context"
	"strings"
	"sync/atomic"
	"time"

	"coauthor/agent/coder"
	"coauthor/agent/event"
	"coauthor/agent/llm"
)

// What a turn that goes on by itself may use ends it also within a round: tokens and cost before each call of
// the model, time in the middle of a reply. What is whole by then counts, with a warning.

// limits are those of a turn that stands there; none for one that does not go on by itself.
func limits(at Context) coder.Limits {
	if !at.Coder.Finishes {
		return coder.Limits{}
	}
	a := at.Settings.Auto
	l := coder.Limits{Rounds: a.Rounds, Tokens: a.Tokens, Time: a.Time}
	if a.Cost != nil {
		l.Cost = *a.Cost
	}
	return l
}

// used is what the turn has used so far.
func (t *turn) used() coder.Used {
	return coder.Used{Tokens: t.usage.Prompt + t.usage.Completion, Cost: t.usage.Cost, Time: t.s.Engine.o.Clock().Sub(t.life.started)}
}

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

// cutLate makes a reply that time has ended one that was cut.
func (r *Reply) cutLate() {
	r.late, r.Finish, r.Calls = true, llm.FinishCut, nil
}

// stopped is the reply of a round that a limit has ended: what the model wrote so far.
func (l *toolLoop) stopped(r Reply, why string) (Reply, error) {
	if strings.TrimSpace(r.Text) == "" && len(l.said) == 0 {
		return r, unfinishedFor(why)
	}
	r, err := l.joined(r)
	r.stopped = why
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
