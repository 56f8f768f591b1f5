package document

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent/workspace"
)

// newTable is a table in which names tell whose a document is.
func newTable() *Table[string] {
	return NewTable[string](func(uri, path string) Kind {
		if !strings.HasSuffix(uri, path) {
			return Ours
		}
		switch path[:1] {
		case "p":
			return Prompt
		case "o":
			return Ours
		}
		return Users
	})
}

func open(name string, version int32) *Document[string] {
	return &Document[string]{Document: workspace.NewDocument(name, name+"\n", version, time.Time{}), URI: "file:///" + name, Path: name, Root: "r"}
}

// Whatever is opened, closed and looked at in which order: what was used last is found as long as it is open, of the
// user's own, of prompts and of all, and a selection and complaints belong to the document that they were told of.
func TestWhatWasUsedLast(t *testing.T) {
	names := []string{"a", "b", "p1", "p2", "o"}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		table := newTable()
		there := map[string]int32{}
		selections := map[string]uint32{}
		complaints := map[string]int{}
		var users, prompt, front string
		for step := range 40 {
			name := names[r.IntN(len(names))]
			uri := "file:///" + name
			if r.IntN(3) == 0 {
				uri = "FILE:///" + fmt.Sprintf("%%%02X", name[0]) + name[1:] // another spelling
			}
			_, is := there[name]
			what := r.IntN(7)
			switch what {
			case 0:
				there[name] = int32(step)
				table.Put(open(name, int32(step)))
			case 1:
				table.Close(uri)
				delete(there, name)
				delete(selections, name)
				delete(complaints, name)
				for _, at := range []*string{&users, &prompt, &front} {
					if *at == name {
						*at = ""
					}
				}
			case 2, 3:
				var selection *protocol.Range
				if what == 3 {
					selection = &protocol.Range{Start: protocol.Position{Line: uint32(step)}, End: protocol.Position{Line: uint32(step + 1)}}
				}
				table.Focus(uri, selection)
				if !is {
					break
				}
				front = name
				switch name[:1] {
				case "a", "b":
					users = name
				case "p":
					prompt = name
				}
				if selection != nil {
					selections[name] = uint32(step)
				}
			case 4:
				table.ForgetRange(uri)
				delete(selections, name)
			case 5:
				list := make([]Diagnostic, step%3)
				table.SetDiagnostics(uri, list)
				if is {
					complaints[name] = len(list)
				}
			}
			doc, found := table.Get(uri)
			if _, is := there[name]; found != is || is && doc.Version != there[name] {
				t.Fatalf("seed %d: %s is %+v, %v", seed, name, doc, found)
			}
			if len(table.All()) != len(there) || len(table.DiagnosticsIn(uri, nil)) != complaints[name] {
				t.Fatalf("seed %d: %d are open, %d complaints", seed, len(table.All()), len(table.DiagnosticsIn(uri, nil)))
			}
			last, selection := table.LastFocused()
			line, selected := selections[users]
			if (last != nil) != (users != "") || last != nil && last.Path != users || (selection != nil) != (users != "" && selected) || selection != nil && selection.Start.Line != line {
				t.Fatalf("seed %d: the user is in %+v, %+v, want %s at %d", seed, last, selection, users, line)
			}
			if doc := table.InFront(); (doc != nil) != (front != "") || doc != nil && doc.Path != front {
				t.Fatalf("seed %d: in front is %+v, want %s", seed, doc, front)
			}
			if got := table.LastPrompt(); got != "" && got != "file:///"+prompt || (got == "") != (prompt == "") {
				t.Fatalf("seed %d: the last prompt is %q, want %s", seed, got, prompt)
			}
		}
	}
}

// Complaints belong to a range when they touch one of its lines.
func TestComplaintsInARange(t *testing.T) {
	table := newTable()
	table.Put(open("a", 1))
	at := func(from, to uint32) protocol.Range {
		return protocol.Range{Start: protocol.Position{Line: from}, End: protocol.Position{Line: to}}
	}
	for from := range uint32(6) {
		for to := from; to < 6; to++ {
			table.SetDiagnostics("file:///a", []Diagnostic{{Range: FromProtocol(at(from, to)), Source: "s"}})
			in := at(2, 3)
			if got := len(table.DiagnosticsIn("file:///a", &in)) == 1; got != (from <= 3 && to >= 2) {
				t.Errorf("%d to %d: %v", from, to, got)
			}
		}
	}
	r := protocol.Range{Start: protocol.Position{Line: 1, Character: 2}, End: protocol.Position{Line: 3, Character: 4}}
	if got := FromProtocol(r).Protocol(); got != r {
		t.Errorf("%+v", got)
	}
}

// A document is never changed: one that is lost, or that belongs elsewhere now, is another one.
func TestDocumentsStayAsTheyAre(t *testing.T) {
	d := open("a", 3)
	d.Unplaced = true
	held, err := d.Arrived(7, insertAt(0, "x"), time.Time{}, UTF16)
	if err != nil || !held.Uncertain() || d.Uncertain() {
		t.Fatal(err, held, d)
	}
	lost := held.AsLost()
	if !lost.Lost || !lost.Uncertain() || len(lost.held) > 0 || held.Lost || len(held.held) != 1 {
		t.Errorf("%+v of %+v", lost, held)
	}
	moved := d.MovedTo("other", "b/a")
	if moved.Root != "other" || moved.Path != "b/a" || moved.Document.Path != "b/a" || moved.Unplaced || moved.Text != d.Text || moved.URI != d.URI || moved.Version != 3 {
		t.Errorf("%+v", moved)
	}
	if d.Root != "r" || d.Path != "a" || d.Document.Path != "a" || !d.Unplaced {
		t.Errorf("%+v", d)
	}
}

// A change that is out of place is dropped with a word, and the document says whether it is still known.
func TestChangesOutOfPlace(t *testing.T) {
	all := func(text string) []ContentChange { return []ContentChange{{Text: text}} }
	for _, test := range []struct {
		name    string
		version int32
		changes []ContentChange
		want    string
		lost    bool
		fails   bool
		waits   bool
	}{
		{"the next", 6, insertAt(0, "x"), "xwhole\n", false, false, false},
		{"the same version", 5, insertAt(0, "x"), "xwhole\n", false, false, false},
		{"too early", 7, insertAt(0, "x"), "whole\n", false, false, true},
		{"a whole text of a later version", 9, all("new\n"), "new\n", false, false, false},
		{"a whole text and more", 9, append(all("new\n"), insertAt(0, "x")...), "xnew\n", false, false, false},
		{"before the whole text", 4, insertAt(0, "x"), "whole\n", false, true, false},
		{"an older whole text", 4, all("old\n"), "whole\n", false, true, false},
	} {
		d := opened("first\n", 1)
		d, err := d.Arrived(5, all("whole\n"), time.Time{}, UTF16)
		if err != nil || d.WholeAt != 5 || d.Text != "whole\n" {
			t.Fatal(d, err)
		}
		got, err := d.Arrived(test.version, test.changes, time.Time{}, UTF16)
		if got.Text != test.want || got.Lost != test.lost || (err != nil) != test.fails || (len(got.held) > 0) != test.waits {
			t.Errorf("%s: %q, lost %v, held %d, %v", test.name, got.Text, got.Lost, len(got.held), err)
		}
		if !test.fails && !test.waits && got.Version != test.version {
			t.Errorf("%s: version %d", test.name, got.Version)
		}
		if test.waits {
			if got, err = got.Arrived(6, insertAt(0, "y"), time.Time{}, UTF16); err != nil || got.Text != "xywhole\n" || got.Uncertain() || got.Version != 7 {
				t.Errorf("%s: %q at %d, %v", test.name, got.Text, got.Version, err)
			}
		}
	}
	// An older change of a part, behind which the whole text is not known any more.
	d := opened("first\n", 1)
	d, _ = d.Arrived(2, insertAt(0, "x"), time.Time{}, UTF16)
	d, err := d.Arrived(1, insertAt(0, "y"), time.Time{}, UTF16)
	if err == nil || !d.Lost || d.Text != "xfirst\n" {
		t.Errorf("%q, %v", d.Text, err)
	}
	if after, err := d.Arrived(9, insertAt(0, "z"), time.Time{}, UTF16); err == nil || !after.Lost || len(after.held) > 0 {
		t.Errorf("%+v, %v", after, err)
	}
	if after, err := d.Arrived(9, all("new\n"), time.Time{}, UTF16); err != nil || after.Uncertain() || after.Text != "new\n" {
		t.Errorf("%+v, %v", after, err)
	}
}

// Changes that come before their document are given to it when it is opened, in order and as far as none is missing;
// no other document gets them, nobody gets them late, and they do not pile up.
func TestEarlyChanges(t *testing.T) {
	begin := time.Unix(1_800_000_000, 0)
	for _, test := range []struct {
		versions []int32
		opened   int32
		after    time.Duration
		want     []int32
	}{
		{[]int32{2, 3}, 1, 0, []int32{2, 3}},
		{[]int32{3, 2, 4}, 1, 0, []int32{2, 3, 4}},
		{[]int32{2, 4}, 1, 0, []int32{2}},
		{[]int32{3}, 1, 0, nil},
		{[]int32{1, 2}, 1, 0, nil},
		{[]int32{2}, 1, EarlyTime, []int32{2}},
		{[]int32{2}, 1, EarlyTime + 1, nil},
	} {
		var e Early
		for _, v := range test.versions {
			e.Put("file:///a", v, insertAt(0, "x"), begin)
			e.Put("file:///b", v, insertAt(0, "x"), begin)
		}
		var got []int32
		for _, c := range e.Take("FILE:///%61", test.opened, begin.Add(test.after)) {
			if got = append(got, c.Version); len(c.Changes) != 1 {
				t.Errorf("%+v", c)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%+v: %v", test, got)
		}
		if again := e.Take("file:///a", test.opened, begin.Add(test.after)); len(again) > 0 {
			t.Errorf("%+v: taken twice", test)
		}
		if others := len(e); others != 0 && others != len(test.versions) || (others == 0) != (test.after > EarlyTime) {
			t.Errorf("%+v: %d of another document are left", test, others)
		}
	}
	var e Early
	for v := range int32(MostHeld + 5) {
		e.Put("file:///a", v+2, nil, begin)
	}
	if got := len(e.Take("file:///a", 1, begin)); got != MostHeld {
		t.Errorf("%d wait", got)
	}
	e.Put("file:///a", 2, nil, begin)
	e.Put("file:///a", 2, nil, begin.Add(2*EarlyTime))
	if len(e) != 1 {
		t.Errorf("%d wait", len(e))
	}
}

// The range of two offsets is the one that spans them, whichever way round it is told.
func TestRangesOfOffsets(t *testing.T) {
	text := "a\U0001F600b\r\n\nlast"
	lines := NewLines(text)
	for _, e := range encodings {
		for start := range len(text) + 1 {
			for end := start; end <= len(text); end++ {
				r := lines.RangeOf(start, end, e)
				from, to := lines.Span(r, e)
				back, forth := lines.Span(protocol.Range{Start: r.End, End: r.Start}, e)
				if from != lines.Offset(lines.Position(start, e), e) || to != lines.Offset(lines.Position(end, e), e) || back != from || forth != to {
					t.Fatalf("%s: %d to %d is %+v, which is %d to %d, %d to %d", e, start, end, r, from, to, back, forth)
				}
			}
		}
	}
}
