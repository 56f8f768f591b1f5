package workspace_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"coauthor/agent/workspace"
)

func TestOldDocumentsArePruned(t *testing.T) {
	root := t.TempDir()
	ws, err := workspace.Open(root, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	none := func(string) bool { return false }
	if err := ws.PruneDocuments("answer-", 3, none); err != nil {
		t.Fatalf("without the folder: %v", err)
	}
	for i := range 10 {
		for _, name := range []string{fmt.Sprintf("answer-%d.md", i), fmt.Sprintf("prompt-%d.md", i)} {
			abs, err := ws.StateDocument(name, "text\n")
			if err != nil {
				t.Fatal(err)
			}
			when := time.Now().Add(time.Duration(i-20) * time.Minute)
			if err := os.Chtimes(abs, when, when); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := ws.PruneDocuments("answer-", 3, func(path string) bool { return path == ".coauthor/answer-0.md" }); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(root, ".coauthor", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{"answer-0.md": true, "answer-7.md": true, "answer-8.md": true, "answer-9.md": true}
	for _, abs := range left {
		name := filepath.Base(abs)
		if name[:6] == "answer" && !want[name] {
			t.Errorf("%s is still there", name)
		}
		delete(want, name)
	}
	if len(want) > 0 || len(left) != 14 {
		t.Errorf("%d documents are left, missing %v", len(left), want)
	}
}
