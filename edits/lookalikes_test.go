package edits_test

import (
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/match"
)

// Where the old lines have typographic characters for those of the file, new lines with others than the file has there are
// refused: a strayed quote is an error in most languages. Plain ones land as they are written.
func TestLookAlikesInNewLines(t *testing.T) {
	for what, c := range map[string]struct{ before, search, replace, want string }{
		"quotes":                          {"x = 'a'\ny = \"b\"\n", "x = ‘a’\ny = “b”\n", "x = ‘c’\ny = “d”\nz = “e”\n", ""},
		"one of several":                  {"x = 'a'\ny = \"b\"\n", "x = ‘a’\ny = “b”\n", "x = 'c'\ny = “d\"\n", ""},
		"blanks":                          {"if a:\n    b = 1\n", "if a:\n\u00a0\u00a0\u00a0\u00a0b\u00a0= 1\n", "if a:\n\u00a0\u00a0\u00a0\u00a0b\u00a0= 2\n", ""},
		"dashes":                          {"f --all -x\n", "f ‑‑all −x\n", "f ‑‑all ‑‑more −y\n", ""},
		"no width":                        {"run(x)\n", "run\u200b(x)\n", "run\u200b(x, y)\n", ""},
		"a dash for another":              {"a – b\n", "a — b\n", "a — c\n", ""},
		"in a line that is alike":         {"begin_it()\nprint('hello world, how are you')\n", "begin_it()\nprint(‘hello world, how are you’);\n", "begin_it()\nprint(‘hello’)\n", ""},
		"plain ones":                      {"x = 'a'\n", "x = ‘a’\n", "x = 'b'\n", "x = 'b'\n"},
		"nothing new":                     {"x = 'a'\ny\n", "x = ‘a’\ny\n", "y\n", "y\n"},
		"the file's own":                  {"a = “x”\nb = 'y'\n", "a = “x”\nb = ‘y’\n", "a = “x, z”\nb = 'w'\n", "a = “x, z”\nb = 'w'\n"},
		"the file's own, in the last":     {"b = 'y'\na = “x”\n", "b = ‘y’\na = “x”\n", "a = “x, z”\n", "a = “x, z”\n"},
		"the file's own, written plainly": {"say “It’s done” now\n", "say \"It's done\" now\n", "say \"It's all done\" now\n", "say \"It's all done\" now\n"},
		"letters":                         {"x = 'a'\n", "x = ‘a’\n", "x = 'é' + '→'\n", "x = 'é' + '→'\n"},
		"exact, so nothing is asked":      {"x = 'a'\n", "x = 'a'\n", "x = ‘b’\n", "x = ‘b’\n"},
	} {
		for kind, e := range map[string]edits.Edit{"block": replaceEdit(c.search, c.replace), "hunk": swapped(c.search, c.replace)} {
			r := edits.Apply(files{"f": "top\n" + c.before + "end\n"}, []edits.Edit{e}, nil, edits.Options{Chat: []string{"f"}})
			switch refused := len(r.Failures) == 1 && r.Failures[0].Reason == edits.ReasonNoMatch && strings.Contains(r.Failures[0].Message, "no such character"); {
			case c.want == "" && (!refused || len(r.Changes) > 0):
				t.Errorf("%s as a %s: %+v", what, kind, r)
			case c.want != "" && (len(r.Failures) > 0 || len(r.Changes) != 1 || r.Changes[0].After != "top\n"+c.want+"end\n"):
				t.Errorf("%s as a %s: want %q, got %+v", what, kind, c.want, r)
			}
		}
	}
}

// swapped is a hunk that has lines for others.
func swapped(old, new string) edits.Edit {
	var lines []match.Line
	for l := range strings.Lines(old) {
		lines = append(lines, match.Line{Sign: '-', Text: strings.TrimSuffix(l, "\n")})
	}
	for l := range strings.Lines(new) {
		lines = append(lines, match.Line{Sign: '+', Text: strings.TrimSuffix(l, "\n")})
	}
	return hunk(edits.Chunk{Lines: lines})
}

// Numbers before the lines of both sides are taken off.
func TestNumbersAreTakenOff(t *testing.T) {
	for what, c := range map[string]struct{ before, search, replace, want string }{
		"numbers":                     {"alpha()\nbeta()\n", "1: alpha()\n2: beta()\n", "1: alpha()\n2: gamma()\n3: beta()\n", "alpha()\ngamma()\nbeta()\n"},
		"numbers that repeat":         {"alpha()\nbeta()\n", "7 | alpha()\n8 | beta()\n", "7 | alpha()\n8 | gamma()\n8 | beta()\n", "alpha()\ngamma()\nbeta()\n"},
		"new lines without numbers":   {"alpha()\nbeta()\n", "7 | alpha()\n8 | beta()\n", "7 | alpha()\ngamma()\n8 | beta()\n", "alpha()\ngamma()\nbeta()\n"},
		"blank lines without numbers": {"alpha()\n\nbeta()\n", "1: alpha()\n\n3: beta()\n", "1: alpha()\n\n3: gamma()\n", "alpha()\n\ngamma()\n"},
	} {
		for kind, e := range map[string]edits.Edit{"block": replaceEdit(c.search, c.replace), "hunk": swapped(c.search, c.replace)} {
			if got := outcome("top\n"+c.before+"end\n", e); got != "top\n"+c.want+"end\n" {
				t.Errorf("%s as a %s: want %q, got %q", what, kind, c.want, got)
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
			if got, rung := try(before+"\n", replaceEdit(text+"\n", "z\n")); got != "z\n" || rung != match.RungUnicode {
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
			if got, rung := try("top\nx"+plain+"y\n", e); (rung == match.RungUnicode) != (ok && want == plain) || (got == "top\nz\n") != (ok && want == plain) {
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
