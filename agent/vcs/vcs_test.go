package vcs

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// repo makes a work tree with files and one commit of them.
func repo(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	git(t, root, "init", "-q", "-b", "main")
	for name, text := range files {
		write(t, root, name, text)
	}
	git(t, root, "add", "-A")
	git(t, root, "commit", "-q", "-m", "first")
	return root
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "maintenance.auto=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(environment(os.Environ()), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_TEMPLATE_DIR=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func write(t *testing.T, root, name, text string) {
	t.Helper()
	full := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestFilesSeesTrackedUntrackedAndNested(t *testing.T) {
	root := repo(t, map[string]string{
		"a.go": "package a\n", "sub/b.go": "package b\n", ".gitignore": "*.log\nout/\n", "größe\n.txt": "x",
	})
	write(t, root, "new.go", "package a\n")
	write(t, root, "x.log", "noise")
	write(t, root, "out/gen.go", "package out\n")
	inner := filepath.Join(root, "vendored")
	write(t, root, "vendored/c.go", "package c\n")
	write(t, root, "vendored/c.tmp", "x")
	write(t, root, "vendored/.gitignore", "*.tmp\n")
	git(t, inner, "init", "-q", "-b", "main")

	got, err := Files(t.Context(), root)
	want := []string{".gitignore", "a.go", "größe\n.txt", "new.go", "sub/b.go", "vendored/.gitignore", "vendored/c.go"}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("Files: %v\n%s", err, diff)
	}
	got, err = Files(t.Context(), filepath.Join(root, "sub"))
	if diff := cmp.Diff([]string{"b.go"}, got); err != nil || diff != "" {
		t.Errorf("Files of a folder: %v\n%s", err, diff)
	}
	ignored, err := CheckIgnore(t.Context(), root, []string{"x.log", "a.go", "out/gen.go", "new.go"})
	if diff := cmp.Diff(map[string]bool{"x.log": true, "out/gen.go": true}, ignored); err != nil || diff != "" {
		t.Errorf("CheckIgnore: %v\n%s", err, diff)
	}
	if ignored, err = CheckIgnore(t.Context(), root, []string{"a.go"}); err != nil || len(ignored) != 0 {
		t.Errorf("nothing is ignored, but %v, %v", ignored, err)
	}
}

func TestSparseAndSubmodule(t *testing.T) {
	root := repo(t, map[string]string{"keep/a.go": "package a\n", "drop/b.go": "package b\n"})
	module := repo(t, map[string]string{"m.go": "package m\n"})
	git(t, root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", module, "mod")
	git(t, root, "commit", "-q", "-m", "module")
	git(t, root, "sparse-checkout", "set", "--no-cone", "/*", "!/drop/")
	got, err := Files(t.Context(), root)
	if diff := cmp.Diff([]string{".gitmodules", "keep/a.go", "mod/m.go"}, got); err != nil || diff != "" {
		t.Errorf("Files: %v\n%s", err, diff)
	}
}

func TestWithoutGit(t *testing.T) {
	dir := t.TempDir()
	if _, err := Files(t.Context(), dir); !errors.Is(err, ErrNotGit) {
		t.Errorf("Files: %v", err)
	}
	if root, ok := Root(t.Context(), dir); ok {
		t.Errorf("Root found %s", root)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Files(ctx, dir); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A repository can name programs in its own configuration. None may run because we looked.
func TestConfigurationRunsNothing(t *testing.T) {
	root := repo(t, map[string]string{"a.txt": "one\n", ".gitattributes": "*.txt diff=evil filter=evil\n"})
	trap := filepath.Join(t.TempDir(), "ran")
	script := filepath.Join(t.TempDir(), "evil.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ntouch "+trap+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, root, "a.txt", "two\n")
	git(t, root, "commit", "-q", "-a", "-m", "second")
	for _, key := range []string{"core.fsmonitor", "diff.evil.command", "diff.evil.textconv", "diff.external", "core.pager", "pager.log"} {
		git(t, root, "config", key, script)
	}
	write(t, root, "a.txt", "three\n")
	if _, err := Files(t.Context(), root); err != nil {
		t.Error(err)
	}
	if _, err := CheckIgnore(t.Context(), root, []string{"a.txt"}); err != nil {
		t.Error(err)
	}
	if _, err := History(t.Context(), root, 10); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(trap); err == nil {
		t.Error("the repository's configuration ran a program")
	}
}

func TestHistory(t *testing.T) {
	root := repo(t, map[string]string{"a.go": "package a\n\nfunc One() {\n\tprintln(1)\n}\n", "sub/b.go": "package b\n"})
	write(t, root, "a.go", "package a\n\nfunc One() {\n\tprintln(2)\n}\n")
	git(t, root, "commit", "-q", "-a", "-m", "second")
	got, err := History(t.Context(), root, 10)
	want := []Commit{{Paths: []string{"a.go"}}, {Paths: []string{"a.go", "sub/b.go"}}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("History: %v\n%s", err, diff)
	}
	if got, err := History(t.Context(), filepath.Join(root, "sub"), 10); err != nil || len(got) != 1 || got[0].Paths[0] != "b.go" {
		t.Errorf("History of a folder: %v %v", got, err)
	}
	empty := t.TempDir()
	git(t, empty, "init", "-q")
	if got, err := History(t.Context(), empty, 10); err != nil || got != nil {
		t.Errorf("before the first commit: %v %v", got, err)
	}
	if shallow, err := Shallow(t.Context(), root); err != nil || shallow {
		t.Errorf("Shallow: %v %v", shallow, err)
	}
}
