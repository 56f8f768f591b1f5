package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
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
	// Encoding is the encoding of files that are neither UTF-8 nor begin with a byte order mark,
	// by its IANA or WHATWG name; "" refuses them.
	Encoding       string
	Clock          func() time.Time
	Log            *slog.Logger
	AllowIgnored   bool     // ignored files are treated like others
	DenyGlobs      []string // more files that are not sent without consent
	ProtectedGlobs []string // more files that are not edited without consent
	MaxFileBytes   int64    // the largest file that is read; 0 is 10 MiB
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
	root string // "" for none
	fs   *os.Root
	o    Options
	enc  codec // for files that are not UTF-8
	door *Door

	mu         sync.Mutex
	open       map[string]*Document // guarded by mu; replaced, never changed
	generation uint64               // guarded by mu
}

// Open returns the workspace of the folder root. With an empty root there is no folder: every path
// is refused, and nothing is written.
func Open(root string, o Options) (*Workspace, error) {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if o.MaxFileBytes <= 0 {
		o.MaxFileBytes = defaultMaxFileBytes
	}
	enc, err := codecOf(o.Encoding)
	if err != nil {
		return nil, err
	}
	w := &Workspace{o: o, enc: enc, open: map[string]*Document{}}
	if root != "" {
		if w.root, err = filepath.Abs(root); err != nil {
			return nil, fmt.Errorf("open workspace %s: %w", root, err)
		}
		if w.fs, err = os.OpenRoot(w.root); err != nil {
			return nil, fmt.Errorf("open workspace %s: %w", root, err)
		}
	}
	w.door, err = newDoor(w)
	if err != nil {
		return nil, errors.Join(err, w.Close())
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
	return w.fs.Close()
}

// Snapshot freezes the open documents. Files on disk are read when they are first asked for, and
// then stay as they were read.
func (w *Workspace) Snapshot() *Snapshot {
	w.mu.Lock()
	defer w.mu.Unlock()
	return &Snapshot{base: &base{w: w, open: w.open, generation: w.generation, disk: map[string]*diskFile{}}}
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
