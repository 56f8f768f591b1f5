package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"coauthor/agent"
	"coauthor/agent/aicomment"
	"coauthor/agent/display"
	"coauthor/agent/mention"
)

// CommentsCmd does what comments say that are marked for the model.
type CommentsCmd struct {
	gitFlags
	List    bool   `xor:"how" help:"List the comments without sending them."`
	Yes     bool   `short:"y" xor:"how" help:"Apply changes and add files without asking."`
	Force   bool   `help:"With --yes: ignore warnings."`
	Preview bool   `xor:"how" help:"Only show the change; in a pipe, as a diff."`
	File    string `arg:"" optional:"" help:"A file to search, in addition to uncommitted files. Default: all project files."`
}

// Run does what the comments say, or answers them where they only ask. Exit status 1: not or not wholly done, also where
// there is none.
func (c *CommentsCmd) Run(ctx context.Context, s Streams) (int, error) {
	t := turnFlags{Root: c.Root, JSON: c.JSON, Model: c.Model, APIBase: c.APIBase}
	if c.File != "" {
		t.Files = []string{c.File}
	}
	if c.List {
		none := 0
		t.MapTokens = &none // nothing is sent
	}
	h, err := t.open(ctx, s)
	if err != nil {
		return 1, err
	}
	defer h.close()
	at := aicomment.Place{Last: -1}
	if len(h.files) > 0 {
		at.Path, h.files = h.files[0], nil
	}
	list, err := h.session.Comments.List(ctx, at)
	if err != nil {
		return 1, err
	}
	if c.List {
		return c.list(h, list)
	}
	h.yes = c.Yes
	asks := !slices.ContainsFunc(list, func(m aicomment.Comment) bool { return m.Kind == string(mention.AIDo) })
	h.out.raw = asks
	resolved, err := h.session.DoComments(ctx, at, agent.Request{}, nil)
	if errors.Is(err, aicomment.ErrNone) {
		return 1, fmt.Errorf("%w; --list shows the marked comments", err)
	}
	if err != nil {
		return 1, err
	}
	result, err := h.turnOf(ctx, resolved, h)
	if err != nil {
		return 1, err
	}
	if asks {
		return h.printed(0, nil)
	}
	return h.printed((&EditCmd{Yes: c.Yes, Force: c.Force, Preview: c.Preview}).rounds(ctx, h, result))
}

// list prints the comments as compilers write, a line each.
func (c *CommentsCmd) list(h *headless, list []aicomment.Comment) (int, error) {
	if c.JSON {
		marshalLine(h.s.Out, map[string]any{"comments": list})
		return h.printed(0, nil)
	}
	for _, m := range list {
		fmt.Fprintln(h.s.Out, display.Message(fmt.Sprintf("%s:%d: %s %s", m.Path, m.Line, m.Kind, m.Text)))
	}
	if len(list) == 0 {
		h.out.tell("No comment is marked with AI!, AI? or AI.")
	}
	return h.printed(0, nil)
}
