package proposal

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"coauthor/agent/workspace"
	"coauthor/edits"
)

// editor is a Delivery over open documents in memory that does as a well-behaved editor does.
type editor struct {
	t    *testing.T
	root string

	mu    sync.Mutex
	ws    *workspace.Workspace
	files map[string]string // the truth
	// answer, when set, is asked for each step before it is carried out.
	answer func(Step) (Landed, bool)
	before func() // called when a plan arrives, before anything is carried out
	plans  [][]Step
	ver    int32
}

func newEditor(t *testing.T, files map[string]string) *editor {
	t.Helper()
	root := t.TempDir()
	ws, err := workspace.Open(root, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.Close() })
	e := &editor{t: t, root: root, ws: ws, files: map[string]string{}, ver: 1}
	for path, text := range files {
		e.put(path, text)
	}
	return e
}

func (e *editor) put(path, text string) {
	abs := filepath.Join(e.root, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
		e.t.Error(err)
	}
	if err := os.WriteFile(abs, []byte(text), 0o644); err != nil {
		e.t.Error(err)
	}
	e.ver++
	if _, ok := e.files[path]; ok {
		e.ws.DidChange(path, text, e.ver)
	} else {
		e.ws.DidOpen(path, text, e.ver)
	}
	e.files[path] = text
}

func (e *editor) remove(path string) {
	e.ws.DidClose(path)
	if err := os.Remove(filepath.Join(e.root, filepath.FromSlash(path))); err != nil {
		e.t.Error(err)
	}
	delete(e.files, path)
}

// typed replaces a file as the user's typing would.
func (e *editor) typed(path, text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.put(path, text)
}

func (e *editor) text(path string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.files[path]
}

func (e *editor) all() map[string]string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return maps.Clone(e.files)
}

func (e *editor) Current() *workspace.Snapshot { return e.ws.Snapshot() }

func (e *editor) Deliver(_ context.Context, _ string, plan []Step) ([]Landed, error) {
	if e.before != nil {
		e.before()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.plans = append(e.plans, plan)
	var list []Landed
	for _, s := range plan {
		c := s.Change
		if e.answer != nil {
			if l, ok := e.answer(s); ok {
				l.Path = c.Path
				list = append(list, l)
				continue
			}
		}
		if now, ok := e.files[c.Path]; ok && now != c.Before || !ok && c.Op != edits.OpCreate {
			list = append(list, Landed{Path: c.Path, State: LandAbsent, Stale: true, Reason: "it moved on"})
			continue
		}
		switch c.Op {
		case edits.OpCreate, edits.OpUpdate:
			e.put(c.Path, c.After)
		case edits.OpDelete:
			e.remove(c.Path)
		case edits.OpRename:
			e.remove(c.Path)
			e.put(c.To, c.After)
		}
		list = append(list, Landed{Path: c.Path, State: LandLanded})
	}
	return list, nil
}

// numbers is a source of ids that differ.
type numbers struct {
	mu sync.Mutex
	n  byte
	m  byte
}

func (r *numbers) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range p {
		p[i] = 0
	}
	r.n++
	if r.n == 0 {
		r.m++
	}
	p[0], p[1] = r.n, r.m
	return len(p), nil
}

func newStore(t *testing.T) *Store {
	t.Helper()
	return NewStore("/root", StoreOptions{Random: &numbers{}, Clock: ticks()})
}

// ticks is a clock whose every reading is later than the one before.
func ticks() func() time.Time {
	var mu sync.Mutex
	now := time.Now()
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Millisecond)
		return now
	}
}

// hung is how long a test waits for what should come at once.
const hung = time.Minute

// await receives what a channel gives, or is closed for.
func await[T any](t *testing.T, what string, c <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(hung):
		t.Fatalf("hung: %s", what)
	}
	return v
}

func update(path, before, after string) edits.Change {
	return edits.Change{Path: path, Op: edits.OpUpdate, Before: before, After: after}
}

func add(t *testing.T, s *Store, changes ...edits.Change) *Proposal {
	t.Helper()
	p, err := s.Add("turn1", "change it", changes, nil, Checked{})
	if err != nil {
		t.Fatal(err)
	}
	s.MarkShown(p.ID, 1)
	return p
}

func wantOutcome(t *testing.T, out Outcome, err error, want Status) {
	t.Helper()
	if err != nil || out.Status != want {
		t.Fatalf("outcome %+v, error %v; want %s", out, err, want)
	}
}

// numbered returns n lines that differ.
func numbered(n int) string {
	text := ""
	for i := range n {
		text += fmt.Sprintf("line %d\n", i+1)
	}
	return text
}
