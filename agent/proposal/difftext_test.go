package proposal

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/display/displaytest"
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
	if got := ScreenDiff(*p, true); !strings.Contains(got, "\x1b[31m-line 2\x1b[0m\n\x1b[32m+two\x1b[0m\n") ||
		!strings.Contains(got, "\x1b[1m--- a/a.go\x1b[0m\n") {
		t.Errorf("coloured:\n%q", got)
	}
}

// TestScreenDiff: no line of a change can hide on a terminal, whatever stands in it or in its name.
func TestScreenDiff(t *testing.T) {
	s := newStore(t)
	evil := "os.system('evil')"
	p := add(t, s,
		edits.Change{Path: "cr.py", Op: edits.OpCreate, After: evil + "\rx = 1            \ny = 2\n"},
		edits.Change{Path: "esc.py", Op: edits.OpCreate, After: evil + "\x1b[2K\x1b[1A\nz\x1b[8m = 3\n"},
		edits.Change{Path: "bidi.py", Op: edits.OpCreate, After: "# \u202e" + evil + "\u2066\nq\u200b = 1\xff\n"},
		edits.Change{Path: "bs.py", Op: edits.OpCreate, After: evil + strings.Repeat("\b", 30) + "ok()\n"},
		update("crlf", "a\r\nb\r\n", "a\r\nc\r\n"),
		update("ends", "a\nb\n", "a\r\nb\n"),
		update("cut", "a\r\nb\r\n", "a\r\nc\r"),
		edits.Change{Path: "n\u200b" + strings.Repeat("long/", 300) + "end", Op: edits.OpCreate, After: "x\n"},
	)
	for _, colour := range []bool{false, true} {
		got := ScreenDiff(*p, colour)
		for _, want := range []string{
			"+" + evil + "<U+000D>x = 1            \n", "+" + evil + "<U+001B>[2K<U+001B>[1A\n", "+z<U+001B>[8m = 3\n",
			"+# <U+202E>" + evil + "<U+2066>\n", "+q<U+200B> = 1<0xFF>\n", "+" + evil + "<U+0008><U+0008>",
			"-b\n+c\n", "-a\n+a<U+000D>\n b\n", "+c<U+000D>\n\\ No newline", "+++ b/n<U+200B>long/",
		} {
			plain := strings.NewReplacer("\x1b[1m", "", "\x1b[31m", "", "\x1b[32m", "", "\x1b[36m", "", "\x1b[0m", "").Replace(got)
			if !strings.Contains(plain, want) {
				t.Errorf("colour %v: %q is not shown:\n%q", colour, want, plain)
			}
			if displaytest.Hidden(plain) || strings.Contains(plain, "\r") {
				t.Errorf("colour %v: something is hidden:\n%q", colour, plain)
			}
		}
		for line := range strings.Lines(got) {
			if len(line) > 500 {
				t.Errorf("a line of %d bytes", len(line))
			}
		}
	}
	var lines []string
	for _, h := range HiddenLines(*p) {
		lines = append(lines, fmt.Sprintf("%s:%d", h.Path, h.Line))
	}
	if want := []string{"cr.py:1", "esc.py:1", "esc.py:2", "bidi.py:1", "bidi.py:2", "bs.py:1", "ends:1", "cut:2"}; !slices.Equal(lines, want) {
		t.Errorf("hidden: %v, want %v", lines, want)
	}
	if got := DiffText(*p); !strings.Contains(got, "+z\x1b[8m = 3\n") || !strings.Contains(got, "+c\r\n\\ No newline") {
		t.Error("the diff for programs is not exact")
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
		kept := slices.Clone(p.Files[0].Hunks)
		for _, h := range p.Files[0].Hunks {
			sel := Selector{Hunks: []int{h.Number}}
			if len(s.Pending()[0].Files[0].Undecided()) == 1 {
				break
			}
			switch r.IntN(5) {
			case 0, 1:
				out, err := s.Apply(context.Background(), sel, ed)
				wantOutcome(t, out, err, StatusApplied)
			case 2:
				if _, err := s.Discard(sel); err != nil {
					t.Fatal(err)
				}
				kept = slices.DeleteFunc(kept, func(k edits.Hunk) bool { return k.Number == h.Number })
			}
		}
		goal, err := edits.ApplyHunks(base, kept)
		if err != nil {
			t.Fatal(err)
		}
		left := s.Pending()[0]
		now := splitLines(ed.text("a"))
		for header := range strings.Lines(DiffText(left)) { // git finds a hunk that is elsewhere, too
			var from, old, to, fresh, n int
			if _, err := fmt.Sscanf(header, "@@ -%d,%d +%d,%d @@ hunk %d", &from, &old, &to, &fresh, &n); err != nil {
				continue
			}
			h := p.Files[0].Hunks[n-1]
			if old > 0 && !strings.Contains(strings.Join(now[from-1:from-1+old], ""), h.Old) {
				t.Fatalf("seed %d: %q is not at lines %d to %d", seed, h.Old, from, from+old-1)
			}
		}
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

// TestDecidedFilesAreNotShown again, nor their lines warned of.
func TestDecidedFilesAreNotShown(t *testing.T) {
	s := newStore(t)
	add(t, s, update("a", "a\n", "A\x1b\n"), update("b", numbered(9), "\x1b\n"+numbered(9)+"end\x1b\n"), edits.Change{Path: "c", Op: edits.OpCreate})
	if _, err := s.Discard(Selector{Files: []string{"a", "c"}}); err != nil {
		t.Fatal(err)
	}
	p, err := s.Discard(Selector{Files: []string{"b"}, Hunks: []int{1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{DiffText(p), ScreenDiff(p, false), ScreenDiff(p, true)} {
		if strings.Contains(text, "a/a") || strings.Contains(text, "b/c") || strings.Contains(text, "hunk 1") ||
			strings.Count(text, "diff --git") != 1 || strings.Count(text, "hunk 2") != 1 {
			t.Errorf("%q", text)
		}
	}
	if list := HiddenLines(p); len(list) != 1 || list[0].Path != "b" || list[0].Line != 11 || list[0].Text != "end<U+001B>" {
		t.Errorf("%+v", list)
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
