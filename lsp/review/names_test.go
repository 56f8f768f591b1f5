package review

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"coauthor/agent/workspace"
)

// TestDocumentNames: each document has one name for as long as the server runs, no two share one, and what
// is on disk already is not written over.
func TestDocumentNames(t *testing.T) {
	at := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	onDisk := map[string]bool{"2001-02-03-04.05.06-a.go-3.diff": true}
	free := func(name string) bool { return !onDisk[name] }
	var d Names[string]
	for i, c := range []struct {
		key           Key[string]
		about, suffix string
		want          string
	}{
		{Key[string]{"/one", "t1", "p1", 0}, "a.go", ".diff", "2001-02-03-04.05.06-a.go.diff"},
		{Key[string]{"/one", "t2", "p1", 0}, "a.go", ".diff", "2001-02-03-04.05.06-a.go-2.diff"},
		{Key[string]{"/two", "t1", "p1", 0}, "a.go", ".diff", "2001-02-03-04.05.06-a.go-4.diff"},
		{Key[string]{"/one", "t3", "p3", 0}, "b.go", ".diff", "2001-02-03-04.05.06-b.go.diff"},
		{Key[string]{"/one", "t1", "", 0}, "", ".md", "2001-02-03-04.05.06.md"},
		{Key[string]{"/one", "t1", "p1", 0}, "other.go", ".diff", "2001-02-03-04.05.06-a.go.diff"}, // it has a name
		{Key[string]{"/one", "t1", "p1", 2}, "a.go", ".diff", "2001-02-03-04.05.06-a.go-5.diff"},
	} {
		if got := d.Of(c.key, free, "", at, c.about, c.suffix); got != c.want {
			t.Errorf("%d: %s, want %s", i, got, c.want)
		}
		if key, known := d.Owner(c.want); !known || key != c.key {
			t.Errorf("%d: %s belongs to %+v", i, c.want, key)
		}
	}
	if key, known := d.Owner("2001-02-03-04.05.06-a.go-3.diff"); known {
		t.Errorf("a file of somebody else's belongs to %+v", key)
	}
}

// TestDocumentNamesCanBeWritten: whatever the file of the project is called, its diff can be written.
func TestDocumentNamesCanBeWritten(t *testing.T) {
	w, err := workspace.Open(t.TempDir(), workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var d Names[string]
	at := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	for _, about := range []string{"a.go", "aux.c", "nul", "with space.txt", "日本語.md", "prompt-1.md", strings.Repeat("x", 250), strings.Repeat("é", 120) + ".go", "config.yaml"} {
		name := d.Of(Key[string]{Turn: about}, func(string) bool { return true }, "", at, about, ".diff")
		abs, err := w.StateDocument(name, "x\n")
		if err != nil || !utf8.ValidString(name) || filepath.Base(abs) != name {
			t.Errorf("%s: %q, %v", about, name, err)
		}
		if _, err := os.Stat(abs); err != nil {
			t.Error(err)
		}
		if IsPrompt(OwnFolder + "/" + name) {
			t.Errorf("%s is taken for a prompt", name)
		}
		if got := VirtualName(VirtualURI(name)); got != name {
			t.Errorf("%q came back as %q", name, got)
		}
	}
}
