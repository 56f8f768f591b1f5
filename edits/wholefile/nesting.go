package wholefile

import (
	"fmt"
	"slices"
	"strings"

	"coauthor/edits"
	"coauthor/edits/reply"
)

// nesting follows whether it can be told where the listings end. A bare fence closes a listing as well as it opens
// one inside of it: if the file may hold fences, and another bare one without a name follows below, both readings
// are possible, and none is taken.
type nesting struct {
	last    int         // the index of the listing that may go on, one more; 0 for none
	fence   reply.Fence // its own
	longest int         // the longest fence of the reply
	doubts  []int       // indexes of the listings whose end cannot be told
	since   int         // the line of the first of them, 0 for none
	of      string      // its file
}

// InDoubt says since which line of a closed reply something may be a part of a listing whose end cannot be told, and of
// which file; 0 when there is none.
func (p *parser) InDoubt() (line int, path string) { return p.nesting.since, p.nesting.of }

// opened sees a listing begin, of which there are n whole ones before it.
func (n *nesting) opened(l *listing, before int) {
	n.longest = max(n.longest, l.fence.Len)
	if l.name != "" {
		n.last = 0
		return
	}
	if n.last == before && before > 0 && l.fence.Info == "" && l.fence.Mark == n.fence.Mark && l.fence.Len >= n.fence.Len && !slices.Contains(n.doubts, before-1) {
		n.doubts = append(n.doubts, before-1)
	}
}

// closed sees the end of a listing that becomes the next edit.
func (n *nesting) closed(p *parser, l *listing, text string) {
	n.last = 0
	if l.fence.Mark != '<' && p.mayHoldFences(l, text) {
		n.last, n.fence = len(p.list)+1, l.fence
	}
}

// mayHoldFences says whether a fence may be a line of the file: it is none of a programming language, has such lines
// already, or its new text ends inside a literal.
func (p *parser) mayHoldFences(l *listing, text string) bool {
	language := p.language(l.name)
	if language == "" || language == "markdown" || edits.OpensLiteral(text) {
		return true
	}
	before, ok := p.before(l)
	if !ok {
		return false
	}
	for line := range strings.Lines(before) {
		if f, fenced := reply.OpenFence(line); fenced && f.Mark == l.fence.Mark && f.Len >= l.fence.Len {
			return true
		}
	}
	return false
}

// doubtful takes back the listings whose end cannot be told.
func (p *parser) doubtful() {
	longer := strings.Repeat("`", max(p.nesting.longest, 3)+1)
	for _, i := range p.nesting.doubts {
		e := p.list[i]
		if p.nesting.since == 0 {
			p.nesting.since, p.nesting.of = e.First, e.Path
		}
		p.problems = append(p.problems, edits.Problem{Edit: -1, Path: e.Path, Reason: edits.ReasonMalformed, First: e.First, Last: e.Last,
			Message: fmt.Sprintf("the listing holds fences as long as its own, so where it ends cannot be told; write the whole file again between lines of %s", longer)})
	}
	for _, i := range slices.Backward(p.nesting.doubts) {
		p.list = slices.Delete(p.list, i, i+1)
	}
}
