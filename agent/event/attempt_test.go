package event

import "testing"

// An attempt in one line names a few of its files.
func TestAttempt(t *testing.T) {
	for want, files := range map[string][]string{
		"it works (a, +2 -1)":                  {"a"},
		"it works (a, b, c, +2 -1)":            {"a", "b", "c"},
		"it works (a, b, c and 2 more, +2 -1)": {"a", "b", "c", "d", "e"},
	} {
		if got := (AttemptRef{Label: "it works", Files: files, Added: 2, Removed: 1}).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
