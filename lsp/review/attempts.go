package review

import (
	"slices"

	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
)

// Attempts are those that a user can choose from, fit to be seen: their labels hold what programs wrote. nil where there is
// no choice.
func Attempts(p *proposal.Proposal) []event.AttemptRef {
	if len(p.Attempts) < 2 {
		return nil
	}
	list := slices.Clone(p.Attempts)
	for i := range list {
		list[i].Label = display.Message(list[i].Label)
	}
	return list
}
