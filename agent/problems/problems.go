// Package problems tells which complaints of an editor's other tools a turn has brought: those about lines that its
// change put there, that come soon after it landed and were not there before.
//
// It starts nothing and shows nothing: who is told that there are new problems sees to them. Start at Tracker.
package problems

import (
	"slices"
	"strings"
	"sync"
	"time"

	"coauthor/agent/display"
	"coauthor/agent/proposal"
	"coauthor/edits"
)

// Diagnostic is one complaint of an editor's other tools. Line counts from 1.
type Diagnostic struct {
	Path            string
	Line            int
	Message, Source string
	Severity        string // error, warning, information or hint; "" is not known
}

// Told is what the editor's other tools say of an open file.
type Told struct {
	Path string
	Text string       // of the file as the editor has it now
	List []Diagnostic // all that is known
	// Partly: List is what touches places that the user has looked at. When it came to be so is not known then.
	Partly bool
}

// Found are complaints about lines that the turn changed which was applied last, and that were not there before.
type Found struct {
	Turn string // that changed the lines
	List []Diagnostic
	// Unasked says that they are to be fixed without a word of the user: the turn worked by itself until it was done,
	// and is to be checked in full.
	Unasked bool
}

// Count says how many there are: "1 new problem".
func (n Found) Count() string { return display.Count(len(n.List), "new problem") }

// problemsAppear is how long after a change landed a new complaint counts as one about the change.
const problemsAppear = 10 * time.Second

// Options are what a Tracker is made of.
type Options struct {
	Clock func() time.Time
	// Unasked says whether those that a turn brought are fixed without a word of the user, when so many turns in a row were begun
	// for that; nil never does.
	Unasked func(turn string, before int) bool
}

// Tracker knows the problems of one workspace root. It is safe for concurrent use.
type Tracker struct {
	o Options

	mu       sync.Mutex
	known    map[string]Told         // guarded by mu; what was told last, by path; nothing for none
	before   complaints              // guarded by mu; what was there before the proposal was applied
	proposal string                  // guarded by mu; the one that before was taken for
	turn     string                  // guarded by mu; that changed the files, "" for none
	until    time.Time               // guarded by mu; what appears later counts no more
	files    map[string]*changedFile // guarded by mu; by path
	claimed  bool                    // guarded by mu; somebody sees to those of this turn
	fixes    string                  // guarded by mu; the turn that was begun unasked
	depth    int                     // guarded by mu; how many of those there were in a row, with that one
}

// New returns a Tracker that knows of no problems.
func New(o Options) *Tracker { return &Tracker{o: o} }

// complaints counts diagnostics of files by what they say, not by where: lines move.
type complaints map[string]map[complaint]int

type complaint struct{ source, message string }

func (d Diagnostic) complaint() complaint { return complaint{d.Source, d.Message} }

// isProblem leaves out hints, and what we say ourselves.
func (d Diagnostic) isProblem() bool {
	return d.Source != "coauthor" && (d.Severity == "error" || d.Severity == "warning" || d.Severity == "")
}

// changedFile is a file as a change left it.
type changedFile struct {
	text  string
	lines []edits.Lines // that the change put there, or around what it took away
	found []Diagnostic
}

// Applying notes what is complained about while a proposal is not applied yet.
func (n *Tracker) Applying(p *proposal.Proposal) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.proposal != p.ID { // else a part of it was applied before, and brought problems of its own
		n.proposal, n.before = p.ID, complaints{}
	}
	for i := range p.Files {
		path := p.Files[i].Change.Path
		if n.before[path] == nil {
			n.before[path] = counted(n.known[path].List)
		}
	}
}

func counted(list []Diagnostic) map[complaint]int {
	counts := map[complaint]int{}
	for _, d := range list {
		counts[d.complaint()]++
	}
	return counts
}

// Landed notes the lines that a change has put into the user's files.
func (n *Tracker) Landed(l proposal.Landing) {
	now := n.o.Clock()
	n.mu.Lock()
	defer n.mu.Unlock()
	if l.Op == "undo" {
		if l.Turn == n.turn {
			n.turn, n.files = "", nil
		}
		return
	}
	if n.proposal != l.Proposal {
		n.proposal, n.before = l.Proposal, complaints{}
		for _, c := range l.Files {
			n.before[c.Path] = counted(n.known[c.Path].List)
		}
	}
	if n.turn != l.Turn {
		n.turn, n.files = l.Turn, map[string]*changedFile{}
	}
	n.claimed, n.until = false, now.Add(problemsAppear)
	for _, c := range l.Files {
		path := c.Path
		switch c.Op {
		case edits.OpDelete:
			continue
		case edits.OpRename:
			path = c.To
			n.before[path] = n.before[c.Path]
			n.files[path] = &changedFile{text: c.After, lines: linesOf(c)}
		case edits.OpCreate, edits.OpUpdate:
			n.files[path] = n.files[path].changed(c)
		}
		if t := n.known[path]; t.Text == c.After { // the other servers were faster than the word that it landed
			f := n.files[path]
			f.found = f.appeared(t, n.before[path])
		}
	}
}

// changed is the file after a further change of the same turn; nil is one that the turn had not changed.
func (f *changedFile) changed(c edits.Change) *changedFile {
	next := &changedFile{text: c.After, lines: linesOf(c)}
	if f != nil {
		next.lines, next.found = append(next.lines, f.linesIn(c.After)...), f.found
	}
	return next
}

// linesIn are the lines of the change in what the file has become.
func (f *changedFile) linesIn(text string) []edits.Lines {
	if text == f.text {
		return f.lines
	}
	var lines []edits.Lines
	for _, l := range f.lines {
		lines = append(lines, edits.Follow(f.text, text, l))
	}
	return lines
}

// linesOf are the lines that a change has put there, and those on both sides of what it took away.
func linesOf(c edits.Change) []edits.Lines {
	var list []edits.Lines
	for _, h := range edits.Diff(c.Before, c.After) {
		l := edits.Lines{First: h.NewLine + 1, Last: h.NewLine + h.NewCount}
		if h.NewCount == 0 {
			l = edits.Lines{First: max(1, h.NewLine), Last: h.NewLine + 1}
		}
		list = append(list, l)
	}
	return list
}

// Diagnosed takes in what the editor's other tools say of an open file, nothing once it is closed. It returns at once,
// and reports whether there are new problems that nobody sees to yet; whoever is told so does.
func (n *Tracker) Diagnosed(t Told) (claim bool) {
	now := n.o.Clock()
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.known == nil {
		n.known = map[string]Told{}
	}
	if n.known[t.Path] = t; len(t.List) == 0 {
		delete(n.known, t.Path)
	}
	f := n.files[t.Path]
	if f == nil {
		return false
	}
	found := f.appeared(t, n.before[t.Path])
	if !t.Partly && now.After(n.until) {
		found = bothOf(found, f.found)
	}
	f.found = found
	return n.claim()
}

// Claim is Diagnosed for what was told before it was known that a change has landed.
func (n *Tracker) Claim() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.claim()
}

// claim reports whether there are new problems that nobody sees to yet. Who has asked at the place is offered them there.
// The caller holds mu.
func (n *Tracker) claim() bool {
	if n.claimed {
		return false
	}
	for path, f := range n.files {
		if len(f.found) > 0 && !n.known[path].Partly {
			n.claimed = true
		}
	}
	return n.claimed
}

// appeared are the problems on the changed lines that are more than there were before.
func (f *changedFile) appeared(t Told, before map[complaint]int) []Diagnostic {
	more := counted(t.List)
	for c, were := range before {
		more[c] -= were
	}
	lines := f.linesIn(t.Text)
	var list []Diagnostic
	for _, d := range t.List {
		if more[d.complaint()] > 0 && d.isProblem() && slices.ContainsFunc(lines, func(l edits.Lines) bool { return l.First <= d.Line && d.Line <= l.Last }) {
			more[d.complaint()]--
			list = append(list, d)
		}
	}
	return list
}

// bothOf are those of a list that say what the others say, as many.
func bothOf(list, others []Diagnostic) []Diagnostic {
	left := counted(others)
	var both []Diagnostic
	for _, d := range list {
		if left[d.complaint()] > 0 {
			left[d.complaint()]--
			both = append(both, d)
		}
	}
	return both
}

// See are the new problems for whom Diagnosed or Claim said so. When there are none any more, it is said again for the next ones.
func (n *Tracker) See() Found {
	if n.unclaim() {
		return Found{}
	}
	return n.Now()
}

// Now are those that are there at this moment.
func (n *Tracker) Now() Found {
	found, before := n.now()
	found.Unasked = found.Turn != "" && n.o.Unasked != nil && n.o.Unasked(found.Turn, before)
	return found
}

// now is Now without Unasked, and how many turns in a row were begun so.
func (n *Tracker) now() (found Found, before int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, f := range n.files {
		found.List = append(found.List, f.found...)
	}
	slices.SortFunc(found.List, func(a, b Diagnostic) int {
		if a.Path != b.Path {
			return strings.Compare(a.Path, b.Path)
		}
		return a.Line - b.Line
	})
	if len(found.List) > 0 {
		found.Turn = n.turn
	}
	return found, n.inRow(n.turn)
}

// unclaim has the next new problem reported again. It reports false when there is one.
func (n *Tracker) unclaim() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, f := range n.files {
		if len(f.found) > 0 {
			return false
		}
	}
	n.claimed = false
	return true
}

// inRow is how many turns in a row were begun unasked, up to one. The caller holds mu.
func (n *Tracker) inRow(turn string) int {
	if turn != n.fixes {
		return 0
	}
	return n.depth
}

// Begun notes a turn that was begun unasked, for the problems of another one.
func (n *Tracker) Begun(turn string, of string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.fixes, n.depth = turn, n.inRow(of)+1
}
