package review

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
)

// Editor is what a review asks of the client; package client has it.
type Editor interface {
	ShowMessage(kind protocol.MessageType, text string)
	LogMessage(kind protocol.MessageType, text string)
	// ShowMessageRequest lets the user pick one of the choices; "" is none.
	ShowMessageRequest(ctx context.Context, kind protocol.MessageType, text string, choices []string) (string, error)
	// ShowDocument opens a document. The error is wire.ErrUnsupported for a client that opens none.
	ShowDocument(ctx context.Context, uri string, takeFocus bool, selection *protocol.Range) (shown bool, err error)
	// CanShowVirtual reports whether the client opens documents that are no files.
	CanShowVirtual() bool
	RefreshContent(ctx context.Context, uri string)
}

// Root is the folder that proposals are for.
type Root struct {
	Dir       string // OS path
	Workspace *workspace.Workspace
	Proposals *proposal.Store
	Open      func(path string) bool // reports whether the client has a document open
}

// Delivery brings a proposal into the client's documents, and knows what became of it there.
type Delivery interface {
	proposal.Delivery
	// LeftOut returns the files that the user did not take in the client's own preview, and those of
	// which a part was taken there.
	LeftOut() (whole, partly []string)
	// Report tells the user what became of it, now or once it is known.
	Report(out proposal.Outcome)
}

// Review shows the proposals of one folder to the user of one client, and does what the user decides. All
// fields are needed. Whatever waits for the user must not be called on the goroutine that reads.
type Review struct {
	Editor     Editor
	Root       Root
	Views      Views
	Words      Words
	AsksItself bool // the client asks the user before it applies an edit
	// DialogBlocks: a dialog keeps the user from scrolling the diff that lies under it, so that none asks about a diff.
	DialogBlocks bool
	DialogTime   time.Duration // how long the dialog waits; afterwards the proposal is still there
	Diffs        *Diffs        // the documents with diffs
	Log          *slog.Logger

	// Quiet waits until the keyboard may be taken. The error is that of ctx.
	Quiet func(ctx context.Context) error
	// Asked marks what the user asks for at this moment, which need not wait for the keyboard.
	Asked func(ctx context.Context) context.Context
	// Deliver makes a delivery of what the user has seen; native lets the client preview the edit.
	Deliver func(native bool) Delivery
	// Origin is the path of the file from which the request of a turn came; "" for none.
	Origin func(turn string) string
	// Refused says why edits of a turn are no part of its proposal.
	Refused func(turn string) []string
	// Name names the document with the diff of a proposal whose first file is about.
	Name func(p *proposal.Proposal, about string) string
}

// DialogTime is how long the dialog waits for a person.
const DialogTime = 10 * time.Minute

// Preview shows a finished proposal in the way that suits the client, and lets the user decide where
// the client has a dialog. asked is a value of the setting preview. It waits for the user.
func (r *Review) Preview(ctx context.Context, p proposal.Proposal, asked string) {
	view := r.Views.Choose(asked, len(p.Warnings) > 0)
	if View(asked) == ViewInline && r.Views.NoActions {
		r.Editor.ShowMessage(protocol.MessageTypeWarning, "Coauthor: This editor has no code actions for hunks, so Coauthor shows the change before applying it. Set preview to diff, or to none to apply changes immediately.")
	}
	if view == ViewNative || view == ViewDiff || view.Unseen() && r.AsksItself {
		if r.Quiet(ctx) != nil {
			return
		}
	}
	if !r.waits(&p) {
		return // decided meanwhile; or a follow-up that waited was quicker: what it made is shown instead
	}
	switch view {
	case ViewNone:
		// The user has asked for changes to be applied unseen; that is the consent, too.
		r.Apply(ctx, &p, false)
	case ViewInline: // the same, and they look at it afterwards
		d := r.Deliver(false)
		out, err := r.Root.Proposals.ApplyAs(ctx, revision(&p), proposal.How{Review: true}, d)
		if out.Status == proposal.StatusApplied && out.Remark == "" {
			out.Remark = "keep or undo each hunk: " + r.Words.How("keepAll")
		}
		r.applied(ctx, &p, d, false, out, err)
	case ViewNative:
		if len(p.Warnings) > 0 { // the client's own view has no place for them
			r.Editor.ShowMessage(protocol.MessageTypeWarning, fmt.Sprintf("Coauthor: %s%s", Warned(&p), p.Label))
		}
		r.markShown(&p)
		r.Apply(ctx, &p, true)
	case ViewClient:
		r.markShown(&p) // it draws what coauthor/pending told it
	case ViewDiff:
		uri, shown, err := r.showDiff(ctx, &p)
		if err != nil {
			r.Log.Warn("diff not shown", "turn", p.Turn, "err", err)
		}
		if now, ok := r.Root.Proposals.Get(p.ID); ok && now.Pending() && now.Revision != p.Revision {
			// It was amended meanwhile, and both are shown in the same document: the newer one has to be the last.
			if _, _, err := r.showDiff(ctx, &now); err != nil {
				r.Log.Warn("diff not shown", "turn", now.Turn, "err", err)
			}
			return
		}
		r.dialog(ctx, &p, seen{uri, shown, err})
	}
}

// Show opens the diff of a proposal again, and returns the proposal and the URI of the document. Our own
// client draws it itself, and has no document.
func (r *Review) Show(ctx context.Context, sel proposal.Selector) (p proposal.Proposal, uri string, err error) {
	p, err = r.Root.Proposals.Find(sel)
	if err != nil {
		return p, "", err
	}
	if r.Views.Pending {
		r.markShown(&p)
		return p, "", nil
	}
	among := r.Root.Proposals.Among(sel)
	uri, shown, err := r.showDiff(ctx, &p)
	if err != nil {
		return p, "", err
	}
	switch {
	case !shown:
		r.pendingMessage(&p, seen{uri: uri})
	case among > 0:
		r.Editor.ShowMessage(protocol.MessageTypeInfo, fmt.Sprintf("Coauthor: %sshown. The code actions list the others.", Newest(among, &p)))
	}
	return p, uri, nil
}

// Apply applies exactly the revision that was shown and tells what came of it. native lets the client
// preview the edit.
func (r *Review) Apply(ctx context.Context, p *proposal.Proposal, native bool) {
	d := r.Deliver(native)
	out, err := r.Root.Proposals.Apply(ctx, revision(p), d)
	r.applied(ctx, p, d, native, out, err)
}

// applied tells what came of applying.
func (r *Review) applied(ctx context.Context, p *proposal.Proposal, d Delivery, native bool, out proposal.Outcome, err error) {
	if errors.Is(err, proposal.ErrDecided) || errors.Is(err, proposal.ErrApplying) || ctx.Err() != nil {
		return // it was decided in another way meanwhile
	}
	if err != nil {
		r.Editor.ShowMessage(protocol.MessageTypeError, "Coauthor: "+err.Error())
		return
	}
	if whole, partly := d.LeftOut(); !native || r.discardLeftOut(p, &out, whole, partly) {
		d.Report(out)
	}
}

// Discard drops what sel means of a proposal, and tells it.
func (r *Review) Discard(sel proposal.Selector) (proposal.Proposal, error) {
	before, _ := r.Root.Proposals.Find(sel)
	among := r.Root.Proposals.Among(sel)
	p, err := r.Root.Proposals.Discard(sel)
	if err == nil {
		left, _, _ := p.Open()
		r.tell(protocol.MessageTypeInfo, "Coauthor: "+Newest(among, &p)+DiscardedText(&before, &p)+".", left > 0 && among == 0)
	}
	return p, err
}

// Report tells the user what became of applying or taking back. Where the editor shows it in the
// documents, they may be other ones than the user looks at.
func (r *Review) Report(out proposal.Outcome) {
	left := 0
	p, ok := r.Root.Proposals.Get(out.Proposal)
	if ok && p.Pending() {
		left, _, _ = p.Open()
	}
	kind := protocol.MessageTypeWarning
	if out.Status == proposal.StatusApplied || out.Status == proposal.StatusUndone {
		kind = protocol.MessageTypeInfo
	}
	went := out.Status == proposal.StatusApplied && out.Remark == "" && out.Reason == ""
	r.tell(kind, "Coauthor: "+Newest(out.Among, &p)+r.Words.Outcome(out, left)+".", went && left > 0 && out.Among == 0)
	r.LogOutcome(kind, out)
}

// LogOutcome has the client log what became of applying or taking back, also where the user is told of it in another way.
func (r *Review) LogOutcome(kind protocol.MessageType, out proposal.Outcome) {
	files := countPaths(out.Files, func(proposal.FileOutcome) bool { return true })
	r.Editor.LogMessage(kind, fmt.Sprintf("Coauthor: %s, %s", out.Status, CountFiles(files)))
}

// tell shows a message, but not of a step: of a part that was decided on as the user meant it, with more of the change to
// decide on. A client that draws pending changes itself shows that at its place, and a message for each hunk would pile up.
func (r *Review) tell(kind protocol.MessageType, text string, step bool) {
	if step && r.Views.Pending {
		r.Editor.LogMessage(kind, text)
		return
	}
	r.Editor.ShowMessage(kind, text)
}

// revision selects the whole of a proposal in the revision that the user was shown.
func revision(p *proposal.Proposal) proposal.Selector {
	return proposal.Selector{Proposal: p.ID, Revision: p.Revision}
}

func (r *Review) markShown(p *proposal.Proposal) { r.Root.Proposals.MarkShown(p.ID, p.Revision) }

// waits says whether a revision still waits for the user's decision.
func (r *Review) waits(p *proposal.Proposal) bool {
	now, ok := r.Root.Proposals.Get(p.ID)
	return ok && now.Pending() && now.Revision == p.Revision
}
