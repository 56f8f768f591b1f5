package agent

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"coauthor/agent/event"
	"coauthor/agent/prompt"
	"coauthor/agent/workspace"
)

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
