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
	f := focus(target.Path, text, target.Start, target.End)
	g.c.Focus, g.c.focused = &f, text
}

// focus describes the selection from start to end in whole lines. An end at the very beginning of a
// line does not take that line in.
func focus(path, text string, start, end int) prompt.Focus {
	f := prompt.Focus{Path: path}
	start, end = min(max(start, 0), len(text)), min(max(end, 0), len(text))
	if start >= end {
		return f
	}
	from := strings.LastIndexByte(text[:start], '\n') + 1
	last := end
	if text[end-1] == '\n' {
		last = end - 1
	}
	to := len(text)
	if i := strings.IndexByte(text[last:], '\n'); i >= 0 {
		to = last + i + 1
	}
	if from == 0 && to == len(text) {
		return f // all of it
	}
	f.First = 1 + strings.Count(text[:from], "\n")
	f.Last = f.First + strings.Count(strings.TrimSuffix(text[from:to], "\n"), "\n")
	f.Text = text[from:to]
	selected := text[start:end]
	if f.First == f.Last && strings.TrimSpace(selected) != strings.TrimSpace(f.Text) {
		f.Partial = selected
	}
	return f
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
