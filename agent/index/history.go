package index

import (
	"bytes"
	"context"
	"encoding/gob"
	"io"
	"os"

	"coauthor/agent/vcs"
	"coauthor/repomap"
)

// history is what git's log says, through the small interface of repomap. It keeps what it read,
// since git takes long to walk the past of a large tree.
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

const logVersion = 2

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
		_ = h.kept.Save(func(w io.Writer) error { return gob.NewEncoder(w).Encode(l) }) // else it is read again
	}
	return commits, err
}

// known says whether an earlier process has read the history: then it is at hand, but for what is new.
func (h history) known() bool {
	_, err := os.Stat(h.kept.file)
	return err == nil
}

// recall gives what was kept. Whatever else lies there is as good as nothing.
func (h history) recall() (l log, ok bool) {
	data, _ := h.kept.Load() // what cannot be read is not there
	err := gob.NewDecoder(bytes.NewReader(data)).Decode(&l)
	return l, err == nil && l.Version == logVersion
}

func (h history) read(ctx context.Context, limit int) ([]repomap.Commit, error) {
	// What could be read before a broken commit is still worth something.
	names, err := vcs.History(ctx, h.root, limit)
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	out := make([]repomap.Commit, len(names))
	for i, c := range names {
		out[i].Paths = c.Paths
	}
	return out, nil
}
