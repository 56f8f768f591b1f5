package lsptest

import (
	"testing"
	"unicode/utf8"
)

var countings = []counting{{encoding: "utf-8"}, {encoding: "utf-16"}, {encoding: "utf-32"}, {"utf-16", true}}

func TestPositions(t *testing.T) {
	const text = "aé😀b\r\nx\ry\nz"
	tests := []struct {
		offset       int
		line         uint32
		u8, u16, u32 uint32
	}{
		{0, 0, 0, 0, 0}, {1, 0, 1, 1, 1}, {3, 0, 3, 2, 2}, {7, 0, 7, 4, 3}, {8, 0, 8, 5, 4},
		{10, 1, 0, 0, 0}, {12, 2, 0, 0, 0}, {14, 3, 0, 0, 0}, {15, 3, 1, 1, 1},
	}
	for _, tt := range tests {
		for i, want := range []uint32{tt.u8, tt.u16, tt.u32} {
			p := positionAt(text, tt.offset, countings[i])
			if p != (Position{tt.line, want}) {
				t.Errorf("%v: offset %d is %v, want %d:%d", countings[i], tt.offset, p, tt.line, want)
			}
			if back, wrong := offsetAt(text, p, countings[i]); back != tt.offset || wrong != exact {
				t.Errorf("%v: %v is offset %d %s, want %d", countings[i], p, back, wrong, tt.offset)
			}
		}
	}
	clamped := []struct {
		in     counting
		p      Position
		offset int
		wrong  exactly
	}{
		{countings[1], Position{0, 3}, 3, insideOneRune},
		{countings[0], Position{0, 2}, 1, insideOneRune},
		{countings[1], Position{0, 9}, 8, pastLineEnd},
		{countings[1], Position{4, 0}, 15, pastLastLine},
		{countings[3], Position{1, 1}, 11, exact}, // "x\ry" is one line
		{countings[3], Position{1, 3}, 13, exact},
		{countings[3], Position{1, 4}, 13, pastLineEnd},
		{countings[3], Position{2, 1}, 15, exact},
		{countings[3], Position{3, 0}, 15, pastLastLine},
	}
	for _, tt := range clamped {
		if got, wrong := offsetAt(text, tt.p, tt.in); got != tt.offset || wrong != tt.wrong {
			t.Errorf("%v %v: %d %q, want %d %q", tt.in, tt.p, got, wrong, tt.offset, tt.wrong)
		}
	}
}

// FuzzDifference: the one change that difference finds turns a into b, in each encoding.
func FuzzDifference(f *testing.F) {
	f.Add("one\ntwo\n", "one\r\ntwo\n")
	f.Add("a😀", "a😁")
	f.Add("a\r\nb", "a\nb")
	f.Add("a\rb", "a\r\nb")
	f.Fuzz(func(t *testing.T, a, b string) {
		if !utf8.ValidString(a) || !utf8.ValidString(b) {
			t.Skip()
		}
		for _, in := range countings {
			change := difference(a, b, in)
			if got := applyEdits(a, []TextEdit{change}, in); got != b {
				t.Errorf("%v: %q to %q by %+v gives %q", in, a, b, change, got)
			}
			for _, p := range []Position{change.Range.Start, change.Range.End} {
				if _, wrong := offsetAt(a, p, in); wrong != exact {
					t.Errorf("%v: %q to %q: %v %s", in, a, b, p, wrong)
				}
			}
		}
	})
}
