package agent_test

import (
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
)

// A model takes a refused edit back by an answer without edits: it is told so, the others stay, and the user hears which edit was
// left out and why it was refused. Where that was all, what it says is the answer.
func TestARefusedEditIsLeftOut(t *testing.T) {
	const word = "That edit is not needed."
	yIsTwo := strings.ReplaceAll(xIsTwo, "x", "y")
	for name, c := range map[string]struct {
		coder   string // with its format behind a slash
		replies []string
		state   event.State
		answer  string
		refused int // edits that the turn ends without
	}{
		"one of two":              {"code", []string{xIsTwo + "\n" + noSuchX, word}, event.TurnProposed, word, 1},
		"the only one":            {"code", []string{noSuchX, word}, event.TurnAnswered, word, 1},
		"with other words":        {"code", []string{noSuchX, "Ok."}, event.TurnAnswered, "Ok.", 1},
		"an empty patch":          {"code/patch", []string{"*** Begin Patch\n*** Update File: a.py\n@@\n-x = 7\n+x = 2\n*** End Patch", "*** Begin Patch\n*** End Patch"}, event.TurnAnswered, "", 1},
		"an empty call":           {"code/func", []string{"\n>> replace_lines {\"explanation\":\"\",\"edits\":[{\"path\":\"a.py\",\"original_lines\":[\"x = 7\"],\"updated_lines\":[\"x = 2\"]}]}", "\n>> replace_lines {\"explanation\":\"" + word + "\",\"edits\":[]}"}, event.TurnAnswered, word, 1},
		"one of two, the other":   {"code", []string{noSuchX + "\nb.py\n```\n<<<<<<< SEARCH\ny = 7\n=======\ny = 2\n>>>>>>> REPLACE\n```\n", "b" + yIsTwo[1:], word}, event.TurnProposed, word, 1},
		"an architect's editor":   {"architect", []string{"Change x in a.py to two." + asPlan, xIsTwo + "\n" + noSuchX, word}, event.TurnProposed, word, 1},
		"auto, by the tool":       {"auto", []string{xIsTwo + "\n" + noSuchX, finished(word, `{"done":true}`)}, event.TurnProposed, "DONE", 1},
		"auto, by words":          {"auto", []string{xIsTwo + "\n" + noSuchX, word}, event.TurnProposed, word, 1},
		"auto, the only one":      {"auto", []string{noSuchX, finished(word, `{"done":true}`)}, event.TurnAnswered, "DONE", 1},
		"corrected, nothing left": {"code", []string{noSuchX, xIsTwo}, event.TurnProposed, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			b := newLookout(t, calling(c.replies...), map[string]string{"a.py": "x = 1\n", "b.py": "y = 1\n"})
			coder, format, _ := strings.Cut(c.coder, "/")
			r, events := b.run(agent.Request{Instruction: "Make both two.", Coder: coder, Format: format, Files: []string{"a.py", "b.py"}})
			b.checkEvents(events, r)
			sent := b.server.Requests()
			if r.State != c.state || len(r.Failures) != c.refused || len(sent) != len(c.replies) {
				t.Fatalf("%s, %v, %d refused, %d requests; want %s, %d refused, %d requests", r.State, r.Err, len(r.Failures), len(sent), c.state, c.refused, len(c.replies))
			}
			if !strings.Contains(r.Answer, c.answer) {
				t.Errorf("the answer is %q", r.Answer)
			}
			if asked := string(sent[len(sent)-1].Body); !strings.Contains(asked, "if it is not needed after all") {
				t.Errorf("it is not told how to leave an edit out:\n%s", asked)
			}
			if left := told(events, "the model left out the refused edit of "); left != (c.refused > 0) {
				t.Errorf("the user is told that an edit was left out: %v", left)
			}
		})
	}
}

// A reply that was cut off before it held an edit takes nothing back: the turn ends without the edit, as an error.
func TestACutReplyLeavesNothingOut(t *testing.T) {
	b := newLookout(t, calling(noSuchX, "I send it again, as")+"-- 2.yaml --\nfinish: length\n", map[string]string{"a.py": "x = 1\n"})
	r, events := b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
	b.checkEvents(events, r)
	if r.State != event.TurnFailed || told(events, "the model left out") {
		t.Errorf("%s, %v; %q", r.State, r.Err, r.Answer)
	}
}
