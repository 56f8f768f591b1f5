package verify

import (
	"errors"
	"strings"
	"testing"
)

// A model that asked is told what was found, what did not run, and where the list ends; what is for the user alone it is not told.
func TestTold(t *testing.T) {
	results := []Result{{Check: "syntax", Findings: []Finding{{Path: "a.go", Text: "line 1: no", Excerpt: "1|x\n"}, {Text: "for the user", Told: true}}},
		{Check: "vet", Command: true, Skipped: notAllowed}, {Check: "lint", Command: true, Skipped: "it took too long"}, {Check: "imports", Err: errors.New("no room")}}
	got := told(results, []string{"go vet ./..."})
	for _, want := range []string{"syntax: a.go, line 1: no\n1|x\n", "lint did not run: it took too long.\n", "imports could not be run: no room.\n", "Not run, because the user has not allowed it: go vet ./...\n", "Checked: "} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "for the user") || strings.Contains(got, "you did not allow") {
		t.Errorf("%s", got)
	}
	for range 30 {
		results[0].Findings = append(results[0].Findings, Finding{Path: "a.go", Text: "more"})
	}
	if got := told(results, nil); !strings.Contains(got, "20 of 31 findings are shown.") {
		t.Errorf("%s", got)
	}
}
