package main

import (
	"slices"
	"strings"

	"coauthor/edits"
)

// prose lets the words of a reply through and keeps its listings back, while it streams: the diff
// shows them better. A line is shown as soon as it can be neither a fence nor the file name before
// one. The zero value is ready.
type prose struct {
	line  string   // the line that has not ended yet
	shown int      // how much of line was let through
	held  []string // a line that may be a file name, and blank ones after it
	close string   // the closing fence of the listing that is open; "" for none
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
		if p.close == "" && p.certain() {
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
	p.close = ""
	return out.String()
}

func (p *prose) endLine(out *strings.Builder, newline string) {
	line, shown := p.line, p.shown
	p.line, p.shown = "", 0
	trimmed := strings.TrimSpace(line)
	switch {
	case p.close != "":
		if trimmed == p.close {
			p.close = ""
		}
	case shown > 0:
		out.WriteString(line[shown:] + newline)
	case fenceOf(trimmed) != "":
		p.close = fenceOf(trimmed)
		p.held = nil
	case trimmed == "" && len(p.held) > 0:
		p.held = append(p.held, line+newline)
	case trimmed != "" && !strings.Contains(trimmed, " "):
		p.release(out)
		p.held = []string{line + newline}
	default:
		p.release(out)
		out.WriteString(line + newline)
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
