package edits_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/match"
)

// remarks are comments that neither begin nor end with dots.
var remarks = []string{
	"Keep retrying until the server answers.",
	"Same as above but for IPv6: brackets are needed",
	"The rest of the bytes is padding that the kernel adds",
	"Other clients send \"text/plain\" here.",
	"Takes a, b, ... and z.",
	"Unchanged since the 2.x protocol, see RFC 7230.",
}

// trailing are comments that end in dots and stand for nothing.
var trailing = []string{
	"Keep retrying until the server answers…", "Keep the lock while the other side reads...", "Remaining bytes belong to the next frame…",
}

// elisions are comments that stand for code, whatever their words are.
var elisions = []string{
	"... rest of the code ...", "...", "… existing code …", "existing code here...", "rest of the file unchanged...",
	"same as before...", "your existing logic here...", "... other methods remain unchanged", "(rest of the code)...",
	"… 其余代码不变 …", "... остальное без изменений", "reste inchangé...", "残りのコード…", "... resto do código ...",
}

// comment writes a remark in the comments of some languages.
var comment = map[string]string{"a.py": "# %s", "a.go": "// %s", "a.c": "/* %s */", "a.html": "<!-- %s -->", "a.lua": "-- %s", "a.clj": "; %s"}

// each calls check for each way in which three lines in the middle of a file become others.
func eachForm(name, before string, old, new []string, check func(form string, e edits.Edit)) {
	text := func(list []string) string { return strings.Join(list, "\n") + "\n" }
	check("block", edits.Edit{Path: name, Kind: edits.KindReplace, Op: edits.OpUpdate, Search: text(old), Replace: text(new)})
	check("listing", edits.Edit{Path: name, Kind: edits.KindWhole, Op: edits.OpUpdate, Replace: strings.Replace(before, text(old), text(new), 1)})
	var lines []match.Line
	for _, l := range old {
		lines = append(lines, match.Line{Sign: '-', Text: l})
	}
	for _, l := range new {
		lines = append(lines, match.Line{Sign: '+', Text: l})
	}
	check("hunk", edits.Edit{Path: name, Kind: edits.KindHunk, Op: edits.OpUpdate, Chunks: []edits.Chunk{{Lines: lines}}})
}

const around = "alpha = 1\nbeta = 2\n%sgamma = 3\ndelta = 4\n"

func TestRemarksAreNoElisions(t *testing.T) {
	bodies := map[string]struct{ old, new []string }{
		"more code":         {[]string{"send(x)"}, []string{"§", "while not send(x):", "    wait()"}},
		"as much code":      {[]string{"send(x)", "wait()"}, []string{"§", "send(y)", "wait(y)"}},
		"another comment":   {[]string{"§§", "send(x)"}, []string{"§", "send(x)"}},
		"less code":         {[]string{"a = x.a", "b = x.b", "send(a, b)"}, []string{"§", "send(x)"}},
		"beside a deletion": {[]string{"log(x)", "trace(x)", "send(x)"}, []string{"§", "send(x)"}},
	}
	less := map[string]bool{"less code": true, "beside a deletion": true}
	for what, body := range bodies {
		list := remarks
		if !less[what] { // where less code comes than goes, dots tell
			list = slices.Concat(remarks, trailing)
		}
		for _, remark := range list {
			for name, form := range comment {
				fill := func(list []string) (out []string) {
					for _, l := range list {
						l = strings.ReplaceAll(l, "§§", fmt.Sprintf(form, "An older remark."))
						out = append(out, strings.ReplaceAll(l, "§", fmt.Sprintf(form, remark)))
					}
					return out
				}
				old, new := fill(body.old), fill(body.new)
				before := fmt.Sprintf(around, strings.Join(old, "\n")+"\n")
				want := fmt.Sprintf(around, strings.Join(new, "\n")+"\n")
				eachForm(name, before, old, new, func(kind string, e edits.Edit) {
					res := edits.Apply(files{name: before}, []edits.Edit{e}, nil, edits.Options{Chat: []string{name}})
					if len(res.Failures) > 0 || len(res.Changes) != 1 || res.Changes[0].After != want {
						t.Errorf("%s as a %s in %s, %q: %+v", what, kind, name, remark, res)
					}
				})
			}
		}
	}
}

func TestElisionsInThePlaceOfCodeAreRefused(t *testing.T) {
	for _, elision := range elisions {
		for name, form := range comment {
			text := fmt.Sprintf(form, elision)
			for _, new := range [][]string{{text}, {text, "finish()"}, {"begin(y)", text}, {"begin(y)", "", text, "", "finish()"}} {
				old := []string{"begin(x)", "middle(x)", "inner(x)", "finish()"}
				before := fmt.Sprintf(around, strings.Join(old, "\n")+"\n")
				eachForm(name, before, old, new, func(kind string, e edits.Edit) {
					res := edits.Apply(files{name: before}, []edits.Edit{e}, nil, edits.Options{Chat: []string{name}})
					if len(res.Failures) != 1 || res.Failures[0].Reason != edits.ReasonElision || len(res.Changes) > 0 {
						t.Errorf("%q as a %s in %s: %+v", new, kind, name, res)
					}
				})
			}
		}
	}
}

// Where no code went, a comment that looks like an elision is one comment more, and is told.
func TestElisionsWithoutEvidenceAreTold(t *testing.T) {
	for _, elision := range elisions {
		old, new := []string{"send(x)"}, []string{"# " + elision, "send(x, y)"}
		before := fmt.Sprintf(around, strings.Join(old, "\n")+"\n")
		eachForm("a.py", before, old, new, func(kind string, e edits.Edit) {
			res := edits.Apply(files{"a.py": before}, []edits.Edit{e}, nil, edits.Options{Chat: []string{"a.py"}})
			told := slices.ContainsFunc(res.Notes, func(n string) bool { return strings.Contains(n, elision) })
			if len(res.Failures) > 0 || len(res.Changes) != 1 || !told {
				t.Errorf("%q as a %s: %+v", elision, kind, res)
			}
		})
	}
}

// Dots alone that come beside as much code are content, as the body of a function in a protocol; where less code comes
// than goes they stand for it.
func TestDotsThatAreABody(t *testing.T) {
	const before = "class P:\n    size = 1\n\n    def old(self):\n        start(self)\n        return 1\n\nlast = 1\n"
	for what, c := range map[string]struct {
		lines []string
		lost  bool
	}{
		"a new stub":                  {[]string{" class P:", "+    def new(self) -> int:", "+        ..."}, false},
		"one beside a line that goes": {[]string{"-    size = 1", "+    def new(self) -> int:", "+        ..."}, false},
		"two of them":                 {[]string{"-    size = 1", "+    def new(self):", "+        ...", "+", "+    def newer(self):", "+        ..."}, false},
		"in the place of code":        {[]string{"     def old(self):", "-        start(self)", "-        return 1", "+        ..."}, true},
		"above code that stays":       {[]string{"-    size = 1", " ", "     def old(self):", "+        ...", "         start(self)"}, false},
		"below a remark":              {[]string{"-    size = 1", "+    # later", "+    ..."}, true},
		"below a decorator":           {[]string{"-    size = 1", "+    @later", "+    ..."}, false},
		"below a literal":             {[]string{"-    size = 1", "+    \"\"\"Says it.\"\"\"", "+    ..."}, false},
		"below code":                  {[]string{"-    size = 1", "+    width = 2", "+    ..."}, false},
		"below code that goes":        {[]string{" class P:", "-    size = 1", "+    ..."}, true},
		"with a blank line above":     {[]string{"-    size = 1", "+    def new(self):", "+", "+        ..."}, false},
		"a new head, no body":         {[]string{"-    def old(self):", "-        start(self)", "-        return 1", "+    def new(self):", "+        ..."}, true},
		"in the place of some":        {[]string{"-    size = 1", "+    ..."}, true},
	} {
		r := edits.Apply(files{"a.py": before}, []edits.Edit{{Path: "a.py", Op: edits.OpUpdate, Kind: edits.KindHunk, Chunks: []edits.Chunk{chunk(c.lines...)}}}, nil, edits.Options{})
		if refused := len(r.Failures) == 1 && r.Failures[0].Reason == edits.ReasonElision; refused != c.lost || !c.lost && (len(r.Failures) > 0 || len(r.Notes) > 0) {
			t.Errorf("%s: %+v", what, r)
		}
	}
}

// A remark that stands for code is refused where more code goes than comes, between lines that stay; else it is told.
func TestRemarksInThePlaceOfAsMuchCode(t *testing.T) {
	const remark = "# ... existing code ..."
	for what, c := range map[string]struct {
		before string
		lines  []string
		lost   bool
	}{
		"it comes back":         {"def load():\nx = 1\n", []string{"-def load():", "+def load(path):", "+" + remark}, false},
		"it comes back below":   {"def load():\nx = 1\ny = 2\n", []string{"-def load():", "+" + remark, " x = 1", "+def load(path):", " y = 2"}, true},
		"it stays":              {"def load():\ndef load():\nx = 1\n", []string{"-def load():", " def load():", "+" + remark}, false},
		"another one comes":     {"def load():\nx = 1\n", []string{"-def load():", "+def save():", "+" + remark}, false},
		"as much code":          {"a = 1\nb = 2\nx = 1\n", []string{"-a = 1", "-b = 2", "+a = 2", "+b = 1", "+" + remark}, false},
		"less code":             {"a = 1\nb = 2\nx = 1\n", []string{"-a = 1", "-b = 2", "+a = 2", "+" + remark}, true},
		"less code elsewhere":   {"a = 1\nkept = 1\nx = 1\n", []string{"-a = 1", " kept = 1", "+" + remark}, false},
		"brackets part nothing": {"a = 1\n}\nx = 1\n", []string{"-a = 1", " }", "+" + remark}, true},
		"only remarks go":       {"# one\n# two\nx = 1\n", []string{"-# one", "-# two", "+" + remark}, false},
		"only blank lines go":   {"a = 1\n\n\nx = 1\n", []string{" a = 1", "-", "-", "+" + remark, " x = 1"}, false},
	} {
		r := edits.Apply(files{"a.py": c.before}, []edits.Edit{{Path: "a.py", Op: edits.OpUpdate, Kind: edits.KindHunk, Chunks: []edits.Chunk{chunk(c.lines...)}}}, nil, edits.Options{})
		if refused := len(r.Failures) == 1 && r.Failures[0].Reason == edits.ReasonElision; refused != c.lost || !c.lost && len(r.Changes) != 1 {
			t.Errorf("%s: %+v", what, r)
		}
	}
	// One that only comes, beside nothing that goes, is no matter.
	for _, text := range []string{remark, "..."} {
		r := edits.Apply(files{"a.py": "x = 1\n"}, []edits.Edit{{Path: "a.py", Op: edits.OpUpdate, Kind: edits.KindHunk, Chunks: []edits.Chunk{chunk(" x = 1", "+"+text)}}}, nil, edits.Options{})
		if len(r.Failures) > 0 || len(r.Changes) != 1 || len(r.Notes) > 0 {
			t.Errorf("%s: %+v", text, r)
		}
	}
}

// A comment with dots that the file has already stands for nothing, wherever it comes.
func TestDotsThatTheFileHas(t *testing.T) {
	old, new := []string{"begin(x)", "# and so on...", "middle(x)", "inner(x)"}, []string{"  # and so on...", "inner(y)"}
	before := fmt.Sprintf(around, strings.Join(old, "\n")+"\n")
	eachForm("a.py", before, old, new, func(kind string, e edits.Edit) {
		res := edits.Apply(files{"a.py": before}, []edits.Edit{e}, nil, edits.Options{Chat: []string{"a.py"}})
		if len(res.Failures) > 0 || len(res.Changes) != 1 || len(res.Notes) > 0 {
			t.Errorf("as a %s: %+v", kind, res)
		}
	})
}

// A new file of nothing but comments and dots holds no content.
func TestNewFilesOfDots(t *testing.T) {
	for text, refused := range map[string]bool{
		"# ... the code of the file ...\n": true, "...\n": true, "# Title\n\n# 其余代码…\n": true, "// …\n// more\n": true,
		"# Title\n": false, "# Title\n\nTo be written...\n": false, "x = 1\n# ...\n": false, "def f():\n    ...\n": false,
	} {
		r := edits.Apply(files{"a.py": "x\n"}, []edits.Edit{{Path: "n.py", Op: edits.OpCreate, Kind: edits.KindWhole, Replace: text}}, nil, edits.Options{Chat: []string{"a.py"}})
		if got := len(r.Failures) == 1 && r.Failures[0].Reason == edits.ReasonElision; got != refused || !refused && len(r.Changes) != 1 {
			t.Errorf("%q: %+v", text, r)
		}
	}
}
