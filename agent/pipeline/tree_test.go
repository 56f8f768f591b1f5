package pipeline

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func treeOf(entries []string, files ...string) *Tree {
	t := &Tree{memory: Selection{Entries: entries}, files: files, ticked: map[string]bool{}}
	for _, file := range t.selected() {
		t.ticked[file] = true
	}
	return t
}

// What is named by number, range, folder, glob or name is ticked, and what is wholly ticked loses its ticks.
func TestTreeToggles(t *testing.T) {
	files := []string{"a.py", "b c.py", "lib/one.go", "lib/two.go", "main.go"} // 3 is lib/
	for answer, want := range map[string]string{
		"1":           "a.py",
		"3":           "lib/one.go, lib/two.go",
		"1-4":         "a.py, b c.py, lib/one.go",
		"1, 6":        "a.py, main.go",
		"1 1":         "",
		"lib":         "lib/one.go, lib/two.go",
		"lib/":        "lib/one.go, lib/two.go",
		"*.go":        "lib/one.go, lib/two.go, main.go",
		"b c.py":      "b c.py",
		"all":         strings.Join(files, ", "),
		"all 3":       "a.py, b c.py, main.go",
		"lib/one.go":  "lib/one.go",
		"all none":    "",
		"7":           "there is no line 7; the last one is 6",
		"2-1":         "there is no line 2-1; the last one is 6",
		"1 nobody.py": "no file here matches nobody.py",
	} {
		tree := treeOf(nil, files...)
		var got string
		if err := tree.Toggle(answer); err != nil {
			if got = err.Error(); len(tree.Files()) > 0 {
				t.Errorf("%q ticks %v and fails", answer, tree.Files())
			}
		} else {
			got = strings.Join(tree.Files(), ", ")
		}
		if got != want {
			t.Errorf("%q: %s, want %s", answer, got, want)
		}
	}
}

// The file remembers globs that still select only what is ticked, and is not written for what it says already.
func TestTreeRemembers(t *testing.T) {
	tree := treeOf([]string{"*.go", "lib/*", "gone.py"}, "a.py", "lib/x.py", "main.go")
	if c, ok := tree.Remember(); ok {
		t.Errorf("nothing changed, and it writes %q", c.After)
	}
	if err := tree.Toggle("lib/x.py a.py"); err != nil {
		t.Fatal(err)
	}
	c, ok := tree.Remember()
	if !ok {
		t.Fatal("it forgets")
	}
	s, err := ParseSelection(c.After)
	if err != nil || strings.Join(s.Entries, ", ") != "*.go, a.py" {
		t.Errorf("%v %q", err, s.Entries)
	}
}

// A large project shows its upper folders, of which each still can be ticked.
func TestTreeOfALargeProject(t *testing.T) {
	var files []string
	for i := range 3 {
		for j := range mostBranches {
			files = append(files, fmt.Sprintf("dir%d/sub/%03d.go", i, j))
		}
	}
	files = append(files, "main.go")
	tree := treeOf([]string{"dir0/sub/000.go"}, slices.Sorted(slices.Values(files))...)
	shown := tree.Question("").Body
	if shown != "1 [-] dir0/\n2   [-] sub/ (1 of 200 files selected)\n3 [ ] dir1/\n4   [ ] sub/ (0 of 200 files selected)\n5 [ ] dir2/\n6   [ ] sub/ (0 of 200 files selected)\n7 [ ] main.go\n" {
		t.Errorf("shown\n%s", shown)
	}
	if err := tree.Toggle("3-4 dir2/sub/00?.go"); err != nil || len(tree.Files()) != 1+mostBranches+10 {
		t.Errorf("%v, %d files", err, len(tree.Files()))
	}
}
