package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/command/arg"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/edits"
	"coauthor/lsp/client"
	"coauthor/lsp/document"
	"coauthor/lsp/folder"
	"coauthor/lsp/present"
	"coauthor/lsp/turnview"
)

// What a command asks for reaches the engine as it was said, whatever of it was said.
func TestRequestOfACommand(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "one\ntwo\nthree\n", "sub/b": "b\n"}, nil)
	d.s.docs.encoding = document.UTF16
	d.open("a")
	if err := d.s.didDiagnose(t.Context(), &diagnosticsParams{URI: d.uri("a"), Diagnostics: []document.Diagnostic{
		{Range: *wireAt(1, 0, 1), Source: "lint", Message: json.RawMessage(`"bad"`)}, {Range: *wireAt(2, 0, 1), Message: json.RawMessage(`"worse"`)}}}); err != nil {
		t.Fatal(err)
	}
	whole := &agent.Target{Path: "a", Version: 1}
	for _, c := range []struct {
		command, args string
		want          agent.Request
	}{
		{"edit", `"do","it"`, agent.Request{Instruction: "do it", Target: whole}},
		{"ask", `"why?"`, agent.Request{Instruction: "why?", Target: whole, Coder: "ask"}},
		{"edit", `{"instruction":" x ","model":"m","preview":"diff","editFormat":"whole","format":"diff"}`,
			agent.Request{Instruction: "x", Target: whole, Model: "m", Preview: "diff", Format: "diff"}},
		{"edit", `{"text":"x","format":"diff"}`, agent.Request{Instruction: "x", Target: whole, Format: "diff"}},
		{"edit", `{"text":"x","files":["$b","c/d"],"file":"e","readOnly":["$b"]}`,
			agent.Request{Instruction: "x", Target: whole, Files: []string{"sub/b", "c/d", "e"}, ReadOnly: []string{"sub/b"}}},
		{"edit", `{"text":"x","uri":"$b"}`, agent.Request{Instruction: "x", Target: &agent.Target{Path: "sub/b"}}},
		{"edit", `{"text":"x","range":{"start":{"line":1,"character":0},"end":{"line":1,"character":3}},"diagnostics":true}`,
			agent.Request{Instruction: "x", Target: &agent.Target{Path: "a", Start: 4, End: 7, Version: 1},
				Diagnostics: []agent.Diagnostic{{Path: "a", Line: 2, Message: "bad", Source: "lint"}}}},
		{"edit", `{"text":"x","diagnostics":true}`, agent.Request{Instruction: "x", Target: whole, Diagnostics: []agent.Diagnostic{
			{Path: "a", Line: 2, Message: "bad", Source: "lint"}, {Path: "a", Line: 3, Message: "worse"}}}},
		{"edit", `{"text":"x","diagnostics":[{"range":{"start":{"line":8,"character":0},"end":{"line":8,"character":0}},"source":"s","message":{"kind":"markdown","value":"m"}}]}`,
			agent.Request{Instruction: "x", Target: whole, Diagnostics: []agent.Diagnostic{{Path: "a", Line: 9, Message: "m", Source: "s"}}}},
		{"edit", `{"text":"x","diagnostics":false}`, agent.Request{Instruction: "x", Target: whole}},
	} {
		text := strings.ReplaceAll("["+c.args+"]", "$b", d.uri("sub/b"))
		var list []json.RawMessage
		if err := json.Unmarshal([]byte(text), &list); err != nil {
			t.Fatal(err)
		}
		call := d.s.captureCommand(&executeParams{Command: command.CommandPrefix + c.command, Arguments: list})
		if call.err != nil {
			t.Fatal(call.err)
		}
		var args command.EditArgs
		if err := arg.Decode(list, argsOf(t, c.command), &args); err != nil {
			t.Fatal(err)
		}
		got, err := d.s.request(call, args)
		if diff := cmp.Diff(c.want, got, cmpopts.IgnoreUnexported(agent.Request{})); err != nil || diff != "" {
			t.Errorf("%s %s: %v\n%s", c.command, c.args, err, diff)
		}
	}
	for _, bad := range []string{`{"text":"x","files":["file:///elsewhere"]}`, `{"text":"x","readOnly":["file:///elsewhere"]}`,
		`{"text":"x","preview":"sideways"}`, `{"text":"x","uri":"untitled:y"}`} {
		call := d.s.captureCommand(&executeParams{Command: "coauthor.edit", Arguments: []json.RawMessage{json.RawMessage(bad)}})
		if _, err := d.s.executeCommand(t.Context(), nil, call); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

// The way to preview is the one that was asked for where the client has it, else the best one that it has.
func TestWayToPreview(t *testing.T) {
	for _, c := range []struct {
		caps   func(*client.Capabilities, *client.Quirks)
		plugin string
		want   string // of "", auto, native, diff, none, inline
	}{
		{func(*client.Capabilities, *client.Quirks) {}, "", "diff diff diff diff none inline"},
		{func(c *client.Capabilities, q *client.Quirks) { c.Annotations, q.NativePreview = true, true }, "", "native native native diff none inline"},
		{func(c *client.Capabilities, q *client.Quirks) { c.Annotations, q.NativePreview = true, true }, "vscode", "diff diff native diff none inline"},
		{func(c *client.Capabilities, q *client.Quirks) { c.Annotations = true }, "", "diff diff diff diff none inline"},
		{func(c *client.Capabilities, q *client.Quirks) { q.NativePreview = true }, "", "diff diff diff diff none inline"},
		{func(c *client.Capabilities, q *client.Quirks) {
			c.Annotations, q.NativePreview, c.DocumentChanges = true, true, false
		}, "", "diff diff diff diff none inline"},
		{func(c *client.Capabilities, q *client.Quirks) { c.Pending = true }, "", "client client client client none inline"},
		{func(c *client.Capabilities, q *client.Quirks) {
			c.Pending, c.Annotations, q.NativePreview = true, true, true
		}, "", "client client native client none inline"},
	} {
		d := newBufferHarness(t, nil, c.caps)
		d.s.client.Plugin = c.plugin
		var got []string
		for _, mode := range []string{"", "auto", "native", "diff", "none", "inline"} {
			got = append(got, string(present.Views(d.s.client).Choose(mode, false)))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v, plug-in %q: %q, want %q", *d.s.client.Caps, c.plugin, got, c.want)
		}
	}
}

// A person looks first at the file that the request came from, then at what was there, then at what is new; each by name.
func TestOrderOfFiles(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "a\n", "b": "b\n", "m": "m\n", "z": "z\n", "far/x": "x\n"}, nil)
	p := d.propose(edits.Change{Path: "c", Op: edits.OpCreate, After: "c\n"}, updated("z", "z\n", "Z\n"), updated("b", "b\n", "B\n"),
		edits.Change{Path: "aa", Op: edits.OpCreate, After: "c\n"}, edits.Change{Path: "m", To: "n", Op: edits.OpRename, Before: "m\n", After: "m\n"})
	names := func() string {
		var list []string
		for _, f := range d.root.Shown.Review().InOrder(p) {
			list = append(list, f.Path())
		}
		return strings.Join(list, " ")
	}
	for _, step := range []struct{ focus, want string }{
		{"", "b n z aa c"}, {"z", "z b n aa c"}, {"m", "n b z aa c"}, {"far/x", "b n z aa c"},
	} {
		if step.focus != "" {
			d.open(step.focus)
		}
		if got := names(); got != step.want {
			t.Errorf("from %q: %s, want %s", step.focus, got, step.want)
		}
	}
	if got := p.Files[0].Path(); got != "c" {
		t.Errorf("the proposal itself was put in order: %s comes first", got)
	}
}

// A command that names a turn or a proposal finds it in whichever folder it is; one that names nothing takes the only
// one that waits, where nothing waits in the folder that the user is in.
func TestWhichProposalIsMeant(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "a\n"}, nil)
	other := t.TempDir()
	d.s.folders.Change([]string{other}, nil)
	r := d.s.folders.At(other)
	add := func(r *folder.Folder, turn, path string) *proposal.Proposal {
		t.Helper()
		p, err := r.Session.Proposals.Add(turn, "x", []edits.Change{{Path: path, Op: edits.OpCreate, After: "n\n"}}, r.Workspace.Snapshot(), proposal.Checked{})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	chosenBy := func(args string) (*folder.Folder, proposal.Selector, error) {
		t.Helper()
		list := []json.RawMessage{json.RawMessage(args)}
		var named command.Selector
		if err := arg.Decode(list, argsOf(t, "apply"), &named); err != nil {
			t.Fatal(err)
		}
		return d.s.chosen(d.s.captureCommand(&executeParams{Command: "coauthor.apply", Arguments: list}), named)
	}
	chosen := func(args string) string {
		t.Helper()
		got, sel, err := chosenBy(args)
		if err != nil {
			t.Fatal(err)
		}
		p, err := got.Session.Proposals.Find(sel)
		if err != nil {
			return "none"
		}
		return p.Turn
	}
	d.open("a")
	here := d.uri("a")
	if got := chosen(`{}`); got != "none" {
		t.Errorf("nothing waits, and %s is meant", got)
	}
	there := add(r, "there", "x")
	for args, want := range map[string]string{
		`{}`:                                "there",
		`{"uri":"` + here + `"}`:            "none",
		`{"turnId":"there"}`:                "there",
		`{"proposalId":"` + there.ID + `"}`: "there",
		`{"turnId":"there","uri":"` + here + `"}`: "there",
		`{"turnId":"elsewhere"}`:                  "none",
	} {
		if got := chosen(args); got != want {
			t.Errorf("one waits there: %s means %s, want %s", args, got, want)
		}
	}
	add(d.root, "here", "y")
	for args, want := range map[string]string{`{}`: "here", `{"uri":"` + here + `"}`: "here", `{"turnId":"there"}`: "there"} {
		if got := chosen(args); got != want {
			t.Errorf("one waits here, too: %s means %s, want %s", args, got, want)
		}
	}
	third := t.TempDir()
	d.s.folders.Change([]string{third}, nil)
	add(d.s.folders.At(third), "third", "z")
	if p, err := d.root.Session.Proposals.Find(proposal.Selector{Turn: "here"}); err == nil {
		d.root.Session.Proposals.MarkShown(p.ID, p.Revision)
	}
	if _, err := d.root.Session.Proposals.Discard(proposal.Selector{Turn: "here"}); err != nil {
		t.Fatal(err)
	}
	if got := chosen(`{}`); got != "none" {
		t.Errorf("two wait elsewhere, and %s is meant", got)
	}
	if got := d.s.rootOfTurn("third"); got == nil || got.Dir != third {
		t.Errorf("the turn is in %+v", got)
	}
	if got := d.s.rootOfTurn("nowhere"); got != nil {
		t.Errorf("an unknown turn is in %s", got.Dir)
	}
	if _, _, err := chosenBy(`{"files":["file:///elsewhere"]}`); err == nil {
		t.Error("a file elsewhere was taken")
	}
}

// A doctor that finds one problem says that not all is well, whatever else is.
func TestOneProblemIsEnough(t *testing.T) {
	for _, c := range []struct {
		checks []Check
		apply  bool
		want   bool
	}{
		{[]Check{{Name: "a", OK: true}, {Name: "b", OK: true}}, true, true},
		{[]Check{{Name: "a", OK: false, Advice: "look"}, {Name: "b", OK: true}}, true, false},
		{[]Check{{Name: "a", OK: true}, {Name: "b", OK: false}}, true, false},
		{nil, true, true},
		{nil, false, false},
	} {
		d := newBufferHarness(t, nil, func(caps *client.Capabilities, _ *client.Quirks) { caps.ApplyEdit = c.apply })
		d.s.opts.Doctor = func(context.Context, string, settings.Settings, []settings.Warning, bool) []Check {
			return c.checks
		}
		got, _ := d.s.doctor(context.Background(), d.root).(map[string]any)
		if got["ok"] != c.want {
			t.Errorf("%+v, edits taken %v: %v", c.checks, c.apply, got["ok"])
		}
		list, _ := got["checks"].([]Check)
		for _, check := range c.checks {
			if !slices.Contains(list, check) {
				t.Errorf("%+v lacks %+v", list, check)
			}
		}
	}
}

// A reply of the model that comes in pieces reaches a client that wants it whole and in order.
func TestTheStreamIsWhole(t *testing.T) {
	var all strings.Builder
	for i := range 300 {
		fmt.Fprintf(&all, "word %d and word, ", i)
	}
	text := all.String()
	r := newModelHarness(t, llmtest.Say(text), nil)
	r.initialize(`{"experimental":{"coauthor":{"stream":true,"turn":true}}}`, "null")
	r.open("a.txt", "one\n")
	r.command("ask", `"talk"`)
	var got strings.Builder
	seq := 0.0
	r.watch(func(method string, p map[string]any) bool {
		if method == turnview.MethodStream {
			piece, _ := p["delta"].(string)
			got.WriteString(piece)
			n, _ := p["seq"].(float64)
			if n <= seq || p["channel"] != "answer" {
				t.Errorf("piece %v after %v: %v", n, seq, p)
			}
			seq = n
		}
		return method == turnview.MethodTurn && p["state"] == "answered"
	})
	if strings.TrimSpace(got.String()) != strings.TrimSpace(text) {
		t.Errorf("%d bytes, want %d", got.Len(), len(text))
	}
}
