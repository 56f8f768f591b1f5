//go:build unix

package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/llm/llmtest"
)

// TestARequestThatIsNotGiven is asked for on a terminal, before anything else is done. Elsewhere, and where nobody says it,
// nothing is sent and the command says how to give it.
func TestARequestThatIsNotGiven(t *testing.T) {
	for command, question := range map[string]string{
		"edit": "What do you want to change?", "architect": "What do you want to change?", "auto": "What do you want to change?",
		"ask": "What do you want to ask?", "context": "What do you want to ask?", "show-context": "What do you want to ask for?",
	} {
		h := newShell(t, "repeat: true\n-- 1.md --\nNo edit, fine.\n")
		for _, message := range [][]string{nil, {"-m", " "}} {
			code := h.run(append(append([]string{command}, message...), filepath.Join(h.root, "a.py"))...)
			if code != 2 || h.err.String() != "coauthor: the request is missing; add -m \"REQUEST\", or -m - to read it from standard input\n" {
				t.Errorf("%s %q without a terminal: exit %d, %s", command, message, code, h.err.String())
			}
		}
		for typed, code := range map[string]int{"Make it so.\n": 0, "\n": 2, "\x04": 2} {
			s := h.onScreen(command, filepath.Join(h.root, "a.py"), "--root", h.root, "--model", "local", "--api-base", h.server.URL)
			s.expect(question)
			s.types(typed)
			if before := len(h.server.Requests()); code == 2 {
				s.expect("coauthor: the request is missing")
				s.exit(2)
				if n := len(h.server.Requests()); n != before {
					t.Errorf("%s %q: %d requests more", command, typed, n-before)
				}
				continue
			}
			if command == "show-context" {
				s.expect("Make it so.")
				s.exit(0)
				continue
			}
			s.expect("No edit, fine.")
			if question == "What do you want to change?" {
				s.expect("The answer contains no edit.")
				s.types("\n")
				s.exit(1)
			} else {
				s.exit(0)
			}
			requests := h.server.Requests()
			last := requests[len(requests)-1]
			if !slices.ContainsFunc(last.Messages, func(m llmtest.Message) bool { return m.Role == "user" && strings.Contains(m.Content, "Make it so.") }) {
				t.Errorf("%s: asked %+v", command, last.Messages)
			}
		}
	}
}
