package vcs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The last commit tells what it changed, and goes back without a touch of the files.
func TestTheLastCommitGoesBack(t *testing.T) {
	for _, keep := range []bool{true, false} {
		root := mine(t, map[string]string{"in/a": "1\n", "in/gone": "x\n", "other": "1\n"})
		below := filepath.Join(root, "in")
		first := strings.TrimSpace(asks(t, root, "rev-parse", "HEAD"))
		made(t, below, Content{Path: "a", Text: "2\n"}, Content{Path: "new", Text: "n\n"}, Content{Path: "gone", Gone: true})
		write(t, root, "in/a", "2\n")
		write(t, root, "other", "staged\n")
		git(t, root, "add", "other")
		last, err := LastCommit(t.Context(), below)
		if err != nil || last.Subject != "Change it" || !slices.Equal(last.Parents, []string{first}) || len(last.Changes) != 3 {
			t.Fatalf("%+v, %v", last, err)
		}
		var told []string
		for _, c := range last.Changes {
			c, err := last.Texts(t.Context(), below, c)
			if err != nil {
				t.Fatal(err)
			}
			told = append(told, c.Path+" "+c.Old+c.Now)
		}
		if got := strings.Join(told, "|"); got != "a 1\n2\n|gone x\n|new n\n" {
			t.Errorf("it changed %q", got)
		}
		if err := last.TakeBack(t.Context(), below, keep, joinLines); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(asks(t, root, "rev-parse", "main")); got != first {
			t.Errorf("the branch is at %s", got)
		}
		want := "M\tother\n"
		if keep {
			want = "M\tin/a\nD\tin/gone\nA\tin/new\nM\tother\n"
		}
		if got := asks(t, root, "diff", "--cached", "--name-status"); got != want {
			t.Errorf("keep %v: staged is %q", keep, got)
		}
		if raw, err := os.ReadFile(filepath.Join(root, "in", "a")); err != nil || string(raw) != "2\n" {
			t.Errorf("the file holds %q, %v", raw, err)
		}
		if err := last.TakeBack(t.Context(), below, keep, joinLines); err == nil {
			t.Error("it went back twice")
		}
	}
}

// A commit that a remote branch has is shared.
func TestSharedCommits(t *testing.T) {
	root := mine(t, map[string]string{"a": "1\n"})
	head := strings.TrimSpace(asks(t, root, "rev-parse", "HEAD"))
	if shared, err := Shared(t.Context(), root, head); err != nil || shared {
		t.Errorf("%v, %v", shared, err)
	}
	git(t, root, "update-ref", "refs/remotes/origin/main", head)
	if shared, err := Shared(t.Context(), root, head); err != nil || !shared {
		t.Errorf("pushed: %v, %v", shared, err)
	}
	next := made(t, root, Content{Path: "a", Text: "2\n"})
	if shared, err := Shared(t.Context(), root, next); err != nil || shared {
		t.Errorf("the next one: %v, %v", shared, err)
	}
}

// What changed has new files in it, none of the files that git ignores, and runs no program of the repository.
func TestWorkDiff(t *testing.T) {
	root := mine(t, map[string]string{"in/a": "1\n", "in/b": "1\n", "out": "1\n", ".gitignore": "*.log\n", ".gitattributes": "* filter=evil diff=evil\n"})
	trap := filepath.Join(t.TempDir(), "ran")
	for _, key := range []string{"filter.evil.clean", "filter.evil.smudge", "diff.evil.textconv", "diff.evil.command"} {
		git(t, root, "config", key, "touch "+trap+"; cat")
	}
	write(t, root, "in/a", "2\n")
	write(t, root, "in/new", "new\n")
	write(t, root, "in/x.log", "noise\n")
	write(t, root, "out", "2\n")
	before := asks(t, root, "status", "--porcelain")
	_ = os.Remove(trap)
	d, err := OpenDiff(t.Context(), filepath.Join(root, "in"), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	paths, err := d.Paths(t.Context())
	if err != nil || !slices.Equal(paths, []string{"a", "new"}) {
		t.Errorf("changed: %q, %v", paths, err)
	}
	text, err := d.Text(t.Context(), []string{"a"}, 3)
	if err != nil || !strings.Contains(text, "+new\n") || strings.Contains(text, "+2\n") {
		t.Errorf("%v\n%s", err, text)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(trap); err == nil {
		t.Error("a program of the repository ran")
	}
	_ = before
	fresh := t.TempDir()
	git(t, fresh, "init", "-q")
	write(t, fresh, "a", "1\n")
	d, err = OpenDiff(t.Context(), fresh, "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	if paths, err := d.Paths(t.Context()); err != nil || !slices.Equal(paths, []string{"a"}) {
		t.Errorf("without a commit: %q, %v", paths, err)
	}
}

// Names of commits are no options, and one that is none is told.
func TestNamesOfCommits(t *testing.T) {
	root := mine(t, map[string]string{"a": "1\n"})
	head := strings.TrimSpace(asks(t, root, "rev-parse", "HEAD"))
	git(t, root, "branch", "side")
	made(t, root, Content{Path: "a", Text: "2\n"})
	for name, want := range map[string]string{"side": head, "HEAD~1": head, "none": "", "--all": "", "": "", "-n": "", "HEAD:a": ""} {
		if hash, ok, err := CommitOf(t.Context(), root, name); err != nil || hash != want || ok != (want != "") {
			t.Errorf("%q is %q, %v, %v", name, hash, ok, err)
		}
	}
	if at, err := Forked(t.Context(), root, "side", "main"); err != nil || at != head {
		t.Errorf("parted at %q, %v", at, err)
	}
	if p, err := Parent(t.Context(), root, "main"); err != nil || p != head {
		t.Errorf("the parent is %q, %v", p, err)
	}
	if p, err := Parent(t.Context(), root, head); err != nil || p != "" {
		t.Errorf("the parent of the first is %q, %v", p, err)
	}
}
