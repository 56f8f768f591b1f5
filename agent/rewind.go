package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"coauthor/agent/display"
	"coauthor/agent/history"
	"coauthor/agent/proposal"
)

// What takes a conversation back, in part or as a whole.

// Rewound tells what came of a Rewind.
type Rewound struct {
	Done    bool             // the conversation, and the files, are as they were before the request
	Before  history.Exchange // the request
	Count   int              // how many requests were taken back, that one included
	Dropped int              // pending proposals that were discarded
	Outcome proposal.Outcome // of the files; without a status where there was nothing to take back

	proposed bool // something was proposed in what is taken back, and nothing of it waits
}

// String says in one line for users what came of it.
func (r Rewound) String() string {
	label := fmt.Sprintf("request %d (%s)", r.Before.Number, proposal.Label(r.Before.User))
	if !r.Done {
		reason := strings.TrimSuffix(r.Outcome.Reason, ".")
		if reason == "" {
			reason = "the editor did not confirm the change"
		}
		return fmt.Sprintf("Could not restore the state before %s: %s. The conversation is unchanged.", label, reason)
	}
	text := fmt.Sprintf("Restored the state before %s: %s undone", label, display.Count(r.Count, "request"))
	files := map[string]bool{} // several requests may have changed one
	for _, f := range r.Outcome.Files {
		files[f.Path] = true
	}
	if n := len(files); n > 0 {
		text += ", " + display.Count(n, "file") + " restored"
	}
	if len(r.Outcome.Files) == 0 && r.proposed {
		text += "; there was no change to undo"
	}
	if r.Dropped > 0 {
		text += ", " + display.Count(r.Dropped, "pending change") + " discarded"
	}
	if r.Outcome.Awaited {
		text += "; your editor has not confirmed the files yet"
	}
	return text + "."
}

// Rewind takes the files and the conversation back to before a request: "" is the last one, a number the one of
// that number in the conversation, anything else the id of its turn. What the turns since then have changed is
// taken back as one change, with what the user typed since kept; where that is in the way, nothing is changed
// and the Outcome says why. port is how files are changed.
func (s *Session) Rewind(ctx context.Context, which string, port proposal.Delivery) (Rewound, error) {
	if err := s.Conversation.Restore(ctx); err != nil {
		return Rewound{}, err
	}
	if s.Turns.busy() {
		return Rewound{}, ErrRunning
	}
	told, err := s.told(ctx)
	if err != nil {
		return Rewound{}, err
	}
	list := told.Exchanges
	at, err := findRequest(list, which)
	if err != nil {
		return Rewound{}, err
	}
	r := Rewound{Before: list[at], Count: len(list) - at}
	var turns []string
	for _, x := range list[at:] {
		turns = append(turns, x.Turn)
	}
	switch elsewhere, err := s.Proposals.AppliedElsewhere(ctx, turns); {
	case ctx.Err() != nil:
		return r, ctx.Err()
	case err != nil:
		s.Engine.o.Log.Warn("could not check which changes other programs applied", "error", err)
	case elsewhere:
		r.Outcome = proposal.Outcome{Status: proposal.StatusConflict, Reason: "another running program, such as your editor, applied these changes, and only that program can undo them; " +
			"rewind there, or close it and try again"}
		return r, nil
	}
	r.Outcome, err = s.Proposals.Rewind(ctx, turns, port)
	switch {
	case errors.Is(err, proposal.ErrNotUndone):
		r.Outcome = proposal.Outcome{}
	case err != nil:
		return r, err
	case r.Outcome.Status != proposal.StatusUndone && !r.Outcome.Awaited:
		return r, nil
	}
	r.Done, r.Dropped = true, s.Proposals.Drop(turns)
	r.proposed = r.Dropped == 0 && slices.ContainsFunc(list[at:], func(x history.Exchange) bool { return x.Proposal != "" })
	s.Conversation.BackTo(told, at)
	return r, nil
}

// findRequest finds an exchange in a list by its number or its turn; "" is the last.
func findRequest(list []history.Exchange, which string) (int, error) {
	if len(list) == 0 {
		return 0, errors.New("nothing to rewind; this conversation has no requests yet")
	}
	if which == "" {
		return len(list) - 1, nil
	}
	number, err := strconv.Atoi(which)
	for i, x := range slices.Backward(list) {
		if x.Turn == which || err == nil && x.Number == number {
			return i, nil
		}
	}
	return 0, fmt.Errorf("this conversation has no request %s; choose a number from %d to %d", which, list[0].Number, list[len(list)-1].Number)
}

// Exchanges returns the exchanges of the conversation, oldest first: those of the transcript where there is
// one, because it has more of them than memory.
func (s *Session) Exchanges(ctx context.Context) ([]history.Exchange, error) {
	told, err := s.told(ctx)
	return told.Exchanges, err
}

// told is the conversation as Exchanges gives it.
func (s *Session) told(ctx context.Context) (told history.Told, err error) {
	if err := s.Conversation.Restore(ctx); err != nil {
		return history.Told{}, err
	}
	if stopped := await(ctx, func() { told = s.Conversation.Told() }); stopped != nil {
		return history.Told{}, stopped
	}
	return told, nil
}

// Reset forgets what was said and takes all files and pages out of the chat; what is proposed stays.
func (s *Session) Reset() int {
	s.Chosen.Clear()
	return s.Conversation.Clear()
}
