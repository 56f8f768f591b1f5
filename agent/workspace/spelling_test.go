package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSpelledAs(t *testing.T) {
	list := []string{"a.txt", "B.txt", "STRASSE", "caf\u0065\u0301", "Sub"}
	for name, want := range map[string]string{
		"a.txt": "a.txt", "A.TXT": "a.txt", "b.txt": "B.txt", "Straße": "STRASSE", "sub": "Sub",
		"café": "café", "CAFÉ": "caf\u0065\u0301", // an accent of its own is the same letter, a capital is not
	} {
		if got, err := spelledAs(list, name); got != want || err != nil {
			t.Errorf("%s is listed as %q, %v; want %q", name, got, err, want)
		}
	}
	if got, err := spelledAs(list, "c.txt"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what is not listed is %q, %v", got, err)
	}
}

// On a disk that takes Sub/A.TXT for sub/a.txt, only the name that is listed is that of the file.
func TestNamesInOtherLetters(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "sub", "a.txt"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	w, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.folds = true
	if !w.door.exists("sub/a.txt") || w.door.Check(t.Context(), "sub/a.txt", OpEdit).Verdict != Allow {
		t.Error("the file is not found by its own name")
	}
	if d := w.door.Check(t.Context(), "sub/new.txt", OpCreate); d.Verdict != Allow {
		t.Errorf("a new file: %+v", d)
	}
	var r *RefusedError
	if err := w.misspelled("Sub/A.TXT", "", "Sub", "A.TXT"); !errors.As(err, &r) || r.Decision.Code != CodeSpelling || !strings.Contains(err.Error(), "sub/a.txt") {
		t.Errorf("a folder in other letters: %v", err)
	}
	if err := w.misspelled("sub/A.TXT", "sub", "A.TXT", ""); !errors.As(err, &r) || !strings.Contains(err.Error(), "sub/a.txt") {
		t.Errorf("a file in other letters: %v", err)
	}
	w.DidOpen("sub/A.TXT", "open", 1)
	if err := w.misspelled("sub/A.TXT", "sub", "A.TXT", ""); err != nil {
		t.Errorf("what the editor calls so: %v", err)
	}
	if err := w.misspelled("sub/new", "sub", "new", ""); err != nil {
		t.Errorf("what is not there: %v", err)
	}
}
