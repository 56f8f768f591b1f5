package agent

import (
	"context"
	"errors"

	"coauthor/agent/mapper"
	"coauthor/agent/workspace"
	"coauthor/repomap"
)

// RepoMap is a map with the ranks of its files, by the names that users of this package know.
type RepoMap = repomap.Map

// RankedFile is one file of a RepoMap.
type RankedFile = repomap.RankedFile

// Map is the map of a context: of the rest of the repository, beside the files that are shown.
type Map struct {
	RepoMap
	Budget int   // in tokens; 0 when none is wanted
	Err    error // why there is none; no reason for a turn to stop
}

// ErrNoMap says that there is no map to show.
var ErrNoMap = errors.New("a repository map needs an open folder and repoMap.enabled")

// mapView is how a map is wanted.
type mapView struct {
	use    mapper.Use
	tokens int // of the map; 0: as a turn would have it
}

// drawMap draws the map for a context whose files are chosen. Without one the round goes on, so its own
// error is ctx's alone.
func drawMap(ctx context.Context, maps *mapper.Mapper, door *workspace.Door, c Context, view mapView) (Map, error) {
	if c.Coder.Finds && view.use != mapper.Anew { // each of its looks is at another part of the repository
		view.use = mapper.Apart
	}
	budget := mapBudget(c)
	if budget > 0 && view.tokens > 0 {
		budget = view.tokens
	}
	if budget <= 0 || !maps.Draws() {
		return Map{Err: ErrNoMap}, ctx.Err()
	}
	m, err := maps.Draw(ctx, mapRequest(ctx, door, c, budget), c.Settings.RepoMap.Refresh, view.use)
	if ctx.Err() != nil {
		return Map{}, ctx.Err()
	}
	return Map{RepoMap: m, Budget: budget, Err: err}, nil
}

// mapBudget is the size of the map for a context.
func mapBudget(c Context) int {
	return mapper.Budget(c.Settings.RepoMap, c.Model.Profile.ContextWindow, len(c.Chat) == 0 || c.Coder.Finds)
}
