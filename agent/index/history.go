package index

import (
	"bytes"
	"context"
	"encoding/gob"
	"io"
	"regexp"

	"coauthor/agent/vcs"
	"coauthor/repomap"
)

// patched is how many of the newest commits are read with their hunks.
const patched = 1000

// history is what git's log says, through the small interface of repomap. It keeps what it read,
// since reading the diffs of a thousand commits takes longer than everything else at a start.
type history struct {
	root string
	kept store // zero keeps nothing
}

// log is what is kept.
type log struct {
	Version int
	Key     string
	Limit   int
	Commits []repomap.Commit
}

const logVersion = 1

// Key is the commit that is checked out, or nothing where the history is not all there or cannot
// be read: a broken repository has a map all the same.
func (h history) Key(ctx context.Context) (string, error) {
	shallow, err := vcs.Shallow(ctx, h.root)
	if err != nil || shallow {
		return "", ctx.Err()
	}
	key, err := vcs.Head(ctx, h.root)
	if err != nil {
		return "", ctx.Err()
	}
	return key, nil
}

// Commits gives the newest commits without merges.
func (h history) Commits(ctx context.Context, limit int) ([]repomap.Commit, error) {
	key, err := h.Key(ctx)
	if err != nil || key == "" {
		return nil, err
	}
	if l, ok := h.recall(); ok && l.Key == key && l.Limit == limit {
		return l.Commits, nil
	}
	commits, err := h.read(ctx, limit)
	if err == nil && h.kept.file != "" {
		l := log{Version: logVersion, Key: key, Limit: limit, Commits: commits}
		_ = h.kept.Save(func(w io.Writer) error { return gob.NewEncoder(w).Encode(l) }) // else it is read anew
	}
	return commits, err
}

// recall gives what was kept. Whatever else lies there is as good as nothing.
func (h history) recall() (l log, ok bool) {
	if h.kept.file == "" {
		return log{}, false
	}
	data, err := h.kept.Load()
	if err != nil || len(data) == 0 || gob.NewDecoder(bytes.NewReader(data)).Decode(&l) != nil {
		return log{}, false
	}
	return l, l.Version == logVersion
}

func (h history) read(ctx context.Context, limit int) ([]repomap.Commit, error) {
	// What could be read before a broken commit is still worth something, and so is the rest without
	// the hunks.
	names, err := vcs.History(ctx, h.root, limit)
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	hunks, err := vcs.Patches(ctx, h.root, min(patched, limit))
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	out := make([]repomap.Commit, len(names))
	for i, c := range names {
		out[i].Paths = c.Paths
		if i < len(hunks) {
			for _, k := range hunks[i].Hunks {
				if name := nameOf(k.Header); name != "" {
					out[i].Hunks = append(out[i].Hunks, repomap.Hunk{Path: k.Path, Name: name})
				}
			}
		}
	}
	return out, nil
}

var (
	named  = regexp.MustCompile(`\b(?:class|struct|interface|enum|trait|impl|module|namespace|type)\s+([A-Za-z_$][\w$]*)`)
	called = regexp.MustCompile(`([A-Za-z_$][\w$]*)\s*(?:<[^<>]*>\s*)?\(`)
	bound  = regexp.MustCompile(`([A-Za-z_$][\w$]*)\s*[:=]`)
)

// nameOf finds the name in the line that git prints as a hunk's header.
func nameOf(header string) string {
	for _, m := range called.FindAllStringSubmatch(header, 4) {
		if !notNames[m[1]] {
			return m[1]
		}
	}
	for _, rx := range []*regexp.Regexp{named, bound} {
		if m := rx.FindStringSubmatch(header); m != nil && !notNames[m[1]] {
			return m[1]
		}
	}
	return ""
}

var notNames = map[string]bool{"func": true, "function": true, "if": true, "for": true, "while": true, "switch": true,
	"return": true, "async": true, "await": true, "catch": true, "else": true, "elif": true, "match": true, "select": true,
	"default": true, "const": true, "var": true, "let": true, "class": true, "struct": true, "sizeof": true}
