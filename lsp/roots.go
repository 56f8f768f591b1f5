package lsp

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"coauthor/agent"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
	"coauthor/lsp/annotate"
	"coauthor/lsp/chat"
	"coauthor/lsp/decide"
	"coauthor/lsp/document"
	"coauthor/lsp/wire"
)

// rootState is one workspace folder, or the place that stands for one: its files and its session.
type rootState struct {
	dir     string // OS path; "" for the rootless one, in which nothing can be read or changed
	ws      *workspace.Workspace
	session *agent.Session
	// readingOwn: the user's own commands are being read.
	readingOwn atomic.Bool
	reviewing  wire.Coalesced  // what is under review is shown
	marks      *annotate.Marks // what we say of lines of its files
	chat       *chat.Chat
	decisions  *decide.Decisions
	comments   markedComments
	writing    writing
	diffs      diffsToFollow
}

// uri returns the URI of the root; "" for the rootless one.
func (r *rootState) uri() string {
	if r.dir == "" {
		return ""
	}
	return document.URIOfPath(r.dir)
}

// roots is the table of roots. A root is opened when the first of its documents is, so that a
// server without folder and file indexes nothing and writes nothing.
type roots struct {
	s       *server
	engine  *agent.Engine
	lookups lookups
	hints   fileHints  // what the client told of files on disk
	opening sync.Mutex // held while a root is opened
	mu      sync.Mutex
	folders []string              // guarded by mu; OS paths, as the client gave them
	open    map[string]*rootState // guarded by mu; by dir
}

// setFolders adds and removes workspace folders. Turns of a folder that left are cancelled.
func (t *roots) setFolders(add, remove []string) {
	t.mu.Lock()
	t.folders = slices.DeleteFunc(t.folders, func(f string) bool { return slices.Contains(remove, f) })
	for _, f := range add {
		if !slices.Contains(t.folders, f) {
			t.folders = append(t.folders, f)
		}
	}
	var gone []*rootState
	for _, dir := range remove {
		if r := t.open[dir]; r != nil && !slices.Contains(t.folders, dir) {
			gone = append(gone, r)
			delete(t.open, dir)
		}
	}
	t.mu.Unlock()
	for _, r := range gone {
		r.session.Turns.Cancel("")
		t.s.tasks.Background(func(context.Context) { t.close(r) })
	}
}

// leave closes a root that is no folder of the editor and has no open document left, unless something of
// it still runs, waits for the user or can be undone.
func (t *roots) leave(r *rootState) {
	if r == nil || r.dir == "" || slices.ContainsFunc(t.s.docs.All(), func(d *openDocument) bool { return d.Root == r }) || !r.session.Idle() {
		return
	}
	t.mu.Lock()
	if t.open[r.dir] != r || slices.Contains(t.folders, r.dir) {
		t.mu.Unlock()
		return
	}
	delete(t.open, r.dir)
	t.mu.Unlock()
	t.s.tasks.Background(func(context.Context) { t.close(r) })
}

// close closes a root that left the table while the client goes on.
func (t *roots) close(r *rootState) {
	r.marks.Close()
	t.s.roots.closeWorkspace(r)
}

// list returns the folders.
func (t *roots) list() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.folders)
}

// states returns the roots that are open, in the order of their paths.
func (t *roots) states() []*rootState {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := make([]*rootState, 0, len(t.open))
	for _, r := range t.open {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *rootState) int { return strings.Compare(a.dir, b.dir) })
	return list
}

// with returns the open root with a session.
func (t *roots) with(session *agent.Session) *rootState {
	for _, r := range t.states() {
		if r.session == session {
			return r
		}
	}
	return nil
}

// of returns the open root of a workspace.
func (t *roots) of(ws *workspace.Workspace) *rootState {
	for _, r := range t.states() {
		if r.ws == ws {
			return r
		}
	}
	return nil
}

// at returns the root of a directory and makes it if need be. It does not look at the directory: one that
// cannot be opened refuses every path.
func (t *roots) at(dir string) *rootState {
	if r := t.get(dir); r != nil {
		return r
	}
	// The table is not locked while a root is opened: the engine may tell of old proposals then.
	t.opening.Lock()
	defer t.opening.Unlock()
	if r := t.get(dir); r != nil {
		return r
	}
	ws, err := t.s.roots.openWorkspace(dir)
	if err != nil && dir != "" {
		t.s.log.Warn("root not opened", "root", dir, "err", err)
		if r := t.get(""); r != nil {
			return r
		}
		dir = ""
		ws, err = t.s.roots.openWorkspace(dir)
	}
	if err != nil {
		panic(fmt.Sprintf("the rootless workspace opens nothing and cannot fail: %v", err))
	}
	r := &rootState{dir: dir, ws: ws, session: t.engine.Session(ws)}
	r.marks, r.chat = t.s.newMarks(r), t.s.newChat(r)
	r.decisions = t.s.newDecisions(r)
	t.mu.Lock()
	t.open[dir] = r
	t.mu.Unlock()
	r.session.Proposals.WatchReview(func() { t.s.reviewChanged(r) })
	return r
}

// openWorkspace makes a root without a look at the disk: this is on the goroutine that reads, and the folder
// may be slow, or somebody's who means harm.
func (t *roots) openWorkspace(dir string) (*workspace.Workspace, error) {
	return t.s.opts.Workspace(dir, func() settings.Settings { return t.s.config.settings(dir) })
}

func (t *roots) get(dir string) *rootState {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.open[dir]
}

// defaultRoot is the root of what belongs to no file: the root of the document that the user was
// in last, else the first folder, else the rootless root.
func (t *roots) defaultRoot() *rootState {
	if doc, _ := t.s.docs.LastFocused(); doc != nil {
		return doc.Root
	}
	if folders := t.list(); len(folders) > 0 {
		return t.at(folders[0])
	}
	return t.at("")
}

// uriOf returns the URI of a file of a root: in the client's own spelling where the file is open.
func (d *documents) uriOf(r *rootState, path string) string {
	uri := document.URIOfPath(filepath.Join(r.dir, filepath.FromSlash(path)))
	if doc, open := d.Get(uri); open {
		return doc.URI
	}
	return uri
}

// uris returns uriOf for one root.
func (d *documents) uris(r *rootState) func(path string) string {
	return func(path string) string { return d.uriOf(r, path) }
}

// document returns an open document of a root.
func (d *documents) document(r *rootState, path string) (*openDocument, bool) {
	if r.dir == "" || path == "" {
		return nil, false
	}
	return d.Get(document.URIOfPath(filepath.Join(r.dir, filepath.FromSlash(path))))
}

// settings returns what is in force for a root at this moment.
func (s *server) settings(r *rootState) settings.Settings { return s.config.settings(r.dir) }

func (t *roots) closeWorkspace(r *rootState) {
	t.engine.Leave(r.ws)
	if err := r.ws.Close(); err != nil {
		t.s.log.Warn("root not closed", "root", r.dir, "err", err)
	}
}
