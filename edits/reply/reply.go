// Package reply holds what the parsers of the edit formats share: cutting a growing reply into
// lines, recognising fences, and reading the tags around listings.
//
// It knows no format and no file. Only the format folders of package edits call it. Start at Scanner.
package reply

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"coauthor/edits"
)

// Line is one whole line of a reply.
type Line struct {
	Text string // without its line end
	End  string // "\n", "\r\n", or "" for the last line
	N    int    // from 1
}

// Scanner cuts a growing reply into lines.
type Scanner struct {
	partial strings.Builder
	n, size int
}

// Write takes the next piece and calls line for each line that it completes.
func (s *Scanner) Write(piece string, line func(Line)) {
	s.size += len(piece)
	if s.TooLong() {
		s.partial.Reset()
		return
	}
	for piece != "" {
		i := strings.IndexByte(piece, '\n')
		if i < 0 {
			s.partial.WriteString(piece)
			return
		}
		text := piece[:i]
		if s.partial.Len() > 0 {
			s.partial.WriteString(text)
			text = s.partial.String()
			s.partial.Reset()
		}
		piece = piece[i+1:]
		s.n++
		if rest, ok := strings.CutSuffix(text, "\r"); ok {
			line(Line{rest, "\r\n", s.n})
			continue
		}
		line(Line{text, "\n", s.n})
	}
}

// Close hands out the last line if it has no end.
func (s *Scanner) Close(line func(Line)) {
	if s.partial.Len() == 0 {
		return
	}
	text := s.partial.String()
	s.partial.Reset()
	s.n++
	line(Line{strings.TrimSuffix(text, "\r"), "", s.n})
}

// Count returns how many lines there were.
func (s *Scanner) Count() int { return s.n }

// TooLong says that the reply is beyond edits.MaxReply. Nothing of it may be used then.
func (s *Scanner) TooLong() bool { return s.size > edits.MaxReply }

// Problem is what a parser returns for a reply that is too long.
func (s *Scanner) Problem() edits.Problem {
	return edits.Problem{Edit: -1, Reason: edits.ReasonTooLong, First: 1, Last: 1,
		Message: fmt.Sprintf("the reply has more than %d bytes; ask for less at a time", edits.MaxReply)}
}

// Room makes room in a list for the edits that a piece of a reply may hold, one for each line that
// begins with a sign. A list that grows by itself costs several times what it holds.
func Room(list []edits.Edit, piece, sign string) []edits.Edit {
	const least = 16 // no edit is shorter
	if len(piece) < 64*least {
		return list
	}
	return slices.Grow(list, min(strings.Count(piece, "\n"+sign), len(piece)/least))
}

// Add appends an edit. A list that is full doubles: edits are large, and in the smaller steps in which a
// long list grows by itself each of them is copied four times.
func Add(list []edits.Edit, e edits.Edit) []edits.Edit {
	if len(list) == cap(list) {
		list = slices.Grow(list, max(len(list), 1))
	}
	return append(list, e)
}

// Fence is an opening fence line.
type Fence struct {
	Indent int
	Mark   byte   // '`', '~' or '<' for a tag
	Len    int    // how many marks; 0 for a tag
	Info   string // what follows on the line
	Close  string // the closing tag
}

// Blanks counts the blanks and tabs that a text begins with.
func Blanks(text string) int {
	n := 0
	for n < len(text) && (text[n] == ' ' || text[n] == '\t') {
		n++
	}
	return n
}

// Blank says whether a text has nothing but blanks of any kind.
func Blank(text string) bool {
	n := Blanks(text)
	return n == len(text) || (text[n] <= ' ' || text[n] >= utf8.RuneSelf) && strings.TrimSpace(text[n:]) == ""
}

// cannotBegin says of a text without blanks before it that it does not begin with that sign, also not
// behind rarer kinds of blanks. Most lines of a reply need no closer look than this.
func cannotBegin(text string, sign byte) bool {
	return text == "" || text[0] > ' ' && text[0] < utf8.RuneSelf && text[0] != sign
}

// OpenFence reads an opening fence: three or more backticks or tildes, or the tag of one of
// edits.Fences.
func OpenFence(text string) (Fence, bool) {
	f := Fence{Indent: Blanks(text)}
	trimmed := text[f.Indent:]
	if trimmed == "" {
		return f, false
	}
	if c := trimmed[0]; c == '`' || c == '~' {
		n := len(trimmed) - len(strings.TrimLeft(trimmed, string(c)))
		info := strings.TrimSpace(trimmed[n:])
		if n < 3 || strings.IndexByte(info, c) >= 0 && c == '`' {
			return f, false
		}
		f.Mark, f.Len, f.Info = c, n, info
		return f, true
	}
	if cannotBegin(trimmed, '<') {
		return f, false
	}
	trimmed = strings.TrimSpace(trimmed)
	for _, known := range edits.Fences {
		if known.Open[0] != '<' {
			continue
		}
		if info, ok := strings.CutPrefix(trimmed, known.Open); ok && !strings.ContainsAny(info, "<> ") {
			f.Mark, f.Close, f.Info = '<', known.Close, info
			return f, true
		}
	}
	return f, false
}

// Closes says whether a line closes the fence.
func (f Fence) Closes(text string) bool {
	indent := Blanks(text)
	if indent > f.Indent || cannotBegin(text[indent:], f.Mark) {
		return false // further in than the opening one, it is content
	}
	text = strings.TrimSpace(text)
	if f.Mark == '<' {
		return text == f.Close
	}
	return len(text) >= f.Len && text != "" && strings.Trim(text, string(f.Mark)) == ""
}

// IsFence says whether a line is a fence of any kind, opening or closing.
func IsFence(text string) bool {
	if _, ok := OpenFence(text); ok {
		return true
	}
	if cannotBegin(text[Blanks(text):], '<') {
		return false
	}
	text = strings.TrimSpace(text)
	for _, known := range edits.Fences {
		if known.Close[0] == '<' && text == known.Close {
			return true
		}
	}
	return false
}

// shells are the languages of blocks that are commands for the user, no files.
var shells = map[string]bool{
	"bash": true, "sh": true, "shell": true, "zsh": true, "fish": true, "ksh": true, "csh": true, "tcsh": true,
	"cmd": true, "batch": true, "bat": true, "powershell": true, "ps1": true, "console": true, "shell-session": true,
	"terminal": true, "shellsession": true, "output": true, "text": true, "plaintext": true,
}

// IsShell says whether a fence opens a block of commands or of plain output.
func (f Fence) IsShell() bool {
	lang, _, _ := strings.Cut(f.Info, " ")
	return shells[strings.ToLower(lang)]
}
