package coder_test

import (
	"strings"
	"testing"

	"coauthor/agent/coder"
)

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
		`{"name": "finish", "arguments": {"done": true`:                                                      no,
		`{"name": "read", "arguments": {"done": true}}`:                                                      no,
	} {
		if got := coder.ReadVerdict(reply); got != want {
			t.Errorf("%q: %+v, want %+v", reply, got, want)
		}
	}
}

func FuzzReadVerdict(f *testing.F) {
	f.Add("I did it.\n\nNEXT: use it")
	f.Add(`<function=finish><parameter=done>`)
	f.Add(`{"name":"finish","arguments":{}}`)
	f.Fuzz(func(t *testing.T, text string) {
		v := coder.ReadVerdict(text)
		if !v.Said && (v.Done || v.Next != "") || len(v.Next) > len(text) {
			t.Errorf("%q: %+v", text, v)
		}
		if got := coder.ReadVerdict(text + "\n\nDONE"); !got.Said && !strings.Contains(text, "finish") {
			t.Errorf("%q and DONE: %+v", text, got)
		}
	})
}
