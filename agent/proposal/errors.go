package proposal

import (
	"errors"
	"fmt"
	"strings"
)

// What a Selector can be refused for. The errors that the Store returns wrap these and say what to do.
var (
	ErrNone      = errors.New("no change is pending")
	ErrAmbiguous = errors.New("several changes are pending")
	ErrNotShown  = errors.New("the change has not been shown yet")
	ErrStale     = errors.New("the change was updated after it was shown")
	ErrDecided   = errors.New("the change is no longer pending")
	ErrApplying  = errors.New("the change is being applied")
	ErrNoFile    = errors.New("the change has no such file")
	ErrNoHunk    = errors.New("the file has no such hunk")
	ErrNotUndone = errors.New("nothing to undo")
)

// Refusal is the error of a selection. It lists what could have been meant.
type Refusal struct {
	Err        error // one of the errors above
	Message    string
	Candidates []Proposal
}

// Error returns the message followed by one line for each candidate.
func (r *Refusal) Error() string {
	var b strings.Builder
	b.WriteString(r.Message)
	for i := range r.Candidates {
		b.WriteString("\n  ")
		b.WriteString(r.Candidates[i].line())
	}
	return b.String()
}

// Unwrap returns the kind of the refusal.
func (r *Refusal) Unwrap() error { return r.Err }

func refuse(kind error, format string, args ...any) *Refusal {
	return &Refusal{Err: kind, Message: fmt.Sprintf(format, args...)}
}

// quoted is how a message names the proposal: by what it was asked for.
func (p *Proposal) quoted() string {
	if p.Label == "" {
		return "the change"
	}
	return fmt.Sprintf("the change %q", p.Label)
}

// line describes the proposal in one line, in what a user can see of it.
func (p *Proposal) line() string {
	n, added, removed := p.Open()
	files := "1 file"
	if n != 1 {
		files = fmt.Sprintf("%d files", n)
	}
	shown := "not viewed yet"
	if p.Shown == p.Revision {
		shown = "viewed"
	} else if p.Shown > 0 {
		shown = "updated after you viewed it"
	}
	return fmt.Sprintf("%s (%s, +%d -%d, %s)", p.Label, files, added, removed, shown)
}
