package lsp

import (
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

var encodings = []encoding{utf8Units, utf16Units, utf32Units}

func TestOffset(t *testing.T) {
	const text = "a\nüb\r\n\U0001F600x\rlast"
	starts := newLines(text).starts
	if want := []int32{0, 2, 7, 13}; !slices.Equal(starts, want) {
		t.Fatalf("lines start at %v, want %v", starts, want)
	}
	for _, c := range []struct {
		line, char uint32
		want       [3]int // in utf-8, utf-16, utf-32
	}{
		{0, 0, [3]int{0, 0, 0}},
		{0, 1, [3]int{1, 1, 1}},
		{0, 9, [3]int{1, 1, 1}}, // beyond the line's end
		{1, 1, [3]int{2, 4, 4}}, // within ü in bytes
		{1, 2, [3]int{4, 5, 5}},
		{1, 3, [3]int{5, 5, 5}},
		{1, 4, [3]int{5, 5, 5}},  // the line break is no part of the line
		{2, 1, [3]int{7, 7, 11}}, // within the surrogate pair
		{2, 2, [3]int{7, 11, 12}},
		{2, 4, [3]int{11, 12, 12}},
		{2, 4294967295, [3]int{12, 12, 12}},
		{3, 2, [3]int{15, 15, 15}},
		{4, 0, [3]int{17, 17, 17}}, // beyond the last line
		{4294967295, 4294967295, [3]int{17, 17, 17}},
	} {
		for i, e := range encodings {
			if got := newLines(text).offset(protocol.Position{Line: c.line, Character: c.char}, e); got != c.want[i] {
				t.Errorf("%d:%d in %s is %d, want %d", c.line, c.char, e, got, c.want[i])
			}
		}
	}
}

func TestSpanTurnsRound(t *testing.T) {
	l := newLines("ab\ncd")
	start, end := l.span(protocol.Range{Start: protocol.Position{Line: 1, Character: 1}}, utf16Units)
	if start != 0 || end != 4 {
		t.Errorf("got %d..%d, want 0..4", start, end)
	}
}

// naive finds the line starts without a table and without shortcuts.
func naive(text string) []int32 {
	starts := []int32{0}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' || text[i] == '\r' && !strings.HasPrefix(text[i+1:], "\n") {
			starts = append(starts, int32(i+1))
		}
	}
	return starts
}

// FuzzPosition checks that positions and offsets are inverse to each other at every character of
// any text, in all encodings, and that any position is an offset at the beginning of a character.
func FuzzPosition(f *testing.F) {
	for _, s := range []string{"", "\n", "\r\n", "a\r\r\n\nb", "ü\U0001F600\r", "\xff\xc3\x28\xf0\x9f", "\xe2\x82\n\xac"} {
		f.Add(s, uint32(1), uint32(2))
	}
	f.Fuzz(func(t *testing.T, text string, line, char uint32) {
		l := newLines(text)
		if !slices.Equal(l.starts, naive(text)) {
			t.Fatalf("lines of %q start at %v, want %v", text, l.starts, naive(text))
		}
		begins := map[int]bool{len(text): true}
		for i := range text {
			begins[i] = true
		}
		for _, e := range encodings {
			off := l.offset(protocol.Position{Line: line, Character: char}, e)
			if !begins[off] {
				t.Fatalf("%d:%d of %q in %s is %d, within a character", line, char, text, e, off)
			}
			for i := range text {
				if i > 0 && text[i-1] == '\r' && text[i] == '\n' {
					continue // between the two is no position of its own
				}
				p := l.position(i, e)
				if got := l.offset(p, e); got != i {
					t.Fatalf("offset %d of %q in %s is %v, which is offset %d", i, text, e, p, got)
				}
			}
			for i := range len(text) + 2 { // also within characters: no panic, no later place
				if got := l.offset(l.position(i, e), e); got > i {
					t.Fatalf("offset %d of %q in %s comes back as %d", i, text, e, got)
				}
			}
		}
	})
}

// FuzzReplace checks the table that is kept up to date against the one that is made anew.
func FuzzReplace(f *testing.F) {
	f.Add("a\r\nb", 1, 2, "")
	f.Add("a\nb", 1, 1, "\r")
	f.Add("a\r\nb\nc", 2, 2, "x")
	f.Add("\r\r\n\n", 1, 3, "\n\r")
	f.Add("one\ntwo\nthree", 4, 8, "2\n2\n")
	f.Fuzz(func(t *testing.T, text string, start, end int, with string) {
		if start < 0 || end < start || end > len(text) {
			t.Skip()
		}
		before := newLines(text)
		kept := slices.Clone(before.starts)
		got := before.replace(start, end, with)
		want := text[:start] + with + text[end:]
		if got.text != want {
			t.Fatalf("text is %q, want %q", got.text, want)
		}
		if !slices.Equal(got.starts, naive(want)) {
			t.Fatalf("%q[%d:%d] = %q: lines start at %v, want %v", text, start, end, with, got.starts, naive(want))
		}
		if !slices.Equal(kept, before.starts) {
			t.Fatal("the old table was changed")
		}
	})
}

func TestParseEncoding(t *testing.T) {
	for _, c := range []struct {
		offered []string
		prefer  bool
		want    encoding
		bad     bool
	}{
		{nil, false, utf16Units, false},
		{[]string{"utf-16"}, false, utf16Units, false},
		{[]string{"utf-32", "utf-8", "utf-16"}, false, utf8Units, false},
		{[]string{"utf-8", "utf-16", "utf-32"}, true, utf16Units, false},
		{[]string{"utf-32"}, true, utf32Units, false},
		{[]string{"ebcdic"}, false, utf16Units, true},
	} {
		got, err := parseEncoding(c.offered, c.prefer)
		if got != c.want || (err != nil) != c.bad {
			t.Errorf("%v: %s, %v; want %s", c.offered, got, err, c.want)
		}
	}
}
