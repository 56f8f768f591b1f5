package sandbox_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coauthor/agent/sandbox"
	"coauthor/agent/verify"
	"coauthor/edits"
)

// copying is a yard in which commands run in a copy.
func copying(t *testing.T, files map[string]string) *yard {
	t.Helper()
	y := newYard(t, files)
	y.ways = []sandbox.Way{sandbox.Copied}
	return y
}

// git runs git in a folder, as a user without settings.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=me", "-c", "user.email=me@example.com"}, args...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+t.TempDir(), "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// TestACopyIsTheFolderWithTheChange: a command in a copy sees what was changed, made, moved and taken away, and what the
// user has typed and not saved; links lead into the copy; whatever it does, the user's folder stays as it was to the last
// bit and time, and the next command finds nothing of it. The verdict says that it was a copy.
func TestACopyIsTheFolderWithTheChange(t *testing.T) {
	y := copying(t, map[string]string{"a.txt": "one\n", "gone.txt": "x\n", "old.txt": "y\n", "typed.txt": "saved\n",
		"run.sh": "#!/bin/sh\nexit 3\n", "sub/deep/b.txt": "b\n", "real/c.txt": "c\n", "node_modules/dep/index.js": "1\n"})
	outside := filepath.Join(filepath.Dir(y.root), "outside.txt")
	if err := os.WriteFile(outside, []byte("out\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"near": "a.txt", "whole": filepath.Join(y.root, "a.txt"), "far": "../outside.txt", "dir": "real"} {
		if err := os.Symlink(target, filepath.Join(y.root, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(y.root, "run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	y.ws.DidOpen("typed.txt", "typed\n", 1)
	before := sum(t, y.root)
	changes := []edits.Change{oneToTwo,
		{Path: "gone.txt", Op: edits.OpDelete, Before: "x\n"},
		{Path: "old.txt", To: "new/dir/new.txt", Op: edits.OpRename, Before: "y\n", After: "y\n"},
		{Path: "run.sh", Op: edits.OpUpdate, Before: "#!/bin/sh\nexit 3\n", After: "#!/bin/sh\nexit 0\n"},
		{Path: "dir/c.txt", Op: edits.OpUpdate, Before: "c\n", After: "changed\n"}}
	for range 2 { // the second time it stands there
		y.holds(`
		test "$(pwd)" != '`+y.root+`'
		test "$(cat a.txt near whole)" = "$(printf 'two\ntwo\ntwo\n')"
		test "$(cat far)" = out
		test "$(cat real/c.txt)" = changed; test -L dir
		test ! -e gone.txt; test ! -e old.txt
		test "$(cat new/dir/new.txt)" = y
		test "$(cat typed.txt)" = typed
		test "$(cat sub/deep/b.txt)" = b
		test ! -e made; test ! -e node_modules/dep/made
		test -x run.sh && ./run.sh
		echo x > $TMPDIR/temporary
		rm sub/deep/b.txt; rmdir sub/deep; mkdir sub/deep; echo c > sub/deep/c.txt
		echo more >> a.txt; chmod 600 a.txt; touch -d 2001-01-01 run.sh; mv run.sh ran.sh
		echo more >> node_modules/dep/index.js; echo x > node_modules/dep/made
		ln -s a.txt link; ln a.txt hard; echo x > made; mkdir locked; echo x > locked/x; chmod 000 locked
		`, changes...)
		if sum(t, y.root) != before {
			t.Fatal("the user's folder is not as it was")
		}
	}
	if text, err := os.ReadFile(outside); err != nil || string(text) != "out\n" {
		t.Errorf("%q, %v", text, err)
	}
	if left := y.left(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	// Between them stands how long it took, on a slow machine.
	if got := verify.Verdict([]verify.Result{y.sh("true", oneToTwo)}); !strings.HasPrefix(got, "sh ✓") || !strings.HasSuffix(got, ", in a copy of the folder without a sandbox") {
		t.Errorf("%q", got)
	}
}

// TestACopyFollowsTheFolder: what the user saves, makes and takes away is so in the copy the next time; a file whose text
// changes there gets a new time, and one whose text stays keeps it, so that builds do neither too little nor too much.
func TestACopyFollowsTheFolder(t *testing.T) {
	y := copying(t, map[string]string{"a.txt": "one\n", "b.txt": "b\n", "c.txt": "c\n"})
	times := func(changes ...edits.Change) string {
		t.Helper()
		return y.says("cat *.txt | tr '\\n' ' '; stat -c %n:%y *.txt | tr '\\n' ' '", changes...)
	}
	time := func(text, file string) string {
		t.Helper()
		_, rest, ok := strings.Cut(text, file+":")
		if !ok {
			t.Fatalf("no %s in %q", file, text)
		}
		return rest[:len("2006-01-02 15:04:05.000000000")]
	}
	first := times(oneToTwo)
	again := times(oneToTwo)
	if !strings.Contains(first, "two b c") || first != again {
		t.Errorf("%q, then %q", first, again)
	}
	info, err := os.Stat(filepath.Join(y.root, "b.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if want := info.ModTime().Format("2006-01-02 15:04:05.000000000"); time(first, "b.txt") != want {
		t.Errorf("%q, want the time %s", first, want)
	}
	y.put("b.txt", "B\n")
	if err := os.Chtimes(filepath.Join(y.root, "b.txt"), info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	y.put("d.txt", "d\n")
	if err := os.Remove(filepath.Join(y.root, "c.txt")); err != nil {
		t.Fatal(err)
	}
	y.reopen()
	then := times(edits.Change{Path: "e.txt", Op: edits.OpCreate, After: "e\n"})
	if !strings.Contains(then, "one B d e") || time(then, "b.txt") == time(first, "b.txt") || time(then, "a.txt") == time(first, "a.txt") {
		t.Errorf("%q, then %q", first, then)
	}
}

// TestBuildsInACopyAreTold: a build is told what is older than what: what was stale in the folder is stale in the copy whatever a command
// made of it, what the user has changed since is newer than anything made of it before, and results of cargo, which stay,
// are never newer than what they were not made of.
func TestBuildsInACopyAreTold(t *testing.T) {
	y := copying(t, map[string]string{".gitignore": "*.o\n/gen.rs\n/target\n", "a.txt": "one\n", "a.o": "old\n", "b.txt": "b\n", "b.o": "old\n", "c.txt": "c\n", "gen.rs": "1\n"})
	git(t, y.root, "init", "-q")
	for i, name := range []string{"a.o", "a.txt", "b.txt", "b.o", "c.txt", "gen.rs"} {
		at := time.Date(2020, 1, 1, i, 0, 0, 0, time.UTC)
		if err := os.Chtimes(filepath.Join(y.root, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	finds := func(what, script string, changes ...edits.Change) {
		t.Helper()
		if said := y.says("set -e\n"+script+"\necho well", changes...); !strings.Contains(said, "well") {
			t.Errorf("%s: %q", what, said)
		}
	}
	const order = "test a.txt -nt a.o; test b.o -nt b.txt"
	finds("the first copy", order+"\necho new > a.o; echo new > b.o")
	finds("what a command made", order+"; test $(cat a.o b.o | tr -d '\\n') = oldold\necho new > b.txt; echo new > b.o")
	finds("what a command made and wrote", order)
	finds("a change of the model", "touch a.o", oneToTwo)
	finds("its end", order)
	y.put("a.txt", "three\n")
	y.put("b.o", "new\n")
	y.reopen()
	finds("what the user changed", order+"; test a.txt -nt c.txt")

	y.put("Cargo.toml", "[package]\n")
	y.reopen()
	finds("cargo builds", "echo new >> c.txt; mkdir target; echo x > target/x")
	finds("its results stay, and are old", "test c.txt -nt target/x; touch target/x", oneToTwo)
	finds("without the model's change", "test a.txt -nt target/x; touch target/x")
	finds("nothing has changed", "test target/x -nt c.txt; echo 2 > gen.rs; touch target/x")
	finds("a source that git ignores", "test ! -e target; test $(cat gen.rs) = 1")
}

// TestACopyIsNotLedAstray: what a command puts in the place of a folder of its copy leads the next update nowhere else.
func TestACopyIsNotLedAstray(t *testing.T) {
	y := copying(t, map[string]string{"a.txt": "one\n", "sub/b.txt": "b\n", "sub/more/c.txt": "c\n"})
	y.put("../elsewhere/b.txt", "mine\n")
	y.put("../elsewhere/more/c.txt", "mine\n")
	elsewhere := filepath.Join(filepath.Dir(y.root), "elsewhere")
	before := sum(t, elsewhere)
	y.holds("rm -r sub; ln -s '"+elsewhere+"' sub; rm a.txt; mkdir a.txt; echo x > a.txt/x", oneToTwo)
	y.put("sub/b.txt", "new\n")
	y.reopen()
	y.holds("test ! -L sub; test $(cat sub/b.txt) = changed; test $(cat sub/more/c.txt) = c; test $(cat a.txt) = two", oneToTwo,
		edits.Change{Path: "sub/b.txt", Op: edits.OpUpdate, Before: "new\n", After: "changed\n"})
	y.holds("mv ../tree ../away && ln -s '"+elsewhere+"' ../tree", oneToTwo)
	y.holds("test ! -L ../tree; test $(cat a.txt) = two; test $(cat sub/b.txt) = new", oneToTwo)
	if sum(t, elsewhere) != before {
		t.Error("a folder elsewhere was written to")
	}
}

// TestACopyLeavesOutWhatWasBuilt: generated code and packages that git does not list come along; what builds have made, and
// large files that nobody lists, do not.
func TestACopyLeavesOutWhatWasBuilt(t *testing.T) {
	y := copying(t, map[string]string{".gitignore": "build/\n*.gen.go\n*.bin\nnode_modules/\n", "a.txt": "one\n", "x.gen.go": "package x\n",
		"build/CMakeCache.txt": "x", "node_modules/dep/index.js": "1\n", "node_modules/.cache/x": "x"})
	y.put("large.bin", strings.Repeat("x", 2<<20))
	git(t, y.root, "init", "-q")
	y.holds("test -e x.gen.go; test -e node_modules/dep/index.js; test ! -e build; test ! -e large.bin; test ! -e node_modules/.cache", oneToTwo)
}

// TestACopyHasARepositoryOfItsOwn: git says there what it says in the folder, but for the change, and what a command does
// to it stays there.
func TestACopyHasARepositoryOfItsOwn(t *testing.T) {
	y := copying(t, map[string]string{"a.txt": "one\n", "b.txt": "b\n", "staged.txt": "s\n"})
	git(t, y.root, "init", "-q", "-b", "work")
	git(t, y.root, "add", "a.txt", "b.txt")
	git(t, y.root, "commit", "-qm", "first")
	git(t, y.root, "branch", "other")
	git(t, y.root, "add", "staged.txt")
	head := git(t, y.root, "rev-parse", "HEAD")
	before := sum(t, y.root)
	longer := edits.Change{Path: "a.txt", Op: edits.OpUpdate, Before: "one\n", After: "three\n"} // git asks size and second first
	for range 2 {
		y.holds(`
		test "$(git rev-parse HEAD)" = `+head+`
		test "$(git symbolic-ref --short HEAD)" = work
		test "$(git rev-parse other)" = `+head+`
		test "$(git status --porcelain | tr '\n' ,)" = " M a.txt,A  staged.txt,"
		test "$(git show HEAD:b.txt)" = b
		git -c user.name=x -c user.email=x@example.com commit -qam second
		git branch mine; git gc -q
		`, longer)
		if sum(t, y.root) != before {
			t.Fatal("the user's folder is not as it was")
		}
	}
}

// TestPackagesThatPythonUsesInPlace: an environment beside the folder that loads a package from where it is loads the one
// in the copy: by a list of folders, or by the module that setuptools writes.
func TestPackagesThatPythonUsesInPlace(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	for name, write := range map[string]func(y *yard, site string){
		"list": func(y *yard, site string) { y.put(site+"/pkg.pth", filepath.Join(y.root, "src")+"\n") },
		"finder": func(y *yard, site string) {
			y.put(site+"/__editable___pkg_finder.py", fmt.Sprintf("import sys\nMAPPING = {'pkg': %q}\ndef install(): sys.path.append(MAPPING['pkg'][:-4])\n", filepath.Join(y.root, "src/pkg")))
			y.put(site+"/__editable__.pkg.pth", "import __editable___pkg_finder; __editable___pkg_finder.install()\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			y := copying(t, map[string]string{"src/pkg/__init__.py": "WORD = 'one'\n"})
			site := "../env/lib/python3.99/site-packages"
			write(y, site)
			y.environ = append(y.environ, "VIRTUAL_ENV="+filepath.Join(filepath.Dir(y.root), "env"))
			script := "import site, sys; site.addsitedir('" + filepath.Join(filepath.Dir(y.root), "env/lib/python3.99/site-packages") + "')\nimport pkg; assert pkg.WORD == 'two', (pkg.WORD, sys.path)"
			change := edits.Change{Path: "src/pkg/__init__.py", Op: edits.OpUpdate, Before: "WORD = 'one'\n", After: "WORD = 'two'\n"}
			results, err := y.verify(t.Context(), []verify.Tool{{Argv: verify.Command{python, "-c", script}}}, change)
			if err != nil || len(results) != 1 || len(results[0].Findings) > 0 || results[0].Skipped != "" {
				t.Errorf("%+v, %v", results, err)
			}
		})
	}
}

// TestWhatACopySaysIsSaidOfTheFolder: places that a command names in the copy are those of the folder, also where it runs in
// a part of it.
func TestWhatACopySaysIsSaidOfTheFolder(t *testing.T) {
	for _, way := range sandbox.Ways() {
		t.Run(string(way), func(t *testing.T) {
			y := newYard(t, map[string]string{"part/a.txt": "one\n", "part/sub/b.txt": "b\n"})
			y.ways = []sandbox.Way{way}
			y.plain()
			results, err := y.verify(t.Context(), []verify.Tool{{Dir: "part", Files: []string{"*.txt"},
				Argv: verify.Command{"sh", "-c", `grep -q two "$1" || exit 0; echo "$PWD/$1:1: whole, in $PWD"; echo "sub/b.txt:1: near"; exit 1`, "sh", "{files}"}}},
				edits.Change{Path: "part/a.txt", Op: edits.OpUpdate, Before: "one\n", After: "two\n"})
			if err != nil || len(results) != 1 {
				t.Fatalf("%+v, %v", results, err)
			}
			var got []string
			for _, f := range results[0].Findings {
				got = append(got, f.Path+" "+f.Text)
			}
			if text := strings.Join(got, "; "); text != "part/a.txt line 1: whole, in "+y.root+"/part (sh); part/sub/b.txt line 1: near (sh)" {
				t.Errorf("%q", text)
			}
		})
	}
}

// TestWhereNothingIsPossible: the reason is told in words, and nothing runs.
func TestWhereNothingIsPossible(t *testing.T) {
	y := newYard(t, map[string]string{"a.txt": "one\n"})
	s := sandbox.NewShadow(sandbox.ShadowOptions{Dir: y.state, Environ: y.environ, Ways: []sandbox.Way{sandbox.Overlay}})
	if way, err := s.Way(t.Context(), y.root); err == nil || !strings.Contains(err.Error(), "this system cannot run commands in a sandbox or a copy: this program runs without support for namespaces") {
		t.Errorf("%q, %v", way, err)
	}
	s = sandbox.NewShadow(sandbox.ShadowOptions{Dir: y.state, Environ: y.environ})
	if way, err := s.Way(t.Context(), y.root); err != nil || way != sandbox.Copied {
		t.Errorf("%q, %v", way, err)
	}
	if way, err := (*sandbox.Shadow)(nil).Way(t.Context(), y.root); err == nil {
		t.Errorf("%q", way)
	}
}

// TestACopyOfAnUnusualRepository: in a repository without a commit, with a detached head, in the middle of a rebase, or that is
// broken, a command runs in the copy, and git says there what it says in the folder, as far as that is a matter of what is
// committed and staged.
func TestACopyOfAnUnusualRepository(t *testing.T) {
	for name, prepare := range map[string]func(t *testing.T, y *yard){
		"no commit": func(t *testing.T, y *yard) { git(t, y.root, "add", "a.txt") },
		"detached": func(t *testing.T, y *yard) {
			git(t, y.root, "add", ".")
			git(t, y.root, "commit", "-qm", "first")
			git(t, y.root, "checkout", "-q", "--detach")
		},
		"rebase": func(t *testing.T, y *yard) {
			git(t, y.root, "add", ".")
			git(t, y.root, "commit", "-qm", "first")
			git(t, y.root, "checkout", "-qb", "side")
			y.put("b.txt", "side\n")
			git(t, y.root, "commit", "-qam", "side")
			git(t, y.root, "checkout", "-q", "work")
			y.put("b.txt", "work\n")
			git(t, y.root, "commit", "-qam", "work")
			cmd := exec.CommandContext(t.Context(), "git", "-c", "user.name=me", "-c", "user.email=me@example.com", "rebase", "side")
			cmd.Dir = y.root
			if out, err := cmd.CombinedOutput(); err == nil {
				t.Fatalf("the rebase has no conflict: %s", out)
			}
		},
		"broken": func(t *testing.T, y *yard) { y.put(".git/HEAD", "nonsense\n") },
	} {
		t.Run(name, func(t *testing.T) {
			y := copying(t, map[string]string{"a.txt": "one\n", "b.txt": "b\n"})
			git(t, y.root, "init", "-q", "-b", "work")
			prepare(t, y)
			y.reopen()
			said := func(in string) string {
				if name == "broken" {
					return ""
				}
				return git(t, in, "status", "--porcelain") + git(t, in, "branch", "--show-current")
			}
			want := said(y.root)
			before := sum(t, y.root)
			got := y.says("git status --porcelain; git branch --show-current; cat a.txt", edits.Change{Path: "c.txt", Op: edits.OpCreate, After: "c\n"})
			got = strings.ReplaceAll(got, "?? c.txt\n", "")
			if !strings.Contains(got, "one") || name != "broken" && strings.Join(strings.Fields(got), "") != strings.Join(strings.Fields(want), "")+"one" {
				t.Errorf("in the copy git says %q, in the folder %q", got, want)
			}
			if sum(t, y.root) != before {
				t.Error("the user's folder is not as it was")
			}
		})
	}
}
