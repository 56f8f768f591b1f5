package sandbox_test

import (
	"errors"
	"io/fs"
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

// TestAReportIsRead: what a test runner writes to the file that it is given the name of is read, in whatever way it runs;
// what no regular file, too long, or no text is in its place, is passed over, and the runner's words are read.
func TestAReportIsRead(t *testing.T) {
	const report = `<testsuite><testcase classname="a" name="test_one"/><testcase classname="a" name="test_two"><failure message="no two">a.txt:1: here</failure></testcase></testsuite>`
	const words = "echo 'a.txt:2: in words'\n"
	for _, way := range sandbox.Ways() {
		for name, c := range map[string]struct{ script, want string }{
			"a report":    {"printf %s '" + report + "' > \"$1\"; " + words, "line 1: a.test_two fails: a.txt:1: here (sh)"},
			"none":        {words, "line 2: in words (sh)"},
			"a link":      {"printf %s '" + report + "' > elsewhere.xml; ln -s \"$PWD/elsewhere.xml\" \"$1\"; " + words, "line 2: in words (sh)"},
			"a pipe":      {"mkfifo \"$1\"; " + words, "line 2: in words (sh)"},
			"a folder":    {"mkdir \"$1\"; " + words, "line 2: in words (sh)"},
			"too long":    {"{ printf %s '" + report + "'; head -c 20000000 /dev/zero | tr '\\0' ' '; } > \"$1\"; " + words, "line 2: in words (sh)"},
			"no text":     {"head -c 1000 /dev/urandom > \"$1\"; " + words, "line 2: in words (sh)"},
			"no such XML": {"echo '<html><testcase></html>' > \"$1\"; " + words, "line 2: in words (sh)"},
		} {
			t.Run(string(way)+"/"+name, func(t *testing.T) {
				y := newYard(t, map[string]string{"a.txt": "one\n"})
				y.ways = []sandbox.Way{way}
				y.plain()
				results, err := y.verify(t.Context(), []verify.Tool{{Argv: verify.Command{"sh", "-c", "grep -q two a.txt || exit 0\n" + c.script + "exit 1", "sh", "{report}"}, Tests: true}}, oneToTwo)
				if err != nil || len(results) != 1 || len(results[0].Findings) != 1 {
					t.Fatalf("%+v, %v", results, err)
				}
				if got := results[0].Findings[0]; got.Path != "a.txt" || got.Text != c.want {
					t.Errorf("%+v", got)
				}
			})
		}
	}
}

// TestPytestIsReadByItsReport: the real one, with the words that its user has chosen.
func TestPytestIsReadByItsReport(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	if out, err := exec.CommandContext(t.Context(), python, "-m", "pytest", "--version").CombinedOutput(); err != nil {
		t.Skipf("%v: %s", err, out)
	}
	ways := sandbox.Ways()
	if os.Getenv("COAUTHOR_LARGE") == "" {
		ways = ways[:1] // TestAReportIsRead has each of them
	}
	for _, way := range ways {
		t.Run(string(way), func(t *testing.T) {
			code := "def add(a, b):\n    return a + b\n"
			y := newYard(t, map[string]string{"app.py": code, "tests/test_app.py": "import pytest, sys\nsys.path.insert(0, '.')\nimport app\n\n@pytest.mark.parametrize('a', [1, 2, 3])\ndef test_add(a):\n    assert app.add(a, 1) == a + 1\n\ndef test_other():\n    pass\n"})
			y.ways = []sandbox.Way{way}
			y.plain()
			results, err := y.verify(t.Context(), []verify.Tool{{Argv: verify.Command{python, "-m", "pytest", "-p", "no:cacheprovider", "--tb=short"}, Tests: true}},
				edits.Change{Path: "app.py", Op: edits.OpUpdate, Before: code, After: "def add(a, b):\n    return a + b if a < 3 else 0\n"})
			if err != nil || len(results) != 1 || len(results[0].Findings) != 1 || results[0].Tests != 3 {
				t.Fatalf("%+v, %v", results, err)
			}
			if got := results[0].Findings[0]; got.Path != "tests/test_app.py" || !strings.Contains(got.Text, "test_add[3] fails") {
				t.Errorf("%+v", got)
			}
		})
	}
}

// TestGoKnowsItsResults: what go remembers of tests is true in the overlay too, also of tests that ask where temporary files
// go, or look at the folder of the changed file; with another file there they run.
func TestGoKnowsItsResults(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	cache, err := exec.CommandContext(t.Context(), "go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	// Where the size of a folder tells what is in it (tmpfs, xfs, btrfs) the overlay shows another, and go runs what asks for it.
	look, folder := `os.Stat(".")`, t.TempDir()
	empty, err := os.Stat(folder)
	if err != nil || os.WriteFile(filepath.Join(folder, "x"), nil, 0o600) != nil {
		t.Fatal(err)
	}
	if filled, err := os.Stat(folder); err != nil {
		t.Fatal(err)
	} else if filled.Size() != empty.Size() {
		look = `os.Stat("x_test.go")`
	}
	y := newYard(t, map[string]string{"go.mod": "module x\n\ngo 1.24\n", "notes.txt": "one\n", "testdata/a.txt": "a\n",
		"x_test.go": "package x\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestX(t *testing.T) {\n\tlist, err := os.ReadDir(\"testdata\")\n\t_, dot := " + look + "\n\tif err != nil || dot != nil || len(list) == 0 || os.TempDir() == \"\" {\n\t\tt.Fatal(list, err, dot)\n\t}\n}\n"})
	y.plain()
	temp := filepath.Join(filepath.Dir(y.root), "temp")
	if err := os.Mkdir(temp, 0o700); err != nil {
		t.Fatal(err)
	}
	y.environ = append(y.environ, "GOTOOLCHAIN=local", "TMPDIR="+temp, "GOCACHE="+strings.TrimSpace(string(cache)))
	old := time.Now().Add(-time.Hour) // what has just changed go does not remember
	if err := filepath.WalkDir(y.root, func(name string, _ fs.DirEntry, err error) error { return errors.Join(err, os.Chtimes(name, old, old)) }); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		cmd := exec.CommandContext(t.Context(), "go", "test", "./...")
		cmd.Dir, cmd.Env = y.root, y.environ
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	notes := edits.Change{Path: "notes.txt", Op: edits.OpUpdate, Before: "one\n", After: "two\n"}
	if got := y.says("go test ./...", notes); !strings.Contains(got, "(cached)") {
		t.Errorf("with another text: %s", got)
	}
	if got := y.says("go test ./...", edits.Change{Path: "testdata/b.txt", Op: edits.OpCreate, After: "b\n"}); strings.Contains(got, "(cached)") || !strings.Contains(got, "ok") {
		t.Errorf("with another file: %s", got)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left among the temporary files: %v, %v", left, err)
	}
}
