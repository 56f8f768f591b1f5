package agent

import (
	"strings"

	"coauthor/agent/prompt"
)

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

// followed is the focus where its lines stand after the changes so far, with the text that it is of.
func (c Context) followed() (*prompt.Focus, string) {
	if c.Focus == nil {
		return nil, ""
	}
	f := prompt.Focus{Path: c.Focus.Path}
	text, err := c.Now.Read(f.Path)
	if err != nil {
		return &f, ""
	}
	if text == c.focused {
		return c.Focus, text
	}
	at, ok := c.selected()[f.Path]
	lines := strings.SplitAfter(text, "\n")
	if !ok || at.First < 1 || at.First > at.Last || at.Last > len(lines) {
		return &f, text
	}
	f.First, f.Last, f.Text = at.First, at.Last, strings.Join(lines[at.First-1:at.Last], "")
	return &f, text
}
