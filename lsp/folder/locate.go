package folder

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"coauthor/agent/workspace"
	"coauthor/lsp/document"
	"coauthor/lsp/review"
)

// Where a document belongs. For a file in a folder of the editor its name tells. For another one the disk
// has to be asked for the repository above it, and a disk may not answer: so that is done beside the
// goroutine that reads, which goes on after a moment with a document that has no place yet. All messages
// about it are taken as they come, and it gets its place when the answer is there.

// Moment is how long the goroutine that reads waits for the disk. Nearly always that is enough, and then
// nobody ever sees a document without a place.
const Moment = 100 * time.Millisecond

// lookups are the questions to the disk that are on their way, one for each directory.
type lookups struct {
	mu    sync.Mutex
	byDir map[string]*lookup // guarded by mu
	late  int                // guarded by mu; those for which somebody waited in vain
}

// lookup is one question.
type lookup struct {
	answered chan struct{} // closed when root is there
	root     string        // written before answered is closed
	late     bool          // guarded by lookups.mu
}

// start asks for the root of a file that is in no folder, or joins whoever asks already.
func (l *lookups) start(abs string) *lookup {
	dir := filepath.Dir(abs)
	l.mu.Lock()
	defer l.mu.Unlock()
	if one := l.byDir[dir]; one != nil {
		return one
	}
	one := &lookup{answered: make(chan struct{})}
	if l.byDir == nil {
		l.byDir = map[string]*lookup{}
	}
	l.byDir[dir] = one
	go func() { // ends when the disk answers, which nothing can hasten
		root := workspace.RootOf(abs, nil)
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.byDir, dir)
		if one.late {
			l.late--
		}
		one.root = root
		close(one.answered)
	}()
	return one
}

// soon waits a moment for the answer. While an earlier one is late it does not, so that a disk that hangs
// costs the moment once.
func (l *lookups) soon(one *lookup, moment time.Duration) (answered bool) {
	l.mu.Lock()
	hangs := l.late > 0
	l.mu.Unlock()
	if hangs {
		moment = 0
	}
	select {
	case <-one.answered:
		return true
	default:
	}
	if moment == 0 {
		return false
	}
	timer := time.NewTimer(moment)
	defer timer.Stop()
	select {
	case <-one.answered:
		return true
	case <-timer.C:
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-one.answered: // just now
		return true
	default:
	}
	if !one.late {
		one.late = true
		l.late++
	}
	return false
}

// Locate maps a URI to its root and its path there, without the open documents and without a look at the
// disk. known is false for a file in no folder of the editor, whose root only the disk tells; r is nil then.
func (t *Table) Locate(uri string) (r *Folder, path string, known bool) {
	abs, ok := document.PathOfURI(uri)
	if !ok {
		return t.Default(), "", true
	}
	dir := workspace.FolderOf(abs, t.List())
	if dir == "" {
		return nil, "", false
	}
	r = t.At(dir)
	return r, r.path(abs), true
}

// path is where a file lies below the root; "" for what is no file there.
func (r *Folder) path(abs string) string {
	if r.Dir == "" {
		return ""
	}
	rel, err := filepath.Rel(r.Dir, abs)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// seek is Locate for whoever can wait for the disk. The error is that of ctx.
func (t *Table) seek(ctx context.Context, uri string) (r *Folder, path string, err error) {
	r, path, known := t.Locate(uri)
	if known {
		return r, path, nil
	}
	abs, _ := document.PathOfURI(uri)
	one := t.lookups.start(abs)
	select {
	case <-one.answered:
		r = t.At(one.root)
		return r, r.path(abs), nil
	case <-ctx.Done():
		return nil, "", ctx.Err()
	}
}

// Settle finds the place of a document that is opened, or whose folder has left. For one whose disk does not
// answer it says that it is unplaced, and the document is moved when it is known. It runs on the goroutine
// that reads.
func (t *Table) Settle(uri string) (r *Folder, path string, unplaced bool) {
	r, path, known := t.Locate(uri)
	if known {
		return r, path, false
	}
	abs, _ := document.PathOfURI(uri)
	one := t.lookups.start(abs)
	if t.lookups.soon(one, Moment) {
		r = t.At(one.root)
		return r, r.path(abs), false
	}
	t.o.Log.Info("the disk is not responding; the document has no folder until it does", "file", abs)
	t.o.Tasks.Background(func(ctx context.Context) {
		if r, path, err := t.seek(ctx, uri); err == nil {
			t.place(uri, r, path)
		}
	})
	return t.At(""), "", true
}

// place moves a document that had no place to its root.
func (t *Table) place(uri string, r *Folder, path string) {
	t.o.Syncing.Lock()
	defer t.o.Syncing.Unlock()
	doc, open := t.o.Documents.Get(uri)
	if !open || !doc.Unplaced {
		return
	}
	t.o.Documents.Put(doc.MovedTo(r, path))
	if doc, _ = t.o.Documents.Get(uri); doc.Path != "" {
		r.Workspace.Put(doc.Document)
		t.o.Landings.Tell()
		r.Session.Mapper.Prepare()
	}
}

// Find maps a URI to its root and its path there, however it is spelled. It waits for the disk if it has
// to, so it is not for the goroutine that reads. The path is "" for what is no file below the root.
func (t *Table) Find(ctx context.Context, uri string) (r *Folder, path string, err error) {
	if doc, open := t.o.Documents.Get(uri); open && !doc.Unplaced {
		return doc.Root, doc.Path, nil
	}
	if r, path, err = t.seek(ctx, uri); err == nil {
		t.place(uri, r, path)
	}
	return r, path, err
}

// Document is an open document and the root it belongs to, which is never nil.
type Document = document.Document[*Folder]

// KindOf says whose a document is; no command is about the text of one that the server wrote.
func KindOf(uri, path string) document.Kind {
	switch {
	case review.IsPrompt(path):
		return document.Prompt
	case strings.HasPrefix(path, review.OwnFolder+"/"), strings.HasPrefix(uri, review.VirtualScheme+":"):
		return document.Ours
	}
	return document.Users
}

// Ours reports whether a URI is that of a document that the server wrote, open or not.
func (t *Table) Ours(uri string) bool {
	if uri == "" {
		return false
	}
	if doc, open := t.o.Documents.Get(uri); open && !doc.Unplaced {
		return KindOf(doc.URI, doc.Path) != document.Users
	}
	if strings.HasPrefix(uri, review.VirtualScheme+":") {
		return true
	}
	abs, ok := document.PathOfURI(uri)
	if !ok {
		return false
	}
	if dir := workspace.FolderOf(abs, t.List()); dir != "" {
		rel, err := filepath.Rel(dir, abs)
		return err == nil && strings.HasPrefix(filepath.ToSlash(rel), review.OwnFolder+"/")
	}
	return filepath.Base(filepath.Dir(abs)) == review.OwnFolder // as workspace.RootOf has it
}
