package review

import (
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"coauthor/agent/display"
	"coauthor/agent/proposal"
)

// mostHidden is how many of the lines with hidden characters are named; the diff has them all.
const mostHidden = 5

// Warnings are what a user is told first of all about a proposal: its own warnings, and the lines that
// do not look like what they are. The diff and the hunks stay exact, since editors and git apply them.
func Warnings(p *proposal.Proposal) []string {
	var list []string
	for _, w := range p.Warnings {
		list = append(list, display.Message(w))
	}
	hidden := proposal.HiddenLines(*p)
	for i, h := range hidden {
		if i == mostHidden {
			list = append(list, fmt.Sprintf("%d more lines have hidden characters", len(hidden)-i))
			break
		}
		list = append(list, display.Message(fmt.Sprintf("line %d of %s has hidden characters: %s", h.Line, h.Path, h.Text)))
	}
	return list
}

// Warned is what the checks say against a proposal, to stand before all else about it; "" for
// nothing. A message is short: the diff has all of them.
func Warned(p *proposal.Proposal) string {
	list := Warnings(p)
	switch n := len(list); n {
	case 0:
		return ""
	case 1:
		return "warning: " + strings.TrimSuffix(list[0], ".") + ". "
	default:
		return fmt.Sprintf("first of %d warnings: %s. ", n, strings.TrimSuffix(list[0], "."))
	}
}

// Severity is that of a message about a proposal.
func Severity(p *proposal.Proposal) protocol.MessageType {
	if len(p.Warnings) > 0 {
		return protocol.MessageTypeWarning
	}
	return protocol.MessageTypeInfo
}
