package review

import (
	"context"
	"path"
	"strings"
	"sync"

	"coauthor/agent/proposal"
)

// The document with the diff of a proposal follows it: what was applied or discarded goes out of it. It is a courtesy: each
// decision has been told, and the numbers of the hunks stay, so that one that is behind can still be used.

// Diffs knows how the documents with diffs read that lie below .coauthor, by name. The zero value is ready.
type Diffs struct {
	mu   sync.Mutex
	docs map[string]diffText // guarded by mu
	none map[string]error    // guarded by mu; why a proposal could not be shown, by its id
}

// cannot notes why a proposal could not be shown; nil is one that could.
func (d *Diffs) cannot(id string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil {
		delete(d.none, id)
		return
	}
	if d.none == nil {
		d.none = map[string]error{}
	}
	d.none[id] = err
}

func (d *Diffs) unseen(id string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.none[id]
}

type diffText struct {
	text   string
	edited bool // in the client, where it is not saved
}

func (d *Diffs) text(name string) (text string, known bool) {
	one, known := d.get(name)
	return one.text, known
}

func (d *Diffs) get(name string) (diffText, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	one, known := d.docs[name]
	return one, known
}

func (d *Diffs) put(name, text string) { d.set(name, diffText{text: text}) }

func (d *Diffs) set(name string, one diffText) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.docs == nil {
		d.docs = map[string]diffText{}
	}
	d.docs[name] = one
}

// Rewrite has the client change an open document from one text to another; false is one that was left as it is.
type Rewrite func(ctx context.Context, path, before, after string) bool

// FollowDiff brings the document with the diff of a proposal up to date. open is what the client has of it; nil is not
// open. rewrite changes it there; nil where the client had better not be asked. What the user has changed in it stays as it
// is. One that is as it was opened is left so when all is decided: it would be a document to save, and nothing is left to
// read in it.
func (r *Review) FollowDiff(ctx context.Context, p *proposal.Proposal, name string, open *string, rewrite Rewrite) {
	was, known := r.Diffs.get(name)
	text := r.DiffDocument(p)
	if !known || was.text == text {
		return
	}
	if open == nil {
		if !r.Root.Workspace.Door().OnDisk(path.Join(OwnFolder, name)) {
			return // the user has taken it away
		}
		if _, err := r.Root.Workspace.StateDocument(name, text); err != nil {
			r.Log.Info("diff not updated", "name", name, "err", err)
			return
		}
		r.Diffs.put(name, text)
		return
	}
	if rewrite == nil || !p.Pending() && !was.edited || !sameLines(*open, was.text) || r.Quiet(ctx) != nil {
		return
	}
	// Only the lines differ that the client writes in its own way.
	after := text
	if strings.Contains(*open, "\r\n") && !strings.Contains(was.text, "\r\n") {
		after = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if rewrite(ctx, path.Join(OwnFolder, name), *open, after) {
		r.Diffs.set(name, diffText{text: text, edited: true})
	}
}

// sameLines compares two texts but for how their lines end.
func sameLines(a, b string) bool {
	plain := func(text string) string { return strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n") }
	return plain(a) == plain(b)
}
