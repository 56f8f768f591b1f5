package formats_test

import (
	"path"
	"slices"
	"strings"
	"testing"
	"text/template"

	"coauthor/edits"
	"coauthor/edits/editstest"
	"coauthor/edits/formats"

	"github.com/google/go-cmp/cmp"
)

type files = editstest.Files

func fill(t testing.TB, text string, fence edits.Fence) string {
	t.Helper()
	filled(t, text, fence, true) // models that need not be spared words are told more
	return filled(t, text, fence, false)
}

func filled(t testing.TB, text string, fence edits.Fence, full bool) string {
	t.Helper()
	tmpl, err := template.New("").Option("missingkey=error").Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := tmpl.Execute(&out, struct {
		Fence                       edits.Fence
		Full, Small, Short, Numbers bool
		Tool                        string
	}{fence, full, !full, !full, full, "write_file"}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// What the models are taught works: every example is parsed and applied, in every fence.
func TestExamplesApply(t *testing.T) {
	for _, f := range formats.All() {
		if f.Rules == "" || f.Reminder == "" || len(f.Examples) == 0 {
			t.Errorf("%s is not taught", f.Name)
		}
		for _, fence := range edits.Fences {
			fill(t, f.Rules, fence)
			fill(t, f.Reminder, fence)
			for i, e := range f.Examples {
				var chat []string
				for path := range e.Before {
					chat = append(chat, path)
				}
				list, problems := edits.Parse(f, fill(t, e.Assistant, fence), edits.Ended, edits.ParseOptions{Fence: fence, Chat: chat})
				r := edits.Apply(files(e.Before), list, problems, edits.Options{Chat: chat})
				if len(r.Failures) > 0 || len(e.After) == 0 {
					t.Errorf("%s, example %d, fence %s: %+v", f.Name, i+1, fence.Open, r.Failures)
				}
				if diff := cmp.Diff(e.After, map[string]string(files(e.Before).After(r.Changes))); diff != "" {
					t.Errorf("%s, example %d, fence %s:\n%s", f.Name, i+1, fence.Open, diff)
				}
			}
		}
	}
}

// A file that an example names is passed over where the project has none of that name, so examples name none that a project
// is likely to get: no word that stands alone, and none of the first ones that come to mind.
func TestExamplesNameFilesThatNobodyHas(t *testing.T) {
	usual := []string{"main", "index", "app", "utils", "util", "helpers", "config", "settings", "test", "tests", "hello", "greet", "logs", "log", "notes",
		"readme", "changes", "changelog", "license", "store", "memory", "disk", "old", "new", "setup", "run", "start", "steps", "loop", "squares", "take"}
	for _, f := range formats.All() {
		for _, name := range f.ExampleFiles() {
			stem, _, _ := strings.Cut(strings.ToLower(path.Base(name)), ".")
			if slices.Contains(usual, stem) && path.Dir(name) == "." {
				t.Errorf("%s: an example has the file %s", f.Name, name)
			}
		}
	}
}
