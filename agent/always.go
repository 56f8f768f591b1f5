package agent

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"coauthor/agent/event"
)

// alwaysShown takes in the files that the settings have the model always see. One that there is not is passed over, since the
// user's settings are for all their folders; one that may not be sent is left out, and nobody is asked.
func (g *gathering) alwaysShown(ctx context.Context) {
	for _, name := range g.c.Settings.Context.ReadOnly {
		found := g.meantBySetting(ctx, strings.TrimSuffix(path.Clean(name), "/"))
		if len(found) > mostAdded {
			g.note(event.Warning(fmt.Sprintf("%s in context.readOnly matches %d files; only the first %d are sent to the model.", name, len(found), mostAdded)))
			found = found[:mostAdded]
		}
		for _, file := range found {
			if g.c.inChat(file) || slices.Contains(g.c.ReadOnly, file) || ctx.Err() != nil {
				continue
			}
			if why := g.unfit(ctx, file); why != "" {
				g.leave(file, why)
				continue
			}
			g.c.ReadOnly = append(g.c.ReadOnly, file)
		}
	}
}

// meantBySetting are the files that a path, a folder or a glob of the settings means, in order.
func (g *gathering) meantBySetting(ctx context.Context, name string) []string {
	if g.c.Now.Exists(name) {
		return []string{name}
	}
	folder, pattern := name, name+"/**"
	if isGlob(name) {
		folder, _ = doublestar.SplitPattern(name)
		pattern = name
	}
	fits := func(file string) bool { ok, err := doublestar.Match(pattern, file); return ok && err == nil }
	var found []string
	if n, known := g.d.maps.Namer(); known && folder == "." { // the disk is too much to look through
		n.EachPath(func(file string) bool {
			if fits(file) {
				found = append(found, strings.Clone(file))
			}
			return ctx.Err() == nil
		})
		slices.Sort(found)
		return found
	}
	return slices.DeleteFunc(g.d.door.Below(ctx, folder, ""), func(file string) bool { return !fits(file) })
}
