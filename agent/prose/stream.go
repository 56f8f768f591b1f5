package prose

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"coauthor/edits"
)

// Stream tells the words of a reply from its edits while it streams: a diff shows those better. A line is given as
// soon as it can be neither a fence nor the file name before one. An edit is a listing below a file name, one that
// begins with the mark of a block, or a block or patch without a listing; other listings are words. What it takes for one
// by mistake stands in the answer all the same. What it takes grows with the length of the reply alone, whatever its lines
// and the pieces are. The zero value is ready.
type Stream struct {
	line  []byte // the line that has not ended yet
	given int    // how much of line was given
	begun lineBegin
	held  []string // a line that is a file name, and blank ones after it
	named bool     // the last line that was not blank ended in a file name
	open  openListing

	words, edits strings.Builder // of the piece that is being read
}

// openListing is what a ProseStream is inside of.
type openListing struct {
	close string // the closing line, or how it begins; "" outside of listings
	fence string // the opening line, while it is not decided whose it is
	shown bool

	indent int      // of the opening line
	inner  []string // what closes the listings that began inside, the last one last: a fence with a word behind it opens one
}

// Write takes the next piece, and returns what is certain now: words, and what belongs to edits.
func (p *Stream) Write(piece string) (words, edits string) {
	if p.given > 0 && !strings.Contains(piece, "\n") { // in the midst of words
		p.line = append(p.line, piece...)
		p.given = len(p.line)
		return piece, ""
	}
	for piece != "" {
		part, rest, ended := strings.Cut(piece, "\n")
		p.line = append(p.line, part...)
		piece = rest
		if ended {
			p.endLine("\n")
			continue
		}
		if p.open.close == "" && p.begun.certain(p.line) {
			p.release()
			p.words.Write(p.line[p.given:])
			p.given = len(p.line)
		}
	}
	return p.take()
}

// End returns what was held back at the end of a reply. Another one may begin then.
func (p *Stream) End() (words, edits string) {
	if len(p.line) > 0 {
		p.endLine("")
	}
	p.release()
	p.edits.WriteString(p.open.fence)
	p.open, p.named = openListing{}, false
	return p.take()
}

func (p *Stream) take() (words, edits string) {
	words, edits = p.words.String(), p.edits.String()
	p.words.Reset()
	p.edits.Reset()
	return words, edits
}

func (p *Stream) endLine(newline string) {
	line, given := string(p.line), p.given
	p.line, p.given, p.begun = p.line[:0], 0, lineBegin{}
	trimmed := strings.TrimSpace(line)
	switch {
	case p.open.close != "":
		p.listed(line+newline, trimmed)
	case listingOf(trimmed) != "" && given == 0:
		p.open = openListing{close: listingOf(trimmed), fence: line + newline, indent: indentOf(line)}
		if len(p.held) > 0 || p.named {
			p.edits.WriteString(strings.Join(p.held, "") + p.open.fence)
			p.open.fence = ""
		}
		p.held, p.named = nil, false
	case blockOf(trimmed) != "" && given == 0:
		p.edits.WriteString(strings.Join(p.held, "") + line + newline)
		p.open, p.held, p.named = openListing{close: blockOf(trimmed)}, nil, false
	case trimmed == "" && len(p.held) > 0:
		p.held = append(p.held, line+newline)
	case trimmed == "":
		p.words.WriteString(line[given:] + newline)
	case given == 0 && !strings.Contains(trimmed, " ") && namesFile(trimmed):
		p.release()
		p.held = []string{line + newline}
	default:
		p.release()
		p.words.WriteString(line[given:] + newline)
		words := strings.Fields(trimmed)
		p.named = len(words) <= 3 && namesFile(words[len(words)-1])
	}
}

// listed takes a line inside a listing. Its first line decides whether the listing is words.
func (p *Stream) listed(line, trimmed string) {
	if p.open.fence != "" {
		p.open.shown = blockOf(trimmed) == "" && !strings.HasPrefix(line, "--- ") && !strings.HasPrefix(line, "diff --git ")
		p.put(p.open.fence)
		p.open.fence = ""
	}
	p.put(line)
	if p.open.inside(line, trimmed) {
		return
	}
	if trimmed == p.open.close || p.open.close == blockEnd && strings.HasPrefix(trimmed, blockEnd) {
		p.open = openListing{}
	}
}

// inside follows the listings that begin inside of one, as the parser of listings does (edits/wholefile), and says whether the
// line belongs to one of them.
func (o *openListing) inside(line, trimmed string) bool {
	if n := len(o.inner); n > 0 && len(trimmed) >= len(o.inner[n-1]) && strings.Trim(trimmed, "`") == "" {
		o.inner = o.inner[:n-1]
		return true
	}
	if !strings.HasPrefix(o.close, "```") {
		return false
	}
	if fence := listingOf(trimmed); len(fence) >= len(o.close) && strings.HasPrefix(fence, "```") && fence != trimmed && indentOf(line) <= o.indent {
		o.inner = append(o.inner, fence)
	}
	return len(o.inner) > 0
}

// indentOf is how many blanks a line begins with.
func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

func (p *Stream) put(text string) {
	if p.open.shown {
		p.words.WriteString(text)
	} else {
		p.edits.WriteString(text)
	}
}

func (p *Stream) release() {
	p.words.WriteString(strings.Join(p.held, ""))
	p.held = nil
}

// lineBegin is what is known of a line that has not ended, so that each of its bytes is looked at once.
type lineBegin struct {
	indent int  // the blanks that it begins with
	ticks  int  // the backticks behind them
	looked int  // how far it was looked at, in whole runes
	gap    bool // a blank is behind a word
	spaced bool // a blank is among its words: one at the end is trimmed, and a file name may stand before it
	inline bool // a backtick is behind other words, so that the first ones open no listing
}

// certain says that the line, as far as it has come, is plain words. It stays so, whatever follows.
func (b *lineBegin) certain(line []byte) bool {
	for utf8.FullRune(line[b.looked:]) {
		c, size := utf8.DecodeRune(line[b.looked:])
		switch {
		case (c == ' ' || c == '\t') && b.indent == b.looked:
			b.indent++
		case c == '`' && b.indent+b.ticks == b.looked:
			b.ticks++
		case c == ' ':
			b.gap = true
		case !unicode.IsSpace(c):
			b.inline = b.inline || c == '`'
			b.spaced = b.spaced || b.gap
		}
		b.looked += size
	}
	rest := line[b.indent:]
	return b.spaced && (b.ticks < 3 || b.inline) && !bytes.HasPrefix(rest, []byte("***")) && !bytes.HasPrefix(rest, []byte("<<<"))
}

// namesFile says whether a word looks like the name of a file.
func namesFile(word string) bool {
	word = strings.Trim(word, "`*_#:\"'")
	i := strings.LastIndexByte(word, '.')
	return strings.Contains(word, "/") || i >= 0 && i < len(word)-1
}

// blockEnd begins the last line of a block that replaces lines.
const blockEnd = ">>>>>>>"

// blockOf returns how the last line of a block or patch begins that the line opens, "" when it opens none.
func blockOf(line string) string {
	switch {
	case strings.HasPrefix(line, "<<<<<<<"):
		return blockEnd
	case line == "*** Begin Patch":
		return "*** End Patch"
	}
	return ""
}

// listingOf returns what closes the listing that the line opens, "" when it opens none.
func listingOf(line string) string {
	if n := len(line) - len(strings.TrimLeft(line, "`")); n >= 3 && !strings.Contains(line[n:], "`") {
		return line[:n]
	}
	i := slices.IndexFunc(edits.Fences, func(f edits.Fence) bool { return f.Open != f.Close && f.Open == line })
	if i < 0 {
		return ""
	}
	return edits.Fences[i].Close
}
