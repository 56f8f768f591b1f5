package repomap

import (
	"context"
	"fmt"

	"coauthor/repomap/record"
)

// history is what the past says of paths. It is immutable.
type history struct {
	key     string
	commits [][]string       // source files of each commit, newest first; none of a wide one
	rank    map[string]int   // path -> age in commits of the last one that touched it
	touched map[string][]int // path -> commits that touched it, newest first
}

const (
	maxCommits = 5000 // that are read; this and the next from ctxbench/SIGNALS.md
	wideCommit = 40   // files; a commit of more says nothing about any two of them
)

// RefreshHistory reads the history if it is another one than before.
func (x *Index) RefreshHistory(ctx context.Context) error {
	if x.o.CoChange == nil {
		return nil
	}
	key, err := x.o.CoChange.Key(ctx)
	if err != nil {
		return fmt.Errorf("read history: %w", err)
	}
	if key == x.current().history.key {
		return nil
	}
	commits, err := x.o.CoChange.Commits(ctx, maxCommits)
	if err != nil {
		return fmt.Errorf("read history: %w", err)
	}
	h := x.reader.makeHistory(key, commits)
	x.mu.Lock()
	defer x.mu.Unlock()
	old := x.state
	x.enter(&state{generation: old.generation + 1, complete: old.complete, files: old.files, history: h, listing: old.listing})
	return nil
}

func (r *sourceReader) makeHistory(key string, commits []Commit) *history {
	h := &history{key: key, rank: map[string]int{}, touched: map[string][]int{}}
	for n, c := range commits {
		for _, p := range c.Paths {
			if _, ok := h.rank[p]; !ok {
				h.rank[p] = n
			}
		}
		source := r.source(c.Paths)
		for _, p := range source {
			h.touched[p] = append(h.touched[p], n)
		}
		h.commits = append(h.commits, source)
	}
	return h
}

// source gives the paths of source files, if there are few enough to say something.
func (r *sourceReader) source(paths []string) (source []string) {
	for _, p := range paths {
		if k := r.class(File{Path: p}); k == record.Code || k == record.Test {
			if source = append(source, p); len(source) > wideCommit {
				return nil
			}
		}
	}
	return source
}
