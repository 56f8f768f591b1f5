package repomap

import (
	"slices"
	"strings"
	"testing"

	"coauthor/repomap/vocab"
)

// What a project is built and described by is found by what it is for, since its text does not say it.
func TestFilesAreFoundByTheirRole(t *testing.T) {
	files := project(80)
	for _, path := range []string{"go.mod", "examples/one/go.mod", "vendor/x/go.mod", "Makefile", "README.md", ".github/workflows/test.yml", "Dockerfile.dev", ".golangci.yml", "jest.config.js", "notes/plan.md"} {
		files[path] = "some text\n"
	}
	files[".github/workflows/test.yml"] = "name: Test\n\non: push\n"
	x := open(t, newMemory(files), 2)
	for message, want := range map[string]string{
		"upgrade the dependency":            "go.mod",
		"Upgrading dependencies":            "go.mod",
		"it does not compile any more":      "Makefile",
		"the workflow fails":                ".github/workflows/test.yml",
		"the image is too large":            "Dockerfile.dev",
		"the linter complains":              ".golangci.yml",
		"coverage is low":                   "jest.config.js",
		"say it in the readme":              "README.md",
		"visit the next node in one step":   "",
		"Visit4Step2 fails on an empty one": "",
	} {
		with := scoresOf(t, x, Request{Message: message})
		without := scoresOf(t, x, Request{Message: message, Without: []string{"role"}})
		for path, score := range with {
			lifted := path == want || want != "" && path == "examples/one/"+want
			if (score > without[path]) != lifted {
				t.Errorf("%q: %s has %v, and without its role %v", message, path, score, without[path])
			}
		}
		if want != "" && with[want] <= with["notes/plan.md"]+2 {
			t.Errorf("%q: %s has %v, and a file without a role %v", message, want, with[want], with["notes/plan.md"])
		}
		if want == "go.mod" && with["examples/one/go.mod"] >= with["go.mod"] {
			t.Errorf("%q: that of an example has %v, and that at the root %v", message, with["examples/one/go.mod"], with["go.mod"])
		}
	}
}

// scoresOf are those of all files.
func scoresOf(t *testing.T, x *Index, r Request) map[string]float64 {
	t.Helper()
	q := newScoring(x.current(), r)
	sum, _ := q.scores()
	out := make(map[string]float64, len(sum))
	for i, f := range q.files() {
		out[f.Path] = sum[i]
	}
	return out
}

// A map for nothing in particular says what kind of project it is.
func TestOverviewShowsTheProject(t *testing.T) {
	files := project(80)
	files["go.mod"], files["README.md"], files["notes/plan.md"], files["Makefile"] = "module example.com/p\n", "# P\n", "# Plan\n", "all:\n\techo\n"
	files[".golangci.yml"] = "version: 2\n"
	x := open(t, newMemory(files), 2)
	lifted := func(r Request) (list []string) {
		with := scoresOf(t, x, r)
		r.Without = []string{"role"}
		for path, score := range scoresOf(t, x, r) {
			if with[path] > score {
				list = append(list, path)
			}
		}
		slices.Sort(list)
		return list
	}
	if got := lifted(Request{}); !slices.Equal(got, []string{"README.md", "go.mod"}) {
		t.Errorf("an overview lifts %v", got)
	}
	for what, r := range map[string]Request{"a request": {Message: "visit the next node"}, "a file in the chat": {Chat: []string{"pkg0/file0.go"}}, "a file that is named": {MentionedFiles: []string{"pkg0/file0.go"}}} {
		if got := lifted(r); len(got) > 0 {
			t.Errorf("for %s it lifts %v", what, got)
		}
	}
}

// Every word and name of the table can be met: a word as the stem of a request, a name in lower case.
func TestTableOfRoles(t *testing.T) {
	if len(roles) > 16 {
		t.Fatalf("%d roles have no room in the bits of a file", len(roles))
	}
	for k, r := range roles {
		for word := range strings.FieldsSeq(r.words) {
			if len(vocab.Query(word)) != 1 {
				t.Errorf("%q gives the stems %q", word, vocab.Query(word))
			}
		}
		for name := range strings.FieldsSeq(r.files) {
			file := strings.ToUpper(strings.ReplaceAll(name, "*", "x"))
			if strings.HasSuffix(file, "/") {
				file += "a.yml"
			}
			if name != strings.ToLower(name) || strings.Count(name, "*") > 1 || rolesOf(file)>>k&1 == 0 {
				t.Errorf("%q names no file", name)
			}
		}
	}
	for _, file := range []string{"notes.txt", "src/main.c", "readme", "my-readme.md", "a/.github/workflows/x.yml", "go.mod/x"} {
		if has := rolesOf(file); (has != 0) != (file == "readme") {
			t.Errorf("%s has the roles %b", file, has)
		}
	}
}
