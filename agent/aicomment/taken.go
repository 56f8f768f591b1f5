package aicomment

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"coauthor/agent/mention"
	"coauthor/edits"
)

// takenComments are the marked comments for which a turn has begun: saving the file again begins no other one. The zero
// value is ready.
type takenComments struct {
	mu    sync.Mutex
	known map[string]map[string]bool // guarded by mu; by path, what they said
}

// sayings are what the comments of a file say that begin turns.
func sayings(list []mention.AIComment) map[string]bool {
	said := map[string]bool{}
	for _, c := range list {
		if c.Kind != mention.AINote {
			said[lineSaid(c)+"\n"+c.Text] = true
		}
	}
	return said
}

// news lists the comments of a file for which no turn has begun, and forgets those that it has no more.
func (k *takenComments) news(f Marked) []mention.AIComment {
	k.mu.Lock()
	defer k.mu.Unlock()
	now, known := sayings(f.List), k.known[f.Path]
	for one := range known {
		if !now[one] {
			delete(known, one)
		}
	}
	return slices.DeleteFunc(slices.Clone(f.List), func(c mention.AIComment) bool {
		for one := range sayings([]mention.AIComment{c}) {
			return known[one]
		}
		return true
	})
}

// take notes that a turn begins for these comments.
func (k *takenComments) take(files []Marked) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, f := range files {
		for one := range sayings(f.List) {
			if k.known == nil {
				k.known = map[string]map[string]bool{}
			}
			if k.known[f.Path] == nil {
				k.known[f.Path] = map[string]bool{}
			}
			k.known[f.Path][one] = true
		}
	}
}

// landed notes the comments that a change of ours has brought: what a model wrote begins no turn when it is saved.
func (k *takenComments) landed(ctx context.Context, changes []edits.Change) {
	for _, c := range changes {
		path := cmp.Or(c.To, c.Path)
		after, err := mention.AIComments(ctx, path, c.After)
		if err != nil || len(after) == 0 {
			continue
		}
		before, _ := mention.AIComments(ctx, path, c.Before) // what cannot be read had none
		had := sayings(before)
		after = slices.DeleteFunc(after, func(c mention.AIComment) bool {
			for one := range sayings([]mention.AIComment{c}) {
				return had[one]
			}
			return true
		})
		k.take([]Marked{{path, after}})
	}
}

// forget takes that back.
func (k *takenComments) forget(files []Marked) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, f := range files {
		for one := range sayings(f.List) {
			delete(k.known[f.Path], one)
		}
	}
}

// Written leaves what begins a turn when a file is saved: comments that the user wrote in an editor and for which no turn
// has begun. files are those of the place, as Find found them. A CameWithFileError says, once, that there are others.
func (k *Tracker) Written(ctx context.Context, at Place, root string, files []Marked) (mention.AIKind, []Marked, error) {
	k.takeCommitted(ctx, root, at.Path)
	news := []Marked{{at.Path, k.taken.news(files[0])}}
	written := k.written.of(news)
	kind := Wanted(written, at)
	if came := len(news[0].List) - len(written[0].List); kind == "" && came > 0 {
		k.Take(news) // told once
		return "", nil, &CameWithFileError{at.Path, came}
	}
	return kind, k.written.of(files), nil
}

// Take notes that a turn begins for these comments.
func (k *Tracker) Take(files []Marked) { k.taken.take(files) }

// Forget takes that back.
func (k *Tracker) Forget(files []Marked) { k.taken.forget(files) }

// Landed notes the comments that a change of ours has brought: what a model wrote begins no turn when it is saved.
func (k *Tracker) Landed(ctx context.Context, changes []edits.Change) { k.taken.landed(ctx, changes) }
