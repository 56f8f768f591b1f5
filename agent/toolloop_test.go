package agent_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent"
	"coauthor/agent/coder"
	"coauthor/agent/event"
	"coauthor/agent/llm/llmtest"
)

// calling writes a script: each reply is a text, and calls as "name arguments" in lines behind it.
func calling(replies ...string) string {
	var b strings.Builder
	for i, r := range replies {
		text, calls, _ := strings.Cut(r, "\n>> ")
		fmt.Fprintf(&b, "-- %d.md --\n%s\n", i+1, text)
		if calls == "" {
			continue
		}
		fmt.Fprintf(&b, "-- %d.yaml --\ncalls:\n", i+1)
		for c := range strings.SplitSeq(calls, "\n>> ") {
			name, args, _ := strings.Cut(c, " ")
			fmt.Fprintf(&b, "  - name: %s\n    arguments: %q\n", name, args)
		}
	}
	return b.String()
}

func newLookout(t *testing.T, script string, disk map[string]string) *bench {
	b := newBench(t, script, disk)
	b.user.Tools = ""
	return b
}

// tools are the events of tools, as words.
func tools(events []event.Event) []string {
	var list []string
	for _, e := range events {
		if e.Kind == event.KindTool {
			list = append(list, e.Text)
		}
	}
	return list
}

// results are the last results that a request sends, and ids says whether each call has one.
func results(t *testing.T, sent llmtest.Recorded) (texts []string) {
	t.Helper()
	var body struct {
		Messages []struct {
			Role, Content string
			ID            string                `json:"tool_call_id"`
			Calls         []struct{ ID string } `json:"tool_calls"`
		}
	}
	if err := json.Unmarshal(sent.Body, &body); err != nil {
		t.Fatal(err)
	}
	open := []string{}
	for _, m := range body.Messages {
		switch {
		case m.Role == "tool":
			if len(open) == 0 || open[0] != m.ID {
				t.Errorf("a result of %q where %v are open", m.ID, open)
				return nil
			}
			open, texts = open[1:], append(texts, m.Content)
		case len(open) > 0:
			t.Errorf("no results of %v", open)
		case len(m.Calls) > 0:
			texts = nil
			for _, c := range m.Calls {
				open = append(open, c.ID)
			}
		}
	}
	if len(open) > 0 {
		t.Errorf("no results of %v", open)
	}
	return texts
}

// TestLookAround: the model calls tools, several in a reply, gets one result for each in their order, and
// answers. All is told and counted.
func TestLookAround(t *testing.T) {
	b := newLookout(t, calling("I look.\n>> read {\"path\":\"a.go\"}\n>> search {\"pattern\":\"needle\"}", "\n>> list {}", "It is in b.go."),
		map[string]string{"a.go": "package a\n", "b.go": "package b // needle\n"})
	r, events := b.run(agent.Request{Instruction: "Where is the needle?", Coder: "ask"})
	b.checkEvents(events, r)
	if strings.TrimSpace(r.Answer) != "It is in b.go." || r.State != event.TurnAnswered {
		t.Errorf("%+v", r)
	}
	if diff := cmp.Diff([]string{"read a.go", "search needle", "list"}, tools(events)); diff != "" {
		t.Error(diff)
	}
	sent := b.server.Requests()
	if len(sent) != 3 {
		t.Fatalf("%d requests", len(sent))
	}
	if got := results(t, sent[1]); len(got) != 2 || !strings.Contains(got[0], "1|package a") || !strings.Contains(got[1], "b.go") {
		t.Errorf("%q", got)
	}
	if got := results(t, sent[2]); len(got) != 1 || !strings.Contains(got[0], "Entries 1-2 of 2.") {
		t.Errorf("%q", got)
	}
	for _, s := range sent {
		if !strings.Contains(string(s.Body), `"tools":[{`) || strings.Contains(string(s.Body), "tool_choice") {
			t.Errorf("sent %s", s.Body)
		}
	}
	usages := 0
	for _, e := range events {
		if e.Kind == event.KindUsage {
			usages++
		}
	}
	if usages != 3 {
		t.Errorf("%d usages", usages)
	}
}

// TestWhoLooksAround: coders and models that have tools, and those that do not.
func TestWhoLooksAround(t *testing.T) {
	for what, x := range map[string]struct {
		coder, model string
		native, text bool
	}{
		"ask": {"ask", "", true, false}, "architect": {"architect", "native", true, false},
		"code":               {"code", "", true, false},
		"a very small model": {"ask", "never", false, false}, "in words": {"ask", "text", false, true},
	} {
		b := newBench(t, "-- 1.md --\nNothing.\n-- 1.yaml --\nrepeat: true\n", map[string]string{"a.go": "package a\n"})
		b.user.Tools = x.model
		b.run(agent.Request{Instruction: "Why?", Coder: x.coder})
		body := string(b.server.Requests()[0].Body)
		if strings.Contains(body, `"tools"`) != x.native || strings.Contains(body, "READ path") != x.text || strings.Contains(body, "look around") != (x.native || x.text) {
			t.Errorf("%s: sent %s", what, body)
		}
	}
}

// TestLookAroundInWords: a model without tools writes its calls, as it was told or as it was once taught; the
// results come in one message. A server that refuses tools is known from then on.
func TestLookAroundInWords(t *testing.T) {
	for what, x := range map[string]struct{ form, reply string }{
		"lines":              {"text", "I look.\n\nREAD a.go 2-3\n"},
		"XML":                {"text", "<tool_call>\n<function=read><parameter=path>a.go</parameter><parameter=start>2</parameter></function>\n</tool_call>"},
		"JSON though native": {"", "```json\n{\"name\": \"read\", \"arguments\": {\"path\": \"a.go\", \"start\": 2}}\n```"},
	} {
		b := newLookout(t, calling(x.reply, "Two."), map[string]string{"a.go": "one\ntwo\nthree\nfour\n"})
		b.user.Tools = x.form
		r, events := b.run(agent.Request{Instruction: "What is it?", Coder: "ask"})
		b.checkEvents(events, r)
		if strings.TrimSpace(r.Answer) != "Two." || len(tools(events)) != 1 {
			t.Errorf("%s: %+v", what, r)
			continue
		}
		messages := b.server.Requests()[1].Messages
		last := messages[len(messages)-1]
		if last.Role != "user" || !strings.HasPrefix(last.Content, "RESULT READ a.go\n2|two\n3|three\n") {
			t.Errorf("%s: %+v", what, last)
		}
	}
	b := newLookout(t, "-- 1.md --\nthis model does not support tools\n-- 1.yaml --\nstatus: 400\n-- 2.md --\nLIST .\n-- 3.md --\nDone.\n-- 4.md --\nDone.\n", map[string]string{"a.go": "one\n"})
	for range 2 {
		if r, _ := b.run(agent.Request{Instruction: "What is it?", Coder: "ask"}); strings.TrimSpace(r.Answer) != "Done." {
			t.Errorf("%+v", r)
		}
	}
	for i, s := range b.server.Requests() {
		if strings.Contains(string(s.Body), `"tools"`) != (i == 0) || i > 3 {
			t.Errorf("request %d: %s", i+1, s.Body)
		}
	}
}

// TestBadCalls: whatever the calls are, each has one result that says what to do, and the turn goes on.
func TestBadCalls(t *testing.T) {
	var many strings.Builder
	for i := range 10 {
		fmt.Fprintf(&many, "\n>> read {\"path\":\"big.txt\",\"start\":%d,\"lines\":900}", i+1)
	}
	b := newLookout(t, calling("\n>> write {\"path\":\"a\"}\n>> read {\"path\":\"a.go", "\n>> list {}\n>> read {\"path\":\".env\"}", "\n>> read_file \"{\\\"file\\\":\\\"a.go\\\"}\"", many.String(), "Done."),
		map[string]string{"a.go": "package a\n", ".env": "SECRET=1\n", "big.txt": strings.Repeat("some words to fill the line\n", 1000)})
	r, events := b.run(agent.Request{Instruction: "What is it?", Coder: "ask"})
	b.checkEvents(events, r)
	sent := b.server.Requests()
	if strings.TrimSpace(r.Answer) != "Done." || len(sent) != 5 {
		t.Fatalf("%d requests, %+v", len(sent), r)
	}
	if got := results(t, sent[1]); !strings.HasPrefix(got[0], `There is no tool "write"; the tools are list, read,`) || !strings.Contains(got[1], "end in the middle") {
		t.Errorf("%q", got)
	}
	if got := results(t, sent[2]); !strings.HasPrefix(got[1], ".env is not sent to the model: ") || strings.Contains(string(sent[2].Body), "SECRET") {
		t.Errorf("%q", got)
	}
	if got := results(t, sent[3]); !strings.Contains(got[0], "1|package a") {
		t.Errorf("%q", got)
	}
	got, size, late := results(t, sent[4]), 0, 0
	for _, text := range got {
		size += len(text)
		if strings.HasPrefix(text, "Not shown") {
			late++
		}
	}
	if len(got) != 10 || size > 121_000 || late == 0 || !strings.HasPrefix(got[8], "Not run: one reply may hold 8 calls") || !strings.HasPrefix(got[9], "Not run") {
		t.Errorf("%d results, %d characters, %d late", len(got), size, late)
	}
	// None is run of a reply that came to its limit: what there is is the answer.
	b = newLookout(t, calling("As far as I see\n>> list {}")+"finish: length\n", map[string]string{"a.go": "x\n"})
	if r, events := b.run(agent.Request{Instruction: "What is it?", Coder: "ask"}); len(tools(events)) > 0 || !strings.Contains(r.Answer, "As far") || len(b.server.Requests()) != 1 {
		t.Errorf("%+v", r)
	}
}

// TestStuck: who looks at the same again gets no result a second time, is told a third time, and has to answer
// after the fourth. So it is after three bad calls and after as many calls of the model as a turn has.
func TestStuck(t *testing.T) {
	same := "\n>> list {}"
	b := newLookout(t, calling(same, same, same, same, "It is small."), map[string]string{"a.go": "x\n"})
	r, events := b.run(agent.Request{Instruction: "What is it?", Coder: "ask"})
	sent := b.server.Requests()
	if len(sent) != 5 || strings.TrimSpace(r.Answer) != "It is small." || len(tools(events)) != 1 {
		t.Fatalf("%d requests, %+v", len(sent), r)
	}
	for i, want := range []string{"Entries", "Same as above: ", "three times", "This was the last look. Answer now"} {
		if got := results(t, sent[i+1]); len(got) != 1 || !strings.Contains(got[0], want) {
			t.Errorf("result %d: %q", i+1, got)
		}
	}
	bad := "\n>> read {\"path\":\"none%d\"}"
	b = newLookout(t, calling(fmt.Sprintf(bad, 1), fmt.Sprintf(bad, 2), fmt.Sprintf(bad, 3), "I do not know."), map[string]string{"a.go": "x\n"})
	if r, _ := b.run(agent.Request{Instruction: "What is it?", Coder: "ask"}); len(b.server.Requests()) != 4 || strings.TrimSpace(r.Answer) != "I do not know." {
		t.Errorf("three bad calls: %d requests, %+v", len(b.server.Requests()), r)
	}
	var replies []string
	for i := range 30 {
		replies = append(replies, fmt.Sprintf("\n>> search {\"pattern\":\"word%d\"}", i))
	}
	b = newLookout(t, calling(replies...), map[string]string{"a.go": "x\n"})
	r, _ = b.run(agent.Request{Instruction: "What is it?", Coder: "ask"})
	sent = b.server.Requests()
	if len(sent) != 24 || r.Err == nil || !strings.Contains(r.Err.Error(), "only called tools and gave no answer") {
		t.Errorf("%d requests, %+v", len(sent), r)
	}
	if got := results(t, sent[23]); !strings.Contains(got[0], "This was the last look") {
		t.Errorf("%q", got)
	}
}

// TestLooksFitTheWindow: older results are taken out where room runs short, and the prompt stays within it.
func TestLooksFitTheWindow(t *testing.T) {
	var replies []string
	disk := map[string]string{}
	for i := range 12 {
		name := fmt.Sprintf("f%02d.txt", i)
		disk[name] = strings.Repeat(fmt.Sprintf("%02d words and words\n", i), 150)
		replies = append(replies, fmt.Sprintf("\n>> read {\"path\":%q}", name))
	}
	b := newLookout(t, calling(append(replies, "Done.")...), disk)
	b.user.ContextWindow, b.user.MaxOutput = 8000, 1000
	r, events := b.run(agent.Request{Instruction: "What is it?", Coder: "ask"})
	if strings.TrimSpace(r.Answer) != "Done." {
		t.Fatalf("%+v", r)
	}
	sent := b.server.Requests()
	last := string(sent[len(sent)-1].Body)
	if strings.Contains(last, "|00 words") || !strings.Contains(last, "|11 words") || !strings.Contains(last, "not shown any more") {
		t.Errorf("the last request:\n%s", last)
	}
	for i, s := range sent {
		tokens := 0
		for _, m := range s.Messages {
			tokens += len(m.Content) / 4
		}
		if tokens > 7000 {
			t.Errorf("request %d has about %d tokens", i+1, tokens)
		}
		if i > 0 {
			results(t, s)
		}
	}
	if !slices.ContainsFunc(events, func(e event.Event) bool {
		return e.Kind == event.KindNote && strings.Contains(e.Note.Text, "no longer sends")
	}) {
		t.Error("the user was not told")
	}
}

// TestWhatWasReadMayBeEdited: a file that read showed is edited without a question; a whole new text only
// where all of it was shown. Edits beside a call count.
func TestWhatWasReadMayBeEdited(t *testing.T) {
	const edit = "%s\n```\n<<<<<<< SEARCH\n%s\n=======\n%s\n>>>>>>> REPLACE\n```\n"
	scout := coder.Coder{Name: "scout", Title: "Scout", Doc: "Scouts.", Said: "What.", Edits: true, Tools: true, Template: "code.md.tmpl", Next: coder.Reflect}
	disk := map[string]string{"a.go": "package a\n", "b.txt": "one\ntwo\nthree\n", "c.go": "package c\n"}
	for what, x := range map[string]struct {
		format  string
		replies []string
		changed []string
		asked   int
	}{
		"read":        {"diff", []string{"\n>> read {\"path\":\"b.txt\"}", fmt.Sprintf(edit, "b.txt", "two", "2")}, []string{"b.txt"}, 0},
		"not read":    {"diff", []string{"\n>> read {\"path\":\"a.go\"}", fmt.Sprintf(edit, "b.txt", "two", "2"), "No."}, nil, 1},
		"beside":      {"diff", []string{"\n>> read {\"path\":\"b.txt\"}", fmt.Sprintf(edit, "b.txt", "two", "2") + "\n>> read {\"path\":\"c.go\"}", fmt.Sprintf(edit, "c.go", "package c", "package d")}, []string{"b.txt", "c.go"}, 0},
		"a part":      {"diff", []string{"\n>> read {\"path\":\"b.txt\",\"start\":2,\"lines\":1}", fmt.Sprintf(edit, "b.txt", "two", "2")}, []string{"b.txt"}, 0},
		"whole":       {"whole", []string{"\n>> read {\"path\":\"b.txt\"}", "b.txt\n```\none\n2\nthree\n```\n"}, []string{"b.txt"}, 0},
		"whole, part": {"whole", []string{"\n>> read {\"path\":\"b.txt\",\"start\":2,\"lines\":1}", "b.txt\n```\n2\n```\n", "No."}, nil, 1},
	} {
		b := newLookout(t, calling(x.replies...), disk)
		b.withCoders(scout)
		r, events := b.run(agent.Request{Instruction: "Change it.", Coder: "scout", Format: x.format})
		b.checkEvents(events, r)
		var changed []string
		if r.Proposal != nil {
			for _, f := range r.Proposal.Files {
				changed = append(changed, f.Change.Path)
			}
		}
		if diff := cmp.Diff(x.changed, changed); diff != "" || len(b.asked) != x.asked {
			t.Errorf("%s: %d questions, %+v\n%s", what, len(b.asked), r, diff)
		}
	}
}

// TestPlanShowsWhatWasRead: who writes the edits of a plan sees the files that were looked at and that the
// plan speaks of.
func TestPlanShowsWhatWasRead(t *testing.T) {
	b := newLookout(t, calling("\n>> read {\"path\":\"b.txt\"}\n>> read {\"path\":\"c.txt\"}", "Replace two by 2 in b.txt."+asPlan, "b.txt\n```\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n```\n"),
		map[string]string{"b.txt": "one\ntwo\n", "c.txt": "other words\n"})
	r, _ := b.run(agent.Request{Instruction: "Change it.", Coder: "architect"})
	if r.Proposal == nil || len(b.asked) > 0 {
		t.Fatalf("%d questions, %+v", len(b.asked), r)
	}
	if last := string(b.server.Requests()[2].Body); !strings.Contains(last, "one\\ntwo") || strings.Contains(last, "other words") {
		t.Errorf("the editor was sent %s", last)
	}
}

// TestLooksAreSeen: the line that shows what a turn does says what the model looks at, and no longer when the
// model is asked again, also where its replies are nothing but calls.
func TestLooksAreSeen(t *testing.T) {
	b := newLookout(t, calling("\n>> read {\"path\":\"a.go\"}", "\n>> list {}", "It is in a.go."), map[string]string{"a.go": "package a\n"})
	_, events := b.run(agent.Request{Instruction: "Where is it?", Coder: "ask"})
	var p event.Progress
	var lines []string
	for _, e := range events {
		p.Take(&e, b.clock)
		line := strings.SplitN(p.Line(b.clock), " · ", 3)
		if say := strings.Join(line[:min(2, len(line))], " · "); len(lines) == 0 || lines[len(lines)-1] != say {
			lines = append(lines, say)
		}
	}
	want := []string{"Collecting context", "Waiting for scripted", "Looking · read a.go", "Waiting for scripted", "Looking · list", "Waiting for scripted", "Thinking"}
	if len(lines) < len(want) || !slices.Equal(lines[:len(want)], want) || !strings.HasPrefix(lines[len(want)], "Writing") {
		t.Errorf("the line was %q", lines)
	}
}

// TestLooksStayOverRounds: a model that is asked again is still sent what it looked at, but for files that its edits have changed since.
func TestLooksStayOverRounds(t *testing.T) {
	const edit = "%s\n```\n<<<<<<< SEARCH\n%s\n=======\n%s\n>>>>>>> REPLACE\n```\n"
	b := newLookout(t, calling("I look.\n>> read {\"path\":\"a.txt\"}\n>> read {\"path\":\"b.txt\"}", fmt.Sprintf(edit, "a.txt", "one", "1")+fmt.Sprintf(edit, "b.txt", "nothing", "2"), fmt.Sprintf(edit, "b.txt", "two", "2")),
		map[string]string{"a.txt": "one\n", "b.txt": "two\n"})
	r, events := b.run(agent.Request{Instruction: "Change them.", Coder: "code", Format: "diff"})
	b.checkEvents(events, r)
	sent := b.server.Requests()
	if len(sent) != 3 || r.Proposal == nil || len(r.Proposal.Files) != 2 {
		t.Fatalf("%d requests, %+v", len(sent), r)
	}
	got := results(t, sent[2])
	if len(got) != 2 || !strings.Contains(got[0], "the file has changed") || !strings.HasPrefix(got[1], "1|two") {
		t.Errorf("the second round is sent %q", got)
	}
	if n := strings.Count(string(sent[2].Body), "I look."); n != 1 {
		t.Errorf("what it wrote beside its calls is sent %d times", n)
	}
}
