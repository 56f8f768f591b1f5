package workspace

import (
	"context"
	"log/slog"
	"time"

	"coauthor/edits"
)

// Options of a workspace. The zero value works.
type Options struct {
	// Ignore is git's answer to which of the paths are ignored; nil reads the ignore files itself.
	Ignore func(ctx context.Context, paths []string) (map[string]bool, error)
	// Encoding is the encoding of files that are neither UTF-8 nor begin with a byte order mark.
	Encoding       string
	Clock          func() time.Time
	Log            *slog.Logger
	AllowIgnored   bool     // send and edit ignored files as if they were not
	DenyGlobs      []string // more files that are never sent
	ProtectedGlobs []string // more files that need consent by name
	MaxFileBytes   int64    // 0 is 10 MiB
}

type Workspace struct{}

func Open(root string, o Options) (*Workspace, error)                        { return &Workspace{}, nil }
func (w *Workspace) Root() string                                            { return "" }
func (w *Workspace) DidOpen(path, text string, version int32)                {}
func (w *Workspace) DidChange(path, text string, version int32)              {}
func (w *Workspace) DidSave(path string)                                     {}
func (w *Workspace) DidClose(path string)                                    {}
func (w *Workspace) Snapshot() *Snapshot                                     { return &Snapshot{} }
func (w *Workspace) Door() *Door                                             { return &Door{} }
func (w *Workspace) Close() error                                            { return nil }
func (w *Workspace) StateDocument(name, text string) (abs string, err error) { return "", nil }

// RootOf maps a file to its root.
func RootOf(abs string, folders []string) string { return "" }

type Snapshot struct{}

func (s *Snapshot) Root() string                            { return "" }
func (s *Snapshot) Generation() uint64                      { return 0 }
func (s *Snapshot) Document(path string) (*Document, error) { return nil, nil }
func (s *Snapshot) Read(path string) (string, error)        { return "", nil }
func (s *Snapshot) Exists(path string) bool                 { return false }
func (s *Snapshot) Open() []*Document                       { return nil }
func (s *Snapshot) With(changes []edits.Change) *Snapshot   { return s }
func (s *Snapshot) Changes() []edits.Change                 { return nil }

type Encoding string

// Document is one file of a snapshot.
type Document struct {
	Path, Text string
	Open       bool
	Version    int32
	Encoding   Encoding
	ModTime    time.Time
	Size       int64
	Changed    time.Time
}

// Hash returns the SHA-256 of the text in hex.
func (d *Document) Hash() string { return "" }

type Operation string

const (
	OpSend   Operation = "send"
	OpRead   Operation = "read"
	OpEdit   Operation = "edit"
	OpCreate Operation = "create"
	OpDelete Operation = "delete"
	OpRename Operation = "rename"
)

type Verdict string

const (
	Allow  Verdict = "allow"
	Ask    Verdict = "ask"
	Refuse Verdict = "refuse"
)

type Decision struct {
	Verdict Verdict
	Path    string // cleaned
	Reason  string
	Code    string
}

type Door struct{}

func (d *Door) Check(ctx context.Context, path string, op Operation) Decision    { return Decision{} }
func (d *Door) Write(ctx context.Context, path, text string, enc Encoding) error { return nil }
func (d *Door) MkdirAll(ctx context.Context, path string) error                  { return nil }
func (d *Door) Remove(ctx context.Context, path string) error                    { return nil }
func (d *Door) Rename(ctx context.Context, from, to string) error                { return nil }

var (
	ErrBinary      = edits.ErrBinary
	ErrUndecodable = edits.ErrUndecodable
	ErrRefused     = edits.ErrRefused
	ErrReadOnly    = edits.ErrReadOnly
)
