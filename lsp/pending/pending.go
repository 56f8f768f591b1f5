// Package pending tells a client that draws diffs itself of the changes of a workspace folder which wait for the user.
//
// It describes a change with its hunks in the positions of the client, while the model writes it (coauthor/draft) and
// whenever its state changes (coauthor/pending), gives both sides of a file (coauthor/getTexts), and tells when these are
// out of date. It decides nothing and asks nobody. Start at Changes.
package pending

import (
	"context"
	"path/filepath"
	"time"

	"coauthor/agent"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/lsp/client"
	"coauthor/lsp/deliver"
	"coauthor/lsp/document"
	"coauthor/lsp/review"
	"coauthor/lsp/wire"
)

// Options are what the changes of a folder are told from. All are required.
type Options struct {
	Client    *client.Client
	Dir       string // OS path of the folder; "" has no files
	Workspace *workspace.Workspace
	Session   *agent.Session
	Tasks     *wire.Tasks
	Sleep     func(ctx context.Context, d time.Duration) error
	// Encoding is in what the client counts, which it says when it starts.
	Encoding func() document.Encoding
	// Open finds an open document of the folder by its path.
	Open func(path string) (deliver.Document, bool)
	// Review is how the changes of the folder are shown.
	Review func() *review.Review
}

// Changes are those of one folder. It is safe for concurrent use.
type Changes struct {
	o       Options
	fetched fetched
}

// New returns the changes of a folder.
func New(o Options) *Changes { return &Changes{o: o} }

// announce sends coauthor/pending with the present state of a proposal, where the client knows it.
func (c *Changes) announce(id string) {
	if !c.o.Client.Caps.Pending {
		return
	}
	if p, ok := c.o.Session.Proposals.Get(id); ok {
		c.o.Client.Notify(MethodPending, c.View(&p))
	}
}

// Announce announces what became of a proposal. Of a turn that proposes after each of its rounds the client
// draws one change at a time: the next one when that before it is decided on.
func (c *Changes) Announce(p *event.ProposalRef) {
	now, ok := c.o.Session.Proposals.Get(p.ID)
	if !ok || p.Round == 0 {
		c.announce(p.ID)
		return
	}
	first := "" // of the rounds that wait
	for _, other := range c.o.Session.Proposals.Pending() {
		if first == "" && proposal.RoundOf(other.Turn) > 0 && proposal.TurnOf(other.Turn) == proposal.TurnOf(now.Turn) {
			first = other.ID
		}
	}
	if !now.Pending() || first == p.ID {
		c.announce(p.ID)
	}
	if !now.Pending() && now.State != event.ProposalApplying && first != "" {
		c.announce(first)
	}
}

// Show opens the diff of a proposal again.
func (c *Changes) Show(ctx context.Context, sel proposal.Selector) (View, error) {
	p, uri, err := c.o.Review().Show(ctx, sel)
	if err != nil {
		return View{}, err
	}
	v := c.View(&p)
	v.URI = uri
	return v, nil
}

// View describes a proposal with its hunks in the client's positions.
func (c *Changes) View(p *proposal.Proposal) View {
	v := View{
		TurnID: p.Turn, ProposalID: p.ID, Revision: p.Revision, State: string(p.State), Label: display.Message(p.Label), Warnings: review.Warnings(p),
		Verdict: display.Message(p.Verdict), Attempts: review.Attempts(p),
		Files: make([]File, 0, len(p.Files)),
	}
	if v.Attempts != nil {
		v.Attempt = p.Attempt
	}
	files := review.InOrder(p, c.o.Review().Origin(p.Turn))
	for i := range files {
		v.Files = append(v.Files, c.viewFile(&files[i]))
	}
	return v
}

func (c *Changes) viewFile(f *proposal.File) File {
	added, removed := f.Open()
	v := File{
		URI: c.uri(f.Change.Path), Op: string(f.Change.Op), Added: added, Removed: removed,
		Hunks: make([]Hunk, 0, len(f.Hunks)),
	}
	if f.Change.Op == edits.OpRename {
		v.NewURI = document.URIOfPath(filepath.Join(c.o.Dir, filepath.FromSlash(f.Change.To)))
	}
	if len(f.Hunks) == 0 {
		v.State = string(f.Done[0])
	}
	if f.Base.Open {
		v.Version = &f.Base.Version
	}
	before, encoding := c.lines(f.Change.Before), c.o.Encoding()
	for _, h := range f.Hunks {
		at := before.RangeOf(h.OldStart, h.OldEnd, encoding)
		v.Hunks = append(v.Hunks, Hunk{
			Number: h.Number, OldRange: document.FromProtocol(at), OldText: h.Old, NewText: h.New, State: string(f.Done[h.Number]),
		})
	}
	return v
}

// Draft sends coauthor/draft: what a turn has changed as far as the model has written it.
func (c *Changes) Draft(turn string, changes []edits.Change) {
	v := draftView{TurnID: turn, URI: c.root(), Files: make([]File, 0, len(changes))}
	for _, change := range changes {
		f := proposal.File{Change: change, Hunks: edits.Diff(change.Before, change.After)}
		if doc, open := c.o.Open(change.Path); open && doc.Text == change.Before {
			f.Base = proposal.Base{Open: true, Version: doc.Version}
		}
		v.Files = append(v.Files, c.viewFile(&f))
	}
	c.o.Client.Notify(MethodDraft, &v)
}

// lines builds the table of a text as the client counts.
func (c *Changes) lines(text string) document.Lines {
	return document.LinesOf(text, c.o.Client.Quirks.OnlyLF)
}

// uri returns the URI of a file of the folder: in the client's own spelling where the file is open.
func (c *Changes) uri(path string) string {
	if doc, open := c.o.Open(path); open {
		return doc.URI
	}
	return document.URIOfPath(filepath.Join(c.o.Dir, filepath.FromSlash(path)))
}

// root returns the URI of the folder; "" where there is none.
func (c *Changes) root() string {
	if c.o.Dir == "" {
		return ""
	}
	return document.URIOfPath(c.o.Dir)
}
