package present

import (
	"path"

	"coauthor/agent/proposal"
	"coauthor/lsp/review"
)

// Documents are those that the server writes, of all folders of a connection. The zero value is ready.
type Documents struct {
	Origins review.Origins // what prompt documents were opened for
	Answers review.Answers
	diffs   review.Diffs
	names   review.Names[*Presenter] // of those about turns
}

// key is what a document is about.
type key = review.Key[*Presenter]

// Content returns the text of a virtual diff: that of its proposal as it stands now.
func (d *Documents) Content(uri string) (string, bool) {
	about, known := d.names.Owner(review.VirtualName(uri))
	if !known {
		return "", false
	}
	p, known := about.Root.o.Session.Proposals.Get(about.Proposal)
	if !known {
		return "", false
	}
	return about.Root.Review().DiffDocument(&p), true
}

// ShownIn returns the proposal that a document of ours shows the diff of, as far as that is still the one. in is the path of
// one that is a file; "" is a virtual one.
func (d *Documents) ShownIn(uri, in string) (proposal.Proposal, bool) {
	name := path.Base(in)
	if in == "" {
		name = review.VirtualName(uri)
	}
	about, known := d.names.Owner(name)
	if !known || about.Proposal == "" {
		return proposal.Proposal{}, false
	}
	p, known := about.Root.o.Session.Proposals.Get(about.Proposal)
	return p, known && p.Turn == about.Turn && p.Attempt == about.Attempt
}
