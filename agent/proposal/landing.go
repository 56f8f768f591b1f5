package proposal

import (
	"coauthor/agent/event"
	"coauthor/edits"
)

// Landing tells that something delivered is in the user's files now: seen there, not only sent.
type Landing struct {
	Turn, Proposal string
	Revision       int
	Op             string // apply, undo or redo
	Label          string
	Files          []edits.Change // as they landed; what came later is in another Landing of the same delivery
}

// Ref describes the landing for an event.
func (l Landing) Ref() *event.Landed {
	e := &event.Landed{Proposal: l.Proposal, Revision: l.Revision, Action: l.Op}
	for _, c := range l.Files {
		one := event.LandedFile{Path: c.Path, Op: string(c.Op)}
		if c.Op == edits.OpRename {
			one.To = c.To
		}
		e.Files = append(e.Files, one)
	}
	return e
}

// tellLandings tells of all that has landed and that nobody was told of yet. It is called without locks.
func (l *ledger) tellLandings() {
	if l.o.Landed == nil {
		return
	}
	var list []Landing
	l.mu.Lock()
	for _, d := range l.sent.list {
		landing := Landing{Turn: d.turn, Proposal: d.proposal, Revision: d.revision, Op: string(d.op), Label: d.label}
		for i := range d.files {
			if f := &d.files[i]; f.state == LandLanded && !f.told {
				f.told = true
				landing.Files = append(landing.Files, f.change)
			}
		}
		if len(landing.Files) > 0 {
			list = append(list, landing)
		}
	}
	l.mu.Unlock()
	for _, landing := range list {
		l.o.Landed(landing)
	}
}
