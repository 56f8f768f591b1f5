package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/coder"
	"coauthor/agent/event"
	"coauthor/agent/mention"
	"coauthor/agent/model"
	"coauthor/agent/workspace"
	"coauthor/repomap"
)

// Sizes of the map, in tokens, by what the model can take.
const (
	leastMap, mostMap = 1024, 4096
	mapWithoutFiles   = 2 // the map may be this much larger when it is all there is
)

// drawnMap is the map that was drawn last, and what it was drawn for.
type drawnMap struct {
	m       repomap.Map
	budget  int
	files   string // in the chat
	listing uint64
}

// drawMap puts the map of the rest of the repository into the turn. Without one the turn goes on.
func (t *turn) drawMap(ctx context.Context) error {
	budget := t.mapBudget()
	if budget <= 0 || t.s.mapper() == nil {
		return nil
	}
	m, err := t.repoMap(ctx, budget, mapForTurn)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		t.s.e.o.Log.Warn("no repository map", "root", t.s.ws.Root(), "error", err)
		return nil
	}
	for _, f := range m.Files {
		t.listed = append(t.listed, f.Path)
	}
	t.mapText = m.Text
	if m.Complete < 1 {
		t.tell(event.LevelInfo, fmt.Sprintf("The repository is still being read; the map knows %.0f %% of its files.", 100*m.Complete))
	}
	return nil
}

// mapUse is what a map is drawn for.
type mapUse int

const (
	mapForTurn mapUse = iota
	mapToShow         // changes nothing for the next turn
	mapAnew           // the user wants a new one
)

// repoMap draws the map, or gives the last one where the setting says that it stays.
func (t *turn) repoMap(ctx context.Context, budget int, use mapUse) (repomap.Map, error) {
	mapper := t.s.mapper()
	r := t.mapRequest(ctx, budget)
	t.s.mu.Lock()
	last := t.s.drawn
	t.s.mu.Unlock()
	chat := slices.Sorted(slices.Values(r.Chat))
	next := drawnMap{budget: budget, files: strings.Join(chat, "\n")}
	// A map of half of the repository, or none, is not worth keeping.
	keep := use != mapAnew && last.m.Text != "" && last.m.Complete == 1
	switch t.settings.RepoMap.Refresh {
	case "manual":
		if keep && len(t.withheld(ctx, last.m)) == 0 {
			return last.m, nil
		}
	case "files":
		if !keep || len(t.withheld(ctx, last.m)) > 0 || last.budget != budget || last.files != next.files {
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
		if use != mapAnew {
			r.Previous = last.m.Text
		}
	}
	m, err := t.allowedMap(ctx, mapper, r)
	if err != nil {
		return repomap.Map{}, err
	}
	next.m, next.listing = m, m.Listing
	if use == mapToShow && last.m.Text != "" {
		return m, nil
	}
	t.s.mu.Lock()
	t.s.drawn = next
	t.s.mu.Unlock()
	return m, nil
}

// mapRequest is what the turn wants the map for.
func (t *turn) mapRequest(ctx context.Context, budget int) repomap.Request {
	r := repomap.Request{
		Chat:            slices.Concat(t.chat, t.readOnly),
		MentionedFiles:  slices.DeleteFunc(mention.Words(t.r.Instruction), func(w string) bool { return !t.base.Exists(w) }),
		MentionedIdents: mention.Identifiers(t.r.Instruction),
		Message:         t.r.Instruction,
		Budget:          budget,
		Counter:         t.counter,
		Overlays:        map[string]string{},
	}
	open := t.base.Open()
	for i, d := range t.s.ws.Door().CheckAll(ctx, pathsOf(open), workspace.OpSend) {
		if d.Verdict == workspace.Allow {
			r.Recent = append(r.Recent, open[i].Path)
			r.Overlays[open[i].Path] = open[i].Text
		}
	}
	if t.focus != nil && t.focus.First > 0 {
		r.Selection = &repomap.Selection{Path: t.focus.Path, First: t.focus.First - 1, Last: t.focus.Last - 1}
	}
	return r
}

// mapBudget is the setting, or an eighth of what the model can take within bounds.
func (t *turn) mapBudget() int {
	if !t.settings.RepoMap.Enabled {
		return 0
	}
	window := t.profile.ContextWindow
	budget := t.settings.RepoMap.Tokens
	if budget < 0 {
		return 0
	}
	if budget == 0 {
		budget = min(max(window/8, leastMap), mostMap)
	}
	if len(t.chat) == 0 && window > 0 {
		budget = max(min(budget*mapWithoutFiles, window-4096), min(budget, window/8))
	}
	return budget
}

// RepoMap is a map with the ranks of its files, by the names that users of this package know.
type RepoMap = repomap.Map

// RankedFile is one file of a RepoMap.
type RankedFile = repomap.RankedFile

// MapOptions are the user's wishes for a map to look at.
type MapOptions struct {
	Tokens int  // 0: as a turn would have it
	Redraw bool // whatever the setting repoMap.refresh says, and what is drawn is what turns keep then
}

// ErrNoMap says that there is no map to show.
var ErrNoMap = errors.New("there is no repository map here: no folder is open, or repoMap.enabled is off")

// Map returns the map that a turn for this request would get now, and its budget. Neither a model nor an
// instruction is needed.
func (s *Session) Map(ctx context.Context, r Request, p Ports, o MapOptions) (m RepoMap, budget int, err error) {
	c, err := coder.ByName("ask")
	if err != nil {
		return m, 0, err
	}
	t := &turn{s: s, r: r, p: p, coder: c, emit: event.NewEmitter("", nil)}
	t.p.Ask, t.p.Sink = event.Default(), nil
	t.settings = s.e.o.Settings(s.ws.Root())
	if err := t.chooseModel(); err != nil {
		t.counter = model.NewCounter("") // no model is set up yet, which is no reason to show nothing
	}
	if t.base = p.Snapshot; t.base == nil {
		t.base = s.ws.Snapshot()
	}
	t.now = t.base
	if r.Target != nil && !t.maySend(ctx, r.Target.Path) {
		t.r.Target = nil // such as the document in which the last map is shown
	}
	for _, step := range []func(context.Context) error{t.chooseFiles, t.openDocuments} {
		if err := step(ctx); err != nil {
			return m, 0, err
		}
	}
	if budget = t.mapBudget(); budget > 0 && o.Tokens > 0 {
		budget = o.Tokens
	}
	if budget <= 0 || s.mapper() == nil {
		return m, 0, ErrNoMap
	}
	use := mapToShow
	if o.Redraw {
		use = mapAnew
	}
	m, err = t.repoMap(ctx, budget, use)
	return m, budget, err
}
