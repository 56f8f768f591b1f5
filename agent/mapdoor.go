package agent

import (
	"context"

	"coauthor/repomap"
)

// mapTries is how often a map is drawn anew because what it shows may not be sent. The index leaves out
// what may not; it is behind only for a moment after a rule or a link came.
const mapTries = 6

// allowedMap draws a map of which every file passes the door's question for sending, now: what the
// index knew of a file when it read it is not enough.
func (t *turn) allowedMap(ctx context.Context, mapper Mapper, r repomap.Request) (repomap.Map, error) {
	var m repomap.Map
	refused := map[string]bool{}
	for range mapTries {
		var err error
		if m, err = mapper.Map(ctx, r); err != nil {
			return repomap.Map{}, err
		}
		bad := t.withheld(ctx, m)
		if ctx.Err() != nil {
			return repomap.Map{}, ctx.Err()
		}
		if len(bad) == 0 {
			return m, nil
		}
		if len(refused) == 0 { // a new rule often speaks of many files
			named := t.s.ws.Door().Named(ctx)
			r.Hidden = func(path string) bool { return refused[path] || named(path) }
			t.s.FileChanged(bad[0])
		}
		for _, path := range bad {
			refused[path] = true
		}
	}
	t.s.e.o.Log.Warn("no repository map: too much of it may not be sent", "root", t.s.ws.Root())
	return repomap.Map{Complete: m.Complete, Generation: m.Generation, Listing: m.Listing}, nil
}

// withheld lists the files that a map shows and that may not leave the machine without a question.
func (t *turn) withheld(ctx context.Context, m repomap.Map) []string {
	var shown []string
	for _, f := range m.Files {
		if f.Shown {
			shown = append(shown, f.Path)
		}
	}
	return t.s.ws.Door().Withheld(ctx, shown)
}
