package edits

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Markup is a kind of lines by which models mark edits. They are no content of a file, unless the
// file is about them.
type Markup string

// The kinds of markup; "" is none.
const (
	MarkupBlock Markup = "block" // "<<<<<<< SEARCH", ">>>>>>> REPLACE"
	MarkupPatch Markup = "patch" // "*** Begin Patch"
	MarkupDiff  Markup = "diff"  // "@@ -1,2 +1,3 @@", "diff --git a/x b/x"
)

// patchLines are what the lines of a V4A patch begin with.
var patchLines = []string{"*** Begin Patch", "*** End Patch", "*** Update File: ", "*** Add File: ", "*** Delete File: "}

// MarkupOf says what kind of markup a line is. Only what stands at the beginning of the line counts.
func MarkupOf(text string) Markup {
	if text == "" {
		return ""
	}
	switch text[0] {
	case '<', '>':
		signs := len(text) - len(strings.TrimLeft(text, text[:1]))
		word, _, _ := strings.Cut(strings.TrimSpace(text[signs:]), " ")
		if signs < 4 || signs > 12 {
			return ""
		}
		if usual := 5 <= signs && signs <= 9; usual {
			word = strings.ToUpper(word) // with fewer or more it may as well be a quotation
		}
		switch word {
		case "SEARCH", "ORIGINAL", "REPLACE", "UPDATED":
			return MarkupBlock
		}
	case '*':
		for _, start := range patchLines {
			if strings.HasPrefix(text, start) {
				return MarkupPatch
			}
		}
	case '@':
		if strings.HasPrefix(text, "@@ ... @@") || isHunkHeader(text) {
			return MarkupDiff
		}
	case 'd':
		if strings.HasPrefix(text, "diff --git a/") {
			return MarkupDiff
		}
	}
	return ""
}

// isHunkHeader reads "@@ -1,2 +3 @@" with or without counts.
func isHunkHeader(text string) bool {
	rest, ok := strings.CutPrefix(text, "@@ -")
	if !ok {
		return false
	}
	for _, end := range []string{" +", " @@"} {
		numbers, after, found := strings.Cut(rest, end)
		if !found || numbers == "" || strings.Trim(numbers, "0123456789,") != "" {
			return false
		}
		rest = after
	}
	return true
}

// HasMarkup says whether a text holds a line of that kind.
func HasMarkup(text string, kind Markup) bool {
	for line := range strings.Lines(text) {
		if MarkupOf(strings.TrimRight(line, "\r\n")) == kind {
			return true
		}
	}
	return false
}

// HoldsMarkup says whether a file of that name is made of lines of that kind.
func HoldsMarkup(name string, kind Markup) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".diff", ".patch", ".rej":
		return kind == MarkupDiff
	}
	return false
}

// marked objects to new lines that would put markup into a file that has none of that kind: they were
// meant to say where an edit belongs. What stands in a literal of several lines, as tests have them, is
// content.
func marked(path string, f *file, lines []string) *objection {
	text, ok := shownMarkup(lines, func(kind Markup) bool {
		return HoldsMarkup(path, kind) || f != nil && f.has(kind)
	})
	if !ok {
		return nil
	}
	return &objection{ReasonMarkup, fmt.Sprintf("%q marks an edit and would end up in the file; write the edit as the format says, and the file's own lines only", text)}
}

// fits refuses an edit whose new text, which nothing is put in the place of, is none or is marked.
func (r *run) fits(e *Edit, path string, f *file, lines []string) bool {
	o := f.controls(e, lines)
	if o == nil {
		o = marked(path, f, lines)
	}
	if o != nil {
		r.report.refuse(e, path, o.reason, o.message)
	}
	return o == nil
}

// ShowsMarkup says whether a text holds markup outside of literals.
func ShowsMarkup(text string) bool {
	var in Literal
	for line := range strings.Lines(text) {
		if !in.Open() && MarkupOf(strings.TrimRight(line, "\r\n")) != "" {
			return true
		}
		in.Read(line)
	}
	return false
}

// shownMarkup returns the first line of markup that is in no literal and of no kind that may be there.
func shownMarkup(lines []string, may func(Markup) bool) (string, bool) {
	var in Literal
	from := 0
	for i, text := range lines {
		kind := MarkupOf(text)
		if kind == "" || may(kind) {
			continue
		}
		for ; from < i; from++ {
			in.Read(lines[from])
		}
		if !in.Open() {
			return text, true
		}
	}
	return "", false
}

// literalQuotes begin and end literals of several lines.
var literalQuotes = []string{`"""`, "'''", "`"}

// Literal follows lines of code into literals of several lines and out of them.
type Literal struct{ open string }

// Open says whether the line that comes next stands in a literal.
func (l *Literal) Open() bool { return l.open != "" }

// Read takes the next line.
func (l *Literal) Read(text string) {
	if strings.IndexByte(text, '`') < 0 && !strings.Contains(text, `"""`) && !strings.Contains(text, "'''") || opensFence(text) {
		return
	}
	for i := 0; i < len(text); i++ {
		if c := text[i]; c != '"' && c != '\'' && c != '`' {
			continue
		}
		for _, q := range literalQuotes {
			if !strings.HasPrefix(text[i:], q) || l.open != "" && l.open != q {
				continue
			}
			if i += len(q) - 1; l.open == "" {
				l.open = q
			} else {
				l.open = ""
			}
			break
		}
	}
}

// OpensLiteral says whether a text ends in a literal of several lines that it begins.
func OpensLiteral(text string) bool {
	var l Literal
	for line := range strings.Lines(text) {
		l.Read(line)
	}
	return l.Open()
}

// has says whether there is markup of that kind in the file, or was before the reply.
func (f *file) has(kind Markup) bool {
	has, known := f.markup[kind]
	if known {
		return has
	}
	has = HasMarkup(f.first, kind) || f.body != nil && slices.ContainsFunc(f.body.Lines(), func(text string) bool { return MarkupOf(text) == kind })
	if f.markup == nil {
		f.markup = map[Markup]bool{}
	}
	f.markup[kind] = has
	return has
}
