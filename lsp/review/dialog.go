package review

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"

	"coauthor/agent/proposal"
	"coauthor/lsp/document"
)

// The choices of the dialog. Closing it, or not answering, keeps the proposal pending.
const (
	ChoiceApply   = "Apply"
	ChoiceDiscard = "Discard"
	ChoiceShow    = "Show diff"
	ChoiceKeep    = "Keep pending"
)

// seen is what became of showing a diff.
type seen struct {
	uri   string // where it is
	shown bool
	err   error // why there is none to look at; nil where the user can open it
}

// dialog asks what to do with a proposal. Whatever is no clear answer leaves it pending, and then one message tells how to
// go on. Where nobody could read the diff under a dialog, that message is all. What nobody could see is applied only when the
// user says so twice.
func (r *Review) dialog(ctx context.Context, p *proposal.Proposal, diff seen) {
	if r.DialogBlocks {
		switch {
		case !r.waits(p):
		case diff.shown:
			r.shownMessage(p)
		default:
			r.pendingMessage(p, diff)
		}
		return
	}
	for {
		choices := []string{ChoiceApply, ChoiceDiscard, ChoiceKeep}
		if !diff.shown {
			// An accidental Enter takes the first one.
			choices = []string{ChoiceShow, ChoiceApply, ChoiceDiscard, ChoiceKeep}
		}
		if r.Quiet(ctx) != nil || !r.waits(p) {
			return // decided, or amended, while the user typed
		}
		limit, cancel := context.WithTimeout(ctx, r.DialogTime)
		choice, err := r.Editor.ShowMessageRequest(limit, Severity(p),
			fmt.Sprintf("Coauthor: %s%s%s (%s)%s", Warned(p), diff.unseen(), p.Label, OpenSize(p), r.beside(p)), choices)
		cancel()
		if ctx.Err() != nil {
			return
		}
		ctx = r.Asked(ctx)
		switch choice {
		case ChoiceApply:
			if r.Agreed(ctx, p) != nil {
				r.pendingMessage(p, diff)
				return
			}
			r.markShown(p)
			r.Apply(ctx, p, false)
			return
		case ChoiceDiscard:
			_, err := r.Discard(revision(p))
			if err != nil && !errors.Is(err, proposal.ErrDecided) {
				r.Editor.ShowMessage(protocol.MessageTypeWarning, "Coauthor: "+err.Error())
			}
			return
		case ChoiceShow:
			u, ok, err := r.showDiff(ctx, p)
			if diff = (seen{u, ok, err}); !ok {
				r.pendingMessage(p, diff)
				return
			}
			continue
		}
		if !r.waits(p) {
			return // decided, or amended, in another way
		}
		if err != nil {
			r.Log.Debug("no dialog", "err", err)
		}
		if err != nil || choice == "" || !diff.shown {
			r.pendingMessage(p, diff)
		}
		return
	}
}

// unseen says as the beginning of a message why there is no diff to look at; "" where there is one.
func (s seen) unseen() string {
	if s.err == nil {
		return ""
	}
	return "Cannot show the diff: " + strings.TrimSuffix(s.err.Error(), ".") + ". "
}

// choiceUnseen applies what nobody could look at.
const choiceUnseen = "Apply anyway"

// ErrUnseen says that a change could not be shown and that the user has not agreed to apply it all the same.
var ErrUnseen = errors.New("the change was not applied because its diff could not be shown")

// Agreed asks once more whether to apply a change, where it could not be shown; ErrUnseen is no.
func (r *Review) Agreed(ctx context.Context, p *proposal.Proposal) error {
	diff := seen{err: r.Diffs.unseen(p.ID)}
	if diff.err == nil {
		return nil
	}
	limit, cancel := context.WithTimeout(ctx, r.DialogTime)
	defer cancel()
	choice, err := r.Editor.ShowMessageRequest(limit, protocol.MessageTypeWarning,
		fmt.Sprintf("Coauthor: %sApply the change without seeing the diff? %s (%s)", diff.unseen(), p.Label, OpenSize(p)), []string{ChoiceKeep, choiceUnseen})
	if err != nil || choice != choiceUnseen {
		return fmt.Errorf("%w: %w", ErrUnseen, diff.err)
	}
	return nil
}

// shownMessage tells how to decide on a proposal whose diff is on the screen: in one line, also where the editor puts
// words of its own before it and has 80 columns.
func (r *Review) shownMessage(p *proposal.Proposal) {
	r.Editor.ShowMessage(Severity(p), fmt.Sprintf("Coauthor: %s%s. Apply or discard %s.", Warned(p), OpenSize(p), r.how()))
	r.markShown(p)
}

// how says how the user decides without a dialog.
func (r *Review) how() string {
	if apply, ok := r.Words.module("apply"); ok {
		return "with " + apply + " or " + r.Words.How("discard")
	}
	if r.Words.Menu != "" {
		return "with " + r.Words.Menu
	}
	return "with a code action"
}

// pendingMessage tells that a proposal waits, where it can be looked at and how to decide. With that
// the user has what there is to see, so it counts as shown; not before, or it could be applied unseen
// in the moment between. Where there is no diff to look at it says why, and counts as not shown.
func (r *Review) pendingMessage(p *proposal.Proposal, diff seen) {
	if diff.err != nil {
		r.Editor.ShowMessage(protocol.MessageTypeWarning, fmt.Sprintf("Coauthor: %s%sA change is pending (%s). Discard it, or fix the problem and show it again: %s. You asked: %s.",
			Warned(p), diff.unseen(), OpenSize(p), r.Words.How("showPending"), strings.TrimRight(p.Label, ".")))
		return
	}
	// A status line cuts the end off: what to do comes first.
	text := fmt.Sprintf("Coauthor: %sA change is pending (%s). Apply or discard it %s. You asked: %s%s.", Warned(p), OpenSize(p), r.how(),
		strings.TrimRight(p.Label, "."), r.beside(p))
	if abs, ok := document.PathOfURI(diff.uri); ok {
		text += " The diff is in " + within(r.Root.Dir, abs) + "."
	}
	r.Editor.ShowMessage(Severity(p), text)
	r.markShown(p)
}

// beside says what the model wanted and is no part of the proposal: the reason where there is one, else
// how many there are, which the diff names.
func (r *Review) beside(p *proposal.Proposal) string {
	switch refused := r.Refused(p.Turn); len(refused) {
	case 0:
		return ""
	case 1:
		return "; not applied: " + strings.TrimSuffix(refused[0], ".")
	default:
		return fmt.Sprintf("; %d edits were refused (see the diff)", len(refused))
	}
}

// within is how a path is written in a message: short where it is in the folder.
func within(dir, abs string) string {
	if rel, err := filepath.Rel(dir, abs); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return abs
}
