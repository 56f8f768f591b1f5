package prompt

import (
	"strings"
)

// FocusOn describes the selection from start to end in whole lines. An end at the very beginning of a
// line does not take that line in.
func FocusOn(path, text string, start, end int) Focus {
	f := Focus{Path: path}
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
