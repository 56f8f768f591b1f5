package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/cmd/coauthor/chat"
	"coauthor/edits"
)

// answerOf is a piece of the reply.
func answerOf(text string) event.Event {
	return event.Event{Kind: event.KindDelta, Channel: event.ChannelAnswer, Text: text}
}

// printing plays events to a printer; what comes on standard output and on standard error is returned one
// after the other and in the order in which a person sees both.
func printing(p *turnPrinter, list ...event.Event) (out, errs, both string) {
	var o, e, all bytes.Buffer
	p.s = Streams{Out: twice{&o, &all}, Err: twice{&e, &all}}
	for _, x := range list {
		p.sink(x)
	}
	return o.String(), e.String(), all.String()
}

type twice [2]*bytes.Buffer

func (w twice) Write(text []byte) (int, error) {
	_, _ = w[0].Write(text)
	return w[1].Write(text)
}

// TestEventsArePrinted: where each kind of event is seen, and that nothing is said in the middle of a line.
func TestEventsArePrinted(t *testing.T) {
	held := "a.py\n```\nx = 1\n```\n"
	for what, x := range map[string]struct {
		raw       bool
		events    []event.Event
		out, errs string
		both      string // where the order is not first out, then err
	}{
		"words":            {events: []event.Event{answerOf("I do "), answerOf("it.\n")}, out: "I do it.\n"},
		"reasoning":        {events: []event.Event{{Kind: event.KindDelta, Channel: event.ChannelReasoning, Text: "hm"}, answerOf("Yes.\n")}, out: "Yes.\n"},
		"no last line":     {events: []event.Event{answerOf("I do it."), {Kind: event.KindEnded}}, out: "I do it.\n"},
		"an edit":          {events: []event.Event{answerOf("It.\n" + held + "Done.\n"), {Kind: event.KindEnded}}, out: "It.\nDone.\n"},
		"an edit, raw":     {raw: true, events: []event.Event{answerOf("It.\n" + held), {Kind: event.KindEnded}}, out: "It.\n" + held},
		"a name at last":   {events: []event.Event{answerOf("See\nlib/a.py\n"), {Kind: event.KindEnded}}, out: "See\nlib/a.py\n"},
		"half of a rune":   {raw: true, events: []event.Event{answerOf("caf\xc3"), answerOf("\xa9\n")}, out: "café\n"},
		"its beginning":    {events: []event.Event{answerOf("And caf\xc3"), {Kind: event.KindEnded}}, out: "And caf<0xC3>\n"},
		"an edit is seen":  {events: []event.Event{answerOf("I do"), {Kind: event.KindEdit, Op: "update", Path: "a.py"}, answerOf(" it.\n")}, both: "I do it.\n  edit a.py\n"},
		"and more follows": {events: []event.Event{answerOf("I do"), {Kind: event.KindEdit, Op: "update", Path: "a.py"}, answerOf(" it.\nAnd more"), {Kind: event.KindEdit, Op: "update", Path: "b.py"}, answerOf(" of it.\nDone.\n")}, both: "I do it.\n  edit a.py\nAnd more of it.\n  edit b.py\nDone.\n"},
		"one file twice":   {events: []event.Event{answerOf("I do it.\n"), {Kind: event.KindEdit, Op: "update", Path: "a.py"}, {Kind: event.KindEdit, Op: "update", Path: "b.py"}, {Kind: event.KindEdit, Op: "update", Path: "a.py"}, {Kind: event.KindRound, Text: "Again"}, {Kind: event.KindEdit, Op: "update", Path: "a.py"}}, both: "I do it.\n  edit a.py\n  edit b.py\nAgain.\n  edit a.py\n"},
		"an edit at last":  {events: []event.Event{answerOf("I do it."), {Kind: event.KindEdit, Op: "update", Path: "a.py"}, {Kind: event.KindUsage, Usage: &event.Usage{Prompt: 12, Completion: 3}}}, both: "I do it.\n  edit a.py\n12 tokens in, 3 out\n"},
		"operations": {events: []event.Event{{Kind: event.KindEdit, Op: "create", Path: "a"}, {Kind: event.KindEdit, Op: "delete", Path: "b"}, {Kind: event.KindEdit, Op: "rename", Path: "c"},
			{Kind: event.KindEdit, Op: "fold", Path: "d\x1b"}}, errs: "  new a\n  delete b\n  move c\n  fold d<U+001B>\n"},
		"a long name": {events: []event.Event{{Kind: event.KindEdit, Op: "update", Path: strings.Repeat("x", 500) + ".py"}}, errs: "  edit " + display.Path(strings.Repeat("x", 500)+".py", 120) + "\n"},
		"a retry":     {events: []event.Event{answerOf("I do"), {Kind: event.KindRound, Round: 1, Of: 3, Text: "one edit failed"}}, both: "I do\nRetrying 1 of 3: one edit failed.\n"},
		"a next call": {events: []event.Event{answerOf("I do"), {Kind: event.KindRound, Round: 2, Text: "Continuing\x1b"}}, both: "I do\nContinuing<U+001B>.\n"},
		"two edits":   {events: []event.Event{answerOf("I do"), {Kind: event.KindEdit, Op: "update", Path: "a"}, {Kind: event.KindEdit, Op: "update", Path: "b"}, {Kind: event.KindEnded}}, both: "I do\n  edit a\n  edit b\n"},
		"a note":      {events: []event.Event{answerOf("I do"), {Kind: event.KindNote, Note: &event.Note{Text: "the map is left out"}}}, both: "I do\nthe map is left out\n"},
		"usage":       {events: []event.Event{answerOf("I do"), {Kind: event.KindUsage, Usage: &event.Usage{Prompt: 12, Completion: 3}}}, both: "I do\n12 tokens in, 3 out\n"},
		"a guess":     {events: []event.Event{{Kind: event.KindUsage, Usage: &event.Usage{Prompt: 12, Completion: 3, Estimated: true}}}, errs: "about 12 tokens in, 3 out\n"},
		"a price":     {events: []event.Event{{Kind: event.KindUsage, Usage: &event.Usage{Prompt: 12, Completion: 3, Cost: 0.01234}}}, errs: "12 tokens in, 3 out, $0.0123\n"},
		"the rest":    {events: []event.Event{{Kind: event.KindState, State: event.TurnStreaming}, {Kind: event.KindProposal, Proposal: &event.ProposalRef{}}, {Kind: event.KindEnded}}},
	} {
		out, errs, both := printing(&turnPrinter{raw: x.raw}, x.events...)
		if x.both == "" {
			x.both = x.out + x.errs
		} else {
			out, errs = x.out, x.errs
		}
		if out != x.out || errs != x.errs || both != x.both {
			t.Errorf("%s: on standard output %q, on standard error %q, together %q", what, out, errs, both)
		}
	}
}

// TestEventsAsJSON: each event is one line, as it is, and nothing else is printed.
func TestEventsAsJSON(t *testing.T) {
	list := []event.Event{answerOf("I <do>\n"), {Kind: event.KindEdit, Op: "update", Path: "a.py"}, {Kind: event.KindUsage, Usage: &event.Usage{Prompt: 1}}, {Kind: event.KindEnded, Turn: "t", Seq: 7}}
	p := &turnPrinter{json: true}
	out, errs, _ := printing(p, list...)
	var got []event.Event
	for line := range strings.Lines(out) {
		var e event.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		got = append(got, e)
	}
	if diff := cmp.Diff(list, got); diff != "" || errs != "" {
		t.Errorf("(-told +printed):\n%s\n%s", diff, errs)
	}
	var more bytes.Buffer
	p.s = Streams{Out: &more, Err: &more}
	x := proposal.Proposal{Files: []proposal.File{{Change: edits.Change{Path: "a", Op: edits.OpUpdate, Before: "1\n", After: "2\n"}}}}
	p.failures([]edits.Failure{{Path: "a", Message: "no"}})
	p.warnings([]string{"careful"})
	p.diff(x, false)
	p.files(x)
	if more.Len() > 0 {
		t.Errorf("printed beside the events: %s", more.String())
	}
}

// TestTheChangeIsPrinted: refusals and warnings with the file they are about, the diff in colour for a
// person and exact for a program.
func TestTheChangeIsPrinted(t *testing.T) {
	change := edits.Change{Path: "a.py", Op: edits.OpUpdate, Before: "x = 1\n", After: "x = '\x1b[2K'\n"}
	x := proposal.Proposal{Files: []proposal.File{{Change: change, Hunks: edits.Diff(change.Before, change.After)}}}
	for what, c := range map[string]struct {
		colour, terminal, exact bool
		holds                   string
	}{
		"a file":              {false, false, true, "\n+x = '\x1b[2K'\n"},
		"a file, not exact":   {false, false, false, "\n+x = '<U+001B>[2K'\n"},
		"a screen":            {true, true, false, "\x1b[32m+x = \x1b[0m\x1b[36m'<U+001B>[2K'\x1b[0m\n"},
		"a screen, exact":     {true, true, true, "\x1b[32m+x = \x1b[0m\x1b[36m'<U+001B>[2K'\x1b[0m\n"},
		"a screen, no colour": {false, true, false, "\n+x = '<U+001B>[2K'\n"},
	} {
		var out, errs bytes.Buffer
		p := &turnPrinter{s: Streams{Out: &out, Err: &errs}}
		if c.terminal {
			p.screen = &chat.Painter{Colour: c.colour, Width: 80}
		}
		p.diff(x, c.exact)
		if !strings.Contains(out.String(), c.holds) || !strings.Contains(errs.String(), "line 1 of a.py") {
			t.Errorf("%s: %q, told %q", what, out.String(), errs.String())
		}
	}
	var out, errs bytes.Buffer
	p := &turnPrinter{s: Streams{Out: &out, Err: &errs}}
	p.failures([]edits.Failure{{Path: "a.py", Message: "not there"}, {Message: "cut off"}})
	p.warnings([]string{"careful"})
	p.files(x)
	change.After = "x = 2\n"
	p.diff(proposal.Proposal{Files: []proposal.File{{Change: change, Hunks: edits.Diff(change.Before, change.After)}}}, false)
	if want := "Not applied: a.py: not there\nNot applied: cut off\nWarning: careful\nWould update a.py (+1 -1)\n  edit   a.py  +1 -1\n"; errs.String() != want {
		t.Errorf("told %q, want %q", errs.String(), want)
	}
}

// TestOutcomesArePrinted: what was written and what was not, by operation.
func TestOutcomesArePrinted(t *testing.T) {
	var errs bytes.Buffer
	p := &turnPrinter{s: Streams{Err: &errs}}
	p.outcome(proposal.Outcome{Reason: "one file was left alone", Files: []proposal.FileOutcome{
		{Path: "a", Op: edits.OpCreate, State: proposal.LandLanded, Added: 2},
		{Path: "b", Op: edits.OpUpdate, State: proposal.LandLanded, Added: 1, Removed: 3},
		{Path: "c", Op: edits.OpDelete, State: proposal.LandLanded, Removed: 4},
		{Path: "d", Op: edits.OpRename, To: "e", State: proposal.LandLanded},
		{Path: "f", Op: edits.OpRename, To: "g", State: proposal.LandAbsent, Reason: "another program changed the file"},
		{Path: "h", Op: "fold", State: proposal.LandLanded},
	}})
	want := "one file was left alone\nCreated a (+2 -0)\nChanged b (+1 -3)\nDeleted c (+0 -4)\nMoved d to e (+0 -0)\n" +
		"Not written: f to g: another program changed the file\nfold h (+0 -0)\n"
	if errs.String() != want {
		t.Errorf("told (-want +got):\n%s", cmp.Diff(want, errs.String()))
	}
}

// TestHowAnAnswerWasRead is told to whoever asks for it; what a change does to the files is told to everybody.
func TestHowAnAnswerWasRead(t *testing.T) {
	detail, info := event.Detail("edit 1: the model used whole instead of diff"), event.Info("edit 1: placed in a.py at line 1")
	for verbose, want := range map[bool]string{true: detail.Text + "\n" + info.Text + "\n", false: info.Text + "\n"} {
		_, errs, _ := printing(&turnPrinter{verbose: verbose}, event.Event{Kind: event.KindNote, Note: &detail}, event.Event{Kind: event.KindNote, Note: &info})
		if errs != want {
			t.Errorf("verbose %v: %q", verbose, errs)
		}
	}
}

// TestVerboseSaysHowAnAnswerWasRead: an answer in another format than asked is told of with --verbose alone; programs
// read it in any case.
func TestVerboseSaysHowAnAnswerWasRead(t *testing.T) {
	const note = "its edits were read anyway"
	for _, x := range []struct {
		args   []string
		on, in bool // told on standard error, in the events
	}{{nil, false, false}, {[]string{"--verbose"}, true, false}, {[]string{"--json"}, false, true}} {
		h := newShell(t, "-- 1.md --\na.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n")
		code := h.run(append([]string{"edit", "-m", "Make x two.", "--yes", "--format", "whole", filepath.Join(h.root, "a.py")}, x.args...)...)
		if code != 0 || h.read("a.py") != "x = 2\r\nz = 1" {
			t.Errorf("%q: exit %d, a.py is %q", x.args, code, h.read("a.py"))
		}
		if on, in := strings.Contains(h.err.String(), note), strings.Contains(h.out.String(), note); on != x.on || in != x.in {
			t.Errorf("%q: told %v, in the events %v:\n%s%s", x.args, on, in, h.out.String(), h.err.String())
		}
	}
}

// TestVerboseApply: so it is with apply.
func TestVerboseApply(t *testing.T) {
	const note = "only names a.py and was left out"
	for _, args := range [][]string{nil, {"--verbose"}} {
		root := t.TempDir()
		if err := os.WriteFile(filepath.Join(root, "a.py"), []byte("x = 1\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		var out, err bytes.Buffer
		code := run(t.Context(), append([]string{"apply", "--root", root, "--format", "whole", "--yes"}, args...),
			Streams{In: strings.NewReader("a.py\n```\n# a.py\nx = 2\n```\n"), Out: &out, Err: &err, Env: func(string) string { return "" }})
		text, _ := os.ReadFile(filepath.Join(root, "a.py"))
		if code != 0 || string(text) != "x = 2\n" {
			t.Errorf("%q: exit %d, a.py is %q", args, code, text)
		}
		if told := strings.Contains(out.String()+err.String(), note); told != (args != nil) {
			t.Errorf("%q: told %v:\n%s%s", args, told, out.String(), err.String())
		}
	}
}
