package vcs

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func lists(t *testing.T, root string, want ...string) {
	t.Helper()
	got, err := Files(t.Context(), root)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("Files of %s: %v\n%s", root, err, diff)
	}
}

// A work tree of its own lists its own state; one that lies below the other is not listed twice.
func TestFurtherWorkTrees(t *testing.T) {
	root := repo(t, map[string]string{"a.go": "package a\n", "sub/b.go": "package b\n"})
	beside := filepath.Join(t.TempDir(), "beside")
	git(t, root, "worktree", "add", "-q", "-b", "other", beside)
	write(t, beside, "new.go", "package a\n")
	git(t, root, "worktree", "add", "-q", "-b", "inner", filepath.Join(root, "trees", "inner"))
	git(t, root, "worktree", "add", "-q", "-b", "deep", filepath.Join(root, "sub", "deep"))
	lists(t, root, "a.go", "sub/b.go")
	lists(t, filepath.Join(root, "sub"), "b.go")
	lists(t, beside, "a.go", "new.go", "sub/b.go")
	lists(t, filepath.Join(root, "trees", "inner"), "a.go", "sub/b.go")
}

func TestNestedRepositories(t *testing.T) {
	root := repo(t, map[string]string{"a.go": "package a\n", ".gitignore": "hidden/\n"})
	for _, inner := range []string{"one", "one/two", "hidden", "no-commit"} {
		write(t, root, inner+"/x.go", "package x\n")
		write(t, root, inner+"/.gitignore", "*.tmp\n")
		write(t, root, inner+"/y.tmp", "y")
		git(t, filepath.Join(root, inner), "init", "-q")
		if inner != "no-commit" {
			git(t, filepath.Join(root, inner), "add", "x.go", ".gitignore")
			git(t, filepath.Join(root, inner), "commit", "-q", "-m", "inner")
		}
	}
	write(t, root, "broken/z.go", "package z\n")
	write(t, root, "broken/.git", "gitdir: /absent\n")
	git(t, root, "init", "-q", "--bare", "store.git")
	got, err := Files(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	for _, f := range got {
		if !strings.HasPrefix(f, "store.git/") && !strings.HasPrefix(f, "broken/") {
			seen = append(seen, f)
		}
	}
	want := []string{".gitignore", "a.go", "no-commit/.gitignore", "no-commit/x.go", "one/.gitignore", "one/two/.gitignore", "one/two/x.go", "one/x.go"}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Error(diff)
	}
}

func TestSubmodules(t *testing.T) {
	leaf := repo(t, map[string]string{"leaf.go": "package leaf\n"})
	middle := repo(t, map[string]string{"middle.go": "package middle\n"})
	root := repo(t, map[string]string{"a.go": "package a\n"})
	allow := []string{"-c", "protocol.file.allow=always", "submodule"}
	git(t, middle, append(allow, "add", "-q", leaf, "leaf")...)
	git(t, middle, "commit", "-q", "-m", "leaf")
	git(t, root, append(allow, "add", "-q", middle, "mod")...)
	git(t, root, append(allow, "add", "-q", leaf, "empty")...)
	git(t, root, "commit", "-q", "-m", "modules")
	git(t, filepath.Join(root, "mod"), append(allow, "update", "-q", "--init")...)
	git(t, root, "submodule", "deinit", "-q", "-f", "empty")
	write(t, root, "mod/untracked.go", "package middle\n")
	lists(t, root, ".gitmodules", "a.go", "mod/.gitmodules", "mod/leaf/leaf.go", "mod/middle.go", "mod/untracked.go")
	lists(t, filepath.Join(root, "mod"), ".gitmodules", "leaf/leaf.go", "middle.go", "untracked.go")
}

func TestSparseCheckouts(t *testing.T) {
	for _, how := range [][]string{{"set", "--cone", "keep"}, {"set", "--cone", "--sparse-index", "keep"}, {"set", "--no-cone", "/top.go", "/keep/"}} {
		root := repo(t, map[string]string{"top.go": "package a\n", "keep/a.go": "package a\n", "drop/b.go": "package b\n", "drop/deep/c.go": "package c\n"})
		git(t, root, append([]string{"sparse-checkout"}, how...)...)
		write(t, root, "keep/new.go", "package a\n")
		lists(t, root, "keep/a.go", "keep/new.go", "top.go")
	}
}

func TestOddStates(t *testing.T) {
	root := repo(t, map[string]string{"a.go": "one\n", "gone.go": "package gone\n", "with \"quotes\"\tand tab.go": "package q\n"})
	write(t, root, "bytes\xff.go", "package b\n")
	// A merge that stopped has three entries for one file.
	git(t, root, "checkout", "-q", "-b", "other")
	write(t, root, "a.go", "two\n")
	git(t, root, "commit", "-q", "-a", "-m", "two")
	git(t, root, "checkout", "-q", "main")
	write(t, root, "a.go", "three\n")
	git(t, root, "commit", "-q", "-a", "-m", "three")
	merge := exec.Command("git", "-c", "user.name=a", "-c", "user.email=a@example.org", "merge", "-q", "other")
	merge.Dir = root
	if merge.Run() == nil {
		t.Fatal("the merge should stop")
	}
	if err := os.Remove(filepath.Join(root, "gone.go")); err != nil {
		t.Fatal(err)
	}
	lists(t, root, "a.go", "bytes\xff.go", "gone.go", "with \"quotes\"\tand tab.go")

	unborn := t.TempDir()
	git(t, unborn, "init", "-q")
	write(t, unborn, "a.go", "package a\n")
	lists(t, unborn, "a.go")
}

// What git itself cannot read is an error and no empty list.
func TestBrokenRepositories(t *testing.T) {
	index := repo(t, map[string]string{"a.go": "package a\n"})
	write(t, index, ".git/index", "nonsense")
	if got, err := Files(t.Context(), index); err == nil {
		t.Errorf("a broken index lists %q", got)
	}
	head := repo(t, map[string]string{"a.go": "package a\n"})
	if err := os.Remove(filepath.Join(head, ".git", "HEAD")); err != nil {
		t.Fatal(err)
	}
	if _, err := Files(t.Context(), head); !errors.Is(err, ErrNotGit) {
		t.Errorf("without HEAD: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Files(t.Context(), index); !errors.Is(err, ErrNotGit) {
		t.Errorf("without git: %v", err)
	}
}
