package lsptest

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

// workspace is what a client has of the user's work: its documents, the folders on disk, and what it makes of edits. It
// knows no connection. Guarded by its owner's lock.
type workspace struct {
	profile Profile
	roots   []string
	check   *checker
	tells   func(Notice)                  // takes what the server is told of documents
	later   func(time.Duration, func())   // runs something after a while
	say     func(format string, a ...any) // reports a broken rule
	buffers map[string]*buffer            // by path
	order   []string                      // paths in the order of opening
	focus   string                        // path of the buffer in front
	opening bool                          // an edit of the server opens files
}

// Notice is what a client tells of one document.
type Notice struct {
	Method   string // textDocument/didOpen, didChange, didSave or didClose
	URI      string
	Language string    // of didOpen
	Version  int32     // of didOpen and didChange
	Text     string    // all of it, of didOpen and didChange
	Change   *TextEdit // what a didChange tells in place of the text; nil for the text
}

// Params are the parameters of the notification.
func (n Notice) Params() map[string]any {
	doc := map[string]any{"uri": n.URI}
	params := map[string]any{"textDocument": doc}
	switch n.Method {
	case "textDocument/didOpen":
		doc["languageId"], doc["version"], doc["text"] = n.Language, n.Version, n.Text
	case "textDocument/didChange":
		doc["version"] = n.Version
		change := map[string]any{"text": n.Text}
		if n.Change != nil {
			change = map[string]any{"range": n.Change.Range, "text": n.Change.NewText}
		}
		params["contentChanges"] = []any{change}
	}
	return params
}

// Workspace is the client without a connection, for tests in which the server's side is called directly or in which
// the test decides what becomes of each edit: it holds the documents, judges edits as an Editor does, and carries out
// those that it is given. What texts an edit may bring, and whether the user has agreed to them, it does not judge: they
// are the test's own. It is safe for concurrent use.
//
// Files have names below the folder; a file URI is the client's own spelling of one.
type Workspace struct {
	mu sync.Mutex
	workspace
}

// NewWorkspace makes a client of a profile with a folder and no documents. It calls tells, which must not use the
// Workspace, for what a client tells its server of documents. Broken rules fail the test.
func NewWorkspace(t testing.TB, p Profile, folder string, tells func(Notice)) *Workspace {
	t.Helper()
	w := &Workspace{workspace: workspace{
		profile: p, roots: []string{filepath.Clean(folder)}, tells: tells, buffers: map[string]*buffer{},
		say: func(format string, a ...any) {
			t.Helper()
			t.Errorf("[%s] %s", p.Name, fmt.Sprintf(format, a...))
		},
		later: func(_ time.Duration, f func()) { f() },
	}}
	w.check = newChecker(&w.workspace, capabilities(t, p, Options{}), "", w.say)
	w.check.phase, w.check.anyText = phaseReady, true
	return w
}

// Play changes how the client behaves from now on.
func (w *Workspace) Play(change func(p *Profile)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change(&w.profile)
	raw, err := json.Marshal(w.profile.Capabilities)
	if err == nil {
		w.check.caps, err = parseTree(raw)
	}
	if err != nil {
		w.say("capabilities: %v", err)
	}
}

// Count sets the agreed unit of positions, which is utf-16 without it.
func (w *Workspace) Count(encoding string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.check.encoding = encoding
}

// relative spells a path as the user reads it: below its folder, with slashes.
func (w *workspace) relative(abs string) string {
	for _, r := range w.roots {
		if inside(abs, r) {
			if rel, err := filepath.Rel(r, abs); err == nil {
				return filepath.ToSlash(rel)
			}
		}
	}
	return abs
}

// place gives the path of a name, and its URI.
func (w *workspace) place(name string) (abs, uri string) {
	if abs, ok := pathOf(name); ok {
		return filepath.Clean(abs), name
	}
	abs = filepath.Join(w.roots[0], filepath.FromSlash(name))
	return abs, uriOf(abs)
}

// Put gives a document a text and a version, and opens it when it is not open.
func (w *Workspace) Put(name, text string, version int32) {
	w.mu.Lock()
	defer w.mu.Unlock()
	abs, uri := w.place(name)
	b := w.buffer(abs)
	if b == nil {
		w.openBuffer(abs, uri, text, version, false)
		return
	}
	b.become(text, version)
	b.toldVersion = version - 1 // it is told whatever it was
	w.tell(b)
}

// Type gives an open document a new text, as its user does.
func (w *Workspace) Type(name, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	abs, _ := w.place(name)
	b := w.buffer(abs)
	if b == nil {
		w.say("typed into %s, which is not open", name)
		return
	}
	b.become(text, b.version+1)
	w.tell(b)
}

// Close closes a document; its text is lost.
func (w *Workspace) Close(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	abs, _ := w.place(name)
	if b := w.buffer(abs); b != nil {
		w.drop(b)
	}
}

// Opened lists the names of the open documents, sorted.
func (w *Workspace) Opened() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var names []string
	for abs := range maps.Keys(w.buffers) {
		names = append(names, w.relative(abs))
	}
	slices.Sort(names)
	return names
}

// Text gives what the user has of a file: the open document, or what stands on disk.
func (w *Workspace) Text(name string) (text string, exists bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	abs, _ := w.place(name)
	return w.text(abs)
}

// Receive judges a workspace/applyEdit as it came from the server and gives what it asks for.
func (w *Workspace) Receive(params json.RawMessage) ApplyEdit {
	w.mu.Lock()
	defer w.mu.Unlock()
	tree, err := parseTree(params)
	if err != nil {
		w.say("workspace/applyEdit: %v", err)
		return ApplyEdit{}
	}
	id := json.RawMessage(`"edit"`)
	w.check.received(Message{ID: id, Method: "workspace/applyEdit", Params: tree})
	w.check.answered(id)
	asked, err := applyEditOf(tree)
	if err != nil {
		w.say("workspace/applyEdit: %v", err)
	}
	w.check.applyEdit(asked, tree)
	return asked
}

// Apply carries an edit out, tells of it, and returns why that failed. What was done before a failure stays, as the
// profile has it.
func (w *Workspace) Apply(edit WorkspaceEdit) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	touched, _, err := w.perform(edit.steps())
	w.tellThese(touched)
	return err
}
