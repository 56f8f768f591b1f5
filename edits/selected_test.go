package edits_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
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
	for range 1000 {
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
		{"right above", strings.Replace(ten, "line 4\n", "new\nline 4\n", 1), edits.Lines{First: 5, Last: 7}},
		{"right below", strings.Replace(ten, "line 6\n", "line 6\nnew\n", 1), edits.Lines{First: 4, Last: 6}},
		{"the line above", strings.Replace(ten, "line 3\n", "new\nnewer\n", 1), edits.Lines{First: 5, Last: 7}},
		{"the line below", strings.Replace(ten, "line 7\n", "new\nnewer\n", 1), edits.Lines{First: 4, Last: 6}},
		{"the line above and the first", strings.Replace(ten, "line 3\nline 4\n", "new\n", 1), edits.Lines{First: 3, Last: 5}},
		{"the last and the line below", strings.Replace(ten, "line 6\nline 7\n", "new\n", 1), edits.Lines{First: 4, Last: 6}},
		{"more for the last and the line below", strings.Replace(ten, "line 6\nline 7\n", "new\nnewer\nnewest\n", 1), edits.Lines{First: 4, Last: 8}},
		{"all and more", strings.Replace(ten, "line 3\nline 4\nline 5\nline 6\nline 7\n", "new\n", 1), edits.Lines{First: 3, Last: 3}},
		{"in two places", strings.Replace("new\n"+ten, "line 5\n", "", 1), edits.Lines{First: 5, Last: 6}},
		{"all gone", strings.Replace(ten, "line 4\nline 5\nline 6\n", "", 1), edits.Lines{}},
		{"empty", "", edits.Lines{}},
	} {
		if got := edits.Follow(ten, c.after, edits.Lines{First: 4, Last: 6}); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	for l, want := range map[edits.Lines]edits.Lines{{}: {}, {First: 10, Last: 10}: {First: 11, Last: 11}, {First: 9, Last: 90}: {First: 10, Last: 11}, {First: 11, Last: 12}: {}, {First: 5, Last: 4}: {}, {First: 0, Last: 4}: {}, {First: 1, Last: 1}: {First: 2, Last: 2}} {
		if got := edits.Follow(ten, "new\n"+ten, l); got != want {
			t.Errorf("%v: %v, want %v", l, got, want)
		}
	}
}

// replyIn writes the replacement of lines in the forms that search for them.
func replyIn(old, new []string) map[string]string {
	lines := func(sign string, list []string) (out string) {
		for _, l := range list {
			out += sign + l + "\n"
		}
		return out
	}
	hunk := lines("-", old) + lines("+", new)
	return map[string]string{
		"diff":    "a.py\n```\n<<<<<<< SEARCH\n" + lines("", old) + "=======\n" + lines("", new) + ">>>>>>> REPLACE\n```\n",
		"udiff":   "```diff\n--- a.py\n+++ a.py\n@@ ... @@\n" + hunk + "```\n",
		"gitdiff": "```diff\n--- a.py\n+++ a.py\n@@ @@\n" + hunk + "```\n",
		"patch":   "*** Begin Patch\n*** Update File: a.py\n@@\n" + hunk + "*** End Patch\n",
	}
}

// similar is a file with functions whose second lines the old text of an edit has with a typo.
func similar(second ...string) string {
	var out strings.Builder
	for i, l := range second {
		fmt.Fprintf(&out, "def f%d(items):\n    total = sum(items)\n    %s\n    return total\n\n", i, l)
	}
	return out.String()
}

// changed is such a file with another line in one of the functions.
func changed(n int, second ...string) string {
	second = slices.Clone(second)
	second[n] = "log(total)"
	return similar(second...)
}

func TestTheSelectionDecidesBetweenEquallySimilarPlaces(t *testing.T) {
	old := []string{"    total = sum(items)", "    publsh_the_total(total)", "    return total"}
	new := []string{"    total = sum(items)", "    log(total)", "    return total"}
	same := "publish_the_total(total)"
	many := slices.Repeat([]string{same}, 40)
	for what, c := range map[string]struct {
		second []string
		l      edits.Lines
		want   int // the function that changes, -1 for none
	}{
		"none selected":                {[]string{same, same}, edits.Lines{}, -1},
		"the first":                    {[]string{same, same}, edits.Lines{First: 1, Last: 4}, 0},
		"the second":                   {[]string{same, same}, edits.Lines{First: 6, Last: 9}, 1},
		"less than the old text":       {[]string{same, same}, edits.Lines{First: 8, Last: 8}, 1},
		"both":                         {[]string{same, same}, edits.Lines{First: 1, Last: 9}, -1},
		"a line of each":               {[]string{same, same}, edits.Lines{First: 4, Last: 7}, -1},
		"neither":                      {[]string{same, same}, edits.Lines{First: 5, Last: 5}, -1},
		"outside the file":             {[]string{same, same}, edits.Lines{First: 90, Last: 99}, -1},
		"different, and as good":       {[]string{"publishtthe_total(total)", "publishethe_total(total)"}, edits.Lines{First: 6, Last: 9}, 1},
		"one with another name":        {[]string{"publish_the_total(Total)", "publish_the_tOtal(total)"}, edits.Lines{First: 1, Last: 4}, -1},
		"the worse of two":             {[]string{same, "publish_the_totals(total)"}, edits.Lines{First: 6, Last: 9}, -1},
		"the better of two":            {[]string{same, "publish_the_totals(total)"}, edits.Lines{First: 1, Last: 4}, -1},
		"the clearly worse":            {[]string{same, "send()"}, edits.Lines{First: 6, Last: 9}, 0},
		"one of many":                  {many, edits.Lines{First: 5*30 + 1, Last: 5*30 + 4}, 30},
		"a line of one of many":        {many, edits.Lines{First: 5*30 + 2, Last: 5*30 + 2}, 30},
		"one of many, a worse one too": {append([]string{"publish_the_totals(total)"}, many...), edits.Lines{First: 5*30 + 1, Last: 5*30 + 4}, -1},
	} {
		before := similar(c.second...)
		for format, reply := range replyIn(old, new) {
			r := applySelected(format, reply, before, c.l)
			switch {
			case c.want < 0 && (len(r.Changes) > 0 || len(r.Failures) != 1 || r.Failures[0].Reason != edits.ReasonNoMatch):
				t.Errorf("%s as %s: want no change, got %+v", what, format, r)
			case c.want >= 0 && (len(r.Failures) > 0 || len(r.Changes) != 1 || r.Changes[0].After != changed(c.want, c.second...)):
				t.Errorf("%s as %s: want function %d changed, got %+v", what, format, c.want, r)
			}
		}
	}
}

// What is selected is no reason to take a line for another one of the file.
func TestTheSelectionMakesNoTypoOfAnotherLine(t *testing.T) {
	before := similar("publish_the_total(total)", "publish_the_total(total)") + "publish_the_tota1(total)\n"
	old := []string{"    total = sum(items)", "    publish_the_tota1(total)", "    return total"}
	for format, reply := range replyIn(old, []string{"    return 0"}) {
		if r := applySelected(format, reply, before, edits.Lines{First: 6, Last: 9}); len(r.Changes) > 0 {
			t.Errorf("%s: %+v", format, r)
		}
	}
}

// Dots may reach from any head to any tail below it; what is selected says which is meant.
func TestTheSelectionDecidesBetweenWaysAroundDots(t *testing.T) {
	for _, n := range []int{2, 3, 5} {
		var before strings.Builder
		for i := range n {
			fmt.Fprintf(&before, "def run():\n    step%d()\n    more%d()\n    return 1\n\n", i, i)
		}
		want := func(chosen int) string {
			parts := strings.SplitAfter(before.String(), "\n\n")
			parts[chosen] = strings.Replace(parts[chosen], "return 1", "return 2", 1)
			return strings.Join(parts, "")
		}
		const reply = "a.py\n<<<<<<< SEARCH\ndef run():\n...\n    return 1\n=======\ndef run():\n...\n    return 2\n>>>>>>> REPLACE\n"
		for i := range n {
			for _, l := range []edits.Lines{{First: 5*i + 1, Last: 5*i + 4}, {First: 5*i + 2, Last: 5*i + 2}, {First: max(1, 5*i), Last: 5*i + 5}} {
				r := applySelected("diff", reply, before.String(), l)
				if len(r.Failures) > 0 || len(r.Changes) != 1 || r.Changes[0].After != want(i) {
					t.Errorf("%d functions, lines %v: %+v", n, l, r)
				}
			}
		}
		for _, l := range []edits.Lines{{}, {First: 1, Last: 5 * n}, {First: 5, Last: 5}} {
			if r := applySelected("diff", reply, before.String(), l); len(r.Failures) != 1 || r.Failures[0].Reason != edits.ReasonAmbiguous {
				t.Errorf("%d functions, lines %v decide nothing, yet %+v", n, l, r)
			}
		}
		// Equal blocks do not tell which is for which place.
		if r := applySelected("diff", strings.Repeat(reply+"\n", 2), before.String(), edits.Lines{}); len(r.Changes) > 0 || len(r.Failures) != 2 {
			t.Errorf("2 blocks for %d functions: %+v", n, r)
		}
	}
}

// Of the ways around dots, one that begins further down and ends at the same line is the one within.
func TestTheSelectionFindsTheWayWithin(t *testing.T) {
	const before = "head\na1\nhead\na2\ntail\nx\nhead\na3\ntail\n"
	const reply = "a.py\n<<<<<<< SEARCH\nhead\n...\ntail\n=======\nhead\n...\nTAIL\n>>>>>>> REPLACE\n"
	for l, want := range map[edits.Lines]string{
		{First: 3, Last: 5}: strings.Replace(before, "tail", "TAIL", 1),
		{First: 7, Last: 9}: before[:len(before)-5] + "TAIL\n",
	} {
		r := applySelected("diff", reply, before, l)
		if len(r.Failures) > 0 || len(r.Changes) != 1 || r.Changes[0].After != want {
			t.Errorf("lines %v: %+v", l, r)
		}
	}
	if r := applySelected("diff", reply, before, edits.Lines{First: 1, Last: 9}); len(r.Failures) != 1 {
		t.Errorf("%+v", r)
	}
}

// Ways around dots that begin where nothing comes after are none; of more than 64 the selection finds the
// first and the last only.
func TestTheSelectionOfManyWays(t *testing.T) {
	const reply = "a.py\n<<<<<<< SEARCH\nhead\n...\ntail\n=======\nhead\n...\nTAIL\n>>>>>>> REPLACE\n"
	for _, n := range []int{2, 64, 65} {
		var before strings.Builder
		for i := range n {
			fmt.Fprintf(&before, "head\nbody %d\ntail\n", i)
		}
		before.WriteString("head\nnothing after it\n")
		for _, i := range []int{0, n / 2, n - 1} {
			r := applySelected("diff", reply, before.String(), edits.Lines{First: 3*i + 1, Last: 3*i + 3})
			if n > 64 && i == n/2 {
				if len(r.Failures) != 1 || r.Failures[0].Reason != edits.ReasonAmbiguous {
					t.Errorf("%d ways, selected %d: %+v", n, i, r)
				}
				continue
			}
			body := fmt.Sprintf("body %d\n", i)
			if want := strings.Replace(before.String(), body+"tail", body+"TAIL", 1); len(r.Failures) > 0 || len(r.Changes) != 1 || r.Changes[0].After != want {
				t.Errorf("%d ways, selected %d: %+v", n, i, r)
			}
		}
		if r := applySelected("diff", reply, before.String(), edits.Lines{First: 3*n + 1, Last: 3*n + 2}); len(r.Failures) != 1 {
			t.Errorf("%d ways, selected none: %+v", n, r)
		}
	}
}
