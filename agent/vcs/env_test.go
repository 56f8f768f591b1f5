package vcs

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// answers is everything that this package tells of a repository.
type answers struct {
	Root    string
	Rooted  bool
	Head    string
	Shallow bool
	Files   []string
	Ignored map[string]bool
	Known   map[string]bool
	Names   []Commit
}

func ask(t *testing.T, root string) (a answers) {
	t.Helper()
	var errs [6]error
	a.Root, a.Rooted = Root(t.Context(), filepath.Join(root, "sub"))
	a.Head, errs[0] = Head(t.Context(), root)
	a.Shallow, errs[1] = Shallow(t.Context(), root)
	a.Files, errs[2] = Files(t.Context(), root)
	paths := []string{"a.log", "new.txt", "sub/b.txt"}
	a.Ignored, errs[3] = CheckIgnore(t.Context(), root, paths)
	a.Known, errs[4] = NewIgnore(root, nil).Check(t.Context(), paths)
	a.Names, errs[5] = History(t.Context(), root, 10)
	for i, err := range errs {
		if err != nil {
			t.Errorf("question %d: %v", i, err)
		}
	}
	return a
}

// TestGitVariablesDoNotLeakIn: an editor that git itself started (to write the message of a commit, in a
// hook, in a rebase) has variables that say which repository, index and configuration git is to use. What
// we ask is about the folder that we name, whatever they say.
func TestGitVariablesDoNotLeakIn(t *testing.T) {
	root := repo(t, map[string]string{"a.txt": "one\n", "sub/b.txt": "one\n", ".gitignore": "*.log\n"})
	write(t, root, "sub/b.txt", "two\n")
	git(t, root, "commit", "-q", "-a", "-m", "second")
	write(t, root, "new.txt", "new\n")
	write(t, root, "a.log", "log\n")
	other := repo(t, map[string]string{"theirs.txt": "one\n", ".gitignore": "*.txt\n"})
	trap := filepath.Join(t.TempDir(), "ran")
	script := filepath.Join(t.TempDir(), "trap.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ntouch "+trap+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(config, []byte("[core]\n\tworktree = "+other+"\n\texcludesFile = "+filepath.Join(other, ".gitignore")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	absent := filepath.Join(t.TempDir(), "absent")
	log := filepath.Join(t.TempDir(), "trace")
	want := ask(t, root)
	if len(want.Files) != 4 || !want.Ignored["a.log"] || len(want.Names) != 2 || want.Root == "" || want.Shallow {
		t.Fatalf("the repository is told as %+v", want)
	}
	dotGit := filepath.Join(other, ".git")
	all := map[string]string{}
	for _, variables := range []map[string]string{
		{"GIT_DIR": dotGit},
		{"GIT_DIR": dotGit, "GIT_WORK_TREE": other, "GIT_PREFIX": "sub/"},
		{"GIT_WORK_TREE": other},
		{"GIT_INDEX_FILE": filepath.Join(dotGit, "index")},
		{"GIT_INDEX_FILE": absent},
		{"GIT_OBJECT_DIRECTORY": absent},
		{"GIT_COMMON_DIR": dotGit},
		{"GIT_NAMESPACE": "theirs"},
		{"GIT_CONFIG_GLOBAL": config},
		{"GIT_CONFIG_SYSTEM": config},
		{"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.excludesFile", "GIT_CONFIG_VALUE_0": filepath.Join(other, ".gitignore")},
		{"GIT_CONFIG_PARAMETERS": "'core.excludesFile'='" + filepath.Join(other, ".gitignore") + "'"},
		{"GIT_EXTERNAL_DIFF": script, "GIT_PAGER": script, "GIT_ASKPASS": script, "GIT_SSH": script, "GIT_SSH_COMMAND": script, "GIT_EDITOR": script},
		{"GIT_LITERAL_PATHSPECS": "1"}, {"GIT_ICASE_PATHSPECS": "1"}, {"GIT_GLOB_PATHSPECS": "1"},
		{"GIT_TRACE": log, "GIT_TRACE2": log, "GIT_TRACE_SETUP": log},
		{"GIT_EXEC_PATH": t.TempDir()},
		{"GIT_SHALLOW_FILE": config},
		{"GIT_GRAFT_FILE": config},
		{"GIT_REPLACE_REF_BASE": "refs/heads/"},
		{"GIT_DEFAULT_HASH": "sha256"},
		{"GIT_DIFF_OPTS": "--unified=7"},
		{"GIT_ATTR_SOURCE": "nothing"},
	} {
		t.Run(strings.Join(slices.Sorted(maps.Keys(variables)), " "), func(t *testing.T) {
			for name, value := range variables {
				t.Setenv(name, value)
				all[name] = value
			}
			if diff := cmp.Diff(want, ask(t, root)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	for name, value := range all {
		t.Setenv(name, value)
	}
	for _, kv := range command(t.Context(), root, "version").Env {
		if name, value, _ := strings.Cut(kv, "="); all[name] != "" && value == all[name] {
			t.Errorf("%s goes on to git", kv)
		}
	}
	fresh := t.TempDir()
	if err := Init(t.Context(), fresh); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(fresh, ".git", "HEAD")); err != nil {
		t.Errorf("Init made the repository elsewhere: %v", err)
	}
	for _, name := range []string{trap, log} {
		if _, err := os.Stat(name); err == nil {
			t.Errorf("git made %s", filepath.Base(name))
		}
	}
}

// TestGitAsksNobody: no process of ours may wait for a password, fetch an object, take a lock that the
// user's own git wants, or speak the user's language, which we could not read.
func TestGitAsksNobody(t *testing.T) {
	for _, name := range []string{"LC_ALL", "LANGUAGE", "SSH_ASKPASS", "GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS", "GIT_NO_LAZY_FETCH", "GIT_ASKPASS", "GIT_PAGER"} {
		t.Setenv(name, "theirs")
	}
	t.Setenv("PLAIN_VARIABLE", "kept")
	got := map[string][]string{}
	for _, kv := range command(t.Context(), t.TempDir(), "version").Env {
		name, value, _ := strings.Cut(kv, "=")
		got[name] = append(got[name], value)
	}
	for name, want := range map[string][]string{
		"GIT_OPTIONAL_LOCKS": {"0"}, "GIT_TERMINAL_PROMPT": {"0"}, "GIT_ASKPASS": {"true"}, "GIT_NO_LAZY_FETCH": {"1"}, "GIT_PAGER": {"cat"},
		"LC_ALL": {"C"}, "LANGUAGE": nil, "SSH_ASKPASS": nil, "PLAIN_VARIABLE": {"kept"}, "PATH": {os.Getenv("PATH")},
	} {
		if diff := cmp.Diff(want, got[name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
