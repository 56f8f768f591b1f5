package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"coauthor/agent/coder"
	"coauthor/agent/llm/llmtest"
	"coauthor/lsp/codeaction"
	"coauthor/lsp/document"
	"coauthor/lsp/lsptest"
)

const reply = "Here it is.\n\na.txt\n```\n<<<<<<< SEARCH\none\n=======\nuno\n>>>>>>> REPLACE\n```\n"

func script(t *testing.T, archive string) *llmtest.Script {
	t.Helper()
	s, err := llmtest.Parse([]byte(archive))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// watch reads messages until one satisfies until, and returns them all.
func (r *modelHarness) watch(until func(method string, params map[string]any) bool) []string {
	r.t.Helper()
	var seen []string
	for {
		var s string
		if len(r.early) > 0 {
			s, r.early = r.early[0], r.early[1:]
		} else {
			s = r.Next()
		}
		seen = append(seen, s)
		var m struct {
			Method string
			Params map[string]any
		}
		if json.Unmarshal([]byte(s), &m) == nil && until(m.Method, m.Params) {
			return seen
		}
	}
}

// untilEnd reads messages until the first progress item has ended.
func (r *modelHarness) untilEnd() []string {
	r.t.Helper()
	return r.watch(func(method string, params map[string]any) bool {
		v, _ := params["value"].(map[string]any)
		return method == "$/progress" && v["kind"] == "end"
	})
}

// kinds lists the kinds of progress messages and checks that they have one token.
func kinds(t *testing.T, seen []string) []string {
	t.Helper()
	var list []string
	tokens := map[string]bool{}
	for _, s := range seen {
		var m struct {
			Method string
			Params struct {
				Token string
				Value struct{ Kind string }
			}
		}
		if json.Unmarshal([]byte(s), &m) == nil && m.Method == "$/progress" {
			list = append(list, m.Params.Value.Kind)
			tokens[m.Params.Token] = true
		}
	}
	if len(tokens) != 1 {
		t.Errorf("%d tokens", len(tokens))
	}
	return slices.Compact(list)
}

func (r *modelHarness) start(args string) string {
	r.t.Helper()
	result := r.command("edit", args)
	var m struct{ TurnID, Status string }
	if json.Unmarshal([]byte(result), &m) != nil || m.Status != "started" || m.TurnID == "" {
		r.t.Fatalf("edit answers %s", result)
	}
	return m.TurnID
}

func TestTurnEndsInAProposal(t *testing.T) {
	r := newModelHarness(t, llmtest.Say(reply), nil)
	r.initialize(plainCaps, `{"preview":"diff"}`)
	r.open("a.txt", "one\ntwo\n")
	turn := r.start(`{"instruction":"Spanish"}`) // no URI: the document that was opened last
	seen := r.untilEnd()
	got := kinds(t, seen)
	if got[0] != "begin" || got[len(got)-1] != "end" || strings.Count(strings.Join(got, " "), "begin") != 1 {
		t.Errorf("progress %v", got)
	}
	mustHold(t, seen[len(seen)-1], "1 file changed, +1 -1. Review: code action \\\"Coauthor: show pending change\\\"", " tokens in, ", " out")
	status := r.command("status", "")
	mustHold(t, status, turn, `"busy":false`, `"pending":[{`, r.uri("a.txt"))
	mustHold(t, r.call("coauthor/getPending", "{}"), `"hunks":[{"number":1,"oldRange":{"start":{"line":0,"character":0},"end":{"line":1,"character":0}},"oldText":"one\n","newText":"uno\n"}]`, `"version":1`)
	mustHold(t, r.actions("a.txt", 0, 0, 1, ""), "apply pending change (1 file, +1 -1)", "show pending", "discard pending")
	mustHold(t, r.command("discard", ""), `"status":"discarded"`, turn)
	mustHold(t, r.command("discard", ""), "error -32803", "no change is pending")
	if doc, _ := r.s.docs.Get(r.uri("a.txt")); doc.Text != "one\ntwo\n" {
		t.Errorf("the document became %q", doc.Text)
	}
}

// actions asks for code actions on line 0 and returns their JSON.
func (r *modelHarness) actions(path string, from, to, trigger int, only string) string {
	r.t.Helper()
	filter := ""
	if only != "" {
		filter = fmt.Sprintf(`,"only":[%q]`, only)
	}
	return r.call("textDocument/codeAction", fmt.Sprintf(`{"textDocument":{"uri":%q},"range":{"start":{"line":0,"character":%d},"end":{"line":0,"character":%d}},
		"context":{"diagnostics":[{"range":{},"code":99999999999,"message":{"kind":"markdown","value":"m"}}],"triggerKind":%d%s}}`, r.uri(path), from, to, trigger, filter))
}

func titles(t *testing.T, actions string) []string {
	t.Helper()
	var list []struct{ Title string }
	if err := json.Unmarshal([]byte(actions), &list); err != nil {
		t.Fatalf("%s: %v", actions, err)
	}
	names := []string{}
	for _, a := range list {
		names = append(names, strings.TrimPrefix(a.Title, "Coauthor: "))
	}
	return names
}

// coderMenus are the titles of the coders' own code actions of a kind.
func coderMenus(only string) (list []string) {
	for _, p := range codeaction.NewTable(coder.All()).Rows() {
		if p.When == whenIdle && (only == "" || strings.HasPrefix(p.Kind, only)) {
			list = append(list, strings.TrimPrefix(p.Title, "Coauthor: "))
		}
	}
	return list
}

func TestCodeActions(t *testing.T) {
	const input = `{"textDocument":{"codeAction":{"codeActionLiteralSupport":{},"disabledSupport":true,"tagSupport":{"valueSet":[1]}}},
		"experimental":{"coauthor":{"inputBox":true}}}`
	for _, c := range []struct {
		name, caps, options string
		from, to, trigger   int
		only                string
		want                []string
	}{
		{"input, selection", input, "{}", 0, 2, 1, "", []string{"change selection…"}},
		{"input, cursor", input, "{}", 1, 1, 1, "", []string{"change file…"}},
		{"asks itself", plainCaps, `{"hasInput":true}`, 1, 1, 0, "", []string{"change file…"}},
		{"no input", plainCaps, "{}", 0, 2, 1, "", []string{"write an instruction…"}},
		{"kind", plainCaps, "{}", 0, 2, 1, "refactor", []string{"write an instruction…"}},
		{"exact kind", plainCaps, "{}", 0, 2, 1, "refactor.rewrite", []string{"write an instruction…"}},
		{"all kinds", plainCaps, "{}", 0, 2, 1, "", []string{"write an instruction…"}},
		{"other kind", plainCaps, "{}", 0, 2, 1, "refactor.rewriteX", []string{}},
		{"on save", plainCaps, "{}", 0, 2, 1, "source.fixAll", []string{}},
		{"light bulb", plainCaps, "{}", 0, 2, 2, "", []string{}},
		{"block cursor", `{"experimental":{"coauthor":{"inputBox":true}},"textDocument":{"codeAction":{"codeActionLiteralSupport":{}}}}`,
			`{"client":"helix"}`, 0, 1, 1, "", []string{"change file…"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newModelHarness(t, nil, nil)
			r.initialize(c.caps, c.options)
			r.open("a.txt", "one\n")
			got := r.actions("a.txt", c.from, c.to, c.trigger, c.only)
			want := c.want
			if len(want) > 0 { // where the code can be worked on, what starts there is offered too, as far as there is room
				if c.only == "" {
					want = slices.Concat([]string{`fix "m"`}, want)
				}
				want = slices.Concat(want, coderMenus(c.only))
				for _, out := range []string{"ask about Coauthor…", "find the files to change…", "review uncommitted changes", "work until the task is done…"} {
					if len(want) > mostActions {
						want = slices.DeleteFunc(want, func(title string) bool { return title == out })
					}
				}
			}
			if names := titles(t, got); !slices.Equal(names, want) {
				t.Errorf("%v, want %v", names, want)
			}
			if strings.Contains(got, "isPreferred") || strings.Contains(got, `"edit"`) && !strings.Contains(got, "coauthor.edit") {
				t.Error(got)
			}
			if c.caps == input && !strings.Contains(got, `"tags":[1]`) {
				t.Errorf("not tagged: %s", got)
			}
		})
	}
}

func TestCommandsWithoutLiterals(t *testing.T) {
	r := newModelHarness(t, nil, nil)
	r.initialize(`{}`, "null")
	r.open("a.txt", "one\n")
	mustHold(t, r.actions("a.txt", 0, 1, 1, ""), `[{"title":"Coauthor: fix \"m\"","command":"coauthor.fix","arguments":[{`, `{"title":"Coauthor: write an instruction…","command":"coauthor.openPrompt","arguments":[{`)
}

func TestSelectionIsRemembered(t *testing.T) {
	r := newModelHarness(t, llmtest.Say("no", "no"), nil)
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\ntwo\n")
	r.actions("a.txt", 0, 3, 1, "")
	c := r.s.captureCommand(&executeParams{Command: "coauthor.edit", Arguments: []json.RawMessage{json.RawMessage(`"x"`)}})
	if c.err != nil || c.target.start != 0 || c.target.end != 3 || c.target.path != "a.txt" {
		t.Errorf("%+v", c.target)
	}
	r.note("textDocument/didChange", fmt.Sprintf(`{"textDocument":{"uri":%q,"version":2},"contentChanges":[{"text":"new"}]}`, r.uri("a.txt")))
	r.command("status", "")
	c = r.s.captureCommand(&executeParams{Command: "coauthor.edit"})
	if !c.target.whole() || c.target.version != 2 {
		t.Errorf("the selection outlived its text: %+v", c.target)
	}
	r.note("coauthor/didFocus", fmt.Sprintf(`{"uri":%q,"range":{"start":{"line":0,"character":1},"end":{"line":0,"character":2}}}`, r.uri("a.txt")))
	r.command("status", "")
	if c = r.s.captureCommand(&executeParams{Command: "coauthor.edit"}); c.target.start != 1 || c.target.end != 2 {
		t.Errorf("didFocus: %+v", c.target)
	}
}

const held = "-- 1.md --\nA long answer that stops half-way and goes on only when it is let.\n-- 1.yaml --\nhold: true\n"

func TestCancel(t *testing.T) {
	// The answer may come before the end of the progress or after it, so none of these waits for it.
	command := func(r *modelHarness, args string) {
		r.Send(`{"jsonrpc":"2.0","id":"bye","method":"workspace/executeCommand","params":{"command":"coauthor.cancel","arguments":[%s]}}`, args)
	}
	for name, cancel := range map[string]func(r *modelHarness, turn, token string) (answered bool){
		"command": func(r *modelHarness, _, _ string) bool { command(r, ""); return true },
		"named":   func(r *modelHarness, turn, _ string) bool { command(r, `{"turnId":"`+turn+`"}`); return true },
		"progress": func(r *modelHarness, _, token string) bool {
			r.note("window/workDoneProgress/cancel", `{"token":"`+token+`"}`)
			return false
		},
		"shutdown": func(r *modelHarness, _, _ string) bool {
			r.Send(`{"jsonrpc":"2.0","id":"bye","method":"shutdown"}`)
			return false
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newModelHarness(t, script(t, held), nil)
			tokens := make(chan string, 1)
			r.Answer = func(method string, params json.RawMessage) string {
				var p struct{ Token string }
				if method == "window/workDoneProgress/create" && json.Unmarshal(params, &p) == nil {
					tokens <- p.Token
				}
				return "null"
			}
			r.initialize(plainCaps, "null")
			r.open("a.txt", "one\n")
			turn := r.start(`"x"`)
			mustHold(t, r.command("edit", `"y"`), `"status":"busy"`, turn)
			ctx, stop := context.WithTimeout(t.Context(), lsptest.Hung)
			defer stop()
			if err := r.model.WaitHeld(ctx, 1); err != nil {
				t.Fatal(err)
			}
			mustHold(t, r.actions("a.txt", 0, 0, 2, ""), "stop (running ", turn)
			r.itemShown()
			answered := cancel(r, turn, lsptest.Receive(t, "the token of a progress", tokens))
			seen := r.untilEnd()
			mustHold(t, seen[len(seen)-1], "Stopped")
			answer := func(s string) bool { return strings.Contains(s, `"id":"bye"`) }
			if answered {
				for !slices.ContainsFunc(seen, answer) {
					seen = append(seen, r.Next())
				}
				mustHold(t, seen[slices.IndexFunc(seen, answer)], `"cancelled":["`+turn)
			}
			if err := r.model.WaitClosed(ctx, 1); err != nil {
				t.Errorf("the model's connection stayed open: %v", err)
			}
			for _, s := range seen {
				if strings.Contains(s, "window/showMessage") {
					t.Errorf("a cancelled turn says %s", s)
				}
			}
		})
	}
}

// itemShown waits until a progress item was begun: of one that was not, a shutdown leaves nothing to see.
func (r *modelHarness) itemShown() {
	r.t.Helper()
	for end := time.Now().Add(lsptest.Hung); r.s.turns.Shown() == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			r.t.Fatal("no progress was begun")
		}
	}
}

func TestHangUpCancels(t *testing.T) {
	r := newModelHarness(t, script(t, held), nil)
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\n")
	r.start(`"x"`)
	ctx, stop := context.WithTimeout(t.Context(), lsptest.Hung)
	defer stop()
	if err := r.model.WaitHeld(ctx, 1); err != nil {
		t.Fatal(err)
	}
	_ = r.Conn.Close()
	if err := r.model.WaitClosed(ctx, 1); err != nil {
		t.Errorf("the model call outlived its editor: %v", err)
	}
	if err := r.ended(); err != nil {
		t.Error(err)
	}
}

func TestProgressIsRefused(t *testing.T) {
	r := newModelHarness(t, llmtest.Say("Just an answer."), nil)
	r.Answer = func(method string, _ json.RawMessage) string {
		if method == "window/workDoneProgress/create" {
			return "" // never answered
		}
		return "null"
	}
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\n")
	r.command("ask", `"why?"`)
	r.watch(func(method string, _ map[string]any) bool { return method == "window/showMessage" }) // the document could not be shown
	mustHold(t, r.command("status", ""), `"turns":[]`)
	for s := range drain(r) {
		if strings.Contains(s, "$/progress") {
			t.Errorf("progress without leave: %s", s)
		}
	}
}

// drain gives what has arrived already.
func drain(r *modelHarness) func(func(string) bool) {
	return func(yield func(string) bool) {
		for len(r.In) > 0 {
			if !yield(<-r.In) {
				return
			}
		}
	}
}

func TestAnswerIsShown(t *testing.T) {
	r := newModelHarness(t, llmtest.Say("Because ![x](http://e/x.png) of [this](command:evil)."), nil)
	shown := make(chan string, 4)
	r.Answer = func(method string, params json.RawMessage) string {
		var p struct{ URI string }
		if method == "window/showDocument" && json.Unmarshal(params, &p) == nil {
			shown <- p.URI
			return `{"success":true}`
		}
		return "null"
	}
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\n")
	mustHold(t, r.command("ask", `"why?"`), `"started"`)
	uri := lsptest.Receive(t, "a document", shown)
	abs, ok := document.PathOfURI(uri)
	if !ok || filepath.Dir(abs) != filepath.Join(r.root, ".coauthor") {
		t.Fatalf("shown %s", uri)
	}
	text, err := os.ReadFile(abs)
	if err != nil {
		t.Fatal(err)
	}
	mustHold(t, string(text), "\nwhy?\n\n## Coauthor", "-->\n\nBecause !\\[x](http://e/x.png) of \\[this](command\\:evil).\n\nAnswered")
	if ignore, err := os.ReadFile(filepath.Join(r.root, ".coauthor", ".gitignore")); err != nil || string(ignore) != "*\n!config.yaml\n!commands/\n!commands/**\n" {
		t.Errorf(".gitignore holds %q, %v", ignore, err)
	}
}

func TestOneMessageForAFailure(t *testing.T) {
	r := newModelHarness(t, script(t, "-- 1.md --\nno such model\n-- 1.yaml --\nstatus: 404\n"), nil)
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\n")
	r.start(`"x"`)
	var messages []string
	ended := false
	r.watch(func(method string, p map[string]any) bool { // the message may overtake the end of the progress
		if v, _ := p["value"].(map[string]any); method == "$/progress" && v["kind"] == "end" {
			mustHold(t, fmt.Sprint(v["message"]), "Failed: ")
			ended = true
		}
		if method == "window/showMessage" {
			messages = append(messages, fmt.Sprint(p["type"], p["message"]))
		}
		return ended && len(messages) > 0
	})
	mustHold(t, messages[0], "1Coauthor: ")
	r.command("status", "") // a barrier: what would be told of the turn was told before
	for s := range drain(r) {
		if strings.Contains(s, `"window/showMessage"`) {
			t.Errorf("a second message: %s", s)
		}
	}
	if len(messages) > 1 || strings.Contains(strings.Join(r.early, "\n"), `"window/showMessage"`) {
		t.Errorf("more than one message: %s %s", messages, r.early)
	}
}

func TestInputBox(t *testing.T) {
	r := newModelHarness(t, llmtest.Say(reply), nil)
	asked := make(chan string, 4)
	r.Answer = func(method string, params json.RawMessage) string {
		if method == "coauthor/inputBox" {
			asked <- string(params)
			return `{"value":"Spanish"}`
		}
		return "null"
	}
	r.initialize(`{"window":{"workDoneProgress":true},"experimental":{"coauthor":{"inputBox":true,"turn":true,"stream":true,"pending":true}}}`, "null")
	r.open("a.txt", "one\ntwo\n")
	mustHold(t, r.command("edit", `{}`), `"status":"needsInput"`)
	mustHold(t, lsptest.Receive(t, "an input box", asked), `"prompt":"Change a.txt"`, `"multiline":true`)
	seen := r.watch(func(method string, p map[string]any) bool {
		return method == "coauthor/turn" && p["state"] == "proposed"
	})
	all := strings.Join(seen, "\n")
	mustHold(t, all, `"method":"coauthor/stream"`, `"channel":"answer"`, `"method":"coauthor/pending"`, `"state":"streaming"`, `"usage":{"in":`)
}

func TestConfiguration(t *testing.T) {
	r := newModelHarness(t, nil, nil)
	answers := make(chan string, 4)
	r.Answer = func(method string, _ json.RawMessage) string {
		if method == "workspace/configuration" {
			return <-answers
		}
		return "null"
	}
	answers <- `[{"coauthor":null}]`
	r.initialize(plainCaps, `{"hasInput":true,"client":"my-plugin","preview":"diff","unknownThing":1}`)
	if got := r.s.config.settings(r.root).Preview; got != "diff" {
		t.Errorf("preview %q", got)
	}
	mustHold(t, r.log.String(), "unknownThing")
	for _, quiet := range []string{"hasInput", "my-plugin"} {
		if strings.Contains(r.log.String(), "key="+quiet) {
			t.Errorf("%s is taken for a setting: %s", quiet, r.log)
		}
	}
	wait := func(preview string) {
		t.Helper()
		end := time.Now().Add(lsptest.Hung)
		for r.s.config.settings(r.root).Preview != preview {
			if time.Now().After(end) {
				t.Fatalf("preview never became %s: %s", preview, r.s.config.own())
			}
			r.command("status", "")
		}
	}
	r.note("workspace/didChangeConfiguration", `{"settings":{"coauthor":{"preview":"none"}}}`)
	wait("none")
	r.note("workspace/didChangeConfiguration", `{"settings":{"preview":"native"}}`)
	wait("native")
	answers <- `[{"preview":"inline"}]`
	r.note("workspace/didChangeConfiguration", `{"settings":null}`)
	wait("inline")
}

func TestDoctor(t *testing.T) {
	r := newModelHarness(t, nil, nil)
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\n")
	mustHold(t, r.command("doctor", ""), `"ok":true`, `"name":"client"`, "profile generic, positions in utf-16")
	mustHold(t, r.command("nonsense", ""), "error -32602")
	mustHold(t, r.call("workspace/executeCommand", `{"command":"other.edit"}`), "error -32602")
}
