package main

import (
	"context"
	"fmt"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/cmd/coauthor/chat"
	"coauthor/edits"
)

// What the question whether to apply a change can be answered with on a terminal, beside yes and no.
const (
	choiceAll   = "all"
	choiceParts = "parts"
	choiceAgain = "retry"
)

// choiceAttempt is the answer that takes another attempt.
func choiceAttempt(n int) string { return fmt.Sprintf("attempt %d", n) }

// taken makes another attempt the change, where the answer to the question is one; ok is false for every other answer.
func (h *headless) taken(p proposal.Proposal, answer string) (next proposal.Proposal, ok bool, err error) {
	for i := range p.Attempts {
		if answer == choiceAttempt(i+1) {
			next, err = h.session.Proposals.TakeAttempt(proposal.Selector{Proposal: p.ID, Revision: p.Revision}, i+1)
			return next, true, err
		}
	}
	return next, false, nil
}

// choices are the answers to that question for a change: parts of it, where it has more than one, and the request again. No
// two words begin with the same letter.
func (h *headless) choices(p proposal.Proposal) []string {
	list := []string{"yes", "no", choiceAll}
	if len(p.Files) > 1 || len(p.Files) == 1 && divisible(&p.Files[0]) {
		list = append(list, choiceParts)
	}
	if h.session.Turns.Regenerable(p) {
		list = append(list, choiceAgain)
	}
	if len(p.Attempts) > 1 {
		for i := range p.Attempts {
			if i+1 != p.Attempt {
				list = append(list, choiceAttempt(i+1))
			}
		}
	}
	return list
}

// divisible says that the hunks of a file can be taken one by one.
func divisible(f *proposal.File) bool { return f.Change.Op == edits.OpUpdate && len(f.Undecided()) > 1 }

// chooseParts asks about each file, and about each hunk of it where the user wants that, and discards what is not wanted.
// All takes what is asked about with the rest: of the change, or of the file. taken says that something is left, whole that
// all of it is.
func (h *headless) chooseParts(ctx context.Context, p proposal.Proposal) (taken, whole bool, err error) {
	whole = true
	all := false // everything from here on
	drop := func(path string, hunks ...int) error {
		whole = false
		_, err := h.session.Proposals.Discard(proposal.Selector{Proposal: p.ID, Revision: p.Revision, Files: []string{path}, Hunks: hunks})
		return err
	}
	for i := range p.Files {
		f := &p.Files[i]
		if all {
			break
		}
		added, removed := f.Counts()
		q := event.Question{Text: fmt.Sprintf("%s %s (+%d -%d)?", applyVerb(f.Change.Op), f.Path(), added, removed), Choices: []string{"yes", "no", choiceAll}, Default: "no"}
		if divisible(f) {
			q.Choices = append(q.Choices, "hunks")
		}
		a, err := h.put(ctx, q)
		if err != nil {
			return false, false, err
		}
		switch a.Choice {
		case "yes", choiceAll:
			taken, all = true, a.Choice == choiceAll
			continue
		case "hunks":
		default:
			if err := drop(f.Path()); err != nil {
				return false, false, err
			}
			continue
		}
		for _, n := range f.Undecided() {
			h.out.hunk(chat.Only(f, []int{n}))
			a, err := h.put(ctx, event.Question{Text: fmt.Sprintf("Apply hunk %d of %s?", n, f.Path()), Choices: []string{"yes", "no", choiceAll}, Default: "no"})
			switch {
			case err != nil:
			case a.Choice == "no":
				err = drop(f.Path(), n)
			default:
				taken = true
			}
			if err != nil {
				return false, false, err
			}
			if a.Choice == choiceAll {
				break // the rest of this file is taken with it
			}
		}
	}
	return taken, whole, nil
}

func applyVerb(op edits.Op) string {
	switch op {
	case edits.OpCreate:
		return "Create"
	case edits.OpDelete:
		return "Delete"
	case edits.OpRename:
		return "Move"
	case edits.OpUpdate:
	}
	return "Change"
}

// sameModel is the answer to the question which model to ask again that takes the one that was asked.
const sameModel = "same"

// again sends the request once more, to the same model or to another one, and decides on what comes. asked is false where the
// user names none.
func (h *headless) again(ctx context.Context, c *EditCmd) (asked bool, code int, err error) {
	a, err := h.put(ctx, event.Question{Text: "Which model should retry? Type its name, or \"same\" for the same model (Enter: do not retry):", FreeText: true})
	name := strings.TrimSpace(a.Text)
	if err != nil || name == "" {
		return false, 1, err
	}
	if name == sameModel {
		name = ""
	}
	r, err := h.session.Again(ctx, name)
	if err != nil {
		return true, 1, err
	}
	result, err := h.turnFor(ctx, r, h)
	if err != nil {
		return true, 1, err
	}
	if result.Proposal == nil {
		code, err = h.unchanged(result)
		return true, code, err
	}
	code, err = h.decide(ctx, c, result)
	return true, code, err
}

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
