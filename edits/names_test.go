package edits_test

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"coauthor/edits"
)

// What a name in a reply stands for: the file of that name, or else the one chat file that it resembles.
func TestWhatANameStandsFor(t *testing.T) {
	text := "alpha\nbeta\n"
	for what, c := range map[string]struct {
		name, others string   // others are further files, not in the chat
		chat         []string // all of them hold the text
		want         string   // "" for a refusal
	}{
		"the path":                        {"src/a.py", "", []string{"src/a.py", "b.py"}, "src/a.py"},
		"a path outside the chat":         {"lib/x.py", "lib/x.py", []string{"src/a.py"}, "lib/x.py"},
		"in backquotes":                   {"`src/a.py`", "", []string{"src/a.py", "b.py"}, "src/a.py"},
		"in quotes":                       {"\"src/a.py\"", "", []string{"src/a.py", "b.py"}, "src/a.py"},
		"in parentheses":                  {"(src/a.py)", "", []string{"src/a.py", "b.py"}, "src/a.py"},
		"in angles":                       {"<src/a.py>", "", []string{"src/a.py", "b.py"}, "src/a.py"},
		"between blanks":                  {"  src/a.py ", "", []string{"src/a.py", "b.py"}, "src/a.py"},
		"with a dot":                      {"./src/a.py", "", []string{"src/a.py", "b.py"}, "src/a.py"},
		"not clean":                       {"src//x/../a.py", "", []string{"src/a.py", "b.py"}, "src/a.py"},
		"with git's letter":               {"a/src/a.py", "", []string{"src/a.py", "b.py"}, "src/a.py"},
		"with git's other letter":         {"b/src/a.py", "", []string{"src/a.py", "b.py"}, "src/a.py"},
		"a directory of that letter":      {"a/a.py", "", []string{"a/a.py", "a.py"}, "a/a.py"},
		"escaped":                         {`my\_a.py`, "", []string{"my_a.py", "b.py"}, "my_a.py"},
		"escaped stars":                   {`x\*y\-z.py`, "", []string{"x*y-z.py", "b.py"}, "x*y-z.py"},
		"escaped, outside the chat":       {`my\_a.py`, "my_a.py", []string{"b.py"}, "my_a.py"},
		"a star, outside the chat":        {`x\*y.py`, "x*y.py", []string{"b.py"}, "x*y.py"},
		"a dash, outside the chat":        {`x\-y.py`, "x-y.py", []string{"b.py"}, "x-y.py"},
		"a directory, outside the chat":   {`.\src\x.py`, "src/x.py", []string{"b.py"}, "src/x.py"},
		"a letter, outside the chat":      {"b/src/x.py", "src/x.py", []string{"b.py"}, "src/x.py"},
		"backslashes":                     {`src\a.py`, "", []string{"src/a.py", "b.py"}, "src/a.py"},
		"a dot and backslashes":           {`.\src\a.py`, "", []string{"src/a.py", "b.py"}, "src/a.py"},
		"in another case":                 {"SRC/A.py", "", []string{"src/a.py", "b.py"}, "src/a.py"},
		"the case before the rest":        {"A.py", "", []string{"a.py", "src/A.py"}, "a.py"},
		"the end of the path":             {"a.py", "", []string{"src/a.py", "b.py"}, "src/a.py"},
		"the ends of two paths":           {"a.py", "", []string{"src/a.py", "lib/a.py"}, ""},
		"a longer path":                   {"project/src/a.py", "", []string{"src/a.py", "b.py"}, "src/a.py"},
		"the same name elsewhere":         {"lib/a.py", "", []string{"src/a.py", "b.py"}, "src/a.py"},
		"the same name in two":            {"lib/a.py", "", []string{"src/a.py", "x/a.py"}, ""},
		"a typo":                          {"src/mian_window.py", "", []string{"src/main_window.py", "b.py"}, "src/main_window.py"},
		"a typo of two":                   {"src/main_windoww.py", "", []string{"src/main_window1.py", "src/main_window2.py"}, ""},
		"two letters of ten":              {"abXXefg.py", "", []string{"abcdefg.py", "b.py"}, "abcdefg.py"},
		"three letters of ten":            {"abXXXfg.py", "", []string{"abcdefg.py", "b.py"}, ""},
		"a typo in another case":          {"SRC/Mian_window.PY", "", []string{"src/main_window.py", "b.py"}, "src/main_window.py"},
		"a typo, another one far off":     {"src/mian_window.py", "", []string{"src/main_window.py", "src/other_window.py"}, "src/main_window.py"},
		"a typo, listed second":           {"src/mian_window.py", "", []string{"src/other_window.py", "src/main_window.py"}, "src/main_window.py"},
		"too far":                         {"src/other_thing.py", "", []string{"src/main_window.py", "b.py"}, ""},
		"another extension":               {"src/main_window.js", "", []string{"src/main_window.py", "b.py"}, ""},
		"no chat file of that name":       {"c.py", "", []string{"a.py", "b.py"}, ""},
		"a chat file that is not there":   {"gone.py", "", []string{"gone.py"}, ""},
		"resembling a file not in a chat": {"x.py", "lib/x.py", []string{"a.py", "b.py"}, ""},
	} {
		tree := files{}
		for _, path := range append(slices.Clone(c.chat), c.others) {
			if path != "" && !strings.HasPrefix(path, "gone") {
				tree[path] = text
			}
		}
		for kind, e := range map[string]edits.Edit{"block": replaceEdit("beta\n", "gamma\n"), "hunk": hunk(chunk("-beta", "+gamma"))} {
			e.Path = c.name
			r := edits.Apply(tree, []edits.Edit{e}, nil, edits.Options{Chat: c.chat})
			switch {
			case c.want == "" && (len(r.Failures) != 1 || r.Failures[0].Reason != edits.ReasonNoFile || len(r.Changes) > 0):
				t.Errorf("%s as a %s: %+v", what, kind, r)
			case c.want != "" && (len(r.Failures) > 0 || len(r.Changes) != 1 || r.Changes[0].Path != c.want || r.Changes[0].After != "alpha\ngamma\n"):
				t.Errorf("%s as a %s: want %s, got %+v", what, kind, c.want, r)
			case c.want != "" && (c.want != strings.Trim(c.name, " `\"()<>")) != (len(r.Notes) > 0):
				if !strings.HasPrefix(c.name, "./") && !strings.Contains(c.name, "//") {
					t.Errorf("%s as a %s: the notes are %q", what, kind, r.Notes)
				}
			}
		}
	}
}

// Without a name, or with one that is no file, the one chat file that holds the old text is meant; for
// blocks of a reply without chat files, the one of the others.
func TestTextsFindTheirFile(t *testing.T) {
	holds, other := "alpha\nbeta\n", "something else\n"
	for what, c := range map[string]struct {
		name         string
		chat, others []string
		want         string
		reason       string
	}{
		"one chat file holds it":              {"", []string{"y1", "n1"}, nil, "y1", ""},
		"one holds it, the name is none":      {"zzz.py", []string{"n1", "y1"}, nil, "y1", ""},
		"two chat files hold it":              {"", []string{"y1", "y2"}, nil, "", edits.ReasonNoName},
		"two hold it, the name is none":       {"zzz.py", []string{"y1", "y2"}, nil, "", edits.ReasonNoFile},
		"no chat file holds it":               {"", []string{"n1", "n2"}, nil, "", edits.ReasonNoName},
		"the one chat file lacks it":          {"", []string{"n1"}, nil, "", edits.ReasonNoName},
		"a chat file that is not there":       {"", []string{"gone", "y1"}, nil, "y1", ""},
		"no chat, one other":                  {"zzz.py", nil, []string{"n1", "y1", "gone"}, "y1", ""},
		"no chat, two others":                 {"zzz.py", nil, []string{"y1", "y2"}, "", edits.ReasonNoFile},
		"a chat, and an other":                {"zzz.py", []string{"n1"}, []string{"y1"}, "", edits.ReasonNoFile},
		"the named file lacks it, a chat has": {"n1", []string{"n1", "y1"}, nil, "", edits.ReasonOtherFile},
	} {
		tree := files{"y1": holds, "y2": holds, "n1": other, "n2": other}
		e := replaceEdit("beta\n", "gamma\n")
		e.Path = c.name
		r := edits.Apply(tree, []edits.Edit{e}, nil, edits.Options{Chat: c.chat, Others: c.others})
		switch {
		case c.want == "" && (len(r.Failures) != 1 || r.Failures[0].Reason != c.reason || len(r.Changes) > 0):
			t.Errorf("%s: %+v", what, r)
		case c.want != "" && (len(r.Failures) > 0 || len(r.Changes) != 1 || r.Changes[0].Path != c.want || len(r.Notes) == 0):
			t.Errorf("%s: want %s, got %+v", what, c.want, r)
		}
		if len(c.others) > 0 && c.chat == nil {
			e := hunk(chunk("-beta", "+gamma"))
			e.Path = c.name
			if r := edits.Apply(tree, []edits.Edit{e}, nil, edits.Options{Others: c.others}); len(r.Failures) != 1 {
				t.Errorf("%s, a hunk: %+v", what, r)
			}
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
	// With one file in the chat a listing is that file; a block without old text needs its name.
	one := edits.Options{Chat: []string{"a"}}
	if r := edits.Apply(files{"a": "1\n"}, list[2:3], nil, one); len(r.Changes) != 1 || r.Changes[0].After != "x\n" || r.Changes[0].Path != "a" || len(r.Notes) == 0 {
		t.Errorf("%+v", r)
	}
	if r := edits.Apply(files{"a": "1\n"}, list[1:2], nil, one); len(r.Failures) != 1 || r.Failures[0].Reason != edits.ReasonNoName {
		t.Errorf("%+v", r)
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
	e := replaceEdit("beta\n", "gamma\n")
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
	e := replaceEdit("beta\n", "gamma\n")
	e.Path = "secret.py"
	check := func(path string, _ edits.Op) error {
		if path == "secret.py" {
			return reasoned{}
		}
		return nil
	}
	if r := edits.Apply(tree, []edits.Edit{e}, nil, edits.Options{Others: []string{"y"}, Check: check}); len(r.Changes) > 0 || len(r.Failures) != 1 || r.Failures[0].Reason != "not-now" {
		t.Errorf("%+v", r)
	}
	e.Path = "other.py"
	if r := edits.Apply(tree, []edits.Edit{e}, nil, edits.Options{Others: []string{"y"}, Check: check}); len(r.Changes) != 1 || len(r.Failures) > 0 {
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
