package edits_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/editstest"

	"github.com/google/go-cmp/cmp"
)

// Files are made, changed, moved and deleted by edits of one reply, each on the result of the last.
func TestOperationsOfOneReply(t *testing.T) {
	whole := func(path, text string) edits.Edit {
		return edits.Edit{Path: path, Kind: edits.KindWhole, Op: edits.OpUpdate, Replace: text}
	}
	of := func(path string, e edits.Edit) edits.Edit { e.Path = path; return e }
	move := func(from, to string, c ...edits.Chunk) edits.Edit {
		return edits.Edit{Path: from, To: to, Kind: edits.KindRename, Op: edits.OpRename, Chunks: c}
	}
	gone := func(path string) edits.Edit {
		return edits.Edit{Path: path, Kind: edits.KindDelete, Op: edits.OpDelete}
	}
	change := replaceEdit("one\n", "1\n")
	for what, c := range map[string]struct {
		list    []edits.Edit
		want    files
		refused []string // reasons
	}{
		"make, then change":              {[]edits.Edit{whole("n", "one\n"), of("n", change)}, files{"f": "one\ntwo\n", "n": "1\n"}, nil},
		"change, then delete":            {[]edits.Edit{change, gone("f")}, files{}, nil},
		"delete, then change":            {[]edits.Edit{gone("f"), change}, files{}, []string{edits.ReasonNoFile}},
		"delete, then make":              {[]edits.Edit{gone("f"), whole("f", "new\n")}, files{"f": "new\n"}, nil},
		"delete twice":                   {[]edits.Edit{gone("f"), gone("f")}, files{}, []string{edits.ReasonNoFile}},
		"make, then delete":              {[]edits.Edit{whole("n", "x\n"), gone("n")}, files{"f": "one\ntwo\n"}, nil},
		"change, then move":              {[]edits.Edit{change, move("f", "d/g")}, files{"d/g": "1\ntwo\n"}, nil},
		"move, then change it there":     {[]edits.Edit{move("f", "d/g"), of("d/g", change)}, files{"d/g": "1\ntwo\n"}, nil},
		"move, then change it here":      {[]edits.Edit{move("f", "d/g"), change}, files{"d/g": "one\ntwo\n"}, []string{edits.ReasonNoFile}},
		"move with changes":              {[]edits.Edit{move("f", "d/g", chunk("-one", "+1"), chunk("-two", "+2"))}, files{"d/g": "1\n2\n"}, nil},
		"move with one that fails":       {[]edits.Edit{move("f", "d/g", chunk("-one", "+1"), chunk("-nowhere", "+2")), of("f", replaceEdit("one\n", "uno\n"))}, files{"f": "uno\ntwo\n"}, []string{edits.ReasonNoMatch}},
		"move onto a file":               {[]edits.Edit{whole("g", "g\n"), move("f", "g")}, files{"f": "one\ntwo\n", "g": "g\n"}, []string{edits.ReasonExists}},
		"move onto itself":               {[]edits.Edit{move("f", "f")}, files{"f": "one\ntwo\n"}, []string{edits.ReasonExists}},
		"move where one was":             {[]edits.Edit{whole("g", "g\n"), gone("g"), move("f", "g")}, files{"g": "one\ntwo\n"}, nil},
		"move twice":                     {[]edits.Edit{move("f", "g"), move("g", "h")}, files{"h": "one\ntwo\n"}, nil},
		"move and back":                  {[]edits.Edit{move("f", "g"), move("g", "f")}, files{"f": "one\ntwo\n"}, nil},
		"move, then make where it was":   {[]edits.Edit{move("f", "g"), whole("f", "new\n")}, files{"f": "new\n", "g": "one\ntwo\n"}, nil},
		"make, then move":                {[]edits.Edit{whole("n", "x\n"), move("n", "m")}, files{"f": "one\ntwo\n", "m": "x\n"}, nil},
		"empty it":                       {[]edits.Edit{replaceEdit("one\ntwo\n", "")}, files{"f": ""}, nil},
		"empty it, then fill it":         {[]edits.Edit{replaceEdit("one\ntwo\n", ""), replaceEdit("", "new\n")}, files{"f": "new\n"}, nil},
		"both sides empty":               {[]edits.Edit{replaceEdit("", "")}, files{"f": "one\ntwo\n"}, []string{edits.ReasonMalformed}},
		"append what is there":           {[]edits.Edit{replaceEdit("", "one\nmore\n")}, files{"f": "one\ntwo\n"}, []string{edits.ReasonExists}},
		"no hunk":                        {[]edits.Edit{hunk()}, files{"f": "one\ntwo\n"}, []string{edits.ReasonMalformed}},
		"a hunk that changes nothing":    {[]edits.Edit{hunk(chunk(" one"), chunk("-two", "+2"))}, files{"f": "one\n2\n"}, nil},
		"a bad hunk between good ones":   {[]edits.Edit{hunk(chunk("-one", "+1"), chunk("-nowhere", "+x"), chunk("-two", "+2"))}, files{"f": "1\n2\n"}, []string{edits.ReasonNoMatch}},
		"an empty listing":               {[]edits.Edit{whole("f", "\n \n")}, files{"f": "one\ntwo\n"}, []string{edits.ReasonMalformed}},
		"a listing of dots":              {[]edits.Edit{whole("n", "# ... rest of the code ...\n")}, files{"f": "one\ntwo\n"}, []string{edits.ReasonElision}},
		"a new file that is empty":       {[]edits.Edit{whole("n", "")}, files{"f": "one\ntwo\n", "n": ""}, nil},
		"the same again":                 {[]edits.Edit{whole("f", "one\ntwo\n")}, files{"f": "one\ntwo\n"}, nil},
		"a divider among the new lines":  {[]edits.Edit{replaceEdit("one\n", "1\n\n=======\nx\n")}, files{"f": "one\ntwo\n"}, []string{edits.ReasonMalformed}},
		"an underline among them":        {[]edits.Edit{replaceEdit("one\n", "Heading\n=======\nx\n")}, files{"f": "Heading\n=======\nx\ntwo\n"}, nil},
		"a line too long for its own":    {[]edits.Edit{replaceEdit("one\n", "Heading that is longer\n=======\nx\n")}, files{"f": "one\ntwo\n"}, []string{edits.ReasonMalformed}},
		"a divider above all":            {[]edits.Edit{replaceEdit("one\n", "=======\nx\n")}, files{"f": "one\ntwo\n"}, []string{edits.ReasonMalformed}},
		"an underline of something else": {[]edits.Edit{replaceEdit("one\n", "  in\n=======\nx\n")}, files{"f": "one\ntwo\n"}, []string{edits.ReasonMalformed}},
	} {
		list := slices.Clone(c.list)
		for i := range list {
			list[i].Index = i
		}
		tree := files{"f": "one\ntwo\n"}
		r := edits.Apply(tree, list, nil, edits.Options{})
		var refused []string
		for _, f := range r.Failures {
			refused = append(refused, f.Reason)
		}
		if diff := cmp.Diff(c.want, tree.After(r.Changes)); diff != "" || !slices.Equal(refused, c.refused) {
			t.Errorf("%s: refused %v, want %v\n-want +got\n%s%+v", what, refused, c.refused, diff, r)
		}
		editstest.CheckInverse(t, tree, r.Changes)
	}
}

// strict applies a unified diff by its numbers alone.
func strict(t *testing.T, before, diff string) string {
	t.Helper()
	old, at := strings.SplitAfter(before, "\n"), 0
	if old[len(old)-1] == "" {
		old = old[:len(old)-1]
	}
	var out []string
	left := [2]int{}
	lines := strings.SplitAfter(diff, "\n")
	for i, l := range lines {
		open := i+1 < len(lines) && strings.HasPrefix(lines[i+1], "\\ No newline")
		text := ""
		if len(l) > 0 {
			text = l[1:]
		}
		if open {
			text = strings.TrimSuffix(text, "\n")
		}
		switch {
		case l == "" || strings.HasPrefix(l, "--- ") && i < 3 || strings.HasPrefix(l, "+++ ") && i < 4 || strings.HasPrefix(l, "rename ") || l[0] == '\\':
		case strings.HasPrefix(l, "@@ "):
			if left != [2]int{} {
				t.Fatalf("the counts are wrong before line %d:\n%s", i+1, diff)
			}
			from := [2]int{}
			for k, side := range strings.Fields(l)[1:3] {
				left[k] = 1
				if n, _ := fmt.Sscanf(side[1:], "%d,%d", &from[k], &left[k]); n == 0 {
					t.Fatalf("%q is no header", l)
				}
				if left[k] == 0 {
					from[k]++
				}
			}
			out = append(out, old[at:from[0]-1]...)
			wantNew := from[1] - 1
			at = from[0] - 1
			if len(out) != wantNew {
				t.Fatalf("the new side begins at line %d, not %d:\n%s", len(out)+1, wantNew+1, diff)
			}
		default:
			if l[0] != '+' {
				if old[at] != text {
					t.Fatalf("line %d is %q, not %q:\n%s", at+1, old[at], text, diff)
				}
				at++
				left[0]--
			}
			if l[0] != '-' {
				out = append(out, text)
				left[1]--
			}
		}
	}
	return strings.Join(append(out, old[at:]...), "")
}

// A unified diff gives its text by its numbers and counts alone, with any context, and shows no more
// lines around a change than asked for.
func TestUnifiedDiffsAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 5))
	for range 2000 {
		before := text(r, 30)
		after := mutate(r, before)
		if r.IntN(4) == 0 {
			after = text(r, 12)
		}
		context := r.IntN(5) - 1
		diff := edits.Unified(edits.Change{Path: "f", Op: edits.OpUpdate, Before: before, After: after}, context)
		if got := strict(t, before, diff); got != after {
			t.Fatalf("%q becomes %q, want %q:\n%s", before, got, after, diff)
		}
		around, hunks := 0, edits.Diff(before, after)
		for _, l := range strings.Split(diff, "\n") {
			switch {
			case strings.HasPrefix(l, " "):
				if around++; around > 2*max(context, 0) {
					t.Fatalf("more than %d lines around a change:\n%s", context, diff)
				}
			case !strings.HasPrefix(l, "\\"):
				around = 0
			}
		}
		if n := strings.Count(diff, "\n@@ "); n > len(hunks) || n == 0 && len(hunks) > 0 {
			t.Fatalf("%d headers for %d hunks:\n%s", n, len(hunks), diff)
		}
	}
}

// The fence is longer than any run of backticks in the texts, wherever it stands.
func TestChooseFence(t *testing.T) {
	for text, want := range map[string]int{
		"": 3, "plain\n": 3, "`a` and ``b``\n": 3, "```\nx\n```\n": 4, "  ```go\n": 4, "text ``` text\n": 4, "x ````\n": 5, "`````````": 10, "```\n`````\n````": 6, "<source>\n~~~~\n": 3, "``\n`": 3,
	} {
		for _, texts := range [][]string{{text}, {"plain\n", text}, {text, "plain\n"}, {text, "", "```"}} {
			want := want
			if texts[len(texts)-1] == "```" {
				want = max(want, 4)
			}
			got := edits.ChooseFence(texts...)
			if got.Open != strings.Repeat("`", want) || got.Close != got.Open {
				t.Errorf("%q: %q", texts, got)
			}
		}
	}
}

// Whether the numbers of the hunks are right is asked of those of the same file, and a new file that is
// changed again ends in a line end.
func TestNewLinesAboveTheFirst(t *testing.T) {
	top := hunk(edits.Chunk{AtTop: true, Lines: chunk("+new").Lines})
	right, wrong := edits.Chunk{Line: 2, Lines: chunk("-two", "+2").Lines}, edits.Chunk{Line: 1, Lines: chunk("-two", "+2").Lines}
	of := func(path string, c edits.Chunk) edits.Edit {
		e := hunk(c)
		e.Path = path
		return e
	}
	for what, c := range map[string]struct {
		list []edits.Edit
		want string
	}{
		"right ones of the same file":     {[]edits.Edit{top, of("f", right)}, "new\none\n2\n"},
		"wrong ones of the same file":     {[]edits.Edit{top, of("f", wrong)}, "one\n2\n"},
		"right ones of another":           {[]edits.Edit{top, of("g", right)}, "one\ntwo\n"},
		"wrong ones of another, too":      {[]edits.Edit{of("g", wrong), top, of("f", right)}, "new\none\n2\n"},
		"right and wrong ones":            {[]edits.Edit{of("f", right), top, of("f", edits.Chunk{Line: 2, Lines: chunk("-one", "+1").Lines})}, "1\n2\n"},
		"only new lines beside it":        {[]edits.Edit{top, of("f", edits.Chunk{Line: 1, Lines: chunk("+more").Lines})}, "one\nmore\ntwo\n"},
		"with a number, it goes below it": {[]edits.Edit{hunk(edits.Chunk{AtTop: true, Line: 1, Lines: chunk("+new").Lines})}, "one\nnew\ntwo\n"},
	} {
		for i := range c.list {
			c.list[i].Index = i
		}
		tree := files{"f": "one\ntwo\n", "g": "one\ntwo\n"}
		if r := edits.Apply(tree, c.list, nil, edits.Options{}); tree.After(r.Changes)["f"] != c.want {
			t.Errorf("%s: %+v", what, r)
		}
	}
	for what, e := range map[string]edits.Edit{"the line above": replaceEdit("one\n", "1\n"), "the last line": replaceEdit("two", "2"), "below it": replaceEdit("two", "two\nthree")} {
		made := edits.Edit{Path: "f", Op: edits.OpCreate, Kind: edits.KindWhole, Replace: "one\ntwo"}
		e.Index = 1
		if r := edits.Apply(files{}, []edits.Edit{made, e}, nil, edits.Options{}); len(r.Failures) > 0 || len(r.Changes) != 1 || r.Changes[0].Op != edits.OpCreate || !strings.HasSuffix(r.Changes[0].After, "\n") {
			t.Errorf("%s: %+v", what, r)
		}
	}
}

// A line of equals signs among the new lines is a divider, unless it is an underline or the old lines have one.
func TestDividersAmongNewLines(t *testing.T) {
	for _, c := range []struct {
		before, search, replace string
		lands                   bool
	}{
		{"one\n", "one\n", "Heading\n=======\n", true}, {"one\n", "one\n", "Headings\n=======\n", false}, {"one\n", "one\n", "H\n=======\n", true},
		{"one\n", "one\n", "Heading\n=======\nx\n\n=======\n", false}, {"one\n", "one\n", "Heading\n========\n", true}, {"one\n", "one\n", "x y z a b c d\n======\n", true},
		{"one\n=======\n", "one\n=======\n", "1\n\n=======\nx\n", true}, {"one\n=======\n", "one\n", "1\n\n=======\nx\n", false}, {"one\n", "one\n", "\tHead\n=======\n", false},
	} {
		r := edits.Apply(files{"f": c.before}, swap(c.search, c.replace), nil, edits.Options{})
		if (len(r.Failures) == 0) != c.lands || !c.lands && r.Failures[0].Reason != edits.ReasonMalformed {
			t.Errorf("%q for %q: %+v", c.replace, c.search, r)
		}
	}
	lines := hunk(chunk("-one", "+1", "+", "+=======", "+x"))
	if r := edits.Apply(files{"f": "one\n"}, []edits.Edit{lines}, nil, edits.Options{}); len(r.Failures) > 0 {
		t.Errorf("a hunk: %+v", r)
	}
}
