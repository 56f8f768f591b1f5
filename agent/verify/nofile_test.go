package verify_test

import (
	"slices"
	"testing"

	"coauthor/agent/verify"
)

// A module of the project that a change newly imports has to exist, and so has a file that the request asks for.
func TestFilesThatAreMissing(t *testing.T) {
	for _, c := range []struct {
		name, request string
		before, after project
		want          []string
	}{
		{"a script", "", project{"src/a.js": "x();\n"}, project{"src/a.js": "const { A } = require('./limits.js');\nx();\n"},
			[]string{"src/a.js, line 1 imports ./limits.js, and there is no such file."}},
		{"an import", "", project{"src/a.ts": "x();\n"}, project{"src/a.ts": "import type { A } from '../b/c';\n"},
			[]string{"src/a.ts, line 1 imports ../b/c, and there is no such file."}},
		{"for its effect", "", project{"a.mjs": "x();\n"}, project{"a.mjs": "x();\nimport './b.mjs';\nawait import(\"./c.mjs\");\n"},
			[]string{"a.mjs, line 2 imports ./b.mjs, and there is no such file.", "a.mjs, line 3 imports ./c.mjs, and there is no such file."}},
		{"that is there", "", project{"a.ts": "x();\n", "b.ts": "y();\n", "c/index.js": "z();\n"},
			project{"a.ts": "import './b.js';\nimport './b';\nimport './c';\n", "b.ts": "y();\n", "c/index.js": "z();\n"}, nil},
		{"that comes with it", "", project{"a.js": "x();\n"}, project{"a.js": "require('./b');\n", "b.js": "y();\n"}, nil},
		{"in a new file", "", project{}, project{"a.js": "require('./b');\n"}, []string{"a.js, line 1 imports ./b, and there is no such file."}},
		{"missing before", "", project{"a.js": "require('./b');\n"}, project{"a.js": "require('./b');\nx();\n"}, nil},
		{"what a bundler makes", "", project{"a.js": "x();\n"}, project{"a.js": "import b from './b.svg?raw';\n"}, nil},
		{"in a comment", "", project{"a.js": "x();\n"}, project{"a.js": "// see require('./b')\nx();\n"}, nil},
		{"in a text", "", project{"a.js": "x();\n"}, project{"a.js": "write(`\nrequire('./b')\n`);\n"}, nil},
		{"a package", "", project{"a.js": "x();\n"}, project{"a.js": "require('b');\n"}, nil},
		{"Python", "", project{"p/a.py": "x = 1\n"}, project{"p/a.py": "from .errors import E\n"},
			[]string{"p/a.py, line 1 imports .errors, and there is no such file."}},
		{"Python's packages", "", project{"p/a.py": "x = 1\n", "p/b/__init__.py": "y = 1\n"},
			project{"p/a.py": "from .b import E\nfrom . import c\nfrom errors import E\n", "p/b/__init__.py": "y = 1\n"}, nil},

		{"asked for", "Move the constants to a new file limits.js and require them from there.", project{"a.js": "x();\n"}, project{"a.js": "y();\n"},
			[]string{"The request asks for a file limits.js, and there is none."}},
		{"asked for once", "Move the constants to a new file limits.js.", project{"a.js": "x();\n"}, project{"a.js": "require('./limits.js');\n"},
			[]string{"a.js, line 1 imports ./limits.js, and there is no such file."}},
		{"asked for and made", "Move them into errors.py. Create a module `p/more.py`", project{"p/a.py": "x = 1\n"},
			project{"p/a.py": "x = 2\n", "p/errors.py": "x = 1\n", "p/more.py": "x = 1\n"}, nil},
		{"asked for with other words", "Please write Initials into a new file called initials.go: it is short. Extract the rest to src/rest.go too.", project{"a.go": "package a\n"},
			project{"a.go": "package a\n\nvar x = 1\n"},
			[]string{"The request asks for a file initials.go, and there is none.", "The request asks for a file src/rest.go, and there is none."}},
		{"only spoken of", "Make it work as in other.js did, see e.g. main.go. Read data from a.csv into it", project{"a.js": "x();\n"}, project{"a.js": "y();\n"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, found := lookAsked(t, verify.NoFile(), c.request, c.before, c.after)
			if !slices.Equal(got, c.want) {
				t.Errorf("found %q, want %q", got, c.want)
			}
			for _, f := range found {
				if !f.Once {
					t.Errorf("%+v is no question", f)
				}
			}
		})
	}
}
