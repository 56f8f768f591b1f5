package review

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/proposal"
	"coauthor/edits"
)

// numbered are so many lines.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

// Each line of a diff belongs to a hunk or a file that is still to be decided on, or to none.
func TestPartAt(t *testing.T) {
	base := numbered(40)
	goal := strings.NewReplacer("line 3\n", "@@ -1,1 +1,1 @@ hunk 9\n", "line 13\n", "diff --git a/b b/b\n", "line 33\n", "").Replace(base)
	store := proposal.NewStore("/root", proposal.StoreOptions{})
	p, err := store.Add("t", "change it", []edits.Change{
		{Path: "a b/c.go", Op: edits.OpUpdate, Before: base, After: goal},
		{Path: "new", Op: edits.OpCreate, After: "n\n"},
		{Path: "old", To: "moved", Op: edits.OpRename, Before: base, After: goal},
		{Path: "empty", Op: edits.OpCreate},
	}, nil, proposal.Checked{})
	if err != nil {
		t.Fatal(err)
	}
	text := proposal.DiffText(*p)
	at := func(from, to string) string {
		t.Helper()
		line := func(part string) int {
			before, _, found := strings.Cut("\n"+text, "\n"+part)
			if !found {
				t.Fatalf("the diff has no %q:\n%s", part, text)
			}
			return strings.Count(before, "\n")
		}
		part, ok := PartAt(p, text, line(from), line(to))
		if !ok {
			return "none"
		}
		return fmt.Sprint(part.Files, part.Hunks)
	}
	is := func(from, to, want string) {
		t.Helper()
		if got := at(from, to); got != want {
			t.Errorf("%q to %q: %s, want %s", from, to, got, want)
		}
	}
	is("diff --git a/a b/c.go", "diff --git a/a b/c.go", "[a b/c.go] []")
	is("--- a/a b/c.go", "+++ b/a b/c.go", "[a b/c.go] []")
	is("-line 3", "-line 3", "[a b/c.go] [1]")
	is("+@@ -1,1", "+@@ -1,1", "[a b/c.go] [1]") // a line of the file that looks like a header
	is("+diff --git a/b", "+diff --git a/b", "[a b/c.go] [2]")
	is("-line 3", "+diff --git a/b", "[a b/c.go] [1 2]")
	is("diff --git a/a b/c.go", "-line 33", "[a b/c.go] [1 2 3]")
	is("+n", "+n", "[new] []") // a new file is decided on as a whole
	is("rename from old", "rename to moved", "[moved] []")
	is("-line 33", "+n", "[a b/c.go new] []")
	is("diff --git a/empty", "diff --git a/empty", "[empty] []")
	if _, ok := PartAt(p, "# head\n"+text, 0, 0); ok {
		t.Error("the head is about something")
	}

	store.MarkShown(p.ID, 1)
	for _, sel := range []proposal.Selector{{Files: []string{"a b/c.go"}, Hunks: []int{2}}, {Files: []string{"new"}}} {
		if _, err := store.Discard(sel); err != nil {
			t.Fatal(err)
		}
	}
	now, _ := store.Get(p.ID)
	p = &now // and the text is what the document was
	is("+diff --git a/b", "+diff --git a/b", "[a b/c.go] [1]")
	is("+n", "+n", "[a b/c.go] [3]")
	text = proposal.DiffText(now)
	is("-line 3", "-line 33", "[a b/c.go] [1 3]")
}

// In the file itself a hunk is where its lines are now, whatever was typed above it.
func TestPartIn(t *testing.T) {
	base := numbered(40)
	goal := strings.NewReplacer("line 3\n", "three\n", "line 13\n", "line 13\nnew\n", "line 33\nline 34\n", "").Replace(base)
	store := proposal.NewStore("/root", proposal.StoreOptions{})
	p, err := store.Add("t", "change it", []edits.Change{
		{Path: "a", Op: edits.OpUpdate, Before: base, After: goal}, {Path: "b", Op: edits.OpUpdate, Before: "b\n", After: "B\n"}}, nil, proposal.Checked{})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"as it was": base, "typed above": "x\ny\n" + base, "shortened": strings.Replace(base, "line 7\nline 8\n", "", 1)} {
		for from, test := range map[string]struct {
			to    string
			hunks []int
		}{
			"line 2\n":  {"", nil},
			"line 3\n":  {"", []int{1}},
			"ne 3\n":    {"", []int{1}},
			"line 4\n":  {"", nil},
			"line 13\n": {"", nil}, // what is new comes before the next line
			"ine 14\n":  {"", []int{2}},
			"line 34\n": {"", []int{3}},
			"line 35\n": {"", nil},
			"line 5\n":  {"line 34\n", []int{2, 3}},
			"line 1\n":  {"line 35\n", nil}, // all of them
		} {
			start := strings.Index(text, from)
			end := start
			if test.to != "" {
				end = strings.Index(text, test.to)
			}
			part, ok := PartIn(p, "a", text, start, end)
			if !ok || !slices.Equal(part.Files, []string{"a"}) || !slices.Equal(part.Hunks, test.hunks) {
				t.Errorf("%s, %q: %+v, want %v", name, from, part, test.hunks)
			}
		}
	}
	if part, ok := PartIn(p, "b", "b\n", 0, 0); !ok || part.Hunks != nil {
		t.Errorf("the only hunk: %+v", part)
	}
	if _, ok := PartIn(p, "c", "c\n", 0, 0); ok {
		t.Error("a file that is not touched")
	}
}
