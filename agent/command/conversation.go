package command

import (
	"context"
	"fmt"
	"strings"
	"time"

	"coauthor/agent"
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

// inWords says what became of a change.
func inWords(state event.ProposalState) string {
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

// Conversation returns a conversation to look at. became says what a proposal of it has come to.
func Conversation(ctx context.Context, said *history.Conversation, became func(proposal string) event.ProposalState) (ConversationReport, error) {
	list, err := said.Exchanges(ctx)
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
			line.Became = became(x.Proposal)
			what = inWords(line.Became)
		}
		fmt.Fprintf(&b, "- %d · %s · %s · %s\n", x.Number, x.At.Format("2006-01-02 15:04"), proposal.Label(x.User), what)
	}
	if len(list) == 0 {
		b.WriteString("No requests yet.\n")
	} else {
		b.WriteString("\n`/rewind 2` restores the conversation and files to their state before request 2. `/rewind` alone undoes the last request. `/undo` and `/redo` undo and redo the last change. The editor command `coauthor.undoTurn` undoes the change of any request.\n")
	}
	if place, ok := said.Place(); ok {
		out.File = place
		fmt.Fprintf(&b, "\nThe conversation is saved in %s.\n", out.File)
	}
	out.Text = b.String()
	return out, nil
}

// Suggested are the commands for the shell that the last answer ends with, for the user to run or not. o is what the engine is
// made of.
func Suggested(h *history.History, o agent.Options) []string {
	done := h.Done()
	for len(done) > 0 && done[len(done)-1].Heard() { // the output of one of them, and the others may follow
		done = done[:len(done)-1]
	}
	if len(done) == 0 {
		return nil
	}
	return SuggestedIn(done[len(done)-1], o)
}

// SuggestedIn are those that the answer of an exchange ends with.
func SuggestedIn(x history.Exchange, o agent.Options) []string {
	if o.Environ == nil {
		return nil
	}
	if _, err := o.Coders.ByName(x.Coder); x.Coder != "" && err != nil {
		return nil // the answer of a job is a part of what it made, such as the script that starts a project
	}
	return prose.Commands(x.Prose)
}
