package workspace_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"

	"coauthor/agent/workspace"
)

// TestGlobsOfTheSettings compares random globs with what doublestar says of them, at any depth and without
// regard to case: the fast forms must give the same answers as the slow one.
func TestGlobsOfTheSettings(t *testing.T) {
	const seed = 5
	rnd := rand.New(rand.NewPCG(seed, 0))
	pick := func(list ...string) string { return list[rnd.IntN(len(list))] }
	part := func() string {
		return pick("zq", "zq", "Zq", "qz", "zqz", "zqx", "q", "zq*", "*zq", "z*q", "*", "**", "z?", "[zx]q", "{zq,qz}", "zq*q*", "*z*q*", "z*q*z", "q*q*q", "*x*")
	}
	name := func() string { return pick("zq", "qz", "zqz", "zqx", "q", "z", "zqq", "zzq", "ZQ", "zqqq", "xq") }
	join := func(n int, f func() string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = f()
		}
		return strings.Join(parts, "/")
	}
	for range 150 {
		glob := pick("", "", "/") + join(1+rnd.IntN(3), part)
		w := open(t, nil, workspace.Options{DenyGlobs: []string{glob}, ProtectedGlobs: []string{glob}})
		var paths []string
		for range 60 {
			paths = append(paths, join(1+rnd.IntN(4), name))
		}
		for op, code := range map[workspace.Operation]string{workspace.OpSend: workspace.CodeDenied, workspace.OpCreate: workspace.CodeProtected} {
			for i, d := range w.Door().CheckAll(t.Context(), paths, op) {
				want, err := doublestar.Match("**/"+strings.ToLower(strings.TrimPrefix(glob, "/")), strings.ToLower(paths[i]))
				if err != nil {
					t.Fatal(err)
				}
				if got := d.Code == code; got != want || got != (d.Verdict == workspace.Ask) {
					t.Fatalf("seed %d: %s of %s by %q: %+v, want %v", seed, op, paths[i], glob, d, want)
				}
				if by := "(" + strings.ToLower(strings.TrimPrefix(glob, "/")) + ")"; want && !strings.Contains(d.Reason, by) {
					t.Fatalf("seed %d: %s of %s: %q does not name %s", seed, op, paths[i], d.Reason, by)
				}
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMalformedGlobsAreSaid: a glob that cannot be read is an error of its setting, and never one that
// matches nothing.
func TestMalformedGlobsAreSaid(t *testing.T) {
	for _, o := range []workspace.Options{{DenyGlobs: []string{"ok", "a[["}}, {ProtectedGlobs: []string{"{a,b", "ok"}}} {
		if _, err := workspace.Open(t.TempDir(), o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}

// TestIgnoredAsGitSays compares random .gitignore files, at several levels, with git itself.
func TestIgnoredAsGitSays(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	const seed = 23
	for round := range 10 {
		rnd := rand.New(rand.NewPCG(seed, uint64(round)))
		pick := func(list ...string) string { return list[rnd.IntN(len(list))] }
		line := func() string {
			return pick("", "", "", "!", "/") + pick("a", "b", "c", "a*", "*.x", "b.x", "a/", "/b", "a/b", "**/c", "a/**", "c/*", "[ab]", "\\a", "# no", "", "b  ", "d\\ ", "*", "**", "a**", "**/a/b", "a/**/b", "/a", "/*", "[!a]", "[^ab]*", "a/*/", "{a,b}", "[[:alpha:]]", "?", "?.x", "[a", "\\#")
		}
		names := []string{"a", "b", "c", "b.x", "d ", "a.x", "#"}
		root := t.TempDir()
		if out, err := exec.Command("git", "-C", root, "-c", "init.defaultBranch=main", "init", "-q").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		for _, file := range []string{".gitignore", "a/.gitignore", "c/.gitignore", "a/b/.gitignore", ".git/info/exclude"} {
			if rnd.IntN(3) == 0 {
				continue
			}
			text := ""
			for range 1 + rnd.IntN(4) {
				text += line() + pick("\n", "\n", "\r\n")
			}
			put(t, root, file, text)
		}
		var paths []string
		for range 60 {
			parts := make([]string, 1+rnd.IntN(3))
			for i := range parts {
				parts[i] = names[rnd.IntN(len(names))]
			}
			p := path.Join(parts...)
			if info, err := os.Stat(filepath.Join(root, p)); err == nil && info.IsDir() {
				continue
			}
			if !slices.Contains(paths, p) && !strings.HasSuffix(p, " ") && !strings.Contains(p, " /") {
				paths = append(paths, p)
			}
		}
		rules := tree(t, root)
		maps.DeleteFunc(rules, func(name, _ string) bool { return path.Base(name) != ".gitignore" && path.Base(name) != "exclude" })
		ignored := gitSays(t, root, paths)
		w, err := workspace.Open(root, workspace.Options{})
		if err != nil {
			t.Fatal(err)
		}
		named := w.Door().Named(t.Context())
		for i, d := range w.Door().CheckAll(t.Context(), paths, workspace.OpSend) {
			if got := d.Code == workspace.CodeIgnored; got != ignored[paths[i]] || named(paths[i]) != got {
				t.Errorf("seed %d, round %d: %s: ignored %v (named %v), git says %v\n%q", seed, round, paths[i], got, named(paths[i]), ignored[paths[i]], rules)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func gitSays(t *testing.T, root string, paths []string) map[string]bool {
	t.Helper()
	cmd := exec.Command("git", "-C", root, "-c", "core.excludesFile=", "check-ignore", "-z", "--stdin", "--no-index")
	cmd.Stdin = strings.NewReader(strings.Join(paths, "\x00") + "\x00")
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != 1 { // 1 says that none is
		t.Fatalf("git: %v", err)
	}
	said := map[string]bool{}
	for p := range strings.SplitSeq(string(out), "\x00") {
		said[p] = true
	}
	return said
}

// TestWhatTheDoorAsksGit is how git's answer, its errors, and the files that it does not know add up.
func TestWhatTheDoorAsksGit(t *testing.T) {
	files := map[string]string{".gitignore": "by-file\n", ".coauthorignore": "ours\n!by-git\n", ".aiderignore": "theirs\n", "sub/.coauthorignore": "deep\n!theirs\n"}
	ask := []string{"by-git", "by-file", "ours", "theirs", "plain", "sub/deep", "sub/theirs", "deep"}
	answers := map[string]bool{"by-git": true}
	kept := []string{"by-git", "ours", "sub/deep", "theirs"}
	for what, c := range map[string]struct {
		ignore func(context.Context, []string) (map[string]bool, error)
		want   []string
		allow  bool
	}{
		"git answers": {func(_ context.Context, paths []string) (map[string]bool, error) {
			if !slices.Equal(paths, ask) {
				return nil, fmt.Errorf("asked about %v", paths)
			}
			return answers, nil
		}, kept, false},
		"no git":             {nil, []string{"by-file", "ours", "sub/deep", "theirs"}, false},
		"git fails":          {func(context.Context, []string) (map[string]bool, error) { return answers, os.ErrPermission }, []string{"by-file", "ours", "sub/deep", "theirs"}, false},
		"ignored is allowed": {nil, nil, true},
	} {
		w := open(t, files, workspace.Options{Ignore: c.ignore, AllowIgnored: c.allow})
		for _, op := range []workspace.Operation{workspace.OpSend, workspace.OpCreate} {
			var got []string
			for i, d := range w.Door().CheckAll(t.Context(), ask, op) {
				switch {
				case d.Verdict == workspace.Ask && d.Code == workspace.CodeIgnored && strings.HasPrefix(d.Reason, ask[i]+" "):
					got = append(got, ask[i])
				case d.Verdict != workspace.Allow:
					t.Errorf("%s: %s of %s: %+v", what, op, ask[i], d)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("%s: %s: ignored are %v, want %v", what, op, got, c.want)
			}
		}
		if bad := w.Door().Withheld(t.Context(), ask); len(bad) != len(c.want) {
			t.Errorf("%s: withheld are %v", what, bad)
		}
		for _, d := range w.Door().CheckAll(t.Context(), ask, workspace.OpRead) {
			if d.Verdict != workspace.Allow {
				t.Errorf("%s: reading: %+v", what, d)
			}
		}
	}
}

// TestIgnoreFilesOfTheSettings: files of these names hide at every level, none brings back what another one hides, and
// each is protected as ours are. A name that is none closes the door.
func TestIgnoreFilesOfTheSettings(t *testing.T) {
	files := map[string]string{".cursorignore": "hidden\n!ours\n", ".other": "!hidden\n", "sub/.other": "deep\n", ".coauthorignore": "ours\n!hidden\n"}
	paths := []string{"hidden", "sub/hidden", "ours", "sub/deep", "deep", "plain"}
	all := []string{"hidden", "sub/hidden", "ours", "sub/deep"}
	for what, c := range map[string]struct {
		o    workspace.Options
		want []string
	}{
		"not named":     {workspace.Options{}, []string{"ours"}},
		"both":          {workspace.Options{IgnoreFiles: []string{".cursorignore", ".other"}}, all},
		"both, by git":  {workspace.Options{IgnoreFiles: []string{".cursorignore", ".other"}, Ignore: func(context.Context, []string) (map[string]bool, error) { return nil, nil }}, all},
		"allowed again": {workspace.Options{IgnoreFiles: []string{".cursorignore", ".other"}, AllowIgnored: true}, nil},
	} {
		w := open(t, files, c.o)
		lister, named := w.Door().Lister(t.Context()), w.Door().Named(t.Context())
		for i, d := range w.Door().CheckAll(t.Context(), paths, workspace.OpSend) {
			want := slices.Contains(c.want, paths[i])
			if got := d.Code == workspace.CodeIgnored; got != want || lister(paths[i]) == want || named(paths[i]) != want {
				t.Errorf("%s: %s: %+v, listed %v, named %v", what, paths[i], d, lister(paths[i]), named(paths[i]))
			}
		}
		d := w.Door().Check(t.Context(), "sub/.other", workspace.OpEdit)
		if (d.Verdict == workspace.Ask) != (c.o.IgnoreFiles != nil) {
			t.Errorf("%s: changing an ignore file: %+v", what, d)
		}
	}
	for _, name := range []string{"", ".", "..", "a/b", `a\b`, "*ignore", "[x]"} {
		if _, err := workspace.Open(t.TempDir(), workspace.Options{IgnoreFiles: []string{name}}); err == nil || !strings.Contains(err.Error(), "files.ignoreFiles") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestALinkToAnIgnoredFile is ignored as its target is, by git and by our files, and so is an ignored link.
func TestALinkToAnIgnoredFile(t *testing.T) {
	git := func(_ context.Context, paths []string) (map[string]bool, error) {
		said := map[string]bool{}
		for _, p := range paths {
			said[p] = p == "by-git"
		}
		return said, nil
	}
	w := open(t, map[string]string{"by-git": "x", "ours": "x", "plain": "x", ".coauthorignore": "ours\nlink-by-name\n", ".gitignore": "by-git\nlink-by-git\n"}, workspace.Options{Ignore: git})
	for name, target := range map[string]string{"link1": "by-git", "link2": "ours", "link3": "plain", "link-by-name": "plain", "link-by-git": "plain", "link4": "link2"} {
		link(t, w.Root(), name, target)
	}
	for name, want := range map[string]bool{"link1": true, "link2": true, "link3": false, "link-by-name": true, "link-by-git": true, "link4": true, "plain": false} {
		if d := w.Door().Check(t.Context(), name, workspace.OpSend); (d.Code == workspace.CodeIgnored) != want {
			t.Errorf("%s: %+v", name, d)
		}
		if got := len(w.Door().Withheld(t.Context(), []string{name})) > 0; got != want {
			t.Errorf("%s withheld: %v", name, got)
		}
	}
}

// TestSizesAtTheLimit: a file of just the limit is read, one byte more is not; deleting and renaming read
// nothing and are allowed at any size.
func TestSizesAtTheLimit(t *testing.T) {
	w := open(t, map[string]string{"fits": strings.Repeat("x", 100), "large": strings.Repeat("x", 101)}, workspace.Options{MaxFileBytes: 100})
	for path, good := range map[string]bool{"fits": true, "large": false} {
		for op, readsIt := range map[workspace.Operation]bool{workspace.OpSend: true, workspace.OpRead: true, workspace.OpEdit: true, workspace.OpCreate: true, workspace.OpDelete: false, workspace.OpRename: false} {
			d := w.Door().Check(t.Context(), path, op)
			if want := good || !readsIt; (d.Verdict == workspace.Allow) != want || !want && d.Code != workspace.CodeTooLarge {
				t.Errorf("%s of %s: %+v", op, path, d)
			}
		}
		if _, err := w.Snapshot().Read(path); (err == nil) != good {
			t.Errorf("read %s: %v", path, err)
		}
		if bad := w.Door().Withheld(t.Context(), []string{path}); len(bad) > 0 {
			t.Errorf("%s is withheld for its size", path)
		}
	}
	big := open(t, map[string]string{"f": strings.Repeat("x", 10<<20), "g": strings.Repeat("x", 10<<20+1)}, workspace.Options{})
	for path, good := range map[string]bool{"f": true, "g": false} {
		if _, err := big.Snapshot().Read(path); (err == nil) != good {
			t.Errorf("the limit of 10 MiB: %s: %v", path, err)
		}
	}
	if _, err := os.Stat(filepath.Join(big.Root(), "f")); err != nil {
		t.Error(err)
	}
}

// TestChainsOfLinks: a chain of links is followed to its end, as far as one may be.
func TestChainsOfLinks(t *testing.T) {
	w := open(t, map[string]string{"dir/sub/file": "x"}, workspace.Options{})
	link(t, w.Root(), "l0", "dir/sub/file")
	for i := 1; i <= 40; i++ {
		link(t, w.Root(), fmt.Sprintf("l%d", i), fmt.Sprintf("l%d", i-1))
	}
	link(t, w.Root(), "dir/up", "..")
	link(t, w.Root(), "dir/sub/far", "../../..")
	link(t, w.Root(), "self", ".")
	for path, want := range map[string]string{
		"l0": "dir/sub/file", "l31": "dir/sub/file", "l32": "", "l40": "", "dir/up/dir/sub/file": "dir/sub/file", "dir/up/dir/up/l0": "dir/sub/file", "dir/sub/far/x": "",
		"self/self/dir/sub/file": "dir/sub/file", "self/new": "new", "dir/up/fresh/file": "fresh/file",
	} {
		d := w.Door().Check(t.Context(), path, workspace.OpCreate)
		if want == "" && (d.Verdict != workspace.Refuse || d.Code != workspace.CodeSymlink) || want != "" && (d.Verdict != workspace.Allow || d.Target != want) {
			t.Errorf("%s: %+v, want %q", path, d, want)
		}
	}
	if d := w.Door().Check(t.Context(), "dir/sub/file", workspace.OpEdit); d.Target != "" || d.Reason != "" {
		t.Errorf("no link: %+v", d)
	}
}
