package repomap

import (
	"slices"
	"time"

	"coauthor/repomap/record"
)

const (
	publishEvery = 500 * time.Millisecond // that a growing index keeps its news to itself
	publishShare = 30                     // times longer than telling them it keeps them at least
)

// publish makes a new state of what is known. It is called with mu held.
func (x *Index) publish() {
	var all ordered
	if x.listed >= 0 {
		x.base.merge()
		all = x.base
	}
	for _, o := range x.overlays {
		all.add(o.record)
	}
	all.merge()
	x.enter(&state{generation: x.state.generation + 1, complete: x.share(), files: all.files, history: x.state.history, listing: all.sum})
}

// confirmed is what the source has at a path. Before the first listing nobody knows that what a snapshot holds is
// still there, and still allowed. It is called with mu held.
func (x *Index) confirmed(path string) *record.Record {
	if x.listed < 0 {
		return nil
	}
	return x.base.find(path)
}

// share is how much of the files has been read. It is called with mu held.
func (x *Index) share() float64 {
	switch x.listed {
	case -1:
		return 0
	case 0:
		return 1
	}
	return min(1, float64(x.indexed)/float64(x.listed))
}

// publishOne makes a new state in which one file is another record, or none. It is called with mu
// held.
func (x *Index) publishOne(path string, r *record.Record) {
	old := x.state
	i, found := old.find(path)
	files := make([]*record.Record, 0, len(old.files)+1)
	files = append(files, old.files[:i]...)
	if r != nil {
		files = append(files, r)
	}
	if found {
		i++
	}
	files = append(files, old.files[i:]...)
	next := &state{generation: old.generation + 1, complete: old.complete, files: files, history: old.history, listing: old.listing}
	if r != nil {
		next.listing += pathSum(path)
	}
	if found {
		next.listing -= pathSum(path)
	}
	x.enter(next)
}

// enter makes next the current state. It is called with mu held.
func (x *Index) enter(next *state) {
	next.symbols, next.keeper = x.symbols, x.keeper
	next.names, next.stems = x.symbols.Snapshot()
	if next.paths = x.state.paths; !samePaths(x.state.files, next.files) {
		next.paths = newPaths(next.files)
	}
	x.state = next
}

// samePaths says whether both are records of the same paths, as after nearly every edit.
func samePaths(a, b []*record.Record) bool {
	return slices.EqualFunc(a, b, func(x, y *record.Record) bool { return x == y || x.Path == y.Path })
}
