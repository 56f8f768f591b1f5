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

// fenceOf is the place of the remembered fence that a line stands in; -1 for none.
func (p *parser) fenceOf(line int) int {
	n, _ := slices.BinarySearchFunc(p.fences, line, func(f namedFence, line int) int { return cmp.Compare(f.opened, line) })
	if n > 0 && line <= p.fences[n-1].closed {
		return n - 1
	}
	return -1
}

// ofFences gives blocks without a name that of the fence around them.
func (p *parser) ofFences(list []edits.Edit) {
	for i := range list {
		if e := &list[i]; e.Path == "" && e.Kind == edits.KindReplace {
			if n := p.fenceOf(e.First); n >= 0 {
				e.Path = p.fences[n].name
			}
		}
	}
}

// withdrawShown takes back the edits in fences that have the name of another file than the first edit in them.
func (p *parser) withdrawShown(lists *[forms][]edits.Edit, problems *[forms][]edits.Problem) {
	marked := []Form{Blocks, Diff, Patch}
	first := map[int]*edits.Edit{}
	for _, f := range marked {
		for i := range lists[f] {
			e := &lists[f][i]
			if n := p.fenceOf(e.First); n >= 0 && (first[n] == nil || e.First < first[n].First) {
				first[n] = e
			}
		}
	}
	why := map[int]string{}
	for n, e := range first {
		named, _ := p.o.Path(p.fences[n].name, p.o.Known)
		if !slices.ContainsFunc([]string{e.Path, e.From, e.To}, func(n string) bool { return sameEnd(n, named) }) {
			why[n] = fmt.Sprintf("it stands between the fences of %s; write an edit of another file below the name of that file, outside of them", named)
		}
	}
	withdraw(lists, problems, marked, func(line int) string { return why[p.fenceOf(line)] })
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
	message := fmt.Sprintf("it may be a part of the listing of %s above, whose end cannot be told; send both again, that file between longer fences", path)
	withdraw(lists, problems, []Form{Blocks, Listings, Diff, Patch, Call}, func(first int) string {
		if first > line {
			return message
		}
		return ""
	})
}

// withdraw makes problems of the edits of some forms: of those for whose first line there is a reason.
func withdraw(lists *[forms][]edits.Edit, problems *[forms][]edits.Problem, of []Form, why func(line int) string) {
	for _, f := range of {
		lists[f] = slices.DeleteFunc(lists[f], func(e edits.Edit) bool {
			message := why(e.First)
			if message == "" {
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
