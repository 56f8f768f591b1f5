//go:build unix

package workspace_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"coauthor/agent/workspace"
)

// TestWhoReadsAGitignore: git is believed where it reads the same rules as we do; else its file is read here, and git is
// not asked about what it would wait for.
func TestWhoReadsAGitignore(t *testing.T) {
	const plain = "x\n"
	lay := func(text string) func(t *testing.T, w *workspace.Workspace, file string) {
		return func(t *testing.T, w *workspace.Workspace, file string) { put(t, w.Root(), file, text) }
	}
	in := func(w *workspace.Workspace, file string) string { return filepath.Join(w.Root(), file) }
	for what, c := range map[string]struct {
		make func(t *testing.T, w *workspace.Workspace, file string)
		no   string // of "x y": what is ignored though git says no
		yes  string // what is ignored of what git says it ignores
		mute bool   // git is not asked
	}{
		"none":      {func(*testing.T, *workspace.Workspace, string) {}, "", "x y", false},
		"plain":     {lay(plain), "", "x y", false},
		"a folder":  {func(t *testing.T, w *workspace.Workspace, file string) { put(t, w.Root(), file+"/x", "x") }, "", "x y", false},
		"UTF-16":    {lay("\xff\xfex\x00\n\x00"), "x", "x y", false},
		"UTF-16 BE": {lay("\xfe\xff\x00x\x00\n"), "x", "x y", false},
		"binary":    {lay("z\x00\n"), "x y", "x y", false},
		"the limit": {lay(plain + strings.Repeat("#", 1<<20-3) + "\n"), "", "x y", false},
		"too large": {lay(plain + strings.Repeat("#", 1<<20-2) + "\n"), "x y", "x y", false},
		"a link": {func(t *testing.T, w *workspace.Workspace, file string) {
			put(t, w.Root(), filepath.Dir(file)+"/rules", plain)
			link(t, w.Root(), file, "rules")
		}, "x", "x y", false},
		"a pipe": {func(t *testing.T, w *workspace.Workspace, file string) {
			if err := os.MkdirAll(filepath.Dir(in(w, file)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Mkfifo(in(w, file), 0o644); err != nil {
				t.Fatal(err)
			}
		}, "x y", "x y", true},
		"open and saved": {func(t *testing.T, w *workspace.Workspace, file string) {
			put(t, w.Root(), file, plain)
			w.DidOpen(file, plain, 1)
		}, "", "x y", false},
		"open, not saved": {func(t *testing.T, w *workspace.Workspace, file string) {
			put(t, w.Root(), file, plain)
			w.DidOpen(file, "y\n", 1)
		}, "y", "y", false}, // git's x is of the disk alone; y may be of another file
		"open, never saved": {func(_ *testing.T, w *workspace.Workspace, file string) { w.DidOpen(file, "y\n", 1) }, "y", "x y", false},
		"open, too large": {func(_ *testing.T, w *workspace.Workspace, file string) {
			w.DidOpen(file, plain+strings.Repeat("#", 1<<20-2)+"\n", 1)
		}, "x y", "x y", false},
		"open, the limit": {func(_ *testing.T, w *workspace.Workspace, file string) {
			w.DidOpen(file, plain+strings.Repeat("#", 1<<20-3)+"\n", 1)
		}, "x", "x y", false},
	} {
		for _, folder := range []string{"", "sub/", "sub/deep/"} { // of the file; the paths lie in sub/deep
			for _, says := range []bool{false, true} {
				asked := []string{}
				w := open(t, nil, workspace.Options{Ignore: func(_ context.Context, paths []string) (map[string]bool, error) {
					asked = append(asked, paths...)
					said := map[string]bool{}
					for _, p := range paths {
						said[p] = says
					}
					return said, nil
				}})
				c.make(t, w, folder+".gitignore")
				want := map[bool]string{false: c.no, true: c.yes}[says]
				within(t, what, func() {
					for i, d := range w.Door().CheckAll(t.Context(), []string{"sub/deep/x", "sub/deep/y"}, workspace.OpSend) {
						if got := d.Code == workspace.CodeIgnored; got != strings.Contains(want, string("xy"[i])) {
							t.Errorf("%s in %q, git says %v: %+v", what, folder, says, d)
						}
					}
				})
				if (len(asked) == 0) != c.mute {
					t.Errorf("%s in %q: git was asked about %v", what, folder, asked)
				}
			}
		}
	}
}

// TestThePipeAmongGitignores: git is asked about what lies beside a folder with a pipe, and not about what lies below it.
func TestThePipeAmongGitignores(t *testing.T) {
	var asked []string
	w := open(t, map[string]string{".gitignore": "z\n", "pipe/below/.gitignore": "z\n", "other/.gitignore": "z\n"}, workspace.Options{
		Ignore: func(_ context.Context, paths []string) (map[string]bool, error) { asked = paths; return nil, nil },
	})
	if err := syscall.Mkfifo(filepath.Join(w.Root(), "pipe/.gitignore"), 0o644); err != nil {
		t.Fatal(err)
	}
	paths := []string{"a", "pipe/a", "pipe/below/a", "pipe/below/more/a", "other/a", "pip"}
	within(t, "a check", func() {
		for i, d := range w.Door().CheckAll(t.Context(), paths, workspace.OpSend) {
			if hidden := strings.HasPrefix(paths[i], "pipe/"); (d.Code == workspace.CodeIgnored) != hidden || hidden && !strings.Contains(d.Reason, "pipe/.gitignore") {
				t.Errorf("%+v", d)
			}
		}
	})
	if want := []string{"a", "other/a", "pip"}; !slices.Equal(asked, want) {
		t.Errorf("git was asked about %v, want %v", asked, want)
	}
}

// TestGitThatDoesNotAnswer: what git does not say in time counts as ignored, and the check ends.
func TestGitThatDoesNotAnswer(t *testing.T) {
	w := open(t, map[string]string{"a": "a\n"}, workspace.Options{})
	root := w.Root()
	synctest.Test(t, func(t *testing.T) {
		w, err := workspace.Open(root, workspace.Options{Ignore: func(ctx context.Context, _ []string) (map[string]bool, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		start := time.Now()
		d := w.Door().Check(t.Context(), "a", workspace.OpSend)
		if took := time.Since(start); d.Verdict != workspace.Ask || d.Code != workspace.CodeIgnored || took < time.Second || took > time.Minute {
			t.Errorf("after %v: %+v", took, d)
		}
	})
}

// TestWhichFileIgnores: the reason names the file whose rule decided, or that cannot be read.
func TestWhichFileIgnores(t *testing.T) {
	w := open(t, map[string]string{
		".coauthorignore": "gone/\n*.x\n!d.y\n", ".aiderignore": "*.y\n", "sub/.coauthorignore": "*.z\n!b.x\n!c.x\n", "sub/deep/.coauthorignore": "c.x\n", ".gitignore": "*.git\n",
		"bad/.aiderignore": "\x00", "bad/in/.coauthorignore": "!e.q\n*.r\n", "bad/in/more/.coauthorignore": "!f.q\n",
	}, workspace.Options{})
	for path, file := range map[string]string{
		"a.x": ".coauthorignore", "gone/a": ".coauthorignore", "gone/b/c/d": ".coauthorignore", "a.y": ".aiderignore", "d.y": "", "a.git": ".gitignore", "a": "", "sub/a": "",
		"sub/a.x": ".coauthorignore", "sub/a.z": "sub/.coauthorignore", "sub/b.x": "", "sub/deep/b.x": "", "sub/c.x": "", "sub/deep/c.x": "sub/deep/.coauthorignore", "sub/deep/a.z": "sub/.coauthorignore",
		"bad/a": "bad/.aiderignore", "bad/in/e.q": "bad/.aiderignore", "bad/in/a.r": "bad/.aiderignore", "bad/in/more/f.q": "bad/.aiderignore", "bad": "", "in/e.q": "",
	} {
		d := w.Door().Check(t.Context(), path, workspace.OpSend)
		if (d.Code == workspace.CodeIgnored) != (file != "") || file != "" && (!strings.HasPrefix(d.Reason, path+" ") || !strings.Contains(d.Reason, " "+file)) {
			t.Errorf("%s: %+v, want %q", path, d, file)
		}
		if !strings.HasPrefix(file, ".git") && w.Door().Lister(t.Context())(path) != (file == "") {
			t.Errorf("%s is listed: %v", path, file != "")
		}
		if w.Door().Named(t.Context())(path) != (file != "") {
			t.Errorf("%s is named: %v", path, file == "")
		}
	}
	if w.Door().Lister(t.Context())("sub/.coauthorignore/below") != true { // there is nothing to read below a file
		t.Error("a path below a file is hidden")
	}
}

// TestTheExcludeFileOfTheRepository counts at the root of it alone, and not in a listing that git has filtered already.
func TestTheExcludeFileOfTheRepository(t *testing.T) {
	w := open(t, map[string]string{".git/info/exclude": "y\n", "sub/.git/info/exclude": "x\n", "sub/x": "", "x": "", "y": ""}, workspace.Options{})
	for path, want := range map[string]bool{"y": true, "sub/y": true, "x": false, "sub/x": false} {
		if d := w.Door().Check(t.Context(), path, workspace.OpSend); (d.Code == workspace.CodeIgnored) != want {
			t.Errorf("%+v", d)
		}
		if w.Door().Named(t.Context())(path) != want || !w.Door().Lister(t.Context())(path) {
			t.Errorf("%s: named %v, or it is not listed", path, !want)
		}
	}
}

// TestHowManyRules: an ignore file is read with as many rules as there may be; with one more all is hidden.
func TestHowManyRules(t *testing.T) {
	w := open(t, nil, workspace.Options{})
	for n, hidden := range map[int]bool{10_000: false, 10_001: true} {
		w.DidOpen(".coauthorignore", strings.Repeat("z\n# no rule\n\n", n), 1)
		if d := w.Door().Check(t.Context(), "a", workspace.OpSend); (d.Code == workspace.CodeIgnored) != hidden {
			t.Errorf("%d rules: %+v", n, d)
		}
	}
}

// TestAPathOfThousandsOfFolders is judged in time, whatever it is asked for.
func TestAPathOfThousandsOfFolders(t *testing.T) {
	w := open(t, map[string]string{".gitignore": "zz\n", ".coauthorignore": "!y\n"}, workspace.Options{})
	path := strings.Repeat("x/", 2047) + "y"
	prompt := time.AfterFunc(time.Minute, func() { panic("hung: a path of many folders") })
	defer prompt.Stop()
	if d := w.Door().Check(t.Context(), path, workspace.OpCreate); d.Verdict != workspace.Allow {
		t.Errorf("%s", d.Reason)
	}
	if !w.Door().Lister(t.Context())(path) || w.Door().Named(t.Context())(path) {
		t.Error("it is hidden")
	}
}
