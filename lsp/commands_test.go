package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"coauthor/agent/event"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/pipeline"
	"coauthor/agent/settings"
	"coauthor/lsp/document"
	"coauthor/lsp/lsptest"
)

// idle waits for what runs in the background.
func (r *modelHarness) idle() {
	r.t.Helper()
	ctx, stop := context.WithTimeout(r.t.Context(), lsptest.Hung)
	defer stop()
	if r.s.tasks.Wait(ctx); ctx.Err() != nil {
		r.t.Fatal("hung: something runs on in the background")
	}
}

// messages are those that the user was shown by now.
func (r *modelHarness) messages() []string {
	r.t.Helper()
	came := r.early // with the last answer
	r.command("status", "")
	came = append(came, r.early...)
	return slices.DeleteFunc(slices.AppendSeq(came, drain(r)), func(s string) bool { return !strings.Contains(s, `"window/showMessage"`) })
}

// What settings decide on waits for the client's first ones; what they say nothing of comes at once.
func TestWhichCommandsWaitForTheSettings(t *testing.T) {
	asked := make(chan json.RawMessage, 1)
	r := newModelHarness(t, nil, func(o *Options) { o.slack = 10_000 }) // who waits, waits for the client
	r.Answer = func(method string, _ json.RawMessage) string {
		if method == "workspace/configuration" {
			return ""
		}
		return "null"
	}
	r.Unanswered = func(_ string, id json.RawMessage) { asked <- id }
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\n")
	id := lsptest.Receive(t, "the question for the settings", asked)
	for _, name := range []string{"openPrompt", "apply", "discard", "showPending", "undoTurn", "redoTurn", "cancel", "answer"} {
		r.command(name, "") // whatever it says, it says it now
	}
	waiting := []string{"edit", "ask", "followUp", "runPrompt", "status", "doctor", "showRepoMap"}
	for i, name := range waiting {
		r.Send(`{"jsonrpc":"2.0","id":"wait-%d","method":"workspace/executeCommand","params":{"command":"coauthor.%s"}}`, i, name)
	}
	var seen []string
	for range 5 { // the others have had the time for their answers
		r.command("cancel", "")
		seen = append(seen, r.early...)
	}
	for _, s := range seen {
		if strings.Contains(s, `"id":"wait-`) {
			t.Errorf("answered before the settings came: %s", s)
		}
	}
	r.Send(`{"jsonrpc":"2.0","id":%s,"result":[null]}`, id)
	for n := 0; n < len(waiting); {
		if s := r.Next(); strings.Contains(s, `"id":"wait-`) {
			n++
		}
	}
}

// A client with an input box is asked for the instruction, with a prompt that says what it is for. Without a word nothing
// is begun; what cannot be begun is told.
func TestInstructionFromTheInputBox(t *testing.T) {
	const caps = `{"workspace":{"applyEdit":true},"window":{"workDoneProgress":true},"experimental":{"coauthor":{"inputBox":true}}}`
	const selection = `{"uri":"$a","range":{"start":{"line":0,"character":0},"end":{"line":0,"character":2}}}`
	box := func(r *modelHarness, answer string) <-chan string {
		asked := make(chan string, 8)
		r.Answer = func(method string, params json.RawMessage) string {
			if method != "coauthor/inputBox" {
				return "null"
			}
			var p struct {
				Prompt    string
				Multiline bool
			}
			if err := json.Unmarshal(params, &p); err != nil || !p.Multiline {
				r.t.Errorf("input box %s: %v", params, err)
			}
			asked <- p.Prompt
			return answer
		}
		return asked
	}
	t.Run("prompts", func(t *testing.T) {
		r := newModelHarness(t, llmtest.Say("Good."), nil)
		asked := box(r, `null`)
		r.initialize(caps, "null")
		r.open("a.txt", "one\n")
		r.command("ask", `"Is it good?"`)
		r.untilEnd()
		prompt := func(command, args string) string {
			t.Helper()
			mustHold(t, r.command(command, strings.ReplaceAll(args, "$a", r.uri("a.txt"))), `"status":"needsInput"`)
			return lsptest.Receive(t, "an input box", asked)
		}
		file, part, ask, follow := prompt("edit", `{"uri":"$a"}`), prompt("edit", selection), prompt("ask", `{"uri":"$a"}`), prompt("followUp", `{"uri":"$a"}`)
		if len(map[string]bool{file: true, part: true, ask: true, follow: true}) != 4 || !strings.Contains(file, "a.txt") {
			t.Errorf("the prompts are %q, %q, %q, %q", file, part, ask, follow)
		}
		if got := prompt("ask", selection); got != ask {
			t.Errorf("about a selection it asks %q, want %q", got, ask)
		}
		if got := prompt("followUp", selection); got != follow {
			t.Errorf("about a selection it asks %q, want %q", got, follow)
		}
		r.idle()
		if n := len(r.model.Requests()); n != 1 {
			t.Errorf("%d requests", n)
		}
	})
	for name, test := range map[string]struct {
		answer string
		sent   string // to the model; "" for nothing
	}{
		"words":     {`{"value":"  in Spanish "}`, `in Spanish`},
		"closed":    {`null`, ""},
		"no value":  {`{"value":null}`, ""},
		"blank":     {`{"value":" \n "}`, ""},
		"an object": {`{}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := newModelHarness(t, llmtest.Say("Good."), nil)
			asked := box(r, test.answer)
			r.initialize(caps, "null")
			r.open("a.txt", "one\n")
			r.command("ask", ``)
			lsptest.Receive(t, "an input box", asked)
			if test.sent != "" {
				r.untilEnd()
			}
			r.idle()
			var got string
			for _, request := range r.model.Requests() {
				got += string(request.Body)
			}
			if (got != "") != (test.sent != "") || !strings.Contains(got, test.sent) || strings.Contains(got, test.sent+" ") && test.sent != "" {
				t.Errorf("sent %q", got)
			}
			if told := r.messages(); test.sent == "" && len(told) != 0 {
				t.Errorf("told %q", told)
			}
		})
	}
	for name, answer := range map[string]string{"while another runs": `{"value":"x"}`, "an answer that is none": `7`} {
		t.Run(name, func(t *testing.T) {
			r := newModelHarness(t, script(t, held), nil)
			box(r, answer)
			r.initialize(caps, "null")
			r.open("a.txt", "one\n")
			r.start(`"first"`)
			r.command("edit", `{}`)
			r.watch(func(method string, p map[string]any) bool {
				return method == "window/showMessage" && p["type"] == 1.0
			})
		})
	}
}

// A client without an input box opens a document to write the instruction in, of the kind that is wanted.
func TestInstructionInADocument(t *testing.T) {
	r := newModelHarness(t, llmtest.Say("Good.", "Good.", "Good."), nil)
	shown := make(chan string, 8)
	r.Answer = func(method string, params json.RawMessage) string {
		if method == "window/showDocument" {
			var p struct{ URI string }
			_ = json.Unmarshal(params, &p) // what is none names no document
			shown <- p.URI
			return `{"success":true}`
		}
		return "null"
	}
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\ntwo\n")
	written := func(command, args string) string {
		t.Helper()
		result := r.command(command, strings.ReplaceAll(args, "$a", r.uri("a.txt")))
		var answer struct{ URI, Status string }
		if err := json.Unmarshal([]byte(result), &answer); err != nil || (answer.Status == statusNeedsInput) != (command != "openPrompt") {
			t.Fatalf("%s %s answers %s: %v", command, args, result, err)
		}
		if got := lsptest.Receive(t, "a document", shown); got != answer.URI {
			t.Errorf("%s: opened is %s, answered %s", command, got, answer.URI)
		}
		abs, _ := document.PathOfURI(answer.URI)
		text, err := os.ReadFile(abs)
		if err != nil {
			t.Fatal(err)
		}
		var head []string // without what is said to the user
		for line := range strings.Lines(string(text)) {
			if !strings.HasPrefix(line, "#") {
				head = append(head, line)
			}
		}
		return strings.Join(head, "")
	}
	for _, bad := range []string{`"followUp"`, `{"kind":"followUp"}`, `{"kind":"nonsense"}`, `"answer"`, `"other","words"`} {
		mustHold(t, r.command("openPrompt", bad), "error")
	}
	for _, test := range []struct{ command, args, holds, lacks string }{
		{"edit", `{}`, "coder: code", "selection:"},
		{"edit", `{"range":{"start":{"line":0,"character":0},"end":{"line":1,"character":0}}}`, "selection: 1", "coder: ask"},
		{"ask", `{}`, "coder: ask", "selection:"},
		{"openPrompt", `{}`, "coder: code", "coder: ask"},
		{"openPrompt", `"ask"`, "coder: ask", "coder: code"},
		{"openPrompt", `{"kind":"edit"},"ask"`, "coder: code", "coder: ask"},
	} {
		text := written(test.command, test.args)
		mustHold(t, text, test.holds, "file: a.txt")
		if strings.Contains(text, test.lacks) {
			t.Errorf("%s %s:\n%s", test.command, test.args, text)
		}
	}
	r.command("ask", `"Is it good?"`)
	lsptest.Receive(t, "the answer", shown)
	r.idle()
	if text := written("openPrompt", `"followUp"`); strings.Contains(text, "file:") || !strings.Contains(text, "followUp:") {
		t.Errorf("a follow-up is about\n%s", text)
	}
	mustHold(t, written("followUp", `{}`), "followUp:")
	mustHold(t, r.command("runPrompt", `{"uri":"`+r.uri("a.txt")+`"}`), "error -32602")
}

// The status tells what runs and since when, what waits and whether it was looked at, and how it went wrong last.
func TestStatusTells(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	var mu sync.Mutex
	r := newModelHarness(t, script(t, "-- 1.md --\n"+reply+"-- 2.md --\nno such model\n-- 2.yaml --\nstatus: 404\n-- 3.md --\nA long answer that stops half-way.\n-- 3.yaml --\nhold: true\n"), func(o *Options) {
		o.Clock = func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	})
	var shows atomic.Bool // the client opens documents
	r.Answer = func(method string, _ json.RawMessage) string {
		if method == "window/showDocument" && shows.Load() {
			return `{"success":true}`
		}
		return "null"
	}
	r.initialize(plainCaps, `{"preview":"diff"}`)
	r.open("a.txt", "one\ntwo\n")
	mustHold(t, r.command("status", ""), `"busy":false`, `"turns":[]`, `"pending":[]`, `"model":"scripted"`, `"client":"generic"`)
	if s := r.command("status", ""); strings.Contains(s, "lastError") {
		t.Error(s)
	}
	turn := r.start(`"first"`)
	r.untilEnd()
	type status struct {
		Busy  bool
		Turns []struct {
			TurnID, State, Label string
			Seconds              int
		}
		LastError string
		Pending   []struct {
			TurnID, ProposalID, State, Label string
			Revision                         int
			Shown                            bool
			Files                            []string
		}
		Usage struct{ In, Out int }
	}
	read := func() (st status) {
		t.Helper()
		if err := json.Unmarshal([]byte(r.command("status", "")), &st); err != nil {
			t.Fatal(err)
		}
		return st
	}
	st := read()
	if len(st.Pending) != 1 || st.Usage.Out == 0 {
		t.Fatalf("%+v", st)
	}
	if p := st.Pending[0]; p.TurnID != turn || p.ProposalID == "" || p.Revision != 1 || p.State != "pending" || p.Label == "" || !slices.Equal(p.Files, []string{r.uri("a.txt")}) {
		t.Errorf("%+v", p)
	}
	shows.Store(true)
	r.command("showPending", "")
	r.idle()
	if p := read().Pending[0]; !p.Shown {
		t.Errorf("it was shown: %+v", p)
	}
	shows.Store(false)
	r.start(`"second"`)
	r.watch(func(method string, _ map[string]any) bool { return method == "window/showMessage" })
	r.idle()
	if st := read(); st.LastError == "" || st.Busy {
		t.Errorf("%+v", st)
	}
	third := r.start(`"third one"`)
	ctx, stop := context.WithTimeout(t.Context(), lsptest.Hung)
	defer stop()
	if err := r.model.WaitHeld(ctx, 1); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	now = now.Add(65 * time.Second)
	mu.Unlock()
	if st := read(); !st.Busy || len(st.Turns) != 1 || st.Turns[0].TurnID != third || st.Turns[0].Seconds < 60 || st.Turns[0].Label != "third one" || st.Turns[0].State == "" {
		t.Errorf("%+v", st)
	}
	mustHold(t, r.actions("a.txt", 0, 0, 2, ""), `"turnId":"`+third)
}

// A command that takes longer than its request may is answered, and what goes wrong with it then is told.
func TestWhatGoesWrongLateIsTold(t *testing.T) {
	r := newModelHarness(t, nil, func(o *Options) { o.slack = 1e-9 })
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\n")
	for start := time.Now(); time.Since(start) < lsptest.Hung; { // some are fast enough
		if strings.Contains(r.command("showPending", ""), `"started"`) {
			r.watch(func(method string, p map[string]any) bool { return method == "window/showMessage" && p["type"] == 1.0 })
			return
		}
	}
	t.Error("hung: every command was faster than a nanosecond")
}

// What is wrong in the settings is logged once, however often they are read.
func TestWrongSettingsAreLoggedOnce(t *testing.T) {
	r := newModelHarness(t, nil, func(o *Options) {
		o.Doctor = func(_ context.Context, _ string, _ settings.Settings, w []settings.Warning, _ bool) []Check {
			return []Check{{Name: "settings", Message: fmt.Sprint(len(w), " wrong")}}
		}
	})
	r.initialize(plainCaps, `{"unknownThing":1,"otherThing":2,"client":"nobody-knows-it","client.quirks":{"noSuchSwitch":true}}`)
	r.open("a.txt", "one\n")
	for range 3 {
		r.command("status", "")
		mustHold(t, r.command("doctor", ""), `"ok":false`)
	}
	r.idle()
	for _, word := range []string{"key=unknownThing", "key=otherThing", "client.quirks.noSuchSwitch"} {
		if n := strings.Count(r.log.String(), word); n != 1 {
			t.Errorf("%s is logged %d times", word, n)
		}
	}
}

// The folder is the one that the client names in the newest of the ways that it has.
func TestFolderOfTheClient(t *testing.T) {
	dirs := map[string]string{"A": t.TempDir(), "B": t.TempDir(), "C": t.TempDir()}
	for _, test := range []struct{ folders, uri, path, want string }{
		{"A", "B", "C", "A"}, {"A", "", "", "A"}, {"", "B", "C", "B"}, {"", "B", "", "B"}, {"", "", "C", "C"}, {"", "", "", ""},
	} {
		r := newModelHarness(t, nil, nil)
		params := map[string]any{"processId": nil, "capabilities": json.RawMessage(plainCaps), "rootUri": nil, "rootPath": nil, "workspaceFolders": nil}
		if test.folders != "" {
			params["workspaceFolders"] = []any{map[string]any{"uri": document.URIOfPath(dirs[test.folders]), "name": "x"}}
		}
		if test.uri != "" {
			params["rootUri"] = document.URIOfPath(dirs[test.uri])
		}
		if test.path != "" {
			params["rootPath"] = dirs[test.path]
		}
		raw, err := json.Marshal(params)
		if err != nil {
			t.Fatal(err)
		}
		r.call("initialize", string(raw))
		r.note("initialized", "{}")
		got := r.command("openPrompt", "")
		if test.want == "" {
			mustHold(t, got, "error -32803")
			continue
		}
		mustHold(t, got, document.URIOfPath(filepath.Join(dirs[test.want], ".coauthor"))+"/prompt-")
	}
}

// What the client can do decides what it is offered at the start.
func TestWhatTheServerOffers(t *testing.T) {
	for _, test := range []struct {
		caps    string
		content bool // the text of virtual documents
		Ours    bool // our own methods
	}{
		{`{}`, false, false},
		{`{"workspace":{"textDocumentContent":{}},"window":{"showDocument":{"support":true}}}`, true, false},
		{`{"workspace":{"textDocumentContent":{}}}`, false, false},
		{`{"window":{"showDocument":{"support":true}}}`, false, false},
		{`{"experimental":{"coauthor":{"inputBox":true}}}`, false, true},
		{`{"experimental":{"coauthor":{"pending":true}}}`, false, true},
		{`{"experimental":{"coauthor":{"stream":true}}}`, false, true},
		{`{"experimental":{"coauthor":{"turn":true}}}`, false, true},
		{`{"experimental":{"coauthor":{}}}`, false, false},
	} {
		r := newModelHarness(t, nil, nil)
		got := r.initialize(test.caps, "null")
		if strings.Contains(got, `"textDocumentContent"`) != test.content || strings.Contains(got, `"coauthor":{"protocol":1}`) != test.Ours {
			t.Errorf("%s is offered %s", test.caps, got)
		}
	}
	for id, want := range map[string]int{"null": 0, "0": 0, "-1": 0, "1": 1, "2147483647": 2147483647, "2147483648": 0, "1e300": 0} {
		r := newModelHarness(t, nil, func(o *Options) { o.Alive = func(int) bool { return true } })
		r.call("initialize", `{"processId":`+id+`,"capabilities":{}}`)
		if r.s.tasks.Parent != want {
			t.Errorf("process %s: %d is watched, want %d", id, r.s.tasks.Parent, want)
		}
	}
}

// A question is answered by command in whichever way the words are given, by its name or as the only one; without one
// the user is told.
func TestAnswerByCommand(t *testing.T) {
	r := newModelHarness(t, nil, nil)
	asked := make(chan string, 8)
	r.Answer = func(method string, params json.RawMessage) string {
		if method == "window/showMessageRequest" {
			asked <- string(params)
			return "" // the dialog stays open
		}
		return "null"
	}
	r.initialize(plainCaps, "null")
	mustHold(t, r.command("answer", `"yes"`), `"status":"none"`)
	if told := r.messages(); len(told) != 1 {
		t.Errorf("told %q", told)
	}
	for args, want := range map[string]event.Answer{
		`"Yes"`:                                          {Choice: "Yes"},
		`"yes"`:                                          {Choice: "Yes"},
		`{"choice":"No"}`:                                {Choice: "No"},
		`{"text":"Yes"}`:                                 {Choice: "Yes"},
		`{"questionId":"q"}`:                             {},
		`{"questionId":"q","choice":"Yes"}`:              {Choice: "Yes"},
		`{"questionId":"q","instruction":"Yes"}`:         {Choice: "Yes"},
		`{"questionId":"other","choice":"Yes"}`:          {},
		`{"choice":"Perhaps"}`:                           {},
		`{"choice":"No","text":"Yes"}`:                   {Choice: "No"},
		`{"text":"No","instruction":"Yes"}`:              {Choice: "No"},
		`{"choice":"Yes","uri":"` + r.uri("none") + `"}`: {Choice: "Yes"},
	} {
		got := make(chan event.Answer, 1)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			a, _ := r.s.folders.At("").Shown.Asker().Ask(ctx, event.Question{ID: "q", Text: "?", Choices: []string{"No", "Yes"}, Default: "No"})
			got <- a // nothing where it was given up
		}()
		lsptest.Receive(t, "the dialog", asked)
		result := r.command("answer", args)
		if answered := strings.Contains(result, `"status":"answered"`); answered != (want != event.Answer{}) {
			t.Errorf("%s answers %s", args, result)
		}
		if want == (event.Answer{}) {
			cancel()
		}
		if a := lsptest.Receive(t, "the answer", got); a != want {
			t.Errorf("%s: %+v, want %+v", args, a, want)
		}
		cancel()
	}
}

// Every command of the table is answered, whatever it is given: without a field, with one that it does not know, with words, and
// with a document. What it cannot do it says.
func TestEveryCommandAnswers(t *testing.T) {
	r := newModelHarness(t, script(t, "repeat: true\n-- 1.md --\nGood.\n"), nil)
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\n")
	for _, a := range pipeline.Actions() {
		for _, args := range []string{``, `{}`, `{"nonsense":1}`, `{"uri":"$a","session":"x"}`, `{"uri":"file:///nowhere/else"}`, `""`} {
			got := r.command(a.ID, strings.ReplaceAll(args, "$a", r.uri("a.txt")))
			if strings.Contains(got, "internal error") || got == "" {
				t.Errorf("%s %s: %s", a.ID, args, got)
			}
		}
		r.command("cancel", "")
		r.idle()
	}
}
