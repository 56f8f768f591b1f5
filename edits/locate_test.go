package edits_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/match"
)

// numbered are lines "0", "1" … of which those at some places are "same".
func withSame(n int, at ...int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("line %d", i)
		if slices.Contains(at, i) {
			out[i] = "same"
		}
	}
	return out
}

func textOf(lines []string) string { return strings.Join(lines, "\n") + "\n" }

// landedAt applies hunks that each change one line "same" and returns where they landed, -1 for a refusal.
func landedAt(t *testing.T, lines []string, l edits.Lines, chunks ...edits.Chunk) []int {
	t.Helper()
	for k := range chunks {
		if chunks[k].Lines == nil {
			chunks[k].Lines = chunk("-same", fmt.Sprintf("+changed %d", k)).Lines
		}
	}
	var list []edits.Edit
	for k, c := range chunks {
		e := hunk(c)
		e.Index = k
		list = append(list, e)
	}
	r := edits.Apply(files{"f": textOf(lines)}, list, nil, edits.Options{Selected: map[string]edits.Lines{"f": l}})
	after := textOf(lines)
	if len(r.Changes) == 1 {
		after = r.Changes[0].After
	}
	out := slices.Repeat([]int{-1}, len(chunks))
	for i, text := range strings.Split(strings.TrimSuffix(after, "\n"), "\n") {
		var k int
		if _, err := fmt.Sscanf(text, "changed %d", &k); err == nil {
			out[k] = i
		} else if i < len(lines) && text != lines[i] {
			t.Fatalf("line %d became %q", i, text)
		}
	}
	return out
}

// What decides between equal places of a hunk, and in which order.
func TestWhatDecidesBetweenEqualPlaces(t *testing.T) {
	none := edits.Lines{}
	for what, c := range map[string]struct {
		lines []string
		sel   edits.Lines
		c     []edits.Chunk
		want  []int
	}{
		"one place":                               {withSame(9, 4), none, []edits.Chunk{{}}, []int{4}},
		"nothing":                                 {withSame(9, 2, 6), none, []edits.Chunk{{}}, []int{-1}},
		"the number of its line":                  {withSame(9, 2, 6), none, []edits.Chunk{{Line: 7}}, []int{6}},
		"the number of another":                   {withSame(9, 2, 6), none, []edits.Chunk{{Line: 3}}, []int{2}},
		"a number clearly nearer":                 {withSame(30, 2, 20), none, []edits.Chunk{{Line: 5}}, []int{2}},
		"a number clearly nearer below":           {withSame(30, 2, 20), none, []edits.Chunk{{Line: 17}}, []int{20}},
		"a number in between":                     {withSame(30, 2, 20), none, []edits.Chunk{{Line: 11}}, []int{-1}},
		"a number a bit nearer":                   {withSame(30, 2, 20), none, []edits.Chunk{{Line: 9}}, []int{-1}},
		"a number just near enough":               {withSame(30, 2, 22), none, []edits.Chunk{{Line: 9}}, []int{2}},
		"a number between three":                  {withSame(60, 2, 20, 50), none, []edits.Chunk{{Line: 22}}, []int{20}},
		"a number beyond the file":                {withSame(9, 2, 6), none, []edits.Chunk{{Line: 900}}, []int{-1}},
		"the end of the file":                     {withSame(9, 2, 8), none, []edits.Chunk{{AtEnd: true}}, []int{8}},
		"blank lines at the end":                  {append(withSame(9, 2, 8), "", "  "), none, []edits.Chunk{{AtEnd: true}}, []int{8}},
		"not the end of the file":                 {withSame(9, 2, 7), none, []edits.Chunk{{AtEnd: true}}, []int{-1}},
		"the end before the number":               {withSame(9, 2, 8), none, []edits.Chunk{{AtEnd: true, Line: 3}}, []int{8}},
		"one place, not at the end":               {withSame(9, 2), none, []edits.Chunk{{AtEnd: true}}, []int{2}},
		"a scope line":                            {withSame(9, 2, 6), none, []edits.Chunk{{Scopes: []string{"line 4"}}}, []int{6}},
		"the first below a scope line":            {withSame(20, 2, 6, 12), none, []edits.Chunk{{Scopes: []string{"line 4"}}}, []int{6}},
		"a scope line above all":                  {withSame(9, 2, 6), none, []edits.Chunk{{Scopes: []string{"line 0"}}}, []int{2}},
		"a scope line below all":                  {withSame(9, 2, 6), none, []edits.Chunk{{Scopes: []string{"line 8"}}}, []int{-1}},
		"one place above its scope line":          {withSame(9, 2), none, []edits.Chunk{{Scopes: []string{"line 8"}}}, []int{2}},
		"a scope line that is not there":          {withSame(9, 2, 6), none, []edits.Chunk{{Scopes: []string{"nowhere"}}}, []int{-1}},
		"scope lines, one below the other":        {withSame(20, 2, 6, 12), none, []edits.Chunk{{Scopes: []string{"line 1", "line 8"}}}, []int{12}},
		"scope lines out of order":                {withSame(20, 2, 6, 12), none, []edits.Chunk{{Scopes: []string{"line 8", "line 1"}}}, []int{-1}},
		"a number before a scope line":            {withSame(20, 2, 6, 12), none, []edits.Chunk{{Scopes: []string{"line 4"}, Line: 13}}, []int{12}},
		"the selection before a number":           {withSame(20, 2, 6, 12), edits.Lines{First: 6, Last: 8}, []edits.Chunk{{Line: 13}}, []int{6}},
		"the selection below a scope line":        {withSame(20, 2, 6, 12), edits.Lines{First: 11, Last: 15}, []edits.Chunk{{Scopes: []string{"line 4"}}}, []int{12}},
		"the selection above a scope line":        {withSame(20, 2, 6, 12), edits.Lines{First: 1, Last: 4}, []edits.Chunk{{Scopes: []string{"line 4"}}}, []int{6}},
		"the end before the selection":            {withSame(9, 2, 8), edits.Lines{First: 2, Last: 4}, []edits.Chunk{{AtEnd: true}}, []int{8}},
		"order, the second the one left":          {withSame(9, 2, 6), none, []edits.Chunk{{Line: 3}, {}}, []int{2, 6}},
		"order, as many hunks as places":          {withSame(9, 2, 6), none, []edits.Chunk{{}, {}}, []int{2, 6}},
		"order, three and three":                  {withSame(20, 2, 6, 12), none, []edits.Chunk{{}, {}, {}}, []int{2, 6, 12}},
		"order, two hunks for three":              {withSame(20, 2, 6, 12), none, []edits.Chunk{{}, {}}, []int{-1, -1}},
		"order before the selection":              {withSame(9, 2, 6), edits.Lines{First: 6, Last: 8}, []edits.Chunk{{}, {}}, []int{2, 6}},
		"the selection of more places":            {withSame(20, 2, 6, 12), edits.Lines{First: 6, Last: 8}, []edits.Chunk{{}}, []int{6}},
		"the selection above the last hunk":       {withSame(20, 2, 6, 12), edits.Lines{First: 2, Last: 4}, []edits.Chunk{{Lines: chunk("-line 4", "+changed 0").Lines}, {}}, []int{4, 2}},
		"all places above the last hunk":          {withSame(20, 2, 6), none, []edits.Chunk{{Lines: chunk("-line 9", "+changed 0").Lines}, {}}, []int{9, -1}},
		"all above, one with a number":            {withSame(20, 2, 6), none, []edits.Chunk{{Lines: chunk("-line 9", "+changed 0").Lines}, {Line: 3}}, []int{9, 2}},
		"one above, nearer, and two below":        {withSame(40, 2, 12, 30), none, []edits.Chunk{{Lines: chunk("-line 9", "+changed 0").Lines}, {Line: 5}}, []int{9, 12}},
		"order, a number moved by an earlier one": {withSame(20, 2, 6, 12), none, []edits.Chunk{{Line: 3, Lines: chunk("-same", "+changed 0", "+changed 0", "+changed 0").Lines}, {Line: 13}}, []int{4, 14}},
	} {
		// A moved line number: the lines after the first hunk are two further down.
		if strings.Contains(what, "moved by") {
			r := edits.Apply(files{"f": textOf(c.lines)}, []edits.Edit{hunk(edits.Chunk{Line: 3, Lines: chunk("-same", "+a", "+b", "+c").Lines}, edits.Chunk{Line: 7, Lines: chunk("-same", "+x").Lines})}, nil, edits.Options{})
			want := strings.Replace(strings.Replace(textOf(c.lines), "same", "a\nb\nc", 1), "same", "x", 1)
			if len(r.Failures) > 0 || r.Changes[0].After != want {
				t.Errorf("%s: %+v", what, r)
			}
			continue
		}
		if got := landedAt(t, c.lines, c.sel, c.c...); !slices.Equal(got, c.want) {
			t.Errorf("%s: at %v, want %v", what, got, c.want)
		}
	}
}

// Later hunks of the file tell which place an earlier one means, if there is only one way for all.
func TestLaterHunksDecide(t *testing.T) {
	same := chunk("-same", "+changed 0")
	one := func(i int) edits.Chunk { return chunk(fmt.Sprintf("-line %d", i), fmt.Sprintf("+new %d", i)) }
	for what, c := range map[string]struct {
		lines []string
		list  []edits.Chunk
		want  int
	}{
		"the next one stands between":         {withSame(9, 2, 6), []edits.Chunk{same, one(4)}, 2},
		"the next one stands below both":      {withSame(9, 2, 6), []edits.Chunk{same, one(7)}, -1},
		"the next but one stands between":     {withSame(20, 2, 6), []edits.Chunk{same, one(3), one(5)}, 2},
		"the next is above and then between":  {withSame(20, 2, 6), []edits.Chunk{same, one(1)}, -1},
		"the next stands nowhere, that later": {withSame(20, 2, 6), []edits.Chunk{same, chunk("-nowhere", "+x"), one(4)}, -1},
		"new lines come between":              {withSame(9, 2, 6), []edits.Chunk{same, chunk("+new"), one(4)}, -1},
		"one that stands on the first's work": {withSame(9, 2, 6), []edits.Chunk{same, chunk("-changed 0", "+changed 0", "+more")}, -1},
		"two ways for all":                    {withSame(20, 2, 6, 12), []edits.Chunk{same, chunk("-same", "+changed 1"), one(8)}, 2},
		"two of three, one below all":         {withSame(20, 2, 6, 12), []edits.Chunk{same, chunk("-same", "+changed 1"), one(15)}, -1},
		"several lines, the next within":      {[]string{"a", "same", "b", "same", "c"}, []edits.Chunk{same, chunk(" same", "-c", "+C")}, 1},
		"right below the first":               {withSame(9, 2, 4), []edits.Chunk{same, one(3)}, 2},
	} {
		r := edits.Apply(files{"f": textOf(c.lines)}, []edits.Edit{hunk(c.list...)}, nil, edits.Options{})
		got := -1
		if len(r.Changes) == 1 {
			got = slices.Index(strings.Split(r.Changes[0].After, "\n"), "changed 0")
		}
		if got != c.want {
			t.Errorf("%s: at %d, want %d; %+v", what, got, c.want, r.Failures)
		}
	}
}

// The hunks that follow may be in edits of their own, of the same file, one after the other.
func TestLaterEditsDecide(t *testing.T) {
	of := func(path string, c ...edits.Chunk) edits.Edit {
		e := hunk(c...)
		e.Path = path
		return e
	}
	same, next, other := chunk("-same", "+changed 0"), chunk("-line 4", "+new"), chunk("-line 0", "+new")
	for what, c := range map[string]struct {
		list []edits.Edit
		want int
	}{
		"the next edit":           {[]edits.Edit{of("f", same), of("f", next)}, 2},
		"the next edit but one":   {[]edits.Edit{of("f", same), of("f", chunk("-line 3", "+new")), of("f", next)}, 2},
		"of another file":         {[]edits.Edit{of("f", same), of("g", next)}, -1},
		"another file between":    {[]edits.Edit{of("f", same), of("g", other), of("f", next)}, -1},
		"a block":                 {[]edits.Edit{of("f", same), replaceEdit("line 4\n", "new\n")}, -1},
		"a block between":         {[]edits.Edit{of("f", same), replaceEdit("line 0\n", "new\n"), of("f", next)}, -1},
		"the same edit, then one": {[]edits.Edit{of("f", chunk("-line 1", "+new"), same), of("f", next)}, 2},
		"a block says no order":   {[]edits.Edit{replaceEdit("line 4\n", "new\n"), of("f", same)}, -1},
		"a block moves numbers":   {[]edits.Edit{replaceEdit("line 0\n", "line 0\na\nb\n"), of("f", edits.Chunk{Line: 7, Lines: same.Lines})}, 8},
		"new lines move numbers":  {[]edits.Edit{of("f", edits.Chunk{Line: 1, Lines: chunk("+a", "+b").Lines}), of("f", edits.Chunk{Line: 7, Lines: same.Lines})}, 8},
		"a listing moves nothing": {[]edits.Edit{listing(textOf(append([]string{"a", "b"}, withSame(9, 2, 6)...))), of("f", edits.Chunk{Line: 5, Lines: same.Lines})}, 4},
		"one before":              {[]edits.Edit{of("f", next), of("f", same)}, 6},
	} {
		for i := range c.list {
			c.list[i].Index = i
		}
		text := textOf(withSame(9, 2, 6))
		tree := files{"f": text, "g": text}
		r := edits.Apply(tree, c.list, nil, edits.Options{})
		if got := slices.Index(strings.Split(tree.After(r.Changes)["f"], "\n"), "changed 0"); got != c.want {
			t.Errorf("%s: at %d, want %d; %+v", what, got, c.want, r.Failures)
		}
	}
}

// A scope line is a whole line, or else the one line that begins with it and goes on with no name.
func TestScopeLines(t *testing.T) {
	lines := []string{"class A:", "    def run(self):", "same", "class B(A):", "    def run(self, more):", "same", "    def runner(self):", "same", "same", "“quoted”", "same"}
	for scope, want := range map[string]int{
		"class A:": 2, "class B": 5, "class B(A)": 5, "def run(self)": 2, "def run(self):": 2, "def run(self, ": 5, "def runner": 7, "    def runner(self):": 7,
		"def run": -1, "class": -1, "def": -1, "run(self)": -1, "\"quoted\"": 10, "class  A:": -1,
	} {
		if got := landedAt(t, lines, edits.Lines{}, edits.Chunk{Scopes: []string{scope}}); got[0] != want {
			t.Errorf("below %q: at %d, want %d", scope, got[0], want)
		}
	}
}

// New lines only go below the scope, to their number, or to the end of the file.
func TestWhereNewLinesGo(t *testing.T) {
	lines := withSame(9)
	for what, c := range map[string]struct {
		c    edits.Chunk
		want int // the line that is new, -1 for a refusal
	}{
		"no place": {edits.Chunk{}, 9}, "a number": {edits.Chunk{Line: 3}, 3}, "the last number": {edits.Chunk{Line: 9}, 9}, "a number beyond": {edits.Chunk{Line: 10}, 9},
		"a scope": {edits.Chunk{Scopes: []string{"line 4"}}, 5}, "a scope and a number": {edits.Chunk{Scopes: []string{"line 4"}, Line: 2}, 5},
		"two scopes": {edits.Chunk{Scopes: []string{"line 1", "line 4"}}, 5}, "no such scope": {edits.Chunk{Scopes: []string{"nowhere"}}, -1},
	} {
		c.c.Lines = chunk("+new").Lines
		r := edits.Apply(files{"f": textOf(lines)}, []edits.Edit{hunk(c.c)}, nil, edits.Options{})
		if c.want < 0 {
			if len(r.Failures) != 1 || r.Failures[0].Reason != edits.ReasonNoMatch || len(r.Changes) > 0 {
				t.Errorf("%s: %+v", what, r)
			}
			continue
		}
		if want := textOf(slices.Insert(slices.Clone(lines), c.want, "new")); len(r.Failures) > 0 || r.Changes[0].After != want {
			t.Errorf("%s: %+v", what, r)
		}
		// Two hunks: the number of the second counts lines of the file as it was.
		second := edits.Chunk{Line: 5, Lines: chunk("+newer").Lines}
		r = edits.Apply(files{"f": textOf(lines)}, []edits.Edit{hunk(c.c, second)}, nil, edits.Options{})
		if c.want > 5 || c.want < 0 {
			continue
		}
		if want := textOf(slices.Insert(slices.Insert(slices.Clone(lines), 5, "newer"), c.want, "new")); c.want < 5 && r.Changes[0].After != want {
			t.Errorf("%s, then a second: %q", what, r.Changes[0].After)
		}
	}
}

// Hunks of any diff with right numbers give its text, also where lines repeat so often that only the
// numbers tell; each number counts lines of the file as it was.
func TestNumbersTellRepeatsApart(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 1))
	for range 600 {
		n := 20 + r.IntN(40)
		lines := make([]string, n)
		for i := range lines {
			lines[i] = fmt.Sprintf("line %d", r.IntN(2))
		}
		var chunks []edits.Chunk
		var after []string
		for i := 0; i < n; i++ {
			if r.IntN(6) > 0 || i+1 >= n {
				after = append(after, lines[i])
				continue
			}
			c := edits.Chunk{Line: i + 1, Lines: []match.Line{{Sign: '-', Text: lines[i]}}}
			for k := range r.IntN(3) {
				text := fmt.Sprintf("new %d.%d", i, k)
				c.Lines = append(c.Lines, match.Line{Sign: '+', Text: text})
				after = append(after, text)
			}
			chunks = append(chunks, c)
			after = append(after, lines[i+1])
			i++
		}
		if len(chunks) == 0 {
			continue
		}
		res := edits.Apply(files{"f": textOf(lines)}, []edits.Edit{hunk(chunks...)}, nil, edits.Options{})
		if len(res.Failures) > 0 || res.Changes[0].After != textOf(after) {
			t.Fatalf("%+v\n%s\nwant\n%s", res, textOf(lines), textOf(after))
		}
	}
}

// A scope that is blank is a blank line.
func TestBlankScopes(t *testing.T) {
	for _, c := range []struct {
		lines []string
		want  int
	}{{[]string{"same", "a", "", "same"}, 3}, {[]string{"same", "a", "  ", "same", "same"}, 3}, {[]string{"same", "a", "same"}, -1}, {[]string{"", "same", "a", "same"}, 1}} {
		if got := landedAt(t, c.lines, edits.Lines{}, edits.Chunk{Scopes: []string{""}}); got[0] != c.want {
			t.Errorf("%q: at %d, want %d", c.lines, got[0], c.want)
		}
	}
}
