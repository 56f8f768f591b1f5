package prompt_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/rogpeppe/go-internal/txtar"

	"coauthor/agent/prompt"
	"coauthor/edits"
)

func TestReflections(t *testing.T) {
	names, err := filepath.Glob("testdata/reflect/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no goldens", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			r := prompt.Reflection{Fence: edits.Fences[0], Format: &words}
			if err := yaml.UnmarshalWithOptions(a.Files[0].Data, &r, yaml.Strict()); err != nil {
				t.Fatal(err)
			}
			if r.Empty() {
				t.Error("there is something to tell, and it says that it is empty")
			}
			got, err := r.Text()
			if err != nil {
				t.Fatal(err)
			}
			compare(t, name, a, got+"\n")
		})
	}
}

func TestNothingToTell(t *testing.T) {
	r := prompt.Reflection{Applied: []string{"a.go"}, Declined: []string{"b.go"}}
	if !r.Empty() {
		t.Error("what was applied or declined is no reason for another call")
	}
}

func TestHundredsOfFailuresAreNotAllTold(t *testing.T) {
	var r prompt.Reflection
	for i := range 1000 {
		r.Failures = append(r.Failures, edits.Failure{Edit: i, Path: "a.py", Reason: edits.ReasonNoMatch, Message: "no such text", Block: "x\n"})
	}
	text, err := r.Text()
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > 10_000 || !strings.Contains(text, "950 more edits were not applied either") {
		t.Errorf("%d bytes, ending in %q", len(text), text[max(0, len(text)-300):])
	}
}
