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
	n, err := l.s.adopt()
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
	p, err := l.s.Add(turn, "change it", changes, nil)
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
			n, kept := s.inherit(replay(records, "/root"))
			if n != test.want || len(s.deliveries) != n || len(kept) != 2*n {
				t.Fatalf("adopted %d, has %d, keeps %d records; want %d", n, len(s.deliveries), len(kept), test.want)
			}
			for i, d := range s.deliveries {
				if want := fmt.Sprintf("d%04d", test.turns*test.each-n+i); d.id != want {
					t.Fatalf("delivery %d is %s, want %s", i, d.id, want)
				}
			}
		})
	}
}

// TestAnOldFolderShrinksAtOnce: many files of many deliveries become one, and that is not written again.
func TestAnOldFolderShrinksAtOnce(t *testing.T) {
	dir := t.TempDir()
	dead := []int{8, 9, 10}
	at := time.Now().Add(-time.Hour)
	n := 0
	for pid := 100; pid < 120; pid++ {
		dead = append(dead, pid)
		var text strings.Builder
		for range 20 {
			n++
			at = at.Add(time.Second)
			stamp := at.Format(time.RFC3339Nano)
			fmt.Fprintf(&text, `{"v":1,"kind":"intent","delivery":"d%d","time":%q,"root":"/root","turn":"t%d","op":"apply","files":[{"path":"f%d","op":"create","after":"b"}]}`+"\n", n, stamp, n, n)
			fmt.Fprintf(&text, `{"v":1,"kind":"result","delivery":"d%d","time":%q,"files":[{"path":"f%d","state":"landed"}]}`+"\n", n, stamp, n)
		}
		if err := os.WriteFile(filepath.Join(dir, owner(pid).Name()+"-1.jsonl"), []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var before []byte
	for pid := 8; pid < 11; pid++ {
		s := journalled(t, openJournal(t, dir, pid, slices.DeleteFunc(slices.Clone(dead), func(d int) bool { return d == pid })...))
		if got, err := s.adopt(); got != keepDeliveries || err != nil {
			t.Fatalf("adopted %d, %v", got, err)
		}
		if turn, ok := s.LastApplied(fmt.Sprintf("f%d", n)); !ok || turn != fmt.Sprintf("t%d", n) {
			t.Fatalf("the last turn: %q, %v", turn, ok)
		}
		names, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil || len(names) != 1 {
			t.Fatalf("%q, %v", names, err)
		}
		after, err := os.ReadFile(names[0])
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(string(after), "\n"); lines != 2*keepDeliveries {
			t.Fatalf("%d records", lines)
		}
		if before != nil && string(before) != string(after) {
			t.Fatal("what is compact was written again")
		}
		before = after
	}
}

// TestManyOldFilesWait: a start reads a bounded amount, the newest first, and leaves the rest where it is.
func TestManyOldFilesWait(t *testing.T) {
	dir := t.TempDir()
	files := claimedBytes/(10<<20) + 2
	for i := range files {
		name := filepath.Join(dir, owner(100+i).Name()+"-1.jsonl")
		r := fmt.Sprintf(`{"v":1,"kind":"intent","delivery":"d%d","time":%q,"root":"/root","turn":"t%d","op":"apply","files":[{"path":"f%d","op":"update","before":"a","after":"b"}]}`+"\n",
			i, time.Now().Add(time.Duration(i)*time.Minute).Format(time.RFC3339Nano), i, i)
		if err := os.WriteFile(name, []byte(r), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(name, 10<<20); err != nil { // a hole takes no room, and is no record
			t.Fatal(err)
		}
		at := time.Now().Add(time.Duration(i-files) * time.Minute)
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	total := 0
	for start := 0; total < files; start++ {
		me := owner(8 + start)
		j := openJournal(t, dir, me.PID)
		j.alive = func(o Owner) bool { return o == me }
		s := journalled(t, j)
		n, err := s.adopt()
		if err != nil || start == 0 && n != claimedBytes/(10<<20) || n <= total {
			t.Fatalf("start %d adopted %d, %v", start, n, err)
		}
		if turn, ok := s.LastApplied(fmt.Sprintf("f%d", files-1)); !ok {
			t.Fatalf("start %d: the newest was not adopted: %q", start, turn)
		}
		total = n
	}
}

// TestWhatIsWorthKeeping writes one dead process's journal by hand and looks at what an heir makes of it.
func TestWhatIsWorthKeeping(t *testing.T) {
	now := time.Now()
	intent := func(id, turn, op, back string, age time.Duration) string {
		if back != "" {
			back = fmt.Sprintf(`,"back":[{"delivery":%q,"file":0,"steps":[0]}]`, back)
		}
		label := map[string]string{"undo": "undo: x", "redo": "redo: x"}[op]
		return fmt.Sprintf(`{"v":1,"kind":"intent","delivery":%q,"time":%q,"root":"/root","turn":%q,"op":%q,"label":%q,"files":[{"path":"a","op":"update","before":"a\n","after":"b\n"}]%s}`+"\n",
			id, now.Add(-age).Format(time.RFC3339Nano), turn, op, label, back)
	}
	result := func(id, state string, age time.Duration) string {
		return fmt.Sprintf(`{"v":1,"kind":"result","delivery":%q,"time":%q,"files":[{"path":"a","state":%q}]}`+"\n",
			id, now.Add(-age).Format(time.RFC3339Nano), state)
	}
	const hour = time.Hour
	a := intent("A", "t", "apply", "", 9*hour) + result("A", "landed", 9*hour)
	u := intent("U", "t", "undo", "A", 8*hour) + result("U", "landed", 8*hour)
	r := intent("R", "t", "redo", "U", 7*hour) + result("R", "landed", 7*hour)
	for name, test := range map[string]struct {
		journal string
		keep    []string // ids of the deliveries, oldest first
		lines   int      // of the journal afterwards
		applied string   // LastApplied
		undone  string   // LastUndone
		open    int64    // files that are not known yet
	}{
		"applied":               {a, []string{"A"}, 2, "t", "", 0},
		"undone":                {a + u, []string{"A", "U"}, 4, "", "t", 0},
		"redone":                {a + u + r, []string{"U", "R"}, 4, "t", "", 0},
		"sent, without a word":  {intent("A", "t", "apply", "", hour), []string{"A"}, 1, "t", "", 1},
		"differs":               {intent("A", "t", "apply", "", hour) + result("A", "differs", hour), []string{"A"}, 2, "t", "", 1},
		"never came":            {intent("A", "t", "apply", "", hour) + result("A", "absent", hour), nil, 0, "", "", 0},
		"refused":               {intent("A", "t", "apply", "", hour) + result("A", "refused", hour), nil, 0, "", "", 0},
		"found out later":       {intent("A", "t", "apply", "", hour) + result("A", "unknown", hour) + result("A", "landed", hour/2), []string{"A"}, 2, "t", "", 0},
		"the undo never came":   {a + intent("U", "t", "undo", "A", hour) + result("U", "absent", hour), []string{"A"}, 2, "t", "", 0},
		"the undo is not known": {a + intent("U", "t", "undo", "A", hour), []string{"A", "U"}, 3, "t", "t", 1},
		"too old":               {intent("A", "t", "apply", "", keepJournals+hour) + result("A", "landed", hour), nil, 0, "", "", 0},
		"old and undone lately": {intent("A", "t", "apply", "", keepJournals+hour) + result("A", "landed", hour) + u, []string{"A", "U"}, 4, "", "t", 0},
		"taken back by hand":    {a + `{"v":1,"kind":"result","delivery":"A","files":[{"path":"a","state":"landed","reversed":true}],"time":"` + now.Format(time.RFC3339Nano) + `"}` + "\n", nil, 0, "", "", 0},
		"the record broke off":  {a + intent("B", "t2", "apply", "", hour)[:80], []string{"A"}, 2, "t", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, owner(7).Name()+"-1.jsonl"), []byte(test.journal), 0o600); err != nil {
				t.Fatal(err)
			}
			for pid := 8; pid < 11; pid++ { // the second heir reads what the first made of it
				j := openJournal(t, dir, pid, 7, pid-1)
				s := journalled(t, j)
				if n, err := s.adopt(); n != len(test.keep) || err != nil {
					t.Fatalf("adopted %d, %v", n, err)
				}
				var ids []string
				for _, d := range s.deliveries {
					ids = append(ids, d.id)
				}
				if !slices.Equal(ids, test.keep) {
					t.Fatalf("kept %q", ids)
				}
				if turn, _ := s.LastApplied("a"); turn != test.applied {
					t.Errorf("applied last: %q", turn)
				}
				if turn, _ := s.LastUndone("a"); turn != test.undone {
					t.Errorf("undone last: %q", turn)
				}
				if got := s.unsettled.Load(); got != test.open {
					t.Errorf("%d files are not known", got)
				}
				if records, err := j.Records(); len(records) != test.lines || err != nil {
					t.Errorf("%d records, %v", len(records), err)
				}
				if names, _ := filepath.Glob(filepath.Join(dir, "*")); len(names) != min(test.lines, 1) {
					t.Errorf("files %q", names) // one, or none where there is nothing to keep
				}
			}
		})
	}
}

// TestWhatIsNotOursStays: a journal that a later version wrote to, and records of another root.
func TestWhatIsNotOursStays(t *testing.T) {
	dir := t.TempDir()
	good := `{"v":1,"kind":"intent","delivery":"%s","root":"%s","turn":"t","op":"apply","files":[{"path":"a","op":"update","before":"a","after":"b"}]}` + "\n"
	later := fmt.Sprintf(good, "one", "/root") + `{"v":99,"kind":"something"}` + "\n"
	other := fmt.Sprintf(good, "two", "/other") + `{"v":1,"kind":"result","delivery":"two","files":[{"path":"a","state":"landed"}]}` + "\n"
	for pid, text := range map[int]string{3: later, 4: other, 5: fmt.Sprintf(good, "three", "/root")} {
		if err := os.WriteFile(filepath.Join(dir, owner(pid).Name()+"-1.jsonl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for pid := 8; pid < 11; pid++ {
		dead := []int{3, 4, 5, pid - 1}
		if n, err := journalled(t, openJournal(t, dir, pid, dead...)).adopt(); n != 2 || err == nil || !strings.Contains(err.Error(), "version 99") {
			t.Fatalf("adopted %d, %v", n, err)
		}
		var all string
		names, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil || len(names) != 2 {
			t.Fatalf("%q, %v", names, err)
		}
		for _, name := range names {
			raw, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all += string(raw)
		}
		if !strings.Contains(all, later) || strings.Count(all, `"two"`) != 2 || strings.Count(all, `"three"`) != 1 {
			t.Fatalf("%s", all)
		}
	}
}

// TestACrashWhileItIsCompacted leaves the old files beside the new one, whole or cut off.
func TestACrashWhileItIsCompacted(t *testing.T) {
	l := newLife(t)
	ed := newEditor(t, map[string]string{"a": "a\n", "b": "b\n"})
	old := map[string][]byte{}
	for i, path := range []string{"a", "b"} {
		l.next()
		l.apply(ed, "turn-"+path, update(path, path+"\n", strings.ToUpper(path)+"\n"))
		if i == 0 {
			out, err := l.s.Undo(context.Background(), "", ed)
			wantOutcome(t, out, err, StatusUndone)
		}
	}
	names, err := filepath.Glob(filepath.Join(l.dir, "*"))
	if err != nil || len(names) != 2 {
		t.Fatalf("%q, %v", names, err)
	}
	for _, name := range names {
		if old[filepath.Base(name)], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	if n := l.next(); n != 3 {
		t.Fatalf("adopted %d", n)
	}
	names, err = filepath.Glob(filepath.Join(l.dir, "*"))
	if err != nil || len(names) != 1 {
		t.Fatalf("%q, %v", names, err)
	}
	compact, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	for cut := 0; cut <= len(compact); cut += 53 {
		dir := t.TempDir()
		for name, raw := range old {
			if err := os.WriteFile(filepath.Join(dir, name), raw, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(names[0])), compact[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		j := openJournal(t, dir, 99)
		j.alive = func(o Owner) bool { return o.PID == 99 }
		s := journalled(t, j)
		if n, err := s.adopt(); n != 3 || err != nil {
			t.Fatalf("cut at %d: adopted %d, %v", cut, n, err)
		}
		if turn, ok := s.LastApplied("b"); !ok || turn != "turn-b" {
			t.Fatalf("cut at %d: applied last %q, %v", cut, turn, ok)
		}
		if turn, ok := s.LastApplied("a"); ok {
			t.Fatalf("cut at %d: %q is undone", cut, turn)
		}
		if _, err := s.Undo(context.Background(), "turn-a", ed); !errors.Is(err, ErrNotUndone) {
			t.Fatalf("cut at %d: %v", cut, err)
		}
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
						s.Settle(path, before+mark)
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
					s.SettleFrom(ed.Current()) // what is known of it would else depend on when it is looked at
				}
				for _, path := range []string{"a", "b", "c"} {
					applied, was := s.LastApplied(path)
					undone, is := s.LastUndone(path)
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
		if n, err := l.s.adopt(); n != 2*(1-call) || err != nil {
			t.Fatalf("adopted %d, %v", n, err)
		}
		var turns []string
		for _, d := range l.s.deliveries {
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
				if n, err := journalled(t, openJournal(t, dir, 8, 7)).adopt(); n != test.adopt || err != nil {
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
