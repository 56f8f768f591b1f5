package turnview

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/annotate"
	"coauthor/lsp/client"
	"coauthor/lsp/review"
)

// newTable is a table of a client that draws turns itself.
func newTable() *Table {
	return New(Options{
		Client: &client.Client{Caps: &client.Capabilities{NoTurnProgress: true}, Quirks: &client.Quirks{}}, Questions: &Questions{},
		Clock: time.Now, Log: slog.New(slog.DiscardHandler), Background: func(func(context.Context)) bool { return false },
	})
}

func holds(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(text, word) {
			t.Errorf("%q lacks %q", text, word)
		}
	}
}

// The line of a turn holds the first question that is open, as long as it is, and what the turn is about where several run.
func TestLineOfATurn(t *testing.T) {
	list, folder := newTable(), &agent.Session{}
	begin := func(request agent.Request) *View {
		v := list.NewView(ViewOptions{Session: folder, Request: request})
		v.id = request.Instruction
		v.progress = list.NewProgress("Coauthor", "", v.stop)
		t.Cleanup(func() { v.progress.End("") })
		list.add(v)
		return v
	}
	v := begin(agent.Request{Instruction: "make it better\nand more", Label: "a label"})
	if got := v.message(); got != "" {
		t.Errorf("before the start: %q", got)
	}
	v.show(&event.Event{Kind: event.KindState, State: event.TurnCollecting})
	if got := v.message(); got == "" || strings.Contains(got, "label") {
		t.Errorf("alone: %q", got)
	}
	first := v.asks(event.Question{ID: "1", Text: "Which one?"})
	if len(v.wake) != 1 {
		t.Error("nobody is told of the question")
	}
	second := v.asks(event.Question{ID: "2", Text: "Why?"})
	holds(t, v.message(), "Which one?")
	first()
	if got := v.message(); !strings.Contains(got, "Why?") || strings.Contains(got, "Which") {
		t.Errorf("the second: %q", got)
	}
	second()
	if got := v.message(); strings.Contains(got, "?") {
		t.Errorf("answered: %q", got)
	}
	other := begin(agent.Request{Instruction: "something else"})
	holds(t, v.message(), "a label")
	other.show(&event.Event{Kind: event.KindState, State: event.TurnRequesting, Model: "m"})
	holds(t, other.message(), "m", "something else")
	list.remove(other)
	if got := v.message(); strings.Contains(got, "label") {
		t.Errorf("alone again: %q", got)
	}
}

// The pieces of a stream that wait for a slow client are put together, each channel by itself, and in order with the rest.
func TestPiecesThatWait(t *testing.T) {
	v := &View{wake: make(chan struct{}, 1)}
	delta := func(c event.Channel, text string) event.Event {
		return event.Event{Kind: event.KindDelta, Channel: c, Text: text}
	}
	for _, e := range []event.Event{delta(event.ChannelReasoning, "a"), delta(event.ChannelReasoning, "b"), delta(event.ChannelAnswer, "c"),
		delta(event.ChannelAnswer, "d"), {Kind: event.KindEdit, Text: "e"}, delta(event.ChannelAnswer, "f"), {Kind: event.KindEdit, Text: "g"}, {Kind: event.KindEdit, Text: "h"}} {
		v.Event(e)
	}
	var got []string
	for _, e := range v.queue {
		got = append(got, e.Text)
	}
	if !slices.Equal(got, []string{"ab", "cd", "e", "f", "g", "h"}) || len(v.wake) != 1 {
		t.Errorf("%q, woken %v", got, len(v.wake) == 1)
	}
}

// The last word of a turn holds the numbers: files, lines, refused edits, tokens, and the price where there is one.
func TestNumbersOfATurn(t *testing.T) {
	for _, c := range []struct {
		usage event.Usage
		holds []string
		lacks []string
	}{
		{event.Usage{}, nil, []string{"tokens", "$"}},
		{event.Usage{Prompt: 1234, Completion: 56}, []string{"1.2k tokens in", "56 out"}, []string{"$", "about"}},
		{event.Usage{Completion: 5}, []string{"0 tokens in", "5 out"}, nil},
		{event.Usage{Prompt: 7, Estimated: true}, []string{"about 7 tokens in"}, nil},
		{event.Usage{Prompt: 7, Cost: 0.125}, []string{"$0.1"}, []string{"less"}},
		{event.Usage{Prompt: 7, Cost: 0.005}, []string{"$0.01"}, []string{"less"}},
		{event.Usage{Prompt: 7, Cost: 0.0049}, []string{"less than $0.01"}, []string{"$0.00"}},
	} {
		got := WithUsage("Done", c.usage)
		holds(t, got, append(c.holds, "Done")...)
		for _, not := range c.lacks {
			if strings.Contains(got, not) {
				t.Errorf("%+v: %q has %q", c.usage, got, not)
			}
		}
	}
	p := &proposal.Proposal{}
	for _, c := range []edits.Change{{Path: "a", Before: "a\n", After: "A\nB\n"}, {Path: "b", Before: "b\n", After: "B\n"}} {
		c.Op = edits.OpUpdate
		p.Files = append(p.Files, proposal.File{Change: c, Hunks: edits.Diff(c.Before, c.After)})
	}
	for refused, want := range map[int]string{0: "2 files changed, +3 -2. ", 1: "1 edit was refused", 2: "2 edits were refused"} {
		got := ready(p, refused, review.Words{})
		holds(t, got, "2 files changed, +3 -2", want)
		if strings.Contains(got, "refused") != (refused > 0) {
			t.Errorf("%d refused: %q", refused, got)
		}
	}
	if got := ready(nil, 0, review.Words{}); got == "" || strings.Contains(got, "file") {
		t.Errorf("without a proposal: %q", got)
	}
	for _, f := range []struct{ path, message, want string }{
		{"a.go", "does not\n  fit", "a.go: does not fit"}, {"a.go", "a.go is gone", "a.go is gone"}, {"", "no name", "no name"},
	} {
		if got := annotate.RejectedText(event.FailureRef{Path: f.path, Message: f.message}); got != f.want {
			t.Errorf("%+v: %q", f, got)
		}
	}
}

// Turns that ended can be named for a while, the oldest are forgotten first; the last one of a folder is known.
func TestTurnsThatEnded(t *testing.T) {
	list := newTable()
	one, two := &agent.Session{}, &agent.Session{}
	view := func(i int, s *agent.Session) *View {
		v := &View{o: ViewOptions{Session: s}, id: fmt.Sprint(i)}
		list.add(v)
		return v
	}
	if list.last(one) != "" || len(list.Running(one)) != 0 || list.Find("0") != nil {
		t.Error("there are turns at the start")
	}
	first := view(0, two)
	if got := list.Running(two); len(got) != 1 || got[0] != first || len(list.Running(one)) != 0 || list.Find("0").Session() != two {
		t.Errorf("running are %v", got)
	}
	list.remove(first)
	list.remove(first) // its end and its goroutine's
	if list.last(two) != "0" || list.last(one) != "" || list.Find("0") != first || len(list.Running(two)) != 0 {
		t.Errorf("last is %q", list.last(two))
	}
	for i := 1; i <= keptTurns; i++ {
		list.remove(view(i, one))
	}
	if list.Find("0") != nil || list.Find("1") == nil || list.last(one) != fmt.Sprint(keptTurns) || list.last(two) != "" {
		t.Errorf("kept: %v, %v, the last is %q", list.Find("0") != nil, list.Find("1") != nil, list.last(one))
	}
	stopped := 0
	list.watch("x", func() { stopped++ })
	list.cancelled("y")
	list.cancelled("x")
	list.watch("x", nil)
	list.cancelled("x")
	if stopped != 1 {
		t.Errorf("stopped %d times", stopped)
	}
}

// A client that shows replies as they come is not sent the model's thinking where the user hides it.
func TestThinkingIsHidden(t *testing.T) {
	r := reply{client: &client.Client{Caps: &client.Capabilities{Stream: true}}, hides: true}
	r.take(&event.Event{Kind: event.KindDelta, Channel: event.ChannelReasoning, Text: "Let me see."})
	if r.pieces != nil {
		t.Errorf("sent %+v", r.pieces)
	}
}

// A note of a turn is in the log with its weight, so that how an answer was read is told only to who wants to know all.
func TestLogNote(t *testing.T) {
	for level, want := range map[event.Level]slog.Level{event.LevelError: slog.LevelWarn, event.LevelWarning: slog.LevelWarn,
		event.LevelInfo: slog.LevelInfo, event.LevelDetail: slog.LevelDebug} {
		var lines strings.Builder
		LogNote(slog.New(slog.NewTextHandler(&lines, &slog.HandlerOptions{Level: slog.LevelDebug})), &event.Note{Level: level, Text: "An answer."})
		if text := lines.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, "level="+want.String()+` msg="An answer."`) {
			t.Errorf("%s: %q", level, text)
		}
	}
}
