package agent

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/mention"
	"coauthor/agent/prompt"
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
	explicit := g.explicit(said)
	var found []string
	if g.c.Settings.AddMentioned != "never" {
		given := slices.Concat(g.c.Chat, g.c.ReadOnly, g.c.Missing)
		found = slices.DeleteFunc(mention.FilesOf(said, g.files(said), given...), func(path string) bool {
			return slices.Contains(given, path) || slices.Contains(explicit, path)
		})
	}
	paths := slices.Concat(explicit, found)
	if len(paths) == 0 {
		return ctx.Err()
	}
	var added []string
	budget, most := g.c.chatRoom(), g.c.Settings.Context.MaxFiles
	for i, d := range g.d.door.CheckAll(ctx, paths, workspace.OpSend) {
		var why string
		text, err := g.c.Now.Read(paths[i])
		switch size := g.c.Model.Counter.Count(text); {
		case d.Verdict != workspace.Allow:
			why = strings.TrimSuffix(d.Reason, ".")
		case err != nil:
			why = "cannot read the file: " + err.Error()
		case size > budget, most > 0 && len(g.c.Chat) >= most:
			why = fmt.Sprintf("its %d tokens do not fit into the context window", size)
		default:
			budget -= size
			added, g.c.Chat = append(added, paths[i]), append(g.c.Chat, paths[i])
			continue
		}
		g.leave(paths[i], why)
		if i < len(explicit) {
			g.note(event.Warning(fmt.Sprintf("%s was not sent to the model: %s.", paths[i], why)))
		}
	}
	if len(added) > 0 {
		g.note(event.Note{Level: event.LevelInfo, Text: "Added to the chat from your request: " + display.Names(added) + "."})
	}
	return ctx.Err()
}

// explicit are the files that a text names behind an at sign, and those that define what it names so, where that is one
// file alone. What is neither is a word like any other, such as that of a decorator.
func (g *gathering) explicit(said string) []string {
	var list []string
	for _, name := range mention.Explicit(said) {
		path := name
		if !g.c.Base.Exists(name) {
			if path = g.d.maps.Definer(name); path == "" {
				continue
			}
		}
		if !slices.Contains(list, path) && !g.c.inChat(path) && !slices.Contains(g.c.ReadOnly, path) {
			list = append(list, path)
		}
	}
	return list
}

// files are the files that a text may name: all that the map knows, and those whose whole path stands in it.
func (g *gathering) files(said string) iter.Seq[string] {
	return func(yield func(string) bool) {
		on := true
		if n, ok := g.d.maps.Namer(); ok {
			n.EachPath(func(path string) bool { on = yield(path); return on })
		}
		for _, w := range mention.Words(said) {
			if on && g.c.Base.Exists(w) {
				on = yield(w)
			}
		}
		for _, d := range g.c.Base.Open() {
			if on {
				on = yield(d.Path)
			}
		}
	}
}

// alwaysShown takes in the files that the settings have the model always see. One that there is not is passed over, since the
// user's settings are for all their folders; one that may not be sent is left out, and nobody is asked.
func (g *gathering) alwaysShown(ctx context.Context) {
	for _, name := range g.c.Settings.Context.ReadOnly {
		found := g.meantBySetting(ctx, strings.TrimSuffix(path.Clean(name), "/"))
		if len(found) > mention.MostMatches {
			g.note(event.Warning(fmt.Sprintf("%s in context.readOnly matches %d files; only the first %d are sent to the model.", name, len(found), mention.MostMatches)))
			found = found[:mention.MostMatches]
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
	if mention.IsGlob(name) {
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

// admitMedia takes in an image or a document that the user named, which the model sees and never changes, or
// tells why not.
func (g *gathering) admitMedia(ctx context.Context, path, mime string) error {
	what := fmt.Sprintf("%s is %s", path, prompt.Called(mime))
	if p := g.c.Model.Profile; !p.Takes(mime) {
		field, other, way := "vision", "", ""
		if prompt.IsPDF(mime) {
			if field = "pdf"; p.Vision {
				other, way = ", although it supports images", "send its pages as images, "
			}
		}
		return &event.Problem{Message: fmt.Sprintf("%s, but %s is not known to support this file type%s.", what, p.Name, other),
			Advice: fmt.Sprintf("Remove it, choose a model that supports it, %sor set models.%s.%s to true if this model does.", way, p.Name, field)}
	}
	path, in, err := g.passes(ctx, path, workspace.OpSendBytes)
	if err != nil || !in {
		return err
	}
	if slices.ContainsFunc(g.c.Media, func(m prompt.Media) bool { return m.Path == path }) {
		return nil
	}
	data, err := g.d.door.Bytes(ctx, path)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, fs.ErrNotExist):
		return &event.Problem{Message: path + " does not exist.", Advice: "Check its name, or remove it from the request.", Err: err}
	case err != nil:
		return event.CannotRead(path, err)
	case !prompt.IsMedia(mime, data):
		return &event.Problem{Message: fmt.Sprintf("%s has the file extension of %s but different content.", path, prompt.Called(mime)),
			Advice: "Remove it or correct its extension."}
	}
	g.c.Media = append(slices.Clone(g.c.Media), prompt.Media{Path: path, MIME: mime, Data: data})
	return nil
}

// mediaPaths are the images and documents of the context.
func (c Context) mediaPaths() []string {
	var paths []string
	for _, m := range c.Media {
		paths = append(paths, m.Path)
	}
	return paths
}
