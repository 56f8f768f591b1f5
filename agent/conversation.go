package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"coauthor/agent/event"
	"coauthor/agent/history"
	"coauthor/agent/proposal"
	"coauthor/agent/prose"
)

// ConversationReport is a conversation to look at.
type ConversationReport struct {
	Text     string        `json:"text"`           // all of it, as Markdown
	File     string        `json:"file,omitempty"` // where it is kept, on this machine; "" is nowhere
	Requests []RequestLine `json:"requests"`
}

// RequestLine is one request of a conversation.
type RequestLine struct {
	Number     int       `json:"number"`
	TurnID     string    `json:"turnId"`
	Said       string    `json:"said"`
	At         time.Time `json:"at"`
	ProposalID string    `json:"proposalId,omitempty"`
	// Became is the state of its proposal; "" for one that is not known any more, and for none.
	Became event.ProposalState `json:"became,omitempty"`
}

// became says what became of a change.
func became(state event.ProposalState) string {
	switch state {
	case event.ProposalPending, event.ProposalApplying:
		return "change pending"
	case event.ProposalConflict:
		return "change pending, in conflict with your edits"
	case event.ProposalPartial:
		return "change partially applied"
	case event.ProposalApplied:
		return "change applied"
	case event.ProposalUnverified:
		return "change sent to the editor but not confirmed"
	case event.ProposalDiscarded:
		return "change discarded"
	case event.ProposalUndone:
		return "change undone"
	case event.ProposalSuperseded:
	}
	return "change"
}

// Page returns a page of the conversation, oldest first: at most so many exchanges before that of a number, 0 for the end.
// Each has its Prose, and more says that there are others before them.
func (s *Session) Page(ctx context.Context, before, most int) (page []history.Exchange, more bool, err error) {
	list, err := s.Exchanges(ctx)
	if err != nil {
		return nil, false, err
	}
	for before > 0 && len(list) > 0 && list[len(list)-1].Number >= before {
		list = list[:len(list)-1]
	}
	first := max(0, len(list)-most)
	page = slices.Clone(list[first:])
	for i := range page {
		if x := &page[i]; x.Prose == "" { // what was read of a transcript
			x.Prose = proseIn(x.Format)(x.Reply)
		}
	}
	return page, first > 0, nil
}

// Report returns the conversation of the session to look at.
func (s *Session) Report(ctx context.Context) (ConversationReport, error) {
	list, err := s.Exchanges(ctx)
	if err != nil {
		return ConversationReport{}, err
	}
	out := ConversationReport{Requests: []RequestLine{}}
	var b strings.Builder
	b.WriteString("# Coauthor: this conversation\n\n")
	for _, x := range list {
		out.Requests = append(out.Requests, RequestLine{Number: x.Number, TurnID: x.Turn, Said: x.User, At: x.At, ProposalID: x.Proposal})
		what := "answered"
		if x.Proposal != "" {
			line := &out.Requests[len(out.Requests)-1]
			line.Became = s.Proposals.Became(x.Proposal)
			what = became(line.Became)
		}
		fmt.Fprintf(&b, "- %d · %s · %s · %s\n", x.Number, x.At.Format("2006-01-02 15:04"), proposal.Label(x.User), what)
	}
	if len(list) == 0 {
		b.WriteString("No requests yet.\n")
	} else {
		b.WriteString("\n`/rewind 2` restores the conversation and files to their state before request 2. `/rewind` alone undoes the last request. `/undo` and `/redo` undo and redo the last change. The editor command `coauthor.undoTurn` undoes the change of any request.\n")
	}
	if place, ok := s.Conversation.Place(); ok {
		out.File = place
		fmt.Fprintf(&b, "\nThe conversation is saved in %s.\n", out.File)
	}
	out.Text = b.String()
	return out, nil
}

// Suggested are the commands for the shell that the last answer ends with, for the user to run or not.
func (s *Session) Suggested() []string {
	x, ok := s.Conversation.History.Last()
	if !ok || s.Engine.o.Environ == nil {
		return nil
	}
	if _, err := s.Engine.o.Coders.ByName(x.Coder); x.Coder != "" && err != nil {
		return nil // the answer of a job is a part of what it made, such as the script that starts a project
	}
	return prose.Commands(x.Prose)
}
