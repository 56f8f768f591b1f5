package agent

import (
	"context"
	"slices"

	"coauthor/agent/mention"
	"coauthor/agent/web"
)

// Pages of the web that the user's text names, or that the command web fetches. Each is fetched once in a session, after
// the user has agreed to its address, and shown to the model as something to look at, until it is dropped.

// webPages takes in the pages that the user's text names, and those of the requests before.
func (g *gathering) webPages(ctx context.Context, before []string) error {
	room := unknownRoom / 2
	if g.c.Model.Profile.ContextWindow > 0 {
		room = g.c.Model.Room / 4
	}
	shown, err := g.d.pages.Choose(ctx, web.Wanted{
		URLs: g.newPages(before), Before: before, Settings: g.c.Settings, Ask: g.d.put, Looking: g.d.looking,
		InFile: g.c.Request.comments != nil, Room: room, Count: g.c.Model.Counter.Count,
	})
	g.c.Pages, g.c.Unfetched = append(g.c.Pages, shown.Pages...), append(g.c.Unfetched, shown.Unfetched...)
	g.c.fetched = shown.Fetched
	g.c.Notes = append(g.c.Notes, shown.Notes...)
	for _, l := range shown.Left {
		g.leave(l.What, l.Why)
	}
	return err
}

// newPages are the addresses of the user's text that are not shown yet.
func (g *gathering) newPages(before []string) []string {
	r := g.c.Request
	if r.Quotes || r.Given != "" || r.Changes != nil {
		return nil // the text is not the user's own, or nobody is asked
	}
	return slices.DeleteFunc(mention.URLs(r.Instruction), func(url string) bool {
		return slices.ContainsFunc(before, func(known string) bool { return web.Address(known) == web.Address(url) })
	})
}
