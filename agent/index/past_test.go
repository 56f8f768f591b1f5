package index

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// object gives the file of a git object that is in no pack.
func object(t *testing.T, root, name string) string {
	t.Helper()
	cmd := exec.Command("git", "rev-parse", name)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	id := strings.TrimSpace(string(out))
	return filepath.Join(root, ".git/objects", id[:2], id[2:])
}

// What can be read of a damaged history is worth something: the commits before the damage, and all of them without
// names where only a text is missing.
func TestDamagedHistory(t *testing.T) {
	body := "\tone()\n\ttwo()\n\tthree()\n\tfour()\n"
	for what, c := range map[string]struct {
		lost  string
		names string // the hunks of each commit that is there
	}{
		"whole":               {"", "Alpha,Alpha,"},
		"an old commit":       {"HEAD~2", "Alpha"},
		"an old text":         {"HEAD~1:a.go", ","},
		"the newest commit":   {"HEAD", ""},
		"a folder of a while": {"HEAD~1^{tree}", ""},
	} {
		root := t.TempDir()
		git(t, root, "init", "-q", "-b", "main")
		for i := range 3 {
			commit(t, root, "next", map[string]string{"a.go": fmt.Sprintf("package a\n\nfunc Alpha() {\n%s\tlast(%d)\n}\n", body, i)})
		}
		h := history{root: root, kept: newStore(t.TempDir(), root, ".log")}
		if c.lost != "" {
			if err := os.Remove(object(t, root, c.lost)); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 { // read and kept
			commits, err := h.Commits(t.Context(), 10)
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
			var names []string
			for _, commit := range commits {
				name := ""
				for _, hunk := range commit.Hunks {
					name += hunk.Name
				}
				if names = append(names, name); len(commit.Paths) != 1 || commit.Paths[0] != "a.go" {
					t.Errorf("%s: %+v", what, commit)
				}
			}
			if got := strings.Join(names, ","); !strings.HasPrefix(got, c.names) || c.lost == "" && got != c.names {
				t.Errorf("%s: the names are %q, want %q", what, got, c.names)
			}
		}
	}
}

// Only so many of the newest commits are read with their diffs, since those take long; of the others the files
// are known.
func TestLongHistory(t *testing.T) {
	root := t.TempDir()
	git(t, root, "init", "-q", "-b", "main")
	var in bytes.Buffer
	total := patched + 3
	for i := range total {
		text := fmt.Sprintf("package a\n\nfunc Alpha() {\n\tone()\n\ttwo()\n\tthree()\n\tfour()\n\tlast(%d)\n}\n", i)
		fmt.Fprintf(&in, "commit refs/heads/main\ncommitter a <a@example.org> %d +0000\ndata 1\nx\nM 644 inline a.go\ndata %d\n%s\n", 1_700_000_000+i, len(text), text)
	}
	cmd := exec.Command("git", "fast-import", "--quiet")
	cmd.Dir, cmd.Stdin = root, &in
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	h := history{root: root}
	for _, limit := range []int{3, total} {
		commits, err := h.Commits(t.Context(), limit)
		if err != nil || len(commits) != limit {
			t.Errorf("%d commits of %d, %v", len(commits), limit, err)
		}
		for i, c := range commits {
			if len(c.Paths) != 1 || (len(c.Hunks) == 1) != (i < patched) {
				t.Fatalf("at most %d: commit %d: %+v", limit, i, c)
			}
		}
	}
}

// A word of a language is nobody's name.
func TestWordsThatAreNoNames(t *testing.T) {
	for _, word := range strings.Fields("func function if for while switch return async await catch else elif match select default const var let class struct sizeof") {
		for _, header := range []string{word + " (x) {", "\t" + word + "(x)", word + " = x", word + ": x", "type " + word} {
			if got := nameOf(header); got != "" {
				t.Errorf("%q: %q", header, got)
			}
		}
		if got := nameOf(word + "ed(x)"); got != word+"ed" {
			t.Errorf("%q: %q", word+"ed(x)", got)
		}
	}
	// Only the first calls of a line are looked at: they stand nearest to its beginning, where names stand.
	if got := nameOf("if (a) for (b) while (c) switch (d) run(e)"); got != "" {
		t.Errorf("got %q", got)
	}
}
