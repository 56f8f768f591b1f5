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

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/client"
	"coauthor/lsp/document"
	"coauthor/lsp/folder"
	"coauthor/lsp/lsptest"
)

// choice is a code action as it stands on the wire.
type choice struct {
	Title    string
	Kind     string
	Tags     []int
	Disabled struct{ Reason string }
	Command  struct {
		Title, Command string
		Arguments      []map[string]any
	}
}

// menu asks for the code actions at a place, as the user's menu does.
func (d *bufferHarness) menu(uri string, in document.Range, context codeActionParams) []choice {
	d.t.Helper()
	context.Document, context.Range = documentID{URI: uri}, in
	result, err := d.s.codeAction(d.t.Context(), &context, d.s.captureCodeAction(&context))
	if err != nil {
		d.t.Fatal(err)
	}
	raw, err := json.Marshal(result)
	if err != nil {
		d.t.Fatal(err)
	}
	var list []choice
	if err := json.Unmarshal(raw, &list); err != nil {
		d.t.Fatalf("%s: %v", raw, err)
	}
	return list
}

// said lists what the choices run, with the arguments that are named.
func said(list []choice, arguments ...string) []string {
	out := []string{}
	for _, c := range list {
		word := strings.TrimPrefix(c.Command.Command, "coauthor.")
		for _, name := range arguments {
			if v, ok := c.Command.Arguments[0][name]; ok {
				word += fmt.Sprintf(" %v", v)
			}
		}
		out = append(out, word)
	}
	return out
}

func literals(c *client.Capabilities, _ *client.Quirks) { c.ActionLiterals = true }

// Each open question of a folder is offered with each of its choices, the oldest question first, and an own answer
// where one may be given. Two that read alike can be told apart.
func TestQuestionsInTheMenu(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "a\n"}, literals)
	d.open("a")
	other := &folder.Folder{}
	ask := func(r *folder.Folder, q event.Question) { d.s.questions.Put(r.Session, q) }
	for i := range 6 { // more than a map keeps in order by chance
		ask(d.root, event.Question{ID: fmt.Sprintf("q%d", i), Text: "Which?", Choices: []string{"x", "y"}})
	}
	ask(other, event.Question{ID: "elsewhere", Text: "Which?", Choices: []string{"x"}})
	ask(d.root, event.Question{ID: "words", Text: "What?", FreeText: true})
	ask(d.root, event.Question{ID: "both", Text: "What?", Choices: []string{"z"}, FreeText: true})
	list := d.menu(d.uri("a"), document.Range{}, codeActionParams{})
	var want []string
	for i := range 6 {
		want = append(want, fmt.Sprintf("answer q%d x", i), fmt.Sprintf("answer q%d y", i))
	}
	want = append(want, "answer both z")
	got := said(list, "questionId", "choice")
	answers := slices.DeleteFunc(slices.Clone(got), func(s string) bool { return !strings.HasPrefix(s, "answer") })
	if !slices.Equal(answers, want) {
		t.Errorf("offered %q, want %q", answers, want)
	}
	written := slices.DeleteFunc(slices.Clone(got), func(s string) bool {
		return !strings.HasPrefix(s, "openPrompt") || s == "openPrompt"
	})
	if !slices.Equal(written, []string{"openPrompt words", "openPrompt both"}) {
		t.Errorf("to be answered in own words: %q", written)
	}
	titles := map[string]bool{}
	for _, c := range list {
		if titles[c.Title] || c.Title != c.Command.Title {
			t.Errorf("%q, whose command is %q, cannot be told apart", c.Title, c.Command.Title)
		}
		titles[c.Title] = true
		if c.Command.Command == "coauthor.openPrompt" && c.Command.Arguments[0]["questionId"] != nil && (c.Command.Arguments[0]["kind"] != "answer" || c.Command.Arguments[0]["uri"] != d.uri("a")) {
			t.Errorf("%+v", c.Command.Arguments)
		}
	}
	// Answered and given up questions leave the menu; a later one by the same name is not taken for them.
	old := d.s.questions.Put(d.root.Session, event.Question{ID: "again", Choices: []string{"x"}})
	again := d.s.questions.Put(d.root.Session, event.Question{ID: "again", Choices: []string{"x"}})
	d.s.questions.Drop(old)
	if got := said(d.menu(d.uri("a"), document.Range{}, codeActionParams{}), "questionId"); !slices.Contains(got, "answer again") {
		t.Errorf("offered %q", got)
	}
	d.s.questions.Drop(again)
	if got := said(d.menu(d.uri("a"), document.Range{}, codeActionParams{}), "questionId"); slices.Contains(got, "answer again") {
		t.Errorf("offered %q", got)
	}
}

// Of what waits the newest three are offered, with their labels where there is more than one. A light bulb shows no
// more than what is waiting; so does a menu that would be too long else.
func TestWhatWaitsInTheMenu(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "a\n", "b": "b\nb\n"}, literals)
	d.open("a")
	var ids []string
	for i := range 5 {
		p, err := d.root.Session.Proposals.Add(fmt.Sprintf("t-%d", i), fmt.Sprintf("label %d", i), []edits.Change{
			updated("b", "b\nb\n", fmt.Sprintf("B%d\nb\n", i)), {Path: fmt.Sprintf("n%d", i), Op: edits.OpCreate, After: "n\nn\n"}}, d.root.Workspace.Snapshot(), proposal.Checked{})
		if err != nil {
			t.Fatal(err)
		}
		if i != 3 {
			d.root.Session.Proposals.MarkShown(p.ID, 1)
		}
		ids = append(ids, p.ID)
		list := d.menu(d.uri("a"), document.Range{}, codeActionParams{})
		for _, c := range list {
			if c.Command.Command == "coauthor.openPrompt" {
				continue
			}
			if labelled := strings.Contains(c.Title, "label "); labelled != (i > 0) {
				t.Errorf("%d wait: %q", i+1, c.Title)
			}
			if c.Command.Command == "coauthor.apply" && !strings.Contains(c.Title, "+3 -1") {
				t.Errorf("%q", c.Title)
			}
		}
	}
	want := []string{"apply " + ids[4], "apply " + ids[2], "showPending " + ids[4], "showPending " + ids[3], "showPending " + ids[2],
		"discard " + ids[4], "discard " + ids[3], "discard " + ids[2]}
	for _, automatic := range []bool{false, true} {
		var p codeActionParams
		if automatic {
			p.Context.Trigger = triggerAutomatic
		}
		got := said(d.menu(d.uri("a"), document.Range{}, p), "proposalId")
		if !slices.Equal(got, want) {
			t.Errorf("automatic %v: offered %q, want %q", automatic, got, want)
		}
	}
}

// What starts a model is marked so for clients that know the mark, and what cannot be run here is greyed out or not
// offered at all. Of a document that is not open, and of one that we wrote, nothing is to be changed.
func TestWhatIsOfferedWhere(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(outside, []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		change func(*client.Capabilities, *client.Quirks)
		place  string // a document
		want   string // what is offered: ! is marked, - is greyed out
	}{
		{"marked", func(c *client.Capabilities, _ *client.Quirks) {
			c.ActionLiterals, c.ActionTagLLM, c.InputBox = true, true, true
		}, "a", "apply! showPending discard edit!"},
		{"not marked", func(c *client.Capabilities, _ *client.Quirks) { c.ActionLiterals, c.InputBox = true, true }, "a", "apply showPending discard edit"},
		{"no input box", literals, "a", "apply showPending discard openPrompt"},
		{"not open", literals, "b", ""},
		{"no file, greyed out", func(c *client.Capabilities, _ *client.Quirks) { c.ActionLiterals, c.DisabledActions = true, true }, "untitled:x", "apply showPending discard openPrompt-"},
		{"no file", literals, "untitled:x", "apply showPending discard"},
		{"our own", literals, ".coauthor/x.diff", "apply showPending discard"},
		{"a prompt", literals, ".coauthor/prompt-1.md", "apply showPending discard runPrompt"},
		{"a prompt, marked", func(c *client.Capabilities, _ *client.Quirks) { c.ActionLiterals, c.ActionTagLLM = true, true }, ".coauthor/prompt-1.md", "apply! showPending discard runPrompt!"},
	} {
		d := newBufferHarness(t, map[string]string{"a": "a\n", "b": "b\n", ".coauthor/x.diff": "x\n", ".coauthor/prompt-1.md": "x\n"}, test.change)
		uri := test.place
		switch {
		case strings.HasPrefix(uri, "untitled:"):
			var p didOpenParams
			p.Document.URI, p.Document.Version = uri, 1
			if err := d.s.didOpen(t.Context(), &p); err != nil {
				t.Fatal(err)
			}
		default:
			uri = d.uri(uri)
			if test.place != "b" {
				d.open(test.place)
			}
		}
		d.propose(updated("b", "b\n", "B\n"))
		var got []string
		for _, c := range d.menu(uri, document.Range{}, codeActionParams{}) {
			word := strings.TrimPrefix(c.Command.Command, "coauthor.")
			if at := c.Command.Arguments[0]["uri"]; at != uri {
				t.Errorf("%s: %s is about %v", test.name, word, at)
			}
			if slices.Equal(c.Tags, []int{1}) {
				word += "!"
			}
			if c.Disabled.Reason != "" {
				word += "-"
			}
			got = append(got, word)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: offered %q, want %s", test.name, got, test.want)
		}
	}
}

// What is asked for in a place is about that place: the document as it was there, and what was selected in it.
func TestWhatAnOfferIsAbout(t *testing.T) {
	for name, change := range map[string]func(*client.Capabilities, *client.Quirks){
		"edit": func(c *client.Capabilities, _ *client.Quirks) { c.ActionLiterals, c.InputBox = true, true }, "openPrompt": literals,
	} {
		d := newBufferHarness(t, map[string]string{"a": "one\ntwo\n"}, change)
		starts := map[string]bool{"coauthor." + name: true}
		for _, name := range everywhere() {
			starts["coauthor."+name] = true
		}
		d.s.docs.encoding = document.UTF16
		d.open("a")
		d.typed("a", "uno\ntwo\n")
		for selected, in := range map[bool]document.Range{false: *wireAt(1, 1, 1), true: *wireAt(1, 0, 2)} {
			for _, c := range d.menu(d.uri("a"), in, codeActionParams{}) {
				a := c.Command.Arguments[0]
				var want any // as JSON has it
				if raw, err := json.Marshal(in); err != nil || json.Unmarshal(raw, &want) != nil {
					t.Fatal(err)
				}
				if !selected {
					want = nil
				}
				if diff := cmp.Diff(want, a["range"]); diff != "" || !starts[c.Command.Command] || a["version"] != 2.0 {
					t.Errorf("%s, selected %v: %+v\n%s", name, selected, c, diff)
				}
			}
		}
	}
}

// A choice comes back as it was given, whatever of it can be shown; of words that stand for a choice, any case does.
func TestAnswersComeBack(t *testing.T) {
	for _, test := range []struct {
		name string
		q    event.Question
		pick string // the beginning of the choice in the dialog
		want event.Answer
	}{
		{"as it is", event.Question{Choices: []string{"No", "Yes"}, Default: "No"}, "Yes", event.Answer{Choice: "Yes"}},
		{"with what cannot be shown", event.Question{Choices: []string{"No", "a\u202eb\x1b[1m"}, Default: "No"}, "a", event.Answer{Choice: "a\u202eb\x1b[1m"}},
	} {
		d := newBufferHarness(t, nil, nil)
		d.pick = func(_ string, choices []string) string {
			for _, c := range choices {
				if strings.ContainsAny(c, "\u202e\x1b") {
					t.Errorf("shown is %q", c)
				}
				if strings.HasPrefix(c, test.pick) {
					return c
				}
			}
			return ""
		}
		got, err := d.root.Shown.Asker().Ask(context.Background(), test.q)
		if err != nil || got != test.want {
			t.Errorf("%s: %+v, %v", test.name, got, err)
		}
	}
	for _, test := range []struct {
		q            event.Question
		choice, text string
		want         string // the answer; "-" for none
	}{
		{event.Question{Choices: []string{"a", "b"}}, "a", "", "choice a"},
		{event.Question{Choices: []string{"a", "b"}}, "", "B", "choice b"},
		{event.Question{Choices: []string{"a", "b"}}, " b ", "", "choice b"},
		{event.Question{Choices: []string{"a", "b"}}, "", "", "-"},
		{event.Question{Choices: []string{"a", "b"}}, "c", "", "-"},
		{event.Question{Choices: []string{"a", "b"}}, "", "c", "-"},
		{event.Question{Choices: []string{"a"}, FreeText: true}, "", "own words", "text own words"},
		{event.Question{Choices: []string{"a"}, FreeText: true}, "own words", "", "text own words"},
		{event.Question{Choices: []string{"a"}, FreeText: true}, "A", "", "choice a"},
		{event.Question{FreeText: true}, "", "own words", "text own words"},
		{event.Question{Choices: []string{"a"}, Titles: []string{"Do it"}}, "", "do IT", "choice a"},
	} {
		d := newBufferHarness(t, nil, nil)
		test.q.ID = "q"
		o := d.s.questions.Put(nil, test.q)
		status, err := d.s.questions.Answer("q", test.choice, test.text)
		got := "-"
		if err == nil && status == "answered" {
			switch a := lsptest.Receive(t, "the answer", o.Answered()); {
			case a.Text != "":
				got = "text " + a.Text
			default:
				got = "choice " + a.Choice
			}
		}
		if got != test.want || (err != nil) != (test.want == "-") {
			t.Errorf("%+v, %q, %q: %s, %v, want %s", test.q, test.choice, test.text, got, err, test.want)
		}
		if _, err := d.s.questions.Answer("q", test.choice, test.text); (err != nil) != (test.want == "-") {
			t.Errorf("a second time: %v", err) // it is dropped
		}
	}
}

// diagnosticsFrom reads diagnostics as a client sends them.
func diagnosticsFrom(t *testing.T, text string) (list []document.Diagnostic) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// complaint is a diagnostic of another server on a line.
func complaint(line, severity int, message, more string) string {
	return fmt.Sprintf(`{"range":{"start":{"line":%d,"character":0},"end":{"line":%d,"character":1}},"severity":%d,"source":"vet","message":%q%s}`, line, line, severity, message, more)
}

// The worst three complaints about a place are offered to be fixed, each with its diagnostic as the client sent it, and all
// of them at once; the kinds that the client wants are respected.
func TestFixesInTheMenu(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "one\ntwo\n"}, func(c *client.Capabilities, _ *client.Quirks) { c.ActionLiterals, c.ActionTagLLM = true, true })
	d.open("a")
	var p codeActionParams
	sent := []string{
		complaint(0, 3, "an information", ""), complaint(0, 2, "a warning", `,"code":7,"data":{"x":[1]},"tags":[1]`), complaint(0, 4, "a hint", ""),
		complaint(0, 1, strings.Repeat("long ", 20), ""), complaint(0, 1, "an error", `,"codeDescription":{"href":"https://example.org/"},"code":"E1"`), complaint(1, 1, "elsewhere", ""),
		`{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"source":"coauthor","code":"no-match","message":"a mark of ours"}`,
	}
	p.Context.Diagnostics = diagnosticsFrom(t, "["+strings.Join(sent, ",")+"]")
	fixes := func(only ...string) (titles []string, about [][]any) {
		t.Helper()
		p.Context.Only, p.Document, p.Range = only, documentID{URI: d.uri("a")}, document.Range{}
		result, err := d.s.codeAction(t.Context(), &p, d.s.captureCodeAction(&p))
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		var list []struct {
			choice
			Diagnostics []any
		}
		if err := json.Unmarshal(raw, &list); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		if len(list) > mostActions {
			t.Errorf("%d actions", len(list))
		}
		for _, a := range list {
			if a.Command.Command != "coauthor.fix" {
				continue
			}
			if a.Kind != "quickfix" || !slices.Equal(a.Tags, []int{1}) {
				t.Errorf("%s: kind %s, tags %v", a.Title, a.Kind, a.Tags)
			}
			titles, about = append(titles, a.Title), append(about, a.Diagnostics)
		}
		return titles, about
	}
	titles, about := fixes()
	long := strings.TrimSpace(strings.Repeat("long ", 20))
	want := []string{`Coauthor: fix "` + long[:59] + `…"`, `Coauthor: fix "an error"`, `Coauthor: fix "a warning"`, "Coauthor: fix all 4 problems here"}
	if diff := cmp.Diff(want, titles); diff != "" {
		t.Fatal(diff)
	}
	for i, raws := range [][]string{{sent[3]}, {sent[4]}, {sent[1]}, {sent[3], sent[4], sent[1], sent[0]}} {
		var as []any
		if err := json.Unmarshal([]byte("["+strings.Join(raws, ",")+"]"), &as); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(as, about[i]); diff != "" {
			t.Errorf("%s is about\n%s", titles[i], diff)
		}
	}
	if got, _ := fixes("quickfix"); !slices.Equal(got, want) {
		t.Errorf("quick fixes are %q", got)
	}
	if got, _ := fixes("refactor", "source"); len(got) != 0 {
		t.Errorf("refactorings are %q", got)
	}
	p.Context.Trigger = triggerAutomatic
	if got, _ := fixes(); len(got) != 0 {
		t.Errorf("a light bulb has %q", got)
	}
	p.Context.Trigger, p.Context.Diagnostics = 0, p.Context.Diagnostics[4:5]
	if got, _ := fixes(); !slices.Equal(got, want[1:2]) {
		t.Errorf("one complaint: %q", got)
	}
	d.propose(updated("a", "one\ntwo\n", "two\ntwo\n"))
	if got, _ := fixes(); len(got) != 0 {
		t.Errorf("while a change waits: %q", got)
	}
}

// A full menu has the change, the fixes and what the user has made themselves; what can be written as well goes first.
func TestAFullMenu(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a.go": "// one two\n"}, func(c *client.Capabilities, _ *client.Quirks) { c.ActionLiterals, c.InputBox = true, true })
	d.open("a.go")
	words := func(p codeActionParams) string {
		return strings.Join(said(d.menu(d.uri("a.go"), *wireAt(0, 0, 10), p)), " ")
	}
	var p codeActionParams
	if got := words(p); got != "edit edit explain addTests addDocs simplify ask architect" {
		t.Errorf("offered %s", got)
	}
	p.Context.Diagnostics = diagnosticsFrom(t, "["+complaint(0, 1, "x", "")+","+complaint(0, 1, "y", "")+"]")
	if got := words(p); got != "fix fix fix edit edit explain addTests ask" {
		t.Errorf("with complaints: %s", got)
	}
	p.Context.Only = []string{"source"}
	if got := words(p); got != "review" {
		t.Errorf("of the whole: %s", got)
	}
}
