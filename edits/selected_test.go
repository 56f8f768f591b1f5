package edits_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/formats"
)

const twoEqual = "def f():\n    x = 1\n    return x\n\n\ndef g():\n    x = 1\n    return x\n"

func applySelected(format, reply, before string, l edits.Lines) edits.Result {
	f, _ := formats.ByName(format)
	list, problems := edits.Parse(f, reply, edits.Ended, edits.ParseOptions{Chat: []string{"a.py"}})
	return edits.Apply(files{"a.py": before}, list, problems, edits.Options{Chat: []string{"a.py"}, Selected: map[string]edits.Lines{"a.py": l}})
}

func TestTheSelectionDecidesBetweenEqualPlaces(t *testing.T) {
	replies := map[string]string{
		"diff":    "a.py\n```\n<<<<<<< SEARCH\n    x = 1\n    return x\n=======\n    x = 2\n    return x\n>>>>>>> REPLACE\n```\n",
		"udiff":   "```diff\n--- a.py\n+++ a.py\n@@ ... @@\n-    x = 1\n+    x = 2\n     return x\n```\n",
		"gitdiff": "```diff\n--- a.py\n+++ a.py\n@@ -1,2 +1,2 @@\n-    x = 1\n+    x = 2\n     return x\n```\n",
		"patch":   "*** Begin Patch\n*** Update File: a.py\n@@\n-    x = 1\n+    x = 2\n     return x\n*** End Patch\n",
	}
	second := strings.LastIndex(twoEqual, "x = 1")
	for _, c := range []struct {
		l    edits.Lines
		want string
	}{
		{edits.Lines{First: 1, Last: 3}, strings.Replace(twoEqual, "x = 1", "x = 2", 1)},
		{edits.Lines{First: 6, Last: 8}, twoEqual[:second] + "x = 2" + twoEqual[second+5:]},
		{edits.Lines{First: 7, Last: 7}, twoEqual[:second] + "x = 2" + twoEqual[second+5:]}, // less than the old text
		{edits.Lines{First: 2, Last: 4}, strings.Replace(twoEqual, "x = 1", "x = 2", 1)},
	} {
		for format, reply := range replies {
			r := applySelected(format, reply, twoEqual, c.l)
			if len(r.Failures) > 0 || len(r.Changes) != 1 || r.Changes[0].After != c.want {
				t.Errorf("%s, lines %v: %+v", format, c.l, r)
			}
		}
	}
	for _, l := range []edits.Lines{{}, {First: 1, Last: 8}, {First: 4, Last: 5}, {First: 90, Last: 99}} {
		if r := applySelected("diff", replies["diff"], twoEqual, l); len(r.Failures) != 1 || r.Failures[0].Reason != edits.ReasonAmbiguous {
			t.Errorf("lines %v decide nothing, yet %+v", l, r)
		}
	}
}

// An edit with one place lands there, selected or not.
func TestTheSelectionForbidsNothing(t *testing.T) {
	reply := "a.py\n<<<<<<< SEARCH\ndef f():\n=======\ndef f(y):\n>>>>>>> REPLACE\n"
	r := applySelected("diff", reply, twoEqual, edits.Lines{First: 6, Last: 8})
	if len(r.Failures) > 0 || r.Changes[0].After != strings.Replace(twoEqual, "f()", "f(y)", 1) {
		t.Errorf("%+v", r)
	}
}

// Edits that come before in the reply move the selection, wherever they are.
func TestTheSelectionFollowsEarlierEdits(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 9))
	for range 3000 {
		n := 2 + r.IntN(4)
		var before strings.Builder
		for i := range n {
			fmt.Fprintf(&before, "def f%d():\n    x = 1\n    return x\n\n", i)
		}
		chosen := r.IntN(n)
		var reply strings.Builder
		want := before.String()
		block := func(old, new string) {
			fmt.Fprintf(&reply, "a.py\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n\n", old, new)
		}
		for i := range n {
			head := fmt.Sprintf("def f%d():\n", i)
			var new string
			switch r.IntN(4) {
			case 0:
				new = "import a\nimport b\n\n" + head
			case 1:
				new = head + "    \"\"\"Doc.\"\"\"\n"
			default:
				continue
			}
			block(head, new)
			want = strings.Replace(want, head, new, 1)
		}
		block("    x = 1\n    return x\n", "    return 2\n")
		at := strings.Index(want, fmt.Sprintf("def f%d():", chosen))
		want = want[:at] + strings.Replace(want[at:], "    x = 1\n    return x\n", "    return 2\n", 1)
		first := 1 + 4*chosen
		res := applySelected("diff", reply.String(), before.String(), edits.Lines{First: first, Last: first + 2})
		if len(res.Failures) > 0 || res.Changes[0].After != want {
			t.Fatalf("%s\nselected %d\n%+v\nwant\n%s", reply.String(), chosen, res, want)
		}
	}
}

func TestFollow(t *testing.T) {
	lines := func(n int) (out string) {
		for i := range n {
			out += fmt.Sprintf("line %d\n", i+1)
		}
		return out
	}
	ten := lines(10)
	for _, c := range []struct {
		name, after string
		want        edits.Lines
	}{
		{"nothing", ten, edits.Lines{First: 4, Last: 6}},
		{"above", "new\nnew\n" + ten, edits.Lines{First: 6, Last: 8}},
		{"gone above", strings.Replace(ten, "line 1\n", "", 1), edits.Lines{First: 3, Last: 5}},
		{"below", ten + "new\n", edits.Lines{First: 4, Last: 6}},
		{"within", strings.Replace(ten, "line 5\n", "line 5\nnew\n", 1), edits.Lines{First: 4, Last: 7}},
		{"in place", strings.Replace(ten, "line 5\n", "new\n", 1), edits.Lines{First: 4, Last: 6}},
		{"all gone", strings.Replace(ten, "line 4\nline 5\nline 6\n", "", 1), edits.Lines{}},
		{"empty", "", edits.Lines{}},
	} {
		if got := edits.Follow(ten, c.after, edits.Lines{First: 4, Last: 6}); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestEqualBlocksForEqualPlacesAreOneEach(t *testing.T) {
	for replace, change := range map[string]string{
		"    x = 2\n    return x\n":             "    x = 2\n    return x\n",
		"    log()\n    x = 1\n    return x\n":  "    log()\n    x = 1\n    return x\n", // the old text again
		"    x = 1\n    return x\n    # done\n": "    x = 1\n    return x\n    # done\n",
		"":                                      "",
		"    x = 1\n    return x\n    x = 1\n    return x\n": "    x = 1\n    return x\n    x = 1\n    return x\n",
	} {
		block := "a.py\n<<<<<<< SEARCH\n    x = 1\n    return x\n=======\n" + replace + ">>>>>>> REPLACE\n\n"
		for n := 2; n <= 4; n++ {
			before, want := "", ""
			for i := range n {
				before += fmt.Sprintf("def f%d():\n    x = 1\n    return x\n\n", i)
				want += fmt.Sprintf("def f%d():\n%s\n", i, change)
			}
			for _, selected := range []edits.Lines{{}, {First: 5, Last: 7}} {
				r := applySelected("diff", strings.Repeat(block, n), before, selected)
				if len(r.Failures) > 0 || len(r.Changes) != 1 || r.Changes[0].After != want {
					t.Errorf("%d times %q: %+v", n, replace, r)
				}
			}
			// One more or one less than the places decides nothing, and something in between neither.
			if r := applySelected("diff", strings.Repeat(block, n-1), before, edits.Lines{}); n > 2 && (len(r.Failures) != n-1 || len(r.Changes) > 0) {
				t.Errorf("%d blocks for %d places: %+v", n-1, n, r)
			}
		}
	}
}

// An edit between two equal blocks moves what follows, and its own text is no place of theirs.
func TestEqualBlocksAroundAnother(t *testing.T) {
	block := "a.py\n<<<<<<< SEARCH\n    x = 1\n    return x\n=======\n    log()\n    x = 1\n    return x\n>>>>>>> REPLACE\n\n"
	other := "a.py\n<<<<<<< SEARCH\ndef f():\n=======\nimport a\n\n\ndef f():\n>>>>>>> REPLACE\n\n"
	r := applySelected("diff", block+other+block, twoEqual, edits.Lines{})
	want := "import a\n\n\n" + strings.ReplaceAll(twoEqual, "    x = 1\n", "    log()\n    x = 1\n")
	if len(r.Failures) > 0 || r.Changes[0].After != want {
		t.Errorf("%+v", r)
	}
}
