package mapper

import (
	"context"

	"coauthor/repomap"
)

// mapTries is how often a map is drawn again because what it shows may not be sent. The index leaves out
// what may not; it is behind only for a moment after a rule or a link came.
const mapTries = 6

// allowed draws a map of which every file passes the door's question for sending, now: what the
// index knew of a file when it read it is not enough.
func (k *Mapper) allowed(ctx context.Context, drawer Drawer, r repomap.Request) (repomap.Map, error) {
	var m repomap.Map
	refused := map[string]bool{}
	for range mapTries {
		var err error
		if m, err = drawer.Map(ctx, r); err != nil {
			return repomap.Map{}, err
		}
		bad := k.withheld(ctx, m)
		if ctx.Err() != nil {
			return repomap.Map{}, ctx.Err()
		}
		if len(bad) == 0 {
			return m, nil
		}
		if len(refused) == 0 { // a new rule often speaks of many files
			named := k.ws.Door().Named(ctx)
			r.Hidden = func(path string) bool { return refused[path] || named(path) }
			k.o.Stale(bad[0])
		}
		for _, path := range bad {
			refused[path] = true
		}
	}
	k.o.Log.Warn("the repository map was omitted because it lists too many files that must not be sent", "root", k.ws.Root())
	return repomap.Map{Complete: m.Complete, Generation: m.Generation, Listing: m.Listing}, nil
}

// withheld lists the files that a map shows and that may not leave the machine without a question.
func (k *Mapper) withheld(ctx context.Context, m repomap.Map) []string {
	var shown []string
	for _, f := range m.Files {
		if f.Shown {
			shown = append(shown, f.Path)
		}
	}
	return k.ws.Door().Withheld(ctx, shown)
}
