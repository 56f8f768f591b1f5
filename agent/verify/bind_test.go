package verify_test

import (
	"slices"
	"strings"
	"testing"

	"coauthor/agent/verify"
	"coauthor/edits"

	"github.com/google/go-cmp/cmp"
)

// bind gives the files after Bind, with what it says it did.
func bind(t *testing.T, before, after project) (project, []string) {
	t.Helper()
	in := verify.Input{Tree: after}
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
	slices.Sort(in.Shown)
	slices.SortFunc(in.Changes, func(a, b edits.Change) int { return strings.Compare(a.Path, b.Path) })
	list, err := verify.Bind(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	out := project{}
	for path, text := range after {
		out[path] = text
	}
	var said []string
	for _, b := range list {
		out[b.Path] = b.Text
		said = append(said, b.String())
	}
	return out, said
}

// A forgotten import is written where the file's own stand, in its way.
func TestForgottenImportsAreWritten(t *testing.T) {
	const moneyJS = "function show(c) {\n  return `${c}`;\n}\n\nmodule.exports = { show };\n"
	const moneyES = "export function show(c) {\n  return `${c}`;\n}\n"
	for _, c := range []struct {
		name          string
		file          string
		before, after string
		others        project
		want          string // the file; "" for as it is
	}{
		{"behind the documentation", "a.py", "\"\"\"Doc.\"\"\"\n\n\ndef f(x):\n    return x\n", "\"\"\"Doc.\"\"\"\n\n\ndef f(x):\n    return show(x)\n", project{"money.py": money}, "\"\"\"Doc.\"\"\"\n\nfrom money import show\n\n\ndef f(x):\n    return show(x)\n"},
		{"at the very top", "a.py", "def f(x):\n    return x\n", "def f(x):\n    return show(x)\n", project{"money.py": money}, "from money import show\n\n\ndef f(x):\n    return show(x)\n"},
		{"behind the last one", "a.py", "import os\nfrom re import (\n    sub,\n)\n\nx = os.name\n", "import os\nfrom re import (\n    sub,\n)\n\nx = show(os.name)\n", project{"money.py": money}, "import os\nfrom re import (\n    sub,\n)\nfrom money import show\n\nx = show(os.name)\n"},
		{"beside a name of the same file", "a.py", "from money import hide\nx = hide(1)\n", "from money import hide\nx = hide(show(1))\n", project{"money.py": money + "\n\ndef hide(c):\n    return ''\n"}, "from money import hide, show\nx = hide(show(1))\n"},
		{"in a package", "p/a.py", "x = 1\n", "x = show(1)\n", project{"p/money.py": money, "p/__init__.py": ""}, "from .money import show\n\nx = show(1)\n"},
		{"in a package that is named whole", "p/a.py", "from p.b import c\n\nx = c\n", "from p.b import c\n\nx = show(c)\n", project{"p/money.py": money, "p/__init__.py": "", "p/b.py": "c = 1\n"}, "from p.b import c\nfrom p.money import show\n\nx = show(c)\n"},
		{"from the package above", "p/q/a.py", "x = 1\n", "x = show(1)\n", project{"p/money.py": money, "p/__init__.py": "", "p/q/__init__.py": ""}, "from ..money import show\n\nx = show(1)\n"},
		{"of a package", "a.py", "x = 1\n", "x = show(1)\n", project{"p/money.py": money, "p/__init__.py": ""}, "from p.money import show\n\nx = show(1)\n"},
		{"two files have it", "a.py", "x = 1\n", "x = show(1)\n", project{"money.py": money, "more.py": money}, ""},
		{"behind a documentation of lines", "a.py", "\"\"\"Doc\n\nof it.\n\"\"\"\nx = 1\n", "\"\"\"Doc\n\nof it.\n\"\"\"\nx = show(1)\n", project{"money.py": money}, "\"\"\"Doc\n\nof it.\n\"\"\"\n\nfrom money import show\n\nx = show(1)\n"},
		{"a circle of a package", "p/a.py", "x = 1\n", "x = show(1)\n", project{"p/money.py": "from . import a\n" + money, "p/__init__.py": ""}, ""},
		{"a circle over lines", "a.py", "x = 1\n", "x = show(1)\n", project{"money.py": "from b import (\n    one,\n    two,\n)\n" + money, "b.py": "from p import (  # all\n    q,\n)\n", "p/__init__.py": "", "p/q.py": "import a\n"}, ""},
		{"a circle", "a.py", "x = 1\n", "x = show(1)\n", project{"money.py": "import b\n" + money, "b.py": "from a import x\n"}, ""},
		{"no names of modules", "x-y/a.py", "x = 1\n", "x = show(1)\n", project{"z/money.py": money}, ""},
		{"a module of the library", "a.py", "import os\nx = os.name\n", "import os\nx = json.dumps(os.name)\n", nil, "import json\nimport os\nx = json.dumps(os.name)\n"},
		{"a module behind the future", "a.py", "from __future__ import annotations\nimport os\n", "from __future__ import annotations\nimport os\nx = re.sub('a', 'b', os.name)\n", nil, "from __future__ import annotations\nimport re\nimport os\nx = re.sub('a', 'b', os.name)\n"},
		{"no module", "a.py", "x = 1\n", "x = dumps(1)\n", nil, ""},
		{"a definition that moved", "a.py", "class Bad(Exception):\n    pass\n\n\ndef f():\n    try:\n        g()\n    except Bad as e:\n        raise e\n", "def f():\n    try:\n        g()\n    except Bad as e:\n        raise e\n", project{"bad.py": "class Bad(Exception):\n    pass\n"}, "from bad import Bad\n\n\ndef f():\n    try:\n        g()\n    except Bad as e:\n        raise e\n"},
		{"a definition that moved and is only spoken of", "a.py", "class Bad(Exception):\n    pass\n\n\ndef f():\n    pass\n", "def f():\n    \"\"\"Raises no Bad.\"\"\"\n", project{"bad.py": "class Bad(Exception):\n    pass\n"}, ""},
		{"does not parse", "a.py", "x = 1\n", "x = show(1\n", project{"money.py": money}, ""},
		{"line ends", "a.py", "import os\r\nx = 1\r\n", "import os\r\nx = show(1)\r\n", project{"money.py": money}, "import os\r\nfrom money import show\r\nx = show(1)\r\n"},

		{"a script", "a.js", "const fs = require('fs');\n\nlet x = fs;\n", "const fs = require('fs');\n\nlet x = show(fs);\n", project{"money.js": moneyJS}, "const fs = require('fs');\nconst { show } = require('./money');\n\nlet x = show(fs);\n"},
		{"a script with nothing yet", "a.js", "// What it is.\n\nlet x = 1;\n", "// What it is.\n\nlet x = show(1);\n", project{"money.js": moneyJS}, "// What it is.\nconst { show } = require('./money');\n\nlet x = show(1);\n"},
		{"a script, one name more", "a.js", "const { hide } = require('./money.js');\nlet x = hide(1);\n", "const { hide } = require('./money.js');\nlet x = show(hide(1));\n", project{"money.js": "function hide() {}\n" + strings.Replace(moneyJS, "{ show }", "{ hide, show }", 1)}, "const { hide, show } = require('./money.js');\nlet x = show(hide(1));\n"},
		{"a script, names on lines", "a.js", "const {\n  hide,\n} = require('./money');\nlet x = hide(1);\n", "const {\n  hide,\n} = require('./money');\nlet x = show(hide(1));\n", project{"money.js": "function hide() {}\n" + strings.Replace(moneyJS, "{ show }", "{ hide, show }", 1)}, "const {\n  hide, show,\n} = require('./money');\nlet x = show(hide(1));\n"},
		{"a module", "a.mjs", "import { a } from \"./b.mjs\"\n\nlet x = a\n", "import { a } from \"./b.mjs\"\n\nlet x = show(a)\n", project{"money.mjs": moneyES, "b.mjs": "export const a = 1\n"}, "import { a } from \"./b.mjs\"\nimport { show } from \"./money.mjs\"\n\nlet x = show(a)\n"},
		{"TypeScript from above", "src/q/a.ts", "export let x = 1;\n", "export let x = show(1);\n", project{"src/money.ts": moneyES}, "import { show } from '../money';\n\nexport let x = show(1);\n"},
		{"not exported", "a.js", "const fs = require('fs');\nlet x = 1;\n", "const fs = require('fs');\nlet x = show(1);\n", project{"money.js": "function show() {}\nmodule.exports = {};\n"}, ""},
		{"another kind of module", "a.mjs", "export let x = 1;\n", "export let x = show(1);\n", project{"money.js": moneyJS}, ""},

		{"Go", "a.go", "package a\n\nimport (\n\t\"fmt\"\n\t\"time\"\n\n\t\"x.org/y\"\n)\n\nvar x = fmt.Sprint(time.Now(), y.Z)\n", "package a\n\nimport (\n\t\"fmt\"\n\t\"time\"\n\n\t\"x.org/y\"\n)\n\nvar x = strings.ToUpper(fmt.Sprint(time.Now(), y.Z))\n", nil, "package a\n\nimport (\n\t\"fmt\"\n\t\"strings\"\n\t\"time\"\n\n\t\"x.org/y\"\n)\n\nvar x = strings.ToUpper(fmt.Sprint(time.Now(), y.Z))\n"},
		{"Go, one import", "a.go", "package a\n\nimport \"fmt\"\n\nvar x = fmt.Sprint(1)\n", "package a\n\nimport \"fmt\"\n\nvar x = fmt.Sprint(errors.New(\"1\"))\n", nil, "package a\n\nimport (\n\t\"errors\"\n\t\"fmt\"\n)\n\nvar x = fmt.Sprint(errors.New(\"1\"))\n"},
		{"Go, no import", "a.go", "package a\n\nvar x = 1\n", "package a\n\nvar x = strings.ToUpper(\"a\")\n", nil, "package a\n\nimport \"strings\"\n\nvar x = strings.ToUpper(\"a\")\n"},
		{"Go, unused now", "a.go", "package a\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nvar x = fmt.Sprint(os.Args)\n", "package a\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nvar x = fmt.Sprint(1)\n", nil, "package a\n\nimport (\n\t\"fmt\"\n)\n\nvar x = fmt.Sprint(1)\n"},
		{"Go, the only one unused", "a.go", "package a\n\nimport \"fmt\"\n\nvar x = fmt.Sprint(1)\n", "package a\n\nimport \"fmt\"\n\nvar x = 1\n", nil, "package a\n\nvar x = 1\n"},
		{"Go, one for another", "a.go", "package a\n\nimport \"fmt\"\n\nvar x = fmt.Sprint(1)\n", "package a\n\nimport \"fmt\"\n\nvar x = strconv.Itoa(1)\n", nil, "package a\n\nimport \"strconv\"\n\nvar x = strconv.Itoa(1)\n"},
		{"Go, a second version unused now", "a.go", "package a\n\nimport \"x.org/y/v2\"\n\nvar x = y.Z\n", "package a\n\nimport \"x.org/y/v2\"\n\nvar x = 1\n", nil, "package a\n\nvar x = 1\n"},
		{"Go, unused before", "a.go", "package a\n\nimport \"fmt\"\n\nvar x = 2\n", "package a\n\nimport \"fmt\"\n\nvar x = 1\n", nil, ""},
		{"Go, a variable of the package", "a.go", "package a\n\nvar x = 1\n", "package a\n\nvar x = log.Lines\n", project{"b.go": "package a\n\nvar log = struct{ Lines int }{1}\n"}, ""},
		{"Go, a parameter", "a.go", "package a\n\nvar x = 1\n", "package a\n\nfunc f(time T) int { return time.Now() }\n", nil, ""},
		{"Go, two packages of the name", "a.go", "package a\n\nvar x = 1\n", "package a\n\nvar x = rand.Int()\n", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, after := project{c.file: c.before}, project{c.file: c.after}
			for path, text := range c.others {
				after[path] = text
				if path != "bad.py" { // which the change makes
					before[path] = text
				}
			}
			got, said := bind(t, before, after)
			want := c.want
			if want == "" {
				want = c.after
			}
			if d := cmp.Diff(want, got[c.file]); d != "" {
				t.Errorf("%s\nsaid %q", d, said)
			}
			if (c.want == "") != (len(said) == 0) {
				t.Errorf("said %q", said)
			}
			for path, text := range c.others {
				if got[path] != text {
					t.Errorf("%s became\n%s", path, got[path])
				}
			}
		})
	}
}

// A script that the change made exports what others import from it.
func TestForgottenExportsAreWritten(t *testing.T) {
	const limits = "const SIZE = 5;\nconst FILES = 3;\n"
	got, said := bind(t, project{"a.js": limits + "\nfunction f() {\n  return SIZE;\n}\n\nmodule.exports = { f };\n"},
		project{"limits.js": limits, "a.js": "const { SIZE } = require('./limits.js');\n\nfunction f() {\n  return SIZE;\n}\n\nmodule.exports = { f };\n"})
	if want := limits + "\nmodule.exports = { SIZE };\n"; got["limits.js"] != want {
		t.Errorf("%q, said %q", got["limits.js"], said)
	}
	got, said = bind(t, project{"a.mjs": limits + "\nexport function f() {\n  return SIZE;\n}\n"},
		project{"limits.mjs": limits, "a.mjs": "export function f() {\n  return SIZE;\n}\n"})
	if want := limits + "\nexport { SIZE };\n"; got["limits.mjs"] != want || got["a.mjs"] != "import { SIZE } from './limits.mjs';\n\nexport function f() {\n  return SIZE;\n}\n" {
		t.Errorf("%q, %q, said %q", got["limits.mjs"], got["a.mjs"], said)
	}
}

// FuzzBind: whatever the files are, the result parses as well as they do, keeps all their lines but imports, and is
// the same for the same files.
func FuzzBind(f *testing.F) {
	f.Add("a.py", "x = 1\n", "\"\"\"Doc\n\"\"\"\nfrom os import (\n  a,\n)\nx = show(1)\n")
	f.Add("a.js", "let x = 1\n", "/* c */\n'use strict'\nconst {\n a } = require('./b')\nlet x = show(1)\n")
	f.Add("a.go", "package a\n", "package a\n\nimport (\n\t\"fmt\"\n)\n\nvar x = strings.Fields(\"\")\n")
	f.Fuzz(func(t *testing.T, file, before, after string) {
		if !slices.Contains([]string{"a.py", "a.js", "a.mjs", "a.ts", "a.go"}, file) || before == after || len(after) > 4000 || len(before) > 4000 {
			return
		}
		others := project{"money.py": money, "money.js": "function show(c) {}\nmodule.exports = { show };\n", "money.mjs": "export function show(c) {}\n"}
		was, is := project{file: before}, project{file: after}
		for path, text := range others {
			was[path], is[path] = text, text
		}
		got, said := bind(t, was, is)
		again, _ := bind(t, was, is)
		if got[file] != again[file] {
			t.Fatalf("%q and %q", got[file], again[file])
		}
		if len(said) == 0 && got[file] != after {
			t.Fatal("changed, and not said")
		}
		for line := range strings.Lines(after) {
			line = strings.TrimSpace(line)
			if !strings.Contains(line, "import") && !strings.Contains(line, "\"") && !strings.Contains(line, "{") && !strings.Contains(got[file], line) {
				t.Fatalf("%q is gone from %q", line, got[file])
			}
		}
	})
}
