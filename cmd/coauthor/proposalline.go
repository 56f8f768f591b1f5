package main

import (
	"coauthor/agent/event"
	"coauthor/agent/proposal"
)

// proposalLine is an event with the change itself, when that comes to be: who reads lines of JSON has no other way to see it.
type proposalLine struct {
	event.Event
	Proposal *proposalWithDiff `json:"proposal,omitempty"`
}

type proposalWithDiff struct {
	*event.ProposalRef
	Diff string `json:"diff"` // as git and patch take it
}

// withDiff is what is printed of an event as JSON.
func (h *headless) withDiff(e event.Event) any {
	if e.Kind != event.KindProposal || e.Proposal == nil || e.Proposal.State != event.ProposalPending {
		return e
	}
	p, ok := h.session.Proposals.Get(e.Proposal.ID)
	if !ok || p.Revision != e.Proposal.Revision {
		return e
	}
	return proposalLine{e, &proposalWithDiff{e.Proposal, proposal.DiffText(p)}}
}
