package folder

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/jsonrpc2"

	"coauthor/agent"
	"coauthor/agent/workspace"
	"coauthor/lsp/annotate"
	"coauthor/lsp/chat"
	"coauthor/lsp/decide"
	"coauthor/lsp/deliver"
	"coauthor/lsp/document"
	"coauthor/lsp/hunks"
	"coauthor/lsp/pending"
	"coauthor/lsp/present"
	"coauthor/lsp/wire"
)

// Folder is one workspace folder, or the place that stands for one: its files, its session, and what belongs to them. Its
// parts are set when it is opened.
type Folder struct {
	Dir       string // OS path; "" for the rootless one, in which nothing can be read or changed
	Workspace *workspace.Workspace
	Session   *agent.Session
	Custom    *Custom
	Marks     *annotate.Marks // what we say of lines of its files
	Hunks     *hunks.Hunks    // what is under review
	Chat      *chat.Chat
	Decisions *decide.Decisions
	Shown     *present.Presenter
	Pending   *pending.Changes // what the client is told of changes that wait
	Comments  *Comments
}

// URI returns the URI of the folder; "" for the rootless one.
func (r *Folder) URI() string {
	if r.Dir == "" {
		return ""
	}
	return document.URIOfPath(r.Dir)
}

// TableOptions are what a table is made of. All are required.
type TableOptions struct {
	// Workspace opens a directory without a look at the disk: this is on the goroutine that reads, and the folder may be
	// slow, or somebody's who means harm.
	Workspace func(dir string) (*workspace.Workspace, error)
	// Fill sets the parts of a folder that is opened, beside its workspace and session.
	Fill func(*Folder)
	// Documents are those that the client has open; Syncing is held while they are changed.
	Documents *document.Table[*Folder]
	Syncing   *sync.Mutex
	Landings  *deliver.Landings
	Tasks     *wire.Tasks
	Log       *slog.Logger
}

// Table is the folders of a connection. One is opened when the first of its documents is, so that a server without folder
// and file indexes nothing and writes nothing. It is safe for concurrent use.
type Table struct {
	// Engine makes the sessions. It is set before the first folder is opened.
	Engine *agent.Engine

	o       TableOptions
	lookups lookups
	hints   fileHints  // what the client told of files on disk
	opening sync.Mutex // held while a root is opened
	mu      sync.Mutex
	folders []string           // guarded by mu; OS paths, as the client gave them
	open    map[string]*Folder // guarded by mu; by dir
}

// NewTable returns a table without folders.
func NewTable(o TableOptions) *Table { return &Table{o: o, open: map[string]*Folder{}} }

// Change adds and removes workspace folders. Turns of a folder that left are cancelled.
func (t *Table) Change(add, remove []string) {
	t.mu.Lock()
	t.folders = slices.DeleteFunc(t.folders, func(f string) bool { return slices.Contains(remove, f) })
	for _, f := range add {
		if !slices.Contains(t.folders, f) {
			t.folders = append(t.folders, f)
		}
	}
	var gone []*Folder
	for _, dir := range remove {
		if r := t.open[dir]; r != nil && !slices.Contains(t.folders, dir) {
			gone = append(gone, r)
			delete(t.open, dir)
		}
	}
	t.mu.Unlock()
	for _, r := range gone {
		r.Session.Turns.Cancel("")
		t.o.Tasks.Background(func(context.Context) { t.left(r) })
	}
}

// Leave closes a root that is no folder of the editor and has no open document left, unless something of
// it still runs, waits for the user or can be undone.
func (t *Table) Leave(r *Folder) {
	if r == nil || r.Dir == "" || slices.ContainsFunc(t.o.Documents.All(), func(d *Document) bool { return d.Root == r }) || !r.Session.Idle() {
		return
	}
	t.mu.Lock()
	if t.open[r.Dir] != r || slices.Contains(t.folders, r.Dir) {
		t.mu.Unlock()
		return
	}
	delete(t.open, r.Dir)
	t.mu.Unlock()
	t.o.Tasks.Background(func(context.Context) { t.left(r) })
}

// left closes a root that left the table while the client goes on.
func (t *Table) left(r *Folder) {
	r.Marks.Close()
	t.Close(r)
}

// List returns the folders.
func (t *Table) List() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.folders)
}

// Open returns the roots that are open, in the order of their paths.
func (t *Table) Open() []*Folder {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := make([]*Folder, 0, len(t.open))
	for _, r := range t.open {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *Folder) int { return strings.Compare(a.Dir, b.Dir) })
	return list
}

// With returns the open root with a session.
func (t *Table) With(session *agent.Session) *Folder {
	for _, r := range t.Open() {
		if r.Session == session {
			return r
		}
	}
	return nil
}

// Of returns the open root of a workspace.
func (t *Table) Of(ws *workspace.Workspace) *Folder {
	for _, r := range t.Open() {
		if r.Workspace == ws {
			return r
		}
	}
	return nil
}

// At returns the root of a directory and makes it if need be. It does not look at the directory: one that
// cannot be opened refuses every path.
func (t *Table) At(dir string) *Folder {
	if r := t.Get(dir); r != nil {
		return r
	}
	// The table is not locked while a root is opened: the engine may tell of old proposals then.
	t.opening.Lock()
	defer t.opening.Unlock()
	if r := t.Get(dir); r != nil {
		return r
	}
	ws, err := t.o.Workspace(dir)
	if err != nil && dir != "" {
		t.o.Log.Warn("root not opened", "root", dir, "err", err)
		if r := t.Get(""); r != nil {
			return r
		}
		dir = ""
		ws, err = t.o.Workspace(dir)
	}
	if err != nil {
		panic(fmt.Sprintf("the rootless workspace opens nothing and cannot fail: %v", err))
	}
	r := &Folder{Dir: dir, Workspace: ws, Session: t.Engine.Session(ws)}
	t.o.Fill(r)
	t.mu.Lock()
	t.open[dir] = r
	t.mu.Unlock()
	return r
}

// Get returns the open folder of a directory; nil for none.
func (t *Table) Get(dir string) *Folder {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.open[dir]
}

// Default is the root of what belongs to no file: the root of the document that the user was
// in last, else the first folder, else the rootless root.
func (t *Table) Default() *Folder {
	if doc, _ := t.o.Documents.LastFocused(); doc != nil {
		return doc.Root
	}
	if folders := t.List(); len(folders) > 0 {
		return t.At(folders[0])
	}
	return t.At("")
}

// Close closes a folder while the server ends.
func (t *Table) Close(r *Folder) {
	t.Engine.Leave(r.Workspace)
	if err := r.Workspace.Close(); err != nil {
		t.o.Log.Warn("root not closed", "root", r.Dir, "err", err)
	}
}

// Paths turns what a user named, URIs or paths, into paths of a root. What lies elsewhere is an
// error that names it.
func (t *Table) Paths(r *Folder, names []string) ([]string, error) {
	var list []string
	for _, name := range names {
		if !strings.Contains(name, "://") && !strings.HasPrefix(name, "file:") {
			list = append(list, name) // the door checks it
			continue
		}
		in, path, err := t.Find(t.o.Tasks.Context(), name)
		if err != nil {
			return nil, err
		}
		if in != r || path == "" {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s is not a file in %s", name, r.Dir)
		}
		list = append(list, path)
	}
	return list, nil
}
