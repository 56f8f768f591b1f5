//go:build unix

package proposal

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestALazyRecordWaitsForNoDisk holds the disk while a record is written that must be there before
// anything goes on. What the user types meanwhile leaves a record that nobody waits for, and the order of
// the records is that in which they came.
func TestALazyRecordWaitsForNoDisk(t *testing.T) {
	dir := t.TempDir()
	j := openJournal(t, dir, 1)
	begun, free := make(chan struct{}), make(chan struct{})
	first := make(chan error, 1)
	go func() {
		first <- j.write(Record{Kind: RecordIntent, Delivery: "one"}, func(*os.File) error {
			close(begun)
			select {
			case <-free:
			case <-time.After(hung):
			}
			return nil
		})
	}()
	await(t, "the write begins", begun)
	done := make(chan struct{})
	go func() {
		defer close(done)
		j.appendLazily(Record{Kind: RecordResult, Delivery: "one"})
		j.appendLazily(Record{Kind: RecordResult, Delivery: "again"})
	}()
	await(t, "the record waits for no disk", done)
	close(free)
	if err := await(t, "the first record is written", first); err != nil {
		t.Fatal(err)
	}
	if err := j.append(Record{Kind: RecordIntent, Delivery: "two"}); err != nil {
		t.Fatal(err)
	}
	j.appendLazily(Record{Kind: RecordResult, Delivery: "two"})
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	journal := readContents(filepath.Join(dir, owner(1).Name()+"-1.jsonl"))
	var got []string
	for _, r := range journal.records {
		got = append(got, string(r.Kind)+" "+r.Delivery)
	}
	if want := []string{"intent one", "result one", "result again", "intent two", "result two"}; journal.err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, journal.err)
	}
}

// TestJournalsThatAreNoFiles puts into the folder what would never end, under the names of a dead process
// and of this one.
func TestJournalsThatAreNoFiles(t *testing.T) {
	dir := t.TempDir()
	name := func(pid, n int) string {
		return filepath.Join(dir, owner(pid).Name()+"-"+string(rune('0'+n))+".jsonl")
	}
	for _, pipe := range []string{name(7, 1), name(8, 1)} {
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/dev/zero", name(7, 2)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name(7, 3), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name(7, 3), maxJournalBytes+1); err != nil {
		t.Fatal(err)
	}
	good := `{"v":1,"kind":"intent","delivery":"good","root":"/root","turn":"t","op":"apply","files":[{"path":"a","op":"update","before":"a","after":"b"}]}` + "\n"
	if err := os.WriteFile(name(7, 4), []byte(good), 0o600); err != nil {
		t.Fatal(err)
	}
	s := journalled(t, openJournal(t, dir, 8, 7))
	type result struct {
		n   int
		err error
	}
	done := make(chan result, 1)
	go func() {
		n, err := s.book.adopt()
		done <- result{n, err}
	}()
	if r := await(t, "no pipe is waited for", done); r.n != 1 || r.err == nil || !strings.Contains(r.err.Error(), "the limit is") {
		t.Errorf("%d, %v", r.n, r.err)
	}
}
