package main

import (
	"slices"
	"strings"

	"coauthor/edits"
)

// prose lets the words of a reply through and keeps its edits back, while it streams: the diff shows
// them better. A line is shown as soon as it can be neither a fence nor the file name before one. An
// edit is a listing below a file name, or one that begins with the mark of a block; other listings
// are shown. The zero value is ready.
type prose struct {
	line  string   // the line that has not ended yet
	shown int      // how much of line was let through
	held  []string // a line that is a file name, and blank ones after it
	named bool     // the last line that was not blank ended in a file name
	open  listing
}

// listing is what prose is inside of.
type listing struct {
	close string // the closing fence; "" outside of listings
	fence string // the opening line, while it is not decided whether to show
	shown bool
}

// write takes the next piece and returns what to show.
func (p *prose) write(piece string) string {
	var out strings.Builder
	for piece != "" {
		part, rest, ended := strings.Cut(piece, "\n")
		p.line += part
		piece = rest
		if ended {
			p.endLine(&out, "\n")
			continue
		}
		if p.open.close == "" && p.certain() {
			p.release(&out)
			out.WriteString(p.line[p.shown:])
			p.shown = len(p.line)
		}
	}
	return out.String()
}

// end returns what was held back at the end of the reply.
func (p *prose) end() string {
	var out strings.Builder
	if p.line != "" {
		p.endLine(&out, "")
	}
	p.release(&out)
	p.open, p.named = listing{}, false
	return out.String()
}

func (p *prose) endLine(out *strings.Builder, newline string) {
	line, shown := p.line, p.shown
	p.line, p.shown = "", 0
	trimmed := strings.TrimSpace(line)
	switch {
	case p.open.close != "":
		p.listed(out, line+newline, trimmed)
	case fenceOf(trimmed) != "" && shown == 0:
		p.open = listing{close: fenceOf(trimmed), fence: line + newline}
		if len(p.held) > 0 || p.named {
			p.open.fence = ""
		}
		p.held, p.named = nil, false
	case trimmed == "" && len(p.held) > 0:
		p.held = append(p.held, line+newline)
	case trimmed == "":
		out.WriteString(line[shown:] + newline)
	case shown == 0 && !strings.Contains(trimmed, " ") && isName(trimmed):
		p.release(out)
		p.held = []string{line + newline}
	default:
		p.release(out)
		out.WriteString(line[shown:] + newline)
		words := strings.Fields(trimmed)
		p.named = len(words) <= 3 && isName(words[len(words)-1])
	}
}

// listed takes a line inside a listing. Its first line decides whether the listing is shown.
func (p *prose) listed(out *strings.Builder, line, trimmed string) {
	if p.open.fence != "" && !strings.HasPrefix(trimmed, "<<<<<<<") && !strings.HasPrefix(line, "--- ") && !strings.HasPrefix(line, "diff --git ") {
		p.open.shown = true
		out.WriteString(p.open.fence)
	}
	p.open.fence = ""
	if p.open.shown {
		out.WriteString(line)
	}
	if trimmed == p.open.close {
		p.open = listing{}
	}
}

func (p *prose) release(out *strings.Builder) {
	out.WriteString(strings.Join(p.held, ""))
	p.held = nil
}

// certain says that the line, as far as it has come, is plain words.
func (p *prose) certain() bool {
	trimmed := strings.TrimLeft(p.line, " \t")
	return strings.Contains(trimmed, " ") && fenceOf(trimmed) == ""
}

// isName says whether a word looks like the name of a file.
func isName(word string) bool {
	word = strings.Trim(word, "`*_#:\"'")
	i := strings.LastIndexByte(word, '.')
	return strings.Contains(word, "/") || i >= 0 && i < len(word)-1
}

// fenceOf returns what closes the listing that the line opens, "" when it opens none.
func fenceOf(line string) string {
	if n := len(line) - len(strings.TrimLeft(line, "`")); n >= 3 && !strings.Contains(line[n:], "`") {
		return line[:n]
	}
	i := slices.IndexFunc(edits.Fences, func(f edits.Fence) bool { return f.Open != f.Close && f.Open == line })
	if i < 0 {
		return ""
	}
	return edits.Fences[i].Close
}
