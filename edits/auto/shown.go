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

// fences are those of a reply, in their order.
type fences []namedFence

// line is the number of the line that is being read.
func (p *parser) line() int {
	return p.lines + bytes.Count(p.held, []byte("\n")) + strings.Count(p.pending, "\n") + 1
}

// noteFence remembers the fence that has just shown markup, if it has a name and does not announce a diff.
func (p *parser) noteFence() {
	if p.at.diffFence || p.at.shown > 0 {
		return
	}
	if found := p.files.fenceName(p.at); found != "" {
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

// of is the place of the fence that a line stands in; -1 for none.
func (s fences) of(line int) int {
	n, _ := slices.BinarySearchFunc(s, line, func(f namedFence, line int) int { return cmp.Compare(f.opened, line) })
	if n > 0 && line <= s[n-1].closed {
		return n - 1
	}
	return -1
}

// name gives blocks without a name that of the fence around them.
func (s fences) name(list []edits.Edit) {
	for i := range list {
		if e := &list[i]; e.Path == "" && e.Kind == edits.KindReplace {
			if n := s.of(e.First); n >= 0 {
				e.Path = s[n].name
			}
		}
	}
}

// withdrawShown takes back the edits in fences that have the name of another file than the first edit in them.
func (h *candidates) withdrawShown() {
	marked := []Form{Blocks, Diff, Patch}
	first := map[int]*edits.Edit{}
	for _, f := range marked {
		for i := range h.lists[f] {
			e := &h.lists[f][i]
			if n := h.fences.of(e.First); n >= 0 && (first[n] == nil || e.First < first[n].First) {
				first[n] = e
			}
		}
	}
	why := map[int]string{}
	for n, e := range first {
		named, _ := h.files.o.Path(h.fences[n].name, h.files.o.Known)
		if !slices.ContainsFunc([]string{e.Path, e.From, e.To}, func(n string) bool { return sameEnd(n, named) }) {
			why[n] = fmt.Sprintf("it stands between the fences of %s; write an edit of another file below the name of that file, outside of them", named)
		}
	}
	h.withdraw(marked, func(line int) string { return why[h.fences.of(line)] })
}

// sameEnd says whether one of two paths is the end of the other, whole names compared.
func sameEnd(a, b string) bool {
	return a != "" && (a == b || strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a))
}
