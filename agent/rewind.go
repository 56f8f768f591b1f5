package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
	told, err := s.Conversation.ToldBy(ctx)
	if err != nil {
		return Rewound{}, err
	}
	list := told.Exchanges
	at, err := told.Request(which)
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
