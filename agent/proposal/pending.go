package proposal

import (
	"maps"
	"slices"

	"coauthor/agent/event"
	"coauthor/edits"
)

// Pending proposals outlive their session: each stands in the journal with its texts when it is made,
// and with what was decided on it since. Who opens the root next takes over those that still wait.

// The records of a proposal: its content, and the decisions on it.
const (
	RecordProposal RecordKind = "proposal"
	RecordDecision RecordKind = "decision"
)

// keepPending bounds how many waiting proposals are taken over.
const keepPending = keepDecided

// remember writes what is known of a proposal. The caller holds mu, so that the order of the lines is
// that of the events. A lost line costs nothing but the proposal or the decision that it tells of.
func (k *records) remember(e *entry) {
	if k.o.Journal == nil || !k.o.KeepPending {
		return
	}
	kind := RecordDecision
	if e.written != e.now.Revision {
		kind, e.written = RecordProposal, e.now.Revision
	}
	k.o.Journal.appendLazily(k.recordOf(kind, e))
}

func (k *records) recordOf(kind RecordKind, e *entry) Record {
	p := &e.now
	r := Record{Kind: kind, Time: k.o.Clock(), Root: k.root, Proposal: p.ID, Revision: p.Revision, State: p.State, Reason: p.Reason}
	if kind == RecordProposal {
		r.Turn, r.Label, r.Warnings, r.Verdict, r.Created = p.Turn, p.Label, p.Warnings, p.Verdict, p.Created
		r.Attempt = p.Attempt
		for _, a := range e.attempts {
			one := recordAttempt{Label: a.Label, Files: []RecordFile{}, Warnings: a.Warnings}
			for i := range a.Changes {
				one.Files = append(one.Files, recordOfChange(&a.Changes[i]))
			}
			r.Attempts = append(r.Attempts, one)
		}
	}
	for i := range p.Files {
		f := &p.Files[i]
		one := RecordFile{Path: f.Change.Path}
		if kind == RecordProposal {
			one = recordOfChange(&f.Change)
			one.Base, one.Protected, one.Listed = f.Base, f.Protected, f.Listed
		}
		one.Done = maps.Clone(f.Done)
		r.Files = append(r.Files, one)
	}
	return r
}

// kept is a proposal as the journal tells of it.
type kept struct {
	now      Proposal
	attempts []Attempt
	taken    bool // its records lie in a file that was claimed
}

// waiting returns the proposals of a root that nobody has decided on, oldest first.
func waiting(records []Record, root string) []kept {
	var list []kept
	at := map[string]int{}
	for _, r := range records {
		if r.Root != root || r.Proposal == "" {
			continue
		}
		i, known := at[r.Proposal]
		switch {
		case r.Kind == RecordProposal:
			p, ok := proposalOf(r)
			if !ok {
				continue
			}
			if !known {
				i = len(list)
				at[r.Proposal], list = i, append(list, kept{})
			}
			list[i] = kept{now: p, attempts: attemptsOf(r), taken: r.taken}
		case r.Kind == RecordDecision && known && r.Revision == list[i].now.Revision && len(r.Files) == len(list[i].now.Files):
			list[i].now.State, list[i].now.Reason = r.State, r.Reason
			for n, f := range r.Files {
				list[i].now.Files[n].Done = maps.Clone(f.Done)
			}
		}
	}
	return slices.DeleteFunc(list, func(k kept) bool {
		if k.now.State == event.ProposalApplying { // its process ended before it knew how that went
			k.now.State = event.ProposalPending
		}
		return !k.now.Pending()
	})
}

// proposalOf makes a proposal of its record again. It is false for one that cannot be worked with.
func proposalOf(r Record) (Proposal, bool) {
	p := Proposal{ID: r.Proposal, Turn: r.Turn, Root: r.Root, Label: r.Label, Revision: r.Revision, State: r.State,
		Created: r.Created, Reason: r.Reason, Warnings: r.Warnings, Verdict: r.Verdict, Attempt: r.Attempt}
	for _, f := range r.Files {
		c, ok := f.change()
		if !ok {
			return p, false
		}
		p.Files = append(p.Files, File{Change: c, Base: f.Base, Protected: f.Protected, Listed: f.Listed, Hunks: edits.Diff(c.Before, c.After), Done: maps.Clone(f.Done)})
	}
	return p, len(p.Files) > 0 && p.Turn != "" && p.Revision > 0
}

// attemptsOf are the attempts of a record, nil where one of them cannot be worked with: their numbers are what users name.
func attemptsOf(r Record) []Attempt {
	var list []Attempt
	for _, a := range r.Attempts {
		one := Attempt{Label: a.Label, Warnings: a.Warnings}
		for _, f := range a.Files {
			c, ok := f.change()
			if !ok {
				return nil
			}
			one.Changes = append(one.Changes, c)
		}
		if len(one.Changes) == 0 {
			return nil
		}
		list = append(list, one)
	}
	if r.Attempt < 1 || r.Attempt > len(list) {
		return nil
	}
	return list
}

// restore adds the proposals that wait to those of this store. None of them counts as shown: the user
// looks at it again before it is applied. It returns what to tell of, and the records that are to stand
// for those whose files were claimed.
func (l *ledger) restore(records []Record) (told []Proposal, stand []Record) {
	list := waiting(records, l.root)
	now := l.o.Clock()
	list = slices.DeleteFunc(list, func(k kept) bool {
		return !k.now.Created.IsZero() && now.Sub(k.now.Created) > keepJournals
	})
	list = list[max(0, len(list)-keepPending):]
	l.mu.Lock()
	defer l.mu.Unlock()
	var fresh []*entry
	for _, k := range list {
		if l.proposals.byID(k.now.ID) != nil {
			continue // our own
		}
		e := &entry{now: k.now, written: k.now.Revision}
		for i := range e.now.Files {
			f := &e.now.Files[i]
			for n := range f.Done {
				if !slices.Contains(f.units(), n) {
					delete(f.Done, n)
				}
			}
		}
		e.came(k.attempts, k.now.Attempt)
		e.undone, e.uncertain = l.sent.standing(e)
		e.conflict = e.now.State == event.ProposalConflict
		e.restate()
		if k.taken {
			stand = append(stand, l.records.recordOf(RecordProposal, e))
		}
		if l.o.KeepPending { // who does not keep them only passes them on
			fresh = append(fresh, e)
			told = append(told, e.now.clone())
		}
	}
	l.proposals.list = append(fresh, l.proposals.list...)
	return told, stand
}
