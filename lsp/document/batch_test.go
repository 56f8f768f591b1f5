package document

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// oneByOne is what a batch must come to.
func oneByOne(l Lines, changes []ContentChange, e Encoding) Lines {
	for _, c := range changes {
		start, end := l.Span(c.Range.Protocol(), e)
		l = l.Replace(start, end, c.Text)
	}
	return l
}

// Many changes in one message make the same text as each by itself, in texts of long and short lines
// and in every way to count.
func TestBatchIsOneByOne(t *testing.T) {
	letters := []string{"a", "word ", "\n", "\r\n", "\r", "é", "\U0001F600", "\t"}
	text := func(r *rand.Rand, n, breaks int) string {
		var b strings.Builder
		for b.Len() < n {
			s := letters[r.IntN(len(letters))]
			if strings.ContainsAny(s, "\r\n") && r.IntN(100) >= breaks {
				continue
			}
			b.WriteString(s)
		}
		return b.String()
	}
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 3))
		e := encodings[r.IntN(len(encodings))]
		breaks := []int{0, 2, 100}[r.IntN(3)]
		before := LinesOf(text(r, r.IntN([]int{1 << 10, 20 << 10, 200 << 10}[r.IntN(3)]), breaks), r.IntN(3) == 0)
		now := before
		changes := make([]ContentChange, batchFrom+r.IntN(100))
		for i := range changes {
			at := func() Position {
				line := r.IntN(now.Count() + 2)
				return Position{Line: Unit(line), Character: Unit(r.IntN(10 + len(now.Text)/max(1, now.Count())))}
			}
			start := at()
			end := start
			switch r.IntN(4) {
			case 0:
				end = at() // it may take most of the text
			case 1:
				end.Character += Unit(r.IntN(3 * chunkSize))
			case 2:
				end.Line += Unit(r.IntN(3))
			}
			changes[i] = ContentChange{Range: &Range{Start: start, End: end}, Text: text(r, []int{0, 1, 5, 3 * chunkSize}[r.IntN(4)], breaks)}
			now = oneByOne(now, changes[i:i+1], e)
		}
		got := before.changed(changes, e)
		if got.Text != now.Text || !slices.Equal(got.starts, now.starts) {
			t.Fatalf("seed %d, %s: %d bytes in %d lines, want %d in %d", seed, e, len(got.Text), got.Count(), len(now.Text), now.Count())
		}
	}
}

// A "replace all" must not make the server deaf: in a document of eight times the size, eight times the
// changes take about eight times the memory and not 64 times, also where all of it is one line. Where they
// take longer than that in another way, the larger one hangs.
func TestBatchIsLinear(t *testing.T) {
	const line = "\tvalue := compute(\"ü\", 12345) // and more of it\n"
	for _, name := range []string{"lines", "one line"} {
		t.Run(name, func(t *testing.T) {
			taken := func(n int) uint64 {
				text := strings.Repeat(line, n)
				if name == "one line" {
					text = strings.ReplaceAll(text, "\n", " ")
				}
				doc := opened(text, 1)
				r := rand.New(rand.NewPCG(1, 1))
				changes := make([]ContentChange, n)
				for i := range changes {
					at := Position{Line: Unit(r.IntN(n)), Character: Unit(r.IntN(40))}
					if name == "one line" {
						at = Position{Character: Unit(r.IntN(n * (len(line) - 2)))}
					}
					end := at
					end.Character += 4
					changes[i] = ContentChange{Range: &Range{Start: at, End: end}, Text: "edit"}
				}
				done := make(chan error, 1)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				go func() {
					_, err := doc.Changed(2, changes, time.Time{}, UTF16)
					done <- err
				}()
				select {
				case err := <-done:
					if err != nil {
						t.Fatal(err)
					}
				case <-time.After(hung):
					t.Fatalf("hung: %d changes take longer than %v", n, hung)
				}
				runtime.ReadMemStats(&after)
				return after.TotalAlloc - before.TotalAlloc
			}
			some, many := taken(2500), taken(20000)
			t.Log(some, many)
			if many > 16*some {
				t.Errorf("2500 changes take %d bytes, 20000 take %d", some, many)
			}
		})
	}
}

// hung is how long a test waits before it says that something hangs.
const hung = time.Minute

// FuzzBatch compares few long changes, repeated, with each by itself.
func FuzzBatch(f *testing.F) {
	f.Add("one\ntwo\r\nthr\U0001F600e\r", uint32(1), uint32(1), uint32(2), uint32(4), "x\r", uint32(2), uint32(0), uint32(2), uint32(1), "\ny", uint16(3000), uint8(0))
	f.Add("\r\n", uint32(0), uint32(0), uint32(1), uint32(0), "\r", uint32(1), uint32(0), uint32(1), uint32(0), "\n", uint16(9000), uint8(1))
	f.Fuzz(func(t *testing.T, text string, l1, c1, l2, c2 uint32, t1 string, l3, c3, l4, c4 uint32, t2 string, times uint16, how uint8) {
		text, t1, t2 = strings.ToValidUTF8(text, "?"), strings.ToValidUTF8(t1, "?"), strings.ToValidUTF8(t2, "?")
		if len(text) > 64 || len(t1) > 64 || len(t2) > 64 {
			return
		}
		e := encodings[int(how>>1)%len(encodings)]
		before := LinesOf(strings.Repeat(text, int(times)%500), how&1 == 1)
		n := uint32(before.Count() + 2)
		pos := func(l, c uint32) Position { return Position{Line: Unit(l % n), Character: Unit(c % 40000)} }
		var changes []ContentChange
		for i := range uint32(batchFrom) {
			changes = append(changes,
				ContentChange{Range: &Range{Start: pos(l1+i, c1), End: pos(l2+i, c2)}, Text: t1},
				ContentChange{Range: &Range{Start: pos(l3+i, c3), End: pos(l4+i, c4)}, Text: t2})
		}
		want, got := oneByOne(before, changes, e), before.changed(changes, e)
		if got.Text != want.Text || fmt.Sprint(got.starts) != fmt.Sprint(want.starts) {
			t.Fatalf("%q in %v, want %q in %v", got.Text, got.starts, want.Text, want.starts)
		}
	})
}
