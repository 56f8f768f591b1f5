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
	w, err := workspace.Open(root, workspace.Options{DenyGlobs: []string{"*.sql"}, MapExclude: []string{"*.PB.go", "vendor/**"}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	lists := w.Door().Lister(t.Context())
	for path, want := range map[string]bool{
		"a.go": true, "sub/a.go": true, "x.log": true,
		"sub/x.log": false, "sub/deep/x.log": false, "private/a.go": false, ".env": false, "conf/.env": false,
		"dump.sql": false, "x.pb.go": false, "sub/vendor/a/b.go": false, "../a.go": false, ".coauthor/prompt.md": false,
	} {
		if got := lists(path); got != want {
			t.Errorf("%s: listed %v, want %v", path, got, want)
		}
	}
	unmapped := w.Door().Unmapped(t.Context())
	for _, path := range []string{"x.pb.go", "sub/vendor/a/b.go"} { // and that is all that is kept of them
		if d := w.Door().Check(t.Context(), path, workspace.OpSend); !unmapped(path) || d.Verdict != workspace.Allow {
			t.Errorf("%s: unmapped %v, %+v", path, unmapped(path), d)
		}
	}
	if unmapped("a.go") {
		t.Error("a.go is left out")
	}
	if _, err := workspace.Open(root, workspace.Options{MapExclude: []string{"a[["}}); err == nil {
		t.Error("a malformed glob is taken")
	}
}
