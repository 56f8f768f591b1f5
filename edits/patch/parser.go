// Package patch is the edit format V4A: file operations between "*** Begin Patch" and
// "*** End Patch", with hunks that name the lines above them instead of numbers.
//
// It turns a reply into edits and says how the format is taught. Where a hunk belongs in a file is
// package edits' business. edits/formats lists it. Start at New.
//
// What the published descriptions leave open is read like this.
//
//   - Prose, fences and shell wrappers (a heredoc, with or without apply_patch) around the envelope are
//     passed over, and so is a missing begin marker; there may be several envelopes. Without its end
//     marker an envelope was cut: its last hunk, new file, move or deletion is refused. Markers may
//     be padded and in any case. An envelope without an operation holds no edit.
//   - Several "@@" lines are anchors, each looked for below the one before; one that is not in the file
//     narrows nothing. A line that only begins with the anchor will do, if there is one. Numbers after
//     "@@" are a hint.
//   - A line without a sign is context. Blank lines between hunks and before the end belong to none.
//   - Hunks out of order are placed where they stand, if that is one place. Equal places are told apart
//     by the anchors, by "*** End of File" and by the order of the hunks; if these leave several, the
//     hunk is refused. The first is never taken for being the first.
//   - Lines that are only added go below their anchor, without one to the end of the file.
//   - "*** End of File" decides between equal places and forces none.
//   - Context keeps the file's own blanks. On the looser rungs, added lines are moved in or out as the
//     old ones were. The notes say which rung it was.
//   - A file keeps its line ends, and its final newline or the lack of it, unless a hunk leaves none of
//     its lines: then each line has its end, as in a new file.
//   - Adding a file that is there replaces it. A move onto a file that is there is refused. A move
//     without hunks is a move. The same file twice: the second operation sees the result of the first.
//   - Every operation is tried for itself: one that fails does not take back those before it.
package patch

import (
	"regexp"
	"strconv"
	"strings"

	"coauthor/edits"
	"coauthor/edits/match"
	"coauthor/edits/name"
	"coauthor/edits/reply"
)

// New returns a parser of the format.
func New(o edits.ParseOptions) edits.Parser { return &parser{o: o} }

type parser struct {
	o        edits.ParseOptions
	scan     reply.Scanner
	inside   bool // in an envelope
	fence    *reply.Fence
	op       *operation
	list     []edits.Edit
	problems []edits.Problem
	fresh    int
}

// operation is an open file operation.
type operation struct {
	kind    edits.Op
	path    string
	to      string
	first   int
	content []string // of a new file, as written
	plus    int      // how many of its lines have a plus
	bad     int      // the first line that fits nothing, 0 for none
	chunk   *chunk
	chunks  []edits.Chunk // of a file that moves
}

type chunk struct {
	edits.Chunk
	trailing int // bare blank lines at the end
}

// Write takes the next piece.
func (p *parser) Write(piece string) []edits.Edit {
	p.list = reply.Room(p.list, piece, "@@")
	p.scan.Write(piece, p.line)
	fresh := p.list[p.fresh:]
	p.fresh = len(p.list)
	return fresh
}

// Close ends the reply. What has no end marker was cut, however the reply ended.
func (p *parser) Close(edits.Ending) ([]edits.Edit, []edits.Problem) {
	p.scan.Close(func(l reply.Line) {
		if strings.HasPrefix(l.Text, "***") && !known(directive(strings.TrimSpace(l.Text))) {
			return // the beginning of an operation, or of a mark that belongs to the open one
		}
		p.line(l)
	})
	if p.scan.TooLong() {
		return nil, []edits.Problem{p.scan.Problem()}
	}
	p.cut(p.scan.Count())
	for i := range p.list {
		p.list[i].Index = i
	}
	return p.list, p.problems
}

// cut refuses what is open, for it has no end: a new file, a move or a deletion as a whole, else its last hunk.
func (p *parser) cut(last int) {
	p.drop(edits.ReasonUnclosed, "the patch has no end marker, so this part of it may not be whole; write it again, up to *** End Patch", last)
}

// Interrupt says that what comes next stands apart from what came so far: what is open has no end.
func (p *parser) Interrupt() {
	p.cut(p.scan.Count())
	p.inside, p.fence = false, nil
}

// drop gives up what is open.
func (p *parser) drop(reason, message string, last int) {
	o := p.op
	if o == nil {
		return
	}
	p.op = nil
	first := o.first
	if o.kind == edits.OpUpdate && o.to == "" && o.chunk != nil {
		first = o.chunk.First
	}
	p.problem(o.path, reason, message, first, last)
}

func (p *parser) problem(path, reason, message string, first, last int) {
	p.problems = append(p.problems, edits.Problem{Edit: -1, Path: path, Reason: reason, Message: message, First: first, Last: last})
}

func (p *parser) line(l reply.Line) {
	trimmed := strings.TrimSpace(l.Text)
	switch word := directive(trimmed); {
	case word == "begin patch":
		p.cut(l.N - 1)
		p.inside = true
	case word == "end patch":
		p.endOperation(l.N - 1)
		p.inside = false
	case strings.HasPrefix(word, "add file:"), strings.HasPrefix(word, "update file:"), strings.HasPrefix(word, "delete file:"):
		p.begin(l.N, word, trimmed)
	case !p.inside:
		p.outside(l)
	case strings.HasPrefix(word, "move to:") && p.op != nil && p.op.kind == edits.OpUpdate && p.op.chunk == nil:
		p.op.to = name.Argument(value(trimmed), p.o.Known)
	case word == "end of file" && p.op != nil && p.op.kind == edits.OpUpdate:
		if p.op.chunk != nil {
			p.op.chunk.AtEnd = true
		}
		p.endChunk(l.N)
	case strings.HasPrefix(trimmed, "*** ") && l.Text[0] == '*':
		p.unknown(l)
	case p.fence != nil && p.fence.Closes(l.Text):
		p.cut(l.N - 1)
		p.inside, p.fence = false, nil
	case p.op != nil:
		p.body(l)
	}
}

// directive is what follows the stars of a line, in small letters; "" for other lines.
func directive(trimmed string) string {
	rest, ok := strings.CutPrefix(trimmed, "***")
	if !ok {
		return ""
	}
	rest = strings.ToLower(strings.TrimSpace(strings.TrimRight(rest, "* ")))
	return strings.ReplaceAll(rest, " :", ":")
}

// known says whether a directive is whole.
func known(word string) bool {
	switch word {
	case "begin patch", "end patch", "end of file":
		return true
	}
	return strings.HasPrefix(word, "add file:") || strings.HasPrefix(word, "update file:") ||
		strings.HasPrefix(word, "delete file:") || strings.HasPrefix(word, "move to:")
}

func value(trimmed string) string {
	_, after, _ := strings.Cut(strings.TrimRight(trimmed, "* "), ":")
	return strings.TrimSpace(after)
}

func (p *parser) outside(l reply.Line) {
	if f, ok := reply.OpenFence(l.Text); ok && p.fence == nil {
		p.fence = &f
	} else if p.fence != nil && p.fence.Closes(l.Text) {
		p.fence = nil
	}
}

func (p *parser) begin(n int, word, trimmed string) {
	p.endOperation(n - 1)
	p.inside = true
	o := &operation{path: name.Argument(value(trimmed), p.o.Known), first: n, kind: edits.OpUpdate}
	switch word[0] {
	case 'a':
		o.kind = edits.OpCreate
	case 'd':
		o.kind = edits.OpDelete
	}
	p.op = o
	if o.path == "" {
		p.problem("", edits.ReasonNoName, "the operation names no file", n, n)
		p.op = nil
	}
}

// unknown reads a line that only looks like an operation. What it stands in is not whole without it.
func (p *parser) unknown(l reply.Line) {
	message := "the line " + strconv.Quote(l.Text) + " is no operation of a patch"
	if p.op == nil {
		p.problem("", edits.ReasonMalformed, message, l.N, l.N)
		return
	}
	p.drop(edits.ReasonMalformed, message, l.N)
}

func (p *parser) body(l reply.Line) {
	switch o := p.op; o.kind {
	case edits.OpCreate:
		if strings.HasPrefix(l.Text, "+") {
			o.plus++
		}
		o.content = append(o.content, l.Text)
	case edits.OpUpdate:
		if strings.HasPrefix(strings.TrimSpace(l.Text), "@@") && (l.Text[0] == '@' || l.Text[0] == ' ' && p.op.chunk == nil) {
			p.anchor(l)
			return
		}
		if l.Text == "" && o.chunk == nil {
			return
		}
		if o.chunk == nil {
			o.chunk = &chunk{Chunk: edits.Chunk{First: l.N}}
		}
		o.chunk.add(l.Text)
	case edits.OpDelete, edits.OpRename:
		if strings.TrimSpace(l.Text) != "" && o.bad == 0 {
			o.bad = l.N
		}
	}
}

func (c *chunk) add(text string) {
	sign, rest, bare := byte(' '), text, true
	switch {
	case text == "":
		c.trailing++
		c.Lines = append(c.Lines, match.Line{Sign: ' '})
		return
	case strings.HasPrefix(text, "\\ No newline"):
		if n := len(c.Lines); n > 0 {
			c.Lines[n-1].Open = true
		}
		return
	case text[0] == '+' || text[0] == '-' || text[0] == ' ':
		sign, rest, bare = text[0], text[1:], false
	}
	c.trailing = 0
	c.Lines = append(c.Lines, match.Line{Sign: sign, Text: rest, Bare: bare})
}

var numbered = regexp.MustCompile(`^-(\d+)(?:,\d+)? \+\d+(?:,\d+)?(?: @@ ?(.*))?$`)

// anchor reads an "@@" line. Right after another one it is looked for below that one; after lines of
// a chunk it begins the next chunk.
func (p *parser) anchor(l reply.Line) {
	o := p.op
	if o.chunk != nil && len(o.chunk.Lines) > 0 {
		p.endChunk(l.N - 1)
	}
	if o.chunk == nil {
		o.chunk = &chunk{Chunk: edits.Chunk{First: l.N}}
	}
	text := strings.TrimSpace(l.Text)
	text = strings.TrimSpace(strings.TrimLeft(text, "@"))
	if m := numbered.FindStringSubmatch(strings.TrimSpace(strings.TrimSuffix(text, "@@"))); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			o.chunk.Line = n
		}
		text = m[2]
	}
	text = strings.TrimSpace(strings.TrimSuffix(text, "@@"))
	if text != "" && strings.Trim(text, ". …") != "" {
		o.chunk.Scopes = append(o.chunk.Scopes, text)
	}
}

// endChunk makes an edit of the open chunk; of a file that moves the chunks are kept together.
func (p *parser) endChunk(last int) {
	o := p.op
	c := o.chunk
	o.chunk = nil
	if c == nil {
		return
	}
	c.Lines = c.Lines[:len(c.Lines)-c.trailing]
	changes := false
	for _, l := range c.Lines {
		changes = changes || l.Sign != ' '
	}
	if !changes {
		return
	}
	c.Ends = true
	if o.to != "" {
		o.chunks = append(o.chunks, c.Chunk)
		return
	}
	p.list = reply.Add(p.list, edits.Edit{Index: len(p.list), Path: o.path, Op: edits.OpUpdate, Kind: edits.KindHunk,
		Chunks: []edits.Chunk{c.Chunk}, First: c.First, Last: last})
}

func (p *parser) endOperation(last int) {
	o := p.op
	if o == nil {
		return
	}
	n := len(p.list)
	if o.kind == edits.OpUpdate {
		p.endChunk(last)
	}
	p.op = nil
	e := edits.Edit{Index: len(p.list), Path: o.path, Op: o.kind, First: o.first, Last: last}
	switch {
	case o.kind == edits.OpUpdate && o.to == "":
		if len(p.list) == n && !p.has(o) {
			p.problem(o.path, edits.ReasonMalformed, "the update holds no changed line", o.first, last)
		}
		return
	case o.kind == edits.OpUpdate:
		e.Op, e.Kind, e.To, e.Chunks = edits.OpRename, edits.KindRename, o.to, o.chunks
	case o.kind == edits.OpDelete:
		e.Kind = edits.KindDelete
		if o.bad > 0 {
			p.problem(o.path, edits.ReasonMalformed, "a file that is deleted has no lines", o.bad, o.bad)
			return
		}
	default:
		text, ok := o.text()
		if !ok {
			p.problem(o.path, edits.ReasonMalformed, "every line of a new file begins with a plus", o.first, last)
			return
		}
		// Adding a file that is there means to replace it, so this is an update as well.
		e.Op, e.Kind, e.Replace = edits.OpUpdate, edits.KindWhole, text
	}
	p.list = reply.Add(p.list, e)
}

// has says whether an earlier chunk of the operation became an edit.
func (p *parser) has(o *operation) bool {
	for i := len(p.list) - 1; i >= 0 && p.list[i].First >= o.first; i-- {
		if p.list[i].Path == o.path {
			return true
		}
	}
	return false
}

// text is the content of a new file: lines with their plus, or none of them with one.
func (o *operation) text() (string, bool) {
	lines := o.content
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	var out strings.Builder
	for _, l := range lines {
		rest, ok := strings.CutPrefix(l, "+")
		if !ok && o.plus > 0 && strings.TrimSpace(l) != "" {
			return "", false
		}
		if o.plus == 0 {
			rest = l
		}
		out.WriteString(rest)
		out.WriteByte('\n')
	}
	return out.String(), true
}
