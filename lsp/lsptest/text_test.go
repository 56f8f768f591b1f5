package lsptest

import (
	"testing"
	"unicode/utf8"
)

var encodings = []string{"utf-8", "utf-16", "utf-32"}

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
			p := positionAt(text, tt.offset, encodings[i])
			if p != (Position{tt.line, want}) {
				t.Errorf("%s: offset %d is %v, want %d:%d", encodings[i], tt.offset, p, tt.line, want)
			}
			if back, wrong := offsetAt(text, p, encodings[i]); back != tt.offset || wrong != exact {
				t.Errorf("%s: %v is offset %d %s, want %d", encodings[i], p, back, wrong, tt.offset)
			}
		}
	}
	clamped := []struct {
		encoding string
		p        Position
		offset   int
		wrong    exactly
	}{
		{"utf-16", Position{0, 3}, 3, insideOneRune},
		{"utf-8", Position{0, 2}, 1, insideOneRune},
		{"utf-16", Position{0, 9}, 8, pastLineEnd},
		{"utf-16", Position{4, 0}, 15, pastLastLine},
	}
	for _, tt := range clamped {
		if got, wrong := offsetAt(text, tt.p, tt.encoding); got != tt.offset || wrong != tt.wrong {
			t.Errorf("%s %v: %d %q, want %d %q", tt.encoding, tt.p, got, wrong, tt.offset, tt.wrong)
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
		for _, encoding := range encodings {
			change := difference(a, b, encoding)
			if got := applyEdits(a, []TextEdit{change}, encoding); got != b {
				t.Errorf("%s: %q to %q by %+v gives %q", encoding, a, b, change, got)
			}
			for _, p := range []Position{change.Range.Start, change.Range.End} {
				if _, wrong := offsetAt(a, p, encoding); wrong != exact {
					t.Errorf("%s: %q to %q: %v %s", encoding, a, b, p, wrong)
				}
			}
		}
	})
}
