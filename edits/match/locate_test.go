package match_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"coauthor/edits/match"
)

// few makes lines of which many are equal.
func few(r *rand.Rand, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("line %c", 'a'+rune(r.IntN(4)))
	}
	return out
}

// kept are lines that are to stay.
func kept(lines []string) []match.Line {
	var out []match.Line
	for _, text := range lines {
		out = append(out, match.Line{Sign: ' ', Text: text})
	}
	return out
}

// Lines that stand once are found there. Of those that stand more often all places are counted, and the line number, the
// selection and the order of hunks choose the one that they mean, and no other.
func TestLocateLinesThatStand(t *testing.T) {
	r := rand.New(rand.NewPCG(36, 5))
	once, more, ordered := 0, 0, 0
	for range 4000 {
		lines := few(r, 6+r.IntN(14))
		n := 1 + r.IntN(4)
		at := r.IntN(len(lines) - n + 1)
		var places []int
		for i := range len(lines) - n + 1 {
			if slices.Equal(lines[i:i+n], lines[at:at+n]) {
				places = append(places, i)
			}
		}
		var numbers match.Table
		text := match.NewText(strings.Join(lines, "\n")+"\n", &numbers)
		p := match.New(kept(lines[at:at+n]), &numbers)
		_, found, missed := match.Locate(text, p, match.Where{})
		if len(places) == 1 {
			once++
			if want := (match.Place{From: at, To: at + n, Rung: match.RungExact}); missed != nil || found.From != want.From || found.To != want.To || found.Rung != want.Rung || found.Tie != "" {
				t.Fatalf("%q in %q: %+v, %+v", lines[at:at+n], lines, found, missed)
			}
			continue
		}
		more++
		if missed == nil || missed.Count != len(places) || !slices.Equal(missed.Lines, places[:min(5, len(places))]) {
			t.Fatalf("%q in %q: %+v, want %v", lines[at:at+n], lines, missed, places)
		}
		if _, found, missed := match.Locate(text, p, match.Where{Line: at + 1}); missed != nil || found.From != at || found.Tie != match.TieLine {
			t.Fatalf("%q in %q at line %d: %+v, %+v", lines[at:at+n], lines, at+1, found, missed)
		}
		if last := places[len(places)-1]; last > places[len(places)-2]+1 {
			ordered++
			w := match.Where{Ordered: true, After: places[len(places)-2] + 1}
			if _, found, missed := match.Locate(text, p, w); missed != nil || found.From != last {
				t.Fatalf("%q in %q after line %d: %+v, %+v", lines[at:at+n], lines, w.After, found, missed)
			}
		}
		text.Select(at, at+n)
		if _, found, missed := match.Locate(text, p, match.Where{}); missed != nil || found.From != at || found.Tie != match.TieSelection {
			t.Fatalf("%q in %q, selected at %d: %+v, %+v", lines[at:at+n], lines, at, found, missed)
		}
	}
	if once < 500 || more < 500 || ordered < 500 {
		t.Errorf("only %d stood once, %d more often and %d apart", once, more, ordered)
	}
}

// A text is written as it was read, and lines that are put into it end as its own do.
func TestTextKeepsItsBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(36, 6))
	for range 4000 {
		lines, end := few(r, r.IntN(9)), []string{"\n", "\r\n", "\r"}[r.IntN(3)]
		whole := strings.Join(lines, end)
		if r.IntN(2) == 0 && len(lines) > 0 {
			whole += end
		}
		if r.IntN(4) == 0 {
			whole = match.ByteOrderMark + whole
		}
		text := match.NewText(whole, &match.Table{})
		if got := text.String(); got != whole || !slices.Equal(text.Lines(), lines) {
			t.Fatalf("%q was written as %q, of lines %q", whole, got, text.Lines())
		}
		if len(lines) < 2 {
			continue
		}
		from := r.IntN(len(lines))
		to := from + r.IntN(len(lines)-from)
		with := few(r, 1+r.IntN(3))
		text.Splice(from, to, with)
		want := slices.Concat(lines[:from], with, lines[to:])
		if got := text.String(); got != strings.Replace(whole, strings.Join(lines, end), strings.Join(want, end), 1) {
			t.Fatalf("%q with %q for %d to %d is %q", whole, with, from, to, got)
		}
	}
}
