package proposal

import "coauthor/edits"

// Landing tells that something delivered is in the user's files now: seen there, not only sent.
type Landing struct {
	Turn, Proposal string
	Revision       int
	Op             string // apply, undo or redo
	Label          string
	Files          []edits.Change // as they landed; what came later is in another Landing of the same delivery
}

// tellLandings tells of all that has landed and that nobody was told of yet. It is called without locks.
func (s *Store) tellLandings() {
	if s.o.Landed == nil {
		return
	}
	var list []Landing
	s.mu.Lock()
	for _, d := range s.sent.list {
		l := Landing{Turn: d.turn, Proposal: d.proposal, Revision: d.revision, Op: string(d.op), Label: d.label}
		for i := range d.files {
			if f := &d.files[i]; f.state == LandLanded && !f.told {
				f.told = true
				l.Files = append(l.Files, f.change)
			}
		}
		if len(l.Files) > 0 {
			list = append(list, l)
		}
	}
	s.mu.Unlock()
	for _, l := range list {
		s.o.Landed(l)
	}
}
