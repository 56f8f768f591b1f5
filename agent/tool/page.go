package tool

import (
	"fmt"
	"strings"
)

// page is the text of a result, as far as there is room for it.
type page struct {
	most int // characters
	out  strings.Builder
	end  string // what follows the text, and is not cut
}

func (p *page) say(format string, args ...any) { fmt.Fprintf(&p.out, format, args...) }

// finish sets the last line: how much of how much, and the next call.
func (p *page) finish(format string, args ...any) { p.end = fmt.Sprintf(format, args...) }

// full says whether the text has no room for more.
func (p *page) full(more string) bool { return p.out.Len()+len(more) > p.most-300 }

// cut returns the text within the limit, cut at a line.
func (p *page) cut() string {
	text := strings.TrimRight(p.out.String(), "\n")
	if room := p.most - len(p.end) - 100; len(text) > room {
		whole := len(text)
		text = text[:max(room, 0)]
		if i := strings.LastIndexByte(text, '\n'); i > 0 {
			text = text[:i]
		}
		text = strings.ToValidUTF8(text, "") + fmt.Sprintf("\n(%d of %d characters)", len(text), whole)
	}
	if p.end == "" {
		return text
	}
	return strings.TrimLeft(text+"\n"+p.end, "\n")
}
