package vcs

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// asks runs git and gives what it prints.
func asks(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := output(t.Context(), dir, nil, args...)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// mine makes a repository whose user has a name.
func mine(t *testing.T, files map[string]string) string {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	root := repo(t, files)
	git(t, root, "config", "user.name", "Ann")
	git(t, root, "config", "user.email", "ann@example.org")
	return root
}

// joinLines is a merge for these tests: a change at the front and one at the end of a text.
func joinLines(base, ours, theirs string) (string, bool) {
	switch base {
	case ours:
		return theirs, true
	case theirs:
		return ours, true
	}
	b, o, s := strings.Split(base, "\n"), strings.Split(ours, "\n"), strings.Split(theirs, "\n")
	if len(b) != len(o) || len(b) != len(s) {
		return "", false
	}
	for i := range b {
		if o[i] != b[i] && s[i] != b[i] {
			return "", false
		}
		if s[i] != b[i] {
			o[i] = s[i]
		}
	}
	return strings.Join(o, "\n"), true
}

// makes commits these contents, and gives the error.
func makes(t *testing.T, root string, o CommitOptions, contents ...Content) (string, error) {
	t.Helper()
	s, err := Stage(t.Context(), root, joinLines)
	if err != nil {
		return "", err
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := s.Unstage(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.AddTexts(t.Context(), contents); err != nil {
		t.Fatal(err)
	}
	return s.Commit(t.Context(), o)
}

func made(t *testing.T, root string, contents ...Content) string {
	t.Helper()
	hash, err := makes(t, root, CommitOptions{Message: "Change it\n\nBecause.\n", Hooks: true}, contents...)
	if err != nil {
		t.Fatal(err)
	}
	return hash
}

// What was staged stays staged and what was not stays so, in other files and in the files of the commit.
func TestACommitHoldsWhatItWasGiven(t *testing.T) {
	const lines = "1\n2\n3\n4\n5\n"
	root := mine(t, map[string]string{"a": lines, "staged": "x\n", "dirty": "x\n", "both": lines, "gone": "x\n"})
	write(t, root, "staged", "y\n")
	write(t, root, "both", "one\n2\n3\n4\n5\n")
	write(t, root, "added", "new\n")
	git(t, root, "add", "staged", "both", "added")
	git(t, root, "rm", "-q", "gone")
	write(t, root, "dirty", "y\n")
	write(t, root, "both", "one\n2\n3\n4\nfive\n")
	write(t, root, "a", "1\n2\n3\n4\nfive\n")
	write(t, root, "untracked", "x\n")
	hash := made(t, root, Content{Path: "a", Text: "1\n2\n3\n4\nfive\n"}, Content{Path: "both", Text: "1\n2\n3\n4\nfive\n"})
	if got := asks(t, root, "diff-tree", "-r", "--name-only", "HEAD~1", hash); got != "a\nboth\n" {
		t.Errorf("the commit changes %q", got)
	}
	if got := asks(t, root, "show", "HEAD:both"); got != "1\n2\n3\n4\nfive\n" {
		t.Errorf("the commit has %q", got)
	}
	if got := asks(t, root, "log", "-1", "--format=%B%an <%ae> %cn"); got != "Change it\n\nBecause.\nAnn <ann@example.org> Ann\n" {
		t.Errorf("the commit says %q", got)
	}
	if got := asks(t, root, "status", "--porcelain"); got != "A  added\nM  both\n M dirty\nD  gone\nM  staged\n?? untracked\n" {
		t.Errorf("afterwards\n%s", got)
	}
	if got := asks(t, root, "show", ":both"); got != "one\n2\n3\n4\nfive\n" {
		t.Errorf("staged of both is %q", got)
	}
}

// What the user staged on the very lines of a commit stays as it was staged.
func TestAStagedLineThatTheCommitChangesStays(t *testing.T) {
	root := mine(t, map[string]string{"a": "1\n2\n"})
	write(t, root, "a", "uno\n2\n")
	git(t, root, "add", "a")
	made(t, root, Content{Path: "a", Text: "one\n2\n"})
	if got := asks(t, root, "show", ":a"); got != "uno\n2\n" {
		t.Errorf("staged is %q", got)
	}
}

// Files of all kinds, from a root below the top of the work tree, and names that mean something to git.
func TestCommitsOfAllKindsOfFiles(t *testing.T) {
	top := mine(t, map[string]string{"in/keep": "x\n", "in/old": "x\n", "in/dir/x": "x\n", "in/run.sh": "#!/bin/sh\n", "out": "x\n"})
	git(t, top, "update-index", "--chmod=+x", "in/run.sh")
	git(t, top, "commit", "-q", "-m", "executable")
	root := filepath.Join(top, "in")
	names := []string{"größe", "-dash", "a b", "*.go", ":(top)x", "[x]", "deep/er/file", "tab\there"}
	if runtime.GOOS == "windows" {
		names = names[:3]
	}
	contents := []Content{{Path: "old", Gone: true}, {Path: "new", Text: "x\n"}, {Path: "dir", Text: "a file now\n"}, {Path: "dir/x", Gone: true}, {Path: "run.sh", Text: "#!/bin/sh\ntrue\n"}}
	for _, n := range names {
		contents = append(contents, Content{Path: n, Text: n + "\n"})
	}
	s, err := Stage(t.Context(), root, joinLines)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if err := s.AddTexts(t.Context(), contents); err != nil {
		t.Fatal(err)
	}
	paths, err := pathsOf(t.Context(), s)
	if err != nil || len(paths) != len(contents) || strings.Contains(strings.Join(paths, " "), "in/") {
		t.Errorf("it changes %q, %v", paths, err)
	}
	diff, err := s.Diff(t.Context(), []string{"größe", "*.go"})
	if err != nil || strings.Contains(diff, "größe") || strings.Contains(diff, "*.go") || !strings.Contains(diff, "+a file now") || !strings.Contains(diff, "deep/er") {
		t.Errorf("the diff, without two files, is %v\n%s", err, diff)
	}
	if _, err := s.Commit(t.Context(), CommitOptions{Message: "all", Hooks: true}); err != nil {
		t.Fatal(err)
	}
	if got := asks(t, top, "ls-tree", "-r", "--format=%(objectmode)", "HEAD", "--", "in/run.sh"); got != "100755\n" {
		t.Errorf("run.sh is %q", got)
	}
	for _, n := range names {
		if got := asks(t, top, "show", "HEAD:in/"+n); got != n+"\n" {
			t.Errorf("%q holds %q", n, got)
		}
	}
	if got := asks(t, top, "diff", "--cached", "--name-only"); got != "" {
		t.Errorf("staged afterwards: %s", got)
	}
}

// The first commit of a repository works like every other one.
func TestTheFirstCommit(t *testing.T) {
	root := mine(t, map[string]string{"x": "x\n"})
	fresh := t.TempDir()
	git(t, fresh, "init", "-q", "-b", "main")
	git(t, fresh, "config", "user.name", "Ann")
	git(t, fresh, "config", "user.email", "ann@example.org")
	write(t, fresh, "staged", "x\n")
	git(t, fresh, "add", "staged")
	made(t, fresh, Content{Path: "a", Text: "a\n"})
	if got := asks(t, fresh, "ls-tree", "-r", "--name-only", "HEAD"); got != "a\n" {
		t.Errorf("it has %q", got)
	}
	if got := asks(t, fresh, "diff", "--cached", "--name-status"); got != "A\tstaged\n" {
		t.Errorf("staged afterwards: %q", got)
	}
	if _, err := LastCommit(t.Context(), fresh); err != nil {
		t.Error(err)
	}
	_ = root
	empty := t.TempDir()
	git(t, empty, "init", "-q")
	if _, err := LastCommit(t.Context(), empty); !errors.Is(err, ErrNothing) {
		t.Errorf("the last commit of none: %v", err)
	}
}

// refused says that nothing is written: the error tells why, and neither head nor index nor files have changed.
func refused(t *testing.T, root, why string, do func() error) {
	t.Helper()
	state := func() string {
		head, _ := output(t.Context(), root, nil, "rev-parse", "HEAD")
		return string(head) + asks(t, root, "status", "--porcelain", "--untracked-files=all")
	}
	before := state()
	err := do()
	if r := (*Refused)(nil); !errors.As(err, &r) || !strings.Contains(r.Text, why) {
		t.Errorf("the error is %v, want %q", err, why)
	}
	if after := state(); after != before {
		t.Errorf("before\n%safterwards\n%s", before, after)
	}
}

// In the middle of something of git's own, and where a commit would belong nowhere, nothing is committed.
func TestNothingIsCommittedInTheMiddle(t *testing.T) {
	two := func(t *testing.T) string { // two branches that do not agree
		root := mine(t, map[string]string{"a": "1\n", "b": "1\n"})
		git(t, root, "checkout", "-q", "-b", "side")
		write(t, root, "a", "side\n")
		git(t, root, "commit", "-q", "-a", "-m", "side")
		git(t, root, "checkout", "-q", "main")
		write(t, root, "a", "main\n")
		git(t, root, "commit", "-q", "-a", "-m", "main")
		return root
	}
	fails := func(t *testing.T, root string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = root
		cmd.Env = append(environment(os.Environ()), "GIT_EDITOR=true")
		if out, err := cmd.CombinedOutput(); err == nil {
			t.Fatalf("git %v went well:\n%s", args, out)
		}
	}
	for why, begin := range map[string]func(t *testing.T, root string){
		"rebase":              func(t *testing.T, root string) { fails(t, root, "rebase", "side") },
		"merge":               func(t *testing.T, root string) { fails(t, root, "merge", "side") },
		"cherry-pick":         func(t *testing.T, root string) { fails(t, root, "cherry-pick", "side") },
		"revert":              func(t *testing.T, root string) { git(t, root, "revert", "--no-commit", "HEAD") },
		"bisection":           func(t *testing.T, root string) { git(t, root, "bisect", "start") },
		"No branch":           func(t *testing.T, root string) { git(t, root, "checkout", "-q", "--detach") },
		"Another git process": func(t *testing.T, root string) { write(t, root, ".git/index.lock", "") },
		"conflicts": func(t *testing.T, root string) {
			write(t, root, "b", "dirty\n")
			git(t, root, "stash")
			write(t, root, "b", "other\n")
			git(t, root, "commit", "-q", "-a", "-m", "other")
			fails(t, root, "stash", "pop")
		},
	} {
		t.Run(why, func(t *testing.T) {
			root := two(t)
			begin(t, root)
			refused(t, root, why, func() error {
				_, err := makes(t, root, CommitOptions{Message: "x"}, Content{Path: "b", Text: "2\n"})
				return err
			})
		})
	}
}

// hook writes a hook of a repository.
func hook(t *testing.T, root, name, script string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("hooks here are shell scripts")
	}
	file := filepath.Join(root, ".git", "hooks", name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
}

// Hooks run as for git commit: one that fails is told in its words, one that changes the message is believed, and
// none gets the user's keys.
func TestHooksRun(t *testing.T) {
	root := mine(t, map[string]string{"a": "1\n", "b": "1\n"})
	t.Setenv("OPENAI_API_KEY", "key")
	t.Setenv("GITHUB_TOKEN", "key")
	t.Setenv("PLAIN", "kept")
	hook(t, root, "pre-commit", "echo 'no tabs, please' >&2\nenv > env.txt\nexit 1\n")
	try := func(hooks bool) error {
		_, err := makes(t, root, CommitOptions{Message: "Change a\n", Hooks: hooks}, Content{Path: "a", Text: "2\n"})
		return err
	}
	write(t, root, "env.txt", "") // so that the state stays the same
	write(t, root, ".git/info/exclude", "env.txt\n")
	refused(t, root, "no tabs, please", func() error { return try(true) })
	env, err := os.ReadFile(filepath.Join(root, "env.txt"))
	if err != nil || strings.Contains(string(env), "=key") || !strings.Contains(string(env), "PLAIN=kept") {
		t.Errorf("the hook sees %v\n%s", err, env)
	}
	if err := try(false); err != nil {
		t.Errorf("without hooks: %v", err)
	}
	hook(t, root, "pre-commit", "echo formatted > b\ngit add b\n")
	hook(t, root, "commit-msg", "echo 'Ticket: 7' >> \"$1\"\n")
	made(t, root, Content{Path: "a", Text: "3\n"})
	if got := asks(t, root, "log", "-1", "--format=%B"); !strings.Contains(got, "Ticket: 7") {
		t.Errorf("the message is %q", got)
	}
	if got := asks(t, root, "status", "--porcelain"); got != " M a\n" { // a was never written
		t.Errorf("afterwards %q", got)
	}
}

// A message is one text, whatever it looks like.
func TestAMessageIsNoOption(t *testing.T) {
	root := mine(t, map[string]string{"a": "1\n"})
	for i, message := range []string{"--amend", "-F/etc/passwd\n", "# a comment\n\n#hash\n", "'; touch x #\n", "größe\n"} {
		if _, err := makes(t, root, CommitOptions{Message: message}, Content{Path: "a", Text: strings.Repeat("x\n", i+2)}); err != nil {
			t.Fatalf("%q: %v", message, err)
		}
		if got := asks(t, root, "log", "-1", "--format=%B"); strings.TrimSpace(got) != strings.TrimSpace(message) {
			t.Errorf("%q became %q", message, got)
		}
	}
	if got := asks(t, root, "rev-list", "--count", "HEAD"); got != "6\n" {
		t.Errorf("%s commits", got)
	}
}

// The marks stand behind the names of author and committer, whoever the environment says that is.
func TestMarksBehindTheNames(t *testing.T) {
	root := mine(t, map[string]string{"a": "1\n"})
	for i, c := range []struct {
		o    CommitOptions
		want string
	}{
		{CommitOptions{}, "Ann|Ann"},
		{CommitOptions{Author: "x"}, "Ann (x)|Ann"},
		{CommitOptions{Committer: "x"}, "Ann|Ann (x)"},
		{CommitOptions{Author: "x", Committer: "y"}, "Bea (x)|Ann (y)"},
	} {
		if i == 3 {
			t.Setenv("GIT_AUTHOR_NAME", "Bea")
		}
		c.o.Message = "x"
		if _, err := makes(t, root, c.o, Content{Path: "a", Text: strings.Repeat("x\n", i+2)}); err != nil {
			t.Fatal(err)
		}
		if got := asks(t, root, "log", "-1", "--format=%an|%cn"); got != c.want+"\n" {
			t.Errorf("%+v: %q, want %q", c.o, got, c.want)
		}
	}
}

// Who has no name is told so; a head that moved meanwhile is not built upon; what changes nothing is no commit.
func TestWhatCannotBeCommitted(t *testing.T) {
	root := mine(t, map[string]string{"a": "1\n"})
	if _, err := makes(t, root, CommitOptions{Message: "x"}, Content{Path: "a", Text: "1\n"}); !errors.Is(err, ErrNothing) {
		t.Errorf("nothing: %v", err)
	}
	s, err := Stage(t.Context(), root, joinLines)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if err := s.AddTexts(t.Context(), []Content{{Path: "a", Text: "2\n"}}); err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Commit(cancelled, CommitOptions{Message: "x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	git(t, root, "commit", "-q", "--allow-empty", "-m", "meanwhile")
	refused(t, root, "the branch changed or another commit", func() error { _, err := s.Commit(t.Context(), CommitOptions{Message: "x"}); return err })
	git(t, root, "config", "--unset", "user.name")
	git(t, root, "config", "--unset", "user.email")
	git(t, root, "config", "user.useConfigOnly", "true")
	refused(t, root, "who you are", func() error {
		_, err := makes(t, root, CommitOptions{Message: "x"}, Content{Path: "a", Text: "2\n"})
		return err
	})
	if _, err := Stage(t.Context(), t.TempDir(), nil); !errors.Is(err, ErrNotGit) {
		t.Errorf("no repository: %v", err)
	}
}

// Text in the form of the work tree is stored as git would store it.
func TestLineEndsGoThroughGit(t *testing.T) {
	root := mine(t, map[string]string{"a.txt": "1\n2\n", ".gitattributes": "*.txt text eol=crlf\n"})
	s, err := Stage(t.Context(), root, joinLines)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if same, err := s.Unchanged(t.Context(), "a.txt", "1\r\n2\r\n"); err != nil || !same {
		t.Errorf("unchanged: %v, %v", same, err)
	}
	if same, err := s.Unchanged(t.Context(), "a.txt", "1\r\n3\r\n"); err != nil || same {
		t.Errorf("changed: %v, %v", same, err)
	}
	if text, ok, err := s.Committed(t.Context(), "a.txt"); err != nil || !ok || text != "1\r\n2\r\n" {
		t.Errorf("committed: %q, %v, %v", text, ok, err)
	}
	if _, ok, err := s.Committed(t.Context(), "none"); err != nil || ok {
		t.Errorf("none: %v, %v", ok, err)
	}
	made(t, root, Content{Path: "a.txt", Text: "1\r\nzwei\r\n"})
	if got := asks(t, root, "show", "HEAD:a.txt"); got != "1\nzwei\n" {
		t.Errorf("stored: %q", got)
	}
}

// A file that changed in the moment after git looked at it, without a change of its size, has changed.
func TestChangesOfTheSameMoment(t *testing.T) {
	for i := range 5 {
		root := mine(t, map[string]string{"a": "1\n"})
		index := filepath.Join(root, ".git", "index")
		info, err := os.Stat(index)
		if err != nil {
			t.Fatal(err)
		}
		write(t, root, "a", "2\n")
		for _, name := range []string{index, filepath.Join(root, "a")} { // one moment, as a coarse clock has it
			if err := os.Chtimes(name, info.ModTime(), info.ModTime()); err != nil {
				t.Fatal(err)
			}
		}
		s, err := Stage(t.Context(), root, joinLines)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.AddTracked(t.Context()); err != nil {
			t.Fatal(err)
		}
		if paths, err := pathsOf(t.Context(), s); err != nil || len(paths) != 1 {
			t.Errorf("%d: staged %q, %v", i, paths, err)
		}
		d, err := OpenDiff(t.Context(), root, "HEAD")
		if err != nil {
			t.Fatal(err)
		}
		if paths, err := d.Paths(t.Context()); err != nil || len(paths) != 1 {
			t.Errorf("%d: different %q, %v", i, paths, err)
		}
		if err := errors.Join(s.Close(), d.Close()); err != nil {
			t.Error(err)
		}
	}
}

// pathsOf are the paths of what a commit changes.
func pathsOf(ctx context.Context, s *Staged) ([]string, error) {
	files, err := s.Files(ctx)
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	return paths, err
}
