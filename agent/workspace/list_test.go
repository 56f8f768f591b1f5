package workspace_test

import (
	"os"
	"path/filepath"
	"testing"

	"coauthor/agent/workspace"
)

func TestListerHidesWhatIsNotToBeSent(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		".coauthorignore": "private/\n", "sub/.aiderignore": "*.log\n", "a.go": "", "sub/x.log": "", "x.log": "",
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w, err := workspace.Open(root, workspace.Options{DenyGlobs: []string{"*.sql"}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	lists := w.Door().Lister(t.Context())
	for path, want := range map[string]bool{
		"a.go": true, "sub/a.go": true, "x.log": true,
		"sub/x.log": false, "sub/deep/x.log": false, "private/a.go": false, ".env": false, "conf/.env": false,
		"dump.sql": false, "../a.go": false, ".coauthor/prompt.md": false,
	} {
		if got := lists(path); got != want {
			t.Errorf("%s: listed %v, want %v", path, got, want)
		}
	}
	if _, err := workspace.Open(root, workspace.Options{DenyGlobs: []string{"a[["}}); err == nil {
		t.Error("a malformed glob is taken")
	}
}
