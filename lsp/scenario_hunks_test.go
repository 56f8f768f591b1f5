package lsp_test

import (
	"slices"
	"strings"

	"coauthor/lsp/lsptest"
)

// The steps about what was applied at once and stands under review.

// stepHover looks for texts in what a hover over the first place of a text says; without texts it says nothing. A client
// without hovers sees none.
func stepHover(s *scene, p playStep) {
	got, asked := s.editor.Hover(s.place(p.args[0]), p.args[1])
	if !asked {
		return
	}
	if len(p.args) == 2 && got != "" {
		s.t.Errorf("line %d: hover over %q says %q", p.line, p.args[1], got)
	}
	for _, want := range p.args[2:] {
		if !strings.Contains(got, want) {
			s.t.Errorf("line %d: hover over %q says %q, want %q", p.line, p.args[1], got, want)
		}
	}
}

// stepHints waits until the inlay hints of a file hold these texts, in this order.
func stepHints(s *scene, p playStep) {
	var got []string
	if !s.soon(func() bool {
		list, asked := s.editor.Hints(s.place(p.args[0]))
		if !asked {
			return true
		}
		got = titles(list)
		return alike(got, p.args[1:])
	}) {
		s.t.Errorf("line %d: the hints of %s are %q, want %q", p.line, p.args[0], got, p.args[1:])
	}
}

// stepLensTitles waits until the code lenses of the document in front hold these texts, in this order, in a client that
// has them.
func stepLensTitles(s *scene, p playStep) {
	var got []string
	if !s.soon(func() bool {
		list, asked := s.editor.Lenses()
		if !asked {
			return true
		}
		got = titles(list)
		return alike(got, p.args)
	}) {
		s.t.Errorf("line %d: the lenses are %q, want %q", p.line, got, p.args)
	}
}

// stepPress runs the first code lens that holds a text, or where the client has none the code action that does the same at a
// text of a file.
func stepPress(s *scene, p playStep) {
	s.mark()
	var asked bool
	if _, asked = s.editor.Lenses(); asked {
		s.result, s.failed, _ = s.editor.RunLens(p.args[0], 1)
	} else {
		s.editor.SelectText(s.place(p.args[1]), p.args[2])
		s.result, s.failed = s.editor.Pick(p.args[3])
	}
	s.unfailed()
}

func titles(list []lsptest.Lens) (got []string) {
	for _, l := range list {
		got = append(got, l.Title)
	}
	return got
}

// alike says whether each text holds the one that is wanted.
func alike(got, want []string) bool {
	return slices.EqualFunc(got, want, strings.Contains)
}
