package index

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// object gives the file of a git object that is in no pack.
func object(t *testing.T, root, name string) string {
	t.Helper()
	cmd := exec.Command("git", "rev-parse", name)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	id := strings.TrimSpace(string(out))
	return filepath.Join(root, ".git/objects", id[:2], id[2:])
}

// What can be read of a damaged history is worth something: the commits before the damage, and all of them
// where only a text is missing.
func TestDamagedHistory(t *testing.T) {
	for what, c := range map[string]struct {
		lost        string
		least, most int // commits
	}{
		"whole":               {"", 3, 3},
		"an old commit":       {"HEAD~2", 1, 2},
		"an old text":         {"HEAD~1:a.go", 3, 3},
		"the newest commit":   {"HEAD", 0, 0},
		"a folder of a while": {"HEAD~1^{tree}", 0, 2},
	} {
		root := t.TempDir()
		git(t, root, "init", "-q", "-b", "main")
		for i := range 3 {
			commit(t, root, "next", map[string]string{"a.go": fmt.Sprintf("package a\n\nvar last = %d\n", i)})
		}
		h := history{root: root, kept: newStore(t.TempDir(), root, ".log")}
		if c.lost != "" {
			if err := os.Remove(object(t, root, c.lost)); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 { // read and kept
			commits, err := h.Commits(t.Context(), 10)
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
			for _, commit := range commits {
				if len(commit.Paths) != 1 || commit.Paths[0] != "a.go" {
					t.Errorf("%s: %+v", what, commit)
				}
			}
			if n := len(commits); n < c.least || n > c.most {
				t.Errorf("%s: %d commits, want %d to %d", what, n, c.least, c.most)
			}
		}
	}
}
