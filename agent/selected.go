package agent

import "coauthor/edits"

// selected says where the lines that the user selected stand by now, after the rounds so far.
func (t *turn) selected() map[string]edits.Lines {
	if t.focus == nil || t.focus.First == 0 {
		return nil
	}
	text, err := t.now.Read(t.focus.Path)
	if err != nil {
		return nil
	}
	lines := edits.Lines{First: t.focus.First, Last: t.focus.Last}
	if text != t.focused {
		lines = edits.Follow(t.focused, text, lines)
	}
	return map[string]edits.Lines{t.focus.Path: lines}
}
