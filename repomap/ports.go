package repomap

import (
	"context"
	"io"

	"coauthor/repomap/syntax/tag"
)

// Tag is one name in one file: a definition or a reference.
type Tag = tag.Tag

// File is one file of the repository as the listing sees it, before anyone read it.
type File struct {
	Path string // slash-separated, relative to the root
	Size int64
	ID   string // changes whenever the content may have changed (size, time, inode), or a content hash, and with what stands below

	// What the project itself says of it.
	Made     bool // a program wrote it: it is on no map
	Vendored bool // others wrote it
}

// Source lists the files of a root and reads them. Implementations are safe for concurrent use.
// List names a file once, in order of path. Read appends the text of a file to memory. It may fail for
// a file that List named: files vanish, and the index skips them with a note.
type Source interface {
	List(ctx context.Context) ([]File, error)
	Read(ctx context.Context, path string, memory []byte) ([]byte, error)
}

// Store keeps one snapshot of the index. Load of an absent snapshot gives nil and no error. Save
// must be atomic: a reader sees the old snapshot or the new one, and the old one if write fails. What
// Load gives is never written to and must stay valid.
type Store interface {
	Load() ([]byte, error)
	Save(write func(io.Writer) error) error
}

// Pager is a Store that lends memory which the system can take back and bring again, such as mapped
// files. Large trees then cost little while nobody asks for a map.
type Pager interface {
	Store
	// Page is Load. free is called once, when the memory is not used any more; it may be nil.
	Page() (data []byte, free func(), err error)
	// Spill moves data, whose length is a multiple of eight, to such memory, on a boundary of eight.
	Spill(data []byte) (kept []byte, free func(), err error)
	// Rest says that what was lent will not be read soon.
	Rest()
}

// Tagger turns one file into tags. It may work in another process, and must be safe for concurrent
// use. An error means that this file has no tags; the words in it still count.
type Tagger interface {
	Tags(ctx context.Context, path string, src []byte) ([]Tag, error)
}

// Text is one file as a Tagger gets it.
type Text struct {
	Path string
	Src  []byte
}

// Tagged is what a Tagger makes of one file.
type Tagged struct {
	Tags []Tag
	Err  error
}

// BatchTagger is a Tagger that takes several files at a time, where the way to it costs more than a small file
// does: to another process, say. TagAll gives as many results as it gets texts, each as Tags would.
type BatchTagger interface {
	Tagger
	TagAll(ctx context.Context, texts []Text) []Tagged
}

// Commit is one entry of the history, newest first: the files it touched.
type Commit struct{ Paths []string }

// CoChange reads the history once per state of it. Key changes when the history did; it is cheap.
// Both give nothing, without an error, where there is no history worth reading.
type CoChange interface {
	Key(ctx context.Context) (string, error)
	Commits(ctx context.Context, limit int) ([]Commit, error)
}

// Counter counts the tokens of a text as the model would.
type Counter interface{ Count(text string) int }
