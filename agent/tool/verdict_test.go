package tool_test

import (
	"strings"
	"testing"

	"coauthor/agent/coder"
	"coauthor/agent/llm"
	"coauthor/agent/tool"
)

// TestReadVerdict: what real replies say about their task at the end.
func TestReadVerdict(t *testing.T) {
	yes, no := coder.Verdict{Said: true, Done: true}, coder.Verdict{}
	next := func(what string) coder.Verdict { return coder.Verdict{Said: true, Next: what} }
	for reply, want := range map[string]coder.Verdict{
		"I renamed it.\n\nDONE":             yes,
		"DONE":                              yes,
		"DONE.\n\n":                         yes,
		"**DONE**":                          yes,
		"`DONE`":                            yes,
		"```\nDONE\n```":                    yes,
		"### DONE":                          yes,
		"- DONE":                            yes,
		"Done":                              yes,
		"Done!":                             yes,
		"done - all tests use the new name": yes,
		"Status: DONE":                      yes,
		"Task complete.":                    yes,
		"DONE: nothing is left.":            yes,
		"NEXT: DONE":                        yes,
		"NEXT: none":                        yes,
		"NEXT: nothing else to do.":         yes,
		"NEXT:":                             yes,
		"done: true\nnext: finish":          yes, // a model of 1.5B, for a call
		"I added the flag.\n\nNEXT: use the flag in main.go": next("use the flag in main.go"),
		"NEXT: use it.\r\n":                      next("use it."),
		"**NEXT:** use it":                       next("use it"),
		"**NEXT**: use it":                       next("use it"),
		"*NEXT: use it*":                         next("use it"),
		"Next: use it":                           next("use it"),
		"Next step: use it":                      next("use it"),
		"> NEXT: use it":                         next("use it"),
		"```\nNEXT: use it\n```":                 next("use it"),
		"NEXT：使用它":                               next("使用它"),
		"NEXT: do both:\n- main.go\n- lib.go":    next("do both:\n- main.go\n- lib.go"),
		"NEXT:\nuse it":                          next("use it"),
		"NEXT: one\nNEXT: two":                   next("two"),
		"DONE\nNEXT: the tests":                  next("the tests"),
		"NEXT: nothing calls it yet, so call it": next("nothing calls it yet, so call it"),
		"":                                       no,
		"I changed x.":                           no,
		"It is not done yet.":                    no,
		"Donets is a river.":                     no,
		"DONE is what I would say, but main.go is left":                                                      no,
		"The next thing is main.go.":                                                                         no,
		"NEXT: early\n\n1\n2\n3\n4\n5":                                                                       no,
		"DONE\n\nTell me if you need more.":                                                                  no,
		`{"name": "finish", "arguments": {"done": true}}`:                                                    yes,
		"Well.\n```json\n{\"name\": \"finish\", \"arguments\": {\"done\": true}}\n```":                       yes,
		`<tool_call>{"name":"finish","arguments":{"done":false,"next":"the tests"}}</tool_call>`:             next("the tests"),
		"<function=finish>\n<parameter=done>\ntrue\n</parameter>\n</function>":                               yes,
		"<function=finish><parameter=done>false</parameter><parameter=next>the tests</parameter></function>": next("the tests"),
		"<function=finish>\n<parameter=done>\nfalse\n</parameter>\n<parameter=next>\nthe tests":              no,
		"```xml\n<a/>\n<function=finish><parameter=done>true</parameter></function>\n```":                    no,
		"{\"name\": \"finish\", \"arguments\": {\"done\": true}}\nNEXT: the tests":                           yes,
		`{"name": "attempt_completion", "arguments": {"result": "All set."}}`:                                {Said: true, Done: true, Summary: "All set."},
		`{"name": "finish", "arguments": {"done": true`:                                                      no,
		`{"name": "read", "arguments": {"done": true}}`:                                                      no,
	} {
		if got, err := tool.ReadVerdict(reply, nil); got != want || err != nil {
			t.Errorf("%q: %+v, %v, want %+v", reply, got, err, want)
		}
	}
}

// TestReadVerdictOfCalls: what calls of finish say, as models make them.
func TestReadVerdictOfCalls(t *testing.T) {
	yes := coder.Verdict{Said: true, Done: true}
	next := func(what string) coder.Verdict { return coder.Verdict{Said: true, Next: what} }
	for _, x := range []struct {
		calls string // name and arguments, one a line
		prose string
		want  coder.Verdict
		err   string
	}{
		{calls: `finish {"done":true}`, want: yes},
		{calls: `finish {"done":false,"next":"the tests"}`, want: next("the tests")},
		{calls: `finish {"done":true,"summary":"It was two already."}`, want: coder.Verdict{Said: true, Done: true, Summary: "It was two already."}},
		{calls: `finish {"done":true,"next":"you could add tests"}`, want: yes},
		{calls: `finish {"done":false}`, want: next("")},
		{calls: `finish {"next":"the tests"}`, want: next("the tests")},
		{calls: `finish {}`, want: yes},
		{calls: `finish`, want: yes},
		{calls: `finish null`, want: yes},
		{calls: `finish {"done":"true"}`, want: yes},
		{calls: `finish {"done":"No","next":"b.py"}`, want: next("b.py")},
		{calls: `finish {"done":1}`, want: yes},
		{calls: `finish {"done":0,"next":"b.py"}`, want: next("b.py")},
		{calls: `finish {"status":"in_progress","next_step":"b.py"}`, want: next("b.py")},
		{calls: `finish {"complete":"done"}`, want: yes},
		{calls: `finish {"done":false,"next":["a.py","b.py"]}`, want: next("a.py b.py")},
		{calls: `finish {"done":false,"next":"none"}`, want: yes},
		{calls: `finish {"done":null,"next":" "}`, want: yes},
		{calls: `finish "{\"done\":true}"`, want: yes},
		{calls: `finish {"done":true}}`, want: yes},
		{calls: `Finish {"done":true}`, want: yes},
		{calls: `functions.finish:0 {"done":true}`, want: yes},
		{calls: `attempt_completion {"result":"All set."}`, want: coder.Verdict{Said: true, Done: true, Summary: "All set."}},
		{calls: `finish {"done":true}` + "\n" + `finish {"done":false,"next":"b.py"}`, want: next("b.py")},
		{calls: `finish {"done":false,"next":"b.py"}` + "\n" + `finish {"done":tr`, want: next("b.py")},
		{calls: `finish {"done":false,"next":"b.py"}`, prose: "I changed it.\n\nDONE", want: next("b.py")},
		{calls: `finish {"done":tr`, err: "end in the middle"},
		{calls: `finish {"done":true,"summary":"It`, err: "end in the middle"},
		{calls: `finish {"done":"maybe"}`, err: `"done" must be true or false, not maybe`},
		{calls: `finish done`, err: "no JSON object"},
		{calls: `finish {"done":tr`, prose: "I changed it.\n\nNEXT: b.py", want: next("b.py")},
	} {
		var calls []llm.Call
		for line := range strings.SplitSeq(x.calls, "\n") {
			name, args, _ := strings.Cut(line, " ")
			calls = append(calls, llm.Call{Name: name, Arguments: args})
			if !tool.Finishes(calls[0]) {
				t.Errorf("%s is no call of finish", line)
			}
		}
		got, err := tool.ReadVerdict(x.prose, calls)
		if got != x.want || (err != nil) != (x.err != "") || err != nil && !strings.Contains(err.Error(), x.err) {
			t.Errorf("%s, %q: %+v, %v, want %+v", x.calls, x.prose, got, err, x.want)
		}
	}
	for _, name := range []string{"read", "list", "unfinished_business", "", "refinish"} {
		if tool.Finishes(llm.Call{Name: name}) {
			t.Errorf("%q is taken for finish", name)
		}
	}
	long, err := tool.ReadVerdict("", []llm.Call{{Name: "finish", Arguments: `{"done":false,"next":"` + strings.Repeat("ä", 5000) + `"}`}})
	if n := len([]rune(long.Next)); n != 2000 || err != nil {
		t.Errorf("a step of %d characters, %v", n, err)
	}
}

// TestWritten: a verdict as text says the same when it is read again, and is not said twice.
func TestWritten(t *testing.T) {
	for _, x := range []struct {
		text string
		v    coder.Verdict
		want string
	}{
		{"I changed it.\n", coder.Verdict{Said: true, Done: true}, "I changed it.\n\nDONE"},
		{"", coder.Verdict{Said: true, Done: true, Summary: "It was two."}, "It was two.\n\nDONE"},
		{"It was two.", coder.Verdict{Said: true, Done: true, Summary: "It was two."}, "It was two.\n\nDONE"},
		{"I changed it.\n\nDONE", coder.Verdict{Said: true, Done: true}, "I changed it.\n\nDONE"},
		{"I changed it.\n\nDONE", coder.Verdict{Said: true, Next: "b.py"}, "I changed it.\n\nDONE\n\nNEXT: b.py"},
		{"", coder.Verdict{Said: true}, "NEXT: the rest of the task"},
		{"I changed it.", coder.Verdict{}, "I changed it."},
	} {
		if got := tool.Written(x.text, x.v); got != x.want {
			t.Errorf("%q, %+v: %q, want %q", x.text, x.v, got, x.want)
		}
	}
}

// FuzzReadVerdict: a reply that says nothing says nothing in part, and the end of a text counts, whatever
// stands before it.
func FuzzReadVerdict(f *testing.F) {
	f.Add("I did it.\n\nNEXT: use it", `{"done":false,"next":"b.py"}`)
	f.Add(`<function=finish><parameter=done>`, `{"done":tr`)
	f.Add(`{"name":"finish","arguments":{}}`, "")
	f.Fuzz(func(t *testing.T, text, args string) {
		v, err := tool.ReadVerdict(text, nil)
		if err != nil || !v.Said && v != (coder.Verdict{}) || v.Done && v.Next != "" || len(v.Next) > len(text) {
			t.Errorf("%q: %+v, %v", text, v, err)
		}
		if got, err := tool.ReadVerdict(text+"\n\nDONE", nil); err != nil || !got.Said {
			t.Errorf("%q and DONE: %+v, %v", text, got, err)
		}
		called, err := tool.ReadVerdict("", []llm.Call{{Name: tool.Finish, Arguments: args}})
		if (err == nil) != called.Said || called.Done && called.Next != "" {
			t.Errorf("called with %q: %+v, %v", args, called, err)
		}
		if written := tool.Written("", called); called.Said {
			if again, _ := tool.ReadVerdict(written, nil); !again.Said && !strings.Contains(called.Next+called.Summary, "\n") {
				t.Errorf("called with %q: %+v is written %q, which says nothing", args, called, written)
			}
		}
	})
}
