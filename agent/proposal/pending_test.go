package proposal

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"coauthor/agent/event"
	"coauthor/edits"
)

func keeping(t *testing.T) *life {
	l := newLife(t)
	l.o.KeepPending = true
	l.next()
	return l
}

// twoHunks changes the first and the last line of a file.
func twoHunks(path string) edits.Change {
	before := "one\n" + strings.Repeat("same\n", 9) + "two\n"
	return edits.Change{Path: path, Op: edits.OpUpdate, Before: before, After: strings.ReplaceAll(strings.ReplaceAll(before, "one", "ONE"), "two", "TWO")}
}

func ids(list []Proposal) (names []string) {
	for _, p := range list {
		names = append(names, p.ID)
	}
	return names
}

// What waits for a decision waits in the next server too, and in the one after it: with its texts, its name, its
// warnings and what was decided on it, and as something that was not shown yet.
func TestWhatWaitsOutlivesItsServer(t *testing.T) {
	l := keeping(t)
	var told []Proposal
	l.o.Changed = func(p Proposal) { told = append(told, p) }
	l.next()
	change := func(turn string, c ...edits.Change) *Proposal {
		p, err := l.s.Add(turn, "change "+turn, c, nil, Checked{Warnings: []string{"a.txt, line 1: odd"}})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	half := change("t1", twoHunks("a.txt"), edits.Change{Path: "old", To: "new", Op: edits.OpRename, Before: "x\xff\n", After: "x\xff\n"})
	gone := change("t2", twoHunks("b.txt"))
	amended := change("t3", edits.Change{Path: "c.txt", Op: edits.OpCreate, After: "c\n"})
	l.s.MarkShown(half.ID, 1)
	for _, sel := range []Selector{{Proposal: half.ID, Revision: 1, Files: []string{"a.txt"}, Hunks: []int{1}}, {Proposal: gone.ID, Revision: 1}} {
		l.s.MarkShown(sel.Proposal, 1)
		if _, err := l.s.Discard(sel); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.s.Supersede(amended.ID, "t4", "change t4", []edits.Change{{Path: "d.txt", Op: edits.OpCreate, After: "d\n"}}, nil, Checked{}); err != nil {
		t.Fatal(err)
	}
	want := l.s.Pending()
	for server := range 3 {
		told = nil
		l.next()
		got := l.s.Pending()
		if !slices.Equal(ids(got), []string{half.ID, amended.ID}) || !slices.Equal(ids(told), ids(got)) {
			t.Fatalf("server %d: pending are %v, told was of %v, want %s and %s", server, ids(got), ids(told), half.ID, amended.ID)
		}
		for i, p := range got {
			w := want[i]
			if p.Turn != w.Turn || p.Label != w.Label || p.Revision != w.Revision || p.State != w.State || p.Root != "/root" ||
				!p.Created.Equal(w.Created) || !slices.Equal(p.Warnings, w.Warnings) || p.Shown != 0 || len(p.Files) != len(w.Files) {
				t.Errorf("server %d: %+v, want %+v", server, p, w)
			}
			for n, f := range p.Files {
				if f.Change != w.Files[n].Change || !slices.Equal(f.Undecided(), w.Files[n].Undecided()) || !slices.Equal(f.with(HunkDiscarded), w.Files[n].with(HunkDiscarded)) {
					t.Errorf("server %d: %+v, want %+v", server, f, w.Files[n])
				}
			}
		}
		if _, err := l.s.Select(Selector{}); err == nil {
			t.Errorf("server %d: what nobody has seen here can be applied", server)
		}
	}
	// It can be decided on as before, and then waits nowhere any more.
	ed := newEditor(t, map[string]string{"a.txt": want[0].Files[0].Change.Before, "old": "x\n"})
	l.s.MarkShown(half.ID, 1)
	l.s.MarkShown(amended.ID, 2)
	if out, err := l.s.Apply(t.Context(), Selector{Proposal: half.ID, Files: []string{"a.txt"}}, ed); err != nil || out.Status != StatusApplied {
		t.Fatalf("%+v, %v", out, err)
	}
	if text := ed.text("a.txt"); strings.Contains(text, "ONE") || !strings.Contains(text, "TWO") {
		t.Errorf("applied:\n%s", text)
	}
	for _, sel := range []Selector{{Proposal: half.ID}, {Proposal: amended.ID}} {
		if _, err := l.s.Discard(sel); err != nil {
			t.Fatal(err)
		}
	}
	l.next()
	if got := l.s.Pending(); len(got) != 0 {
		t.Errorf("decided, and pending again: %v", ids(got))
	}
}

// A session of a living server leaves its proposals to the next one of the same root.
func TestWhatWaitsIsTakenOverWithinAServer(t *testing.T) {
	l := keeping(t)
	p, err := l.s.Add("t1", "change it", []edits.Change{twoHunks("a.txt")}, nil, Checked{})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := l.o.Journal.Close(); err != nil {
			t.Fatal(err)
		}
		l.o.Journal = openJournal(t, l.dir, l.pid)
		l.s = NewStore("/root", l.o)
		for range 2 { // a second look finds nothing new
			if _, err := l.s.book.adopt(); err != nil {
				t.Fatal(err)
			}
		}
		if got := l.s.Pending(); !slices.Equal(ids(got), []string{p.ID}) {
			t.Fatalf("pending are %v", ids(got))
		}
	}
}

// A process that keeps nothing passes on what it finds, and adds nothing of its own.
func TestWhoKeepsNothingPassesOn(t *testing.T) {
	l := keeping(t)
	p, err := l.s.Add("t1", "change it", []edits.Change{twoHunks("a.txt")}, nil, Checked{})
	if err != nil {
		t.Fatal(err)
	}
	l.o.KeepPending = false
	l.next()
	if got := l.s.Pending(); len(got) != 0 {
		t.Errorf("pending are %v", ids(got))
	}
	if _, err := l.s.Add("t2", "its own", []edits.Change{twoHunks("b.txt")}, nil, Checked{}); err != nil {
		t.Fatal(err)
	}
	l.o.KeepPending = true
	l.next()
	if got := l.s.Pending(); !slices.Equal(ids(got), []string{p.ID}) {
		t.Errorf("pending are %v, want %s", ids(got), p.ID)
	}
}

// Proposals of other roots, old ones, and more than anybody decides on are not taken over; records that make no
// sense harm nobody.
func TestWhatIsNotTakenOver(t *testing.T) {
	l := keeping(t)
	for range keepPending + 3 {
		if _, err := l.s.Add("t", "many", []edits.Change{twoHunks("a.txt")}, nil, Checked{}); err != nil {
			t.Fatal(err)
		}
	}
	last := ids(l.s.Pending())
	l.next()
	if got := ids(l.s.Pending()); !slices.Equal(got, last[len(last)-keepPending:]) {
		t.Errorf("%d are taken over: %v", len(got), got)
	}
	if err := l.o.Journal.Close(); err != nil {
		t.Fatal(err)
	}
	other := NewStore("/other", l.o)
	if _, err := other.book.adopt(); err != nil || len(other.Pending()) != 0 {
		t.Errorf("another root has %v, %v", ids(other.Pending()), err)
	}

	l = keeping(t)
	created := l.o.Clock()
	l.o.Clock = func() time.Time { return created }
	l.next()
	if _, err := l.s.Add("t", "old", []edits.Change{twoHunks("a.txt")}, nil, Checked{}); err != nil {
		t.Fatal(err)
	}
	l.o.Clock = func() time.Time { return created.Add(keepJournals + time.Hour) }
	if l.next(); len(l.s.Pending()) != 0 {
		t.Error("it is older than anything that is kept")
	}

	l = keeping(t)
	p, err := l.s.Add("t", "whole", []edits.Change{twoHunks("a.txt")}, nil, Checked{})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.o.Journal.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(l.dir, "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	f, err := os.OpenFile(files[0], os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	const late = `"v":1,"time":"2099-01-01T00:00:00Z","root":"/root",`
	for _, line := range []string{
		`{` + late + `"kind":"proposal","proposal":"p1","revision":1,"turn":"t"}`,
		`{` + late + `"kind":"proposal","proposal":"p2","revision":1,"turn":"t","state":"pending","files":[{"path":"a","op":"explode"}]}`,
		`{` + late + `"kind":"proposal","proposal":"p3","revision":1,"turn":"t","state":"pending","files":[{"path":"a","op":"rename"}]}`,
		`{` + late + `"kind":"proposal","proposal":"p4","state":"pending","files":[{"path":"a","op":"create","after":"x"}]}`,
		`{` + late + `"kind":"proposal","proposal":"p5","revision":1,"turn":"t","state":"pending","files":[{"op":"create","after":"x"}]}`,
		`{` + late + `"kind":"decision","proposal":"p6","revision":1,"state":"discarded","files":[{"path":"a"}]}`,
		`{` + late + `"kind":"decision","proposal":"` + p.ID + `","revision":7,"state":"discarded","files":[{"path":"a.txt"}]}`,
		`{` + late + `"kind":"decision","proposal":"` + p.ID + `","revision":1,"state":"discarded","files":[]}`,
		`{` + late + `"kind":"decision","proposal":"` + p.ID + `","revision":1,"state":"applying","files":[{"path":"a.txt","done":{"1":"discarded","99":"landed"}}]}`,
	} {
		if _, err := f.WriteString(line + "\n"); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	l.o.Journal = nil
	l.next()
	got := l.s.Pending()
	if !slices.Equal(ids(got), []string{p.ID}) || got[0].State != event.ProposalPending || !slices.Equal(got[0].Files[0].Undecided(), []int{2}) {
		t.Errorf("taken over are %+v", got)
	}
}
