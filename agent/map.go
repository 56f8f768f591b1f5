package agent

import (
	"context"
	"errors"
	"slices"
	"strings"

	"coauthor/agent/llm"
	"coauthor/agent/mapper"
	"coauthor/agent/mention"
	"coauthor/agent/strategy"
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
	Folders string // a listing of them for a model that can look further; "" for none
	Budget  int    // in tokens; 0 when none is wanted
	Err     error  // why there is none; no reason for a turn to stop
}

// ErrNoMap says that there is no map to show.
var ErrNoMap = errors.New("a repository map needs an open folder, and repoMap.tokens other than 0")

// mapView is how a map is wanted.
type mapView struct {
	use    mapper.Use
	tokens int // of the map; 0: as a turn would have it
}

// drawMap draws the map for a context whose files are chosen. Without one the round goes on, so its own error is ctx's alone.
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
	if len(c.Request.Goals) > 0 && view.use == mapper.Turn {
		maps.Await(ctx)
	}
	m, err := maps.Draw(ctx, mapRequest(ctx, door, c, budget), c.Settings.RepoMap.Refresh, view.use)
	if ctx.Err() != nil {
		return Map{}, ctx.Err()
	}
	drawn := Map{RepoMap: m, Budget: budget, Err: err}
	if c.tools != strategy.NoTools && view.tokens == 0 && m.Complete == 1 {
		drawn.Folders = maps.Folders(ctx, m.Listing)
	}
	return drawn, ctx.Err()
}

// mapToKeep is the map that the next rounds of the same talk show again, so that providers find the beginning of the prompt
// in their cache; nil where each round needs its own, where the model cannot look for what else it needs, and where this one is not of the whole repository yet.
func (c Context) mapToKeep() *Map {
	if c.tools == strategy.NoTools || c.Coder.Finds || c.Map.Err != nil || c.Map.Complete < 1 {
		return nil
	}
	return &c.Map
}

// mapBudget is the size of the map for a context. Who carries out a plan has in it all that matters of the rest.
func mapBudget(c Context) int {
	if c.Coder.Role == llm.RoleEditor {
		return 0
	}
	return mapper.Budget(c.Settings.RepoMap, c.Model.Profile.ContextWindow, len(c.Chat) == 0 || c.Coder.Finds, c.tools != strategy.NoTools)
}

// topic is what the map is drawn for besides the request of a talk. How much of it counts is for package repomap to
// say: the request comes first.
type topic struct {
	now     string   // what this talk or this part of it is about: what comes next, a plan, what a model asked to see
	follows string   // all that was asked in the turns that this one follows up
	earlier []string // what was asked before this turn, the newest first
}

// mostNamed is how many words are looked at for names of files.
const mostNamed = 2000

// mapRequest is what a context wants the map for.
func mapRequest(ctx context.Context, door *workspace.Door, c Context, budget int) repomap.Request {
	besides := c.besides()
	words := mention.Words(c.Request.Instruction + "\n" + besides)
	named := slices.Concat(words[:min(len(words), mostNamed)], c.subjects())
	r := repomap.Request{
		Chat:            slices.Concat(c.Chat, c.ReadOnly),
		MentionedFiles:  slices.DeleteFunc(named, func(w string) bool { return !c.Base.Exists(w) }),
		MentionedIdents: mention.Identifiers(c.Request.Instruction),
		Message:         c.Request.Instruction,
		Besides:         besides,
		Earlier:         c.topic.earlier,
		Budget:          budget,
		Counter:         c.Model.Counter,
		Overlays:        map[string]string{},
	}
	open := c.Base.Open()
	for i, d := range door.CheckAll(ctx, pathsOf(open), workspace.OpSend) {
		if d.Verdict == workspace.Allow {
			r.Recent = append(r.Recent, open[i].Path)
			r.Overlays[open[i].Path] = open[i].Text
		}
	}
	if f := c.Focus; f != nil && f.First > 0 {
		r.Selection = &repomap.Selection{Path: f.Path, First: f.First - 1, Last: f.Last - 1}
	}
	return r
}

// besides is what was said that the request of the talk does not hold, what matters most first.
func (c Context) besides() string {
	list := []string{c.topic.now}
	for _, d := range c.Request.Diagnostics {
		list = append(list, d.Message)
	}
	list = append(list, strings.Join(mention.IdentifiersInDiff(c.Diff), "\n"), c.topic.follows)
	return strings.Join(slices.DeleteFunc(list, func(text string) bool { return text == "" }), "\n")
}

// subjects are the files that a request is about without naming them.
func (c Context) subjects() (list []string) {
	for _, d := range c.Request.Diagnostics {
		list = append(list, d.Path)
	}
	if under := c.Request.Changes; under != nil {
		list = append(list, slices.DeleteFunc(slices.Clone(under.Files), func(path string) bool { return slices.Contains(under.Hidden, path) })...)
	}
	return list
}
