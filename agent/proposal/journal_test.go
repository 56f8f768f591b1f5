package proposal

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coauthor/agent/event"
	"coauthor/edits"
)

func owner(pid int) Owner { return Owner{Host: "aabbccdd", PID: pid, Start: "b1t2"} }

func openJournal(t *testing.T, dir string, pid int, dead ...int) *Journal {
	t.Helper()
	j, err := NewJournal(dir, owner(pid))
	if err != nil {
		t.Fatal(err)
	}
	j.alive = func(o Owner) bool {
		for _, d := range dead {
			if o.PID == d {
				return false
			}
		}
		return true
	}
	t.Cleanup(func() { _ = j.Close() })
	return j
}

func journalled(t *testing.T, j *Journal) *Store {
	t.Helper()
	return NewStore("/root", StoreOptions{Journal: j, Random: &numbers{}, Clock: ticks()})
}

func TestTheRecordComesFirst(t *testing.T) {
	j := openJournal(t, filepath.Join(t.TempDir(), "journal"), 1)
	s := journalled(t, j)
	ed := newEditor(t, map[string]string{"a": "a\xff\n"})
	ed.before = func() {
		records, err := j.Records()
		if err != nil || len(records) != 1 {
			t.Fatalf("%d records, %v", len(records), err)
		}
		r := records[0]
		if r.Kind != RecordIntent || r.Turn != "turn1" || r.Owner != owner(1) || r.Version != 1 ||
			r.Files[0].Before.value() != "a\xff\n" || r.Files[0].After.value() != "A\xfe\n" {
			t.Fatalf("record %+v", r)
		}
	}
	add(t, s, update("a", "a\xff\n", "A\xfe\n"))
	out, err := s.Apply(context.Background(), Selector{}, ed)
	wantOutcome(t, out, err, StatusApplied)
	info, err := os.ReadDir(j.dir)
	if err != nil || len(info) != 1 {
		t.Fatalf("%v, %v", info, err)
	}
	if st, err := info[0].Info(); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", st.Mode(), err)
	}
}

func TestNoRecordNoChange(t *testing.T) {
	file := filepath.Join(t.TempDir(), "journal")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := journalled(t, openJournal(t, file, 1))
	ed := newEditor(t, map[string]string{"a": "a\n"})
	p := add(t, s, update("a", "a\n", "A\n"))
	_, err := s.Apply(context.Background(), Selector{}, ed)
	if err == nil || !strings.Contains(err.Error(), "no files changed") {
		t.Fatalf("error %v", err)
	}
	if got, _ := s.Get(p.ID); len(ed.plans) != 0 || got.State != event.ProposalPending {
		t.Fatalf("plans %v, state %s", ed.plans, got.State)
	}
}

func TestADeadOwnersTurnCanBeUndone(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{"a": numbered(10), "b": "b\n"}
	ed := newEditor(t, files)
	dead := openJournal(t, dir, 7)
	s := journalled(t, dead)
	add(t, s, update("a", files["a"], files["a"]+"more\n"), edits.Change{Path: "new", Op: edits.OpCreate, After: "x\n"})
	out, err := s.Apply(context.Background(), Selector{}, ed)
	wantOutcome(t, out, err, StatusApplied)

	// Another living process leaves it alone, and so does one of another root.
	if n, err := journalled(t, openJournal(t, dir, 8)).book.adopt(); n != 0 || err != nil {
		t.Fatalf("adopted %d of a living one, %v", n, err)
	}
	heir := journalled(t, openJournal(t, dir, 9, 7))
	if n, err := heir.book.adopt(); n != 1 || err != nil {
		t.Fatalf("adopted %d, %v", n, err)
	}
	if n, err := journalled(t, openJournal(t, dir, 10, 7)).book.adopt(); n != 0 || err != nil {
		t.Fatalf("adopted %d a second time, %v", n, err)
	}
	if turn, ok := heir.Sent.LastApplied("new"); !ok || turn != "turn1" {
		t.Fatalf("LastApplied %q, %v", turn, ok)
	}
	ed.typed("a", "typed\n"+ed.text("a"))
	out, err = heir.Undo(context.Background(), "", ed)
	wantOutcome(t, out, err, StatusUndone)
	if got := ed.all(); !maps.Equal(got, map[string]string{"a": "typed\n" + files["a"], "b": "b\n"}) {
		t.Fatalf("%q", got)
	}
	// That too is remembered: the next heir finds it undone and can redo it.
	next := journalled(t, openJournal(t, dir, 11, 9))
	if n, err := next.book.adopt(); n != 2 || err != nil {
		t.Fatalf("adopted %d, %v", n, err)
	}
	if _, err := next.Undo(context.Background(), "turn1", ed); !errors.Is(err, ErrNotUndone) {
		t.Fatalf("undo of what is undone: %v", err)
	}
	out, err = next.Redo(context.Background(), "turn1", ed)
	wantOutcome(t, out, err, StatusApplied)
	if ed.text("new") != "x\n" || ed.text("a") != "typed\n"+files["a"]+"more\n" {
		t.Fatalf("%q", ed.all())
	}
}

// TestCrashAtEveryByte cuts the journal anywhere: what was whole is there, the rest is no trouble.
func TestCrashAtEveryByte(t *testing.T) {
	dir := t.TempDir()
	j := openJournal(t, dir, 7)
	s := journalled(t, j)
	ed := newEditor(t, map[string]string{"a": "a\n", "b": "b\n"})
	for _, path := range []string{"a", "b"} {
		add(t, s, update(path, path+"\n", strings.ToUpper(path)+"\n"))
		out, err := s.Apply(context.Background(), Selector{}, ed)
		wantOutcome(t, out, err, StatusApplied)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) != 1 {
		t.Fatalf("%v, %v", names, err)
	}
	whole, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	for cut := 0; cut <= len(whole); cut += 7 {
		sub := t.TempDir()
		if err := os.WriteFile(filepath.Join(sub, filepath.Base(names[0])), whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		heir := journalled(t, openJournal(t, sub, 8, 7))
		n, err := heir.book.adopt()
		if want := bytes.Count(whole[:cut], []byte("\"intent\"")); err != nil || n > want || n < want-1 {
			t.Fatalf("cut at %d: %d deliveries of %d, %v", cut, n, want, err)
		}
		// What has no result yet is found out by looking.
		heir.Sent.SettleFrom(ed.Current())
		if got := heir.book.sent.unsettled.Load(); got != 0 {
			t.Fatalf("cut at %d: %d files unsettled", cut, got)
		}
		if _, ok := heir.Sent.LastApplied("a"); ok != (n > 0) {
			t.Fatalf("cut at %d: LastApplied %v with %d deliveries", cut, ok, n)
		}
	}
}

func TestAfterAFailedWrite(t *testing.T) {
	dir := t.TempDir()
	j := openJournal(t, dir, 1)
	if err := j.append(Record{Kind: RecordIntent, Delivery: "one"}); err != nil {
		t.Fatal(err)
	}
	full := errors.New("disk full")
	if err := j.write(Record{Kind: RecordIntent, Delivery: "two"}, func(*os.File) error { return full }); !errors.Is(err, full) {
		t.Fatalf("error %v", err)
	}
	if err := j.append(Record{Kind: RecordIntent, Delivery: "three"}); err != nil {
		t.Fatal(err)
	}
	records, err := j.Records()
	if err != nil || len(records) != 2 || records[1].Delivery != "three" {
		t.Fatalf("%+v, %v", records, err)
	}
}

func TestForeignAndBrokenRecords(t *testing.T) {
	dir := t.TempDir()
	text := `{"v":1,"kind":"intent","delivery":"good","root":"/root","turn":"t","op":"apply","files":[{"path":"a","op":"update","before":"a","after":"b"}]}
not json
{"v":2,"kind":"intent","delivery":"new"}
{"v":1,"kind":"intent","delivery":"bad","root":"/root","op":"apply","files":[{"path":"a","op":"nonsense"}]}
{"v":1,"kind":"intent","delivery":"worse","root":"/root","op":"undo","back":[{"delivery":"good","file":-4,"steps":[77]}]}
{"v":1,"kind":"result","delivery":"good","files":[]}
`
	if err := os.WriteFile(filepath.Join(dir, owner(7).Name()+"-1.jsonl"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := journalled(t, openJournal(t, dir, 8, 7))
	n, err := s.book.adopt()
	if n != 1 || err == nil || !strings.Contains(err.Error(), "version 2") || !strings.Contains(err.Error(), "record 2") {
		t.Fatalf("%d, %v", n, err)
	}
}

func TestOldJournalsGo(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, owner(7).Name()+"-1.jsonl")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-2 * keepJournals)
	if err := os.Chtimes(name, old, old); err != nil {
		t.Fatal(err)
	}
	if _, err := openJournal(t, dir, 8, 7).adoptDead(); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Fatalf("left: %v", left)
	}
}

func TestThisProcessIsAlive(t *testing.T) {
	o := ThisProcess()
	if !o.alive() || !o.valid() {
		t.Fatalf("%+v", o)
	}
	if got, ok := ParseOwner(o.Name()); !ok || got != o {
		t.Fatalf("%+v, %v", got, ok)
	}
	if o.Start != unknownStart {
		o.Start = "b1t1"
		if o.alive() {
			t.Fatal("a process that was started at another time is not the same")
		}
	}
}

func FuzzRecord(f *testing.F) {
	f.Add([]byte(`{"v":1,"kind":"intent","delivery":"d","root":"/root","turn":"t","op":"undo","label":"undo: x","files":[{"path":"a","op":"update","before":"a","after":{"base64":"/w=="}}],"back":[{"delivery":"d","file":0,"steps":[0]}]}`))
	f.Add([]byte(`{"v":1,"kind":"result","delivery":"d","files":[{"path":"a","state":"landed"}]}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		r, err := parseRecord(line)
		if err != nil {
			return
		}
		s := NewStore("/root", StoreOptions{})
		list := replay([]Record{r, {Kind: RecordResult, Delivery: r.Delivery, Files: r.Files}}, "/root")
		s.book.mu.Lock()
		s.book.sent.list = list
		for _, d := range list {
			s.book.resolve(d)
			_ = d.bare()
		}
		s.book.mu.Unlock()
		s.Sent.Settle("a", "text")
		s.Sent.LastApplied("a")
	})
}
