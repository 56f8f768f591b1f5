// Package prose reads what a model says in words out of its replies: without the edits, whole or while they stream, and
// it notices a reply that goes round in circles. It knows texts alone: whether an edit can be carried out, package edits
// says, and who is told what is the caller's. Start at Of and Stream.
package prose

import (
	"strings"

	"coauthor/edits"
)

// Of is a reply without its edits: without their lines, the fences around them, and the file
// names before those.
func Of(reply string, list []edits.Edit, problems []edits.Problem) string {
	lines := strings.SplitAfter(reply, "\n")
	drop := make([]bool, len(lines))
	mark := func(first, last int, path string) {
		first, last = max(first, 1), min(last, len(lines))
		if first > last {
			return
		}
		for i := first - 1; i < last; i++ {
			drop[i] = true
		}
		dropAround(lines, drop, first-1, last-1, path)
	}
	for _, e := range list {
		mark(e.First, e.Last, e.Path)
	}
	for _, p := range problems {
		mark(p.First, p.Last, p.Path)
	}
	var b strings.Builder
	for i, line := range lines {
		blank := strings.TrimSpace(line) == ""
		if drop[i] || blank && i > 0 && (drop[i-1] || strings.TrimSpace(lines[i-1]) == "") {
			drop[i] = drop[i] || blank
			continue
		}
		b.WriteString(line)
	}
	return strings.TrimSpace(b.String())
}

// dropAround also drops the fence before and after the lines first to last, and the name before it.
func dropAround(lines []string, drop []bool, first, last int, path string) {
	above := lineAbove(lines, first)
	if above >= 0 && isFence(lines[above]) {
		drop[above] = true
		above = lineAbove(lines, above)
	}
	if above >= 0 && path != "" && isName(lines[above], path) {
		drop[above] = true
	}
	if last+1 < len(lines) && isFence(lines[last+1]) {
		drop[last+1] = true
	}
}

// lineAbove is the index of the next line above i that is not blank, -1 for none.
func lineAbove(lines []string, i int) int {
	for i--; i >= 0 && strings.TrimSpace(lines[i]) == ""; i-- {
	}
	return i
}

func isFence(line string) bool {
	line = strings.TrimSpace(line)
	for _, f := range edits.Fences {
		if strings.HasPrefix(line, f.Open) || strings.HasPrefix(line, f.Close) {
			return true
		}
	}
	return false
}

// isName says that a line holds the path and little else: decoration, a word such as "File:".
func isName(line, path string) bool {
	i := strings.Index(line, path)
	return i >= 0 && len(strings.Fields(line[:i]+line[i+len(path):])) <= 2
}
