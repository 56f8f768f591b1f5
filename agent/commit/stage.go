package commit

import (
	"context"
	"errors"
	"fmt"

	"coauthor/agent/event"
	"coauthor/agent/vcs"
)

// stageTurn stages the files of a turn whose changes are on disk.
func (s *Committer) stageTurn(ctx context.Context, u *unsaved) {
	ctx, cancel := context.WithTimeout(ctx, commitTime)
	defer cancel()
	var paths []string
	for _, c := range u.changes {
		for _, path := range touchedBy(c) {
			paths = append(paths, s.realPath(ctx, path))
		}
	}
	err := vcs.Add(ctx, s.ws.Root(), paths)
	switch {
	case err == nil, s.o.Context.Err() != nil:
	case errors.Is(err, vcs.ErrNotGit):
		s.o.Log.Info("changed files were not staged", "turn", u.turn, "reason", err)
	default:
		n := event.Warning(fmt.Sprintf("Could not stage the changed files: %v.", err))
		s.o.Emit(u.turn, event.Event{Kind: event.KindNote, Note: &n})
	}
}
