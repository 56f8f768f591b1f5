package workspace_test

import (
	"fmt"
	"os/exec"
	"testing"

	"coauthor/agent/vcs"
	"coauthor/agent/workspace"
)

// BenchmarkWithheld is the door's question for the files of one map: 150 of them in 60 folders.
func BenchmarkWithheld(b *testing.B) {
	root := b.TempDir()
	var shown []string
	for i := range 150 {
		name := fmt.Sprintf("a%d/b%d/c%d/f%d.go", i%4, i%15, i%60, i)
		put(b, root, name, "package a\n")
		shown = append(shown, name)
	}
	put(b, root, ".gitignore", "*.log\nbuild/\n")
	put(b, root, "a1/.gitignore", "*.tmp\n")
	put(b, root, ".coauthorignore", "private/\n")
	if out, err := exec.Command("git", "-C", root, "init", "-q").CombinedOutput(); err != nil {
		b.Skipf("no git: %s", out)
	}
	w, err := workspace.Open(root, workspace.Options{Ignore: vcs.NewIgnore(root, nil).Check})
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	for b.Loop() {
		if bad := w.Door().Withheld(b.Context(), shown); len(bad) > 0 {
			b.Fatal(bad)
		}
	}
}
