package proposal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

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
		if got, err := s.book.adopt(); got != keepDeliveries || err != nil {
			t.Fatalf("adopted %d, %v", got, err)
		}
		if turn, ok := s.Sent.LastApplied(fmt.Sprintf("f%d", n)); !ok || turn != fmt.Sprintf("t%d", n) {
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
		n, err := s.book.adopt()
		if err != nil || start == 0 && n != claimedBytes/(10<<20) || n <= total {
			t.Fatalf("start %d adopted %d, %v", start, n, err)
		}
		if turn, ok := s.Sent.LastApplied(fmt.Sprintf("f%d", files-1)); !ok {
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
				if n, err := s.book.adopt(); n != len(test.keep) || err != nil {
					t.Fatalf("adopted %d, %v", n, err)
				}
				var ids []string
				for _, d := range s.book.sent.list {
					ids = append(ids, d.id)
				}
				if !slices.Equal(ids, test.keep) {
					t.Fatalf("kept %q", ids)
				}
				if turn, _ := s.Sent.LastApplied("a"); turn != test.applied {
					t.Errorf("applied last: %q", turn)
				}
				if turn, _ := s.Sent.LastUndone("a"); turn != test.undone {
					t.Errorf("undone last: %q", turn)
				}
				if got := s.book.sent.unsettled.Load(); got != test.open {
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
		if n, err := journalled(t, openJournal(t, dir, pid, dead...)).book.adopt(); n != 2 || err == nil || !strings.Contains(err.Error(), "version 99") {
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
		if n, err := s.book.adopt(); n != 3 || err != nil {
			t.Fatalf("cut at %d: adopted %d, %v", cut, n, err)
		}
		if turn, ok := s.Sent.LastApplied("b"); !ok || turn != "turn-b" {
			t.Fatalf("cut at %d: applied last %q, %v", cut, turn, ok)
		}
		if turn, ok := s.Sent.LastApplied("a"); ok {
			t.Fatalf("cut at %d: %q is undone", cut, turn)
		}
		if _, err := s.Undo(context.Background(), "turn-a", ed); !errors.Is(err, ErrNotUndone) {
			t.Fatalf("cut at %d: %v", cut, err)
		}
	}
}
