package hunks

import (
	"context"
	"fmt"
	"path/filepath"

	"go.lsp.dev/protocol"

	"coauthor/agent/display"
	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/lsp/annotate"
	"coauthor/lsp/document"
	"coauthor/lsp/review"
	"coauthor/lsp/wire"
)

// Options are what the hunks of a folder are made of. All are required.
type Options struct {
	Views     *Views
	Dir       string // OS path of the folder; "" has no files
	Workspace *workspace.Workspace
	Proposals *proposal.Store
	Marks     *annotate.Marks
	// URI names a file of the folder as the client does.
	URI func(path string) string
	// Open finds an open document of the folder by its path; nil for none.
	Open func(path string) *workspace.Document
	// Paths are the files of the folder that the user names by URIs or paths.
	Paths func(names []string) ([]string, error)
	// Focus notes where the user was taken.
	Focus func(uri string, at *protocol.Range)
}

// Hunks are those under review in a folder. They are safe for concurrent use.
type Hunks struct {
	o       Options
	showing wire.Coalesced // what is under review is shown
}

// New makes the hunks of a folder. Changed is to be called when what is under review may have changed.
func New(o Options) *Hunks { return &Hunks{o: o} }

// Left is how many hunks are still to be looked at.
func (h *Hunks) Left() int {
	reviewed := h.o.Proposals.Reviews.Known()
	return len(reviewed.Hunks())
}

// Around is what can be offered at a place: the hunk there, else a deleted file, and whether others can be gone to. all says
// how much is under review where that is more than one hunk.
func (h *Hunks) Around(path string, at protocol.Range) (here []annotate.Hunk, elsewhere bool, all string) {
	if !h.o.Proposals.Reviews.Any() {
		return nil, false, ""
	}
	reviewed := h.o.Proposals.Reviews.Known()
	n := len(reviewed.Hunks())
	if n == 0 {
		return nil, false, ""
	}
	here = h.o.Marks.HunksAt(path, at)
	deleted := h.o.Marks.DeletedHunks()
	elsewhere = n > len(here)+len(deleted)
	if here = here[:min(len(here), 1)]; len(here) == 0 {
		here = deleted[:min(len(deleted), 1)]
	}
	if n > 1 {
		all = count(&reviewed)
	}
	return here, elsewhere, all
}

// count says how much is under review.
func count(r *proposal.Review) string {
	files := map[string]bool{}
	n := 0
	for _, f := range r.Files {
		files[f.Path] = true
		n += len(f.Hunks)
	}
	changes := "1 change"
	if n != 1 {
		changes = fmt.Sprintf("%d changes", n)
	}
	return changes + " in " + review.CountFiles(len(files))
}

// Follow tells the review what a document reads. It waits for nothing: for one that is not open any more the disk is
// read beside the caller.
func (h *Hunks) Follow(path string) {
	store := h.o.Proposals
	if !store.Reviews.Any() {
		return
	}
	now := h.o.Workspace.Snapshot()
	if h.o.Open(path) != nil {
		store.Reviews.Follow(path, now)
		return
	}
	h.o.Views.Tasks.Background(func(ctx context.Context) { store.Reviews.Follow(path, now.Within(ctx)) })
}

// Changed shows what is under review now, where that may have changed. It returns at once.
func (h *Hunks) Changed() { h.o.Views.Tasks.Coalesce(&h.showing, h.show) }

func (h *Hunks) show(ctx context.Context) {
	v := h.o.Views
	v.RefreshLenses()
	reviewed := h.o.Proposals.Reviews.Known()
	if h.o.Views.Marking() == "hints" {
		v.refreshHints(ctx)
	}
	h.o.Marks.ShowHunks(&reviewed)
	if v.Client.Caps.Review {
		v.Client.Notify(MethodReview, h.view(&reviewed))
	}
}

// View describes what is under review in the client's positions, for an editor that shows it itself.
func (h *Hunks) View(ctx context.Context) Review {
	reviewed := h.o.Proposals.Reviews.At(h.o.Workspace.Snapshot().Within(ctx))
	return h.view(&reviewed)
}

func (h *Hunks) view(reviewed *proposal.Review) Review {
	v := Review{Files: make([]file, 0, len(reviewed.Files))}
	if h.o.Dir != "" {
		v.URI = document.URIOfPath(h.o.Dir)
	}
	for i := range reviewed.Files {
		f := &reviewed.Files[i]
		one := file{URI: h.o.URI(f.Path), Op: string(f.Op), TurnID: f.Turn, ProposalID: f.Proposal, Label: display.Message(f.Label),
			Hunks: make([]hunk, 0, len(f.Hunks))}
		if f.From != "" {
			one.OldURI = document.URIOfPath(filepath.Join(h.o.Dir, filepath.FromSlash(f.From)))
		}
		if doc := h.o.Open(f.Path); doc != nil && doc.Text == f.Text {
			one.Version = &doc.Version
		}
		for _, placed := range h.o.Marks.Hunks(f) {
			view := hunk{Number: placed.Number, OldText: placed.Old, Touched: placed.Touched}
			if f.Op != edits.OpDelete {
				at := document.FromProtocol(placed.Range)
				view.Range = &at
			}
			one.Hunks = append(one.Hunks, view)
		}
		v.Files = append(v.Files, one)
	}
	return v
}
