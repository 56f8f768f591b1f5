package proposal

import (
	"maps"
	"slices"
	"strings"
	"time"

	"coauthor/agent/event"
	"coauthor/agent/secret"
	"coauthor/edits"
)

// Proposal is a set of changes that waits for the user's decision. Values of this type are copies:
// changing one changes nothing in the Store, and the texts are shared.
type Proposal struct {
	ID       string
	Turn     string // the turn that made this revision; of one that proposes in rounds, RoundName
	Root     string
	Label    string // one line that says what it is about
	Revision int    // from 1; a follow-up that amends the proposal makes the next one
	State    event.ProposalState
	Created  time.Time
	Files    []File
	Shown    int    // the last revision that the user has seen, 0 for none
	Reason   string // why the last attempt to apply it did not do all, for the user
	// Warnings are what the checks still say against this revision, a sentence each that names the
	// file. Who shows the proposal shows them first; nobody applies one that has some unseen.
	Warnings []string
	// Verdict is what was checked of this revision and how that went, in one line; "" when nothing was.
	Verdict string
	// Attempts are the states that the turn came by, oldest first, each of which Store.TakeAttempt can make the content; nil
	// for most turns. Attempt is the number of the one that is, from 1.
	Attempts []event.AttemptRef
	Attempt  int
}

// File is the change of one file and what became of its hunks.
type File struct {
	Change edits.Change
	Base   Base
	// Hunks are cut from Change once, so that their numbers stay what the user saw.
	Hunks []edits.Hunk
	// Done holds the decision on each hunk by its number; a missing entry is HunkOpen. A change without
	// hunks (a rename, an empty file) is decided as a whole under number 0.
	Done map[int]Decision
	// Protected says that the user must consent to this file by name before it is touched.
	Protected bool
	// Listed says that the model wrote the whole file out, so that nothing said what it left out.
	Listed bool
}

// Base says what the change was computed on.
type Base struct {
	Open    bool
	Version int32
	Hash    string
}

// Decision is what became of a hunk.
type Decision string

// The decisions. A sent hunk is known to have left, not to have arrived.
const (
	HunkOpen      Decision = ""
	HunkSent      Decision = "sent"
	HunkLanded    Decision = "landed"
	HunkDiscarded Decision = "discarded"
)

// Path returns where the file lies when the change is done, which is how the user names it.
func (f *File) Path() string {
	if f.Change.Op == edits.OpRename {
		return f.Change.To
	}
	return f.Change.Path
}

// units returns the numbers that can be decided on: those of the hunks, or 0 alone.
func (f *File) units() []int {
	if len(f.Hunks) == 0 {
		return []int{0}
	}
	list := make([]int, len(f.Hunks))
	for i, h := range f.Hunks {
		list[i] = h.Number
	}
	return list
}

// Landed says whether anything of the change is known to be in the user's file.
func (f *File) Landed() bool { return len(f.with(HunkLanded)) > 0 }

// Undecided returns the numbers on which nothing was decided yet.
func (f *File) Undecided() []int { return f.with(HunkOpen) }

func (f *File) with(d Decision) []int {
	return slices.DeleteFunc(f.units(), func(n int) bool { return f.Done[n] != d })
}

func (f *File) set(units []int, d Decision) {
	if f.Done == nil {
		f.Done = map[int]Decision{}
	}
	for _, n := range units {
		if d == HunkOpen {
			delete(f.Done, n)
		} else {
			f.Done[n] = d
		}
	}
}

// Counts returns how many lines the change adds and removes.
func (f *File) Counts() (added, removed int) { return countLines(f.Hunks) }

func countLines(hunks []edits.Hunk) (added, removed int) {
	for _, h := range hunks {
		added += h.NewCount
		removed += h.OldCount
	}
	return added, removed
}

// Counts returns how many lines the proposal adds and removes.
func (p *Proposal) Counts() (added, removed int) {
	for i := range p.Files {
		a, r := p.Files[i].Counts()
		added, removed = added+a, removed+r
	}
	return added, removed
}

// Open returns how many lines the hunks that nothing was decided on add and remove.
func (f *File) Open() (added, removed int) {
	return countLines(slices.DeleteFunc(slices.Clone(f.Hunks), func(h edits.Hunk) bool { return f.Done[h.Number] != HunkOpen }))
}

// Open returns how many files still have something to decide on, and how many lines that adds and
// removes: what a user counts who has taken a part.
func (p *Proposal) Open() (files, added, removed int) {
	for i := range p.Files {
		if len(p.Files[i].Undecided()) == 0 {
			continue
		}
		a, r := p.Files[i].Open()
		files, added, removed = files+1, added+a, removed+r
	}
	return files, added, removed
}

// undecided says whether there is anything left to accept or to discard.
func (p *Proposal) undecided() bool {
	for i := range p.Files {
		if len(p.Files[i].Undecided()) > 0 {
			return true
		}
	}
	return false
}

// Pending says whether the user can still decide on it.
func (p *Proposal) Pending() bool {
	switch p.State {
	case event.ProposalPending, event.ProposalPartial, event.ProposalConflict, event.ProposalUnverified:
		return p.undecided()
	case event.ProposalApplying, event.ProposalApplied, event.ProposalDiscarded,
		event.ProposalUndone, event.ProposalSuperseded:
	}
	return false
}

// File returns the file with the given path, before or after the change.
func (p *Proposal) File(path string) (*File, bool) {
	for i := range p.Files {
		if f := &p.Files[i]; f.Change.Path == path || f.Path() == path {
			return f, true
		}
	}
	return nil, false
}

// Ref returns the form in which events name the proposal.
func (p *Proposal) Ref() *event.ProposalRef {
	added, removed := p.Counts()
	ref := &event.ProposalRef{ID: p.ID, Revision: p.Revision, Round: RoundOf(p.Turn), State: p.State, Label: p.Label, Reason: p.Reason, Added: added, Removed: removed, Warnings: p.Warnings, Verdict: p.Verdict,
		Attempts: p.Attempts, Attempt: p.Attempt}
	for i := range p.Files {
		f := &p.Files[i]
		a, r := f.Counts()
		one := event.FileRef{Path: f.Change.Path, Op: string(f.Change.Op), Added: a, Removed: r, Hunks: len(f.Hunks)}
		if f.Change.Op == edits.OpRename {
			one.To = f.Change.To
		}
		ref.Files = append(ref.Files, one)
	}
	return ref
}

func (p *Proposal) clone() Proposal {
	c := *p
	c.Files = slices.Clone(p.Files)
	for i := range c.Files {
		c.Files[i].Done = maps.Clone(c.Files[i].Done)
	}
	return c
}

// Label makes one line of at most 60 characters out of an instruction, without the keys in it.
func Label(instruction string) string {
	line := strings.Join(strings.Fields(secret.Without(instruction)), " ")
	if runes := []rune(line); len(runes) > 60 {
		return string(runes[:59]) + "…"
	}
	return line
}
