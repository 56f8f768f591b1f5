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
	in := verify.Input{Tree: after, Settings: verify.Settings{Level: verify.Syntax}}
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
	return list
}

const money = "def show(cents):\n    return str(cents)\n"

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
func TestImportsOfMovedFiles(t *testing.T) {
	moved := edits.Change{Path: "a.txt", To: "a.py", Op: edits.OpRename, Before: "x = 1\n", After: "from money import gone\n"}
	in := verify.Input{Tree: project{"a.py": moved.After, "money.py": money}, Shown: []string{"a.py", "money.py"},
		Changes: []edits.Change{moved}, Settings: verify.Settings{Level: verify.Syntax}}
	results, err := verify.Run(t.Context(), []verify.Check{verify.Imports()}, in)
	if err != nil || len(results[0].Findings) != 1 || results[0].Findings[0].String() != "a.py, line 1 imports gone from money.py, which has no gone" {
		t.Errorf("%+v, %v", results, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := verify.Imports().Run(ctx, in); !errors.Is(err, context.Canceled) {
		t.Errorf("after it was cancelled: %v", err)
	}
}
