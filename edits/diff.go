package edits

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// maxDiffProduct bounds the work of a diff: the product of the line counts that are left after
// trimming the common ends. Beyond it a diff is one replacing hunk.
const maxDiffProduct = 1 << 25

// maxDiffs is how many of the largest diffs the old and the new lines of one reply may cost.
const maxDiffs = 4

// Diff returns the hunks that turn before into after: line by line, as few changed lines as
// possible, each hunk as early as it can stand. The same texts give the same hunks on any machine.
func Diff(before, after string) []Hunk {
	if before == after {
		return nil
	}
	a, b := splitLines(before), splitLines(after)
	return makeHunks(a, b, diffLines(a, b))
}

// span is a run of changed lines: a[a0:a1] becomes b[b0:b1].
type span struct{ a0, a1, b0, b1 int }

// diffLines finds the changed runs between two lists of lines.
func diffLines(a, b []string) []span {
	spare := maxDiffProduct
	return diffWithin(a, b, &spare)
}

// diffWithin is diffLines with at most that much work, which it takes off.
func diffWithin(a, b []string, spare *int) []span {
	lo, endA, endB := 0, len(a), len(b)
	for lo < endA && lo < endB && a[lo] == b[lo] {
		lo++
	}
	for endA > lo && endB > lo && a[endA-1] == b[endB-1] {
		endA--
		endB--
	}
	if lo == endA && lo == endB {
		return nil
	}
	whole := span{lo, endA, lo, endB}
	n, m := endA-lo, endB-lo
	if n == 0 || m == 0 || n*m > min(maxDiffProduct, *spare) {
		return slide(a, b, []span{whole})
	}
	*spare -= n * m
	ra, rb, ok := encode(a[lo:endA], b[lo:endB])
	if !ok || !common(ra, rb) {
		return []span{whole}
	}
	return slide(a, b, runes(ra, rb, lo))
}

// runes lets go-diff compare two texts in which each line is one rune. It never sees the lines
// themselves: it works on runes and would spoil bytes that are not UTF-8. Its clock is off, for
// with it the result depends on how busy the machine is.
func runes(ra, rb []rune, offset int) []span {
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0
	var spans []span
	i, j := offset, offset
	for _, d := range dmp.DiffMainRunes(ra, rb, false) {
		n := utf8.RuneCountInString(d.Text)
		last := len(spans) - 1
		switch d.Type {
		case diffmatchpatch.DiffEqual:
			i, j = i+n, j+n
			continue
		case diffmatchpatch.DiffDelete:
			spans = append(spans, span{i, i + n, j, j}) // it comes before what is inserted there
			i += n
		case diffmatchpatch.DiffInsert:
			if last >= 0 && spans[last].a1 == i && spans[last].b1 == j {
				spans[last].b1 += n
			} else {
				spans = append(spans, span{i, i, j, j + n})
			}
			j += n
		}
	}
	return spans
}

// encode gives each distinct line a rune of its own, leaving out the surrogates, which no string
// can hold. It reports false when there are more lines than runes.
func encode(a, b []string) (ra, rb []rune, ok bool) {
	ids := make(map[string]rune, len(a))
	next := rune(1)
	list := func(lines []string) []rune {
		out := make([]rune, len(lines))
		for k, line := range lines {
			id, seen := ids[line]
			if !seen {
				id = next
				ids[line] = id
				next++
				if next == 0xD800 {
					next = 0xE000
				}
			}
			out[k] = id
		}
		return out
	}
	ra, rb = list(a), list(b)
	return ra, rb, next <= utf8.MaxRune
}

// common says whether some rune of the second text is in the first. Runes are numbered as they come: a new one
// is larger than all before it.
func common(ra, rb []rune) bool {
	largest := slices.Max(ra)
	return slices.ContainsFunc(rb, func(r rune) bool { return r <= largest })
}

// slide moves each run of pure insertion or deletion to the earliest place where it means the same,
// and joins runs that touch.
func slide(a, b []string, spans []span) []span {
	var out []span
	for _, s := range spans {
		minA, minB := 0, 0
		if len(out) > 0 {
			minA, minB = out[len(out)-1].a1, out[len(out)-1].b1
		}
		for s.a0 > minA && s.b0 > minB {
			switch {
			case s.a0 == s.a1 && s.b0 < s.b1 && b[s.b0-1] == b[s.b1-1],
				s.b0 == s.b1 && s.a0 < s.a1 && a[s.a0-1] == a[s.a1-1]:
				s.a0, s.a1, s.b0, s.b1 = s.a0-1, s.a1-1, s.b0-1, s.b1-1
				continue
			}
			break
		}
		if len(out) > 0 && out[len(out)-1].a1 == s.a0 && out[len(out)-1].b1 == s.b0 {
			out[len(out)-1].a1, out[len(out)-1].b1 = s.a1, s.b1
			continue
		}
		out = append(out, s)
	}
	return out
}

func makeHunks(a, b []string, spans []span) []Hunk {
	hunks := make([]Hunk, 0, len(spans))
	i, j, posA, posB := 0, 0, 0, 0
	advance := func(lines []string, from, to, pos int) int {
		for ; from < to; from++ {
			pos += len(lines[from])
		}
		return pos
	}
	for k, s := range spans {
		posA, posB = advance(a, i, s.a0, posA), advance(b, j, s.b0, posB)
		endA, endB := advance(a, s.a0, s.a1, posA), advance(b, s.b0, s.b1, posB)
		hunks = append(hunks, Hunk{
			Number:  k + 1,
			OldLine: s.a0, OldCount: s.a1 - s.a0,
			NewLine: s.b0, NewCount: s.b1 - s.b0,
			OldStart: posA, OldEnd: endA,
			NewStart: posB, NewEnd: endB,
			Old: strings.Join(a[s.a0:s.a1], ""), New: strings.Join(b[s.b0:s.b1], ""),
		})
		i, j, posA, posB = s.a1, s.b1, endA, endB
	}
	return hunks
}

// ApplyHunks applies any subset of the hunks that Diff gave for before, in any order. A hunk whose
// old text is not there is an error, and so are two that overlap.
func ApplyHunks(before string, hunks []Hunk) (string, error) {
	sorted := sortedHunks(hunks)
	var out strings.Builder
	pos := 0
	for _, h := range sorted {
		switch {
		case h.OldStart < pos:
			return "", fmt.Errorf("hunk %d overlaps the one before it", h.Number)
		case h.OldEnd < h.OldStart || h.OldEnd > len(before) || before[h.OldStart:h.OldEnd] != h.Old:
			return "", fmt.Errorf("hunk %d: its old text is not at line %d", h.Number, h.OldLine+1)
		}
		out.WriteString(before[pos:h.OldStart])
		out.WriteString(h.New)
		pos = h.OldEnd
	}
	out.WriteString(before[pos:])
	return out.String(), nil
}

// splitLines cuts a text after each line feed. The lines keep their ends; the last may have none.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	lines := make([]string, 0, strings.Count(text, "\n")+1)
	for text != "" {
		n := strings.IndexByte(text, '\n') + 1
		if n == 0 {
			n = len(text)
		}
		lines = append(lines, text[:n])
		text = text[n:]
	}
	return lines
}
