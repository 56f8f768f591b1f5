package formats_test

import (
	"maps"
	"strings"
	"testing"

	"coauthor/edits"
)

// A bare fence inside a listing never cuts a file: either the nesting is clear, or the file is asked for again.
func TestFencesInsideListings(t *testing.T) {
	const readme = "# T\n\nRun it:\n\n```\nnpm i\n```\n\nand then\n\n```\nnpm start\n```\nEnd.\n"
	for what, c := range map[string]struct {
		reply, want string // "" for one that is asked about
		name        string
	}{
		"a longer fence":                       {"README.md\n````md\n" + readme + "````\n", readme, "README.md"},
		"a longer fence, and an illustration":  {"README.md\n````md\n" + readme + "````\nAs you see:\n```\nx\n```\n", readme, "README.md"},
		"tildes":                               {"README.md\n~~~\n" + readme + "~~~\n", readme, "README.md"},
		"a tag":                                {"<file path=\"README.md\">\n" + readme + "</file>\n", readme, "README.md"},
		"languages":                            {"README.md\n```md\n" + strings.ReplaceAll(strings.ReplaceAll(readme, "```\nnpm", "```sh\nnpm"), "x", "x") + "```\n", strings.ReplaceAll(readme, "```\nnpm", "```sh\nnpm"), "README.md"},
		"the same fence":                       {"README.md\n```md\n" + readme + "```\n", "", "README.md"},
		"the same fence, no language":          {"README.md\n```\n" + readme + "```\n", "", "README.md"},
		"the same fence, its end is forgotten": {"README.md\n```\n" + readme, "", "README.md"},
		"longer ones inside":                   {"README.md\n```\n" + strings.ReplaceAll(readme, "```", "````") + "```\n", "", "README.md"},
		"an illustration that may be of it":    {"README.md\n```\n# T\n```\nYou see:\n```\nx\n```\n", "", "README.md"},
		"one of another kind of file":          {"notes.txt\n```\none\n```\ntwo\n```\nthree\n```\n", "", "notes.txt"},
		"a file that has such lines":           {"help.py\n```python\nTEXT = '''\n```\nx\n```\n'''\n```\n", "", "help.py"},
		"code, and an illustration":            {"a.py\n```python\nx = 1\n```\nIt says:\n```\n1\n```\n", "x = 1\n", "a.py"},
		"two files":                            {"README.md\n```\n# T\n```\na.md\n```\n# A\n```\n", "# T\n", "README.md"},
		"indented in a list":                   {"1. README.md\n   ```\n   # T\n   ```\n", "# T\n", "README.md"},
	} {
		before := files{"README.md": "# Old\n", "help.py": "TEXT = '''\n```\ny\n```\n'''\n", "a.py": "x = 0\n"}
		for _, format := range []string{"whole", "files", "auto"} {
			got, r := applied(format, c.reply, before, edits.Options{Chat: before.Paths()})
			switch {
			case c.want != "" && (got[c.name] != c.want || len(r.Failures) > 0):
				t.Errorf("%s in %s: %q, %+v", what, format, got[c.name], r.Failures)
			case c.want == "" && (!maps.Equal(got, before) || len(r.Failures) == 0):
				t.Errorf("%s in %s: %v, %+v", what, format, got, r.Failures)
			}
		}
	}
}

// What stands below a listing whose end cannot be told may be shown in it: it is asked for again beside that listing.
func TestWhatADocumentMayShow(t *testing.T) {
	before := files{"README.md": "# Old\n", "x.py": "a = 1\n", "b.py": "b = 1\n"}
	const doc = "README.md\n```markdown\n# New\n\n```\nls\n```\n\n```\nx\n```\n"
	for what, below := range map[string]string{
		"a block":            "```\nx.py\n<<<<<<< SEARCH\na = 1\n=======\na = 2\n>>>>>>> REPLACE\n```\n```\n",
		"a block below it":   "x.py\n```python\n<<<<<<< SEARCH\na = 1\n=======\na = 2\n>>>>>>> REPLACE\n```\n",
		"a diff":             "```diff\n--- x.py\n+++ x.py\n@@ -1 +1 @@\n-a = 1\n+a = 2\n```\n",
		"a patch":            "*** Begin Patch\n*** Update File: x.py\n@@\n-a = 1\n+a = 2\n*** End Patch\n",
		"a file with a name": "x.py\n```python\na = 2\n```\n",
	} {
		for _, format := range []string{"whole", "files", "auto"} {
			got, r := applied(format, doc+"\n"+below, before, edits.Options{Chat: before.Paths()})
			if !maps.Equal(got, before) || len(r.Failures) == 0 {
				t.Errorf("%s in %s: %v, %+v", what, format, got, r.Failures)
			}
			// Above it nothing is in doubt.
			got, r = applied(format, "b.py\n```python\nb = 2\n```\n\n"+doc, before, edits.Options{Chat: before.Paths()})
			if got["b.py"] != "b = 2\n" || got["README.md"] != "# Old\n" || len(r.Failures) != 1 {
				t.Errorf("above, in %s: %v, %+v", format, got, r.Failures)
			}
		}
	}
}

// The file is asked for between longer fences than any of the reply.
func TestFencesThatAreAskedFor(t *testing.T) {
	for longest, want := range map[string]string{"```": "````", "`````": "``````"} {
		reply := "README.md\n```\n# T\n```\nx\n```\ny\n```\n" + longest + "sh\nls\n" + longest + "\n"
		_, r := applied("whole", reply, files{"README.md": "# Old\n"}, edits.Options{Chat: []string{"README.md"}})
		if len(r.Failures) == 0 || !strings.Contains(r.Failures[0].Message, want) || strings.Contains(r.Failures[0].Message, want+"`") {
			t.Errorf("%s: %+v", longest, r.Failures)
		}
	}
}

// A script below the name of a file is a command and not the file, unless it can be.
func TestScriptsAreNotTheFile(t *testing.T) {
	before := files{"app.py": "def f():\n    return 1\n", "requirements.txt": "flask\n", "index.vue": "<p>a</p>\n", "run.sh": "ls\n", "a.go": "package a\n", "conf.yaml": "a: 1\n", "empty.py": ""}
	for what, c := range map[string]struct {
		reply         string
		taken, failed bool
	}{
		"a shell below a python file":      {"app.py\n```bash\npython app.py\n```\n", false, false},
		"a console":                        {"app.py\n```console\n$ python app.py\nhello\n```\n", false, false},
		"a shell in an empty file":         {"empty.py\n```sh\ntouch empty.py\n```\n", false, false},
		"a heredoc":                        {"app.py\n```\ncat > app.py <<'EOF'\nx = 1\nEOF\n```\n", false, false},
		"a heredoc in tee":                 {"app.py\n```\nsudo tee app.py << EOF\nx = 1\nEOF\n```\n", false, false},
		"sed":                              {"app.py\n```\nsed -i 's/1/2/' app.py\n```\n", false, false},
		"patch":                            {"app.py\n```\npatch -p1 < fix.patch\n```\n", false, false},
		"ed":                               {"a.go\n```\ned a.go\n1d\nw\n```\n", false, false},
		"printf":                           {"conf.yaml\n```\nprintf 'a: 2\\n' > conf.yaml\n```\n", false, false},
		"perl":                             {"app.py\n```\nperl -pi -e 's/1/2/' app.py\n```\n", false, false},
		"a script by its first line":       {"app.py\n```\n#!/bin/sh\nsed -i s/1/2/ app.py\n```\n", false, false},
		"a script by env":                  {"app.py\n```python\n#!/usr/bin/env bash\nls\n```\n", false, false},
		"a program by its first line":      {"app.py\n```\n#!/usr/bin/env python3\nx = 1\n```\n", true, false},
		"a prompt":                         {"app.py\n```\n$ python app.py\nhello\n```\n", false, false},
		"git apply":                        {"app.py\n```\ngit apply fix.patch\n```\n", false, false},
		"a shell with lines of it":         {"app.py\n```bash\ndef f():\n    return 2\n```\n", true, false},
		"a text without a language":        {"requirements.txt\n```bash\npip\n```\n", true, false},
		"a shell file":                     {"run.sh\n```bash\nls -l\n```\n", true, false},
		"a new file":                       {"new.py\n```bash\npip install x\n```\n", true, false},
		"another language":                 {"app.py\n```go\npackage main\n```\n", false, true},
		"another language, lines of it":    {"app.py\n```go\ndef f():\n    return 2\n```\n", true, false},
		"another language, a new file":     {"new.py\n```go\npackage main\n```\n", true, false},
		"a language that holds it":         {"index.vue\n```html\n<b>x</b>\n```\n", true, false},
		"its own language":                 {"app.py\n```py\nx = 1\n```\n", true, false},
		"no language":                      {"app.py\n```\nx = 1\n```\n", true, false},
		"a word that nobody knows":         {"app.py\n```frobnicate\nx = 1\n```\n", true, false},
		"the language in braces":           {"app.py\n```{.go .numberLines}\npackage main\n```\n", false, true},
		"a comparison that looks like one": {"app.py\n```python\nprint(1 << 2)\n```\n", true, false},
	} {
		for _, format := range []string{"whole", "files"} {
			got, r := applied(format, c.reply, before, edits.Options{Chat: before.Paths()})
			if taken := !maps.Equal(got, before); taken != c.taken || c.failed != (len(r.Failures) > 0) {
				t.Errorf("%s in %s: %v, %+v", what, format, got, r)
			}
		}
		for _, format := range []string{"diff", "udiff", "patch", "gitdiff", "func"} {
			if got, _ := applied(format, c.reply, before, edits.Options{Chat: before.Paths()}); !c.taken && !maps.Equal(got, before) {
				t.Errorf("%s in %s: %v", what, format, got)
			}
		}
	}
}
