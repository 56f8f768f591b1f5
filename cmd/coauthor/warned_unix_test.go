//go:build cgo && unix

package main

import "testing"

// With warnings the question says so, since they stand above the diff.
func TestTheQuestionTellsOfWarnings(t *testing.T) {
	for answer, want := range map[string]string{"y": "def f(:\n    return 1\n", "n": "def f():\n    return 1\n"} {
		h := newShell(t, always(brokenReply))
		h.put("a.py", "def f():\n    return 1\n")
		s := h.editOnScreen()
		s.expect("Warning: a.py, line 1: ")
		s.expect("+def f(:")
		s.expect("See the warnings above the diff. Apply this change? [y,n")
		s.types(answer + "\n")
		s.exit(map[bool]int{true: 0, false: 1}[answer == "y"])
		if got := h.read("a.py"); got != want {
			t.Errorf("%q: a.py is %q", answer, got)
		}
	}
}
