package workspace

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"coauthor/edits"
)

// defaultMaxFileBytes bounds what is read of one file.
const defaultMaxFileBytes = 10 << 20

// Options of a workspace. The zero value works.
type Options struct {
	// Ignore is git's answer to which of the paths are ignored; nil, and an error, read the
	// .gitignore files instead.
	Ignore func(ctx context.Context, paths []string) (map[string]bool, error)
	// Policy is asked when the first file is judged or read, so that opening a root waits for none of its
	// settings, and again after each Renew. nil: the next five fields are the policy.
	Policy         func() Policy
	Encoding       string   // as in Policy
	AllowIgnored   bool     // as in Policy
	IgnoreFiles    []string // as in Policy
	DenyGlobs      []string // as in Policy
	ProtectedGlobs []string // as in Policy
	Temps          Temps    // remembers temporary files; nil does not
	Clock          func() time.Time
	Log            *slog.Logger
	MaxFileBytes   int64 // the largest file that is read; 0 is 10 MiB
}

// Errors of reading and writing, for errors.Is. A refusal also is a *RefusedError.
var (
	ErrBinary      = edits.ErrBinary
	ErrUndecodable = edits.ErrUndecodable
	ErrRefused     = edits.ErrRefused
	ErrReadOnly    = edits.ErrReadOnly
)

// Workspace is one root: the open documents over the disk. It is safe for concurrent use, and
// shares nothing with another Workspace.
type Workspace struct {
	root string  // "" for none
	fs   *folder // nil for none
	o    Options
	door *Door

	folds bool // the disk may take one name for another: see spelling.go

	mu         sync.Mutex
	rules      *settling            // guarded by mu; replaced by Renew
	open       map[string]*Document // guarded by mu; replaced, never changed
	sent       map[string]sent      // guarded by mu; replaced, never changed
	generation uint64               // guarded by mu
}

// Open returns the workspace of the folder root. With an empty root there is no folder: every path
// is refused, and nothing is written. Settings that are given as they are, and cannot be used, are an error
// here; those that Options.Policy gives are one for each path.
func Open(root string, o Options) (*Workspace, error) {
	w, err := OpenLater(root, o)
	if err != nil || w.fs == nil {
		return w, err
	}
	if w.fs.root, err = openFolder(w.root); err != nil {
		return nil, fmt.Errorf("open workspace %s: %w", root, err)
	}
	return w, nil
}

// OpenLater is Open without a look at the disk: the folder is opened when the first file of it is needed.
// While it cannot be opened, every path is refused.
func OpenLater(root string, o Options) (*Workspace, error) {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if o.MaxFileBytes <= 0 {
		o.MaxFileBytes = defaultMaxFileBytes
	}
	w := &Workspace{o: o, open: map[string]*Document{}, rules: newSettling(), folds: foldsNames}
	w.door = &Door{w: w}
	if o.Policy == nil || root == "" { // without a folder there is nothing to judge
		var err error
		w.rules.policy, err = newPolicy(Policy{o.Encoding, o.AllowIgnored, o.IgnoreFiles, o.DenyGlobs, o.ProtectedGlobs})
		if err != nil {
			return nil, err
		}
		w.rules.asked.Do(func() { close(w.rules.known) })
	}
	if root != "" {
		var err error
		if w.root, err = filepath.Abs(root); err != nil {
			return nil, fmt.Errorf("open workspace %s: %w", root, err)
		}
		w.fs = &folder{name: w.root}
	}
	return w, nil
}

// Root returns the absolute path of the folder, "" when there is none.
func (w *Workspace) Root() string { return w.root }

// Door returns the judge of paths, which is also the only writer.
func (w *Workspace) Door() *Door { return w.door }

// Close gives up the folder. Snapshots can no longer read from disk afterwards.
func (w *Workspace) Close() error {
	if w.fs == nil {
		return nil
	}
	return w.fs.close()
}

// Snapshot freezes the open documents. Files on disk are read when they are first asked for, and
// then stay as they were read.
func (w *Workspace) Snapshot() *Snapshot {
	w.mu.Lock()
	defer w.mu.Unlock()
	return &Snapshot{base: &base{w: w, open: w.open, sent: w.sent, generation: w.generation, disk: map[string]*diskFile{}}}
}

func (w *Workspace) openText(path string) (string, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	d := w.open[path]
	if d == nil {
		return "", false
	}
	return d.Text, true
}

func cleanOrSame(path string) string {
	if clean, err := cleanPath(path); err == nil {
		return clean
	}
	return path
}
