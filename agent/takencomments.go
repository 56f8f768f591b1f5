package agent

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
func (k *takenComments) news(f markedIn) []mention.AIComment {
	k.mu.Lock()
	defer k.mu.Unlock()
	now, known := sayings(f.list), k.known[f.path]
	for one := range known {
		if !now[one] {
			delete(known, one)
		}
	}
	return slices.DeleteFunc(slices.Clone(f.list), func(c mention.AIComment) bool {
		for one := range sayings([]mention.AIComment{c}) {
			return known[one]
		}
		return true
	})
}

// take notes that a turn begins for these comments.
func (k *takenComments) take(files []markedIn) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, f := range files {
		for one := range sayings(f.list) {
			if k.known == nil {
				k.known = map[string]map[string]bool{}
			}
			if k.known[f.path] == nil {
				k.known[f.path] = map[string]bool{}
			}
			k.known[f.path][one] = true
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
		k.take([]markedIn{{path, after}})
	}
}

// forget takes that back.
func (k *takenComments) forget(files []markedIn) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, f := range files {
		for one := range sayings(f.list) {
			delete(k.known[f.path], one)
		}
	}
}
