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

// places are the two kinds of places that a transcript may have, each new.
func places(t *testing.T) map[string]history.Place {
	return map[string]history.Place{
		"a folder of our own":       {File: filepath.Join(t.TempDir(), "state", "history", "x.md")},
		"a folder of somebody else": {Root: t.TempDir(), File: ".coauthor/history.md"},
	}
}

// A transcript is made with its first record, for the user alone, and only grows.
func TestATranscriptOnlyGrows(t *testing.T) {
	for name, at := range places(t) {
		tr := history.NewTranscript(at)
		if list, err := tr.Read(); err != nil || list != nil {
			t.Errorf("%s: before the first record %v, %v", name, list, err)
		}
		if _, err := os.Stat(at.String()); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the file is there before the first record: %v", name, err)
		}
		var before []byte
		for n := range 3 {
			tr.Append(said(n+1, "user", "reply"))
			if err := tr.Flush(); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			now, err := os.ReadFile(at.String())
			if err != nil || !bytes.HasPrefix(now, before) || len(now) == len(before) {
				t.Fatalf("%s: after record %d: %v", name, n, err)
			}
			before = now
		}
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(at.String()); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
		if info, err := os.Stat(filepath.Dir(at.String())); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
			t.Errorf("%s: the folder: %v, %v", name, info, err)
		}
		ignore, err := os.ReadFile(filepath.Join(filepath.Dir(at.String()), ".gitignore"))
		if (at.Root != "") != (err == nil && string(ignore) == "*\n") {
			t.Errorf("%s: .gitignore holds %q, %v", name, ignore, err)
		}
		tr.Append(said(4, "user", "late"))
		if tr.Flush() == nil {
			t.Errorf("%s: a closed transcript takes records", name)
		}
		if list, err := history.NewTranscript(at).Read(); err != nil || len(list) != 3 {
			t.Errorf("%s: %d records, %v", name, len(list), err)
		}
	}
}

// Several programs that write at a time do not mix their records.
func TestSeveralWritersDoNotMix(t *testing.T) {
	at := history.Place{File: filepath.Join(t.TempDir(), "x.md")}
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
	at := history.Place{File: filepath.Join(t.TempDir(), "x.md")}
	text := said(1, "one", "a long answer\nof lines").Encode()
	for cut := 1; cut < len(text); cut++ {
		if err := os.WriteFile(at.File, text[:cut], 0o644); err != nil {
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
		if now, _ := os.ReadFile(at.File); !bytes.HasPrefix(now, text[:cut]) {
			t.Fatalf("cut at %d: what was there is gone", cut)
		}
	}
	if info, err := os.Stat(at.File); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("others may read it: %v, %v", info, err)
	}
}

// Of a long transcript the end is read, whatever its length.
func TestTheEndOfALongTranscript(t *testing.T) {
	at := history.Place{File: filepath.Join(t.TempDir(), "x.md")}
	var file []byte
	const turns = 3000
	for n := 1; n <= turns; n++ {
		file = append(file, said(n, "user", strings.Repeat("reply ", 200)).Encode()...)
	}
	if err := os.WriteFile(at.File, file, 0o600); err != nil {
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
	at := history.Place{File: filepath.Join(blocked, "x.md")}
	tr := history.NewTranscript(at)
	tr.Append(said(1, "one", "1"))
	if err := tr.Flush(); err == nil || !strings.Contains(err.Error(), at.File) {
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

// In the folder of somebody else nothing is written through a link.
func TestNothingIsWrittenThroughALink(t *testing.T) {
	for what, link := range map[string]func(root, secret string) error{
		"the file": func(root, secret string) error {
			return errors.Join(os.Mkdir(filepath.Join(root, ".coauthor"), 0o755), os.Symlink(secret, filepath.Join(root, ".coauthor", "history.md")))
		},
		"inside": func(root, secret string) error {
			return errors.Join(os.Mkdir(filepath.Join(root, ".coauthor"), 0o755), os.WriteFile(filepath.Join(root, "main.go"), []byte("code\n"), 0o600), os.Symlink("../main.go", filepath.Join(root, ".coauthor", "history.md")))
		},
		"the folder": func(root, secret string) error {
			return os.Symlink(filepath.Dir(secret), filepath.Join(root, ".coauthor"))
		},
	} {
		root, secret := t.TempDir(), filepath.Join(t.TempDir(), "history.md")
		if err := os.WriteFile(secret, []byte("secret\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := link(root, secret); err != nil {
			t.Skip("no links here:", err)
		}
		tr := history.NewTranscript(history.Place{Root: root, File: ".coauthor/history.md"})
		tr.Append(said(1, "one", "1"))
		if tr.Flush() == nil {
			t.Errorf("%s: it is written through a link", what)
		}
		for _, name := range []string{secret, filepath.Join(root, "main.go")} {
			if text, err := os.ReadFile(name); err == nil && strings.Contains(string(text), "one") {
				t.Errorf("%s: %s holds %q", what, name, text)
			}
		}
	}
}

func BenchmarkReadOfAThousandTurns(b *testing.B) {
	at := history.Place{File: filepath.Join(b.TempDir(), "x.md")}
	var file []byte
	for n := range 1000 {
		file = append(file, said(n, "Make it so.", fmt.Sprint(n)+strings.Repeat("a line of an answer\n", 100)).Encode()...)
	}
	if err := os.WriteFile(at.File, file, 0o600); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		list, err := history.NewTranscript(at).Read()
		if err != nil || len(history.Replay(list, "").Exchanges) == 0 {
			b.Fatal(err)
		}
	}
}
