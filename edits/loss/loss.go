// Package loss is the guard against loss: it counts the lines that a change takes away from files that are there, and
// says when that is so much that somebody has to look first.
//
// It reads lines, and nothing else: no language, no name, no request. Blank lines do not count, nor do blanks around a
// line, so that a file that is indented anew, or gets other line ends, loses nothing. A line that goes in one place and
// comes in another of the same file, or of another file of the same change, has moved.
//
// It is called with all files of a change at once, from what the user has to what would stand there: by agent after each
// reply and for a proposal, by cmd/coauthor for apply. What follows from it is theirs. Start at Guard.
package loss

import (
	"fmt"
	"slices"
	"strings"

	"coauthor/edits"
)

// What trips the guard. A file counts from so many lines or bytes on: below that a diff shows all of it at a glance.
const (
	fromLines = 10
	fromBytes = 1000
	// In a listing, where nobody said what is missing, one line in so many is enough, or so many in one run.
	listingShare = 5
	listingRun   = 20
)

// Loss is what a change takes away from one file.
type Loss struct {
	Path    string // of the file as the user has it
	Deleted bool   // the change says that the file goes, so that nothing is lost unsaid
	Lines   int    // that the file had
	Gone    int    // of them
	Came    int    // that it did not have
	// Bare is how many lines went without others in their place, and Run the most of them between two lines that stay.
	Bare, Run int
	large     bool // enough lines or bytes for the guard
}

// Trips says whether somebody has to look first. listing says that the new text of the whole file was written out, so
// that what is missing was never said.
func (l Loss) Trips(listing bool) bool {
	if !l.large {
		return false
	}
	if 2*l.Gone > l.Lines && 2*l.Came < l.Gone {
		return true
	}
	return listing && l.Bare > 0 && (listingShare*l.Bare >= l.Lines || l.Run >= listingRun)
}

// String says it in words, such as "removes 299 of 300 lines of app.yaml".
func (l Loss) String() string {
	switch {
	case l.Deleted:
		return fmt.Sprintf("deletes %s, which has %s", l.Path, lines(l.Lines))
	case l.Came > 0:
		return fmt.Sprintf("removes %d of %s of %s and adds %d", l.Gone, lines(l.Lines), l.Path, l.Came)
	}
	return fmt.Sprintf("removes %d of %s of %s", l.Gone, lines(l.Lines), l.Path)
}

func lines(n int) string {
	if n == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", n)
}

// Of counts what each of the changes takes away, in their order; those that take nothing away are left out.
func Of(changes []edits.Change) []Loss {
	all := make([]texts, len(changes))
	gains := map[string][]gain{}
	for i, c := range changes {
		all[i] = textsOf(c)
		for line, n := range surplus(all[i].after, all[i].before) {
			gains[line] = append(gains[line], gain{i, n})
		}
	}
	var list []Loss
	for i, c := range changes {
		elsewhere := func(line string) (n int) {
			for _, g := range gains[line] {
				if g.file != i {
					n += g.lines
				}
			}
			return n
		}
		if c.Op == edits.OpCreate || c.Before == c.After && c.Op != edits.OpDelete {
			continue
		}
		if l := all[i].count(elsewhere); l.Gone > 0 {
			l.Path, l.Deleted = c.Path, c.Op == edits.OpDelete
			l.large = strings.Count(c.Before, "\n") >= fromLines || len(all[i].before) >= fromLines || len(c.Before) >= fromBytes
			list = append(list, l)
		}
	}
	return list
}

// Guard returns the losses that trip the guard. listed are the files whose new text was written out as a whole, under the
// names that they have before or after the change.
func Guard(changes []edits.Change, listed []string) []Loss {
	whole := map[string]bool{}
	for _, c := range changes {
		whole[c.Path] = slices.Contains(listed, c.Path) || c.Op == edits.OpRename && slices.Contains(listed, c.To)
	}
	return slices.DeleteFunc(Of(changes), func(l Loss) bool { return !l.Trips(whole[l.Path]) })
}

// gain is how often a file of the change has a line that it did not have before.
type gain struct{ file, lines int }

// texts are the lines of a file that count.
type texts struct{ before, after []string }

func textsOf(c edits.Change) texts {
	t := texts{before: filled(c.Before), after: filled(c.After)}
	switch c.Op {
	case edits.OpCreate:
		t.before = nil
	case edits.OpDelete:
		t.after = nil
	case edits.OpUpdate, edits.OpRename:
	}
	return t
}

// filled lists the lines that are not blank, without blanks around them.
func filled(text string) []string {
	var list []string
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return list
}

// surplus says how much more often each line stands in a than in b.
func surplus(a, b []string) map[string]int {
	n := map[string]int{}
	for _, line := range a {
		n[line]++
	}
	for _, line := range b {
		if n[line]--; n[line] == 0 {
			delete(n, line)
		}
	}
	for line, k := range n {
		if k < 0 {
			delete(n, line)
		}
	}
	return n
}

// count compares the two texts of a file. elsewhere says how often other files of the change gain a line.
func (t texts) count(elsewhere func(line string) int) Loss {
	l := Loss{Lines: len(t.before)}
	gone, came := surplus(t.before, t.after), surplus(t.after, t.before)
	for line, n := range gone {
		if n -= elsewhere(line); n > 0 {
			gone[line], l.Gone = n, l.Gone+n
		} else {
			delete(gone, line)
		}
	}
	for _, n := range came {
		l.Came += n
	}
	if l.Gone == 0 {
		return l
	}
	for _, h := range edits.Diff(joined(t.before), joined(t.after)) {
		bare := taken(gone, t.before[h.OldLine:h.OldLine+h.OldCount]) - taken(came, t.after[h.NewLine:h.NewLine+h.NewCount])
		l.Bare += max(bare, 0)
		l.Run = max(l.Run, bare)
	}
	return l
}

// taken counts the lines that are left in a multiset, and takes them out of it.
func taken(set map[string]int, list []string) (n int) {
	for _, line := range list {
		if set[line] > 0 {
			set[line]--
			n++
		}
	}
	return n
}

func joined(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return strings.Join(list, "\n") + "\n"
}
