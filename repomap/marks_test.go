package repomap

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// What is noted of the symbols that have a stem of the request is what their stems say, for those of the snapshot and for
// those that came with an edit.
func TestAskedSymbols(t *testing.T) {
	m := newMemory(project(60))
	var text strings.Builder
	for n := range 200 { // more than a word of a set has bits
		fmt.Fprintf(&text, "func visitNext%d(nodeStep%d int) {}\n", n, n)
	}
	m.write("pkg9/late.go", "package p\n"+text.String())
	open(t, m, 1)
	x := open(t, m, 1) // from the snapshot
	if _, err := x.Update(t.Context(), "pkg9/new.go", "package p\n\nfunc stepAfterVisit() { unheardOf(nextNextNode) }\n"); err != nil {
		t.Fatal(err)
	}
	s := x.current()
	if len(s.names.Base.Ends) == 0 || s.names.Added.Len() == 0 {
		t.Fatalf("%d symbols of a snapshot, %d later ones", len(s.names.Base.Ends), s.names.Added.Len())
	}
	q := newScoring(s, Request{Budget: 100, Chat: []string{"pkg1/file1.go"}, Message: "visit the next node in one step"})
	met := 0
	for n := range uint32(s.names.Len()) {
		var want []int16
		idf := 0.0
		for _, stem := range s.names.StemsOf(n) {
			for k, asked := range q.question.stems {
				if s.stems.String(stem) == asked.text {
					want, idf = append(want, int16(k)), idf+asked.tells
				}
			}
		}
		if got := q.asked.of(n); !slices.Equal(got, want) || q.asked.tells(n) != idf || q.asked.Bits.Has(n) != (len(want) > 0) {
			t.Fatalf("%q has the stems %v, which tell %v, and not %v and %v", s.names.String(n), got, q.asked.tells(n), want, idf)
		}
		met += len(want)
	}
	if met < 400 {
		t.Errorf("only %d stems", met)
	}
	if of := q.asked.of(uint32(s.names.Len()) + 1000); of != nil {
		t.Errorf("a symbol that is none has %v", of)
	}
}

// Lists that are summed up beside each other come to what each comes to by itself, to the last bit.
func TestSumsBesideEachOther(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	values := make([]float32, 300)
	for i := range values {
		values[i] = random.Float32()
	}
	some := func() (slots []uint32, uses []use) {
		for range random.IntN(40) {
			slot := uint32(random.IntN(len(values)))
			slots, uses = append(slots, slot), append(uses, use(slot<<8|uint32(1+random.IntN(255))))
		}
		return slots, uses
	}
	alone := func(slots []uint32, uses []use) (sum, all float32) {
		for _, slot := range slots {
			sum += values[slot]
		}
		all = sum
		for _, u := range uses {
			all += values[u.slot()] * u.weight()
		}
		return sum, all
	}
	for range 200 {
		a, manyA := some()
		b, manyB := some()
		x, y := sums(a, b, values)
		allX, allY := weighted(x, y, manyA, manyB, values)
		wantX, wantAllX := alone(a, manyA)
		wantY, wantAllY := alone(b, manyB)
		if x != wantX || y != wantY || allX != wantAllX || allY != wantAllY {
			t.Fatalf("%v and %v come to %v %v, %v %v", a, b, x, y, allX, allY)
		}
	}
}
