package edits_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/match"

	"github.com/google/go-cmp/cmp"
)

// failed applies edits of which the last is refused, and returns why.
func failed(t *testing.T, tree files, chat []string, list ...edits.Edit) edits.Failure {
	t.Helper()
	for i := range list {
		list[i].Index = i
	}
	r := edits.Apply(tree, list, nil, edits.Options{Chat: chat})
	if len(r.Failures) != 1 || r.Failures[0].Edit != len(list)-1 {
		t.Fatalf("want the last of %d edits refused, got %+v", len(list), r)
	}
	return r.Failures[0]
}

// functions are n functions of six lines each, whose lines differ.
func functions(n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("def handle_request_%d(request, %c):", i, 'a'+i%26),
			fmt.Sprintf("    check(request, %d)", i*7), fmt.Sprintf("    value_%d = request.read(%d)", i, i*3),
			fmt.Sprintf("    log(\"request %d was read\")", i), fmt.Sprintf("    return value_%d", i), "")
	}
	return out
}

// Old text of which half the lines are of one place and the others are nowhere is refused, and the first
// place shown is that one, with its lines as they are and a diff that turns what was wanted into them.
func TestTheNearestPlaceIsShownFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 5))
	file := functions(12)
	text := strings.Join(file, "\n") + "\n"
	for range 400 {
		n := 4 + r.IntN(6)
		at := r.IntN(len(file) - n)
		if file[at] == "" || file[at+n-1] == "" {
			continue
		}
		wanted := slices.Clone(file[at : at+n])
		for _, k := range r.Perm(n)[:n/2] {
			if wanted[k] != "" {
				wanted[k] = fmt.Sprintf("    §§§ %d §§§", r.IntN(1e6))
			}
		}
		if blank := slices.Index(wanted, ""); blank >= 0 && n < 6 {
			continue // too little of it says anything
		}
		if slices.Equal(wanted, file[at:at+n]) {
			continue
		}
		search := strings.Join(wanted, "\n") + "\n"
		var lines []string
		for _, l := range wanted {
			lines = append(lines, "-"+l)
		}
		for _, e := range []edits.Edit{replaceEdit(search, "x\n"), hunk(chunk(append(lines, "+x")...))} {
			f := failed(t, files{"f": text}, []string{"f"}, e)
			if f.Reason != edits.ReasonNoMatch || f.Path != "f" || f.Already || len(f.Nearest) == 0 || len(f.Nearest) > 3 {
				t.Fatalf("%s\n%+v", search, f)
			}
			c := f.Nearest[0]
			if c.Path != "f" || c.Line != at+1 || c.Text != strings.Join(file[at:at+n], "\n")+"\n" {
				t.Fatalf("%s\nnearest to line %d: %+v", search, at+1, c)
			}
			if got := applyDiff(t, search, c.Diff); got != c.Text {
				t.Fatalf("the diff\n%s\nmakes of\n%s\nthe lines\n%s\nwant\n%s", c.Diff, search, got, c.Text)
			}
			for i, c := range f.Nearest {
				if c.Text != strings.Join(file[c.Line-1:min(len(file), c.Line-1+n)], "\n")+"\n" || slices.IndexFunc(f.Nearest, func(x edits.Candidate) bool { return x.Line == c.Line }) != i {
					t.Fatalf("%s\nplace %d: %+v", search, i+1, f.Nearest)
				}
			}
		}
	}
}

// applyDiff applies a unified diff without being taught where: its lines tell.
func applyDiff(t *testing.T, text, diff string) string {
	t.Helper()
	var list []edits.Chunk
	for i, l := range strings.Split(strings.TrimSuffix(diff, "\n"), "\n") {
		switch {
		case i == 0 && l == "--- wanted", i == 1 && strings.HasPrefix(l, "+++ f from line "):
		case strings.HasPrefix(l, "@@ -"):
			var at int
			fmt.Sscanf(l, "@@ -%d", &at)
			list = append(list, edits.Chunk{Line: at})
		case len(list) > 0 && l != "":
			c := &list[len(list)-1]
			c.Lines = append(c.Lines, match.Line{Sign: l[0], Text: l[1:]})
		default:
			t.Fatalf("%q is no line of a diff of these names:\n%s", l, diff)
		}
	}
	r := edits.Apply(files{"f": text}, []edits.Edit{hunk(list...)}, nil, edits.Options{})
	if len(r.Failures) > 0 || len(r.Changes) != 1 {
		t.Fatalf("the diff does not apply: %+v\n%s\n%s", r.Failures, diff, text)
	}
	return r.Changes[0].After
}

// The better of two places comes first, and one that shares too little is not shown.
func TestNearestPlacesAreInOrder(t *testing.T) {
	near := "open(path)\nread(path)\nclose(path)\nflush(path)\n"
	far := "open(path)\nfoo = bar\nclose(path)\nqqqqqqqqqq\n"
	wanted := "open(path)\nread(path)\nclose(path)\nsomething else altogether\nand more of the like\n"
	for _, order := range [][]string{{near, far}, {far, near}} {
		text := order[0] + "zzzzzzzz\n" + order[1] + "zzzzzzzz\n"
		f := failed(t, files{"f": text}, []string{"f"}, replaceEdit(wanted, "x\n"))
		if len(f.Nearest) == 0 || !strings.HasPrefix(f.Nearest[0].Text, near) {
			t.Errorf("%q: %+v", text, f.Nearest)
		}
	}
	f := failed(t, files{"f": "aaaa\nbbbb\ncccc\ndddd\neeee\nffff\n"}, []string{"f"}, replaceEdit("aaaa\n1234567\n7654321\n2345678\n8765432\n", "x\n"))
	if len(f.Nearest) > 0 {
		t.Errorf("a place that shares one line of five: %+v", f.Nearest)
	}
	for wanted, shown := range map[string]bool{"aaaa\nbbbb\n1234567\n7654321\n2345678\n": true, "aaaa\n1234567\n7654321\n": false, "aaaa\n1234567\n": true, "1234567\n7654321\n": false} {
		if f := failed(t, files{"f": "aaaa\nbbbb\ncccc\ndddd\neeee\nffff\n"}, []string{"f"}, replaceEdit(wanted, "x\n")); len(f.Nearest) > 0 != shown {
			t.Errorf("%q: %+v", wanted, f.Nearest)
		}
	}
}

// Places between which nothing decides are all shown, up to three, and how many there are is said.
func TestAmbiguousPlacesAreShown(t *testing.T) {
	for n := 2; n <= 8; n++ {
		var text strings.Builder
		var at []int
		for i := range n {
			at = append(at, 2+3*i)
			fmt.Fprintf(&text, "def f%d():\n    return one\n\n", i)
		}
		for _, search := range []string{"    return one\n", "return one\n"} { // exactly, and further in
			f := failed(t, files{"f": text.String()}, []string{"f"}, replaceEdit(search, "    return two\n"))
			var got []int
			for _, c := range f.Nearest {
				got = append(got, c.Line)
				if c.Text != "    return one\n" || c.Path != "f" || (c.Diff == "") != (c.Text == search) {
					t.Errorf("%+v", c)
				}
			}
			if f.Reason != edits.ReasonAmbiguous || f.Already || !slices.Equal(got, at[:min(3, n)]) {
				t.Errorf("%d places: %v, %+v", n, got, f)
			}
			for _, line := range at[:min(5, n)] {
				if !strings.Contains(f.Message, fmt.Sprint(line)) {
					t.Errorf("%d places: %q lacks line %d", n, f.Message, line)
				}
			}
			if strings.Contains(f.Message, "…") != (n > 5) || !strings.Contains(f.Message, fmt.Sprint(n)) {
				t.Errorf("%d places: %q", n, f.Message)
			}
		}
	}
}

// A refused edit is shown as it was written, names the file that does hold the text, and says whether the
// new text is there already.
func TestWhatARefusedEditSays(t *testing.T) {
	tree := files{"f": "one\ntwo\n", "other": "header\n\tnine\n\tten\n", "third": "x\n"}
	e := replaceEdit("\tnine\n\tten\n", "\televen\n")
	f := failed(t, tree, []string{"f", "third", "other"}, e)
	if f.Reason != edits.ReasonOtherFile || f.Path != "f" || !strings.Contains(f.Message, "other") {
		t.Errorf("%+v", f)
	}
	if want := "<<<<<<< SEARCH\n\tnine\n\tten\n=======\n\televen\n>>>>>>> REPLACE\n"; f.Block != want {
		t.Errorf("the block is shown as\n%s", f.Block)
	}
	if f := failed(t, tree, []string{"f", "third"}, e); f.Reason != edits.ReasonNoMatch || strings.Contains(f.Message, "other") {
		t.Errorf("a file that is not in the chat is named: %+v", f)
	}
}

// A refused hunk is shown with its scope lines and signs, and a refused rename with its hunks.
func TestRefusedHunksAreShown(t *testing.T) {
	c := chunk(" a", "-b", "+c")
	c.Scopes = []string{"def f():", "if x:"}
	want := "@@ def f():\n@@ if x:\n a\n-b\n+c\n@@ \n-d\n+e\n"
	move := edits.Edit{Path: "f", To: "g", Kind: edits.KindRename, Op: edits.OpRename, Chunks: []edits.Chunk{c, chunk("-d", "+e")}}
	r := edits.Apply(files{"f": "one\ntwo\n"}, []edits.Edit{hunk(c, chunk("-d", "+e")), move}, nil, edits.Options{})
	if len(r.Failures) != 4 || len(r.Changes) > 0 {
		t.Fatalf("%+v", r)
	}
	for _, f := range r.Failures {
		if diff := cmp.Diff(want, f.Block); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	}
}

// A text that repeats without end is not searched for candidates, and that is said.
func TestNoCandidatesAreSearchedInEndlessRepeats(t *testing.T) {
	text := strings.Repeat("same\n", 5000)
	search := strings.Repeat("same\n", 2000) + "no such line\n" + strings.Repeat("same\n", 2000)
	f := failed(t, files{"f": text}, []string{"f"}, replaceEdit(search, "x\n"))
	if len(f.Nearest) > 0 || f.Reason != edits.ReasonNoMatch {
		t.Errorf("%d places, %s", len(f.Nearest), f.Reason)
	}
	plain := failed(t, files{"f": "other\n"}, []string{"f"}, replaceEdit("no such line\n", "x\n"))
	if len(f.Message) <= len(plain.Message) {
		t.Errorf("nothing says that no candidates were searched: %q", f.Message)
	}
}

// Text that repeats so often that no place is the one is in no place; what repeats less is in several.
func TestTextThatRepeats(t *testing.T) {
	for n, want := range map[int]string{700: edits.ReasonAmbiguous, 1200: edits.ReasonNoMatch} {
		for what, e := range map[string]edits.Edit{"a block": replaceEdit(strings.Repeat("x\n", 500), "y\n"), "blank lines": replaceEdit("x\n\n"+strings.Repeat("x\n", 499), "y\n")} {
			r := edits.Apply(files{"f": strings.Repeat("  x\n", n)}, []edits.Edit{e}, nil, edits.Options{})
			if len(r.Failures) != 1 || r.Failures[0].Reason != want {
				t.Errorf("%s in %d lines: %d failures, %+v", what, n, len(r.Failures), r.Rungs)
			}
		}
		if r := edits.Apply(files{"f": strings.Repeat("x\n", n)}, swap(strings.Repeat("x\n", 500), "y\n"), nil, edits.Options{}); len(r.Failures) != 1 || r.Failures[0].Reason != edits.ReasonAmbiguous {
			t.Errorf("as it is, in %d lines: %+v", n, r.Rungs)
		}
	}
}

// Long lines in many places cost so much that no candidates are searched; in few places they are.
func TestNoCandidatesAreSearchedAmongManyLongLines(t *testing.T) {
	long := func(i int, letters string) string { return fmt.Sprintf("%d %s\n", i, strings.Repeat(letters, 190)) }
	for n, shown := range map[int]bool{2: true, 16: false} {
		var before strings.Builder
		for i := range n {
			before.WriteString("begin_of_it()\n" + long(i, "ab") + long(i, "cd") + long(i, "ef"))
		}
		e := replaceEdit("begin_of_it()\n"+long(99, "ba")+long(99, "dc")+long(99, "fe"), "x\n")
		r := edits.Apply(files{"f": before.String()}, []edits.Edit{e}, nil, edits.Options{})
		if len(r.Failures) != 1 || r.Failures[0].Reason != edits.ReasonNoMatch || len(r.Failures[0].Nearest) > 0 != shown {
			t.Errorf("%d places: %d shown", n, len(r.Failures[0].Nearest))
		}
	}
}

// The places of a refused edit are shown as all edits of the reply leave the file, also those behind it.
func TestThePlacesAreThoseOfTheEnd(t *testing.T) {
	const text = "def add(a, b):\n    return a + b\n\ndef sub(a, b):\n    return a + b\n\nx = 1\nlog(x)\ny = 2\nlog(x)\n"
	replace := func(i int, search, with string) edits.Edit {
		return edits.Edit{Index: i, Kind: edits.KindReplace, Path: "a.py", Search: search, Replace: with}
	}
	for what, c := range map[string]struct {
		refused, then edits.Edit
		want, gone    string // in the places
		message       string
	}{
		"a line that changed":     {replace(0, "def sub(a, c):\n    return a + c\n", "def sub():\n"), replace(1, "def sub(a, b):\n    return a + b\n", "def sub(a, b):\n    return a - b\n"), "return a - b", "", ""},
		"lines that moved":        {replace(0, "log(x)\n", "log(y)\n"), replace(1, "def add(a, b):\n", "import z\n\ndef add(a, b):\n"), "log(x)", "", "at lines 10, 12"},
		"places that are no more": {replace(0, "log(x)\n", "log(y)\n"), replace(1, "y = 2\nlog(x)\n", "y = 2\n"), "", "log(x)", ""},
		"nothing behind it":       {replace(0, "def sub(a, c):\n    return a + c\n", "def sub():\n"), replace(1, "x = 1\n", "x = 3\n"), "return a + b", "", ""},
	} {
		r := edits.Apply(files{"a.py": text}, []edits.Edit{c.refused, c.then}, nil, edits.Options{Chat: []string{"a.py"}})
		if len(r.Failures) != 1 || len(r.Changes) != 1 {
			t.Fatalf("%s: %+v", what, r)
		}
		places, lines := "", strings.Split(r.Changes[0].After, "\n")
		for _, n := range r.Failures[0].Nearest {
			places += n.Text
			if first, _, _ := strings.Cut(n.Text, "\n"); n.Line > len(lines) || lines[n.Line-1] != first {
				t.Errorf("%s: line %d is no %q", what, n.Line, first)
			}
		}
		if !strings.Contains(places, c.want) || c.gone != "" && strings.Contains(places, c.gone) || !strings.Contains(r.Failures[0].Message, c.message) {
			t.Errorf("%s: %q\n%s", what, r.Failures[0].Message, places)
		}
	}
}
