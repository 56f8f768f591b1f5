package lsp

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/coder"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
	"coauthor/lsp/client"
	"coauthor/lsp/codeaction"
	"coauthor/lsp/document"
)

// poet is a coder of a test: nothing but a row.
func poet() coder.Coder {
	return coder.Coder{Name: "poet", Title: "Rhyme", Doc: "Rhymes about the code.", Said: "What to rhyme about.", Menu: "rhyme…", Template: "ask.md.tmpl", Next: coder.Finish}
}

// withCoders has a server run these coders beside those of the table.
func withCoders(list ...coder.Coder) func(*Options) {
	return func(o *Options) {
		o.Coders = append(coder.All(), list...)
		o.Engine = func(h Hooks) *agent.Engine {
			return agent.NewEngine(agent.Options{
				Settings: h.Settings, Sink: h.Sink, Coders: o.Coders,
				Catalog: func() *model.Catalog {
					c, err := model.Load(nil)
					if err != nil {
						panic(err)
					}
					return c
				},
				Client: remote.New(remote.Options{Env: func(string) string { return "key" }, Retries: -1}),
			})
		}
	}
}

// A new row makes its command, its code action, its slash command, its kind of prompt document, and what the
// client is told of them.
func TestACoderIsReachedByItsRow(t *testing.T) {
	r := newModelHarness(t, llmtest.Say("Roses.", "Violets.", "Sugar.", "And so.", "The end."), withCoders(poet()))
	announced := r.initialize(plainCaps, "null")
	if !strings.Contains(announced, `"coauthor.poet"`) {
		t.Errorf("announced: %s", announced)
	}
	r.open("a.txt", "one\n")
	run := func(command, args string) {
		t.Helper()
		calls := len(r.model.Requests())
		mustHold(t, r.command(command, strings.ReplaceAll(args, "$a", r.uri("a.txt"))), `"status":"started"`)
		r.untilEnd()
		requests := r.model.Requests()
		if len(requests) != calls+1 || !strings.Contains(requests[calls].Messages[0].Content, "answers questions") {
			t.Errorf("%s %s: %d requests", command, args, len(requests))
		}
	}
	run("poet", `{"uri":"$a","instruction":"Rhyme."}`)
	run("edit", `{"uri":"$a","instruction":"/poet Rhyme."}`)
	result := r.command("switch", `"poet"`)
	mustHold(t, result, `"coder":"poet"`)
	run("edit", `{"uri":"$a","instruction":"Rhyme."}`)
	mustHold(t, r.command("edit", `"/code"`), `"status":"switched"`)
	mustHold(t, r.command("status", ""), `"busy":false`)

	// Without a box for the instruction there is a document for it, which names the coder.
	result = r.command("poet", strings.ReplaceAll(`{"uri":"$a"}`, "$a", r.uri("a.txt")))
	mustHold(t, result, `"status":"needsInput"`)
	var made struct{ URI string }
	if err := json.Unmarshal([]byte(result), &made); err != nil || made.URI == "" {
		t.Fatalf("%s: %v", result, err)
	}
	mustHold(t, r.command("openPrompt", `"poet"`), `"uri"`)
}

func TestTheMenuHasTheCoders(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a.txt": "one\n"}, func(c *client.Capabilities, _ *client.Quirks) { c.ActionLiterals = true })
	d.s.table.offered = codeaction.NewTable(append(coder.All(), poet()))
	d.open("a.txt")
	for _, want := range []string{"ask", "architect", "poet"} {
		if got := said(d.menu(d.uri("a.txt"), document.Range{}, codeActionParams{})); !slices.Contains(got, want) {
			t.Errorf("the menu has %v, not %s", got, want)
		}
	}
	var rewrites codeActionParams
	rewrites.Context.Only = []string{"refactor.rewrite"}
	if got := said(d.menu(d.uri("a.txt"), document.Range{}, rewrites)); slices.Contains(got, "poet") || !slices.Contains(got, "architect") {
		t.Errorf("rewrites are %v", got)
	}
}

// Every switch answers, and tells the user once, what is in force afterwards; what is wrong switches nothing.
func TestSwitching(t *testing.T) {
	r := newModelHarness(t, llmtest.Say("Good.", "Fine."), nil)
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\n")
	last := r.command("switch", "")
	mustHold(t, last, `"coder":"code"`, `"editFormat":"diff"`, `"model":"scripted"`, `"editorModel":"scripted"`, `"mapTokens":1024`, `"files":[]`, `"readOnly":[]`)
	r.messages()
	for _, c := range []struct{ args, want string }{
		{`{"coder":"ask"}`, `"coder":"ask"`},
		{`{"format":"whole"}`, `"editFormat":"whole"`},
		{`{"model":"big"}`, `"model":"big"`},
		{`{"weakModel":"small"}`, `"weakModel":"small"`},
		{`{"editorModel":"quick"}`, `"editorModel":"quick"`},
		{`{"mapTokens":0}`, `"mapTokens":0`},
		{`{"mapTokens":2048}`, `"mapTokens":2048`},
		{`{"files":["b.txt","c.txt"],"readOnly":"d.txt"}`, `"files":["b.txt","c.txt"],"readOnly":["d.txt"]`},
		{`{"files":"b.txt","drop":["c.txt","d.txt"]}`, `"files":["b.txt"],"readOnly":[]`},
		{`{}`, `"coder":"ask","editFormat":"whole","model":"big","weakModel":"small","editorModel":"quick","mapTokens":2048,"files":["b.txt"]`},
	} {
		mustHold(t, r.command("switch", c.args), c.want)
		if told := r.messages(); len(told) != 1 || !strings.Contains(told[0], "Now using: coder ask") {
			t.Errorf("%s: told %q", c.args, told)
		}
	}
	for _, wrong := range []string{`{"coder":"none"}`, `{"coder":"editor"}`, `{"format":"morse"}`, `{"mapTokens":"many"}`} {
		mustHold(t, r.command("switch", wrong), "error ")
	}
	mustHold(t, r.command("switch", `{"reset":true,"model":"scripted"}`), `"coder":"code","editFormat":"diff","model":"scripted","weakModel":"scripted","editorModel":"scripted","mapTokens":1024,"files":[],"readOnly":[]`)
}

// Switching coder, format or model keeps what was said; edits in another format are shown as prose.
func TestSwitchingKeepsTheConversation(t *testing.T) {
	r := newModelHarness(t, llmtest.Say("I make it two.\n\na.txt\n```\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n```\n", "You are welcome."), nil)
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\n")
	r.command("edit", `{"uri":"`+r.uri("a.txt")+`","instruction":"Make it two."}`)
	r.untilEnd()
	r.command("switch", `{"coder":"ask","model":"other"}`)
	r.command("edit", `{"uri":"`+r.uri("a.txt")+`","instruction":"Thanks."}`)
	r.untilEnd()
	sent := r.model.Requests()[1]
	var all strings.Builder
	for _, m := range sent.Messages {
		all.WriteString(m.Content + "\n")
	}
	if got := all.String(); sent.Model != "other" || !strings.Contains(got, "Make it two.") || !strings.Contains(got, "I make it two.") || strings.Contains(got, "<<<<<<< SEARCH") {
		t.Errorf("%s is sent\n%s", sent.Model, got)
	}
}
