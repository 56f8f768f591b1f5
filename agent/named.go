package agent

import (
	"context"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/mapper"
	"coauthor/agent/mention"
	"coauthor/agent/prompt"
	"coauthor/agent/web"
	"coauthor/agent/workspace"
)

// mentioned takes in the files that the user's text names: as "@path", as "@name" of what one file alone defines, by
// their path, or by a name that no other file has. The user did not list them as files of the request, so what may not
// be sent, or has no room, is no reason to stop.
func (g *gathering) mentioned(ctx context.Context) error {
	said := g.c.Request.Instruction
	if g.c.Request.comments != nil {
		return nil // its text is ours, and its files are listed
	}
	explicit := slices.DeleteFunc(g.find.explicit(said), g.shown)
	var found []string
	if g.c.Settings.AddMentioned != "never" {
		given := slices.Concat(g.c.Chat, g.c.ReadOnly, g.c.Missing, g.c.mediaPaths())
		found = slices.DeleteFunc(mention.FilesOf(said, g.find.mentionable(said), given...), func(path string) bool {
			return slices.Contains(given, path) || slices.Contains(explicit, path)
		})
	}
	paths := slices.Concat(explicit, found)
	added, budget := g.mentionedMedia(ctx, paths, g.c.chatRoom())
	paths = slices.DeleteFunc(paths, isMedia)
	for i, d := range g.d.door.CheckAll(ctx, paths, workspace.OpSend) {
		var why string
		text, err := g.c.Now.Read(paths[i])
		switch size := g.c.Model.Counter.Count(text); {
		case d.Verdict != workspace.Allow:
			why = strings.TrimSuffix(d.Reason, ".")
		case err != nil:
			why = "cannot read the file: " + err.Error()
		case size > budget, len(g.c.Chat) >= MostFiles:
			why = fmt.Sprintf("its %d tokens do not fit into the context window", size)
		default:
			budget -= size
			added, g.c.Chat = append(added, paths[i]), append(g.c.Chat, paths[i])
			continue
		}
		g.leave(paths[i], why)
		if slices.Contains(explicit, paths[i]) {
			g.notSent(paths[i], why)
		}
	}
	if len(added) > 0 {
		g.note(event.Note{Level: event.LevelInfo, Text: "Added to the chat from your request: " + display.Names(added) + "."})
	}
	return ctx.Err()
}

// shown says whether the model is shown a file already.
func (g *gathering) shown(path string) bool {
	return g.c.inChat(path) || slices.Contains(g.c.ReadOnly, path) || slices.Contains(g.c.mediaPaths(), path)
}

// notSent tells of a file that the text names and the model is not shown.
func (g *gathering) notSent(path, why string) {
	g.note(event.Warning(fmt.Sprintf("%s was not sent to the model: %s.", path, why)))
}

// finder finds the files that a text or a setting names, among those that the map knows and those of the workspace.
type finder struct {
	door *workspace.Door
	maps *mapper.Mapper
	base *workspace.Snapshot // what the user has
	now  *workspace.Snapshot // with the changes of the turn so far
}

// explicit are the files that a text names behind an at sign, and those that define what it names so, where that is one
// file alone. What is neither is a word like any other, such as that of a decorator.
func (f finder) explicit(said string) []string {
	var list []string
	for _, name := range mention.Explicit(said) {
		path := name
		if !f.base.Exists(name) {
			if path = f.maps.Definer(name); path == "" {
				continue
			}
		}
		if !slices.Contains(list, path) {
			list = append(list, path)
		}
	}
	return list
}

// mentionable are the files that a text may name: all that the map knows, and those whose whole path stands in it.
func (f finder) mentionable(said string) iter.Seq[string] {
	return func(yield func(string) bool) {
		on := true
		if n, ok := f.maps.Namer(); ok {
			n.EachPath(func(path string) bool { on = yield(path); return on })
		}
		for _, w := range mention.Words(said) {
			if on && f.base.Exists(w) {
				on = yield(w)
			}
		}
		for _, d := range f.base.Open() {
			if on {
				on = yield(d.Path)
			}
		}
	}
}

// alwaysShown takes in the files that the settings have the model always see. One that there is not is passed over, since the
// user's settings are for all their folders; one that may not be sent is left out, and nobody is asked.
func (g *gathering) alwaysShown(ctx context.Context) {
	for _, name := range g.c.Settings.ReadOnly {
		found := g.find.matching(ctx, strings.TrimSuffix(path.Clean(name), "/"))
		if len(found) > mention.MostMatches {
			g.note(event.Warning(fmt.Sprintf("%s in context.readOnly matches %d files; only the first %d are sent to the model.", name, len(found), mention.MostMatches)))
			found = found[:mention.MostMatches]
		}
		for _, file := range found {
			if g.shown(file) || ctx.Err() != nil {
				continue
			}
			if why := g.take(ctx, file, &g.c.ReadOnly); why != "" {
				g.leave(file, why)
			}
		}
	}
}

// matching are the files that a path, a folder or a glob of the settings means, in order.
func (f finder) matching(ctx context.Context, name string) []string {
	if f.now.Exists(name) {
		return []string{name}
	}
	folder, pattern := name, name+"/**"
	if mention.IsGlob(name) {
		folder, _ = doublestar.SplitPattern(name)
		pattern = name
	}
	fits := func(file string) bool { ok, err := doublestar.Match(pattern, file); return ok && err == nil }
	var found []string
	if n, known := f.maps.Namer(); known && folder == "." { // the disk is too much to look through
		n.EachPath(func(file string) bool {
			if fits(file) {
				found = append(found, strings.Clone(file))
			}
			return ctx.Err() == nil
		})
		slices.Sort(found)
		return found
	}
	return slices.DeleteFunc(f.door.Below(ctx, folder, ""), func(file string) bool { return !fits(file) })
}

// Pages of the web that the user's text names, or that the command web fetches. Each is fetched once in a session, after
// the user has agreed to its address, and shown to the model as something to look at, until it is dropped.

// webPages takes in the pages that the user's text names, and those of the requests before.
func (g *gathering) webPages(ctx context.Context, before []string) error {
	room := unknownRoom / 2
	if g.c.Model.Profile.ContextWindow > 0 {
		room = g.c.Model.Room / 4
	}
	shown, err := g.d.pages.Choose(ctx, web.Wanted{
		URLs: newPages(g.c.Request, before), Before: before, Settings: g.c.Settings, Ask: g.d.put, Looking: g.d.looking,
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
func newPages(r Request, before []string) []string {
	if r.Quotes || r.Given != "" || r.Changes != nil {
		return nil // the text is not the user's own, or nobody is asked
	}
	return slices.DeleteFunc(mention.URLs(r.Instruction), func(url string) bool {
		return slices.ContainsFunc(before, func(known string) bool { return web.Address(known) == web.Address(url) })
	})
}

// chooseFocus turns the target's byte offsets into lines.
func (g *gathering) chooseFocus() {
	target := g.c.Request.Target
	if target == nil || target.Path == "" {
		return
	}
	g.c.Focus = &prompt.Focus{Path: target.Path}
	text, err := g.c.Now.Read(target.Path)
	if err != nil || g.moved {
		return // what was selected then may stand elsewhere now
	}
	f := prompt.FocusOn(target.Path, text, target.Start, target.End)
	g.c.Focus, g.c.focused = &f, text
}
