package verify

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"coauthor/agent/sandbox"
)

// runnerFiles are what runners wrote, in parts, by the name of the file.
func runnerFiles(t testing.TB) map[string]map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/runners/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	all := map[string]map[string]string{}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[file] = map[string]string{}
		for _, f := range a.Files {
			all[file][f.Name] = string(f.Data)
		}
	}
	return all
}

// TestRunnersAreCutToTheAssertion: of what each runner of tests writes, for people or as a report, what comes back for a
// failed test is its name, the assertion, the innermost place of the project, and from where that was called. Nothing of a
// warning, a framework's own calls or the runner's summary is among it.
func TestRunnersAreCutToTheAssertion(t *testing.T) {
	for file, part := range runnerFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			tool := Tool{Argv: strings.Fields(part["run"]), Tests: true}
			check := &commandCheck{tool: tool, name: tool.Name()}
			code := 1
			if part["code"] != "" {
				code = number(strings.TrimSpace(part["code"]))
			}
			said := check.read(names(strings.Fields(part["files"])), sandbox.Executed{Code: code, Out: part["out"], Err: part["err"], Report: part["report"]})
			got := fmt.Sprintf("%s%d passed, %d failed\n", said.broken, said.passed, Result{}.count(said.findings))
			for _, f := range said.findings {
				got += fmt.Sprintf("%s:%d-%d %s\n", f.Path, f.First, f.Last, f.Text)
			}
			if got != part["want"] {
				t.Errorf("got\n%s\nwant\n%s", got, part["want"])
			}
		})
	}
}
