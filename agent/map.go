package agent

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"coauthor/agent/event"
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

// mapUse is what a map is drawn for.
type mapUse int

const (
	mapForTurn mapUse = iota
	mapToShow         // changes nothing for the next turn
	mapAnew           // the user wants a new one
	mapApart          // drawn for itself, whatever the setting says and the last one was; changes nothing for the next turn
)

// mapView is how a map is wanted.
type mapView struct {
	use    mapUse
	tokens int // of the map; 0: as a turn would have it
}

// maps draws the map of one root and keeps the last one. It is safe for concurrent use.
type maps struct {
	ws     *workspace.Workspace
	mapper func() Mapper // nil for none
	stale  func(path string)
	log    *slog.Logger

	mu    sync.Mutex
	drawn drawnMap // guarded by mu; the map that was drawn last

	large atomic.Bool // the user was told that the setting makes it large
}

// drawnMap is the map that was drawn last, and what it was drawn for.
type drawnMap struct {
	m       repomap.Map
	budget  int
	files   string // in the chat
	listing uint64
}

// of draws the map for a context whose files are chosen. Without one the round goes on, so its own
// error is ctx's alone.
func (k *maps) of(ctx context.Context, c Context, view mapView) (Map, error) {
	if c.Coder.Finds && view.use != mapAnew { // each of its looks is at another part of the repository
		view.use = mapApart
	}
	budget := mapBudget(c)
	if budget > 0 && view.tokens > 0 {
		budget = view.tokens
	}
	if budget <= 0 || k.mapper() == nil {
		return Map{Err: ErrNoMap}, ctx.Err()
	}
	m, err := k.draw(ctx, c, budget, view.use)
	if ctx.Err() != nil {
		return Map{}, ctx.Err()
	}
	if err != nil {
		k.log.Warn("could not build the repository map", "root", k.ws.Root(), "error", err)
	}
	return Map{RepoMap: m, Budget: budget, Err: err}, nil
}

// draw draws the map, or gives the last one where the setting says that it stays.
func (k *maps) draw(ctx context.Context, c Context, budget int, use mapUse) (repomap.Map, error) {
	mapper := k.mapper()
	r := mapRequest(ctx, k.ws.Door(), c, budget)
	k.mu.Lock()
	last := k.drawn
	k.mu.Unlock()
	chat := slices.Sorted(slices.Values(r.Chat))
	next := drawnMap{budget: budget, files: strings.Join(chat, "\n")}
	anew := use == mapAnew || use == mapApart
	// A map of half of the repository, or none, is not worth keeping.
	keep := !anew && last.m.Text != "" && last.m.Complete == 1
	switch c.Settings.RepoMap.Refresh {
	case "manual":
		if keep && len(k.withheld(ctx, last.m)) == 0 {
			return last.m, nil
		}
	case "files":
		if !keep || len(k.withheld(ctx, last.m)) > 0 || last.budget != budget || last.files != next.files {
			break
		}
		r.Budget = 0 // only to hear what is there
		now, err := mapper.Map(ctx, r)
		if err != nil || now.Listing == last.listing {
			return last.m, err
		}
		r.Budget = budget
	case "always":
	default:
		if !anew {
			r.Previous = last.m.Text
		}
	}
	m, err := k.allowed(ctx, mapper, r)
	if err != nil {
		return repomap.Map{}, err
	}
	next.m, next.listing = m, m.Listing
	if use == mapApart || use == mapToShow && last.m.Text != "" {
		return m, nil
	}
	k.mu.Lock()
	k.drawn = next
	k.mu.Unlock()
	return m, nil
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

// tooLarge tells, once, of a setting that makes the map much larger than the model's window would.
func (k *maps) tooLarge(c Context) (event.Note, bool) {
	set := c.Settings.RepoMap
	own := mapSize(settings.RepoMap{Enabled: true}, c.Model.Profile.ContextWindow)
	if !set.Enabled || set.Tokens <= mapTooLarge*own || k.large.Swap(true) {
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
