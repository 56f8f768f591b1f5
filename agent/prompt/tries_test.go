package prompt_test

import (
	"testing"

	"coauthor/agent/prompt"
)

// TestTries: about a file twice, about what may be right as it is once, and questions of one round about a file are one try.
func TestTries(t *testing.T) {
	a, once := prompt.Question{Path: "a.go", Kind: "vet"}, prompt.Question{Path: "a.go", Kind: "loss", Once: true}
	first := prompt.Tries(nil).With([]prompt.Question{a, a})
	if !first.Left(a) || !first.Left(once) {
		t.Errorf("after one round: %v", first)
	}
	second := first.With([]prompt.Question{a, once})
	if second.Left(a) || second.Left(once) || !second.Left(prompt.Question{Path: "b.go"}) {
		t.Errorf("after two: %v", second)
	}
	if !first.Left(a) {
		t.Error("what was counted before has changed")
	}
}
