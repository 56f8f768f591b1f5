package auto

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"coauthor/edits"
)

// What a document shows of edits is no edit: a page about SEARCH/REPLACE blocks has some, with the names of files. A fence
// that has the name of one file, in which the first edit is of another, is such a document; what to read is not decided by
// a guess, and the edits in it are asked for again.

// namedFence is a fenced block with a name, and markup in it.
type namedFence struct {
	name           string
	opened, closed int // lines of the reply
}

// line is the number of the line that is being read.
func (p *parser) line() int {
	return p.lines + bytes.Count(p.held, []byte("\n")) + strings.Count(p.pending, "\n") + 1
}

// noteFence remembers the fence that has just shown markup, if it has a name and does not announce a diff.
func (p *parser) noteFence() {
	if p.at.diffFence || p.at.shown > 0 {
		return
	}
	if found := p.fenceName(p.at); found != "" {
		p.fences = append(p.fences, namedFence{found, p.at.opened, math.MaxInt})
		p.at.shown = len(p.fences)
	}
}

// closeFence ends the fence that the parser is in, if it is remembered, with a line.
func (p *parser) closeFence(line int) {
	if p.at.shown > 0 {
		p.fences[p.at.shown-1].closed = line
	}
}

// ofFences gives blocks without a name that of the fence around them.
func (p *parser) ofFences(list []edits.Edit) {
	for i := range list {
		e := &list[i]
		if e.Path != "" || e.Kind != edits.KindReplace {
			continue
		}
		n, _ := slices.BinarySearchFunc(p.fences, e.First, func(f namedFence, line int) int { return cmp.Compare(f.opened, line) })
		if n > 0 && e.First <= p.fences[n-1].closed {
			e.Path = p.fences[n-1].name
		}
	}
}

// withdrawShown takes back the edits in fences that have the name of another file than the first edit in them.
func (p *parser) withdrawShown(lists *[forms][]edits.Edit, problems *[forms][]edits.Problem) {
	for _, fence := range p.fences {
		named, _ := p.o.Path(fence.name, p.o.Known)
		within := func(e *edits.Edit) bool { return e.First > fence.opened && e.First <= fence.closed }
		var first *edits.Edit
		for _, f := range []Form{Blocks, Diff, Patch} {
			for i := range lists[f] {
				if e := &lists[f][i]; within(e) && (first == nil || e.First < first.First) {
					first = e
				}
			}
		}
		if first == nil || slices.ContainsFunc([]string{first.Path, first.From, first.To}, func(n string) bool { return sameEnd(n, named) }) {
			continue
		}
		withdraw(lists, problems, []Form{Blocks, Diff, Patch}, within,
			fmt.Sprintf("it stands between the fences of %s; write an edit of another file below the name of that file, outside of them", named))
	}
}

// sameEnd says whether one of two paths is the end of the other, whole names compared.
func sameEnd(a, b string) bool {
	return a != "" && (a == b || strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a))
}

// withdrawDoubtful takes back what stands below a listing whose end cannot be told: nothing says whether it still goes on
// there, and shows an edit or another file.
func (p *parser) withdrawDoubtful(lists *[forms][]edits.Edit, problems *[forms][]edits.Problem) {
	doubter, ok := p.readers[Listings].Parser.(interface {
		InDoubt() (line int, path string)
	})
	if !ok {
		return
	}
	line, path := doubter.InDoubt()
	if line == 0 {
		return
	}
	withdraw(lists, problems, []Form{Blocks, Listings, Diff, Patch, Call}, func(e *edits.Edit) bool { return e.First > line },
		fmt.Sprintf("it may be a part of the listing of %s above, whose end cannot be told; send both again, that file between longer fences", path))
}

// withdraw makes problems of the edits of some forms.
func withdraw(lists *[forms][]edits.Edit, problems *[forms][]edits.Problem, of []Form, which func(e *edits.Edit) bool, message string) {
	for _, f := range of {
		lists[f] = slices.DeleteFunc(lists[f], func(e edits.Edit) bool {
			if !which(&e) {
				return false
			}
			problems[f] = append(problems[f], edits.Problem{Edit: -1, Path: e.Path, Reason: edits.ReasonMalformed, First: e.First, Last: e.Last, Message: message})
			return true
		})
		for i := range lists[f] {
			lists[f][i].Index = i
		}
	}
}
