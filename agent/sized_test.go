package agent_test

import (
	"strconv"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
)

// From 85 % of the room on the user is told; what does not fit is left out, and told; where that is not enough
// the user is asked, and without an answer nothing is sent. Tokens are four characters.
func TestTheSizeOfThePromptIsTold(t *testing.T) {
	const script = "-- 1.md --\nYes.\n-- 2.md --\nYes.\n"
	r := agent.Request{Instruction: "Is it so?", Coder: "ask", Files: []string{"a.txt"}}
	b := newBench(t, script, map[string]string{"a.txt": strings.Repeat("word ", 8000)}) // 10,000 tokens
	p, err := b.session.Prompt(t.Context(), r, agent.Ports{})
	if err != nil || p.Tokens < 10_000 || p.Tokens > 10_500 {
		t.Fatalf("%d tokens, %v", p.Tokens, err)
	}
	for _, c := range []struct {
		name    string
		percent int // of the room, that the prompt takes
		answers []string
		sent    bool
		asked   int
		warned  string
	}{
		{"small", 50, nil, true, 0, ""},
		{"below", 84, nil, true, 0, ""},
		{"nearly full", 86, nil, true, 0, "%)"},
		{"full", 99, nil, true, 0, "(9"},
		{"too large, and nobody answers", 120, nil, false, 1, ""},
		{"too large, and the answer is no", 120, []string{"cancel"}, false, 1, ""},
		{"too large, and sent all the same", 120, []string{"send"}, true, 1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, script, map[string]string{"a.txt": strings.Repeat("word ", 8000)})
			room := p.Tokens*100/c.percent + 1
			b.user.ContextWindow, b.user.MaxOutput = room+100, 100
			b.answers = c.answers
			result, events := b.run(r)
			if got := len(b.server.Requests()) > 0; got != c.sent || len(b.asked) != c.asked {
				t.Fatalf("sent %v, asked %+v, %+v", got, b.asked, result)
			}
			var notes string
			for _, e := range events {
				if e.Note != nil && e.Note.Level == event.LevelWarning {
					notes += e.Note.Text
				}
			}
			if (notes != "") != (c.warned != "") || !strings.Contains(notes, c.warned) {
				t.Errorf("warned: %q", notes)
			}
			end := events[len(events)-1].Ended
			for _, size := range []string{number(p.Tokens), number(room)} {
				if !c.sent && !strings.Contains(end.Message, size) {
					t.Errorf("%q does not say %s", end.Message, size)
				}
				if c.asked > 0 && !strings.Contains(b.asked[0].Text, size) {
					t.Errorf("%q does not say %s", b.asked[0].Text, size)
				}
				if c.warned != "" && !strings.Contains(notes, size) {
					t.Errorf("%q does not say %s", notes, size)
				}
			}
			if c.asked > 0 && b.asked[0].Default != "cancel" {
				t.Errorf("the default is %q", b.asked[0].Default)
			}
		})
	}
}

// A turn says once that its prompt is large and asks once whether to send it, however many rounds it has.
func TestTheSizeIsToldOnce(t *testing.T) {
	const bad = "a.py\n```python\n<<<<<<< SEARCH\nnot there\n=======\nx\n>>>>>>> REPLACE\n```\n"
	script := "-- 1.md --\n" + bad + "-- 2.md --\n" + bad + "-- 3.md --\n" + xIsTwo
	disk := map[string]string{"a.py": "x = 1\n" + strings.Repeat("word = 1\n", 2000)}
	for _, c := range []struct {
		window  int
		answers []string
		asked   int
	}{{6000, nil, 0}, {5000, []string{"send"}, 1}} {
		b := newBench(t, script, disk)
		b.user.ContextWindow, b.user.MaxOutput, b.answers = c.window, 100, c.answers
		_, events := b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
		told := 0
		for _, e := range events {
			if e.Note != nil && (strings.Contains(e.Note.Text, "tokens") || strings.Contains(e.Note.Text, "Left out")) {
				told++
			}
		}
		if len(b.server.Requests()) != 3 || told != 1 || len(b.asked) != c.asked {
			t.Errorf("window %d: %d requests, told %d times, asked %+v", c.window, len(b.server.Requests()), told, b.asked)
		}
	}
}

func number(n int) string { return strconv.Itoa(n) }
