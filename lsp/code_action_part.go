package lsp

import (
	"fmt"
	"path"

	"coauthor/agent/proposal"
	"coauthor/lsp/document"
	"coauthor/lsp/review"
)

// What a place is about of a proposal that waits: in the document with its diff the file or the hunk on the line, in a file
// of the user's the hunks that would change something there. Each can be decided on by itself.

// partOffer is such a part and what can be offered of it.
type partOffer struct {
	review.Part
	of           proposal.Proposal
	hunks, files bool // the hunks, or the files, can be decided on without the rest
}

// partAt finds the part that a place is about; nil for none. In the document of one proposal the others are left out of the
// situation. In a file of the user's that asks for a comparison, which is not made unless the user has asked.
func (s *server) partAt(place actionPlace, now *situation, automatic bool) *partOffer {
	if p, ok := s.own.shownIn(place.doc.URI, place.doc.Path); ok {
		now.waiting = nil
		if !p.Pending() {
			return nil
		}
		now.waiting = []proposal.Proposal{p}
		return offerOf(p, func() (review.Part, bool) {
			first, last := int(place.rng.Start.Line), int(place.rng.End.Line)
			if last > first && place.rng.End.Character == 0 {
				last--
			}
			return review.PartAt(&p, place.doc.Text, first, last)
		}, true)
	}
	if automatic || now.ours || place.doc.Path == "" {
		return nil
	}
	for _, p := range now.waiting {
		part := offerOf(p, func() (review.Part, bool) {
			start, end := place.doc.Lines.Span(place.rng, s.docs.encoding)
			return review.PartIn(&p, place.doc.Path, place.doc.Text, start, end)
		}, false)
		if part != nil {
			return part
		}
	}
	return nil
}

// offerOf says what can be offered of a part. In the diff that is all but what "apply pending change" means as well; elsewhere
// the file stands for its only hunk.
func offerOf(p proposal.Proposal, find func() (review.Part, bool), inDiff bool) *partOffer {
	part, ok := find()
	if !ok {
		return nil
	}
	files, units := 0, 0
	for i := range p.Files {
		if n := len(p.Files[i].Undecided()); n > 0 {
			files, units = files+1, units+n
		}
	}
	one := &partOffer{Part: part, of: p, hunks: len(part.Hunks) > 0 && units > len(part.Hunks), files: files > len(part.Files)}
	if !one.hunks && !one.files {
		return nil
	}
	if f, found := p.File(part.Files[0]); found && !inDiff && len(f.Undecided()) == len(part.Hunks) {
		one.hunks = false
	}
	return one
}

// shownIn returns the proposal that a document of ours shows the diff of, as far as that is still the one.
func (o *ownDocuments) shownIn(uri, in string) (proposal.Proposal, bool) {
	name := path.Base(in)
	if kindOf(uri, in) != document.Ours {
		return proposal.Proposal{}, false
	}
	if in == "" {
		name = review.VirtualName(uri)
	}
	key, known := o.names.Owner(name)
	if !known || key.Proposal == "" {
		return proposal.Proposal{}, false
	}
	p, known := key.Root.session.Proposals().Get(key.Proposal)
	return p, known && p.Turn == key.Turn && p.Attempt == key.Attempt
}

// these names some things at a place.
func these(what string, n int) string {
	if n == 1 {
		return "this " + what
	}
	return fmt.Sprintf("these %d %ss", n, what)
}
