package model

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/tiktoken-go/tokenizer"
)

// encodings are the vocabularies, each as new and by its own library.
func encodings(t testing.TB) map[*vocabulary]tokenizer.Codec {
	t.Helper()
	out := map[*vocabulary]tokenizer.Codec{}
	for _, name := range []tokenizer.Encoding{tokenizer.O200kBase, tokenizer.Cl100kBase} {
		codec, err := tokenizer.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		out[newVocabulary(name)] = codec
	}
	return out
}

func checkCount(t *testing.T, v *vocabulary, codec tokenizer.Codec, text string) {
	t.Helper()
	want, err := codec.Count(text)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := v.count(text); err != nil || got != want {
		t.Errorf("%q has %d tokens, counted by line %d, %v", text, want, got, err)
	}
}

// Counting by line is counting: whatever stands before, between and behind the line breaks.
func TestCountByLine(t *testing.T) {
	all := encodings(t)
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"\n", "\n", "\n", "\r\n", "\r", " ", "  ", "\t", "\t\t", "\v", "\f", "\u0085", "\u00a0", "\u2028", "\u3000", "\ufeff", "/", "//", ")", "}", "*/",
		"'s", "'LL", "word", "Word", "WORD", "x", "12345", "_", ".", "é", "日本", "e\u0301", "\u0301", "🙂", "\x00", "\x1c", "\xff", "func (s *T) f() {", "\treturn nil", "<|endoftext|>"}
	for range 3000 {
		var b strings.Builder
		for range 1 + random.IntN(9) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		for v, codec := range all {
			checkCount(t, v, codec, b.String())
		}
	}
}

func FuzzCount(f *testing.F) {
	all := encodings(f)
	f.Add("a)\n// b\n\n\tc\n")
	f.Add(" \n \r\n/x\u00a0\n\u2028y")
	f.Fuzz(func(t *testing.T, text string) {
		for v, codec := range all {
			checkCount(t, v, codec, text)
		}
	})
}

// What is kept is bounded, keeps no text that it is part of alive, and stays right while many count at once.
func TestWhatIsKeptOfLines(t *testing.T) {
	v := newVocabulary(tokenizer.Cl100kBase)
	for i, line := range []string{strings.Repeat("y", longestLine+1), "x\n", "x\n", strings.Repeat("z ", longestLine/2)} {
		if n, err := v.count(line); n == 0 || err != nil {
			t.Errorf("%d: %d tokens, %v", i, n, err)
		}
	}
	if len(v.recent) != 2 || v.size != 2+longestLine {
		t.Errorf("%d lines of %d bytes are kept, want 2", len(v.recent), v.size)
	}
	for i := range 3 * keptLines {
		v.keep(string(rune('a'+i%26))+strings.Repeat("b", i%80)+string(rune(i+0x4e00))+"\n", 7)
	}
	if n := len(v.recent) + len(v.older); n > 2*keptLines || len(v.older) == 0 || v.size > keptBytes+longestLine {
		t.Errorf("%d lines are kept, %d bytes of them recent", n, v.size)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for i := range 300 {
				text := strings.Repeat("a", i%7) + " b\n" + strings.Repeat("c ", i%60) + "\n"
				if n, err := v.count(text); err != nil || n == 0 {
					t.Errorf("%d, %v", n, err)
				}
			}
		})
	}
	group.Wait()
}

// BenchmarkCount is a prompt of 40 KB of which a few lines are new each time.
func BenchmarkCount(b *testing.B) {
	var text strings.Builder
	for i := range 1000 {
		text.WriteString(strings.Repeat("\t", i%4) + "value" + string(rune('a'+i%26)) + " := compute(" + strings.Repeat("x", i%9) + ", 12)\n")
	}
	c := NewCounter("o200k")
	for i := 0; b.Loop(); i++ {
		if c.Count(text.String()+strings.Repeat("new ", i%100)) == 0 {
			b.Fatal("nothing")
		}
	}
}
