package workspace

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"time"

	"coauthor/edits"
)

// Document is one file of a snapshot. It must not be changed.
type Document struct {
	Path    string
	Text    string // UTF-8; a byte order mark stays as a leading U+FEFF
	Open    bool   // open in the editor
	Version int32  // of the open document
	// Lost says that a change of the open document could not be applied, so that Text is a guess. A
	// change of its whole text makes it known again, and so does opening it again.
	Lost bool
	// Encoding is how the file is written on disk; "" when that is not known.
	Encoding Encoding
	ModTime  time.Time // of the file on disk
	Size     int64     // of the file on disk, of the text when it is open
	Changed  time.Time // when the open document last changed
}

// Hash returns the SHA-256 of the text, in hex.
func (d *Document) Hash() string {
	sum := sha256.Sum256([]byte(d.Text))
	return hex.EncodeToString(sum[:])
}

// Snapshot is an immutable view: path -> content. It is safe for concurrent use.
type Snapshot struct {
	base    *base
	changes []edits.Change
	recent  []edits.Change       // those of them since the last Mark
	over    map[string]*Document // what the changes made; nil for a path that they took away
	// until ends the reading of files for this snapshot and those made of it: package edits reads
	// through an interface that has no context. nil reads as long as it takes.
	until context.Context
}

// base is what all snapshots of one moment share.
type base struct {
	w          *Workspace
	open       map[string]*Document
	sent       map[string]sent
	generation uint64

	mu   sync.Mutex
	disk map[string]*diskFile // guarded by mu: what was read so far
}

type diskFile struct {
	doc *Document
	err error
}

// Root returns the absolute path of the folder, "" when there is none.
func (s *Snapshot) Root() string { return s.base.w.root }

// Generation counts what the editor reported up to this snapshot.
func (s *Snapshot) Generation() uint64 { return s.base.generation }

// Document returns a file: with the changes of With, else as it is open, else from disk, and with what an
// editor was sent and has not told of. The error
// is fs.ErrNotExist, ErrBinary, ErrUndecodable or ErrRefused (wrapped), or one of the disk.
func (s *Snapshot) Document(path string) (*Document, error) {
	clean, err := cleanPath(path)
	if err != nil {
		return nil, err
	}
	if doc, changed := s.over[clean]; changed {
		if doc == nil {
			return nil, &fs.PathError{Op: "read", Path: clean, Err: fs.ErrNotExist}
		}
		return doc, nil
	}
	if doc := s.base.open[clean]; doc != nil {
		return s.base.shown(clean, doc), nil
	}
	ctx := s.until
	if ctx == nil {
		ctx = context.Background()
	}
	doc, err := s.base.fromDisk(ctx, clean)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		if shown := s.base.shown(clean, doc); shown != nil {
			return shown, nil
		}
	}
	return doc, err
}

// Within returns the same view, from which a file is read only as long as ctx lasts. Then the error is
// that of ctx (wrapped).
func (s *Snapshot) Within(ctx context.Context) *Snapshot {
	next := *s
	next.until = ctx
	return &next
}

func (b *base) fromDisk(ctx context.Context, path string) (*Document, error) {
	b.mu.Lock()
	file, known := b.disk[path]
	b.mu.Unlock()
	if known {
		return file.doc, file.err
	}
	doc, err := b.w.door.readWithin(ctx, path)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("read %s: %w", path, ctx.Err()) // which says nothing of the file
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if file, known = b.disk[path]; !known { // another reader may have been faster: its view stays
		file = &diskFile{doc, err}
		b.disk[path] = file
	}
	return file.doc, file.err
}

// Read returns the text of a file. With Exists it makes a Snapshot an edits.Files.
func (s *Snapshot) Read(path string) (string, error) {
	doc, err := s.Document(path)
	if err != nil {
		return "", err
	}
	return doc.Text, nil
}

// Text returns the text of a file, nil where there is none.
func (s *Snapshot) Text(path string) (*string, error) {
	text, err := s.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &text, nil
}

// Exists says whether there is a file, readable or not.
func (s *Snapshot) Exists(path string) bool {
	clean, err := cleanPath(path)
	if err != nil {
		return false
	}
	if doc, changed := s.over[clean]; changed {
		return doc != nil
	}
	if sent, ok := s.base.sent[clean]; s.base.open[clean] != nil || ok && sent.over == nil {
		return true
	}
	if s.until == nil {
		return s.base.w.door.exists(clean)
	}
	there, err := await(s.until, func() bool { return s.base.w.door.exists(clean) })
	return err == nil && there
}

// Open returns the documents that are open in the editor, the most recently changed first.
func (s *Snapshot) Open() []*Document {
	docs := make([]*Document, 0, len(s.base.open))
	for path, doc := range s.base.open {
		if over, changed := s.over[path]; changed {
			if over == nil {
				continue
			}
			doc = over
		} else {
			doc = s.base.shown(path, doc)
		}
		docs = append(docs, doc)
	}
	slices.SortFunc(docs, func(a, b *Document) int {
		return cmp.Or(b.Changed.Compare(a.Changed), cmp.Compare(a.Path, b.Path))
	})
	return docs
}

// With returns a snapshot with the changes on top. It shares everything else with s.
func (s *Snapshot) With(changes []edits.Change) *Snapshot {
	next := &Snapshot{base: s.base, changes: edits.Compose(s.changes, changes), recent: edits.Compose(s.recent, changes), over: map[string]*Document{}, until: s.until}
	for path, doc := range s.over {
		next.over[path] = doc
	}
	for _, c := range changes {
		doc := next.changed(c)
		switch c.Op {
		case edits.OpCreate, edits.OpUpdate:
			next.over[c.Path] = doc
		case edits.OpDelete:
			next.over[c.Path] = nil
		case edits.OpRename:
			next.over[c.Path] = nil
			doc.Path = c.To
			next.over[c.To] = doc
		}
	}
	return next
}

// changed is the document after c. It keeps the encoding and the version that c began with.
func (s *Snapshot) changed(c edits.Change) *Document {
	doc := &Document{Path: c.Path}
	if old, err := s.Document(c.Path); err == nil {
		*doc = *old
	}
	doc.Path, doc.Text, doc.Size = c.Path, c.After, int64(len(c.After))
	return doc
}

// Changes returns what With put on top since the workspace's own snapshot, one change for each file.
func (s *Snapshot) Changes() []edits.Change { return slices.Clone(s.changes) }

// Mark returns the same view, of which Recent has nothing.
func (s *Snapshot) Mark() *Snapshot {
	next := *s
	next.recent = nil
	return &next
}

// Recent returns what With put on top since the last Mark, or as Changes does where there was none.
func (s *Snapshot) Recent() []edits.Change { return slices.Clone(s.recent) }

func (s *Snapshot) String() string {
	return fmt.Sprintf("snapshot %d of %s with %d changes", s.base.generation, s.base.w.root, len(s.changes))
}
