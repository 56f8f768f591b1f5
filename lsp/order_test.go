package lsp

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"coauthor/agent/workspace"
)

// insertAt is the change that types a text at the start of a line.
func insertAt(line uint32, text string) []contentChange {
	var c contentChange
	c.Text, c.Range = text, &wireRange{}
	c.Range.Start.Line, c.Range.End.Line = unit(line), unit(line)
	return []contentChange{c}
}

// opened is a document as a client opened it.
func opened(text string, version int32) *document {
	return &document{Document: workspace.NewDocument("a", text, version, time.Time{}), lines: newLines(text), wholeAt: version}
}

// However changes that go up by one are shuffled within the bound, the text is the same in the end.
func TestArrivedInAnyOrder(t *testing.T) {
	const n = 12
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		inOrder := opened("a\nb\nc\n", 3)
		shuffled := inOrder
		list := make([][]contentChange, n)
		for i := range list {
			list[i] = insertAt(uint32(r.IntN(3)), fmt.Sprintf("<%d>", i))
			var err error
			if inOrder, err = inOrder.changed(int32(4+i), list[i], time.Time{}, utf16Units); err != nil {
				t.Fatal(err)
			}
		}
		for _, i := range r.Perm(n) {
			var err error
			if shuffled, err = shuffled.arrived(int32(4+i), list[i], time.Time{}, utf16Units); err != nil {
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
	for i := range int32(mostHeld) {
		if d, err = d.arrived(10+i, insertAt(0, "y"), time.Time{}, utf16Units); err != nil || d.Text != "x\n" || !d.uncertain() {
			t.Fatalf("after %d: %q, %v, uncertain %v", i+1, d.Text, err, d.uncertain())
		}
	}
	if d, err = d.arrived(40, insertAt(0, "z"), time.Time{}, utf16Units); err != nil || len(d.Text) != 2+mostHeld+1 || d.Version != 40 || d.uncertain() {
		t.Errorf("%q at %d, %v", d.Text, d.Version, err)
	}
	// A whole text needs nothing before it, and what was held for an older one is forgotten.
	if d, err = d.arrived(42, insertAt(0, "late"), time.Time{}, utf16Units); err != nil || len(d.held) != 1 {
		t.Fatal(err, d.held)
	}
	if d, err = d.arrived(50, []contentChange{{Text: "new\n"}}, time.Time{}, utf16Units); err != nil || d.Text != "new\n" || d.uncertain() {
		t.Errorf("%q, %v, %v", d.Text, err, d.held)
	}
}

// A change that comes before its document is opened is applied when it is, and one of an earlier life
// of the document is not.
func TestChangeBeforeOpen(t *testing.T) {
	d := newDesk(t, nil, func(_ *clientCaps, q *quirks) { q.VersionsStep = true })
	now := time.Unix(0, 0)
	d.s.opts.Clock = func() time.Time { return now }
	uri := d.uri("n.py")
	change := func(version float64, text string) {
		t.Helper()
		raw, err := json.Marshal(insertAt(0, text))
		if err != nil {
			t.Fatal(err)
		}
		if err := d.s.didChange(t.Context(), &didChangeParams{Document: documentID{URI: uri, Version: &version}, Changes: raw}); err != nil {
			t.Error(err)
		}
	}
	open := func(want string) {
		t.Helper()
		var p didOpenParams
		p.Document.URI, p.Document.Text = uri, "\n"
		if err := d.s.didOpen(t.Context(), &p); err != nil {
			t.Fatal(err)
		}
		doc, _ := d.s.docs.get(uri)
		if text, err := d.root.ws.Snapshot().Read("n.py"); text != want || err != nil || doc.uncertain() {
			t.Errorf("%q, %v, uncertain %v; want %q", text, err, doc.uncertain(), want)
		}
		d.close("n.py")
	}
	change(2, "a")
	change(1, "b")
	open("ab\n")
	open("\n")
	change(7, "late")
	open("\n")
	change(1, "old")
	now = now.Add(time.Minute)
	open("\n")
}
