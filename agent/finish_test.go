package agent_test

import (
	"slices"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
)

// finished is a reply with edits and a call of finish behind them.
func finished(text, args string) string { return text + "\n>> finish " + args }

// TestAutoFinishesByACall: auto has its model say by a call how far the task is. Whatever the model makes of
// that, each call that goes back has its result, and the turn ends with what was changed.
func TestAutoFinishesByACall(t *testing.T) {
	x2, z1 := put("a.py", "x = 1", "x = 2", ""), put("b.py", "y = 1", "z = 1", "")
	look := "\n>> read {\"path\":\"b.py\"}"
	for what, c := range map[string]struct {
		replies []string
		calls   int    // of the model
		files   int    // in the proposal
		told    string // to the user, as a round or a note
		sent    string // in the last request
		answer  string // the last line of the answer
	}{
		"at once":                           {[]string{finished(x2, `{"done":true}`)}, 1, 1, "", "", "DONE"},
		"in two rounds":                     {[]string{finished(x2, `{"done":false,"next":"rename y in b.py"}`), finished(z1, `{"done":true}`)}, 2, 2, "Step 2: rename y in b.py", "Go on: rename y in b.py", "DONE"},
		"the call is told as text":          {[]string{finished(x2, `{"done":false,"next":"b.py"}`), finished(z1, `{"done":true}`)}, 2, 2, "", `NEXT: b.py`, "DONE"},
		"a line instead of a call":          {[]string{put("a.py", "x = 1", "x = 2", "\nNEXT: b.py"), put("b.py", "y = 1", "z = 1", "\nDONE")}, 2, 2, "Step 2: b.py", "", "DONE"},
		"the call counts above the line":    {[]string{finished(put("a.py", "x = 1", "x = 2", "\nDONE"), `{"done":false,"next":"b.py"}`), finished(z1, `{"done":true}`)}, 2, 2, "Step 2: b.py", "", "DONE"},
		"written as text":                   {[]string{x2 + "\n<function=finish><parameter=done>true</parameter></function>"}, 1, 1, "", "", "DONE"},
		"looks, then edits":                 {[]string{look, finished(x2, `{"done":true}`)}, 2, 1, "", "y = 1", "DONE"},
		"finish beside a look":              {[]string{look + "\n>> finish {\"done\":true}", finished(x2, `{"done":true}`)}, 2, 1, "", "The call of finish was ignored, because this reply also calls other tools.", "DONE"},
		"edits beside a look and finish":    {[]string{x2 + "\n>> finish {\"done\":true}" + look, finished(z1, `{"done":true}`)}, 2, 2, "", "The call of finish was ignored, because this reply also calls other tools.", "DONE"},
		"edits, then the call by itself":    {[]string{x2 + look, finished("", `{"done":true}`)}, 2, 1, "", "", "DONE"},
		"broken beside edits":               {[]string{finished(x2, `{"done":"perhaps"}`), finished("", `{"done":true}`)}, 2, 1, "Step 2", `Your call of finish could not be read: \"done\" must be true or false`, "DONE"},
		"broken alone":                      {[]string{finished("", `{"done":tr`), finished(x2, `{"done":true}`)}, 2, 1, "", "The arguments end in the middle", "DONE"},
		"broken three times":                {[]string{finished("", `{"done":1.5}`), finished("", `{"done":2}`), finished("", `{"done":3}`), finished(x2, `{"done":true}`)}, 4, 1, "the same tool calls", "This was the last look", "DONE"},
		"done with a word":                  {[]string{finished("It is two already.", `{"done":true}`)}, 1, 0, "", "", "DONE"},
		"done with a summary":               {[]string{finished("", `{"done":true,"summary":"It is two already."}`)}, 1, 0, "", "", "DONE"},
		"done without a word":               {[]string{finished("", `{"done":true}`), finished("It is two already.", `{"done":true}`)}, 2, 0, "", "Nothing was changed in this task", "DONE"},
		"done without a word, twice":        {[]string{finished("", `{"done":true}`), finished("", `{"done":true}`)}, 2, 0, "without changing anything", "Nothing was changed in this task", "DONE"},
		"done without a word, then edits":   {[]string{finished("", `{"done":true}`), finished(x2, `{"done":true}`)}, 2, 1, "", "", "DONE"},
		"not done without a next step":      {[]string{finished(x2, `{"done":false}`), finished("", `{"done":true}`)}, 2, 1, "Step 2", "If all of the task is done, call finish with done true and make no edits.", "DONE"},
		"a refused edit is repaired first":  {[]string{finished(put("a.py", "x = 7", "x = 2", ""), `{"done":true}`), finished(x2, `{"done":true}`)}, 2, 1, "1 edit did not match", "", "DONE"},
		"two rounds that change nothing":    {[]string{finished(x2, `{"done":false,"next":"b.py"}`), finished("", `{"done":false,"next":"think"}`), finished("", `{"done":false,"next":"think more"}`)}, 3, 1, "made no changes", "NEXT: think", "NEXT: think more"},
		"neither a call nor a line ends it": {[]string{"It is two already."}, 1, 0, "", "", "It is two already."},
	} {
		b := newLookout(t, calling(c.replies...), map[string]string{"a.py": "x = 1\n", "b.py": "y = 1\n"})
		r, events := b.run(agent.Request{Instruction: "Make x two and rename y.", Coder: "auto", Files: []string{"a.py", "b.py"}})
		b.checkEvents(events, r)
		sent := b.server.Requests()
		for _, one := range sent {
			results(t, one) // each call has its result, in order
		}
		files := 0
		if r.Proposal != nil {
			files = len(r.Proposal.Files)
		}
		if len(sent) != c.calls || files != c.files || (r.State == event.TurnProposed) != (c.files > 0) || r.Err != nil {
			t.Errorf("%s: %d calls, want %d; %s with %d files, want %d: %v", what, len(sent), c.calls, r.State, files, c.files, r.Err)
			continue
		}
		rounds := slices.ContainsFunc(events, func(e event.Event) bool { return e.Kind == event.KindRound && strings.Contains(e.Text, c.told) })
		if c.told != "" && !rounds && !told(events, c.told) {
			t.Errorf("%s: the user is not told %q", what, c.told)
		}
		if last := string(sent[len(sent)-1].Body); !strings.Contains(last, c.sent) {
			t.Errorf("%s: the last request is not sent %q:\n%s", what, c.sent, last)
		}
		lines := strings.Split(strings.TrimSpace(r.Answer), "\n")
		if last := lines[len(lines)-1]; last != c.answer || strings.Contains(r.Answer, "<function") {
			t.Errorf("%s: the answer is %q", what, r.Answer)
		}
		if slices.ContainsFunc(tools(events), func(s string) bool { return strings.HasPrefix(s, "finish") }) {
			t.Errorf("%s: finish is told as a look", what)
		}
	}
}

// TestWhoFinishes: finish is offered to the models of auto that have tools, and to no others, who are told
// that there is no such tool.
func TestWhoFinishes(t *testing.T) {
	for what, c := range map[string]struct {
		coder, format, tools string
		offered              bool
		taught               string // in the system text of auto
	}{
		"auto":                         {coder: "auto", offered: true, taught: "call the tool finish"},
		"a model that has none":        {coder: "auto", tools: "never", taught: "End with one line behind all edits: DONE"},
		"a model that is told in text": {coder: "auto", tools: "text", taught: "End with one line behind all edits: DONE"},
		"a format that forces a call":  {coder: "auto", format: "func", taught: "leave the list empty"},
		"ask":                          {coder: "ask"},
		"architect":                    {coder: "architect"},
	} {
		b := newLookout(t, "repeat: true\n-- 1.md --\nNothing.\n", map[string]string{"a.py": "x = 1\n"})
		b.user.Tools = c.tools
		b.run(agent.Request{Instruction: "Make x two.", Coder: c.coder, Format: c.format, Files: []string{"a.py"}})
		body := string(b.server.Requests()[0].Body)
		if got := strings.Contains(body, `"name":"finish"`); got != c.offered || !strings.Contains(body, c.taught) {
			t.Errorf("%s: finish offered: %v, want %v with %q:\n%s", what, got, c.offered, c.taught, body)
		}
		if c.offered && strings.Index(body, `"name":"git"`) > strings.Index(body, `"name":"finish"`) {
			t.Errorf("%s: finish stands before the tools that all have, which changes the cached front", what)
		}
	}
	b := newLookout(t, calling("\n>> finish {\"done\":true}", "It is one."), map[string]string{"a.py": "x = 1\n"})
	b.run(agent.Request{Instruction: "What is x?", Coder: "ask", Files: []string{"a.py"}})
	if got := results(t, b.server.Requests()[1]); len(got) != 1 || !strings.HasPrefix(got[0], `There is no tool "finish"`) {
		t.Errorf("ask is told %q", got)
	}
}

// A file that the model has looked at may be edited in the next words, also one that holds the fence of the prompt: then it is
// told another one at once, its edits are read by that, and the next prompt is made with it.
func TestTheFenceOfAFileThatWasLookedAt(t *testing.T) {
	look := "I look.\n>> read {\"path\":\"doc.md\"}"
	listing := "doc.md\n````\nUse:\n```\nrun it\n```\nThen stop.\n````"
	b := newLookout(t, calling(look, finished(listing, `{"done":false,"next":"look again"}`), finished("That is all.", `{"done":true}`)),
		map[string]string{"doc.md": "Use:\n```\nrun\n```\n", "a.py": "x = 1\n"})
	b.user.EditFormat = "whole"
	r, events := b.run(agent.Request{Instruction: "Bring the manual up to date.", Coder: "auto", Files: []string{"a.py"}})
	b.checkEvents(events, r)
	if r.State != event.TurnProposed || r.Proposal.Files[0].Change.After != "Use:\n```\nrun it\n```\nThen stop.\n" {
		t.Fatalf("%s, %v, %+v", r.State, r.Err, r.Proposal)
	}
	sent := b.server.Requests()
	if len(sent) != 3 {
		t.Fatalf("%d requests", len(sent))
	}
	if text := string(sent[0].Body); strings.Contains(text, "````") {
		t.Error("the other fence is asked for before there is a reason")
	}
	if text := string(sent[1].Body); strings.Count(text, "holds ``` itself. So from now on begin each block with ````") != 1 {
		t.Errorf("after the look it is told\n%s", text)
	}
	if text := sent[2].Messages[0].Content; !strings.Contains(text, "begin each block with ````") {
		t.Errorf("the next round begins with\n%s", text)
	}
}

// Who goes on by itself is told where an edit landed whose lines were not those of the file, also where nothing else goes back.
func TestAutoIsToldWhatLandedOtherwise(t *testing.T) {
	const text = "def total(prices, rate):\n    amount = sum(prices)\n    taxes = amount * rate\n    return amount + taxes\n"
	like := put("a.py", "def total(prices, rate):\n    amount = sum(price)\n    taxes = amount * rate\n    return amount + taxes", "def total(prices, rate):\n    return sum(prices) * (1 + rate)", "")
	b := newLookout(t, calling(finished(like, `{"done":false,"next":"b.py"}`), finished(put("b.py", "y = 1", "z = 1", ""), `{"done":true}`)), map[string]string{"a.py": text, "b.py": "y = 1\n"})
	r, _ := b.run(agent.Request{Instruction: "Make it short.", Coder: "auto", Files: []string{"a.py", "b.py"}})
	if r.State != event.TurnProposed || len(r.Proposal.Files) != 2 {
		t.Fatalf("%s %v %+v", r.State, r.Err, r.Failures)
	}
	sent := b.server.Requests()
	last := sent[1].Messages[len(sent[1].Messages)-1].Content
	for _, m := range sent[1].Messages {
		if strings.Contains(m.Content, "Go on: b.py") {
			last = m.Content
		}
	}
	if !strings.Contains(last, "Your edit of a.py was carried out at line 1, where these lines differ") || !strings.Contains(last, "+    amount = sum(prices)") && !strings.Contains(last, "+amount = sum(prices)") || !strings.HasSuffix(strings.TrimSpace(last), "Go on: b.py") {
		t.Errorf("it is told\n%s", last)
	}
	if strings.Contains(strings.Join(strings.Fields(last), " "), "differ from what you wrote (- yours, + those of the file): ``` ```") {
		t.Errorf("no line is told:\n%s", last)
	}
}
