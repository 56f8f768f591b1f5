package document

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"coauthor/agent/workspace"
)

// insertAt is the change that types a text at the start of a line.
func insertAt(line uint32, text string) []ContentChange {
	var c ContentChange
	c.Text, c.Range = text, &Range{}
	c.Range.Start.Line, c.Range.End.Line = Unit(line), Unit(line)
	return []ContentChange{c}
}

// opened is a document as a client opened it.
func opened(text string, version int32) *Document[string] {
	return &Document[string]{Document: workspace.NewDocument("a", text, version, time.Time{}), Lines: NewLines(text), WholeAt: version}
}

// However changes that go up by one are shuffled within the bound, the text is the same in the end.
func TestArrivedInAnyOrder(t *testing.T) {
	const n = 12
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		inOrder := opened("a\nb\nc\n", 3)
		shuffled := inOrder
		list := make([][]ContentChange, n)
		for i := range list {
			list[i] = insertAt(uint32(r.IntN(3)), fmt.Sprintf("<%d>", i))
			var err error
			if inOrder, err = inOrder.Changed(int32(4+i), list[i], time.Time{}, UTF16); err != nil {
				t.Fatal(err)
			}
		}
		for _, i := range r.Perm(n) {
			var err error
			if shuffled, err = shuffled.Arrived(int32(4+i), list[i], time.Time{}, UTF16); err != nil {
				t.Fatal(err)
			}
		}
		if shuffled.Text != inOrder.Text || shuffled.Version != inOrder.Version || len(shuffled.held) != 0 {
			t.Fatalf("seed %d: %q at %d with %d held, want %q at %d", seed, shuffled.Text, shuffled.Version, len(shuffled.held), inOrder.Text, inOrder.Version)
		}
	}
}

func TestArrivedWaitsOnlySoLong(t *testing.T) {
	d := opened("x\n", 1)
	var err error
	for i := range int32(MostHeld) {
		if d, err = d.Arrived(10+i, insertAt(0, "y"), time.Time{}, UTF16); err != nil || d.Text != "x\n" || !d.Uncertain() {
			t.Fatalf("after %d: %q, %v, uncertain %v", i+1, d.Text, err, d.Uncertain())
		}
	}
	if d, err = d.Arrived(40, insertAt(0, "z"), time.Time{}, UTF16); err != nil || len(d.Text) != 2+MostHeld+1 || d.Version != 40 || d.Uncertain() {
		t.Errorf("%q at %d, %v", d.Text, d.Version, err)
	}
	// A whole text needs nothing before it, and what was held for an older one is forgotten.
	if d, err = d.Arrived(42, insertAt(0, "late"), time.Time{}, UTF16); err != nil || len(d.held) != 1 {
		t.Fatal(err, d.held)
	}
	if d, err = d.Arrived(50, []ContentChange{{Text: "new\n"}}, time.Time{}, UTF16); err != nil || d.Text != "new\n" || d.Uncertain() {
		t.Errorf("%q, %v, %v", d.Text, err, d.held)
	}
}
