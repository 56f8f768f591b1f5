package vcs

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

func TestIgnoreRemembersAndForgets(t *testing.T) {
	root := t.TempDir()
	ctx := context.Background()
	now := time.Unix(1_000_000, 0)
	g := NewIgnore(root, func() time.Time { return now })
	check := func(p string, want bool) {
		t.Helper()
		got, err := g.Check(ctx, []string{p, "always.txt"})
		if err != nil {
			t.Fatal(err)
		}
		if got[p] != want || got["always.txt"] {
			t.Errorf("%s: ignored %v, want %v (all: %v)", p, got[p], want, got)
		}
	}
	if _, err := g.Check(ctx, []string{"a"}); !errors.Is(err, ErrNotGit) {
		t.Fatalf("without a repository: %v", err)
	}
	git(t, root, "init", "-q")
	check("sub/a.log", false)
	write(t, root, ".gitignore", "*.log\n")
	check("sub/a.log", true)
	check("sub/a.log", true)
	write(t, root, "sub/.gitignore", "!a.log\n")
	check("sub/a.log", false)
	if err := os.Remove(filepath.Join(root, "sub", ".gitignore")); err != nil {
		t.Fatal(err)
	}
	check("sub/a.log", true)
	write(t, root, "sub/a.log", "x")
	git(t, root, "add", "-f", "sub/a.log") // what is tracked is not ignored
	check("sub/a.log", false)
	write(t, root, ".git/info/exclude", "late.txt\n")
	check("late.txt", true)
	if err := os.RemoveAll(filepath.Join(root, ".git")); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Check(ctx, []string{"late.txt"}); !errors.Is(err, ErrNotGit) {
		t.Errorf("after the repository went: %v", err)
	}
}

// Without a change no program is started: git is taken away and the answer still comes.
func TestIgnoreAsksOnce(t *testing.T) {
	root := t.TempDir()
	if out, err := exec.Command("git", "-C", root, "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(root, ".gitignore"), []byte("a\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1_000_000, 0)
	g := NewIgnore(root, func() time.Time { return now })
	if got, err := g.Check(context.Background(), []string{"a", "b"}); err != nil || !got["a"] || got["b"] {
		t.Fatalf("%v, %v", got, err)
	}
	t.Setenv("PATH", t.TempDir())
	if got, err := g.Check(context.Background(), []string{"b", "a"}); err != nil || !got["a"] || got["b"] {
		t.Errorf("remembered: %v, %v", got, err)
	}
	now = now.Add(rememberFor + time.Second)
	if _, err := g.Check(context.Background(), []string{"a"}); err == nil {
		t.Error("an answer was given long after it was asked for")
	}
}

// What git tracks is read only where a rule names a file: in a large tree it takes most of git's time, and where it is
// damaged nobody could be told anything.
func TestRulesComeBeforeTheIndex(t *testing.T) {
	root := t.TempDir()
	git(t, root, "init", "-q")
	write(t, root, ".gitignore", "*.log\n")
	write(t, root, "kept.log", "x")
	git(t, root, "add", "-f", "kept.log")
	paths := []string{"a.go", "b.log", "kept.log"}
	if got, err := CheckIgnore(t.Context(), root, paths); err != nil || len(got) != 1 || !got["b.log"] {
		t.Errorf("%v, %v", got, err)
	}
	write(t, root, ".git/index", "damaged")
	if got, err := CheckIgnore(t.Context(), root, paths[:1]); err != nil || len(got) != 0 {
		t.Errorf("of what no rule names: %v, %v", got, err)
	}
	if got, err := CheckIgnore(t.Context(), root, paths); err == nil {
		t.Errorf("of what git may track: %v", got)
	}
}
