package proposal

import (
	"errors"
	"fmt"
	"strings"
)

// What a Selector can be refused for. The errors that the Store returns wrap these and say what to do.
var (
	ErrNone      = errors.New("nothing is pending")
	ErrAmbiguous = errors.New("several proposals are pending")
	ErrNotShown  = errors.New("the proposal was not shown yet")
	ErrStale     = errors.New("the proposal has changed since")
	ErrDecided   = errors.New("the proposal is decided")
	ErrApplying  = errors.New("the proposal is being applied")
	ErrNoFile    = errors.New("the proposal has no such file")
	ErrNoHunk    = errors.New("the file has no such hunk")
	ErrNotUndone = errors.New("there is nothing to take back")
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
		b.WriteString(r.Candidates[i].Line())
	}
	return b.String()
}

// Unwrap returns the kind of the refusal.
func (r *Refusal) Unwrap() error { return r.Err }

func refuse(kind error, format string, args ...any) *Refusal {
	return &Refusal{Err: kind, Message: fmt.Sprintf(format, args...)}
}

// Line describes the proposal in one line, with the names that commands take.
func (p *Proposal) Line() string {
	added, removed := p.Counts()
	files := "1 file"
	if n := len(p.Files); n != 1 {
		files = fmt.Sprintf("%d files", n)
	}
	shown := "not shown yet"
	if p.Shown == p.Revision {
		shown = "shown"
	} else if p.Shown > 0 {
		shown = fmt.Sprintf("revision %d was shown", p.Shown)
	}
	return fmt.Sprintf("proposal %s, revision %d, turn %s: %s (%s, +%d -%d, %s)",
		p.ID, p.Revision, p.Turn, p.Label, files, added, removed, shown)
}
