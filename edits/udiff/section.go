package udiff

import (
	"regexp"
	"strconv"
	"strings"

	"coauthor/edits"
	"coauthor/edits/match"
	"coauthor/edits/name"
	"coauthor/edits/reply"
)

// section is what the lines before the hunks said about one file.
type section struct {
	seen     bool   // there was a header
	old, new string // the names as written, without decoration
	from, to string // "rename from" and "rename to"
	create   bool
	remove   bool
	copied   bool // "copy from": the old file stays, and no edit makes another one of it
	binary   bool // its lines are not in the reply
	first    int
	body     []string // the lines of a new file
	hunks    int
}

// hunk is an open hunk.
type hunk struct {
	first    int
	scope    string
	line     int
	top      bool // the header counts the old lines from 0
	old, new int  // lines still to come by the header's counts; -1 when it has none
	counted  bool // it has them
	lines    []match.Line
	trailing int // bare blank lines at the end, which may be none of the hunk's
}

const devNull = "/dev/null"

// unclear is a header that says nothing of the place, as models write it in the place of numbers.
var unclear = regexp.MustCompile(`^@@ \.\.\. *$|^@@[-+, 0-9a-zA-Z?]*@@$`)

// dotted reads a header with nothing but dots where the numbers are.
func dotted(text string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(text, "@@")
	if !ok {
		return "", false
	}
	for rest != "" && rest[0] != '@' {
		n := 1
		if strings.HasPrefix(rest, "…") {
			n = len("…")
		} else if rest[0] != ' ' && rest[0] != '.' {
			return "", false
		}
		rest = rest[n:]
	}
	return strings.CutPrefix(rest, "@@")
}

// metadata reads the lines that git writes between the name and the hunks.
func metadata(text string) (key string, ok bool) {
	if text == "" || strings.IndexByte("dinosrcBG", text[0]) < 0 { // the first letters of those below: few lines begin with one
		return "", false
	}
	for _, key := range []string{"diff --git ", "index ", "new file mode", "deleted file mode", "old mode", "new mode",
		"similarity index", "dissimilarity index", "rename from ", "rename to ", "copy from ", "copy to ", "Binary files ", "GIT binary patch"} {
		if strings.HasPrefix(text, key) {
			return key, true
		}
	}
	return "", false
}

// content reads one line of a block. Lines that look like a header are held back until the next ones
// tell whether they are one, or removed and added comments.
func (p *parser) content(l reply.Line) {
	switch n := len(p.held); {
	case n == 1 && strings.HasPrefix(l.Text, "+++ ") && !p.inside(1):
		p.held = append(p.held, l)
		if old, new := p.names(p.held[0], l); old == devNull || new == devNull {
			p.header() // no comment looks like that
		}
		return
	case n == 1 && p.hunk == nil && IsNumbered(l.Text):
		p.held = append(p.held, reply.Line{N: p.held[0].N, Text: "+++ " + p.held[0].Text[len("--- "):]})
		p.header()
	case n == 2 && (p.hunk == nil || strings.HasPrefix(l.Text, "@@")):
		p.header()
	case n > 0:
		p.release()
	}
	if strings.HasPrefix(l.Text, "--- ") && !p.inside(0) {
		p.held = append(p.held, l)
		return
	}
	p.plain(l)
}

// inside says whether the counts of the hunk's header still want removed lines.
func (p *parser) inside(taken int) bool {
	return p.hunk != nil && p.hunk.old > taken
}

// release hands the held lines on as what they are.
func (p *parser) release() {
	if len(p.held) == 2 && p.hunk == nil {
		p.header()
		return
	}
	for _, l := range p.held {
		p.plain(l)
	}
	p.held = p.held[:0]
}

// names are those in the two lines of a header.
func (p *parser) names(old, new reply.Line) (string, string) {
	return name.Pair(old.Text[len("--- "):], new.Text[len("+++ "):], p.o.Known)
}

// header begins a file.
func (p *parser) header() {
	old, new := p.names(p.held[0], p.held[1])
	first := p.held[0].N
	p.held = p.held[:0]
	meta := p.sec
	p.endHunk(first - 1)
	if meta.hunks > 0 || meta.seen {
		p.endSection(first - 1)
		meta = section{}
	}
	p.begun = true
	p.sec = meta
	p.sec.seen, p.sec.first = true, first
	p.sec.old, p.sec.new = old, new
	p.sec.create = p.sec.create || old == devNull
	p.sec.remove = p.sec.remove || new == devNull
}

// plain reads a line that is certainly no file header.
func (p *parser) plain(l reply.Line) {
	if key, ok := metadata(l.Text); ok && (p.hunk == nil || p.hunk.done()) {
		p.meta(key, l)
		return
	}
	if strings.HasPrefix(l.Text, "@@") {
		p.startHunk(l)
		return
	}
	if p.hunk == nil {
		if !p.sec.seen && mailed.MatchString(l.Text) {
			p.begun = false // the head of an e-mail, up to the names
		}
		if !p.sec.seen && !p.begun || l.Text == "" {
			return
		}
		if !p.sec.seen && l.Text[0] != '+' && l.Text[0] != '-' && l.Text[0] != ' ' {
			return // a remark above the diff
		}
		p.open(hunk{first: l.N, old: -1, new: -1})
	}
	if p.hunk.counted && p.hunk.old == 0 && p.hunk.new == 0 && isSignature(l.Text) {
		p.endSection(l.N - 1)
		p.begun = false // what follows is of another e-mail
		return
	}
	p.hunk.add(l.Text)
}

// mailed is the first line of a patch as an e-mail.
var mailed = regexp.MustCompile(`^From [0-9a-f]{7,64} `)

// isSignature says whether a line begins the signature of an e-mail, with which git ends a patch.
func isSignature(text string) bool { return text == "-- " || text == "--" }

// version is the line below it.
var version = regexp.MustCompile(`^\d+\.\d+(\.[\w.-]+)*( \(.*\))?$`)

// unsign takes the signature off the end of a hunk whose counts are wrong, or that has none: it is no removed line.
func (h *hunk) unsign() {
	n := len(h.lines)
	if n < 2 || !h.lines[n-1].Bare || !version.MatchString(h.lines[n-1].Text) {
		return
	}
	if l := h.lines[n-2]; l.Sign == '-' && isSignature("-"+l.Text) {
		h.lines = h.lines[:n-2]
	}
}

func (h *hunk) done() bool { return h.old <= 0 && h.new <= 0 }

func (h *hunk) add(text string) {
	sign, rest, bare := byte(' '), text, false
	switch {
	case text == "":
		h.trailing++
	case strings.HasPrefix(text, "\\ No newline"):
		if n := len(h.lines); n > 0 {
			h.lines[n-1].Open = true
		}
		return
	case text[0] == '+' || text[0] == '-' || text[0] == ' ':
		sign, rest = text[0], text[1:]
		h.trailing = 0
	default:
		h.trailing, bare = 0, true // a line that stays, whose blank was forgotten
	}
	if sign != '+' {
		h.old--
	}
	if sign != '-' {
		h.new--
	}
	h.lines = append(h.lines, match.Line{Sign: sign, Text: rest, Bare: bare})
}

func (p *parser) meta(key string, l reply.Line) {
	p.endHunk(l.N - 1)
	value := strings.TrimSpace(l.Text[len(key):])
	switch key {
	case "diff --git ":
		p.endSection(l.N - 1)
		p.begun = true
		p.sec = section{first: l.N}
		if old, new, ok := strings.Cut(value, " b/"); ok {
			p.sec.old, p.sec.new = name.Pair(old, "b/"+new, p.o.Known)
		}
	case "new file mode":
		p.sec.create = true
	case "deleted file mode":
		p.sec.remove = true
	case "rename from ":
		p.sec.from = name.Argument(value, p.o.Known)
	case "rename to ":
		p.sec.to = name.Argument(value, p.o.Known)
	case "copy from ":
		p.sec.copied = true
	case "Binary files ", "GIT binary patch":
		p.sec.binary = true
	}
}

func (p *parser) startHunk(l reply.Line) {
	p.endHunk(l.N - 1)
	p.begun = true
	h := hunk{first: l.N, old: -1, new: -1}
	if n, ok := readNumbers(l.Text); ok {
		h.counted = true
		h.line, h.top, h.old, h.new, h.scope = n.line, n.top, n.old, n.new, strings.TrimSpace(n.rest)
	} else if rest, ok := dotted(l.Text); ok {
		h.scope = strings.TrimSpace(rest)
	} else if !unclear.MatchString(l.Text) {
		h.scope = strings.TrimSpace(strings.Trim(strings.TrimSpace(l.Text), "@"))
	}
	p.open(h)
}

// open begins a hunk. There is one at a time.
func (p *parser) open(h hunk) {
	p.space = h
	p.hunk = &p.space
}

// numbers are what a header says: "@@ -line,old +line,new @@ rest".
type numbers struct {
	line, old, new int
	top            bool // line is 0, before the first one
	rest           string
}

func readNumbers(text string) (n numbers, ok bool) {
	rest, _ := strings.CutPrefix(text, "@@")
	if len(rest) == len(text) {
		return n, false
	}
	line, old, rest, ok := side(strings.TrimLeft(rest, "@"), " -")
	if !ok {
		return n, false
	}
	_, new, rest, ok := side(rest, " +")
	if !ok {
		return n, false
	}
	rest, ok = strings.CutPrefix(rest, " @@")
	n = numbers{line: number(line, 0), old: number(old, 1), new: number(new, 1), rest: strings.TrimLeft(rest, "@")}
	if n.top = strings.Trim(line, "0") == ""; n.top {
		n.old = number(old, 0)
	}
	return n, ok
}

// IsNumbered says whether a line is the header of a hunk with line numbers.
func IsNumbered(text string) bool {
	_, ok := readNumbers(text)
	return ok
}

// side reads one side of a header: a line, and a count where there is one.
func side(text, sign string) (line, count, rest string, ok bool) {
	if text, ok = strings.CutPrefix(text, sign); !ok {
		return "", "", "", false
	}
	line, rest = digits(text)
	if after, comma := strings.CutPrefix(rest, ","); comma {
		if count, after = digits(after); count != "" {
			rest = after
		}
	}
	return line, count, rest, line != ""
}

func digits(text string) (number, rest string) {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return text[:n], text[n:]
}

func number(text string, absent int) int {
	n, err := strconv.Atoi(text)
	if err != nil || n > 1<<30 {
		return absent
	}
	return n
}

// path is the name of the section's file, or the one before it.
func (s section) path(last string) string {
	switch {
	case s.remove && s.old != "" && s.old != devNull:
		return s.old
	case s.new != "" && s.new != devNull:
		return s.new
	case s.to != "":
		return s.to
	case s.seen:
		return devNull // both sides are: no file is meant, and not the one before either
	}
	return last
}

// pending says whether the section would do something at its end.
func (s section) pending() bool { return s.create || s.remove || s.copied || s.from != "" }

// endHunk makes an edit of the open hunk.
func (p *parser) endHunk(last int) {
	h := p.hunk
	p.hunk = nil
	if h == nil {
		return
	}
	h.lines = h.lines[:len(h.lines)-h.trailing]
	h.unsign()
	p.sec.hunks++
	if p.sec.remove || p.sec.copied {
		return
	}
	changes := false
	for _, l := range h.lines {
		changes = changes || l.Sign != ' '
		if p.sec.create && l.Sign != '-' {
			p.sec.body = append(p.sec.body, l.Text)
		}
	}
	if p.sec.create || !changes {
		return
	}
	path := p.sec.path(p.name)
	chunk := edits.Chunk{Line: h.line, AtTop: h.top, Lines: h.lines, First: h.first}
	if h.scope != "" {
		chunk.Scopes = []string{h.scope}
	}
	e := edits.Edit{Index: len(p.list), Path: path, Op: edits.OpUpdate, Kind: edits.KindHunk, Chunks: []edits.Chunk{chunk}, First: h.first, Last: last}
	if p.sec.seen && p.sec.old != p.sec.new && p.sec.old != devNull {
		e.From = p.sec.old
		if p.renames {
			e.To = path
		}
	}
	p.list = reply.Add(p.list, e)
}

// endSection does what the section says about its file as a whole.
func (p *parser) endSection(last int) {
	p.endHunk(last)
	s := p.sec
	p.sec = section{}
	path := s.path(p.name)
	p.name = path
	e := edits.Edit{Index: len(p.list), Path: path, First: s.first, Last: last}
	switch {
	case s.copied:
		p.refuse(s, path, last, "a copy cannot be made from a diff; write "+path+" as a new file with all of its lines")
		return
	case s.create && s.binary && s.hunks == 0:
		p.refuse(s, path, last, path+" is a binary file, and its bytes are not in the diff; only text can be written")
		return
	case s.create && (s.hunks > 0 || s.seen || s.old != ""):
		e.Op, e.Kind, e.Replace = edits.OpCreate, edits.KindWhole, lines(s.body)
	case s.remove:
		e.Op, e.Kind = edits.OpDelete, edits.KindDelete
	case s.from != "" && s.to != "":
		// The hunks before it were for the file under its new name; a rename comes first.
		e.Op, e.Kind, e.Path, e.To = edits.OpRename, edits.KindRename, s.from, s.to
		p.moveHunks(&e)
	default:
		return
	}
	p.list = reply.Add(p.list, e)
	p.fresh = min(p.fresh, len(p.list)-1)
}

// refuse reports a section that no edit can stand for.
func (p *parser) refuse(s section, path string, last int, message string) {
	p.problems = append(p.problems, edits.Problem{Edit: -1, Path: path, Reason: edits.ReasonMalformed, First: s.first, Last: last, Message: message})
}

// moveHunks takes the hunks of the renamed file into the rename.
func (p *parser) moveHunks(e *edits.Edit) {
	n := len(p.list)
	for n > 0 && p.list[n-1].Kind == edits.KindHunk && p.list[n-1].Path == e.To && p.list[n-1].First >= e.First {
		n--
	}
	for _, h := range p.list[n:] {
		e.Chunks = append(e.Chunks, h.Chunks...)
	}
	p.list = p.list[:n]
	e.Index = n
}

func lines(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return strings.Join(list, "\n") + "\n"
}
