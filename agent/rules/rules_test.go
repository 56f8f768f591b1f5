package rules_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/rules"
)

// tree is a list of paths.
type tree []string

func (t tree) Exists(p string) bool { return slices.Contains(t, p) }

func (t tree) Below(folder, suffix string) []string {
	var list []string
	for _, p := range t {
		if strings.HasPrefix(p, folder+"/") && strings.HasSuffix(p, suffix) {
			list = append(list, p)
		}
	}
	slices.Sort(list)
	return list
}

func TestCandidates(t *testing.T) {
	for _, c := range []struct{ name, files, chat, want string }{
		{"nothing", "main.go", "main.go", ""},
		{"of the root", "AGENTS.md", "main.go a/b/c.go", "AGENTS.md"},
		{"without a chat file", "AGENTS.md a/AGENTS.md", "", "AGENTS.md"},
		{"the nearest", "AGENTS.md a/AGENTS.md a/b/AGENTS.md", "a/b/c/x.go", "a/b/AGENTS.md"},
		{"the nearest above each", "AGENTS.md a/AGENTS.md b/c/AGENTS.md", "x.go a/x.go a/y.go b/c/d/x.go b/x.go", "b/c/AGENTS.md a/AGENTS.md AGENTS.md"},
		{"not one beside it", "a/AGENTS.md", "ab/x.go", ""},
		{"the override in its place", "AGENTS.md AGENTS.override.md", "x.go", "AGENTS.override.md"},
		{"an override above a nearer one", "AGENTS.override.md a/AGENTS.md", "a/x.go", "a/AGENTS.md"},
		{"a nearer override", "AGENTS.md a/AGENTS.md a/AGENTS.override.md", "a/x.go", "a/AGENTS.override.md"},
		{"all places, in their order", "CLAUDE.md CONVENTIONS.md AGENTS.md .github/copilot-instructions.md .cursor/rules/z.mdc .cursor/rules/a/b.mdc .github/instructions/go.instructions.md", "x.go",
			"AGENTS.md CONVENTIONS.md CLAUDE.md .github/copilot-instructions.md .cursor/rules/a/b.mdc .cursor/rules/z.mdc .github/instructions/go.instructions.md"},
		{"other files there", ".cursor/rules/a.md .github/instructions/x.md .github/instructions/sub/y.instructions.md docs/CLAUDE.md conventions.txt", "docs/x.md", ".github/instructions/sub/y.instructions.md"},
	} {
		got := strings.Join(rules.Candidates(tree(strings.Fields(c.files)), strings.Fields(c.chat)), " ")
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestRead(t *testing.T) {
	const cursor, github = ".cursor/rules/x.mdc", ".github/instructions/x.instructions.md"
	for _, c := range []struct {
		name, file, head, chat string
		applies, onWish        bool
		why                    string
	}{
		{"always", cursor, "alwaysApply: true\nglobs: *.py", "x.go", true, false, ""},
		{"always, in capitals", cursor, "alwaysApply: True", "", true, false, ""},
		{"a name at any depth", cursor, "globs: *.go\nalwaysApply: false", "a/b/x.go", true, false, ""},
		{"a name of the root", cursor, "globs: *.go", "x.go", true, false, ""},
		{"a path from the root", cursor, "globs: src/**/*.go", "src/a/x.go", true, false, ""},
		{"a path elsewhere", cursor, "globs: src/**/*.go", "lib/src/a/x.go", false, false, "src/**/*.go"},
		{"several with commas", cursor, "globs: *.ts, *.go", "x.go", true, false, ""},
		{"a comma in braces", cursor, "globs: *.{ts,go}", "a/x.go", true, false, ""},
		{"in brackets with quotes", cursor, `globs: ["*.ts", "*.go"]`, "x.go", true, false, ""},
		{"one a line", cursor, "globs:\n  - \"*.ts\"\n  - '*.go'\nalwaysApply: false", "x.go", true, false, ""},
		{"a folder", cursor, "globs: src/", "src/deep/x.go", true, false, ""},
		{"a slash first", cursor, "globs: /src/*.go", "src/x.go", true, false, ""},
		{"no such file", cursor, "globs: *.ts", "x.go y.go", false, false, "*.ts"},
		{"no chat", cursor, "globs: *.ts", "", false, false, "*.ts"},
		{"one of many files", cursor, "globs: *.ts", "x.go y.ts", true, false, ""},
		{"a broken glob", cursor, "globs: \"[a\"", "x.go", false, false, "is invalid"},
		{"a broken glob beside a good one", cursor, "globs: \"[a\", *.go", "x.go", true, false, ""},
		{"by its description", cursor, "description: How to write: tests\nglobs:\nalwaysApply: false", "x.go", false, true, "always"},
		{"by nothing", cursor, "alwaysApply: false", "x.go", false, false, "always"},
		{"applyTo", github, "applyTo: \"**/*.go\"", "a/x.go", true, false, ""},
		{"applyTo of the root", github, "applyTo: '*.go'", "x.go", true, false, ""},
		{"applyTo is from the root", github, "applyTo: '*.go'", "a/x.go", false, false, "*.go"},
		{"applyTo of all", github, "applyTo: \"**\"", "a/b/x.go", true, false, ""},
		{"applyTo of several", github, "applyTo: \"**/*.ts,**/*.go\"", "a/x.go", true, false, ""},
		{"without applyTo", github, "description: For Go", "x.go", false, true, "applyTo"},
		{"without anything", github, "x: y", "x.go", false, false, "applyTo"},
		{"any other file", "AGENTS.md", "globs: *.ts", "x.go", true, false, ""},
	} {
		r := rules.Read(c.file, "---\n"+c.head+"\n---\nTHE RULE\n", strings.Fields(c.chat))
		if r.Applies != c.applies || r.Optional != c.onWish || !strings.Contains(r.Why, c.why) || (r.Why == "") != c.applies {
			t.Errorf("%s: %+v", c.name, r)
		}
		if head := strings.Contains(r.Text, "---"); head != (c.file == "AGENTS.md") || !strings.Contains(r.Text, "THE RULE\n") {
			t.Errorf("%s: the text is %q", c.name, r.Text)
		}
	}
	r := rules.Read(cursor, "\ufeff---\r\ndescription: \"Go:  the\ttests\"\r\nalwaysApply: true\r\n---\r\n\r\nA\r\nB\r\n", nil)
	if r.About != "Go: the tests" || r.Text != "A\nB\n" || !r.Applies {
		t.Errorf("%+v", r)
	}
	if r := rules.Read(cursor, "---\nalwaysApply: true\nno end\n", nil); r.Applies || !strings.HasPrefix(r.Text, "---") {
		t.Errorf("a head without its end: %+v", r)
	}
}

func TestImports(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"CLAUDE.md", "@AGENTS.md\n", "AGENTS.md"},
		{"CLAUDE.md", "See @docs/style.md, and @./x.md (@y.md).", "docs/style.md x.md y.md"},
		{"docs/CLAUDE.md", "@a.md @../b.md @../../c.md", "docs/a.md b.md"},
		{"CLAUDE.md", "`@a.md` and mail@b.md and @ c.md @/d.md @~/e.md", ""},
		{"CLAUDE.md", "```\n@a.md\n```\n@b.md\n~~~sh\n@c.md\n```\n@d.md\n~~~\n@e.md", "b.md e.md"},
		{"CLAUDE.md", "````\n```\n@a.md\n```\n````\n@b.md", "b.md"},
		{"CLAUDE.md", "@.", ""},
	} {
		if got := strings.Join(rules.Imports(c.file, c.text), " "); got != c.want {
			t.Errorf("%q: got %s, want %s", c.text, got, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"---\nglobs: *.go, {a,b}\n---\nx", "---\n- a\nglobs: [\"x\", 'y'\n---", "---\ndescription: '\n---\n", "@a/../b `@c`\n```\n@d"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, file := range []string{"x.mdc", "x.instructions.md", "CLAUDE.md"} {
			r := rules.Read(file, text, []string{"a/b.go"})
			if r.Applies == (r.Why != "") || strings.Contains(r.About, "\n") || len(r.About) > 210 {
				t.Errorf("%q: %+v", text, r)
			}
			for _, to := range rules.Imports(file, text) {
				if to != path.Clean(to) || path.IsAbs(to) || to == ".." || strings.HasPrefix(to, "../") {
					t.Errorf("%q imports %q", text, to)
				}
			}
		}
	})
}
