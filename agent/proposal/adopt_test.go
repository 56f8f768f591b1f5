package proposal

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"coauthor/edits"
)

// life is a row of servers, of which each adopts what the last one left. They share ids and time.
type life struct {
	t   *testing.T
	dir string
	o   StoreOptions
	pid int
	s   *Store
}

func newLife(t *testing.T) *life {
	t.Helper()
	return &life{t: t, dir: t.TempDir(), o: StoreOptions{Random: &numbers{}, Clock: ticks()}, pid: 10}
}

// next starts the next server, which finds the one before it dead. It returns how many deliveries it adopts.
func (l *life) next() int {
	l.t.Helper()
	if l.o.Journal != nil {
		if err := l.o.Journal.Close(); err != nil {
			l.t.Fatal(err)
		}
	}
	l.pid++
	l.o.Journal = openJournal(l.t, l.dir, l.pid)
	me := owner(l.pid)
	l.o.Journal.alive = func(o Owner) bool { return o == me }
	l.s = NewStore("/root", l.o)
	n, err := l.s.book.adopt()
	if err != nil {
		l.t.Fatal(err)
	}
	return n
}

// size returns how many files and bytes the folder has.
func (l *life) size() (files, bytes int) {
	l.t.Helper()
	list, err := filepath.Glob(filepath.Join(l.dir, "*"))
	if err != nil {
		l.t.Fatal(err)
	}
	for _, name := range list {
		info, err := os.Stat(name)
		if err != nil {
			l.t.Fatal(err)
		}
		bytes += int(info.Size())
	}
	return len(list), bytes
}

func (l *life) apply(ed *editor, turn string, changes ...edits.Change) Outcome {
	l.t.Helper()
	p, err := l.s.Add(turn, "change it", changes, nil, Checked{})
	if err != nil {
		l.t.Fatal(err)
	}
	out, err := l.s.Apply(context.Background(), Selector{Proposal: p.ID, Revision: 1}, ed)
	if err != nil {
		l.t.Fatal(err)
	}
	return out
}

// TestStartsCostTheSame has many servers apply, undo and redo one after the other: what the next one reads
// does not grow with them.
func TestStartsCostTheSame(t *testing.T) {
	ed := newEditor(t, map[string]string{"a": numbered(200)})
	l := newLife(t)
	var most int
	for i := range 12 {
		n := l.next()
		files, bytes := l.size()
		if i > 1 && (n != 2 || files != 1) {
			t.Fatalf("start %d adopts %d deliveries and leaves %d files", i, n, files)
		}
		if i == 2 {
			most = bytes + 100 // process ids and times take more or fewer digits
		}
		if i > 2 && bytes > most {
			t.Fatalf("start %d leaves %d bytes, the third one %d", i, bytes, most)
		}
		if i == 0 {
			l.apply(ed, "turn1", update("a", ed.text("a"), "first\n"+ed.text("a")))
			continue
		}
		for range 3 {
			out, err := l.s.Undo(context.Background(), "turn1", ed)
			wantOutcome(t, out, err, StatusUndone)
			out, err = l.s.Redo(context.Background(), "turn1", ed)
			wantOutcome(t, out, err, StatusApplied)
		}
	}
}

// TestAdoptionHasBounds: of a great many turns the newest are adopted, each as a whole.
func TestAdoptionHasBounds(t *testing.T) {
	big := strings.Repeat("x", adoptedBytes/8)
	for name, test := range map[string]struct {
		turns, each int    // deliveries of a turn
		text        string // that each of them removes
		want        int    // deliveries that are adopted
	}{
		"none":                  {0, 0, "", 0},
		"few":                   {5, 2, "a\n", 10},
		"as many as there may":  {keepDeliveries / 2, 2, "a\n", keepDeliveries},
		"many":                  {keepDeliveries, 2, "a\n", keepDeliveries},
		"turns stay whole":      {keepDeliveries, 3, "a\n", keepDeliveries / 3 * 3},
		"large":                 {20, 1, big, 8},
		"large, in pieces":      {10, 3, big, 6},
		"one that is too large": {1, 12, big, 12},
	} {
		t.Run(name, func(t *testing.T) {
			var records []Record
			at := time.Now().Add(-time.Hour)
			for i := range test.turns * test.each {
				at = at.Add(time.Millisecond)
				id := fmt.Sprintf("d%04d", i)
				records = append(records, Record{
					Kind: RecordIntent, Delivery: id, Time: at, Root: "/root", Turn: fmt.Sprintf("t%03d", i/test.each), Op: opApply, taken: true,
					Files: []RecordFile{{Path: id, Op: edits.OpUpdate, Before: recordText{&test.text}}},
				}, Record{Kind: RecordResult, Delivery: id, Time: at, Files: []RecordFile{{Path: id, State: LandLanded}}})
			}
			s := newStore(t)
			n, kept := s.book.inherit(replay(records, "/root"))
			if n != test.want || len(s.book.sent.list) != n || len(kept) != 2*n {
				t.Fatalf("adopted %d, has %d, keeps %d records; want %d", n, len(s.book.sent.list), len(kept), test.want)
			}
			for i, d := range s.book.sent.list {
				if want := fmt.Sprintf("d%04d", test.turns*test.each-n+i); d.id != want {
					t.Fatalf("delivery %d is %s, want %s", i, d.id, want)
				}
			}
		})
	}
}

// TestRestartsChangeNothing has one user work with a server that never ends, and another do the same with
// one that is restarted again and again. Both see the same.
func TestRestartsChangeNothing(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 3))
		files := map[string]string{"a": numbered(12), "b": numbered(9), "c": "c\n"}
		beds := [2]*editor{newEditor(t, files), newEditor(t, files)}
		lives := [2]*life{newLife(t), newLife(t)}
		lives[0].next()
		lives[1].next()
		for step := range 25 {
			if r.IntN(2) == 0 {
				lives[1].next()
			}
			what, pick := r.IntN(10), r.IntN(3)
			mark := fmt.Sprintf("mark %d\n", step)
			var said [2]string
			for i, ed := range beds {
				s := lives[i].s
				path := []string{"a", "b", "c"}[pick]
				turn := fmt.Sprintf("turn%d", step)
				ed.answer = nil
				var out Outcome
				var err error
				switch what {
				case 0, 1, 2:
					out = lives[i].apply(ed, turn, update(path, ed.text(path), mark+ed.text(path)), edits.Change{Path: "new" + turn, Op: edits.OpCreate, After: mark})
				case 3: // the editor says nothing and does nothing, or does it
					ed.answer = func(Step) (Landed, bool) { return Landed{State: LandUnknown}, true }
					before := ed.text(path)
					out = lives[i].apply(ed, turn, update(path, before, before+mark))
					if pick == 1 {
						ed.typed(path, before+mark)
						s.Sent.Settle(path, before+mark)
					}
				case 4: // one file of two is refused
					ed.answer = func(s Step) (Landed, bool) { return Landed{State: LandRefused}, s.Change.Op == edits.OpCreate }
					out = lives[i].apply(ed, turn, update(path, ed.text(path), mark+ed.text(path)), edits.Change{Path: "new" + turn, Op: edits.OpCreate, After: mark})
				case 5, 6, 7:
					out, err = s.Undo(context.Background(), "", ed)
				case 8:
					out, err = s.Redo(context.Background(), "", ed)
				case 9: // the user takes the newest line out
					_, rest, _ := strings.Cut(ed.text(path), "\n")
					ed.typed(path, rest)
				}
				said[i] = fmt.Sprintf("%s %s %q %v %v\n", out.Turn, out.Status, out.Reason, out.Files, err)
				if what == 3 {
					s.Sent.SettleFrom(ed.Current()) // what is known of it would else depend on when it is looked at
				}
				for _, path := range []string{"a", "b", "c"} {
					applied, was := s.Sent.LastApplied(path)
					undone, is := s.Sent.LastUndone(path)
					said[i] += fmt.Sprintln(path, applied, was, undone, is)
				}
			}
			if said[0] != said[1] {
				t.Fatalf("seed %d, step %d: what %d\n%s\nwith restarts\n%s", seed, step, what, said[0], said[1])
			}
			if a, b := beds[0].all(), beds[1].all(); !maps.Equal(a, b) {
				t.Fatalf("seed %d, step %d: what %d\n%q\nwith restarts\n%q", seed, step, what, a, b)
			}
		}
	}
}

// TestWhatIsAppliedBeforeTheAdoptionStays: a user who is quick applies before the journals are read.
func TestWhatIsAppliedBeforeTheAdoptionStays(t *testing.T) {
	ed := newEditor(t, map[string]string{"a": "a\n", "b": "b\n", "c": "c\n"})
	l := newLife(t)
	for _, path := range []string{"a", "b"} {
		l.next()
		l.apply(ed, "turn-"+path, update(path, path+"\n", strings.ToUpper(path)+"\n"))
	}
	if err := l.o.Journal.Close(); err != nil {
		t.Fatal(err)
	}
	l.o.Journal = openJournal(t, l.dir, 99)
	l.o.Journal.alive = func(o Owner) bool { return o == owner(99) }
	l.s = NewStore("/root", l.o)
	l.apply(ed, "turn-c", update("c", "c\n", "C\n"))
	for call := range 2 { // the second finds nothing new
		if n, err := l.s.book.adopt(); n != 2*(1-call) || err != nil {
			t.Fatalf("adopted %d, %v", n, err)
		}
		var turns []string
		for _, d := range l.s.book.sent.list {
			turns = append(turns, d.turn)
		}
		if want := []string{"turn-a", "turn-b", "turn-c"}; !slices.Equal(turns, want) {
			t.Fatalf("%q", turns)
		}
	}
	l.pid = 100
	if n := l.next(); n != 3 {
		t.Fatalf("the next one adopts %d", n)
	}
	for _, path := range []string{"c", "b", "a"} {
		out, err := l.s.Undo(context.Background(), "", ed)
		wantOutcome(t, out, err, StatusUndone)
		if ed.text(path) != path+"\n" {
			t.Fatalf("%s was not undone: %q", path, ed.all())
		}
	}
}

// TestTheLivingAndTheFarAreLeftAlone: only the dead of this machine leave something to adopt.
func TestTheLivingAndTheFarAreLeftAlone(t *testing.T) {
	text := `{"v":1,"kind":"intent","delivery":"d","root":"/root","turn":"t","op":"apply","files":[{"path":"a","op":"update","before":"a","after":"b"}]}` + "\n"
	far := owner(7)
	far.Host = "11223344"
	for name, test := range map[string]struct {
		file  string
		adopt int
	}{
		"dead":               {owner(7).Name() + "-1.jsonl", 1},
		"dead, a later file": {owner(7).Name() + "-12.jsonl", 1},
		"alive":              {owner(6).Name() + "-1.jsonl", 0},
		"another machine's":  {far.Name() + "-1.jsonl", 0},
		"no process":         {"aabbccdd-x-b1t2-1.jsonl", 0},
		"no owner":           {"journal-1.jsonl", 0},
		"no number":          {"journal.jsonl", 0},
		"another suffix":     {owner(7).Name() + "-1.json", 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, test.file)
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			old := time.Now().Add(-2 * keepJournals)
			for _, expired := range []bool{false, true} {
				if expired && test.adopt == 0 {
					if err := os.Chtimes(path, old, old); err != nil {
						t.Fatal(err)
					}
				}
				if n, err := journalled(t, openJournal(t, dir, 8, 7)).book.adopt(); n != test.adopt || err != nil {
					t.Errorf("adopted %d, %v", n, err)
				}
				raw, err := os.ReadFile(path)
				if test.adopt == 0 && (err != nil || string(raw) != text) {
					t.Errorf("the file: %q, %v", raw, err)
				}
				if test.adopt > 0 {
					if !errors.Is(err, os.ErrNotExist) {
						t.Errorf("the dead one's file is still there: %v", err)
					}
					break
				}
			}
		})
	}
}

// TestUndoWaitsForTheAdoption: whoever undoes at once after a start undoes what the last server applied, and who
// gives up does not wait.
func TestUndoWaitsForTheAdoption(t *testing.T) {
	for _, redo := range []bool{false, true} {
		ed := newEditor(t, map[string]string{"a": "old\n"})
		l := newLife(t)
		l.next()
		l.apply(ed, "turn1", update("a", "old\n", "new\n"))
		if redo {
			out, err := l.s.Undo(t.Context(), "", ed)
			wantOutcome(t, out, err, StatusUndone)
		}
		if err := l.o.Journal.Close(); err != nil {
			t.Fatal(err)
		}
		synctest.Test(t, func(t *testing.T) {
			journal := openJournal(t, l.dir, 99, l.pid)
			o := l.o
			o.Journal = journal
			s := NewStore("/root", o)
			adopt := s.AdoptLater()
			reverse, want := s.Undo, StatusUndone
			if redo {
				reverse, want = s.Redo, StatusApplied
			}
			gone, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := reverse(gone, "", ed); !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled: %v", err)
			}
			var out Outcome
			var err error
			done := make(chan struct{})
			go func() {
				defer close(done)
				out, err = reverse(t.Context(), "", ed)
			}()
			synctest.Wait()
			select {
			case <-done:
				t.Fatalf("it did not wait: %+v %v", out, err)
			default:
			}
			if n, err := adopt(); n == 0 || err != nil {
				t.Errorf("adopted %d, %v", n, err)
			}
			<-done
			wantOutcome(t, out, err, want)
		})
	}
}
