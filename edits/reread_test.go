package edits_test

import (
	"strconv"
	"strings"
	"testing"

	"coauthor/edits"
)

// What models write around or into the lines of a block, on both sides alike, is taken off.
func TestReadingsOfABlock(t *testing.T) {
	const before = "top\nif (a < b && c) {\n  run(\"x\")\n}\nend\n"
	old, new := "if (a < b && c) {\n  run(\"x\")\n}\n", "if (a < b && c) {\n  walk(\"y\")\n  run(\"x\")\n}\n"
	each := func(text string, of func(i int, l string) string) string {
		var out strings.Builder
		i := 0
		for l := range strings.Lines(text) {
			i++
			out.WriteString(of(i, strings.TrimSuffix(l, "\n")) + "\n")
		}
		return out.String()
	}
	prefix := func(sign string) func(string) string {
		return func(text string) string {
			return each(text, func(_ int, l string) string { return sign + l })
		}
	}
	number := func(form string, from int) func(string) string {
		return func(text string) string {
			return each(text, func(i int, l string) string {
				return strings.NewReplacer("N", strconv.Itoa(from+i), "T", l).Replace(form)
			})
		}
	}
	html := strings.NewReplacer("&", "&amp;", "<", "&lt;", "\"", "&quot;").Replace
	for what, c := range map[string]struct{ old, new func(string) string }{
		"fences":              {between("```\n", "```\n"), between("```\n", "```\n")},
		"fences with a word":  {between("```js\n", "```\n"), between("```js\n", "```\n")},
		"other fences":        {between("<code>\n", "</code>\n"), between("<code>\n", "</code>\n")},
		"a name above fences": {between("f\n```\n", "```\n"), between("`f`:\n```\n", "```\n")},
		"signs":               {prefix("-"), prefix("+")},
		"signs and blanks":    {prefix("-"), prefix(" ")},
		"entities":            {html, html},
		"12: ":                {number("N: T", 11), number("N: T", 11)},
		"12 | ":               {number("N | T", 11), number("N | T", 11)},
		"12|":                 {number("N|T", 11), number("N|T", 11)},
		"a tab":               {number("N\tT", 11), number("N\tT", 11)},
		"a colon":             {number("N:T", 11), number("N:T", 11)},
		"more digits":         {number("N: T", 98), number("N: T", 98)},
		"further in":          {number("  N: T", 98), number("  N: T", 98)},
		"only the old side":   {number("N: T", 11), same},
	} {
		want := strings.Replace(before, old, new, 1)
		if got, rung := try(before, replaceEdit(c.old(old), c.new(new))); got != want {
			t.Errorf("%s: by %q, got %q", what, rung, got)
		}
		// With nothing new it is a deletion.
		if got, rung := try(before, replaceEdit(c.old(old), "")); got != strings.Replace(before, old, "", 1) {
			t.Errorf("%s, nothing new: by %q, got %q", what, rung, got)
		}
	}
	for what, c := range map[string]struct{ old, new func(string) string }{
		"signs on some lines":         {func(s string) string { return strings.Replace(prefix("-")(s), "-}", "}", 1) }, prefix("+")},
		"a fence that does not close": {between("```\n", ""), between("```\n", "")},
		"fences on the old side":      {between("```\n", "```\n"), same},
		"numbers that do not count":   {number("5: T", 0), number("5: T", 0)},
		"numbers too long":            {number("12345678N: T", 0), number("12345678N: T", 0)},
		"another way of numbers":      {number("N: T", 11), number("N | T", 11)},
		"some numbers": {number("N: T", 11), func(s string) string {
			return strings.Replace(strings.ReplaceAll(number("N: T", 11)("x\ny\nz\n"), "x", "q"), "12: ", "", 1)
		}},
	} {
		if got, rung := try(before, replaceEdit(c.old(old), c.new(new))); got != before || rung != "" {
			t.Errorf("%s: by %q, got %q", what, rung, got)
		}
	}
}

func between(before, after string) func(string) string {
	return func(text string) string { return before + text + after }
}

// Comments that a hunk takes for lines of the file are new.
func TestReadingsOfAHunk(t *testing.T) {
	const before = "one()\ntwo()\n# a remark of the file\nthree()\n"
	for what, c := range map[string]struct {
		lines []string
		want  string
	}{
		"a remark below a line":             {[]string{" one()", " # why not", "-two()", "+zwei()"}, "one()\n# why not\nzwei()\n# a remark of the file\nthree()\n"},
		"a remark in other languages":       {[]string{" one()", " // why not", "-two()", "+zwei()"}, "one()\n// why not\nzwei()\n# a remark of the file\nthree()\n"},
		"a remark above all":                {[]string{" # why not", " one()", "-two()", "+zwei()"}, ""},
		"a remark nearly that of the file":  {[]string{" two()", " # a remark of the fiel", "-three()", "+drei()"}, "one()\ntwo()\n# a remark of the file\ndrei()\n"},
		"a remark that goes":                {[]string{" one()", "-# why not", "-two()", "+zwei()"}, "one()\nzwei()\n# a remark of the file\nthree()\n"},
		"a remark that goes, at the top":    {[]string{"-# why not", " one()", "-two()", "+zwei()"}, "one()\nzwei()\n# a remark of the file\nthree()\n"},
		"a remark that goes, much like one": {[]string{" two()", "-# a remXXX of the file", "-three()", "+drei()"}, "one()\ntwo()\ndrei()\n"},
		"only a remark that goes":           {[]string{"-# why not", "+zwei()"}, ""},
		"no remark for sure":                {[]string{" one()", " #define X", "-two()", "+zwei()"}, ""},
		"a remark below a new line":         {[]string{"+zero()", " # why not", " one()", "-two()", "+zwei()"}, ""},
		"a remark below a blank line":       {[]string{" ", " # why not", " one()", "-two()", "+zwei()"}, ""},
		"all of it further in":              {[]string{"   one()", "   # why not", "-  two()", "+  zwei()"}, ""},
		"two remarks":                       {[]string{" one()", " # why not", " # or so", "-two()", "+zwei()"}, "one()\n# why not\n# or so\nzwei()\n# a remark of the file\nthree()\n"},
		"three letters of twenty":           {[]string{" two()", " # a remXXX of the file", "-three()", "+drei()"}, "one()\ntwo()\n# a remark of the file\ndrei()\n"},
		"six letters":                       {[]string{" two()", " # a rXXXXXX of the fiXX", " # a remark of the file", "-three()", "+drei()"}, "one()\ntwo()\n# a rXXXXXX of the fiXX\n# a remark of the file\ndrei()\n"},
		"a sign at the end of a block":      {[]string{" one()", " #", "-two()", "+zwei()"}, "one()\n#\nzwei()\n# a remark of the file\nthree()\n"},
		"a line of code":                    {[]string{" one()", " why_not()", "-two()", "+zwei()"}, ""},
	} {
		got, rung := try(before, hunk(chunk(c.lines...)))
		if c.want == "" && (got != before || rung != "") || c.want != "" && got != c.want {
			t.Errorf("%s: by %q, got %q, want %q", what, rung, got, c.want)
		}
	}
	// A remark of the file that an edit took away is none that was invented.
	gone := hunk(chunk(" two()", "-# a remark of the file", " three()"), chunk(" two()", " # a remark of the file", "-three()", "+drei()"))
	if r := edits.Apply(files{"f": before}, []edits.Edit{gone}, nil, edits.Options{}); len(r.Failures) != 1 {
		t.Errorf("%+v", r)
	}
}

// A block with a sign before every line that would also stand in the file further in is a piece of a diff.
func TestSignsThatWouldStandFurtherIn(t *testing.T) {
	const before = "def f():\n    x()\n    y()\n"
	for what, c := range map[string]struct{ search, replace, want string }{
		"a new line":        {"     x()\n", "     x()\n+    z()\n", "def f():\n    x()\n    z()\n    y()\n"},
		"in place":          {"     x()\n-    y()\n", "     x()\n+    z()\n", "def f():\n    x()\n    z()\n"},
		"no sign":           {"     x()\n", "     z()\n", "def f():\n    z()\n    y()\n"},
		"with signs, exact": {"    x()\n", "    x()\n+    z()\n", "def f():\n    x()\n+    z()\n    y()\n"},
	} {
		if got, rung := try(before, replaceEdit(c.search, c.replace)); got != c.want {
			t.Errorf("%s: by %q, got %q", what, rung, got)
		}
	}
}

// Numbers without anything behind them, and lines of which nothing is left.
func TestReadingsWithBlankLines(t *testing.T) {
	for what, c := range map[string]struct{ before, search, replace, want string }{
		"a number and its colon":         {"a()\n\nb()\n", "1: a()\n2:\n3: b()\n", "1: a()\n2:\n3: c()\n", "a()\n\nc()\n"},
		"a number alone":                 {"a()\n\nb()\n", "1: a()\n2\n3: b()\n", "1: a()\n2\n3: c()\n", "a()\n\nc()\n"},
		"a number, a stroke and a blank": {"a()\n\nb()\n", "1 | a()\n2 |\n3 | b()\n", "1 | a()\n2 |\n3 | c()\n", "a()\n\nc()\n"},
		"seven digits":                   {"a()\nb()\n", "9999998: a()\n9999999: b()\n", "9999998: c()\n", "c()\n"},
		"eight digits":                   {"a()\nb()\n", "19999998: a()\n19999999: b()\n", "19999998: c()\n", ""},
		"numbers that go down":           {"a()\nb()\n", "2: a()\n1: b()\n", "2: c()\n", ""},
		"numbers that leave some out":    {"a()\nb()\n", "2: a()\n7: b()\n", "2: c()\n", "c()\n"},
		"a number with nothing":          {"a()\n\nb()\n", "1:\n", "1: c()\n", ""},
		"a sign and nothing":             {"a()\n\nb()\n", "-\n", "+c()\n", ""},
		"signs and blank lines":          {"a()\n\nb()\n", "-a()\n-\n-b()\n", "+c()\n\n+d()\n", "c()\n\nd()\n"},
		"signs, blank lines without":     {"a()\n\nb()\n", "-a()\n\n-b()\n", "+c()\n\n+d()\n", "c()\n\nd()\n"},
		"no sign anywhere":               {"a()\nb()\n", " x()\n b()\n", " c()\n", ""},
		"signs on the new side only":     {"a()\nb()\n", "nowhere()\n", "+c()\n", ""},
		"fences around nothing":          {"a()\n\nb()\n", "```\n\n```\n", "```\nc()\n```\n", ""},
		"a fence alone":                  {"a()\nb()\n", "```\n", "```\nc()\n```\n", ""},
		"fences, nothing new in them":    {"a()\nb()\n", "```\na()\n```\n", "```\n```\n", "b()\n"},
		"entities on the new side only":  {"a()\nb()\n", "nowhere()\n", "c(&quot;)\n", ""},
		"entities on both sides":         {"a(\"x\")\nb()\n", "a(&quot;x&#34;)\n", "a(&#39;)\nc(&amp;)\n", "a(')\nc(&)\nb()\n"},
	} {
		got, rung := try(c.before, replaceEdit(c.search, c.replace))
		if c.want == "" && (got != c.before || rung != "") || c.want != "" && got != c.want {
			t.Errorf("%s: by %q, got %q, want %q", what, rung, got, c.want)
		}
	}
}
