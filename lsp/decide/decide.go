// Package decide brings what the user has decided about the changes of a workspace folder to its end.
//
// A change is applied, taken back or done again through package deliver, and the user is told what came of it: at once,
// or when a client tells late. Where a change meets lines that the user has edited, or files that cannot be written, the
// user is asked what is to be done. A request that follows from a change is started when the change has been applied.
//
// It starts a turn only by the function that it is given, shows nothing itself but messages and dialogs (package review
// shows changes), and knows no server. Start at Decisions.
package decide

import (
	"context"
	"log/slog"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/lsp/client"
	"coauthor/lsp/deliver"
	"coauthor/lsp/review"
	"coauthor/lsp/wire"
)

// Options are what the decisions of a folder are made of. All are required.
type Options struct {
	Client    *client.Client
	Dir       string // OS path of the folder; "" has no files
	Workspace *workspace.Workspace
	Session   *agent.Session
	Asker     event.Asker
	Tasks     *wire.Tasks
	// Landings scales how long the user and the client are waited for.
	Landings *deliver.Landings
	Answers  *review.Answers // the documents that are only read
	Log      *slog.Logger
	// Editor is the client as a delivery sees it at this moment.
	Editor func() deliver.Editor
	// Review is how the changes of the folder are shown.
	Review func() *review.Review
	// URI is that of a file of the folder, as the client spells it.
	URI func(path string) string
	// Start starts a request that the user did not write just now.
	Start func(agent.Request) (agent.Started, error)
}

// Decisions are those of one folder. It is safe for concurrent use, and waits for the client where it takes a context: not
// on the goroutine that reads.
type Decisions struct {
	o         Options
	late      lateOutcomes
	following following // what follows from changes when they are decided on
}

// New returns the decisions of a folder.
func New(o Options) *Decisions { return &Decisions{o: o} }

// Apply brings what sel means of a proposal into the client's documents.
func (d *Decisions) Apply(ctx context.Context, sel proposal.Selector) (proposal.Outcome, error) {
	return d.applyTaking(ctx, sel, proposal.TakeNeither)
}

// applyTaking is Apply for a user who has chosen what is to stand where they have changed the same lines.
func (d *Decisions) applyTaking(ctx context.Context, sel proposal.Selector, take proposal.Take) (proposal.Outcome, error) {
	var o deliver.Options
	if p, err := d.o.Session.Proposals.Find(sel); err == nil {
		if sel.Revision != 0 { // else what was not shown is refused
			if err := d.o.Review().Agreed(ctx, &p); err != nil {
				return proposal.Outcome{}, err
			}
		}
		o.Seen = p.Shown == p.Revision
	}
	return d.Deliver(o, proposal.StatusApplied, func(to proposal.Delivery) (proposal.Outcome, error) {
		return d.o.Session.Proposals.ApplyAs(ctx, sel, proposal.How{Take: take}, to)
	})
}

// Undo takes a turn back as a whole; "" is the last one that was applied.
func (d *Decisions) Undo(ctx context.Context, turn string) (proposal.Outcome, error) {
	return d.Deliver(deliver.Options{}, proposal.StatusUndone, func(to proposal.Delivery) (proposal.Outcome, error) {
		return d.o.Session.Proposals.Undo(ctx, turn, to)
	})
}

// Redo applies an undone turn again.
func (d *Decisions) Redo(ctx context.Context, turn string) (proposal.Outcome, error) {
	return d.Deliver(deliver.Options{}, proposal.StatusApplied, func(to proposal.Delivery) (proposal.Outcome, error) {
		return d.o.Session.Proposals.Redo(ctx, turn, to)
	})
}

// Deliver does what takes a delivery and tells the user what became of it: most editors show no results
// of commands. meant is what it should come to.
func (d *Decisions) Deliver(o deliver.Options, meant proposal.Status, do func(proposal.Delivery) (proposal.Outcome, error)) (proposal.Outcome, error) {
	c := d.Applier(o)
	out, err := do(c)
	if err == nil {
		d.delivered(c.Declined(), out, meant)
	}
	return out, err
}

// Applier delivers to a root through this client.
func (d *Decisions) Applier(o deliver.Options) *deliver.Applier {
	return deliver.New(d.o.Editor(), deliver.Root{
		Dir: d.o.Dir, Workspace: d.o.Workspace, Asker: d.o.Asker, Changed: d.o.Session.FileChanged,
	}, o)
}

// DeliverOwn has the client make one change of a document that the server wrote.
func (d *Decisions) DeliverOwn(ctx context.Context, step proposal.Step) ([]proposal.Landed, error) {
	return d.Applier(deliver.Options{Own: true}).Deliver(ctx, "", []proposal.Step{step})
}

// ForReview delivers what the user has seen. native lets the client preview the edit.
func (d *Decisions) ForReview(native bool) review.Delivery {
	return reviewed{d.Applier(deliver.Options{Seen: true, Native: native}), d}
}

// reviewed is an applier as a review sees it.
type reviewed struct {
	*deliver.Applier
	decisions *Decisions
}

// Report implements review.Delivery.
func (r reviewed) Report(out proposal.Outcome) {
	r.decisions.delivered(r.Declined(), out, proposal.StatusApplied)
}
