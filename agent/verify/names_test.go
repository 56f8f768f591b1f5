package verify_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/verify"
	"coauthor/edits"
)

// project is what a check reads: all files with the changes.
type project map[string]string

func (p project) Root() string            { return "" }
func (p project) Exists(path string) bool { _, ok := p[path]; return ok }
func (p project) Read(path string) (string, error) {
	text, ok := p[path]
	if !ok {
		return "", errors.New("no such file")
	}
	return text, nil
}

// look runs one check over the change of a project's files to others, all of them shown, and returns what it
// found, in a line each.
func look(t *testing.T, check verify.Check, before, after project) []string {
	t.Helper()
	list, _ := lookAsked(t, check, "", before, after)
	return list
}

// lookAsked is the same for a check that reads the request, with the findings themselves.
func lookAsked(t *testing.T, check verify.Check, request string, before, after project) ([]string, []verify.Finding) {
	t.Helper()
	in := verify.Input{Tree: after, Request: request, Settings: verify.Settings{Level: verify.Syntax}}
	for path, text := range after {
		in.Shown = append(in.Shown, path)
		old, was := before[path]
		switch {
		case !was:
			in.Changes = append(in.Changes, edits.Change{Path: path, Op: edits.OpCreate, After: text})
		case old != text:
			in.Changes = append(in.Changes, edits.Change{Path: path, Op: edits.OpUpdate, Before: old, After: text})
		}
	}
	for path, text := range before { // in the order of the map: no finding may depend on it
		if _, is := after[path]; !is {
			in.Changes = append(in.Changes, edits.Change{Path: path, Op: edits.OpDelete, Before: text})
		}
	}
	slices.Sort(in.Shown)
	results, err := verify.Run(t.Context(), []verify.Check{check}, in)
	if err != nil || results[0].Err != nil {
		t.Fatal(err, results)
	}
	var list []string
	for _, f := range results[0].Findings {
		if f.First != f.Last || (f.Excerpt == "") != (f.Path == "") || f.Check != check.Name {
			t.Errorf("%+v", f)
		}
		list = append(list, f.String())
	}
	return list, results[0].Findings
}

const money = "def show(cents):\n    return str(cents)\n"

// A call of what the file does not know is found, with the file that has it; whatever may make the name known, and
// what was unknown before, is not.
func TestUnboundNames(t *testing.T) {
	const other = "export function show(cents) {\n  return String(cents);\n}\n"
	for _, c := range []struct {
		name, file, before, after string
		want                      string // in the finding; "" for none
	}{
		{"a function of another file", "a.py", "x = 1\n", "x = show(1)\n", "line 1 uses show, which is neither defined nor imported there; import it from money.py"},
		{"in a format string", "a.py", "x = 1\n", "x = 2\n\ny = f\"is {show(x)}\"\n", "line 3 uses show"},
		{"a module", "a.py", "x = 1\n", "x = re.sub('a', 'b', 'c')\n", "line 1 uses re"},
		{"a name that nothing shown has", "a.py", "x = 1\n", "x = defaultdict(list)\n", "line 1 uses defaultdict, which is neither defined nor imported there"},
		{"twice is told once", "a.py", "x = 1\n", "x = show(1)\ny = show(2)\n", "line 1 uses show"},
		{"in a new file", "n.py", "", "def run():\n    return show(1)\n", "line 2 uses show"},
		{"in a script", "a.mjs", "let x = 1;\n", "let x = show(1);\n", "line 1 uses show, which is neither defined nor imported there; import it from money.mjs"},
		{"a script's own surroundings", "a.mjs", "let x = 1;\n", "let x = describe(1);\n", ""},
		{"imported", "a.py", "x = 1\n", "from money import show\nx = show(1)\n", ""},
		{"all is imported", "a.py", "x = 1\n", "from money import *\nx = show(1)\n", ""},
		{"defined", "a.py", "x = 1\n", "def show(n):\n    return n\nx = show(1)\n", ""},
		{"a class", "a.py", "x = 1\n", "class Show:\n    pass\nx = Show()\n", ""},
		{"a parameter", "a.py", "x = 1\n", "def f(show):\n    return show(1)\n", ""},
		{"assigned", "a.py", "x = 1\n", "show = print\nx = show(1)\n", ""},
		{"a loop's", "a.py", "x = 1\n", "for show in []:\n    show(1)\n", ""},
		{"spoken of elsewhere", "a.py", "x = 1\n", "# show comes from the shell\nx = show(1)\n", ""},
		{"a member", "a.py", "x = 1\n", "import money\nx = money.show(1)\n", ""},
		{"a member on the next line", "a.py", "x = 1\n", "import money\nx = money. \\\n    show(1)\n", ""},
		{"its own member", "a.py", "x = 1\n", "class A:\n    def f(self):\n        return self.show(1)\n", ""},
		{"of every file", "a.py", "x = 1\n", "x = len(sorted([1]))\n", ""},
		{"behind a sentence", "a.py", "x = 1\n", "# This is it.\nmoney = 1\nmoney.show(1)\n", ""},
		{"unknown before", "a.py", "x = show(1)\n", "x = show(2)\n", ""},
		{"another language", "a.go", "package a\n", "package a\n\nvar x = show(1)\n", ""},
		{"of another language", "a.mjs", "let x = 1;\n", "let x = only(1);\n", ""},
		{"a sign before the name", "a.mjs", "let x = 1;\n", "let x = $show(1) + show$(2);\n", ""},
		{"another one with a sign", "a.mjs", "let x = 1;\n", "let x = show(1) + $show(2);\n", ""},
		{"named with a sign elsewhere", "a.mjs", "let x = 1;\n", "let x = show(1) + show$(2);\n", ""},
		{"a member of a number", "a.py", "x = 1\n", "x = 10.0.show()\n", ""},
		{"a member of what is called", "a.py", "x = 1\n", "import money\nx = money.all().show(1)\n", ""},
		{"called and handed on", "a.py", "x = 1\n", "x = show(1)\ny = [show]\n", ""},
		{"called on the line of another call", "a.py", "x = 1\n", "x = len(show(1))\n", "line 1 uses show"},
		{"made by a program", "a.py", "x = 1\n", "globals()['show'] = print\nx = show(1)\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := project{"money.py": money + "\n\ndef only():\n    pass\n", "money.mjs": other, c.file: c.before}
			if c.before == "" {
				delete(before, c.file)
			}
			after := project{"money.py": before["money.py"], "money.mjs": other, c.file: c.after}
			got := look(t, verify.Unbound(), before, after)
			if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], c.file+", "+c.want)) {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}

// A name that a change took from where another file imports it is found in either file; what was missing before, what
// is not shown and what may come another way is not.
func TestImportsThatPart(t *testing.T) {
	const rooms, booking = "function isFree(r) {\n  return !r;\n}\n\nmodule.exports = { isFree };\n", "const { isFree } = require('./rooms');\n\nisFree(1);\n"
	renamed := strings.ReplaceAll(rooms, "isFree", "isOpen")
	const client = "from errors import Refused\n\nraise Refused()\n"
	for _, c := range []struct {
		name          string
		before, after project
		want          string
	}{
		{"renamed in one file", project{"rooms.js": rooms, "booking.js": booking}, project{"rooms.js": renamed, "booking.js": booking},
			"booking.js, line 1 imports isFree from rooms.js, which has no isFree"},
		{"renamed in both", project{"rooms.js": rooms, "booking.js": booking},
			project{"rooms.js": renamed, "booking.js": strings.ReplaceAll(booking, "isFree", "isOpen")}, ""},
		{"a new file that exports nothing", project{"a.js": "const MOST = 1;\n"},
			project{"a.js": "const { MOST: most } = require('./limits.js');\n", "limits.js": "const MOST = 1;\n"},
			"a.js, line 1 imports MOST from limits.js, which exports nothing; export it there"},
		{"several names of one import", project{"a.js": "x();\n"},
			project{"a.js": "const { A, B, C } = require('./b');\n", "b.js": "exports.B = 1;\n"},
			"a.js, line 1 imports A and C from b.js, which has no A and C"},
		{"a new file that exports", project{"a.js": "const MOST = 1;\n"},
			project{"a.js": "const { MOST } = require('./limits.js');\n", "limits.js": "const MOST = 1;\nmodule.exports = { MOST };\n"}, ""},
		{"by import", project{"a.ts": "x();\n"}, project{"a.ts": "\nimport def, { type A, B as C } from './b.js';\n", "b.ts": "export type A = 1;\n"},
			"a.ts, line 2 imports B from b.ts, which has no B"},
		{"passed on", project{"a.ts": "x();\n"}, project{"a.ts": "import { B } from './b';\n", "b.ts": "export * from './c';\n"}, ""},
		{"Python", project{"client.py": "x = 1\n"}, project{"client.py": client, "errors.py": "class Failed(Exception):\n    pass\n"},
			"client.py, line 1 imports Refused from errors.py, which has no Refused"},
		{"Python in brackets", project{"client.py": "x = 1\n"}, project{"client.py": "from errors import (  # all\n    Failed,\n    Refused as R,\n)\n", "errors.py": "class Failed(Exception):\n    pass\n"},
			"client.py, line 1 imports Refused from errors.py, which has no Refused"},
		{"by a dot", project{"p/client.py": "x = 1\n"}, project{"p/client.py": "from .errors import Refused\n", "p/errors.py": "x = 1\n"},
			"p/client.py, line 1 imports Refused from p/errors.py, which has no Refused"},
		{"by two", project{"p/q/client.py": "x = 1\n"}, project{"p/q/client.py": "from ..errors import Refused\n", "p/errors.py": "x = 1\n"},
			"p/q/client.py, line 1 imports Refused from p/errors.py, which has no Refused"},
		{"from the root", project{"p/client.py": "x = 1\n"}, project{"p/client.py": "from p.errors import Refused\n", "p/errors.py": "x = 1\n"},
			"p/client.py, line 1 imports Refused from p/errors.py, which has no Refused"},
		{"a library's module in a package", project{"p/__init__.py": "", "p/a.py": "x = 1\n", "p/abc.py": "x = 1\n"},
			project{"p/__init__.py": "", "p/a.py": "from abc import abstractmethod\n", "p/abc.py": "x = 1\n"}, ""},
		{"names by chance", project{"client.py": "x = 1\n"}, project{"client.py": client, "errors.py": "def __getattr__(name):\n    return 1\n"}, ""},
		{"missing before", project{"client.py": client, "errors.py": "x = 1\n"}, project{"client.py": client + "\n", "errors.py": "x = 1\n"}, ""},
		{"deleted", project{"a.py": "x = 1\n", "errors.py": "x = 1\n"}, project{"errors.py": "from a import y\n"}, ""},
		{"of another language", project{"a.go": "x\n"}, project{"a.go": "import { B } from './b.js'\n", "b.js": "x();\n"}, ""},
		{"with a default", project{"a.js": "x();\n"}, project{"a.js": "const { A = 1 } = require('./b');\n", "b.js": "exports.B = 1;\n"},
			"a.js, line 1 imports A from b.js, which has no A"},
		{"the default one", project{"a.js": "x();\n"}, project{"a.js": "import { default as A } from './b.js';\n", "b.js": "export default 1;\n"}, ""},
		{"a folder", project{"a.js": "x();\n"}, project{"a.js": "import { A } from './b';\n", "b/index.js": "export const B = 1;\n"},
			"a.js, line 1 imports A from b/index.js, which has no A"},
		{"a second import", project{"a.py": "x = 1\n"}, project{"a.py": "from b import B\nfrom b import A\n", "b.py": "B = 1\n"},
			"a.py, line 2 imports A from b.py, which has no A"},
		{"what is not here", project{"a.py": "x = 1\n"}, project{"a.py": "from json import dumps\nfrom . import b\n"}, ""},
		{"a package", project{"a.js": "x();\n"}, project{"a.js": "const { readFile } = require('fs');\n"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := look(t, verify.Imports(), c.before, c.after)
			if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || got[0] != c.want) {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}

// Only what the turn shows is read.
func TestImportsReadWhatIsShown(t *testing.T) {
	in := verify.Input{Tree: project{"a.py": "from errors import Refused\n", "errors.py": "x = 1\n"}, Shown: []string{"a.py"},
		Settings: verify.Settings{Level: verify.Syntax}, Changes: []edits.Change{{Path: "a.py", Op: edits.OpUpdate, Before: "x = 1\n", After: "from errors import Refused\n"}}}
	results, err := verify.Run(t.Context(), []verify.Check{verify.Imports()}, in)
	if err != nil || len(results[0].Findings) > 0 {
		t.Error(results, err)
	}
}

// A file that was moved is looked at under its new name, with its old text; one that cannot be looked at in time is an
// error.
func TestNamesInMovedFiles(t *testing.T) {
	moved := edits.Change{Path: "a.txt", To: "a.py", Op: edits.OpRename, Before: "x = 1\n", After: "from money import gone\nx = re.sub(1)\n"}
	in := verify.Input{Tree: project{"a.py": moved.After, "money.py": money}, Shown: []string{"a.py", "money.py"},
		Changes: []edits.Change{moved}, Settings: verify.Settings{Level: verify.Syntax}}
	for want, check := range map[string]verify.Check{
		"a.py, line 2 uses re": verify.Unbound(),
		"a.py, line 1 imports gone from money.py, which has no gone": verify.Imports(),
	} {
		results, err := verify.Run(t.Context(), []verify.Check{check}, in)
		if err != nil || len(results[0].Findings) != 1 || !strings.HasPrefix(results[0].Findings[0].String(), want) {
			t.Errorf("%s: %+v, %v", check.Name, results, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := check.Run(ctx, in); !errors.Is(err, context.Canceled) {
			t.Errorf("%s after it was cancelled: %v", check.Name, err)
		}
	}
}
