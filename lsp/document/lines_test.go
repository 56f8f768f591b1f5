package document

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

var encodings = []Encoding{UTF8, UTF16, UTF32}

func TestOffset(t *testing.T) {
	const text = "a\nüb\r\n\U0001F600x\rlast"
	starts := NewLines(text).starts
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
			if got := NewLines(text).Offset(protocol.Position{Line: c.line, Character: c.char}, e); got != c.want[i] {
				t.Errorf("%d:%d in %s is %d, want %d", c.line, c.char, e, got, c.want[i])
			}
		}
	}
}

func TestSpanTurnsRound(t *testing.T) {
	l := NewLines("ab\ncd")
	start, end := l.Span(protocol.Range{Start: protocol.Position{Line: 1, Character: 1}}, UTF16)
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
		l := NewLines(text)
		if !slices.Equal(l.starts, naive(text)) {
			t.Fatalf("lines of %q start at %v, want %v", text, l.starts, naive(text))
		}
		begins := map[int]bool{len(text): true}
		for i := range text {
			begins[i] = true
		}
		for _, e := range encodings {
			off := l.Offset(protocol.Position{Line: line, Character: char}, e)
			if !begins[off] {
				t.Fatalf("%d:%d of %q in %s is %d, within a character", line, char, text, e, off)
			}
			for i := range text {
				if i > 0 && text[i-1] == '\r' && text[i] == '\n' {
					continue // between the two is not a position of its own
				}
				p := l.Position(i, e)
				if got := l.Offset(p, e); got != i {
					t.Fatalf("offset %d of %q in %s is %v, which is offset %d", i, text, e, p, got)
				}
			}
			for i := range len(text) + 2 { // also within characters: no panic, no later place
				if got := l.Offset(l.Position(i, e), e); got > i {
					t.Fatalf("offset %d of %q in %s comes back as %d", i, text, e, got)
				}
			}
		}
	})
}

// FuzzReplace checks the table that is kept up to date against the one that is made again.
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
		before := NewLines(text)
		kept := slices.Clone(before.starts)
		got := before.Replace(start, end, with)
		want := text[:start] + with + text[end:]
		if got.Text != want {
			t.Fatalf("text is %q, want %q", got.Text, want)
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
		want    Encoding
		bad     bool
	}{
		{nil, false, UTF16, false},
		{[]string{"utf-16"}, false, UTF16, false},
		{[]string{"utf-32", "utf-8", "utf-16"}, false, UTF8, false},
		{[]string{"utf-8", "utf-16", "utf-32"}, true, UTF16, false},
		{[]string{"utf-32", "utf-16", "utf-8"}, true, UTF16, false},
		{[]string{"utf-32", "utf-16"}, false, UTF16, false},
		{[]string{"utf-32", "utf-8"}, true, UTF8, false},
		{[]string{"utf-32"}, false, UTF32, false},
		{[]string{"utf-32"}, true, UTF32, false},
		{[]string{"ebcdic"}, false, UTF16, true},
	} {
		got, err := ChooseEncoding(c.offered, c.prefer)
		if got != c.want || (err != nil) != c.bad {
			t.Errorf("%v: %s, %v; want %s", c.offered, got, err, c.want)
		}
	}
}

// scraps are what texts are made of here: characters of each length, line ends of each kind, and bytes that are no text.
var scraps = []string{"a", "bc", "ü", "€", "\U0001F600", "\n", "\r\n", "\r", "\xff", "\xc3", "\xe2\x82", "\xf0\x9f\x98", "\x80", "\x80\x80\x80\x80", ""}

func scrap(r *rand.Rand, most int) string {
	var b strings.Builder
	for range r.IntN(most + 1) {
		b.WriteString(scraps[r.IntN(len(scraps))])
	}
	return b.String()
}

// plainLines are the begin and the end of each line, by the letter of the protocol or with "\n" alone.
func plainLines(text string, onlyLF bool) (list [][2]int) {
	begin := 0
	for i := 0; i < len(text); i++ {
		size := 1
		switch {
		case text[i] == '\n':
		case onlyLF || text[i] != '\r':
			continue
		case strings.HasPrefix(text[i+1:], "\n"):
			size = 2
		}
		list = append(list, [2]int{begin, i})
		i += size - 1
		begin = i + 1
	}
	return append(list, [2]int{begin, len(text)})
}

func unitsIn(text string, e Encoding) (n int) {
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		text = text[size:]
		switch {
		case e == UTF8:
			n += size
		case e == UTF16 && r > 0xFFFF:
			n += 2
		default:
			n++
		}
	}
	return n
}

// In any text, also one that is none, each place has the line and the column that the protocol says, in each encoding;
// what lies beyond the text, a line or within a character is the nearest place before it. A table that follows changes
// says the same as one that is made again.
func TestPlacesInAnyText(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 7))
		text := scrap(r, 14)
		onlyLF := seed%3 == 0
		table := LinesOf(text, onlyLF)
		for change := range 4 {
			want := plainLines(text, onlyLF)
			if table.Text != text || table.Count() != len(want) {
				t.Fatalf("seed %d, change %d: %q has %d lines, want %d", seed, change, table.Text, table.Count(), len(want))
			}
			for n, line := range want {
				if start, end := table.bounds(n); start != line[0] || end != line[1] {
					t.Fatalf("seed %d: line %d of %q is %d to %d, want %v", seed, n, text, start, end, line)
				}
			}
			for _, e := range encodings {
				for offset := -1; offset <= len(text)+1; offset++ {
					n := 0
					for n+1 < len(want) && want[n+1][0] <= offset {
						n++
					}
					place := want[n][0] // the last beginning of a character up to here
					for at := place; at <= min(offset, want[n][1]); {
						place = at
						_, size := utf8.DecodeRuneInString(text[at:want[n][1]])
						at += max(size, 1)
					}
					at := protocol.Position{Line: uint32(n), Character: uint32(unitsIn(text[want[n][0]:place], e))}
					if got := table.Position(offset, e); got != at {
						t.Fatalf("seed %d: offset %d of %q in %s is at %v, want %v", seed, offset, text, e, got, at)
					}
					if got := table.Offset(at, e); got != place {
						t.Fatalf("seed %d: %v of %q in %s is %d, want %d", seed, at, text, e, got, place)
					}
				}
				for n, line := range want { // each column up to beyond the end
					place, at := line[0], line[0]
					for column := range unitsIn(text[line[0]:line[1]], e) + 3 {
						for at < line[1] {
							_, size := utf8.DecodeRuneInString(text[at:line[1]])
							if unitsIn(text[line[0]:at+size], e) > column {
								break
							}
							at += size
							place = at
						}
						if got := table.Offset(protocol.Position{Line: uint32(n), Character: uint32(column)}, e); got != place {
							t.Fatalf("seed %d: %d:%d of %q in %s is %d, want %d", seed, n, column, text, e, got, place)
						}
					}
				}
				if got := table.Offset(protocol.Position{Line: uint32(len(want))}, e); got != len(text) {
					t.Fatalf("seed %d: beyond the last line of %q is %d", seed, text, got)
				}
			}
			start := r.IntN(len(text) + 1)
			end := start + r.IntN(len(text)-start+1)
			with := scrap(r, 5)
			if r.IntN(4) == 0 {
				with = strings.Repeat("x", end-start) // as long as what it replaces
			}
			kept := slices.Clone(table.starts)
			next := table.Replace(start, end, with)
			if !slices.Equal(kept, table.starts) {
				t.Fatalf("seed %d: the old table was changed", seed)
			}
			text, table = text[:start]+with+text[end:], next
		}
	}
}
