package history_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"coauthor/agent/history"
)

// A transcript is made with its first record, for the user alone, and only grows.
func TestATranscriptOnlyGrows(t *testing.T) {
	at := filepath.Join(t.TempDir(), "state", "history", "x.md")
	tr := history.NewTranscript(at)
	if list, err := tr.Read(); err != nil || list != nil {
		t.Errorf("before the first record %v, %v", list, err)
	}
	if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is there before the first record: %v", err)
	}
	var before []byte
	for n := range 3 {
		tr.Append(said(n+1, "user", "reply"))
		if err := tr.Flush(); err != nil {
			t.Fatal(err)
		}
		now, err := os.ReadFile(at)
		if err != nil || !bytes.HasPrefix(now, before) || len(now) == len(before) {
			t.Fatalf("after record %d: %v", n, err)
		}
		before = now
	}
	if err := tr.Close(); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(at); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if info, err := os.Stat(filepath.Dir(at)); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("the folder: %v, %v", info, err)
	}
	tr.Append(said(4, "user", "late"))
	if tr.Flush() == nil {
		t.Error("a closed transcript takes records")
	}
	if list, err := history.NewTranscript(at).Read(); err != nil || len(list) != 3 {
		t.Errorf("%d records, %v", len(list), err)
	}
}

// Several programs that write at a time do not mix their records.
func TestSeveralWritersDoNotMix(t *testing.T) {
	at := filepath.Join(t.TempDir(), "x.md")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			tr := history.NewTranscript(at)
			for n := range 50 {
				tr.Append(said(n, "user", strings.Repeat("reply\n", 100)))
			}
			if err := tr.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	list, err := history.NewTranscript(at).Read()
	if err != nil || len(list) != 200 {
		t.Fatalf("%d records, %v", len(list), err)
	}
	for _, r := range list {
		if r.Cut || r.Reply != strings.Repeat("reply\n", 100) {
			t.Fatalf("%+v", r)
		}
	}
}

// A transcript that was cut in half is gone on with behind the cut.
func TestATranscriptCutInHalf(t *testing.T) {
	at := filepath.Join(t.TempDir(), "x.md")
	text := said(1, "one", "a long answer\nof lines").Encode()
	for cut := 1; cut < len(text); cut++ {
		if err := os.WriteFile(at, text[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		tr := history.NewTranscript(at)
		tr.Append(said(2, "two", "second"))
		if err := tr.Close(); err != nil {
			t.Fatal(err)
		}
		list, err := tr.Read()
		if err != nil || len(list) == 0 || list[len(list)-1].User != "two" || list[len(list)-1].Cut {
			t.Fatalf("cut at %d: %+v, %v", cut, list, err)
		}
		if now, _ := os.ReadFile(at); !bytes.HasPrefix(now, text[:cut]) {
			t.Fatalf("cut at %d: what was there is gone", cut)
		}
	}
	if info, err := os.Stat(at); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("others may read it: %v, %v", info, err)
	}
}

// Of a long transcript the end is read, whatever its length.
func TestTheEndOfALongTranscript(t *testing.T) {
	at := filepath.Join(t.TempDir(), "x.md")
	var file []byte
	const turns = 3000
	for n := 1; n <= turns; n++ {
		file = append(file, said(n, "user", strings.Repeat("reply ", 200)).Encode()...)
	}
	if err := os.WriteFile(at, file, 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := history.NewTranscript(at).Read()
	if err != nil || len(list) < 500 || len(list) == turns || list[len(list)-1].Number != turns || list[0].Number != turns-len(list)+1 {
		t.Errorf("%d records of %d, %v", len(list), turns, err)
	}
}

// What cannot be written is told and harms nothing; when there is room again, it goes on.
func TestAPlaceThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	blocked := filepath.Join(dir, "folder")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(blocked, "x.md")
	tr := history.NewTranscript(at)
	tr.Append(said(1, "one", "1"))
	if err := tr.Flush(); err == nil || !strings.Contains(err.Error(), at) {
		t.Errorf("the error is %v", err)
	}
	if err := os.Remove(blocked); err != nil {
		t.Fatal(err)
	}
	tr.Append(said(2, "two", "2"))
	if err := tr.Flush(); err != nil || tr.Err() != nil {
		t.Errorf("later: %v", err)
	}
	if list, err := tr.Read(); err != nil || len(list) != 1 {
		t.Errorf("%d records, %v", len(list), err)
	}
	_ = tr.Close()
}

func BenchmarkReadOfAThousandTurns(b *testing.B) {
	at := filepath.Join(b.TempDir(), "x.md")
	var file []byte
	for n := range 1000 {
		file = append(file, said(n, "Make it so.", fmt.Sprint(n)+strings.Repeat("a line of an answer\n", 100)).Encode()...)
	}
	if err := os.WriteFile(at, file, 0o600); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		list, err := history.NewTranscript(at).Read()
		if err != nil || len(history.Replay(list, "").Exchanges) == 0 {
			b.Fatal(err)
		}
	}
}
