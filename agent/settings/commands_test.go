package settings

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCommands: every way to write a command, and a word for each that no shell would ever see.
func TestCommands(t *testing.T) {
	vet, ruff := CheckCommand{Run: []string{"go", "vet", "./..."}}, CheckCommand{Run: []string{"ruff", "check", "{files}"}, Files: []string{"*.py", "lib/**/*.pyi"}}
	for text, want := range map[string][]CheckCommand{
		"go vet ./...":       {vet},
		"[go vet ./...]":     {vet},
		"[[go, vet, ./...]]": {vet},
		"[make]":             {{Run: []string{"make"}}},
		"\n  - go vet ./...\n  - run: [ruff, check, \"{files}\"]\n    files: [\"*.py\", \"lib/**/*.pyi\"]":         {vet, ruff},
		"\n  - run: go vet ./...\n  - run: ruff check {files}\n    files:\n      - \"*.py\"\n      - lib/**/*.pyi": {vet, ruff},
		"[[sh, -c, \"a | b\"], [x, 1, true]]": {{Run: []string{"sh", "-c", "a | b"}}, {Run: []string{"x", "1", "true"}}},
		"[]":                                  nil,
	} {
		s, ws := Load(LoadOptions{UserFile: []byte("verify.lint: " + text)})
		if d := cmp.Diff(want, s.Checks.Lint); d != "" || len(ws) > 0 {
			t.Errorf("%s: %v\n%s", text, ws, d)
		}
	}
	for text, word := range map[string]string{
		"go vet ./... | tee x":         "run without a shell",
		"echo $HOME":                   "run without a shell",
		"[go, vet, ./...]":             "each command as a list",
		"[[]]":                         "an empty command",
		"['']":                         "an empty command",
		"[{files: ['*.py']}]":          "an empty command",
		"[{run: make, file: x}]":       `"file"`,
		"[{run: make, files: ['[']}]":  "glob",
		"[{run: make, files: {a: b}}]": "list of strings",
		"[[\"a\\0\"]]":                 "NUL",
		"[[a, [b]]]":                   "a list instead of a word",
		"7":                            "list of commands",
		"[\"a\\0b c\"]":                "without a shell",
	} {
		s, ws := Load(LoadOptions{UserFile: []byte("verify.test: " + text)})
		if len(s.Checks.Test) > 0 || len(ws) != 1 || ws[0].Line != 1 || !strings.Contains(ws[0].Text, word) {
			t.Errorf("%s: %+v, %v", text, s.Checks.Test, ws)
		}
	}
}

// TestTheNameOfAGroupAlone: "verify: full" is the level, wherever it is written, also beside the group.
func TestTheNameOfAGroupAlone(t *testing.T) {
	for name, o := range map[string]LoadOptions{
		"file":          {UserFile: []byte("verify: full\nverify.lint: [make]\n")},
		"nested":        {UserFile: []byte("verify:\n  level: full\n  lint: [make]\n")},
		"dotted":        {UserFile: []byte("verify.level: full\nverify.lint: [make]\n")},
		"client":        {Client: map[string]any{"verify": "full", "verify.lint": "make"}, ClientOwn: true},
		"nested client": {Client: map[string]any{"verify": map[string]any{"level": "full", "lint": []any{"make"}}}, ClientOwn: true},
		"variable":      {Env: func(n string) string { return map[string]string{"COAUTHOR_VERIFY": "full"}[n] }, UserFile: []byte("verify.lint: make")},
		"flag":          {Flags: map[string]string{"verify": "full"}, UserFile: []byte("verify.lint: make")},
	} {
		s, ws := Load(o)
		if s.Verify != "full" || len(s.Checks.Lint) != 1 || len(ws) > 0 {
			t.Errorf("%s: %q %+v %v", name, s.Verify, s.Checks, ws)
		}
	}
	if s, ws := Load(LoadOptions{WorkspaceFile: []byte("verify: off")}); s.Verify != "lint" || len(ws) != 1 {
		t.Errorf("an untrusted workspace: %q, %v", s.Verify, ws)
	}
	if s, ws := Load(LoadOptions{UserFile: []byte("repoMap: 7")}); len(ws) != 1 || !strings.Contains(ws[0].Text, "group of settings") || s.RepoMap.Tokens != MapByModel {
		t.Errorf("another group: %v", ws)
	}
}
