package document

import (
	"strings"
	"testing"
	"time"
	"unicode/utf16"
)

// naiveApply is what a change means, by the letter of the protocol: walk to the line, then to the
// character, one code unit after the other.
func naiveApply(text string, c ContentChange, e Encoding) string {
	if c.Range == nil {
		return c.Text
	}
	at := func(p Position) int {
		off := 0
		for line := uint32(0); line < uint32(p.Line); line++ {
			i := strings.IndexAny(text[off:], "\r\n")
			if i < 0 {
				return len(text)
			}
			off += i + 1
			if text[off-1] == '\r' && strings.HasPrefix(text[off:], "\n") {
				off++
			}
		}
		units := int64(p.Character)
		for _, r := range text[off:] {
			size := int64(len(string(r)))
			switch e {
			case UTF16:
				size = int64(len(utf16.Encode([]rune{r})))
			case UTF32:
				size = 1
			case UTF8:
			}
			if r == '\r' || r == '\n' || units < size {
				break
			}
			units -= size
			off += len(string(r))
		}
		return off
	}
	start, end := at(c.Range.Start), at(c.Range.End)
	if end < start {
		start, end = end, start
	}
	return text[:start] + c.Text + text[end:]
}

// FuzzChanges checks incremental changes against the naive model, in all encodings.
func FuzzChanges(f *testing.F) {
	f.Add("one\ntwo\r\nthr\U0001F600e\r", uint32(1), uint32(1), uint32(2), uint32(4), "x\ny", uint32(0), uint32(3), uint32(0), uint32(9), "\r")
	f.Add("", uint32(0), uint32(0), uint32(9), uint32(9), "\U0001F600", uint32(0), uint32(1), uint32(0), uint32(1), "\n")
	f.Fuzz(func(t *testing.T, text string, l1, c1, l2, c2 uint32, t1 string, l3, c3, l4, c4 uint32, t2 string) {
		text, t1, t2 = strings.ToValidUTF8(text, "?"), strings.ToValidUTF8(t1, "?"), strings.ToValidUTF8(t2, "?")
		pos := func(l, c uint32) Position { return Position{Line: Unit(l % 64), Character: Unit(c)} }
		changes := []ContentChange{
			{Range: &Range{Start: pos(l1, c1), End: pos(l2, c2)}, Text: t1},
			{Range: &Range{Start: pos(l3, c3), End: pos(l4, c4)}, Text: t2},
		}
		for _, e := range encodings {
			doc := opened(text, 1)
			next, err := doc.Changed(2, changes, time.Time{}, e)
			if err != nil {
				t.Fatal(err)
			}
			want := naiveApply(naiveApply(text, changes[0], e), changes[1], e)
			if next.Text != want {
				t.Fatalf("%s: %q became %q, want %q", e, text, next.Text, want)
			}
			if doc.Text != text || doc.Version != 1 {
				t.Fatal("the old document was changed")
			}
		}
	})
}
