package chat

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/edits"
)

// TestWrap: words stay whole where they fit, and looks end with each row.
func TestWrap(t *testing.T) {
	for _, x := range []struct {
		text string
		want []string
	}{
		{"one two three", []string{"one two", "  three"}},
		{"one  two", []string{"one  two"}},
		{"a abcdefghijk", []string{"a", "  abcdef", "  ghijk"}},
		{"    in four and", []string{"    in", "  four", "  and"}},
		{"", []string{""}},
		{"one\n\ntwo", []string{"one", "", "two"}},
	} {
		if got := wrap(x.text, 8, "  "); !slices.Equal(got, x.want) {
			t.Errorf("%q: %q, want %q", x.text, got, x.want)
		}
	}
	rows := wrapLine(style{true}.paint(lookRed, "one two three"), 8, "")
	if !slices.Equal(rows, []string{"\x1b[31mone two\x1b[0m", "\x1b[31mthree\x1b[0m"}) {
		t.Errorf("%q", rows)
	}
}

// TestMarkdown: what a model writes is rendered; no line is too wide, and no control character comes out of a reference.
func TestMarkdown(t *testing.T) {
	source := "# Title\n\nSome **bold** text with `code`, a [link](http://example.com) and <b>tags</b>.\nSame paragraph.\n\n- one\n- two\n  1. in\n\n" +
		"> said\n\n```go\nfunc a() {\n\tb()\n}\n```\n\n| a | b |\n|---|---|\n| x | y |\n\n---\n&#27;]0;title&#7; \x1b[31m\n"
	want := "Title\n\nSome bold text with `code`, a link (http://example.com)\nand <b>tags</b>. Same paragraph.\n\n• one\n• two\n  1. in\n\n│ said\n\n" +
		"  func a() {\n      b()\n  }\n\na  b\n────\nx  y\n\n" + strings.Repeat("─", 56) + "\n\n<U+001B>]0;title<U+0007> <U+001B>[31m"
	if got := strings.Join(markdown{style{}, 56}.render(source), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, width := range []int{10, 20, 40, 300} {
		for _, row := range (markdown{style{true}, width}).render(source) {
			if ansi.StringWidth(row) > width {
				t.Errorf("%d columns: %q", width, row)
			}
		}
	}
	wide := (markdown{style{}, 12}).render("| name | what it is |\n|---|---|\n| x | some words |\n")
	if !slices.Equal(wide, []string{"name: what", "  it is", "────────────", "x", "  some words"}) {
		t.Errorf("%q", wide)
	}
}

// TestAsked: a question is written in lines that fit, with whole words, and nothing of it is lost.
func TestAsked(t *testing.T) {
	for what, q := range map[string]event.Question{
		"choices":   {Text: "The model wants to change internal/server/handlers.go, which it has not seen. Add it to the chat?", Choices: []string{"add", "skip"}, Default: "skip"},
		"numbers":   {Text: "Which of these interpretations of your request is meant?", Choices: []string{"1", "2"}, Titles: []string{"Change every place where the old name is used, also in comments", "Change the definition alone"}},
		"free text": {Text: "Which language should the program greet its users in?\nAnd how loud is it to be?", FreeText: true},
		"both":      {Text: "Which language should it be?", FreeText: true, Choices: []string{"English", "assume"}, Titles: []string{"English", "let the model choose this"}, Default: "assume"},
		"a script":  {Text: "Run this script?", Body: "set -e\necho one two three four five six seven eight nine ten\n", Choices: []string{"run", "skip"}},
	} {
		whole, last := Asked(q, 0)
		for width := 40; width <= 300; width++ {
			head, before := Asked(q, width)
			// A quoted line has its bar before each of its parts.
			if got, want := signs(head+before), signs(whole+last); got != want {
				t.Fatalf("%s, %d columns: %q", what, width, got)
			}
			for line := range strings.Lines(head + before) {
				if ansi.StringWidth(strings.TrimSuffix(line, "\n")) > width {
					t.Errorf("%s: wider than %d columns: %q", what, width, line)
				}
			}
			if strings.HasSuffix(before, "\n") || head != "" && !strings.HasSuffix(head, "\n") {
				t.Errorf("%s: the answer stands behind %q, below %q", what, before, head)
			}
			var out strings.Builder
			c := newLineConsole(strings.NewReader("x\n"), &out, width)
			if answer, err := c.Ask(t.Context(), line{before: strings.ReplaceAll(whole+last, "\n", " ")}); err != nil || answer != "x" {
				t.Fatal(answer, err)
			}
			for line := range strings.Lines(strings.TrimSuffix(out.String(), " ")) {
				if ansi.StringWidth(strings.TrimSuffix(line, "\n")) > width {
					t.Errorf("%s: wider than %d columns: %q", what, width, line)
				}
			}
			if got, want := signs(out.String()), signs(whole+last); got != want {
				t.Fatalf("%s, %d columns: %q", what, width, got)
			}
		}
	}
}

// signs are the words of a text without the bars of what is quoted.
func signs(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "|", "")), " ")
}

// TestHighlight: code has the colours of its language, and the text stays as it is.
func TestHighlight(t *testing.T) {
	rows := markdown{style{true}, 80}.render("```python\ndef f(): # say\n    return 'a'\n```\n")
	if got := strings.Join(rows, "\n"); !strings.Contains(got, "\x1b[35mdef\x1b[0m") || ansi.Strip(got) != "  def f(): # say\n      return 'a'" {
		t.Errorf("%q", got)
	}
}

// TestMarkdownIsBounded: a text that nobody writes takes no time.
func TestMarkdownIsBounded(t *testing.T) {
	if rows := (markdown{style{}, 80}).render(strings.Repeat("[", 100_000)); len(rows) < 1000 {
		t.Errorf("%d rows", len(rows))
	}
}

// TestWhole: only what nothing can change any more is whole.
func TestWhole(t *testing.T) {
	for text, want := range map[string]string{
		"one\n":                          "",
		"one\n\n":                        "",
		"one\n\nt":                       "one\n\n",
		"- one\n\n  more":                "",
		"- one\n\n- two":                 "- one\n\n",
		"```\na\n\nb\n":                  "",
		"```\na\n\nb\n```\n\nc":          "```\na\n\nb\n```\n\n",
		"~~~\n```\n\nb":                  "",
		"````\n```\n\nb\n````\n\nafter.": "````\n```\n\nb\n````\n\n",
		"one\n\ntwo\n\nthree":            "one\n\ntwo\n\n",
	} {
		if got := text[:whole(text)]; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestDiff: lines have looks, and of a line that stands in the place of another the words that changed are marked.
func TestDiff(t *testing.T) {
	text := "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@ hunk 1\n keep\n-return alpha + beta\n+return alpha - gamma\n"
	if got := (differ{style{}, 80}).paint(text); got+"\n" != text {
		t.Errorf("without looks:\n%s", got)
	}
	got := differ{style{true}, 80}.paint(text)
	for _, want := range []string{"\x1b[31;7m+ beta\x1b[0m", "\x1b[32;7m- gamma\x1b[0m", "\x1b[32m+return alpha \x1b[0m", "\n keep\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in %q", want, got)
		}
	}
	if ansi.Strip(got)+"\n" != text {
		t.Errorf("the text is another one:\n%s", ansi.Strip(got))
	}
}

// marked puts what is marked of a line into brackets.
func marked(line string, marks []span) string {
	at := 0
	var b strings.Builder
	for _, m := range marks {
		b.WriteString(line[at:m.from] + "[" + line[m.from:m.to] + "]")
		at = m.to
	}
	return b.String() + line[at:]
}

// TestChangedWords: whole words are marked, each that changed, and none in lines that share little.
func TestChangedWords(t *testing.T) {
	long := strings.Repeat("x", mostMarkedLine)
	for _, x := range [][4]string{
		{"a = 1", "a = 2", "a = [1]", "a = [2]"},
		{"foo(bar)", "foo(baz)", "foo([bar])", "foo([baz])"},
		{"same", "same", "same", "same"},
		{"one", "two", "one", "two"},
		{"x é", "x è", "x [é]", "x [è]"},
		{"f(alpha, b, gamma)", "f(beta, b, delta)", "f([alpha], b, [gamma])", "f([beta], b, [delta])"},
		{"return alpha + beta", "return alpha - gamma", "return alpha [+ beta]", "return alpha [- gamma]"},
		{"if x:", "if x and y:", "if x:", "if x[ and y]:"},
		{"    a()", "a()", "[    ]a()", "a()"},
		{"", "x = 1", "", "x = 1"},
		{long + "é" + long, long + "è" + long, long + "[é]" + long, long + "[è]" + long},
	} {
		inA, inB := changedWords(x[0], x[1])
		if a, b := marked(x[0], inA), marked(x[1], inB); a != x[2] || b != x[3] {
			t.Errorf("%q and %q, want %q and %q", a, b, x[2], x[3])
		}
	}
	lines := []diffLine{{sign: "-", text: "total = 0"}, {sign: "+", text: "# The sum."}, {sign: "+", text: "total = 1"}}
	markChanges(lines) // there are more lines than before
	if got := marked(lines[0].text, lines[0].marks) + "|" + marked(lines[1].text, lines[1].marks) + "|" + marked(lines[2].text, lines[2].marks); got != "total = [0]|# The sum.|total = [1]" {
		t.Error(got)
	}
}

// TestDiffInColours: the lines of a diff have the colours of their language, as their hunk says what they are, and the text is
// the same without them.
func TestDiffInColours(t *testing.T) {
	hunk := func(name, body string) string {
		return "diff --git a/" + name + " b/" + name + "\n--- a/" + name + "\n+++ b/" + name + "\n@@ -1,9 +1,9 @@ hunk 1\n" + body
	}
	for what, x := range map[string]struct {
		text  string
		want  []string
		never []string
	}{
		"keywords and strings": {hunk("a.py", "-    return 'a'\n+    return 'b'\n if x:\n"), []string{
			"\x1b[31m-    \x1b[0m\x1b[35mreturn\x1b[0m\x1b[31m \x1b[0m\x1b[36m'\x1b[0m\x1b[31;7ma\x1b[0m\x1b[36m'\x1b[0m",
			"\x1b[32m+    \x1b[0m\x1b[35mreturn\x1b[0m\x1b[32m \x1b[0m\x1b[36m'\x1b[0m\x1b[32;7mb\x1b[0m\x1b[36m'\x1b[0m",
			" \x1b[35mif\x1b[0m x:",
		}, nil},
		"inside of a string of several lines": {hunk("a.py", " s = \"\"\"\n-for one\n+for two\n \"\"\"\n"), []string{"\x1b[31m-\x1b[0m\x1b[36mfor \x1b[0m\x1b[31;7mone\x1b[0m"}, []string{"\x1b[35mfor"}},
		"inside of a comment of several lines": {hunk("a.go", " /* one\n-for two\n+for three\n */\n"), []string{
			"\x1b[31m-\x1b[0m\x1b[2;31mfor \x1b[0m", "\x1b[32m+\x1b[0m\x1b[2;32mfor \x1b[0m", " \x1b[2m/* one\x1b[0m"}, []string{"\x1b[35mfor"}},
		"a comment that begins only in the new lines": {hunk("a.go", "-x := 1\n+/*\n for y\n+*/\n"), []string{" \x1b[2mfor y\x1b[0m"}, nil},
		"two files":                     {hunk("a.py", "-def f(): pass\n") + hunk("b.txt", "+def g(): pass\n"), []string{"\x1b[35mdef\x1b[0m", "\x1b[32m+def g(): pass\x1b[0m"}, nil},
		"a file that goes":              {strings.Replace(hunk("a.py", "-def f(): pass\n"), "+++ b/a.py", "+++ /dev/null", 1), []string{"\x1b[35mdef\x1b[0m"}, nil},
		"a name that git quotes":        {strings.ReplaceAll(strings.ReplaceAll(hunk("\\303\\244.py", "-def f(): pass\n"), "--- a/\\303\\244.py", "--- \"a/\\303\\244.py\""), "+++ b/\\303\\244.py", "+++ \"b/\\303\\244.py\""), []string{"\x1b[35mdef\x1b[0m"}, nil},
		"lines that look like a header": {hunk("a.sql", "--- a/x.py\n-select\n+++ b/x.py\n"), []string{"\x1b[2;31m/x.py\x1b[0m", "\x1b[32m/x.py\x1b[0m"}, []string{"\x1b[1m--- a/x.py"}},
		"no line end":                   {hunk("a.py", "-x = 1\n\\ No newline at end of file\n+x = 2\n\\ No newline at end of file\n"), []string{"\x1b[31;7m1\x1b[0m", "\x1b[32;7m2\x1b[0m", "\x1b[2m\\ No newline at end of file\x1b[0m"}, nil},
	} {
		got := differ{style{true}, 80}.paint(x.text)
		for _, want := range x.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is missing in\n%q", what, want, got)
			}
		}
		for _, never := range x.never {
			if strings.Contains(got, never) {
				t.Errorf("%s: %q is in\n%q", what, never, got)
			}
		}
		if plain := (differ{style{}, 80}).paint(x.text); ansi.Strip(got) != plain || plain+"\n" != x.text {
			t.Errorf("%s: the text is another one:\n%s\n%s", what, ansi.Strip(got), plain)
		}
	}
}

// TestDiffOfAnything: huge lines, and what was no text, are shown whole in lines that fit, and take no time.
func TestDiffOfAnything(t *testing.T) {
	var noise strings.Builder
	for i := range 200_000 {
		noise.WriteRune(rune(i * 7919 % 0x3000))
	}
	for what, body := range map[string]string{
		"a huge line":        strings.Repeat("x", 1<<20),
		"many words":         strings.Repeat("var a=1;", 1<<16),
		"wide signs":         strings.Repeat("漢", 1<<16),
		"blanks":             strings.Repeat(" ", 1<<16) + "x",
		"no text":            strings.ReplaceAll(noise.String(), "\n", ""),
		"quotes and escapes": strings.Repeat("\"\\", 1<<15),
	} {
		p := change("a\n"+body+"\nz\n", "a\n"+body+"y\nz\n")
		p.Files[0].Change.Path = "a.js"
		d := differ{style{true}, 80}
		rows := strings.Split(d.diff(p), "\n")
		for _, row := range rows {
			if ansi.StringWidth(row) > d.width {
				t.Fatalf("%s: %d columns", what, ansi.StringWidth(row))
			}
		}
		bare := func(s string) string { return strings.NewReplacer(" ", "", "\n", "", "\t", "").Replace(s) }
		if got, want := bare(ansi.Strip(strings.Join(rows, ""))), bare(proposal.ScreenDiff(p, false)); got != want {
			t.Errorf("%s: %d bytes are shown, want %d", what, len(got), len(want))
		}
	}
}

// change is a proposal of one file with hunks one line each, as far apart as they must be.
func change(before, after string) proposal.Proposal {
	return proposal.Proposal{Files: []proposal.File{{Change: edits.Change{Path: "a", Op: edits.OpUpdate, Before: before, After: after}, Hunks: edits.Diff(before, after)}}}
}

// TestPicker: the keys of git add -p.
func TestPicker(t *testing.T) {
	before, after := "a\n\nb\n\nc\n", "A\n\nB\n\nC\n"
	two := change(before, after)
	two.Files = append(two.Files, proposal.File{Change: edits.Change{Path: "new", Op: edits.OpCreate, After: "x\n"}, Hunks: edits.Diff("", "x\n")})
	for keys, want := range map[string]string{
		"y y y y": "++++", "n n n n": "----", "a n": "+++-", "d y": "---+", "q": "????", "y q": "+???",
		"j y a n": "?++-", // what was left comes last
		"y j k y": "++??",
		"y K n q": "-???", // what was decided on can be seen again
		"J K Y A": "+++?",
	} {
		k := newPicker(two)
		for _, key := range strings.Fields(keys) {
			if done, known := k.press(key); done || !known {
				break
			}
		}
		got := ""
		for _, s := range k.state {
			got += string("?+-"[s])
		}
		if got != want {
			t.Errorf("%s: %s, want %s", keys, got, want)
		}
	}
	k := newPicker(two)
	if got := k.keys(); got != "y,n,q,a,d,j,J,e,?" {
		t.Errorf("at the first: %s", got)
	}
	k.at = 3
	if got := k.keys(); got != "y,n,q,a,d,k,K,?" {
		t.Errorf("at the last: %s", got)
	}
	for _, key := range []string{"", "x", "yes please", "k", "K"} {
		if _, known := newPicker(two).press(key); known {
			t.Errorf("%q is taken", key)
		}
	}
}

// TestOnly: of a change whose hunks are decided on one by one, that one is shown and no other, with what is asked about it.
func TestOnly(t *testing.T) {
	f := change("a\n\nb\n\nc\n", "A\n\nB\n\nC\n").Files[0]
	for n, want := range map[int]string{1: "A", 2: "B", 3: "C"} {
		got := differ{width: 80}.diff(only(&f, []int{n}))
		for _, other := range []string{"A", "B", "C"} {
			if strings.Contains(got, "\n+"+other) != (other == want) {
				t.Errorf("hunk %d:\n%s", n, got)
			}
		}
	}
	if got := (differ{width: 80}).diff(only(&f, nil)); strings.Count(got, "\n+") != 4 { // one is that of the header
		t.Errorf("all:\n%s", got)
	}
	for op, want := range map[edits.Op]string{edits.OpUpdate: "Apply this hunk", edits.OpCreate: "Create this file", edits.OpDelete: "Delete this file", edits.OpRename: "Move this file"} {
		if got := unitQuestion(&proposal.File{Change: edits.Change{Op: op}}); got != want {
			t.Errorf("%s: %q", op, got)
		}
	}
}

// TestEditedHunk: a hunk can be edited as in git, as long as it stands on the old lines.
func TestEditedHunk(t *testing.T) {
	h := edits.Hunk{Old: "a\nb\n", New: "c\n"}
	if got, ok := editedHunk(h, hunkText(h)); !ok || got.New != "c\n" {
		t.Errorf("unchanged: %+v, %v", got, ok)
	}
	for text, want := range map[string]string{"-a\n b\n+d\n": "b\nd\n", "-a\n-b\n": "", " a\n b\n": "a\nb\n", "# x\n-a\n-b\n+1\n+2\n": "1\n2\n"} {
		if got, ok := editedHunk(h, text); !ok || got.New != want {
			t.Errorf("%q: %q, %v", text, got.New, ok)
		}
	}
	for _, text := range []string{"-a\n+c\n", "-a\n-x\n", "a\nb\n", ""} {
		if _, ok := editedHunk(h, text); ok {
			t.Errorf("%q is taken", text)
		}
	}
	end := edits.Hunk{Old: "a", New: "b"}
	if got, ok := editedHunk(end, "-a\n+c\n"); !ok || got.New != "c" {
		t.Errorf("without a line end: %+v, %v", got, ok)
	}
}

// TestToken: what stands before the cursor.
func TestToken(t *testing.T) {
	for text, want := range map[string]string{"look at @a/b": "@a/b", "x\n@ä": "@ä", "/add ": "", "": ""} {
		if got, start := token(text, len([]rune(text))); got != want || start != len([]rune(text))-len([]rune(want)) {
			t.Errorf("%q: %q at %d", text, got, start)
		}
	}
	for text, want := range map[string]bool{"/mo": true, "/model x": true, "a /b": false, "see @": true, "see x": false, "/a\nb": false} {
		if got := wantsChoices(text, len(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestChoices: Tab puts in what all begin with, then one after the other.
func TestChoices(t *testing.T) {
	in := &input{}
	in.set("see @pa now")
	in.at = 7
	c := choices{start: 4, typed: "@pa", list: []choice{{text: "@parse.py"}, {text: "@parser.py"}}}
	if got := c.begin(); got != "@parse" {
		t.Errorf("%q", got)
	}
	c = c.with(in, c.begin())
	c = c.into(in, 1)
	if got := in.String(); got != "see @parser.py now" || in.at != 14 || c.typed != "@parser.py" {
		t.Errorf("%q, %d, %q", got, in.at, c.typed)
	}
	rows := choices{list: []choice{{"/a", "Does\x1b it."}, {"/bcd", ""}, {"/e", "x"}}}.rows(1, 12, 2, style{})
	if !slices.Equal(rows, []string{"* /bcd", "  1 more"}) {
		t.Errorf("%q", rows)
	}
}
