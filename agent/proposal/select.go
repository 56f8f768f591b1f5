package proposal

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/event"
	"coauthor/edits"
)

// proposals are those of one root, oldest first. The ledger's mu guards them.
type proposals struct{ list []*entry }

// Selector names a proposal and the parts of it that are meant. Its zero value means all of the pending
// proposal, of several the newest, in the revision last shown.
type Selector struct {
	Turn, Proposal string
	Revision       int      // 0 is the revision last shown
	Files          []string // empty is all
	Hunks          []int    // of exactly one file; empty is all
}

// part is the meant piece of one file.
type part struct {
	file  int // index in Proposal.Files
	units []int
}

// Select returns the proposal that a command to apply or discard means. It refuses, with a Refusal
// that lists the candidates, where the names leave a choice or the meant revision was never shown.
func (s *Store) Select(sel Selector) (Proposal, error) {
	s.book.mu.Lock()
	defer s.book.mu.Unlock()
	e, _, err := s.book.proposals.choose(sel)
	if err != nil {
		return Proposal{}, err
	}
	return e.now.clone(), nil
}

// Find returns the newest revision of the proposal that a command to look at it means: the rules of
// Select, but for having been shown. It also finds decided proposals by their names.
func (s *Store) Find(sel Selector) (Proposal, error) {
	s.book.mu.Lock()
	defer s.book.mu.Unlock()
	e, err := s.book.proposals.named(sel)
	if err != nil {
		return Proposal{}, err
	}
	return e.now.clone(), nil
}

// choose finds the entry and the parts that sel means. The caller holds mu.
func (l *proposals) choose(sel Selector) (*entry, []part, error) {
	e, err := l.named(sel)
	if err != nil {
		return nil, nil, err
	}
	if err := e.open(); err != nil {
		return nil, nil, err
	}
	if err := e.revision(sel.Revision); err != nil {
		var refused *Refusal
		if l.among(sel) > 0 && errors.As(err, &refused) {
			refused.Candidates = copies(l.pending()) // one that was seen may be meant
		}
		return nil, nil, err
	}
	if sel.Turn != "" && sel.Turn != e.now.Turn && (sel.Turn != TurnOf(e.now.Turn) || RoundOf(e.now.Turn) == 0) {
		return nil, nil, e.stale("request %s made an earlier version of this change", sel.Turn)
	}
	parts, err := e.parts(sel)
	return e, parts, err
}

// named finds the entry by its names, or the one pending entry. The caller holds mu.
func (l *proposals) named(sel Selector) (*entry, error) {
	if sel.Proposal != "" {
		if e := l.byID(sel.Proposal); e != nil {
			return e, nil
		}
		return nil, l.unknown(fmt.Sprintf("no change %q", sel.Proposal))
	}
	if sel.Turn != "" {
		if e := l.byTurn(sel.Turn); e != nil {
			return e, nil
		}
		if e, err := l.oneRound(sel.Turn); e != nil || err != nil {
			return e, err
		}
		return nil, l.unknown(fmt.Sprintf("request %q has no change", sel.Turn))
	}
	pending := l.pending()
	switch len(pending) {
	case 0:
		return nil, refuse(ErrNone, "no change is pending; ask for one first")
	case 1:
		return pending[0], nil
	}
	return l.newest(pending), nil
}

// newest returns the one of several that was made last, or amended last. Of a turn that proposes in rounds it is the first
// that waits, since the others build upon it. The caller holds mu.
func (l *proposals) newest(pending []*entry) *entry {
	last := pending[0]
	for _, e := range pending[1:] {
		if !e.now.Created.Before(last.now.Created) {
			last = e
		}
	}
	if RoundOf(last.now.Turn) == 0 {
		return last
	}
	first := slices.IndexFunc(pending, func(e *entry) bool {
		return RoundOf(e.now.Turn) > 0 && TurnOf(e.now.Turn) == TurnOf(last.now.Turn)
	})
	return pending[first]
}

// Among returns how many proposals are pending where a selector names none of them, so that the newest is meant; 0 where
// there is no choice.
func (s *Store) Among(sel Selector) int {
	s.book.mu.Lock()
	defer s.book.mu.Unlock()
	return s.book.proposals.among(sel)
}

func (l *proposals) among(sel Selector) int {
	if n := len(l.pending()); n > 1 && sel.Proposal == "" && sel.Turn == "" {
		return n
	}
	return 0
}

func (l *proposals) unknown(what string) error {
	r := refuse(ErrNone, "%s", what+"; it may come from another session or be too old")
	r.Candidates = copies(l.pending())
	return r
}

func (l *proposals) byID(id string) *entry {
	i := slices.IndexFunc(l.list, func(e *entry) bool { return e.now.ID == id })
	if i < 0 {
		return nil
	}
	return l.list[i]
}

func (l *proposals) byTurn(turn string) *entry {
	for _, e := range slices.Backward(l.list) {
		if e.now.Turn == turn {
			return e
		}
		if slices.ContainsFunc(e.old, func(p Proposal) bool { return p.Turn == turn }) {
			return e
		}
	}
	return nil
}

func (l *proposals) pending() []*entry {
	var list []*entry
	for _, e := range l.list {
		if e.now.Pending() {
			list = append(list, e)
		}
	}
	return list
}

func copies(entries []*entry) []Proposal {
	list := make([]Proposal, len(entries))
	for i, e := range entries {
		list[i] = e.now.clone()
	}
	return list
}

// open refuses a proposal on which nothing can be decided any more.
func (e *entry) open() error {
	p := &e.now
	if p.Pending() {
		return nil
	}
	if p.State == event.ProposalApplying {
		return refuse(ErrApplying, "%s is being applied; wait until it finishes", p.quoted())
	}
	if p.State == event.ProposalUnverified {
		return refuse(ErrDecided, "the editor has not confirmed %s; check the files, or undo the change", p.quoted())
	}
	return refuse(ErrDecided, "%s is already %s", p.quoted(), p.State) // what is left is said in plain words
}

// revision refuses any but the newest revision, and without a number one that was never shown.
func (e *entry) revision(n int) error {
	p := &e.now
	switch {
	case n == p.Revision:
		return nil
	case n > p.Revision || n < 0:
		return e.stale("%s has no such version", p.quoted())
	case n > 0:
		return e.stale("%s was updated after you viewed it", p.quoted())
	case p.Shown == p.Revision:
		return nil
	}
	r := refuse(ErrNotShown, "you have not seen %s yet; show it first", p.quoted())
	r.Candidates = []Proposal{p.clone()}
	return r
}

func (e *entry) stale(format string, args ...any) error {
	r := refuse(ErrStale, format, args...)
	r.Message += "; review the current version, then try again"
	r.Candidates = []Proposal{e.now.clone()}
	return r
}

// parts resolves files and hunks to what is still undecided of them.
func (e *entry) parts(sel Selector) ([]part, error) {
	p := &e.now
	files, err := e.files(sel.Files)
	if err != nil {
		return nil, err
	}
	if len(sel.Hunks) > 0 {
		if len(files) != 1 {
			return nil, refuse(ErrNoHunk, "hunk numbers require exactly one file; name the file")
		}
		one, err := hunkPart(&p.Files[files[0]], sel.Hunks)
		if err != nil {
			return nil, err
		}
		return []part{{file: files[0], units: one}}, nil
	}
	var parts []part
	for _, i := range files {
		if units := p.Files[i].Undecided(); len(units) > 0 {
			parts = append(parts, part{file: i, units: units})
		}
	}
	if len(parts) == 0 {
		return nil, refuse(ErrDecided, "you already applied or discarded %s", strings.Join(sel.Files, ", "))
	}
	return parts, nil
}

func (e *entry) files(names []string) ([]int, error) {
	var list []int
	for _, name := range names {
		i := slices.IndexFunc(e.now.Files, func(f File) bool { return f.Path() == name })
		if i < 0 {
			i = slices.IndexFunc(e.now.Files, func(f File) bool { return f.Change.Path == name })
		}
		if i < 0 {
			return nil, refuse(ErrNoFile, "%s does not change %s, only %s",
				e.now.quoted(), name, strings.Join(e.names(), ", "))
		}
		if !slices.Contains(list, i) {
			list = append(list, i)
		}
	}
	if len(names) > 0 {
		return list, nil
	}
	for i := range e.now.Files {
		list = append(list, i)
	}
	return list, nil
}

func (e *entry) names() []string {
	list := make([]string, len(e.now.Files))
	for i := range e.now.Files {
		list[i] = e.now.Files[i].Path()
	}
	return list
}

func hunkPart(f *File, numbers []int) ([]int, error) {
	units := f.units()
	var list []int
	for _, n := range numbers {
		if !slices.Contains(units, n) {
			return nil, refuse(ErrNoHunk, "%s has no hunk %d; number of hunks: %d", f.Path(), n, len(f.Hunks))
		}
		switch f.Done[n] {
		case HunkOpen:
		case HunkSent, HunkLanded, HunkDiscarded:
			return nil, refuse(ErrDecided, "you already applied or discarded hunk %d of %s", n, f.Path())
		}
		if !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	if f.Change.Op != edits.OpUpdate && len(list) != len(units) {
		return nil, refuse(ErrNoHunk, "you can only apply or discard a file %s as a whole; omit the hunk numbers", f.Change.Op)
	}
	slices.Sort(list)
	return list, nil
}
