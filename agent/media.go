package agent

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/model"
	"coauthor/agent/prompt"
	"coauthor/agent/workspace"
)

// Images and documents: what the user names of them, in whatever way, a model that sees is shown as it is.

func isMedia(path string) bool { return prompt.MediaType(path) != "" }

// Unseen says why a model is not shown a file because of what it is, as the end of a sentence that names the model; "" where
// it is an image or a document that the model takes, or a text.
func Unseen(p model.Profile, path string) string {
	mime := prompt.MediaType(path)
	if mime == "" || p.Takes(mime) {
		return ""
	}
	return fmt.Sprintf("%s is not known to support %s", p.Name, prompt.Kind(mime))
}

// admitMedia takes in an image or a document that the user named, which the model sees and never changes, or
// tells why not.
func (g *gathering) admitMedia(ctx context.Context, path, mime string) error {
	if err := taken(g.c.Model.Profile, path, mime); err != nil {
		return err
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
		return notWhatItSays(path, mime)
	}
	g.c.Media = append(slices.Clone(g.c.Media), prompt.Media{Path: path, MIME: mime, Data: data})
	return nil
}

// taken says with what to do why a model is not shown what the user named; nil where it is.
func taken(p model.Profile, path, mime string) error {
	if p.Takes(mime) {
		return nil
	}
	var other, way string
	if prompt.IsPDF(mime) && p.Vision {
		other, way = ", although it supports images", "send its pages as images, "
	}
	return &event.Problem{Message: fmt.Sprintf("%s is %s, but %s is not known to support this file type%s.", path, prompt.Called(mime), p.Name, other),
		Advice: fmt.Sprintf("Remove it, choose a model that supports it, %sor set models.%s.%s to true if this model does.", way, p.Name, prompt.Capability(mime))}
}

func notWhatItSays(path, mime string) error {
	return &event.Problem{Message: fmt.Sprintf("%s has the file extension of %s but different content.", path, prompt.Called(mime)),
		Advice: "Remove it or correct its extension."}
}

// paste takes in what came with the request and is no file. Of two with one name the later one gets a number.
func (g *gathering) paste(list []Picture) error {
	for _, p := range list {
		mime := prompt.MediaType(p.Name)
		if mime == "" {
			return &event.Problem{Message: fmt.Sprintf("%s is not an image or a PDF.", p.Name), Advice: "Remove it, or save it in the folder and name its file."}
		}
		if err := taken(g.c.Model.Profile, p.Name, mime); err != nil {
			return err
		}
		if !prompt.IsMedia(mime, p.Data) {
			return notWhatItSays(p.Name, mime)
		}
		m := prompt.Media{Path: p.Name, MIME: mime, Data: p.Data, Pasted: true}
		for n := 2; slices.Contains(g.c.mediaPaths(), m.Path); n++ {
			ext := path.Ext(p.Name)
			m.Path = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(p.Name, ext), n, ext)
		}
		g.c.Media = append(slices.Clone(g.c.Media), m)
	}
	return nil
}

// pasted are those that are no files.
func pasted(list []prompt.Media) []prompt.Media {
	return slices.DeleteFunc(slices.Clone(list), func(m prompt.Media) bool { return !m.Pasted })
}

// pathsOfMedia are the paths of those that are files.
func pathsOfMedia(list []prompt.Media) (paths []string) {
	for _, m := range list {
		if !m.Pasted {
			paths = append(paths, m.Path)
		}
	}
	return paths
}

// mediaPaths are the images and documents of the context.
func (c Context) mediaPaths() []string {
	var paths []string
	for _, m := range c.Media {
		paths = append(paths, m.Path)
	}
	return paths
}

// see reads an image or a document without asking anybody, or says why the model is not shown it.
func see(ctx context.Context, door *workspace.Door, p model.Profile, path string) (m prompt.Media, why string) {
	mime := prompt.MediaType(path)
	if why := Unseen(p, path); why != "" {
		return m, why
	}
	d := door.Check(ctx, path, workspace.OpSendBytes)
	if d.Verdict != workspace.Allow {
		return m, d.Reason
	}
	data, err := door.Bytes(ctx, d.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return m, "the file does not exist"
	case err != nil:
		return m, "cannot read the file: " + err.Error()
	case !prompt.IsMedia(mime, data):
		return m, fmt.Sprintf("its content is not that of %s", prompt.Called(mime))
	}
	return prompt.Media{Path: d.Path, MIME: mime, Data: data}, ""
}

// mentionedMedia takes in the images and documents among files that the text names, and returns which, and how much of the
// room is left.
func (g *gathering) mentionedMedia(ctx context.Context, paths []string, room int) (added []string, left int) {
	for _, path := range paths {
		if !isMedia(path) || ctx.Err() != nil {
			continue
		}
		m, why := see(ctx, g.d.door, g.c.Model.Profile, path)
		if why == "" {
			size := m.Tokens()
			if size <= room {
				room -= size
				added, g.c.Media = append(added, path), append(slices.Clone(g.c.Media), m)
				continue
			}
			why = fmt.Sprintf("its %d tokens do not fit into the context window", size)
		}
		why = strings.TrimSuffix(why, ".")
		g.leave(path, why)
		g.notSent(path, why)
	}
	return added, room
}
