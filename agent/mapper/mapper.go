// Package mapper draws the repository map of one workspace root, keeps the one that was drawn last, and lets what draws
// it hear of the files that change meanwhile.
//
// It says nothing of a turn: what a map is wanted for is a repomap.Request that its caller makes. No file that may not
// leave the machine without a question is on a map that it gives. Start at Mapper.
package mapper

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"coauthor/agent/workspace"
	"coauthor/repomap"
)

// Drawer draws the repository map of one root. It must not block on a cold index.
type Drawer interface {
	Map(ctx context.Context, r repomap.Request) (repomap.Map, error)
}

// Options are what a Mapper is made of.
type Options struct {
	Context   context.Context // ends with the folder
	Workspace *workspace.Workspace
	// Open makes the drawer, once, when it is first needed; nil, or a nil Drawer, means no map.
	Open func(ws *workspace.Workspace) Drawer
	// Closed says that the folder is no longer worked in, so that no drawer is made any more.
	Closed func() bool
	// Wanted says whether the settings want a map.
	Wanted func() bool
	// Hold has the end of the folder wait for work in the background, until it is released.
	Hold func() (release func(), err error)
	// Stale is told of a file that the drawer shows although it may not be sent any more.
	Stale func(path string)
	Log   *slog.Logger
}

// Mapper is the map of one root. It is safe for concurrent use.
type Mapper struct {
	o        Options
	ws       *workspace.Workspace
	drawer   func() Drawer            // nil for none
	follower atomic.Pointer[Follower] // what drawer made, once it did
	prepared atomic.Bool              // Prepare was called
	typed    atomic.Bool              // Edited was called
	large    atomic.Bool              // TooLarge told of it
	inGit    atomic.Pointer[bool]     // what InGit found; nil until then

	mu      sync.Mutex
	drawn   drawnMap     // guarded by mu; the map that was drawn last
	folders drawnFolders // guarded by mu
}

// New returns the map of a root. It opens nothing.
func New(o Options) *Mapper {
	k := &Mapper{o: o, ws: o.Workspace}
	k.drawer = sync.OnceValue(k.open)
	return k
}

// Use is what a map is drawn for.
type Use int

// The uses of a map.
const (
	Turn  Use = iota
	Show      // changes nothing for the next turn
	Anew      // the user wants a new one
	Apart     // drawn for itself, whatever the setting says and the last one was; changes nothing for the next turn
)

// drawnMap is the map that was drawn last, and what it was drawn for.
type drawnMap struct {
	m       repomap.Map
	budget  int
	files   string // in the chat
	listing uint64
}

// Draws says whether there is a map of this root. It opens what draws it.
func (k *Mapper) Draws() bool { return k.drawer() != nil }

// Draw draws the map, or gives the last one where refresh, the setting, says that it stays.
func (k *Mapper) Draw(ctx context.Context, r repomap.Request, refresh string, use Use) (repomap.Map, error) {
	m, err := k.draw(ctx, r, refresh, use)
	if ctx.Err() == nil && err != nil {
		k.o.Log.Warn("could not build the repository map", "root", k.ws.Root(), "error", err)
	}
	return m, err
}

func (k *Mapper) draw(ctx context.Context, r repomap.Request, refresh string, use Use) (repomap.Map, error) {
	drawer, budget := k.drawer(), r.Budget
	k.mu.Lock()
	last := k.drawn
	k.mu.Unlock()
	chat := slices.Sorted(slices.Values(r.Chat))
	next := drawnMap{budget: budget, files: strings.Join(chat, "\n")}
	anew := use == Anew || use == Apart
	// A map of half of the repository, or none, is not worth keeping.
	keep := !anew && last.m.Text != "" && last.m.Complete == 1
	switch refresh {
	case "manual":
		if keep && len(k.withheld(ctx, last.m)) == 0 {
			return last.m, nil
		}
	case "files":
		if !keep || len(k.withheld(ctx, last.m)) > 0 || last.budget != budget || last.files != next.files {
			break
		}
		r.Budget = 0 // only to hear what is there
		now, err := drawer.Map(ctx, r)
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
	m, err := k.allowed(ctx, drawer, r)
	if err != nil {
		return repomap.Map{}, err
	}
	next.m, next.listing = m, m.Listing
	if use == Apart || use == Show && last.m.Text != "" {
		return m, nil
	}
	k.mu.Lock()
	k.drawn = next
	k.mu.Unlock()
	return m, nil
}
