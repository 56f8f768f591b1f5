package edits_test

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/match"
)

// What a name in a reply stands for: the file of that name, however it is put, and no other one because of its name.
func TestWhatANameStandsFor(t *testing.T) {
	text := "alpha\nbeta\n"
	place := edits.Place{Root: "/home/u/proj"}
	for what, c := range map[string]struct {
		name, others string   // others are further files, not in the chat
		chat         []string // all of them hold the text
		want         string   // "" for a refusal
	}{
		"the path":                       {"src/a.py", "", []string{"src/a.py", "b.py"}, "src/a.py"},
		"a path outside the chat":        {"lib/x.py", "lib/x.py", []string{"src/a.py"}, "lib/x.py"},
		"in backquotes":                  {"`src/a.py`", "", []string{"src/a.py", "b.py"}, "src/a.py"},
		"in quotes":                      {"\"src/a.py\"", "", []string{"src/a.py", "b.py"}, "src/a.py"},
		"in parentheses":                 {"(src/a.py)", "", []string{"src/a.py", "b.py"}, "src/a.py"},
		"in angles":                      {"<src/a.py>", "", []string{"src/a.py", "b.py"}, "src/a.py"},
		"between blanks":                 {"  src/a.py ", "", []string{"src/a.py", "b.py"}, "src/a.py"},
		"with a dot":                     {"./src/a.py", "", []string{"src/a.py", "b.py"}, "src/a.py"},
		"not clean":                      {"src//x/../a.py", "", []string{"src/a.py", "b.py"}, "src/a.py"},
		"with blanks":                    {"Assets/Main Menu.cs", "", []string{"Assets/Main Menu.cs", "Menu.cs"}, "Assets/Main Menu.cs"},
		"with blanks, another script":    {"docs/日本 語.md", "", []string{"docs/日本 語.md", "語.md"}, "docs/日本 語.md"},
		"with blanks, and no file":       {"Assets/Main Menu.cs", "", []string{"Menu.cs", "b.py"}, ""},
		"with brackets":                  {"a[1].py", "", []string{"a[1].py", "a.py"}, "a[1].py"},
		"labelled":                       {"文件：a.py", "", []string{"a.py", "b.py"}, "a.py"},
		"below the root":                 {"/home/u/proj/src/a.py", "", []string{"src/a.py", "b.py"}, "src/a.py"},
		"beside the root":                {"/home/u/project/src/a.py", "", []string{"src/a.py", "b.py"}, ""},
		"outside of the root":            {"/src/a.py", "", []string{"src/a.py", "b.py"}, ""},
		"above the root":                 {"../src/a.py", "", []string{"src/a.py", "b.py"}, ""},
		"the root":                       {".", "", []string{"src/a.py", "b.py"}, ""},
		"the null device":                {"/dev/null", "", []string{"src/a.py", "b.py"}, ""},
		"a letter of a diff":             {"b/src/a.py", "", []string{"src/a.py", "b.py"}, ""},
		"a directory of that letter":     {"a/a.py", "", []string{"a/a.py", "a.py"}, "a/a.py"},
		"escaped":                        {`my\_a.py`, "", []string{"my_a.py", "b.py"}, "my_a.py"},
		"a directory, outside the chat":  {`.\src\x.py`, "src/x.py", []string{"b.py"}, "src/x.py"},
		"backslashes":                    {`src\a.py`, "", []string{"src/a.py", "b.py"}, "src/a.py"},
		"in another case":                {"SRC/A.py", "", []string{"src/a.py", "b.py"}, ""},
		"the end of the path":            {"a.py", "", []string{"src/a.py", "b.py"}, ""},
		"a longer path":                  {"project/src/a.py", "", []string{"src/a.py", "b.py"}, ""},
		"the same name elsewhere":        {"lib/a.py", "", []string{"src/a.py", "b.py"}, ""},
		"a typo":                         {"src/mian_window.py", "", []string{"src/main_window.py", "b.py"}, ""},
		"no chat file of that name":      {"c.py", "", []string{"a.py", "b.py"}, ""},
		"a chat file that is not there":  {"gone.py", "", []string{"gone.py"}, ""},
		"the end of one beside the chat": {"x.py", "lib/x.py", []string{"a.py", "b.py"}, ""},
	} {
		tree := files{}
		for _, path := range append(slices.Clone(c.chat), c.others) {
			if path != "" && !strings.HasPrefix(path, "gone") {
				tree[path] = text
			}
		}
		for kind, e := range map[string]edits.Edit{"block": replaceEdit("beta\n", "gamma\n"), "hunk": hunk(chunk("-beta", "+gamma")),
			"listing": {Kind: edits.KindWhole, Op: edits.OpUpdate, Listing: true, Replace: "alpha\ngamma\n"}} {
			e.Path = c.name
			r := edits.Apply(tree, []edits.Edit{e}, nil, edits.Options{Chat: c.chat, Place: place})
			switch {
			case c.want == "" && kind == "listing": // it makes a file, or is asked about: below
				for path := range tree {
					if got := tree.After(r.Changes)[path]; got != text {
						t.Errorf("%s as a %s: %s became %q", what, kind, path, got)
					}
				}
			case c.want == "" && (len(r.Failures) != 1 || r.Failures[0].Reason != edits.ReasonNoFile || len(r.Changes) > 0):
				t.Errorf("%s as a %s: %+v", what, kind, r)
			case c.want != "" && (len(r.Failures) > 0 || len(r.Changes) != 1 || r.Changes[0].Path != c.want || r.Changes[0].After != "alpha\ngamma\n"):
				t.Errorf("%s as a %s: want %s, got %+v", what, kind, c.want, r)
			}
		}
	}
}

// An edit whose name is no file means the one shown file in which two lines or more of old text stand exactly and
// once; one line is enough where the name is the end of the path of that file alone.
func TestTextsFindTheirFile(t *testing.T) {
	const x, y = "src/x.py", "lib/y.py"
	for what, c := range map[string]struct {
		name, search string
		tree         files
		want, reason string
	}{
		"two lines":                           {"zzz.py", "one\ntwo\n", files{x: "one\ntwo\n", y: "three\n"}, x, ""},
		"two lines, no name":                  {"", "one\ntwo\n", files{x: "one\ntwo\n", y: "three\n"}, x, ""},
		"one line":                            {"zzz.py", "one\n", files{x: "one\ntwo\n", y: "three\n"}, "", edits.ReasonNoFile},
		"one line, no name, of two files":     {"", "one\n", files{x: "one\ntwo\n", y: "three\n"}, "", edits.ReasonNoName},
		"one line, no name, of one file":      {"", "one\n", files{x: "one\ntwo\n"}, x, ""},
		"one line and a blank one":            {"zzz.py", "one\n\n", files{x: "one\n\ntwo\n", y: "three\n"}, "", edits.ReasonNoFile},
		"one line, the end of its path":       {"x.py", "one\n", files{x: "one\ntwo\n", y: "three\n"}, x, ""},
		"one line, the end of another's path": {"y.py", "one\n", files{x: "one\ntwo\n", y: "three\n"}, "", edits.ReasonNoFile},
		"one line, the end of two paths":      {"x.py", "one\n", files{x: "one\ntwo\n", "b/x.py": "three\n"}, "", edits.ReasonNoFile},
		"one line, no end of a name":          {".py", "one\n", files{x: "one\ntwo\n"}, "", edits.ReasonNoFile},
		"one line in two":                     {"x.py", "one\n", files{x: "one\ntwo\n", y: "one\n"}, "", edits.ReasonNoFile},
		"two lines in two":                    {"zzz.py", "one\ntwo\n", files{x: "one\ntwo\n", y: "one\ntwo\n"}, "", edits.ReasonNoFile},
		"two lines, twice":                    {"zzz.py", "one\ntwo\n", files{x: "one\ntwo\none\ntwo\n", y: "three\n"}, "", edits.ReasonNoFile},
		"two lines, indented":                 {"zzz.py", "one\ntwo\n", files{x: " one\n two\n", y: "three\n"}, "", edits.ReasonNoFile},
		"two lines, nearly":                   {"x.py", "one\ntwoo\n", files{x: "one\ntwo\n", y: "three\n"}, "", edits.ReasonNoFile},
		"two lines with other ends":           {"zzz.py", "one\ntwo\n", files{x: "one\r\ntwo\r\n", y: "three\n"}, x, ""},
		"blank lines":                         {"zzz.py", "\n\n", files{x: "one\n\n\ntwo\n"}, "", ""},
		"a name outside":                      {"../x.py", "one\ntwo\n", files{x: "one\ntwo\n", y: "three\n"}, x, ""},
		"the file named lacks it":             {y, "one\ntwo\n", files{x: "one\ntwo\n", y: "three\n"}, "", edits.ReasonOtherFile},
	} {
		for kind, e := range map[string]edits.Edit{"block": replaceEdit(c.search, "new\n"), "hunk": hunk(removing(c.search))} {
			e.Path = c.name
			r := edits.Apply(c.tree, []edits.Edit{e}, nil, edits.Options{Chat: c.tree.Paths()})
			switch {
			case c.want == "" && c.reason == "":
				for _, change := range r.Changes {
					if change.Op != edits.OpCreate {
						t.Errorf("%s as a %s: %+v", what, kind, r)
					}
				}
			case c.want == "" && (len(r.Failures) != 1 || r.Failures[0].Reason != c.reason || len(r.Changes) > 0):
				t.Errorf("%s as a %s: %+v", what, kind, r)
			case c.want != "" && (len(r.Failures) > 0 || len(r.Changes) != 1 || r.Changes[0].Path != c.want || len(r.Notes) == 0):
				t.Errorf("%s as a %s: want %s, got %+v", what, kind, c.want, r)
			}
			if r := edits.Apply(c.tree, []edits.Edit{e}, nil, edits.Options{}); c.reason != "" && c.reason != edits.ReasonOtherFile && (len(r.Failures) != 1 || len(r.Changes) > 0) {
				t.Errorf("%s as a %s, shown nothing: %+v", what, kind, r)
			}
		}
	}
}

// A text that stands several times in one shown file and in no other is meant where the line number says, if it stands there.
func TestTheLineNumberSaysWhichText(t *testing.T) {
	const twice = "a\none\ntwo\nb\none\ntwo\n"
	for what, c := range map[string]struct {
		search, other string
		line          int
		want          string
	}{
		"the first":           {"one\ntwo\n", "c\n", 2, "a\nnew\nb\none\ntwo\n"},
		"the second":          {"one\ntwo\n", "c\n", 5, "a\none\ntwo\nb\nnew\n"},
		"beside it":           {"one\ntwo\n", "c\n", 4, ""},
		"no number":           {"one\ntwo\n", "c\n", 0, ""},
		"in another file too": {"one\ntwo\n", "one\ntwo\n", 5, ""},
		"one line":            {"one\n", "c\n", 5, ""},
	} {
		chunk := removing(c.search)
		chunk.Line = c.line
		for _, name := range []string{"", "app/x.py", "sub/y.py"} {
			e := hunk(chunk)
			e.Path = name
			tree := files{"x.py": twice, "y.py": c.other}
			r := edits.Apply(tree, []edits.Edit{e}, nil, edits.Options{Chat: tree.Paths()})
			switch {
			case c.want == "" && (len(r.Changes) > 0 || len(r.Failures) != 1):
				t.Errorf("%s, %q: %+v", what, name, r)
			case c.want != "" && (len(r.Failures) > 0 || len(r.Changes) != 1 || r.Changes[0].Path != "x.py" || r.Changes[0].After != c.want):
				t.Errorf("%s, %q: want %q, got %+v", what, name, c.want, r)
			}
		}
	}
}

// removing is a hunk that takes lines away and puts one in their place.
func removing(text string) edits.Chunk {
	c := edits.Chunk{}
	for line := range strings.Lines(text) {
		c.Lines = append(c.Lines, match.Line{Sign: '-', Text: strings.TrimSuffix(line, "\n")})
	}
	c.Lines = append(c.Lines, match.Line{Sign: '+', Text: "new"})
	return c
}

// What takes nothing away, or all, never lands in a file of another name: a deletion, a move, an addition, a listing.
func TestNamesThatAreNoFileStandForNothing(t *testing.T) {
	const text = "one\ntwo\nthree\n"
	for _, name := range []string{"old.txt", "a.txt", "./a.txt", "../b", "../src/a.txt", ".", "..", "/", "/dev/null", "/src/a.txt", "C:/src/a.txt", "~/a.txt", "src", "src/", "SRC/A.TXT", ""} {
		for what, e := range map[string]edits.Edit{
			"deletion": {Kind: edits.KindDelete, Op: edits.OpDelete}, "rename": {Kind: edits.KindRename, Op: edits.OpRename, To: "n.txt"},
			"rename with a hunk": {Kind: edits.KindRename, Op: edits.OpRename, To: "n.txt", Chunks: []edits.Chunk{chunk("-one", "-two", "+1")}},
			"addition":           hunk(chunk("+new")), "addition in a place": hunk(chunk(" one", " two", "+new")),
			"block without old text": replaceEdit("", "new\n"), "block of blanks": replaceEdit("\n \n", "new\n"), "listing": {Kind: edits.KindWhole, Op: edits.OpUpdate, Listing: true, Replace: "one\ntwo\n"},
			"whole text": {Kind: edits.KindWhole, Op: edits.OpUpdate, Replace: "one\ntwo\n"}, "new file": {Kind: edits.KindWhole, Op: edits.OpCreate, Replace: "new\n"},
		} {
			e.Path = name
			r := edits.Apply(files{"src/a.txt": text}, []edits.Edit{e}, nil, edits.Options{Chat: []string{"src/a.txt"}})
			for _, c := range r.Changes {
				if name == "" && what == "addition in a place" {
					continue // its lines say where, and there is one file
				}
				if c.Op != edits.OpCreate || c.Path == "a.txt" || strings.HasPrefix(c.Path, ".") || strings.HasPrefix(c.Path, "/") || strings.ContainsAny(c.Path, "~:") || c.Path == "" {
					t.Errorf("%s of %q: %+v", what, name, c)
				}
			}
			if len(r.Changes)+len(r.Failures) != 1 {
				t.Errorf("%s of %q: %+v", what, name, r)
			}
			for _, f := range r.Failures {
				if name != "" && f.Reason == edits.ReasonNoFile && !strings.Contains(f.Message, "src/a.txt") {
					t.Errorf("%s of %q: the nearest name is not told: %s", what, name, f.Message)
				}
			}
		}
	}
}

// A new file that may be meant to be a shown one is asked about once, in every way of making files. The model may
// insist, but on no name that is the end of a shown path.
func TestNewFilesThatAreAskedAbout(t *testing.T) {
	const text = "one\ntwo\nthree\nfour\n"
	tree := files{"src/app.py": text, "other.py": "else\nwhere\n"}
	for what, c := range map[string]struct {
		name, text   string
		beside       []edits.Edit // further edits of the reply
		asked, again bool         // again: it may be made after it was asked about
	}{
		"the end of a shown path":           {"app.py", "new\n", nil, true, false},
		"the same name elsewhere":           {"lib/app.py", "new\n", nil, true, true},
		"the same name above":               {"proj/src/app.py", "new\n", nil, true, true},
		"the text of a shown file":          {"new.py", "one\ntwo\n3\n4\n", nil, true, true},
		"less than half of it":              {"new.py", "one\n2\n3\n4\n", nil, false, true},
		"another name":                      {"new.py", "new\n", nil, false, true},
		"another case":                      {"APP.py", "new\n", nil, false, true},
		"the end of a name, not of a path":  {"pp.py", "new\n", nil, false, true},
		"the same name, both in the reply":  {"lib/app.py", "new\n", []edits.Edit{named("src/app.py", replaceEdit("two\n", "2\n"))}, false, true},
		"the text, both in the reply":       {"new.py", "one\ntwo\n", []edits.Edit{named("src/app.py", replaceEdit("one\ntwo\n", ""))}, false, true},
		"the end of a path that is changed": {"app.py", "new\n", []edits.Edit{named("src/app.py", replaceEdit("two\n", "2\n"))}, true, false},
	} {
		for kind, e := range map[string]edits.Edit{
			"listing": {Kind: edits.KindWhole, Op: edits.OpUpdate, Listing: true, Replace: c.text}, "block": {Kind: edits.KindReplace, Op: edits.OpCreate, Replace: c.text},
			"whole text": {Kind: edits.KindWhole, Op: edits.OpUpdate, Replace: c.text}, "new file": {Kind: edits.KindWhole, Op: edits.OpCreate, Replace: c.text},
		} {
			e.Path = c.name
			list := append([]edits.Edit{e}, c.beside...)
			for i := range list {
				list[i].Index = i
			}
			o := edits.Options{Chat: tree.Paths()}
			r := edits.Apply(tree, list, nil, o)
			_, made := tree.After(r.Changes)[c.name]
			switch {
			case made == c.asked, c.asked != (len(r.Failures) == 1):
				t.Errorf("%s as a %s: %+v", what, kind, r)
			case c.asked && (r.Failures[0].Reason != edits.ReasonWrongName || r.Failures[0].Path != c.name || !strings.Contains(r.Failures[0].Message, "src/app.py")):
				t.Errorf("%s as a %s: %+v", what, kind, r.Failures)
			}
			o.Asked = []string{c.name}
			r = edits.Apply(tree, list, nil, o)
			again := c.again && (what != "the text of a shown file" || e.Op == edits.OpCreate) // what only comes again says nothing new
			if _, made := tree.After(r.Changes)[c.name]; made != again || made && c.asked && len(r.Notes) == 0 {
				t.Errorf("%s as a %s, again: %+v", what, kind, r)
			}
			o = edits.Options{Chat: append(tree.Paths(), c.name)} // the user named it
			if r := edits.Apply(tree, list, nil, o); len(r.Failures) > 0 {
				t.Errorf("%s as a %s, wanted: %+v", what, kind, r)
			}
		}
	}
}

func named(path string, e edits.Edit) edits.Edit {
	e.Path = path
	return e
}

// In a project that the model makes up, a leading slash is the root.
func TestRootedNames(t *testing.T) {
	for name, want := range map[string]string{"/main.py": "main.py", "/app/main.py": "app/main.py", "/home/u/p/a.py": "a.py", "a.py": "a.py", "../x": "", "/dev/null": "", "C:/x": "", "/": ""} {
		e := edits.Edit{Path: name, Kind: edits.KindWhole, Op: edits.OpUpdate, Listing: true, Replace: "x\n"}
		r := edits.Apply(files{}, []edits.Edit{e}, nil, edits.Options{Place: edits.Place{Root: "/home/u/p", Rooted: true}})
		switch {
		case want == "" && (len(r.Changes) > 0 || len(r.Failures) != 1 || r.Failures[0].Reason != edits.ReasonNoFile):
			t.Errorf("%s: %+v", name, r)
		case want != "" && (len(r.Changes) != 1 || r.Changes[0].Path != want):
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// Edits of a file of an example are passed over beside others, and refused alone; a file of that name is one.
func TestFilesOfExamples(t *testing.T) {
	right := named("a.py", replaceEdit("one\n", "1\n"))
	for kind, e := range every("tea.py") {
		for _, name := range []string{"tea.py", "show_greeting.py"} {
			e.Path, e.Index, right.Index = name, 1, 0
			o := edits.Options{Chat: []string{"a.py"}, Examples: []string{"tea.py"}}
			if r := edits.Apply(files{"a.py": "one\n"}, []edits.Edit{right, e}, nil, o); len(r.Failures) > 0 || len(r.Changes) != 1 || r.Changes[0].Path != "a.py" || len(r.Notes) != 1 {
				t.Errorf("%s of %s: %+v", kind, name, r)
			}
			if r := edits.Apply(files{"a.py": "one\n"}, []edits.Edit{e}, nil, o); len(r.Failures) != 1 || len(r.Changes) > 0 || r.Failures[0].Reason != edits.ReasonExample {
				t.Errorf("%s of %s alone: %+v", kind, name, r)
			}
			if r := edits.Apply(files{"a.py": "one\n", name: "a\n"}, []edits.Edit{e}, nil, o); kind != "new file" && len(r.Changes) != 1 {
				t.Errorf("%s of the file %s: %+v", kind, name, r)
			}
		}
	}
}

// A first line of a listing that is only a comment with the file's path is no content, unless the file has it.
func TestCommentsThatNameTheFile(t *testing.T) {
	for _, c := range []struct{ path, before, text, want string }{
		{"src/f.py", "one\ntwo\n", "# src/f.py\none\n2\n", "one\n2\n"},
		{"src/f.py", "one\ntwo\n", "# File: `src/f.py`\n\none\n2\n", "one\n2\n"},
		{"src/f.py", "# src/f.py\none\n", "# src/f.py\n1\n", "# src/f.py\n1\n"},
		{"src/f.py", "one\ntwo\n", "# f.py\none\n2\n", "# f.py\none\n2\n"},
		{"src/f.py", "one\ntwo\n", "# other.py\none\n2\n", "# other.py\none\n2\n"},
		{"src/f.py", "one\ntwo\n", "# src/f.py does it\none\n2\n", "# src/f.py does it\none\n2\n"},
		{"n.py", "", "# n.py\none\n", "# n.py\none\n"},
	} {
		tree := files{}
		if c.before != "" {
			tree[c.path] = c.before
		}
		e := edits.Edit{Path: c.path, Kind: edits.KindWhole, Op: edits.OpUpdate, Listing: true, Replace: c.text}
		if r := edits.Apply(tree, []edits.Edit{e}, nil, edits.Options{}); tree.After(r.Changes)[c.path] != c.want {
			t.Errorf("%q: %+v", c.text, r)
		}
	}
}

// An edit without a name, of each kind.
func TestEditsWithoutAName(t *testing.T) {
	list := []edits.Edit{
		replaceEdit("no such\n", "x\n"), replaceEdit("", "x\n"), {Kind: edits.KindWhole, Op: edits.OpUpdate, Replace: "x\n"},
		hunk(chunk("-no such", "+x")), {Kind: edits.KindDelete, Op: edits.OpDelete}, {Kind: edits.KindRename, Op: edits.OpRename, To: "g"},
	}
	for i := range list {
		list[i].Path, list[i].Index = "", i
	}
	r := edits.Apply(files{"a": "1\n", "b": "2\n"}, list, nil, edits.Options{Chat: []string{"a", "b"}})
	if len(r.Failures) != len(list) || len(r.Changes) > 0 {
		t.Fatalf("%+v", r)
	}
	for i, f := range r.Failures {
		if f.Edit != i || f.Reason != edits.ReasonNoName || f.Message == "" {
			t.Errorf("%+v", f)
		}
	}
	// Also with one file in the chat.
	for _, e := range list {
		if r := edits.Apply(files{"a": "1\n"}, []edits.Edit{e}, nil, edits.Options{Chat: []string{"a"}}); len(r.Changes) > 0 || len(r.Failures) != 1 {
			t.Errorf("%s: %+v", e.Kind, r)
		}
	}
}

// broken are files that cannot be read.
type broken map[string]error

func (b broken) Read(path string) (string, error) {
	if err, ok := b[path]; ok {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	return "", fs.ErrNotExist
}

func (b broken) Exists(path string) bool { return b[path] != nil }

// reasoned is an error with a code of its own.
type reasoned struct{}

func (reasoned) Error() string  { return "not now" }
func (reasoned) Reason() string { return "not-now" }

// every is one edit of each kind for a file that is there.
func every(path string) map[string]edits.Edit {
	out := map[string]edits.Edit{
		"block": replaceEdit("a\n", "b\n"), "append": replaceEdit("", "b\n"), "hunk": hunk(chunk("-a", "+b")), "insertion": hunk(chunk("+b")),
		"listing": {Kind: edits.KindWhole, Op: edits.OpUpdate, Replace: "b\n"}, "new file": {Kind: edits.KindWhole, Op: edits.OpCreate, Replace: "b\n"},
		"deletion": {Kind: edits.KindDelete, Op: edits.OpDelete}, "rename": {Kind: edits.KindRename, Op: edits.OpRename, To: "to"},
	}
	for what, e := range out {
		e.Path = path
		out[what] = e
	}
	return out
}

// A file that cannot be read refuses the edits of it, with the reason.
func TestFilesThatCannotBeRead(t *testing.T) {
	for want, err := range map[string]error{edits.ReasonBinary: edits.ErrBinary, edits.ReasonUndecodable: edits.ErrUndecodable, edits.ReasonRefused: edits.ErrRefused,
		edits.ReasonReadOnly: edits.ErrReadOnly, edits.ReasonUnreadable: errors.New("disk on fire"), "not-now": reasoned{}} {
		for what, e := range every("f") {
			r := edits.Apply(broken{"f": err}, []edits.Edit{e}, nil, edits.Options{Chat: []string{"f"}})
			if len(r.Failures) != 1 || r.Failures[0].Reason != want || r.Failures[0].Path != "f" || !strings.Contains(r.Failures[0].Message, err.Error()) || len(r.Changes) > 0 {
				t.Errorf("%s, %v: %+v", what, err, r)
			}
		}
	}
}

// The caller's check is asked for each file with what is to be done, and its word counts.
func TestTheCheckRefusesEditsOfEachKind(t *testing.T) {
	ops := map[string][]edits.Op{"deletion": {edits.OpDelete}, "rename": {edits.OpRename, edits.OpCreate}}
	for what, e := range every("f") {
		var asked []edits.Op
		allow := edits.Options{Check: func(path string, op edits.Op) error {
			if asked = append(asked, op); path != "f" && path != "to" {
				t.Errorf("%s: asked for %s", what, path)
			}
			return nil
		}}
		tree := files{"f": "a\n"}
		if what == "new file" {
			tree = files{}
			ops[what] = []edits.Op{edits.OpCreate}
		}
		if r := edits.Apply(tree, []edits.Edit{e}, nil, allow); len(r.Changes) != 1 || len(r.Failures) > 0 {
			t.Errorf("%s: %+v", what, r)
		}
		want := ops[what]
		if want == nil {
			want = []edits.Op{edits.OpUpdate}
		}
		if !slices.Equal(asked, want) {
			t.Errorf("%s: asked for %v, want %v", what, asked, want)
		}
		for _, refused := range want {
			r := edits.Apply(tree, []edits.Edit{e}, nil, edits.Options{Check: func(_ string, op edits.Op) error {
				if op == refused {
					return fmt.Errorf("no: %w", edits.ErrRefused)
				}
				return nil
			}})
			if len(r.Changes) > 0 || len(r.Failures) != 1 || r.Failures[0].Reason != edits.ReasonRefused || !strings.Contains(r.Failures[0].Message, "no: ") {
				t.Errorf("%s, %s refused: %+v", what, refused, r)
			}
		}
	}
	// A path that is not there and may not be used is refused for that reason.
	e := replaceEdit("a\n", "b\n")
	e.Path = "nowhere"
	if r := edits.Apply(files{}, []edits.Edit{e}, nil, edits.Options{Check: func(string, edits.Op) error { return reasoned{} }}); len(r.Failures) != 1 || r.Failures[0].Reason != "not-now" {
		t.Errorf("%+v", r)
	}
}

// Failures come in the order of the edits, those of the parser first among equals; edits are applied in
// the order of their numbers, however the list is sorted.
func TestTheOrderOfEditsAndFailures(t *testing.T) {
	one, two, three := replaceEdit("a\n", "b\n"), replaceEdit("b\n", "c\n"), replaceEdit("nowhere\n", "c\n")
	one.Index, two.Index, three.Index = 0, 2, 1
	problems := []edits.Problem{{Edit: 2, Path: "p", Reason: "x", Message: "m"}, {Edit: -1, Path: "q", Reason: "y", Message: "n"}}
	list := []edits.Edit{two, three, one}
	r := edits.Apply(files{"f": "a\n"}, list, problems, edits.Options{})
	if len(r.Changes) != 1 || r.Changes[0].After != "c\n" {
		t.Errorf("%+v", r.Changes)
	}
	if len(r.Failures) != 3 || r.Failures[0].Path != "q" || r.Failures[0].Reason != "y" || r.Failures[0].Message != "n" || r.Failures[1].Edit != 1 || r.Failures[2].Path != "p" || r.Failures[2].Edit != 2 {
		t.Errorf("%+v", r.Failures)
	}
	if list[0].Index != 2 {
		t.Error("the caller's list was sorted")
	}
}

// odd are files of which some cannot be read, and are not even said to be there.
type odd struct {
	files
	hidden broken
}

func (o odd) Read(path string) (string, error) {
	if _, ok := o.hidden[path]; ok {
		return o.hidden.Read(path)
	}
	return o.files.Read(path)
}

// A chat file that cannot be read holds nothing; a new file in the place of one is refused for its reason.
func TestFilesThatCannotBeReadBesideOthers(t *testing.T) {
	tree := odd{files{"f": "alpha\nbeta\n", "bad": ""}, broken{"bad": edits.ErrBinary, "new": edits.ErrBinary}}
	e := replaceEdit("alpha\nbeta\n", "gamma\n")
	e.Path = ""
	if r := edits.Apply(tree, []edits.Edit{e}, nil, edits.Options{Chat: []string{"bad", "f"}}); len(r.Failures) > 0 || len(r.Changes) != 1 || r.Changes[0].Path != "f" {
		t.Errorf("%+v", r)
	}
	for _, e := range []edits.Edit{{Path: "new", Op: edits.OpCreate, Kind: edits.KindWhole, Replace: "x\n"}, {Path: "new", Op: edits.OpCreate, Kind: edits.KindReplace, Replace: "x\n"}} {
		if r := edits.Apply(tree, []edits.Edit{e, e}, nil, edits.Options{}); len(r.Changes) > 0 || len(r.Failures) == 0 || r.Failures[0].Reason != edits.ReasonBinary || r.Failures[0].Path != "new" {
			t.Errorf("%s: %+v", e.Kind, r)
		}
	}
}

// A name that the caller's check refuses stands for no other file, and what was refused once is refused again.
func TestRefusedNamesStandForNothing(t *testing.T) {
	tree := files{"y": "alpha\nbeta\n"}
	e := replaceEdit("alpha\nbeta\n", "gamma\n")
	e.Path = "secret.py"
	check := func(path string, _ edits.Op) error {
		if path == "secret.py" {
			return reasoned{}
		}
		return nil
	}
	if r := edits.Apply(tree, []edits.Edit{e}, nil, edits.Options{Chat: []string{"y"}, Check: check}); len(r.Changes) > 0 || len(r.Failures) != 1 || r.Failures[0].Reason != "not-now" {
		t.Errorf("%+v", r)
	}
	e.Path = "other.py"
	if r := edits.Apply(tree, []edits.Edit{e}, nil, edits.Options{Chat: []string{"y"}, Check: check}); len(r.Changes) != 1 || len(r.Failures) > 0 {
		t.Errorf("%+v", r)
	}
	made := edits.Edit{Path: "n", Op: edits.OpCreate, Kind: edits.KindReplace, Replace: "...\n"}
	again := made
	again.Index = 1
	if r := edits.Apply(tree, []edits.Edit{made, again}, nil, edits.Options{}); len(r.Changes) > 0 || len(r.Failures) != 2 || r.Rungs[edits.RungAlready] > 0 {
		t.Errorf("%+v", r)
	}
	filled, last := edits.Edit{Index: 1, Path: "n", Op: edits.OpCreate, Kind: edits.KindWhole, Replace: "x = 1\n"}, again
	last.Index = 2
	if r := edits.Apply(tree, []edits.Edit{made, filled, last}, nil, edits.Options{}); len(r.Failures) == 0 || r.Failures[0].Edit != 0 || r.Rungs[edits.RungAlready] > 0 {
		t.Errorf("%+v", r)
	}
	made.Replace, again.Replace = "x\n", "x\n"
	if r := edits.Apply(tree, []edits.Edit{made, again}, nil, edits.Options{}); len(r.Changes) != 1 || len(r.Failures) > 0 || r.Rungs[edits.RungAlready] != 1 {
		t.Errorf("%+v", r)
	}
	made.Path, again.Path = "y", "y"
	if r := edits.Apply(tree, []edits.Edit{made, again}, nil, edits.Options{}); len(r.Changes) != 1 || r.Changes[0].After != "alpha\nbeta\nx\n" || r.Rungs[edits.RungAlready] != 1 {
		t.Errorf("%+v", r)
	}
}

// Notes and failures say which edit they are about.
func TestWhichEditIsMeant(t *testing.T) {
	a, b, c := replaceEdit("alpha \n", "one\n"), replaceEdit("nowhere\n", "x\n"), replaceEdit("beta \n", "two\n")
	a.Index, b.Index, c.Index = 0, 2, 7
	r := edits.Apply(files{"f": "alpha\nbeta\n"}, []edits.Edit{a, b, c}, nil, edits.Options{})
	if len(r.Notes) != 2 || !strings.Contains(r.Notes[0], " 1:") || !strings.Contains(r.Notes[1], " 8:") || len(r.Failures) != 1 || r.Failures[0].Edit != 2 {
		t.Errorf("%+v", r)
	}
}

// TestRenamed: a refused edit came again if the same instruction or text stands under another name. What else came says
// nothing of it, but for a name that was asked about, and for an example, of which nothing is to come.
func TestRenamed(t *testing.T) {
	whole := func(path, text string) edits.Edit {
		return edits.Edit{Path: path, Op: edits.OpUpdate, Kind: edits.KindWhole, Replace: text}
	}
	block := named("b.py", replaceEdit("one\n", "1\n"))
	for name, c := range map[string]struct {
		f     edits.Failure
		later []edits.Edit
		want  bool
	}{
		"a listing under a name":       {edits.Failure{Reason: edits.ReasonNoName, Listing: "x\n"}, []edits.Edit{whole("c.py", "z\n"), whole("b.py", "x\n")}, true},
		"another text":                 {edits.Failure{Reason: edits.ReasonNoName, Listing: "x\n"}, []edits.Edit{whole("b.py", "y\n")}, false},
		"an empty one":                 {edits.Failure{Reason: edits.ReasonNoName}, []edits.Edit{whole("b.py", "")}, false},
		"a block under another name":   {edits.Failure{Reason: edits.ReasonNoFile, Block: block.Block()}, []edits.Edit{block}, true},
		"another block":                {edits.Failure{Reason: edits.ReasonNoFile, Block: block.Block()}, []edits.Edit{named("b.py", replaceEdit("one\n", "2\n"))}, false},
		"outside, then inside":         {edits.Failure{Path: "../b.py", Reason: edits.ReasonNoFile, Listing: "x\n"}, []edits.Edit{whole("b.py", "x\n")}, true},
		"a doubted name":               {edits.Failure{Reason: edits.ReasonWrongName}, []edits.Edit{whole("b.py", "y\n")}, true},
		"a doubted name, then a block": {edits.Failure{Reason: edits.ReasonWrongName}, []edits.Edit{block}, false},
		"an example":                   {edits.Failure{Reason: edits.ReasonExample}, []edits.Edit{block}, true},
		"an example, then nothing":     {edits.Failure{Reason: edits.ReasonExample}, nil, false},
		"a text that does not match":   {edits.Failure{Reason: edits.ReasonNoMatch, Block: block.Block()}, []edits.Edit{block}, false},
	} {
		if got := c.f.Renamed(c.later); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
