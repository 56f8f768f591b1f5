package edits_test

import (
	"strings"
	"testing"

	"coauthor/edits"
)

// A call is a call wherever it stands, whatever strings and comments are around it.
func TestCallsThatOrphansHave(t *testing.T) {
	check := func(name, definition, before, after string) {
		dropLoad(t, name, definition, before, after, func(form string, res edits.Result) {
			if len(res.Failures) != 1 || res.Failures[0].Reason != edits.ReasonDropped || len(res.Changes) > 0 {
				t.Errorf("%q as a %s: %+v", after, form, res)
			}
		})
	}
	for _, after := range []string{
		"def run(path):\n    if load(path):\n        return 1\n",
		"def run(path):\n    while not load(path):\n        wait()\n",
		"def run(path):\n    load(path)\n",
		"def run(path):\n    return [load(p) for p in path]\n",
		"def run(path):\n    \"\"\"load it\"\"\"\n    return load(path)\n",
		"def run(path):\n    return \"it's\" + load(path) + 'so \\' # '\n",
		"def run(path, loads, reload, load_all):\n    return load(path)\n",
	} {
		check("a.py", pythonLoad, "def run(path):\n    return load(path)\n", after)
	}
	for _, after := range []string{
		"export function run(path) {\n  // as load(path) does\n  return load(path, 2) /* load */;\n}\n",
		"export function run(path) {\n  return load(path, \"a\\\"b\", `c\n d`);\n}\n",
		"export function run(path) {\n  return [...load(path), $load, load$];\n}\n",
		"export function run(path) {\n  if (load(path)) {\n    return 1;\n  }\n}\n",
		"export function run(path) {\n  load(path,\n    2);\n}\n",
		"export function run(path) {\n  load(path); { }\n  wait((1));\n}\n",
	} {
		check("a.js", scriptLoad, "export function run(path) {\n  return load(path);\n}\n", after)
		// The sign is a part of the name.
		signed := func(text string) string {
			return strings.ReplaceAll(strings.ReplaceAll(text, "$load, load$", "x"), "load(", "$load(")
		}
		check("a.js", signed(scriptLoad), signed("export function run(path) {\n  return load(path);\n}\n"), signed(after))
	}
}

// Only languages in which a file sees what it defines or imports can tell; short names, names that every
// file has and classes that inherit tell nothing.
func TestWhatTellsNothingOfOrphans(t *testing.T) {
	for what, c := range map[string]struct{ name, definition, use string }{
		"another language":         {"a.go", "func load(path string) int {\n\treturn 1\n}\n", "func run() int {\n\treturn load(\"x\")\n}\n"},
		"a short name":             {"a.py", "def ld(path):\n    return 1\n", "def run(path):\n    return ld(path)\n"},
		"a name that all have":     {"a.py", "def print(path):\n    return 1\n", "def run(path):\n    return print(path)\n"},
		"a class that inherits":    {"a.py", "def load(path):\n    return 1\n", "class A(Base):\n    def run(self, path):\n        return self.load(path)\n"},
		"nobody calls it":          {"a.py", "def load(path):\n    return 1\n", "def run(path):\n    return loader(path)\n"},
		"a call in a string":       {"a.py", "def load(path):\n    return 1\n", "def run(path):\n    return \"say load(path) now\"\n"},
		"in a string with quotes":  {"a.py", "def load(path):\n    return 1\n", "def run(path):\n    return \"say \\\"load(path)\\\" now\"\n"},
		"behind two strokes":       {"a.py", "def load(path):\n    return 1\n", "def run(path):\n    return 'a\\\\' + 'load(path) \\' load(path)'\n"},
		"in a long string":         {"a.py", "def load(path):\n    return 1\n", "def run(path):\n    return \"\"\"say \\\"\"\"load(path)\n    load(path)\"\"\"\n"},
		"in a comment":             {"a.py", "def load(path):\n    return 1\n", "def run(path):\n    return path  # not load(path) \"\n"},
		"a script of its own":      {"a.js", "function load(path) {\n  return 1;\n}\n", "function run(path) {\n  return load(path);\n}\n"},
		"another way to define it": {"a.py", "class load:\n    pass\n", "load = make()\n\n\ndef run(path):\n    return load(path)\n"},
	} {
		e := edits.Edit{Path: c.name, Op: edits.OpUpdate, Kind: edits.KindWhole, Replace: c.use}
		r := edits.Apply(files{c.name: c.definition + "\n\n" + c.use}, []edits.Edit{e}, nil, edits.Options{})
		if len(r.Failures) > 0 || len(r.Changes) != 1 || r.Changes[0].After != c.use {
			t.Errorf("%s: %+v", what, r)
		}
	}
}

// What another edit of the reply brings back, or takes the calls away of, is not missed; and an edit that
// is taken back leaves the others.
func TestOrphansOfSeveralEdits(t *testing.T) {
	tree := files{"a.py": "def load(path):\n    return 1\n\n\ndef run(path):\n    return load(path)\n\n\nx = 1\n", "b.py": "y = 1\n"}
	of := func(index int, path, search, replace string) edits.Edit {
		return edits.Edit{Index: index, Path: path, Op: edits.OpUpdate, Kind: edits.KindReplace, Search: search, Replace: replace}
	}
	drop := of(0, "a.py", "def load(path):\n    return 1\n\n\n", "")
	for what, c := range map[string]struct {
		list    []edits.Edit
		refused int
		changes int
	}{
		"alone":                 {[]edits.Edit{drop}, 1, 0},
		"with the call":         {[]edits.Edit{drop, of(1, "a.py", "    return load(path)\n", "    return 2\n")}, 0, 1},
		"beside another change": {[]edits.Edit{drop, of(1, "a.py", "x = 1\n", "x = 2\n")}, 1, 1},
		"moved to another file": {[]edits.Edit{drop, of(1, "b.py", "y = 1\n", "y = 1\n\n\ndef load(path):\n    return 1\n")}, 0, 2},
	} {
		r := edits.Apply(tree, c.list, nil, edits.Options{Chat: tree.Paths()})
		if len(r.Failures) != c.refused || len(r.Changes) != c.changes {
			t.Errorf("%s: %+v", what, r)
		}
		if c.refused > 0 && (r.Failures[0].Edit != 0 || r.Failures[0].Reason != edits.ReasonDropped) {
			t.Errorf("%s: %+v", what, r.Failures)
		}
	}
}

// Lines of more than 400 bytes are not looked at, and a quote that no line closes ends with its line.
func TestLinesThatTellNothingOfOrphans(t *testing.T) {
	pad := func(text string, n int) string { return text + strings.Repeat("x", n-len(text)) }
	def := func(n int) string { return pad("def load(path): return ", n) + "\n" }
	call := func(n int) string { return pad("run = load(1) + ", n) + "\n" }
	class := func(n int) string { return "class A(" + strings.Repeat("B", n-len("class A():")) + "):\n    pass\n" }
	for what, c := range map[string]struct {
		name, definition, use string
		lost                  bool
	}{
		"a short call":                 {"a.py", def(30), call(30), true},
		"a long call":                  {"a.py", def(30), call(400), true},
		"a longer call":                {"a.py", def(30), call(401), false},
		"a long definition":            {"a.py", def(400), call(30), true},
		"a longer definition":          {"a.py", def(401), call(30), false},
		"a long class that inherits":   {"a.py", def(30), class(400) + call(30), false},
		"a longer one":                 {"a.py", def(30), class(401) + call(30), true},
		"a name of three letters":      {"a.py", "def lod(path):\n    pass\n", "lod(1)\n", true},
		"a name of two":                {"a.py", "def lo(path):\n    pass\n", "lo(1)\n", false},
		"a quote that is open":         {"a.py", def(30), "x = 'it is\nload(1)\n", true},
		"one of JavaScript":            {"a.mjs", scriptLoad, "x = <p>it's</p>;\nload(1);\n", true},
		"an empty string":              {"a.py", def(30), "x = '' + load(1)\n", true},
		"an empty string, then quotes": {"a.py", def(30), "x = \"\" + load(1) + \"\"\n", true},
		"one of JavaScript, empty":     {"a.mjs", scriptLoad, "x = '' + load(1) + ``;\n", true},
		"a string of one letter":       {"a.mjs", scriptLoad, "x = '\\'' + load(1);\n", true},
		"a comment within the line":    {"a.mjs", scriptLoad, "x = /**/ load(1);\n", true},
		"a backquote that is open":     {"a.mjs", scriptLoad, "x = `it is\nload(1);`\n", false},
		"three quotes that are open":   {"a.py", def(30), "x = \"\"\"it is\nload(1)\n", false},
		"a class that is called":       {"a.py", "class Load:\n    pass\n", "x = Load(1)\n", true},
		"made again":                   {"a.mjs", "class Load {\n}\n", "x = new Load(1);\n", false},
		"an extension in capitals":     {"A.PY", def(30), call(30), true},
		"a script that imports":        {"a.js", scriptLoad, "import x from 'y';\nload(1);\n", true},
		"a script that requires":       {"a.js", scriptLoad, "const x = require('y');\nload(1);\n", true},
		"a script that exports":        {"a.ts", scriptLoad, "exports.x = load(1);\n", true},
		"a script that may see others": {"a.ts", scriptLoad, "x = load(1);\n", false},
		"a name within a longer one":   {"a.py", def(30), "reload(1)\nload_all(1)\n", false},
		"a member of something":        {"a.py", def(30), "json.load(1)\n", false},
		"spread":                       {"a.mjs", scriptLoad, "x = [...load(1)];\n", true},
		"on the object":                {"a.py", def(30), "self.load(1)\n", true},
		"on this":                      {"a.mjs", scriptLoad, "this.load(1);\n", true},
		"on the object, no call":       {"a.py", def(30), "self.load = 1\nself.load(1)\n", false},
	} {
		e := edits.Edit{Path: c.name, Op: edits.OpUpdate, Kind: edits.KindWhole, Replace: c.use}
		r := edits.Apply(files{c.name: c.definition + "\n" + c.use}, []edits.Edit{e}, nil, edits.Options{})
		if refused := len(r.Failures) == 1 && r.Failures[0].Reason == edits.ReasonDropped; refused != c.lost || !c.lost && len(r.Changes) != 1 {
			t.Errorf("%s: %+v", what, r)
		}
	}
}

// A name before a parenthesis that is declared there is no call of it.
func TestDeclarationsAreNoCalls(t *testing.T) {
	for use, lost := range map[string]bool{
		"  get load() { return 1; },": false, "  set load(x) { y(x); },": false, "function load(x) { y(x); }": false, "function* load(x) { y(x); }": false, "declare function load(x);": false,
		"  override load(x);": false, "  readonly load(x);": false, "  abstract load(x): y;": false, "  static load(x) { y(x); }": false, "  public load(x);": false, "  private load(x);": false, "  protected load(x);": false,
		"  load(x): y;": false, "  load(x) : y;": false, "  load((x), (y)): z;": false, "  load(x) { y(x); }": false, "  x = new load(1);": false, "  x = load;": false, "  load = 1;": false, "  load.x(1);": false, "  load`x`;": false,
		"  load(x);": true, "  load(x, (y: z));": true, "  load(x).then(y);": true, "  await load(x);": true, "  return load(x);": true, "  x(load(1): 2);": true, "  load(": true, "  newer load(x);": true, "  !load(x);": true, "  ...load(x);": true,
	} {
		after := "export const a = 1;\n" + use + "\nload(1);\n"
		if lost {
			after = "export const a = 1;\n" + use + "\n"
		}
		e := edits.Edit{Path: "a.mjs", Op: edits.OpUpdate, Kind: edits.KindWhole, Replace: after}
		r := edits.Apply(files{"a.mjs": scriptLoad + after}, []edits.Edit{e}, nil, edits.Options{})
		if refused := len(r.Failures) == 1 && r.Failures[0].Reason == edits.ReasonDropped; refused != lost || !lost && len(r.Changes) != 1 {
			t.Errorf("%q: %+v", use, r)
		}
	}
}
