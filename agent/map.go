package agent

import (
	"context"
	"errors"
	"fmt"

	"coauthor/agent/event"
	"coauthor/agent/mapper"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
	"coauthor/repomap"
)

// Sizes of the map, in tokens, by what the model can take.
const (
	leastMap, mostMap = 1024, 4096
	mapWithoutFiles   = 2 // the map may be this much larger when it is all there is
	mapTooLarge       = 2 // a setting of more than this many times what the model's window gives is told
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

// mapSize is the setting, or an eighth of a context window within bounds; 0 is no map.
func mapSize(r settings.RepoMap, window int) int {
	switch {
	case !r.Enabled || r.Tokens < 0:
		return 0
	case r.Tokens > 0:
		return r.Tokens
	}
	return min(max(window/8, leastMap), mostMap)
}

// tooLarge tells, once for a root, of a setting that makes the map much larger than the model's window would.
func tooLarge(maps *mapper.Mapper, c Context) (event.Note, bool) {
	set := c.Settings.RepoMap
	own := mapSize(settings.RepoMap{Enabled: true}, c.Model.Profile.ContextWindow)
	if !set.Enabled || set.Tokens <= mapTooLarge*own || !maps.FirstLarge() {
		return event.Note{}, false
	}
	return event.Warning(fmt.Sprintf("repoMap.tokens is %d, but %d is the default for %s. A larger map adds cost to every request and rarely helps. Set repoMap.tokens to 0 for the default, or to no more than %d.",
		set.Tokens, own, c.Model.Profile.Name, mapTooLarge*own)), true
}

// mapBudget is the size of the map for a context: where it is all there is, or what the model is to find files by,
// it may be larger.
func mapBudget(c Context) int {
	window := c.Model.Profile.ContextWindow
	budget := mapSize(c.Settings.RepoMap, window)
	if budget == 0 {
		return 0
	}
	if (len(c.Chat) == 0 || c.Coder.Finds) && window > 0 {
		budget = max(min(budget*mapWithoutFiles, window-4096), min(budget, window/8))
	}
	return budget
}
