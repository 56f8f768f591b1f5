package pending

import (
	"context"
	"sync"
	"time"

	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/document"
)

// Texts are both sides of one file of a proposal, for an editor that shows its own diff. It is told when they move.
func (c *Changes) Texts(ctx context.Context, sel proposal.Selector, path string) (*TextsView, error) {
	found, texts, err := c.o.Session.Proposals.Texts(sel, path, c.o.Workspace.Snapshot().Within(ctx))
	if err != nil {
		return nil, err
	}
	change := &texts.File.Change
	v := TextsView{TurnID: found.Turn, ProposalID: found.ID, Revision: found.Revision, URI: c.uri(change.Path), Op: string(change.Op),
		Base: texts.Old, New: texts.New, Conflict: texts.Conflict, Hunks: make([]TextHunk, 0, len(texts.Hunks))}
	if change.Op == edits.OpRename {
		v.NewURI = c.uri(change.To)
	}
	if doc, open := c.o.Open(change.Path); open && texts.Old != nil && doc.Text == *texts.Old {
		v.Version = &doc.Version
	}
	before, after, encoding := c.lines(orEmpty(texts.Old)), c.lines(orEmpty(texts.New)), c.o.Encoding()
	for _, h := range texts.Hunks {
		v.Hunks = append(v.Hunks, TextHunk{
			Number: h.Number, Conflict: h.Conflict,
			BaseRange: document.FromProtocol(before.RangeOf(h.OldAt.Start, h.OldAt.End, encoding)),
			NewRange:  document.FromProtocol(after.RangeOf(h.NewAt.Start, h.NewAt.End, encoding)),
		})
	}
	c.fetched.put(fetchedTexts{path: change.Path, proposal: found.ID}, orEmpty(texts.Old))
	return &v, nil
}

// movedPause is how long after a change the client hears that texts have moved: once for what is typed meanwhile.
const movedPause = 150 * time.Millisecond

// Changed is called when a document has changed, on the goroutine that reads. It waits for nothing.
func (c *Changes) Changed(path string) {
	if !c.o.Client.Caps.Pending || len(c.fetched.of(path)) == 0 || !c.fetched.begin() {
		return
	}
	c.o.Tasks.Background(func(ctx context.Context) {
		_ = c.o.Sleep(ctx, movedPause) // with the end of the session nobody is told
		for _, one := range c.fetched.take(func(one fetchedTexts) (string, bool) {
			text, err := c.o.Workspace.Snapshot().Within(ctx).Text(one.path)
			return orEmpty(text), err == nil
		}) {
			if p, known := c.o.Session.Proposals.Get(one.proposal); known && p.Pending() && ctx.Err() == nil {
				c.o.Client.Notify(MethodMoved, &movedParams{TurnID: p.Turn, ProposalID: p.ID, Revision: p.Revision, URI: c.uri(one.path)})
			}
		}
	})
}

// Decided forgets the texts of a proposal that is decided.
func (c *Changes) Decided(id string) { c.fetched.forget(id) }

func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// fetchedTexts names a file of a proposal whose texts the client has.
type fetchedTexts struct {
	path, proposal string
}

// fetched are the texts that the client has, with what the file read when it got them. The zero value is ready.
type fetched struct {
	mu   sync.Mutex
	base map[fetchedTexts]string // guarded by mu
	told map[fetchedTexts]bool   // guarded by mu; the client knows that they are out of date
	soon bool                    // guarded by mu; somebody is about to tell
}

func (f *fetched) put(of fetchedTexts, base string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.base == nil || len(f.base) > mostFetched {
		f.base, f.told = map[fetchedTexts]string{}, map[fetchedTexts]bool{}
	}
	f.base[of] = base
	delete(f.told, of)
}

// mostFetched bounds of how many texts is known that the client has them.
const mostFetched = 1000

// of returns the texts of a file that the client has and does not know to be out of date.
func (f *fetched) of(path string) (list []fetchedTexts) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for one := range f.base {
		if one.path == path && !f.told[one] {
			list = append(list, one)
		}
	}
	return list
}

// begin says whether the caller is to tell of what moved; else somebody is about to.
func (f *fetched) begin() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	begins := !f.soon
	f.soon = true
	return begins
}

// take returns what has moved, by what files read now, and takes the client for told.
func (f *fetched) take(now func(fetchedTexts) (string, bool)) (list []fetchedTexts) {
	f.mu.Lock()
	f.soon = false
	have := make(map[fetchedTexts]string, len(f.base))
	for one, base := range f.base {
		if !f.told[one] {
			have[one] = base
		}
	}
	f.mu.Unlock()
	for one, base := range have {
		if text, ok := now(one); ok && text != base {
			list = append(list, one)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, one := range list {
		f.told[one] = true
	}
	return list
}

// forget drops the texts of a proposal that is decided.
func (f *fetched) forget(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for one := range f.base {
		if one.proposal == id {
			delete(f.base, one)
			delete(f.told, one)
		}
	}
}
