package proposal

import (
	"strings"

	"coauthor/edits"
)

// glance spares comparing a whole file with a change at every key. Whether a change is found in a text
// depends on the lines that the change is about; as long as those are not touched, the answer to an
// earlier look holds.
type glance struct {
	last  *string         // the text of the last look; nil before the first
	lines map[string]bool // what the change adds and removes, and the lines beside that
}

// again says whether a look at the text may tell something else than the last one did.
func (g *glance) again(c *edits.Change, text string) bool {
	last := g.last
	g.last = &text
	if last == nil || text == c.After {
		return true
	}
	if g.lines == nil {
		g.lines = linesOf(c)
	}
	was, is := between(*last, text)
	for _, part := range []string{was, is} {
		for line := range strings.Lines(part) {
			if g.lines[bare(line)] {
				return true
			}
		}
	}
	return false
}

// linesOf returns the lines that a change is about, without their ends.
func linesOf(c *edits.Change) map[string]bool {
	lines := map[string]bool{}
	for _, h := range edits.Diff(c.Before, c.After) {
		for _, part := range []string{
			widen(c.Before, h.OldStart, h.OldEnd), widen(c.After, h.NewStart, h.NewEnd),
		} {
			for line := range strings.Lines(part) {
				lines[bare(line)] = true
			}
		}
	}
	return lines
}

// widen returns whole lines of a text with one more at either side.
func widen(text string, start, end int) string {
	if start > 0 {
		start = lineStart(text, start-1)
	}
	return text[start:lineEnd(text, end)]
}

// between returns the lines in which two texts differ. Where lines came or went, the ones beside them
// belong to it.
func between(a, b string) (inA, inB string) {
	const block = 4 << 10 // compared at once, which is much quicker than byte by byte
	start, most := 0, min(len(a), len(b))
	for start+block <= most && a[start:start+block] == b[start:start+block] {
		start += block
	}
	for start < most && a[start] == b[start] {
		start++
	}
	end, most := 0, most-start
	for end+block <= most && a[len(a)-end-block:len(a)-end] == b[len(b)-end-block:len(b)-end] {
		end += block
	}
	for end < most && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	start = lineStart(a, start)
	endA, endB := lineEnd(a, len(a)-end), lineEnd(b, len(b)-end)
	if start > 0 && strings.Count(a[start:endA], "\n") != strings.Count(b[start:endB], "\n") {
		start = lineStart(a, start-1)
	}
	return a[start:endA], b[start:endB]
}

// lineStart returns where the line begins that the offset is in.
func lineStart(text string, at int) int { return strings.LastIndexByte(text[:at], '\n') + 1 }

// lineEnd returns where the line ends that the offset is in, with its line break.
func lineEnd(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

func bare(line string) string { return strings.TrimRight(line, "\r\n") }
