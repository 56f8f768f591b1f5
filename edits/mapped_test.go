package edits_test

import (
	"strings"
	"testing"

	"coauthor/edits"
)

func TestWhatAMatchMappedIsMappedInTheNewLines(t *testing.T) {
	for what, c := range map[string]struct{ before, search, replace, want string }{
		"quotes":                          {"x = 'a'\ny = \"b\"\n", "x = ‘a’\ny = “b”\n", "x = ‘c’\ny = “d”\nz = “e”\n", "x = 'c'\ny = \"d\"\nz = \"e\"\n"},
		"a quote of another kind":         {"x = 'a'\n", "x = ‘a’\n", "x = “b” + ‘c’\n", "x = \"b\" + 'c'\n"},
		"blanks":                          {"if a:\n    b = 1\n", "if a:\n\u00a0\u00a0\u00a0\u00a0b\u00a0= 1\n", "if a:\n\u00a0\u00a0\u00a0\u00a0b\u00a0= 2\n\u00a0\u00a0\u00a0\u00a0c\u00a0= 3\n", "if a:\n    b = 2\n    c = 3\n"},
		"dashes":                          {"f --all -x\n", "f ‑‑all −x\n", "f ‑‑all ‑‑more −y\n", "f --all --more -y\n"},
		"no width":                        {"run(x)\n", "run\u200b(x)\n", "run\u200b(x, y)\nstop\u200b(x)\n", "run(x, y)\nstop(x)\n"},
		"kept where the file has them":    {"a = “x”\nb = 'y'\n", "a = “x”\nb = ‘y’\n", "a = “x, z”\nb = ‘w’\n", "a = “x, z”\nb = 'w'\n"},
		"the file's own, written plainly": {"say “It’s done” now\n", "say \"It's done\" now\n", "say \"It's all done\" now\n", "say “It’s all done” now\n"},
		"the file's blanks":               {"10\u00a0km far\n", "10 km far\n", "10 km wide\n", "10\u00a0km wide\n"},
		"no width in the file":            {"f\u200b('x')\n", "f(‘x’)\n", "f(‘y’)\n", "f('y')\n"},
		"letters are no look-alikes":      {"x = 'a'\n", "x = ‘a’\n", "x = ‘é’ + ‘→’\n", "x = 'é' + '→'\n"},
		"a dash for another":              {"a – b\n", "a — b\n", "a — c ‘d’\n", "a – c ‘d’\n"},
		"exact, so nothing is mapped":     {"x = 'a'\n", "x = 'a'\n", "x = ‘b’\n", "x = ‘b’\n"},
		"a blank line that is none":       {"x = 'a'\n\u00a0\nb\n", "x = ‘a’\n\nb\n", "x = ‘c’\n\nb\nd = ‘e’\n", "x = 'c'\n\u00a0\nb\nd = 'e'\n"},
		"only a blank line that is none":  {"a\n\u00a0\nb\n", "a\n\nb\n", "a\n\nb\nd = ‘e’\n", "a\n\u00a0\nb\nd = ‘e’\n"},
		"a line that is longer":           {"begin_it()\nprint('hello world, how are you')\n", "begin_it()\nprint(‘hello world, how are you’);\n", "begin_it()\nprint(‘hello’)\n", "begin_it()\nprint('hello')\n"},
		"a line that is shorter":          {"begin_it()\nprint('hello world, how are you');\n", "begin_it()\nprint(‘hello world, how are you’)\n", "begin_it()\nprint(‘hello’)\n", "begin_it()\nprint('hello')\n"},
		"the file's quotes, further in":   {"if a:\n    say(“It’s done” now)\n", "  say(\"It's done\" now)\n", "  say(\"It's all\" now)\n  stop('x')\n", "if a:\n    say(“It’s all” now)\n    stop('x')\n"},
		"the file's quotes at an end":     {"“a” = b\n", "\"a\" = b\n", "\"c\" = \"d\"\n", "“c\" = \"d\"\n"},
		"all of a line again":             {"“a”\nb ‘c’\n", "\"a\"\nb 'c'\n", "\"a\"\nb 'c' 'c'\n", "“a”\nb ‘c’ 'c'\n"},
		"a dash for two others":           {"say — it’s now\n", "say – it‘s now\n", "say - it's all now\n", "say — it’s all now\n"},
		"an apostrophe of a prime":        {"x = 'a'\n", "x = ′a′\n", "x = ‘b’ + ″c″ + „d“\n", "x = 'b' + \"c\" + \"d\"\n"},
		"blanks of other widths":          {"a b c\n", "a\u2002b\u3000c\n", "a\u2003b\u2009d\u202fe\n", "a b d e\n"},
		"dashes of other lengths":         {"a - b\n", "a – b\n", "a — b ‐ c ‒ d ― e\n", "a - b - c - d - e\n"},
		"marks without width":             {"run(x)\n", "run\u2060(x)\u200d\n", "run\u200c(y)\ufeff\n", "run(y)\n"},
		"numbers":                         {"alpha()\nbeta()\n", "1: alpha()\n2: beta()\n", "1: alpha()\n2: gamma()\n3: beta()\n", "alpha()\ngamma()\nbeta()\n"},
		"numbers that repeat":             {"alpha()\nbeta()\n", "7 | alpha()\n8 | beta()\n", "7 | alpha()\n8 | gamma()\n8 | beta()\n", "alpha()\ngamma()\nbeta()\n"},
		"new lines without numbers":       {"alpha()\nbeta()\n", "7 | alpha()\n8 | beta()\n", "7 | alpha()\ngamma()\n8 | beta()\n", "alpha()\ngamma()\nbeta()\n"},
		"blank lines without numbers":     {"alpha()\n\nbeta()\n", "1: alpha()\n\n3: beta()\n", "1: alpha()\n\n3: gamma()\n", "alpha()\n\ngamma()\n"},
	} {
		e := edits.Edit{Path: "f", Op: edits.OpUpdate, Kind: edits.KindReplace, Search: c.search, Replace: c.replace}
		var lines []edits.ChunkLine
		for l := range strings.Lines(c.search) {
			lines = append(lines, edits.ChunkLine{Sign: '-', Text: strings.TrimSuffix(l, "\n")})
		}
		for l := range strings.Lines(c.replace) {
			lines = append(lines, edits.ChunkLine{Sign: '+', Text: strings.TrimSuffix(l, "\n")})
		}
		hunk := edits.Edit{Path: "f", Op: edits.OpUpdate, Kind: edits.KindHunk, Chunks: []edits.Chunk{{Lines: lines}}}
		kinds := map[string]edits.Edit{"block": e, "hunk": hunk}
		if strings.Contains(what, "a blank line") {
			delete(kinds, "hunk") // there it is clear what a blank line becomes
		}
		for kind, e := range kinds {
			r := edits.Apply(files{"f": "top\n" + c.before + "end\n"}, []edits.Edit{e}, nil, edits.Options{Chat: []string{"f"}})
			if len(r.Failures) > 0 || len(r.Changes) != 1 || r.Changes[0].After != "top\n"+c.want+"end\n" {
				t.Errorf("%s as a %s: want %q, got %+v", what, kind, c.want, r)
			}
		}
	}
}

func TestNumbersOfAListingAreTakenOff(t *testing.T) {
	before := "def f():\n    return 1\n\ndef g():\n    return 2\n"
	counted := "1: def f():\n2:     return 1\n3: \n4: def g():\n5:     return 3\n"
	r := edits.Apply(files{"f": before}, []edits.Edit{{Path: "f", Op: edits.OpUpdate, Kind: edits.KindWhole, Listing: true, Replace: counted}}, nil, edits.Options{})
	if len(r.Changes) != 1 || r.Changes[0].After != strings.Replace(before, "return 2", "return 3", 1) {
		t.Errorf("%+v", r)
	}
	for _, text := range []string{"2: def f():\n3:     return 1\n", "1: def f():\n1:     return 1\n", "1: x\n2: y\n", "1: def f():\n    return 1\n"} {
		if got := outcome(before, listing(text)); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	numbered := "1: a\n2: b\n"
	r = edits.Apply(files{"f": "1: a\n"}, []edits.Edit{{Path: "f", Op: edits.OpUpdate, Kind: edits.KindWhole, Listing: true, Replace: numbered}}, nil, edits.Options{})
	if len(r.Changes) != 1 || r.Changes[0].After != numbered {
		t.Errorf("a file with numbers: %+v", r)
	}
}

// Where the model was shown a file with numbers, those that come back in a hunk are taken off.
func TestNumbersOfAHunkAreTakenOff(t *testing.T) {
	const before = "def f():\n    return 1\n\ndef g():\n    return 2\n"
	for what, c := range map[string]struct {
		lines []string
		want  string
	}{
		"everywhere":        {[]string{" 4 | def g():", "-5 |     return 2", "+5 |     return 3", "+6 |     pass"}, "def f():\n    return 1\n\ndef g():\n    return 3\n    pass\n"},
		"not in new lines":  {[]string{" 4 | def g():", "-5 |     return 2", "+    return 3"}, "def f():\n    return 1\n\ndef g():\n    return 3\n"},
		"in some new lines": {[]string{" 4 | def g():", "-5 |     return 2", "+5 |     return 3", "+    pass"}, "def f():\n    return 1\n\ndef g():\n    return 3\n    pass\n"},
		"with blank lines":  {[]string{" 2 |     return 1", " 3 |", " 4 | def g():", "-5 |     return 2"}, "def f():\n    return 1\n\ndef g():\n"},
		"a blank for a bar": {[]string{" 4 def g():", "-5     return 2", "+5     return 3"}, "def f():\n    return 1\n\ndef g():\n    return 3\n"},
		"of other lines":    {[]string{" 4 | def h():", "-5 |     return 2", "+5 |     return 3"}, before},
		"not counting up":   {[]string{" 5 | def g():", "-4 |     return 2", "+4 |     return 3"}, before},
		"blank, in some":    {[]string{" 4 def g():", "-5     return 2", "+5     return 3", "+7"}, "def f():\n    return 1\n\ndef g():\n    return 3\n\n"},
	} {
		if got := outcome(before, hunk(chunk(c.lines...))); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
	numbers := "1 | a\n2 | b\n"
	if got := outcome(numbers, hunk(chunk(" 1 | a", "-2 | b", "+2 | c"))); got != "1 | a\n2 | c\n" {
		t.Errorf("a file of numbers becomes %q", got)
	}
}

// A new line gets the file's characters of the line that it stands for, and of no other one.
func TestNewLinesTakeTheCharactersOfTheirOwnLine(t *testing.T) {
	const before = "a one\nb two\nsay “It’s” now\nkept\n"
	for what, c := range map[string]struct {
		lines []string
		want  string
	}{
		"the third for the third": {[]string{"-a one", "-b two", "-say \"It's\" now", "+A", "+B", "+say \"It's\" then"}, "A\nB\nsay “It’s” then\nkept\n"},
		"only one line for three": {[]string{"-a one", "-b two", "-say \"It's\" now", "+say \"It's\" then"}, "say \"It's\" then\nkept\n"},
		"lines that stay between": {[]string{"-a one", "-b two", "-say \"It's\" now", "+A", " kept", "+say \"It's\" then"}, "A\nkept\nsay \"It's\" then\n"},
		"one that stays":          {[]string{"-a one", "+A", " b two", " say \"It's\" now", "+say \"It's\" then"}, "A\nb two\nsay “It’s” now\nsay \"It's\" then\nkept\n"},
		"the first of a second":   {[]string{"-a one", "+A", " b two", "-say \"It's\" now", "+say \"It's\" then"}, "A\nb two\nsay “It’s” then\nkept\n"},
		"nothing for it":          {[]string{" a one", "-b two", "-say \"It's\" now"}, "a one\nkept\n"},
	} {
		if got, rung := try(before, hunk(chunk(c.lines...))); got != c.want || rung != edits.RungUnicode {
			t.Errorf("%s: by %q, got %q, want %q", what, rung, got, c.want)
		}
	}
}

// A look-alike is seen wherever it is in a line, and a line without any is left as it is.
func TestLookAlikesAnywhereInALine(t *testing.T) {
	const file = "call_it(with, 3, more things)"
	for i, c := range file {
		if c != ' ' {
			continue
		}
		for n := range 9 {
			before := strings.Repeat("x", n) + file
			text := before[:n+i] + "\u00a0" + before[n+i+1:]
			if got, rung := try(before+"\n", replaceEdit(text+"\n", "z\n")); got != "z\n" || rung != edits.RungUnicode {
				t.Errorf("%q by %q, %q", text, rung, got)
			}
		}
	}
}

// Which characters count as others that people type: dashes, quotes, blanks, and those without width.
func TestLookAlikes(t *testing.T) {
	like := map[rune]string{0x2212: "-", 0x2032: "'", 0x2033: `"`, 0xA0: " ", 0x202F: " ", 0x205F: " ", 0x3000: " ", 0x200B: "", 0x200C: "", 0x200D: "", 0x2060: "", 0xFEFF: ""}
	for plain, between := range map[string][2]rune{"-": {0x2010, 0x2015}, "'": {0x2018, 0x201B}, `"`: {0x201C, 0x201F}, " ": {0x2002, 0x200A}} {
		for c := between[0]; c <= between[1]; c++ {
			like[c] = plain
		}
	}
	check := func(c rune) {
		for _, plain := range []string{"-", "'", `"`, " ", ""} {
			want, ok := like[c]
			e := replaceEdit("x"+string(c)+"y\n", "z\n")
			if got, rung := try("top\nx"+plain+"y\n", e); (rung == edits.RungUnicode) != (ok && want == plain) || (got == "top\nz\n") != (ok && want == plain) {
				t.Errorf("%U for %q: by %q, %q", c, plain, rung, got)
			}
		}
	}
	for c := rune(0x2000); c < 0x2070; c++ {
		check(c)
	}
	for _, c := range []rune{0x9F, 0xA0, 0xA1, 0xAB, 0xB4, 0x2211, 0x2212, 0x2213, 0x2FFF, 0x3000, 0x3001, 0xFEFE, 0xFEFF, 0xFF00, 'a', '`'} {
		check(c)
	}
}
