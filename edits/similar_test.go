package edits_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"coauthor/edits"
	"coauthor/edits/match"
)

// try applies one block or hunk to a file and says on which rung it landed, "" for a refusal.
func try(before string, e edits.Edit) (after string, rung match.Rung) {
	r := edits.Apply(files{"f": before}, []edits.Edit{e}, nil, edits.Options{Chat: []string{"f"}})
	after = before
	if len(r.Changes) == 1 {
		after = r.Changes[0].After
	}
	for rung = range r.Rungs {
		return after, rung
	}
	return after, ""
}

// A typo in one of the lines that were quoted is seen through, wherever it is, and the result is as if
// there had been none: what stays is the file's.
func TestTyposAreSeenThrough(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 3))
	file := functions(8)
	landed, tried := 0, 0
	for range 1500 {
		at := 6 * r.IntN(8)
		lines := file[at : at+5]
		wrong := r.IntN(5)
		bad := []byte(lines[wrong])
		p := strings.IndexFunc(lines[wrong], func(c rune) bool { return c != ' ' }) + 4 + r.IntN(6)
		switch r.IntN(3) {
		case 0:
			bad = append(bad[:p], bad[p+1:]...)
		case 1:
			bad[p] = 'Q'
		case 2:
			bad = append(bad[:p], append([]byte("x"), bad[p:]...)...)
		}
		if string(bad) == lines[wrong] {
			continue
		}
		changed := (wrong + 1 + r.IntN(4)) % 5
		search, replace, want := "", "", strings.Join(file[:at], "\n")+strings.Repeat("\n", min(at, 1))
		var c edits.Chunk
		for i, l := range lines {
			quoted := l
			if i == wrong {
				quoted = string(bad)
			}
			search += quoted + "\n"
			if i != changed {
				replace += quoted + "\n"
				want += l + "\n"
				c.Lines = append(c.Lines, match.Line{Sign: ' ', Text: quoted})
				continue
			}
			replace += "    something_new()\n"
			want += "    something_new()\n"
			c.Lines = append(c.Lines, match.Line{Sign: '-', Text: quoted}, match.Line{Sign: '+', Text: "    something_new()"})
		}
		want += textOf(file[at+5:])
		for _, e := range []edits.Edit{replaceEdit(search, replace), hunk(c)} {
			got, rung := try(textOf(file), e)
			tried++
			if rung == "" {
				continue
			}
			landed++
			if got != want || rung != match.RungSimilar {
				t.Fatalf("search\n%s\nlanded by %s, got\n%s", search, rung, got)
			}
		}
	}
	if landed*10 < tried*9 {
		t.Errorf("only %d of %d landed", landed, tried)
	}
}

// How alike lines must be, and when one is rather another line than a typo.
func TestWhatIsATypo(t *testing.T) {
	const before = "import os\n\ndef compute_total(items, rate):\n    subtotal = sum(item.price for item in items)\n    x = 1\n    return subtotal * rate\n\ndef withdraw(amount):\n    check(amount)\n"
	for what, c := range map[string]struct {
		search string
		lands  bool
	}{
		"a letter in one line":                  {"    subtotal = sum(item.prize for item in items)\n", true},
		"too much in one line":                  {"    subtotal = add(thing.cost for thing in items)\n", false},
		"a short line":                          {"    x = 2\n", false},
		"a short line among others":             {"    subtotal = sum(item.price for item in items)\n    x = 2\n    return subtotal * rate\n", false},
		"held by half of its lines":             {"    subtotal = sum(item.prize for item in items)\n    return subtotal * rate\n", false}, // a line between
		"one wrong of three":                    {"def compute_totl(items, rate):\n    subtotal = sum(item.price for item in items)\n    x = 1\n", true},
		"two wrong of three":                    {"def compute_totl(items, rate):\n    subtotal = sum(item.prize for item in items)\n    x = 1\n", false},
		"two wrong of four":                     {"def compute_totl(items, rate):\n    subtotal = sum(item.prize for item in items)\n    x = 1\n    return subtotal * rate\n", true},
		"a name that the file has elsewhere":    {"def withdraw(items, rate):\n    subtotal = sum(item.price for item in items)\n", false},
		"a name that nobody has":                {"def computed_total(items, rate):\n    subtotal = sum(item.price for item in items)\n", true},
		"a line that stands elsewhere":          {"import os\n\ndef withdraw(amount):\n    subtotal = sum(item.price for item in items)\n", false},
		"further in than the new line":          {"  def compute_totl(items, rate):\n      subtotal = sum(item.price for item in items)\n", false},
		"a remark that the file does not have":  {"def compute_total(items, rate):\n    subtotal = sum(item.price for item in items)\n    x = 1\n    return subtotal * rate  # a long remark that explains it\n", false},
		"nothing alike":                         {"a completely different text\nof two lines\n", false},
		"only blank lines and one that differs": {"\n\ndef compute_totl(items, rate):\n", false},
	} {
		replace := "NEW\n"
		got, rung := try(before, replaceEdit(c.search, replace))
		if (rung == match.RungSimilar) != c.lands || !c.lands && got != before || c.lands && strings.Count(got, "\n") != strings.Count(before, "\n")-strings.Count(c.search, "\n")+1 {
			t.Errorf("%s: by %q, got\n%s", what, rung, got)
		}
	}
}

// Of two places the better must be clearly better.
func TestNearlyAsGoodIsRefused(t *testing.T) {
	place := func(name string) string {
		return fmt.Sprintf("begin(%s)\nprocess_everything(%s)\nend(%s)\n", name, "value", name)
	}
	for what, c := range map[string]struct {
		other string
		lands bool
	}{
		"as good":        {place("a"), false},
		"nearly as good": {strings.Replace(place("a"), "everything", "everythinx", 1), false},
		"clearly worse":  {strings.Replace(place("a"), "process_everything(value)", "work()", 1), true},
	} {
		before := place("a") + "\n" + c.other
		search := strings.Replace(place("a"), "everything", "everythng", 1)
		_, rung := try(before, replaceEdit(search, "NEW\n"))
		if (rung == match.RungSimilar) != c.lands {
			t.Errorf("%s: by %q", what, rung)
		}
	}
}

// Long lines are compared by what their ends share.
func TestTyposInLongLines(t *testing.T) {
	long := strings.Repeat("abcdefghij ", 60)
	for _, at := range []int{5, 330, 650} {
		bad := long[:at] + "#" + long[at+1:]
		before := "head line\n" + long + "\ntail line\n"
		if _, rung := try(before, replaceEdit("head line\n"+bad+"\ntail line\n", "NEW\n")); rung != match.RungSimilar {
			t.Errorf("at %d: by %q", at, rung)
		}
	}
	far := long[:len(long)-300] + "§" + strings.Repeat("zyx", 99)
	if _, rung := try("head line\n"+long+"\ntail line\n", replaceEdit("head line\n"+far+"\ntail line\n", "NEW\n")); rung != "" {
		t.Errorf("another line: by %q", rung)
	}
}

// Hunks whose parts stand apart land where their lines are, if it is clear where the new ones belong.
func TestJoinedHunks(t *testing.T) {
	const before = "a1\na2\nx1\nx2\nb1\nb2\nx3\nc1\nc2\n"
	for what, c := range map[string]struct {
		lines []string
		want  string // "" for a refusal
	}{
		"two changes":                           {[]string{" a1", "-a2", "+A2", " b1", "-b2", "+B2"}, "a1\nA2\nx1\nx2\nb1\nB2\nx3\nc1\nc2\n"},
		"three changes":                         {[]string{" a1", "-a2", "+A2", " b1", "-b2", "+B2", " c1", "-c2", "+C2"}, "a1\nA2\nx1\nx2\nb1\nB2\nx3\nc1\nC2\n"},
		"a gap between lines that stay":         {[]string{" a1", " a2", " b1", "-b2", "+B2"}, "a1\na2\nx1\nx2\nb1\nB2\nx3\nc1\nc2\n"},
		"a gap below one that stays":            {[]string{" a1", "-b1", "+B1", " b2"}, "a1\na2\nx1\nx2\nB1\nb2\nx3\nc1\nc2\n"},
		"a gap above one that stays":            {[]string{"-a2", "+A2", " b1"}, "a1\nA2\nx1\nx2\nb1\nb2\nx3\nc1\nc2\n"},
		"new lines in the gap":                  {[]string{" a2", "+new", " b1"}, ""},
		"more new ones than go":                 {[]string{"-a2", "+A2", "+A3", " b1"}, ""},
		"new ones deeper than what goes":        {[]string{"-a2", "+  A2", " b1"}, ""},
		"lines that go on both sides":           {[]string{" a1", "-a2", "-b1", " b2"}, ""},
		"new lines and then one that goes":      {[]string{" a2", "+new", "-b1", "+B1", " b2"}, "a1\na2\nnew\nx1\nx2\nB1\nb2\nx3\nc1\nc2\n"},
		"new lines, and one that goes for good": {[]string{" a2", "+new", "-b1", " b2"}, ""},
		"two lines in the place of two":         {[]string{"-a1", "-a2", "+A1", "+A2", " b1"}, "A1\nA2\nx1\nx2\nb1\nb2\nx3\nc1\nc2\n"},
		"one line in the place of two":          {[]string{"-a1", "-a2", "+A1", " b1"}, "A1\nx1\nx2\nb1\nb2\nx3\nc1\nc2\n"},
		"three lines in the place of two":       {[]string{"-a1", "-a2", "+A1", "+A2", "+A3", " b1"}, ""},
		"new lines above one that goes":         {[]string{" a2", "+new", "-b1", "-b2", "+B1"}, "a1\na2\nnew\nx1\nx2\nB1\nx3\nc1\nc2\n"},
		"lines that go at the very end":         {[]string{" a2", "+new", "-b1", "-b2"}, ""},
		"a part that is further in":             {[]string{" a1", "-a2", "+A2", "   b1", "-  b2", "+  B2"}, ""},
		"all of it further in":                  {[]string{"   a1", "-  a2", "+  A2", "   b1", "-  b2", "+  B2"}, "a1\nA2\nx1\nx2\nb1\nB2\nx3\nc1\nc2\n"},
		"out of order":                          {[]string{" b1", "-b2", "+B2", " a1", "-a2", "+A2"}, ""},
		"a line that is nowhere":                {[]string{" a1", "-a2", "+A2", " nowhere", " b1"}, ""},
	} {
		got, rung := try(before, hunk(chunk(c.lines...)))
		if c.want == "" && (got != before || rung != "") || c.want != "" && (got != c.want || rung != match.RungJoined) {
			t.Errorf("%s: by %q, got %q, want %q", what, rung, got, c.want)
		}
	}
	// Several ways are none, but where what is free only stays.
	if got, rung := try("a\nx\nb\ny\na\nz\nb\n", hunk(chunk(" a", "-b", "+c"))); rung != "" {
		t.Errorf("two ways: by %q, %q", rung, got)
	}
	if got, rung := try("a\nx\na\nz\nb\nc\n", hunk(chunk(" a", " b", "-c", "+d"))); got != "a\nx\na\nz\nb\nd\n" || rung != match.RungJoined {
		t.Errorf("two ways that come to the same: by %q, %q", rung, got)
	}
	// A part that stands above as well is the one below.
	if got, rung := try("b\nx\na\ny\nb\n", hunk(chunk(" a", "-b", "+c"))); got != "b\nx\na\ny\nc\n" || rung != match.RungJoined {
		t.Errorf("a part that stands above as well: by %q, %q", rung, got)
	}
	// A block never is in parts.
	if got, rung := try(before, replaceEdit("a2\nb1\n", "A2\nb1\n")); rung != "" {
		t.Errorf("a block: by %q, %q", rung, got)
	}
}

// New lines that end a hunk never part the head of a block from its body.
func TestNewLinesDoNotPartHeadAndBody(t *testing.T) {
	const tail = "def f():\n    one()\n    two()\n"
	for what, c := range map[string]struct {
		before string
		lines  []string
		want   string
	}{
		"the body ends the file":       {"x = 1\n" + tail, []string{" x = 1", " def f():", "+def g():", "+    pass"}, ""},
		"the body does not":            {"x = 1\n" + tail + "y = 2\n", []string{" x = 1", " def f():", "+def g():", "+    pass"}, ""},
		"new lines of the body":        {"x = 1\n" + tail, []string{" x = 1", " def f():", "+    zero()"}, "x = 1\ndef f():\n    zero()\n    one()\n    two()\n"},
		"a head that goes":             {"x = 1\n" + tail, []string{" x = 1", "-def f():", "+def g():"}, "x = 1\ndef g():\n    one()\n    two()\n"},
		"lines after the new ones":     {"x = 1\n" + tail, []string{" x = 1", " def f():", "+def g():", "     one()"}, "x = 1\ndef f():\ndef g():\n    one()\n    two()\n"},
		"one old line only":            {"x = 1\n" + tail, []string{" def f():", "+def g():"}, "x = 1\ndef f():\ndef g():\n    one()\n    two()\n"},
		"at the end of the file":       {"x = 1\n" + tail, []string{"     one()", "     two()", "+y = 2"}, "x = 1\n" + tail + "y = 2\n"},
		"the line below is as deep":    {"x = 1\ny = 2\nz = 3\n", []string{" x = 1", " y = 2", "+w = 0"}, "x = 1\ny = 2\nw = 0\nz = 3\n"},
		"a blank line below":           {"x = 1\ndef f():\n\n    one()\n", []string{" x = 1", " def f():", "+w = 0"}, "x = 1\ndef f():\nw = 0\n\n    one()\n"},
		"the first new line is blank":  {"x = 1\n" + tail + "y = 2\n", []string{" x = 1", " def f():", "+", "+def g():"}, ""},
		"blank lines at the very end":  {"x = 1\n" + tail + "\n", []string{" x = 1", " def f():", "+def g():", "+    pass"}, ""},
		"all that is new is blank":     {"x = 1\n" + tail, []string{" x = 1", " def f():", "+"}, "x = 1\ndef f():\n\n    one()\n    two()\n"},
		"something above goes as well": {"x = 1\n" + tail, []string{"-x = 1", "+x = 2", " def f():", "+def g():", "+    pass"}, ""},
	} {
		got, rung := try(c.before, hunk(chunk(c.lines...)))
		if c.want == "" && (got != c.before || rung != "") || c.want != "" && got != c.want {
			t.Errorf("%s: by %q, got %q, want %q", what, rung, got, c.want)
		}
	}
}

// spoiled is a line of n letters, and the same with so many others in its middle.
func spoiled(n, wrong int) (line, bad string) {
	line = strings.Repeat("abcdefghijklmnopqrstuvwxyz", 30)[:n]
	from := (n - wrong) / 2
	return line, line[:from] + strings.Repeat("#", wrong) + line[from+wrong:]
}

// How much of a line may differ: of one alone and of all on average 15 in 100, of a line that goes 40, and
// nothing of a short one. A line that stays keeps the file's text.
func TestHowAlikeLinesMustBe(t *testing.T) {
	for _, c := range []struct {
		equal, length, wrong int // equal lines around one of that length
		goes, lands          bool
	}{
		{0, 20, 3, true, true}, {0, 20, 4, true, false}, {0, 20, 3, false, true}, {0, 20, 4, false, false},
		{0, 10, 1, true, true}, {0, 9, 1, true, false}, {0, 9, 1, false, false}, {0, 600, 90, true, true}, {0, 600, 91, true, false},
		{1, 20, 6, true, true}, {1, 20, 7, true, false}, {1, 20, 6, false, true}, {1, 20, 7, false, false},
		{2, 20, 8, true, true}, {2, 20, 9, true, false}, {2, 20, 9, false, true}, {2, 20, 10, false, false},
		{4, 20, 8, true, true}, {4, 20, 9, true, false}, {4, 20, 15, false, true}, {4, 20, 16, false, false},
		{4, 10, 1, true, true}, {4, 9, 1, true, false}, {4, 9, 1, false, true}, {4, 10, 4, true, true}, {4, 10, 5, true, false},
	} {
		line, bad := spoiled(c.length, c.wrong)
		lines := []string{" " + bad, "+it is new"}
		want := line + "\nit is new\n"
		if c.goes {
			lines[0], want = "-"+bad, "it is new\n"
		}
		before := line + "\n"
		for i := range c.equal {
			above := fmt.Sprintf("one of the %d lines that stay\n", i)
			lines = append([]string{" " + strings.TrimSuffix(above, "\n")}, lines...)
			before, want = above+before, above+want
		}
		got, rung := try("top\n"+before+"tail\n", hunk(chunk(lines...)))
		if want = "top\n" + want + "tail\n"; c.lands && (got != want || rung != match.RungSimilar) || !c.lands && rung != "" {
			t.Errorf("%+v: by %q, got %q", c, rung, got)
		}
	}
	// What the file has in the place of a line must not be short either.
	for have, want := range map[string]match.Rung{"abcdefghij": match.RungSimilar, "abcdefghi": ""} {
		_, rung := try("alpha beta gamma\n"+have+"\ndelta epsilon\n", hunk(chunk(" alpha beta gamma", "-abcdefghij#", " delta epsilon", "+new")))
		if rung != want {
			t.Errorf("%q: by %q", have, rung)
		}
	}
}

// A name in the place of another one is no typo if the file has it elsewhere. Two letters are no name, and
// neither is a number.
func TestNamesThatAreNoTypos(t *testing.T) {
	for what, c := range map[string]struct {
		have, want, elsewhere string
		lands                 bool
	}{
		"elsewhere":               {"call_it(first, second, third, xyz)", "call_it(first, second, third, abc)", "use(abc)", false},
		"at the end of a line":    {"call_it(first, second, third, xyz)", "call_it(first, second, third, abc)", "use abc", false},
		"nowhere":                 {"call_it(first, second, third, xyz)", "call_it(first, second, third, abc)", "use(abcd)", true},
		"two letters":             {"call_it(first, second, third, xy)", "call_it(first, second, third, ab)", "use(ab)", true},
		"a number":                {"call_it(first, second, third, 123)", "call_it(first, second, third, 456)", "use(456)", true},
		"a number and letters":    {"call_it(first, second, third, 1ab)", "call_it(first, second, third, 9ab)", "use(9ab)", true},
		"letters and a number":    {"call_it(first, second, third, ab1)", "call_it(first, second, third, ab9)", "use(ab9)", false},
		"an underscore":           {"call_it(first, second, third, a_b)", "call_it(first, second, third, _ab)", "use(_ab)", false},
		"another alphabet":        {"call_it(first, second, third, öü)", "call_it(first, second, third, éä)", "use(éä)", false},
		"one more":                {"call_it(first, second, third)", "call_it(first, second, third, abc)", "use(abc)", true},
		"one less":                {"call_it(first, second, third, abc)", "call_it(first, second, third)", "use(abc)", true},
		"in another order":        {"call_it(first, second, third, abc)", "call_it(second, first, third, abc)", "use(first)", true},
		"both names are the same": {"call_it(first, second, third; abc)", "call_it(first, second, third, abc)", "use(abc)", true},
	} {
		for _, sign := range []string{"-", " "} {
			before := "begin_of_it()\n" + c.have + "\nend_of_it()\n" + c.elsewhere + "\n"
			got, rung := try(before, hunk(chunk(" begin_of_it()", sign+c.want, " end_of_it()", "+new")))
			if (rung == match.RungSimilar) != c.lands || !c.lands && got != before || c.lands && !strings.Contains(got, "end_of_it()\nnew\n"+c.elsewhere) {
				t.Errorf("%s, sign %q: by %q, got %q", what, sign, rung, got)
			}
		}
	}
}

// The distance is the least number of bytes to put in, take out or change.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		x, y string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "abd", 1}, {"abc", "xabc", 1}, {"abc", "bc", 1}, {"kitten", "sitting", 3}, {"ab", "ba", 2}, {"ü", "u", 2},
		{strings.Repeat("a", 500), strings.Repeat("a", 401), 99}, {strings.Repeat("a", 401), strings.Repeat("a", 500), 99}, {strings.Repeat("ab", 300), strings.Repeat("ba", 300), 2}, {strings.Repeat("a", 400), strings.Repeat("b", 400), 400},
	} {
		if got := match.Distance(c.x, c.y); got != c.want {
			t.Errorf("%.20q and %.20q: %d, want %d", c.x, c.y, got, c.want)
		}
	}
	r := rand.New(rand.NewPCG(6, 6))
	word := func() string {
		out := make([]byte, r.IntN(8))
		for i := range out {
			out[i] = "abc"[r.IntN(3)]
		}
		return string(out)
	}
	for _, n := range []int{63, 64, 65, 130} { // also where nothing is equal at either end
		x, y := "<"+strings.Repeat("ab", n/2)+">", "("+strings.Repeat("ab", n/2)+"c)"
		if got := match.Distance(x, y); got != 3 {
			t.Errorf("of %d bytes: %d", n, got)
		}
	}
	for range 500 {
		x, y, z := word(), word(), word()
		d := match.Distance(x, y)
		if d != match.Distance(y, x) || (d == 0) != (x == y) || d > max(len(x), len(y)) || d < max(len(x), len(y))-min(len(x), len(y)) || match.Distance(x, z) > d+match.Distance(y, z) || match.Distance(z+x, z+y) != d {
			t.Fatalf("%q and %q: %d", x, y, d)
		}
	}
}

// Where blank lines are missing in the middle of a block, those at its ends are beside the place: they stay as
// they are in the file.
func TestBlankLinesAtTheEndsOfABlock(t *testing.T) {
	for what, c := range map[string]struct{ before, search, replace, want string }{
		"one above, which goes":  {"top\n\na\n\nb\nend\n", "\na\nb\n", "A\nb\n", "top\n\nA\n\nb\nend\n"},
		"one above, which stays": {"top\n\na\n\nb\nend\n", "\na\nb\n", "\nA\nb\n", "top\n\nA\n\nb\nend\n"},
		"one below, which goes":  {"top\na\n\nb\n\nend\n", "a\nb\n\n", "a\nB\n", "top\na\n\nB\n\nend\n"},
		"none above":             {"top\na\n\nb\nend\n", "\na\nb\n", "A\nb\n", "top\nA\n\nb\nend\n"},
		"none below":             {"top\na\n\nb\nend\n", "a\nb\n\n", "a\nB\n", "top\na\n\nB\nend\n"},
		"one too many, it goes":  {"a\nx\n\nb\n", "a\n\nx\nb\n", "a\nx\nB\n", "a\nx\n\nB\n"},
		"one that is there goes": {"a\n\nx\n\nb\n", "a\n\nx\nb\n", "a\nx\nb\n", "a\nx\n\nb\n"},
		"two lines that go":      {"a\n\nx\n\nb\n", "a\nx\nb\n", "b\n", "\nb\n"},
		"a line in between":      {"a\n\nb\nc\n", "a\nb\n", "a\nnew\nb\n", "a\nnew\n\nb\nc\n"},
	} {
		if got, rung := try(c.before, replaceEdit(c.search, c.replace)); got != c.want || rung != match.RungBlankLines {
			t.Errorf("%s: by %q, got %q, want %q", what, rung, got, c.want)
		}
	}
	// Where the depth differs too, the new lines must be as deep as the old ones.
	const before = "if a:\n    one()\n\n    two()\n"
	if got, rung := try(before, replaceEdit("one()\ntwo()\n", "one()\nthree()\n")); rung != match.RungBlankLines || got != "if a:\n    one()\n\n    three()\n" {
		t.Errorf("by %q, got %q", rung, got)
	}
	if got, rung := try(before, replaceEdit("one()\ntwo()\n", "    one()\n    three()\n")); rung != "" {
		t.Errorf("by %q, got %q", rung, got)
	}
}

// Who is told of an edit that landed by similar lines is told which lines differ: those of the reply and those of the file.
func TestSimilarSaysWhatDiffers(t *testing.T) {
	const before = "def f(values):\n    total = 0\n    for value in values:\n        total += value\n    return total\n"
	search := "def f(values):\n    total = 0\n    for valeu in values:\n        total += value\n    retrun total\n"
	e := replaceEdit(search, strings.ReplaceAll(search, "total = 0", "total = 1"))
	r := edits.Apply(files{"f": before}, []edits.Edit{e}, nil, edits.Options{Chat: []string{"f"}})
	if want := strings.ReplaceAll(before, "total = 0", "total = 1"); len(r.Changes) != 1 || r.Changes[0].After != want || r.Rungs[match.RungSimilar] != 1 {
		t.Fatalf("%+v", r)
	}
	const diff = "-for valeu in values:\n+for value in values:\n-retrun total\n+return total\n"
	if len(r.Similar) != 1 || r.Similar[0] != (edits.Candidate{Path: "f", Line: 1, Diff: diff}) {
		t.Errorf("%+v", r.Similar)
	}
	const note = `edit 1: placed in f at line 1 by similar; the file has "for value in values:" where the edit has "for valeu in values:", and 1 more line differs`
	if len(r.Notes) != 1 || r.Notes[0] != note {
		t.Errorf("%q", r.Notes)
	}
	exact := edits.Apply(files{"f": before}, []edits.Edit{replaceEdit("    total = 0\n", "    total = 1\n")}, nil, edits.Options{Chat: []string{"f"}})
	if len(exact.Changes) != 1 || len(exact.Similar) != 0 || len(exact.Notes) != 0 {
		t.Errorf("%+v", exact)
	}
}

// Of a long line who is told sees the part that differs, wherever that is, and no more than a screen can show: in a letter of more
// than one byte, too.
func TestSimilarShowsWhereALongLineDiffers(t *testing.T) {
	for name, long := range map[string]string{"at its beginning": "", "far behind": strings.Repeat("wert = grüße(wert), ", 2000), "behind letters": strings.Repeat("ü", 9000)} {
		line := func(word string) string {
			return "text = \"" + long + word + strings.Repeat(" und noch mehr", 700) + "\""
		}
		before := "one()\n" + line("Brücken") + "\ntwo()\n"
		e := replaceEdit("one()\n"+line("Brükcen")+"\ntwo()\n", "one()\n"+line("Brükcen")+"\nthree()\n")
		r := edits.Apply(files{"f": before}, []edits.Edit{e}, nil, edits.Options{Chat: []string{"f"}})
		if len(r.Changes) != 1 || r.Changes[0].After != "one()\n"+line("Brücken")+"\nthree()\n" || len(r.Similar) != 1 || len(r.Notes) != 1 {
			t.Fatalf("%s: %d changes, similar %d, notes %.300q, failures %.300v", name, len(r.Changes), len(r.Similar), r.Notes, r.Failures)
		}
		for what, said := range map[string]struct {
			text string
			most int
		}{"the diff": {r.Similar[0].Diff, 2*400 + 20}, "the note": {r.Notes[0], 2*80 + 120}} {
			if !utf8.ValidString(said.text) || utf8.RuneCountInString(said.text) > said.most || !strings.Contains(said.text, "Brücken") || !strings.Contains(said.text, "Brükcen") {
				t.Errorf("%s, %s: %q", name, what, said.text)
			}
			if cut := strings.Count(said.text, "…"); cut != 2 && long == "" || cut != 4 && long != "" { // behind, and where it is far before, too
				t.Errorf("%s, %s: cut at %d places: %q", name, what, cut, said.text)
			}
		}
	}
}
