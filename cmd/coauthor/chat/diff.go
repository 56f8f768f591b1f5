package chat

import (
	"fmt"
	"strings"

	"coauthor/agent/display"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/repomap/syntax"
)

// differ draws changes as unified diffs with colours: lines that go are red and lines that come green, with their language's
// colours on what has one, and the words that changed are marked.
type differ struct {
	style style
	width int
}

// diff draws what is undecided of a change.
func (d differ) diff(p proposal.Proposal) string { return d.paint(proposal.ScreenDiff(p, false)) }

// paint draws a unified diff whose text is fit to be shown.
func (d differ) paint(text string) string {
	var rows []string
	var hunk []diffLine
	name, header := "", false
	flush := func() {
		rows = append(rows, d.hunk(hunk, name)...)
		hunk = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "diff --git "):
			flush()
			name, header = "", true
		case strings.HasPrefix(line, "@@ "):
			flush()
			header = false
			rows = append(rows, d.style.paint(lookCyan, fit(line, d.width)))
			continue
		}
		switch {
		case header:
			name = firstOf(nameIn(line), name)
			rows = append(rows, d.style.paint(lookBold, fit(line, d.width)))
		case line != "" && strings.ContainsRune(" +-\\", rune(line[0])):
			hunk = append(hunk, diffLine{sign: line[:1], text: strings.ReplaceAll(line[1:], "\t", "    ")})
		default:
			flush()
			rows = append(rows, wrapLine(strings.ReplaceAll(line, "\t", "    "), d.width, " ")...)
		}
	}
	flush()
	return strings.Join(rows, "\n")
}

// nameIn is the file that a line of a header names, for its language: the new one where there is one.
func nameIn(line string) string {
	for _, sign := range []string{"--- a/", "--- \"a/", "+++ b/", "+++ \"b/"} {
		if name, ok := strings.CutPrefix(line, sign); ok {
			return strings.Trim(name, "\"\t")
		}
	}
	return ""
}

// diffLine is a line of a hunk.
type diffLine struct {
	sign  string
	text  string
	marks []span // what changed of it
}

// span is a part of a line, in bytes.
type span struct{ from, to int }

// mostMarkedLine is how long a line may be whose words are compared. Of a longer one is marked where the change begins and ends.
const mostMarkedLine = 500

// lineLooks are the looks of what stands in a hunk, by its sign: of the line, and of the words that changed.
var lineLooks = map[string]struct{ line, mark string }{
	"-": {lookRed, lookRemoved}, "+": {lookGreen, lookAdded}, "\\": {lookDim, lookDim},
}

// hunk draws a hunk of a file.
func (d differ) hunk(lines []diffLine, name string) (rows []string) {
	if !d.style.colour {
		for _, l := range lines {
			rows = append(rows, wrapLine(l.sign+l.text, d.width, " ")...)
		}
		return rows
	}
	markChanges(lines)
	before, after := pieces(lines, name, " -"), pieces(lines, name, " +")
	for _, l := range lines {
		looks := lineLooks[l.sign]
		b := &runs{style: d.style}
		b.add(looks.line, l.sign)
		list := []syntax.Piece{{Text: l.text}}
		switch l.sign {
		case "-":
			list, before = before[0], before[1:]
		case "+":
			list, after = after[0], after[1:]
		case " ":
			list, before, after = after[0], before[1:], after[1:]
		}
		at := 0
		for _, p := range list {
			b.marked(p.Text, at, l.marks, lookOf(p.Kind, looks.line), looks.mark)
			at += len(p.Text)
		}
		rows = append(rows, wrapLine(b.end(), d.width, " ")...)
	}
	return rows
}

// pieces takes the lines of a hunk with some signs apart as one listing, since what a line is depends on those before it: a
// comment or a string may go over several.
func pieces(lines []diffLine, name, signs string) (list [][]syntax.Piece) {
	var texts []string
	for _, l := range lines {
		if strings.Contains(signs, l.sign) {
			texts = append(texts, l.text)
		}
	}
	var line []syntax.Piece
	for _, p := range piecesOf(name, strings.Join(texts, "\n")) {
		for i, text := range strings.Split(p.Text, "\n") {
			if i > 0 {
				list, line = append(list, line), nil
			}
			line = append(line, syntax.Piece{Kind: p.Kind, Text: text})
		}
	}
	return append(list, line)
}

// lookOf is the look of a piece in a line that has one itself. Strings are not green here, which says that a line comes.
func lookOf(kind syntax.Kind, line string) string {
	switch kind {
	case syntax.StringPiece:
		return lookCyan
	case syntax.CommentPiece:
		return strings.TrimSuffix(lookDim+";"+line, ";")
	case syntax.PlainPiece:
		return line
	case syntax.KeywordPiece, syntax.NamePiece, syntax.NumberPiece:
	}
	return looks[kind]
}

// runs is a line that is put together of texts with looks. What stands side by side in the same look is painted at once.
type runs struct {
	style      style
	all        strings.Builder
	look, text string
}

func (r *runs) add(look, text string) {
	if text == "" {
		return
	}
	if look != r.look {
		r.all.WriteString(r.style.paint(r.look, r.text))
		r.look, r.text = look, ""
	}
	r.text += text
}

// marked adds a text that stands at a place of its line, in which some spans are marked.
func (r *runs) marked(text string, at int, marks []span, look, mark string) {
	done := 0
	for _, m := range marks {
		from, to := max(m.from-at, done), min(m.to-at, len(text))
		if from < to {
			r.add(look, text[done:from])
			r.add(mark, text[from:to])
			done = to
		}
	}
	r.add(look, text[done:])
}

func (r *runs) end() string { return r.all.String() + r.style.paint(r.look, r.text) }

// summary are the files of a change, a line each.
func (d differ) summary(p proposal.Proposal) (rows []string) {
	for i := range p.Files {
		f := &p.Files[i]
		added, removed := f.Counts()
		name := display.Path(f.Path(), max(d.width-24, 16))
		counts := d.style.paint(lookGreen, fmt.Sprintf("+%d", added)) + " " + d.style.paint(lookRed, fmt.Sprintf("-%d", removed))
		rows = append(rows, fmt.Sprintf("  %-6s %s  %s", OpWord(f.Change.Op), name, counts))
	}
	return rows
}

// OpWord is what happens to a file, in a word for the user.
func OpWord(op edits.Op) string {
	switch op {
	case edits.OpCreate:
		return "new"
	case edits.OpDelete:
		return "delete"
	case edits.OpRename:
		return "move"
	case edits.OpUpdate:
		return "edit"
	}
	return string(op)
}
