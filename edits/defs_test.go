package edits_test

import (
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/match"
)

// dropLoad applies, in each form, an edit that takes the definition away with which a file begins.
func dropLoad(t *testing.T, name, definition, before, after string, check func(form string, res edits.Result)) {
	t.Helper()
	lines := func(sign byte, text string) (out []match.Line) {
		for l := range strings.Lines(text) {
			out = append(out, match.Line{Sign: sign, Text: strings.TrimSuffix(l, "\n")})
		}
		return out
	}
	for form, e := range map[string]edits.Edit{
		"block":   {Kind: edits.KindReplace, Search: definition + before, Replace: after},
		"listing": {Kind: edits.KindWhole, Replace: after},
		"hunk":    {Kind: edits.KindHunk, Chunks: []edits.Chunk{{Lines: append(lines('-', definition+before), lines('+', after)...)}}},
	} {
		e.Path, e.Op = name, edits.OpUpdate
		check(form, edits.Apply(files{name: definition + before}, []edits.Edit{e}, nil, edits.Options{Chat: []string{name}}))
	}
}

const (
	pythonLoad = "def load(path):\n    return open(path).read()\n\n\n"
	scriptLoad = "function load(path) {\n  return read(path);\n}\n\n"
)

func TestNamesThatComeFromElsewhereAreNoOrphans(t *testing.T) {
	for what, after := range map[string]string{
		"parameter":             "def run(path, load):\n    return load(path)\n",
		"keyword parameter":     "def run(path, *, load=None):\n    return load(path)\n",
		"annotated parameter":   "def run(path, load: Callable[[str], str]) -> str:\n    return load(path)\n",
		"parameter on its line": "def run(\n    path,\n    load\n):\n    return load(path)\n",
		"lambda":                "run = lambda load: load(1)\n",
		"star import":           "from utils import *\n\n\ndef run(path):\n    return load(path)\n",
		"deep star import":      "from ..utils.io import *  # all of it\n\n\ndef run(path):\n    return load(path)\n",
		"import":                "from utils import load\n\n\ndef run(path):\n    return load(path)\n",
		"import of several":     "from utils import (\n    dump,\n    load\n)\n\n\ndef run(path):\n    return load(path)\n",
		"import under a name":   "from utils import read as load\n\n\ndef run(path):\n    return load(path)\n",
		"loop variable":         "def run(path):\n    for load in loaders:\n        load(path)\n",
		"one of several":        "def run(path):\n    for name, load in loaders.items():\n        load(path)\n",
		"comprehension":         "def run(path):\n    return [load(path) for load in loaders]\n",
		"assignment":            "load = make()\n\n\ndef run(path):\n    return load(path)\n",
		"annotated assignment":  "load: Loader = make()\n\n\ndef run(path):\n    return load(path)\n",
		"declared":              "load: Loader\n\n\ndef run(path):\n    return load(path)\n",
		"unpacked":              "load, dump = make()\n\n\ndef run(path):\n    return load(path)\n",
		"unpacked last":         "dump, load = make()\n\n\ndef run(path):\n    return load(path)\n",
		"walrus":                "def run(path):\n    if load := find():\n        return load(path)\n",
		"with":                  "def run(path):\n    with loader() as load:\n        return load(path)\n",
		"on the object":         "class A:\n    def __init__(self, how):\n        self.load = how\n\n    def run(self, path):\n        return self.load(path)\n",
		"dynamic":               "globals().update(found)\n\n\ndef run(path):\n    return load(path)\n",
		"by its text":           "register(\"load\", __name__)\n\n\ndef run(path):\n    return load(path)\n",
		"docstring":             "def run(path):\n    \"\"\"Reads a file.\n\n    load(path) did this before.\n    \"\"\"\n    return 1\n",
		"comment":               "def run(path):\n    return 1  # was load(path)\n",
		"string":                "def run(path):\n    log('load(path)')\n",
		"member of another":     "def run(path):\n    return json.load(path)\n",
		"match":                 "def run(x):\n    match x:\n        case [load]:\n            load(1)\n",
	} {
		before := "def run(path):\n    return load(path)\n"
		dropLoad(t, "a.py", pythonLoad, before, after, func(form string, res edits.Result) {
			if len(res.Failures) > 0 || len(res.Changes) != 1 || res.Changes[0].After != after {
				t.Errorf("%s as a %s: %+v", what, form, res)
			}
		})
	}
	for what, after := range map[string]string{
		"parameter":       "export function run(path, load) {\n  return load(path);\n}\n",
		"arrow":           "export const run = (load) => load(1);\n",
		"bare arrow":      "export const run = load => load(1);\n",
		"destructured":    "const { load } = make();\nexport function run(path) {\n  return load(path);\n}\n",
		"property":        "export function run({ load }) {\n  return load(1);\n}\n",
		"typed parameter": "export function run(path: string, load: (p: string) => string) {\n  return load(path);\n}\n",
		"typed constant":  "export const load: Loader = make();\nexport const run = () => load(1);\n",
		"loop":            "export function run(path) {\n  for (const load of loaders) load(path);\n}\n",
		"import":          "import { load } from './io';\nexport const run = () => load(1);\n",
		"default import":  "import load from './io';\nexport const run = () => load(1);\n",
		"require":         "const { load } = require('./io');\nexports.run = () => load(1);\n",
		"interface":       "export interface A {\n  load(path: string): string;\n}\n",
		"getter":          "export const a = {\n  get load() { return 1; },\n};\n",
		"method":          "export const a = {\n  load(path) {\n    return 1;\n  },\n  run() {\n    return this.load(1);\n  },\n};\n",
		"caught":          "export function run() {\n  try { go(); } catch (load) { load(); }\n}\n",
		"block comment":   "/* was\n load(path)\n*/\nexport const run = 1;\n",
		"template":        "export const run = `\n  load(path)\n`;\n",
		"another script":  "function run(path) {\n  return load(path);\n}\n",
	} {
		before := "export function run(path) {\n  return load(path);\n}\n"
		if what == "another script" {
			before = "function run(path) {\n  return load(path, 1);\n}\n"
		}
		dropLoad(t, "a.ts", scriptLoad, before, after, func(form string, res edits.Result) {
			if len(res.Failures) > 0 || len(res.Changes) != 1 || res.Changes[0].After != after {
				t.Errorf("%s as a %s: %+v", what, form, res)
			}
		})
	}
}

func TestOrphansAreRefused(t *testing.T) {
	check := func(name, definition, before, after string) {
		dropLoad(t, name, definition, before, after, func(form string, res edits.Result) {
			if len(res.Failures) != 1 || res.Failures[0].Reason != edits.ReasonDropped || len(res.Changes) > 0 {
				t.Errorf("%q as a %s: %+v", after, form, res)
			}
		})
	}
	for _, after := range []string{
		"def run(path):\n    return load(path, 2)\n",
		"def run(path):\n    print(\"loading\", load(path))\n",
		"import json\n\n\ndef run(path):\n    json.dump(load(path), out)\n",
		"class A:\n    def run(self, path):\n        return self.load(path)\n",
	} {
		check("a.py", pythonLoad, "def run(path):\n    return load(path)\n", after)
	}
	for _, after := range []string{
		"export function run(path) {\n  return load(path, 2);\n}\n",
		"import fs from 'fs';\nexport const run = (path) => load(path) + 'x';\n",
	} {
		check("a.js", scriptLoad, "export function run(path) {\n  return load(path);\n}\n", after)
	}
}
