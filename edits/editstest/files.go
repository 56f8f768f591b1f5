// Package editstest holds what the tests and benchmarks of edit formats share: files in memory, the
// properties that hold for every parser, and large inputs.
//
// It makes its inputs from counters and never reads a file. The tests of package edits and of its
// format folders call it, and cmd/bench. Start at CheckParser and Source.
package editstest

import (
	"io/fs"

	"coauthor/edits"
)

// Files are files in memory, by path.
type Files map[string]string

// Read returns the text of a file.
func (f Files) Read(path string) (string, error) {
	text, ok := f[path]
	if !ok {
		return "", fs.ErrNotExist
	}
	return text, nil
}

// Exists says whether there is a file at path.
func (f Files) Exists(path string) bool {
	_, ok := f[path]
	return ok
}

// After returns the files as changes leave them. Every file that goes away goes first, for another
// one may move to its path.
func (f Files) After(changes []edits.Change) Files {
	out := Files{}
	for path, text := range f {
		out[path] = text
	}
	for _, c := range changes {
		if c.Op == edits.OpDelete || c.Op == edits.OpRename {
			delete(out, c.Path)
		}
	}
	for _, c := range changes {
		switch c.Op {
		case edits.OpCreate, edits.OpUpdate:
			out[c.Path] = c.After
		case edits.OpRename:
			out[c.To] = c.After
		case edits.OpDelete:
		}
	}
	return out
}

// Bytes is how many bytes the files have together.
func (f Files) Bytes() int {
	n := 0
	for _, text := range f {
		n += len(text)
	}
	return n
}
