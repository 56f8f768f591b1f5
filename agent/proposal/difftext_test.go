package proposal

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/edits"
)

func TestDiffText(t *testing.T) {
	s := newStore(t)
	base := numbered(12)
	p := add(t, s,
		update("a.go", base, strings.NewReplacer("line 2\n", "two\n", "line 5\n", "five\nfive and a half\n").Replace(base)),
		edits.Change{Path: "empty", Op: edits.OpCreate},
		edits.Change{Path: "new", Op: edits.OpCreate, After: "x"},
		edits.Change{Path: "gone", Op: edits.OpDelete, Before: "y\n"},
		edits.Change{Path: "from", To: "to", Op: edits.OpRename, Before: "z\n", After: "z\n"},
	)
	want := `diff --git a/a.go b/a.go
--- a/a.go
+++ b/a.go
@@ -1,3 +1,3 @@ hunk 1
 line 1
-line 2
+two
 line 3
@@ -4,5 +4,6 @@ hunk 2
 line 4
-line 5
+five
+five and a half
 line 6
 line 7
 line 8
diff --git a/empty b/empty
new file mode 100644
diff --git a/new b/new
new file mode 100644
--- /dev/null
+++ b/new
@@ -0,0 +1,1 @@ hunk 1
+x
\ No newline at end of file
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1,1 +0,0 @@ hunk 1
-y
diff --git a/from b/to
rename from from
rename to to
`
	if got := DiffText(*p); got != want {
		t.Errorf("got\n%s", got)
	}
	if got := ColouredDiff(*p); !strings.Contains(got, "\x1b[31m-line 2\x1b[0m\n\x1b[32m+two\x1b[0m\n") ||
		!strings.Contains(got, "\x1b[1m--- a/a.go\x1b[0m\n") {
		t.Errorf("coloured:\n%q", got)
	}
}

// TestDiffTextOfTheRest accepts some hunks and lets git apply the diff of the others.
func TestDiffTextOfTheRest(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	for seed := range uint64(25) {
		r := rand.New(rand.NewPCG(seed, 3))
		base := strings.TrimSuffix(numbered(30), map[bool]string{true: "\n"}[seed%2 == 0])
		goal := scribble(r, scribble(r, base, "model"), "again")
		ed := newEditor(t, map[string]string{"a": base})
		s := newStore(t)
		p := add(t, s, update("a", base, goal))
		for _, h := range p.Files[0].Hunks {
			sel := Selector{Hunks: []int{h.Number}}
			if r.IntN(3) == 0 && len(s.Pending()[0].Files[0].Undecided()) > 1 {
				out, err := s.Apply(context.Background(), sel, ed)
				wantOutcome(t, out, err, StatusApplied)
			}
		}
		left := s.Pending()[0]
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "a"), []byte(ed.text("a")), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(git, "apply", "--unidiff-zero", "-")
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(DiffText(left))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("seed %d: %v: %s\n%s", seed, err, out, DiffText(left))
		}
		if got, _ := os.ReadFile(filepath.Join(dir, "a")); string(got) != goal {
			t.Fatalf("seed %d: git made %q, want %q", seed, got, goal)
		}
	}
}

func TestLabel(t *testing.T) {
	for in, want := range map[string]string{
		" a\n b\tc ":             "a b c",
		strings.Repeat("é", 70):  strings.Repeat("é", 59) + "…",
		strings.Repeat("x ", 30): strings.TrimSpace(strings.Repeat("x ", 30)),
	} {
		if got := Label(in); got != want {
			t.Errorf("Label(%q) = %q", in, got)
		}
	}
}
