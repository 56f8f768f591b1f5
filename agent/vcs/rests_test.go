package vcs

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestWhatAnAnswerRestsOn: an answer about ignored files is remembered, and forgotten as soon as any of
// the files says otherwise on which it rests.
func TestWhatAnAnswerRestsOn(t *testing.T) {
	for what, x := range map[string]struct {
		change func(t *testing.T, top, home string)
		path   string
	}{
		"a rule above the root":     {func(t *testing.T, top, _ string) { write(t, top, ".gitignore", "x.log\n") }, "deep/x.log"},
		"a rule in the root":        {func(t *testing.T, top, _ string) { write(t, top, "sub/.gitignore", "x.log\n") }, "deep/x.log"},
		"a rule beside the file":    {func(t *testing.T, top, _ string) { write(t, top, "sub/deep/.gitignore", "x.log\n") }, "deep/x.log"},
		"a file at the root":        {func(t *testing.T, top, _ string) { write(t, top, "sub/.gitignore", "x.log\n") }, "x.log"},
		"the repository's excludes": {func(t *testing.T, top, _ string) { write(t, top, ".git/info/exclude", "x.log\n") }, "deep/x.log"},
		"the repository's configuration": {func(t *testing.T, top, home string) {
			write(t, home, "mine", "x.log\n")
			git(t, top, "config", "core.excludesFile", filepath.Join(home, "mine"))
		}, "deep/x.log"},
		"the user's configuration": {func(t *testing.T, _, home string) {
			write(t, home, "mine", "x.log\n")
			write(t, home, ".gitconfig", "[core]\n\texcludesFile = "+filepath.Join(home, "mine")+"\n")
		}, "deep/x.log"},
		"the user's other configuration": {func(t *testing.T, _, home string) {
			write(t, home, "mine", "x.log\n")
			write(t, home, "config/git/config", "[core]\n\texcludesFile = "+filepath.Join(home, "mine")+"\n")
		}, "deep/x.log"},
		"the user's excludes": {func(t *testing.T, _, home string) { write(t, home, "config/git/ignore", "x.log\n") }, "deep/x.log"},
	} {
		t.Run(what, func(t *testing.T) {
			home := t.TempDir()
			t.Setenv("HOME", home)
			t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "config"))
			top := repo(t, map[string]string{"sub/deep/a.txt": "a\n"})
			root := filepath.Join(top, "sub")
			now := time.Unix(1_000_000, 0)
			g := NewIgnore(root, func() time.Time { return now })
			check := func(want bool) {
				t.Helper()
				got, err := g.Check(t.Context(), []string{x.path, "deep/a.txt"})
				if err != nil || got[x.path] != want || got["deep/a.txt"] {
					t.Errorf("%v, %v; want %v", got, err, want)
				}
			}
			check(false)
			x.change(t, top, home)
			check(true)
			check(true)
			if x.path == "deep/x.log" {
				write(t, root, "deep/x.log", "x\n")
				git(t, top, "add", "-f", "sub/deep/x.log") // what is tracked is not ignored
				check(false)
			}
		})
	}
}

// TestTheUsersOwnExcludesFile is looked at, too, wherever it lies.
func TestTheUsersOwnExcludesFile(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	file := filepath.Join(home, "mine")
	write(t, home, "mine", "y.log\n")
	write(t, home, ".gitconfig", "[core]\n\texcludesFile = "+file+"\n")
	root := repo(t, map[string]string{"a.txt": "a\n"})
	now := time.Unix(1_000_000, 0)
	g := NewIgnore(root, func() time.Time { return now })
	for i, rules := range []string{"y.log\n", "y.log\nx.log\n", ""} {
		write(t, home, "mine", rules)
		got, err := g.Check(t.Context(), []string{"x.log", "y.log"})
		if err != nil || got["x.log"] != strings.Contains(rules, "x") || got["y.log"] != strings.Contains(rules, "y") {
			t.Errorf("rules %d: %v, %v", i, got, err)
		}
	}
	write(t, home, ".config/git/ignore", "x.log\n") // counts only where no other is named
	if got, err := g.Check(t.Context(), []string{"x.log"}); err != nil || got["x.log"] {
		t.Errorf("%v, %v", got, err)
	}
}

// TestARepositoryThatComesLate is found.
func TestARepositoryThatComesLate(t *testing.T) {
	top := t.TempDir()
	root := filepath.Join(top, "sub")
	write(t, root, "a.log", "a\n")
	g := NewIgnore(root, nil)
	for range 2 {
		if _, err := g.Check(t.Context(), []string{"a.log"}); err == nil {
			t.Error("there is no repository, and no error")
		}
	}
	write(t, root, ".gitignore", "*.log\n")
	if err := Init(t.Context(), top); err != nil {
		t.Fatal(err)
	}
	if got, err := g.Check(t.Context(), []string{"a.log"}); err != nil || !got["a.log"] {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := g.Check(t.Context(), nil); err != nil || len(got) > 0 {
		t.Errorf("no paths: %v, %v", got, err)
	}
}

// TestShallow: a history that was cut off, or whose objects lie elsewhere, says so.
func TestShallow(t *testing.T) {
	from := repo(t, map[string]string{"a.go": "package a\n"})
	write(t, from, "a.go", "package a // two\n")
	git(t, from, "commit", "-q", "-a", "-m", "second")
	cut := filepath.Join(t.TempDir(), "cut")
	git(t, from, "clone", "-q", "--depth", "1", "file://"+from, cut)
	partial := repo(t, map[string]string{"a.go": "package a\n"})
	git(t, partial, "config", "remote.origin.promisor", "true")
	other := repo(t, map[string]string{"a.go": "package a\n"})
	git(t, other, "config", "remote.origin.promisor", "false")
	for root, want := range map[string]bool{from: false, cut: true, partial: true, other: false} {
		if got, err := Shallow(t.Context(), root); err != nil || got != want {
			t.Errorf("%s: %v, %v; want %v", filepath.Base(root), got, err, want)
		}
	}
	if _, err := Shallow(t.Context(), t.TempDir()); err == nil {
		t.Error("no repository, and no error")
	}
	if head, err := Head(t.Context(), cut); err != nil || len(head) != 40 {
		t.Errorf("head %q, %v", head, err)
	}
	if head, err := Head(t.Context(), t.TempDir()); head != "" {
		t.Errorf("head of nothing: %q, %v", head, err)
	}
}

// TestHistoryOfEveryChange: new, changed, renamed and removed files, odd names, several hunks; merges and
// what lies outside of the folder are left out, and the newest come first.
func TestHistoryOfEveryChange(t *testing.T) {
	body := func(n int) string {
		var b strings.Builder
		for i := range 30 {
			fmt.Fprintf(&b, "func F%d() {\n\tprintln(%d)\n}\n\n", i, i*n)
		}
		return "package a\n\n" + b.String()
	}
	root := repo(t, map[string]string{"sub/a.go": body(1), "out.go": "package out\n", "sub/old.go": "package old\n"})
	write(t, root, "sub/a.go", strings.NewReplacer("println(3)", "println(33)", "println(20)", "println(2020)").Replace(body(1)))
	write(t, root, "sub/größe \"x\".go", "package g\n")
	git(t, root, "add", "-A")
	git(t, root, "commit", "-q", "-m", "second")
	git(t, root, "mv", "sub/old.go", "sub/new.go")
	git(t, root, "commit", "-q", "-m", "third")
	write(t, root, "out.go", "package out // two\n")
	git(t, root, "commit", "-q", "-a", "-m", "elsewhere")
	git(t, root, "checkout", "-q", "-b", "side", "HEAD~1")
	write(t, root, "sub/side.go", "package side\n")
	git(t, root, "add", "-A")
	git(t, root, "commit", "-q", "-m", "side")
	git(t, root, "checkout", "-q", "main")
	git(t, root, "merge", "-q", "--no-ff", "-m", "merge", "side")
	git(t, root, "rm", "-q", "sub/side.go")
	git(t, root, "commit", "-q", "-m", "last")
	sub := filepath.Join(root, "sub")
	got, err := History(t.Context(), sub, 100)
	if err != nil || len(got) != 5 {
		t.Fatalf("%d commits, %v: %v", len(got), err, got)
	}
	want := [][]string{{"side.go"}, nil, nil, nil, {"a.go", "old.go"}}
	for i, paths := range want {
		if paths != nil {
			if diff := cmp.Diff(paths, got[i].Paths); diff != "" {
				t.Errorf("commit %d (-want +got):\n%s", i, diff)
			}
		}
	}
	if all := fmt.Sprint(got); strings.Contains(all, "out.go") || !strings.Contains(all, "größe \"x\".go") || !strings.Contains(all, "new.go") {
		t.Errorf("%v", got)
	}
	if few, err := History(t.Context(), sub, 2); err != nil || len(few) != 2 || few[0].Paths[0] != "side.go" {
		t.Errorf("the newest two: %v, %v", few, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := History(ctx, sub, 100); err == nil {
		t.Error("cancelled, and no error")
	}
}

// TestOutputIsCapped: what does not fit is swallowed, so that git can end, and the call fails.
func TestOutputIsCapped(t *testing.T) {
	c := &capped{room: 10}
	for _, piece := range []string{"12345", "67890", "", "x", "more"} {
		if n, err := c.Write([]byte(piece)); n != len(piece) || err != nil {
			t.Errorf("%q: %d, %v", piece, n, err)
		}
		if over := piece == "x" || piece == "more"; c.over != over {
			t.Errorf("after %q: over %v", piece, c.over)
		}
	}
	if c.buf.String() != "1234567890" {
		t.Errorf("kept %q", c.buf.String())
	}
	if got := fields([]byte("a\x00b\x00")); len(got) != 2 || got[1] != "b" || fields(nil) != nil {
		t.Errorf("fields %q", got)
	}
}
