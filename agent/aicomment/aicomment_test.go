package aicomment

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent/mention"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// tracked is a Tracker of a folder with these files.
func tracked(t *testing.T, files map[string]string) (k *Tracker, write func(path, text string)) {
	t.Helper()
	root := t.TempDir()
	write = func(path, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range files {
		write(path, text)
	}
	ws, err := workspace.Open(root, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ws.Close(); err != nil {
			t.Error(err)
		}
	})
	return New(Options{Workspace: ws, Hold: func() (func(), error) { return func() {}, nil }}), write
}

// saved says what a save of a file begins.
func saved(t *testing.T, k *Tracker, path string) (mention.AIKind, error) {
	t.Helper()
	at := Place{Path: path, First: 0, Last: -1, Saved: true}
	files, err := k.Find(t.Context(), at, k.ws.Snapshot())
	if err != nil {
		t.Fatal(err)
	}
	kind, list, err := k.Written(t.Context(), at, k.ws.Root(), files)
	if kind != "" {
		k.Take(Chosen(list, at, kind))
	}
	return kind, err
}

// TestASaveBeginsOneTurn: for a comment that the user wrote, once, until they change it; not for one that came with the file
// or that a model wrote.
func TestASaveBeginsOneTurn(t *testing.T) {
	k, write := tracked(t, map[string]string{"a.py": "x = 1\n"})
	const first, second = "# make it two AI!\nx = 1\n", "# make it three AI!\nx = 1\n"
	k.Wrote(t.Context(), "a.py", "x = 1\n", first)
	write("a.py", first)
	if kind, err := saved(t, k, "a.py"); kind != mention.AIDo || err != nil {
		t.Errorf("written and saved: %q, %v", kind, err)
	}
	if kind, err := saved(t, k, "a.py"); kind != "" || err != nil {
		t.Errorf("saved again: %q, %v", kind, err)
	}
	k.Wrote(t.Context(), "a.py", first, second)
	write("a.py", second)
	if kind, _ := saved(t, k, "a.py"); kind != mention.AIDo {
		t.Errorf("changed: %q", kind)
	}

	write("b.py", first)
	var came *CameWithFileError
	if kind, err := saved(t, k, "b.py"); kind != "" || !errors.As(err, &came) || came.Count != 1 {
		t.Errorf("it came with the file: %q, %v", kind, err)
	}
	if kind, err := saved(t, k, "b.py"); kind != "" || err != nil {
		t.Errorf("that is told once: %q, %v", kind, err)
	}

	k.Landed(t.Context(), []edits.Change{{Path: "c.py", Op: edits.OpCreate, After: first}})
	write("c.py", first)
	if kind, err := saved(t, k, "c.py"); kind != "" || err != nil {
		t.Errorf("a model wrote it: %q, %v", kind, err)
	}
}

// TestWantedAtAPlace: lines mean the comment there, a file its own ones, and a change is wanted before an answer.
func TestWantedAtAPlace(t *testing.T) {
	k, _ := tracked(t, map[string]string{
		"a.py": "# why AI?\nx = 1\n# a hint AI\ny = 2\n# do it AI!\nz = 3\n",
		"b.py": "# here too AI!\n",
	})
	for _, c := range []struct {
		at   Place
		kind mention.AIKind
		said string
	}{
		{Place{Path: "a.py", First: 0, Last: 0}, mention.AIAsk, "a.py: why, a hint; "},
		{Place{Path: "a.py", First: 4, Last: 4}, mention.AIDo, "a.py: a hint, do it; "},
		{Place{Path: "a.py", First: 3, Last: 3}, "", "a.py: a hint; "},
		{Place{Path: "a.py", First: 0, Last: -1}, mention.AIDo, "a.py: a hint, do it; b.py: here too; "},
	} {
		files := []Marked{}
		for _, path := range []string{"a.py", "b.py"} {
			text, err := k.ws.Snapshot().Read(path)
			if err != nil {
				t.Fatal(err)
			}
			list, err := mention.AIComments(t.Context(), path, text)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, Marked{path, list})
		}
		kind, said := Wanted(files, c.at), ""
		for _, f := range Chosen(files, c.at, kind) {
			var texts []string
			for _, one := range f.List {
				texts = append(texts, one.Text)
			}
			said += f.Path + ": " + strings.Join(texts, ", ") + "; "
		}
		if kind != c.kind || said != c.said {
			t.Errorf("%+v: %q, %s, want %q, %s", c.at, kind, said, c.kind, c.said)
		}
	}
}
