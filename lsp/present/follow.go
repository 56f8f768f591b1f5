package present

import (
	"context"
	"maps"
	"path"
	"slices"
	"sync"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/review"
)

// Follow has the documents with the diff of a proposal show what is left of it. It returns at once.
func (p *Presenter) Follow(id string) {
	if len(p.diffsOf(id)) == 0 || !p.diffs.put(id) {
		return
	}
	p.o.Tasks.Background(func(ctx context.Context) {
		for list := p.diffs.take(); len(list) > 0 && ctx.Err() == nil; list = p.diffs.take() {
			for _, id := range list {
				for _, name := range p.diffsOf(id) {
					p.follow(ctx, id, name)
				}
			}
		}
	})
}

// diffsOf are the names of the documents with the diff of a proposal.
func (p *Presenter) diffsOf(id string) []string {
	return p.o.Documents.names.Which(func(about key) bool { return about.Root == p && about.Proposal == id })
}

// follow brings one of these documents up to date, as far as it is of what the proposal is now.
func (p *Presenter) follow(ctx context.Context, id, name string) {
	now, known := p.o.Session.Proposals.Get(id)
	about, _ := p.o.Documents.names.Owner(name)
	if !known || now.State == event.ProposalApplying || about.Turn != now.Turn || about.Attempt != now.Attempt {
		return
	}
	if p.o.Client.CanShowVirtual() {
		p.o.Client.RefreshContent(ctx, review.VirtualURI(name))
		return
	}
	var open *string
	if doc, is := p.o.Open(path.Join(review.OwnFolder, name)); is && !doc.Uncertain {
		open = &doc.Text
	} else if is {
		return
	}
	p.Review().FollowDiff(ctx, &now, name, open, p.rewriter())
}

// rewriter changes documents of ours that the client has open; nil for a client that asks the user each time, or may put
// the text into another one than it is for.
func (p *Presenter) rewriter() review.Rewrite {
	q := *p.o.Client.Quirks
	if !p.o.Client.Caps.ApplyEdit || q.AsksItself || q.ChangesLate || q.IgnoresVersions {
		return nil
	}
	return func(ctx context.Context, path, before, after string) bool {
		doc, open := p.o.Open(path)
		if !open || doc.Text != before {
			return false
		}
		step := proposal.Step{Change: edits.Change{Op: edits.OpUpdate, Path: path, Before: before, After: after},
			Hunks: edits.Diff(before, after), Open: true, Version: doc.Version}
		landed, err := p.o.Deliver(ctx, step)
		if err != nil || len(landed) == 0 || landed[0].State != proposal.LandLanded {
			p.o.Log.Info("diff not updated", "path", path, "err", err)
			return false
		}
		return true
	}
}

// pending are proposals that are seen to one at a time. The zero value is ready.
type pending struct {
	mu      sync.Mutex
	running bool            // guarded by mu
	ids     map[string]bool // guarded by mu
}

// put adds a proposal, and says whether the caller is to see to them; else somebody does so.
func (d *pending) put(id string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ids == nil {
		d.ids = map[string]bool{}
	}
	d.ids[id] = true
	begins := !d.running
	d.running = true
	return begins
}

// take returns the proposals that there are; none is the end.
func (d *pending) take() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := slices.Sorted(maps.Keys(d.ids))
	d.ids, d.running = nil, len(list) > 0
	return list
}
