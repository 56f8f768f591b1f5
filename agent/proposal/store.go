package proposal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"coauthor/agent/event"
	"coauthor/agent/id"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// keepDecided is how many decided proposals stay findable by their names, and keepDeliveries how
// many deliveries can be undone. Their texts are what costs memory.
const (
	keepDecided    = 32
	keepDeliveries = 200
)

// StoreOptions are what a Store is made of.
type StoreOptions struct {
	Journal *Journal // nil keeps no records: for runs that write nothing
	// KeepPending has the journal hold the proposals that wait for a decision, for whoever opens the root next.
	KeepPending bool
	Clock       func() time.Time // nil is time.Now
	Random      io.Reader        // for ids; nil is crypto/rand
	// Protected says whether the user must consent to a path by name before it is touched.
	Protected func(path string) bool
	// Before is told of a turn and of what is about to be delivered of it to files that no delivery of the turn has touched;
	// nil tells nobody. The delivery waits for it.
	Before func(ctx context.Context, turn string, changes []edits.Change)
	// Changed is told after every change of a proposal. It is called without locks, one call at a
	// time for one proposal's step, and may call back into the Store.
	Changed func(Proposal)
	// Landed is told when something that was delivered is seen in the user's files, before Changed tells what that
	// makes of the proposal. It is called as Changed is.
	Landed func(Landing)
}

// Store holds the proposals of one root: what waits for a decision, and what the user decides. It is safe for concurrent
// use; deliveries run one at a time.
type Store struct {
	Sent    *Sent    // what was delivered of the proposals
	Reviews *Reviews // what of that the user has still to look at

	book *ledger
}

// entry is a proposal with its past. All fields are guarded by the ledger's mu.
type entry struct {
	now Proposal
	old []Proposal // superseded revisions, oldest first, without their content
	// conflict, undone and uncertain (something was sent and not seen to arrive) are what the
	// decisions on the hunks cannot tell.
	conflict, undone, uncertain bool
	written                     int       // the revision whose content the journal has
	attempts                    []Attempt // one for each of now.Attempts
}

// NewStore returns an empty Store for a root.
func NewStore(root string, o StoreOptions) *Store {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	l := &ledger{root: root, o: o, delivering: make(chan struct{}, 1)}
	l.records = records{root: root, o: &l.o}
	return &Store{Sent: &Sent{book: l}, Reviews: &Reviews{book: l}, book: l}
}

// Checked is what the checks say of changes: see the fields of Proposal.
type Checked struct {
	Warnings []string
	Verdict  string
	Listed   []string  // files that the model wrote out as a whole
	Attempts []Attempt // that the turn came by, oldest first; the content becomes the last of them if it is none

	taken int // the one of Attempts that the content is, from 1; 0 is not known
}

// Add makes a pending proposal of a turn's changes; base is the snapshot they were computed on.
func (s *Store) Add(turn, label string, changes []edits.Change, base *workspace.Snapshot, by Checked) (*Proposal, error) {
	id, err := id.New(s.book.o.Random, "")
	if err != nil {
		return nil, err
	}
	files, err := s.book.cut(changes, base)
	if err != nil {
		return nil, err
	}
	list(files, by.Listed)
	e := &entry{now: Proposal{
		ID: id, Turn: turn, Root: s.book.root, Label: label, Revision: 1,
		State: event.ProposalPending, Created: s.book.o.Clock(), Files: files, Warnings: by.Warnings, Verdict: by.Verdict,
	}}
	e.came(by.Attempts, 0)
	s.book.mu.Lock()
	s.book.proposals.list = append(s.book.proposals.list, e)
	s.book.forget()
	p := e.now.clone()
	s.book.mu.Unlock()
	s.book.changed(p)
	return &p, nil
}

// Supersede replaces the content of a pending proposal by what a follow-up turn made of it. The
// proposal keeps its id and gets the next revision, which has not been shown yet.
func (s *Store) Supersede(id, turn, label string, changes []edits.Change, base *workspace.Snapshot, by Checked) (*Proposal, error) {
	files, err := s.book.cut(changes, base)
	if err != nil {
		return nil, err
	}
	return s.book.supersede(id, 0, turn, label, files, by)
}

// supersede is Supersede once the changes are cut; of is the revision that they take the place of, 0 for any.
func (l *ledger) supersede(id string, of int, turn, label string, files []File, by Checked) (*Proposal, error) {
	l.mu.Lock()
	e := l.proposals.byID(id)
	if e == nil {
		err := l.proposals.unknown("no change " + id)
		l.mu.Unlock()
		return nil, err
	}
	err := e.open()
	if err == nil && of != 0 {
		err = e.revision(of)
	}
	if err != nil {
		l.mu.Unlock()
		return nil, err
	}
	before := e.now.clone()
	before.State = event.ProposalSuperseded
	e.old = append(e.old, Proposal{ID: id, Turn: before.Turn, Revision: before.Revision}) // its texts nobody asks for again
	list(files, by.Listed)
	e.now.Turn, e.now.Label, e.now.Files = turn, label, files
	e.now.Warnings, e.now.Verdict = by.Warnings, by.Verdict
	e.came(by.Attempts, by.taken)
	e.now.Revision++
	e.now.Created, e.now.Reason = l.o.Clock(), ""
	e.conflict, e.undone, e.uncertain = false, false, false
	l.restate(e, event.ActionAmend)
	p := e.now.clone()
	l.mu.Unlock()
	l.changed(before)
	l.changed(p)
	return &p, nil
}

// list marks the files that were written out as a whole.
func list(files []File, listed []string) {
	for i := range files {
		files[i].Listed = slices.Contains(listed, files[i].Path()) || slices.Contains(listed, files[i].Change.Path)
	}
}

// cut checks the changes and cuts them into hunks.
func (l *ledger) cut(changes []edits.Change, base *workspace.Snapshot) ([]File, error) {
	var files []File
	seen := map[string]bool{}
	for _, c := range changes {
		if c.Op == edits.OpUpdate && c.Before == c.After {
			continue
		}
		for _, path := range touched(c) {
			if seen[path] {
				return nil, fmt.Errorf("two changes to %s in one proposal", path)
			}
			seen[path] = true
		}
		f := File{Change: c, Hunks: edits.Diff(c.Before, c.After)}
		for _, path := range touched(c) {
			f.Protected = f.Protected || l.o.Protected != nil && l.o.Protected(path)
		}
		if base != nil && c.Op != edits.OpCreate {
			if d, err := base.Document(c.Path); err == nil {
				f.Base = Base{Open: d.Open, Version: d.Version, Hash: d.Hash()}
			}
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		return nil, errors.New("a proposal needs at least one change")
	}
	return files, nil
}

// touched returns the paths that a change writes to or removes.
func touched(c edits.Change) []string {
	if c.Op == edits.OpRename {
		return []string{c.Path, c.To}
	}
	return []string{c.Path}
}

// Pending returns copies of the proposals that wait for a decision, oldest first.
func (s *Store) Pending() []Proposal {
	s.book.mu.Lock()
	defer s.book.mu.Unlock()
	return copies(s.book.proposals.pending())
}

// Close closes the journal, from which another store of the root takes over what is in it.
func (s *Store) Close() error {
	if s.book.o.Journal == nil {
		return nil
	}
	return s.book.o.Journal.Close()
}

// Idle says that nothing waits for a decision or for the editor's word, and that what could be undone stands
// in a journal, from which another store of the root takes it over.
func (s *Store) Idle() bool {
	s.book.mu.Lock()
	defer s.book.mu.Unlock()
	return len(s.book.proposals.pending()) == 0 && s.book.inFlight == nil && (len(s.book.sent.list) == 0 || s.book.o.Journal != nil && s.book.sent.unsettled.Load() == 0)
}

// Get returns a copy of the newest revision of a proposal.
func (s *Store) Get(id string) (Proposal, bool) {
	s.book.mu.Lock()
	defer s.book.mu.Unlock()
	e := s.book.proposals.byID(id)
	if e == nil {
		return Proposal{}, false
	}
	return e.now.clone(), true
}

// MarkShown notes that the user has seen a revision. An older revision than one seen before, or one
// that does not exist, changes nothing.
func (s *Store) MarkShown(id string, revision int) {
	s.book.mu.Lock()
	defer s.book.mu.Unlock()
	if e := s.book.proposals.byID(id); e != nil && revision > e.now.Shown && revision <= e.now.Revision {
		e.now.Shown = revision
	}
}

// Discard drops what sel means of a proposal. Nothing is sent anywhere.
func (s *Store) Discard(sel Selector) (Proposal, error) {
	s.book.mu.Lock()
	e, parts, err := s.book.proposals.choose(sel)
	if err != nil {
		s.book.mu.Unlock()
		return Proposal{}, err
	}
	for _, part := range parts {
		e.now.Files[part.file].set(part.units, HunkDiscarded)
	}
	e.conflict, e.now.Reason = false, ""
	s.book.restate(e, event.ActionDiscard)
	p := e.now.clone()
	s.book.mu.Unlock()
	s.book.changed(p)
	return p, nil
}

// Drop discards what some turns propose and nobody has decided on yet. It returns how many proposals that were.
func (s *Store) Drop(turns []string) int {
	n := 0
	for _, p := range s.Pending() {
		if !slices.Contains(turns, TurnOf(p.Turn)) {
			continue
		}
		if _, err := s.Discard(Selector{Proposal: p.ID, Revision: p.Revision}); err == nil {
			n++
		}
	}
	return n
}

// restate derives the state from the decisions on the hunks, after an action. The caller holds mu.
func (l *ledger) restate(e *entry, after event.UserAction) {
	before := e.now.State
	e.restate()
	l.moved(before, after, e.now.State)
}

// moved tells who watches that a proposal has come from one state to another. The caller holds mu.
func (l *ledger) moved(from event.ProposalState, on event.UserAction, to event.ProposalState) {
	if l.watch != nil {
		l.watch(event.ProposalTransition{From: from, On: on, To: to})
	}
}

// restate derives the state from the decisions on the hunks. The caller holds mu.
func (e *entry) restate() {
	var open, sent, landed bool
	for i := range e.now.Files {
		f := &e.now.Files[i]
		open = open || len(f.with(HunkOpen)) > 0
		sent = sent || len(f.with(HunkSent)) > 0
		landed = landed || len(f.with(HunkLanded)) > 0
	}
	switch {
	case sent || e.uncertain:
		e.now.State = event.ProposalUnverified
	case e.undone:
		e.now.State = event.ProposalUndone
	case open && e.conflict:
		e.now.State = event.ProposalConflict
	case open && landed:
		e.now.State = event.ProposalPartial
	case open:
		e.now.State = event.ProposalPending
	case landed:
		e.now.State = event.ProposalApplied
	default:
		e.now.State = event.ProposalDiscarded
	}
}

// forget drops the oldest decided proposals and deliveries. The caller holds mu.
func (l *ledger) forget() {
	decided := 0
	for _, e := range slices.Backward(l.proposals.list) {
		if done(e) {
			decided++
		}
	}
	l.proposals.list = slices.DeleteFunc(l.proposals.list, func(e *entry) bool {
		if done(e) && decided > keepDecided {
			decided--
			return true
		}
		return false
	})
	if n := len(l.sent.list) - keepDeliveries; n > 0 {
		for _, d := range l.sent.list[:n] {
			l.sent.discount(d)
		}
		l.sent.list = slices.Delete(l.sent.list, 0, n)
	}
}

func done(e *entry) bool {
	return !e.now.Pending() && e.now.State != event.ProposalApplying && e.now.State != event.ProposalUnverified
}

func (l *ledger) changed(p Proposal) {
	l.tellLandings()
	l.mu.Lock()
	if e := l.proposals.byID(p.ID); e != nil {
		l.records.remember(e)
	}
	l.mu.Unlock()
	if l.o.Changed != nil {
		l.o.Changed(p)
	}
	if l.reviewing.Load() {
		l.tellReview()
	}
}

// begin waits for the turn to deliver. The returned function gives it back.
func (l *ledger) begin(ctx context.Context) (func(), error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case l.delivering <- struct{}{}:
		return func() { <-l.delivering }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
