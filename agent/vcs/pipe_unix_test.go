//go:build unix

package vcs

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A pipe in the place of a file of git's keeps git waiting for ever, and nobody else: what is asked of it ends, and says why.
func TestPipesOfARepositoryEnd(t *testing.T) {
	was := readLimit
	t.Cleanup(func() { readLimit = was })
	for _, file := range []string{"HEAD", "index", "config", "info/exclude"} {
		root := repo(t, map[string]string{"a.go": "package a\n"})
		name := filepath.Join(root, ".git", filepath.FromSlash(file))
		_ = os.Remove(name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(name, 0o644); err != nil {
			t.Fatal(err)
		}
		readLimit = func() time.Duration { return 100 * time.Millisecond }
		for question, ask := range questions(root) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			err := ask(ctx)
			if ctx.Err() != nil {
				t.Errorf("%s is a pipe, %s: does not end", file, question)
			}
			cancel()
			if file == "HEAD" && question == "files" && (err == nil || !strings.Contains(err.Error(), "did not finish within 100ms")) {
				t.Errorf("%s is a pipe, %s: %v", file, question, err)
			}
		}
	}
}
