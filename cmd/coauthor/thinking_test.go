package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"coauthor/agent/event"
	"coauthor/cmd/coauthor/console"
)

func thought(text string) event.Event {
	return event.Event{Kind: event.KindDelta, Channel: event.ChannelReasoning, Text: text}
}

// On a terminal the thinking is seen while it comes, dimmed, and one line stands in its place when the answer begins.
func TestThinkingIsSeenAndFolded(t *testing.T) {
	now := time.Unix(0, 0)
	for what, x := range map[string]struct {
		colour bool
		events []event.Event
		want   string
	}{
		"dimmed":        {true, []event.Event{thought("Let me"), thought(" see.")}, "\x1b[2mLet me\x1b[0m\n\x1b[1A\r\x1b[J\x1b[2mLet me see.\x1b[0m\n"},
		"folded":        {false, []event.Event{thought("a\nb"), answerOf("Yes.\n")}, "a\nb\n\x1b[2A\r\x1b[JThought for 0 s.\nYes.\n"},
		"before a call": {false, []event.Event{thought("a"), {Kind: event.KindTool, Text: "a.py"}}, "a\n\x1b[1A\r\x1b[JThought for 0 s.\nLooking: a.py\n"},
		"twice":         {false, []event.Event{thought("a"), answerOf("Yes.\n"), thought("b"), answerOf("No.\n")}, "a\n\x1b[1A\r\x1b[JThought for 0 s.\nYes.\nb\n\x1b[1A\r\x1b[JThought for 0 s.\nNo.\n"},
		"the last":      {false, []event.Event{thought("1\n2\n3\n4\n5\n6\n7")}, "2\n3\n4\n5\n6\n7\n"},
		"wide":          {false, []event.Event{thought(strings.Repeat("x", 80))}, strings.Repeat("x", 79) + "\nx\n"},
		"control":       {false, []event.Event{thought("a\x1b[2Jb")}, "a<U+001B>[2Jb\n"},
	} {
		var both bytes.Buffer
		p := &turnPrinter{s: Streams{Out: &both, Err: &both}}
		p.thinking = console.Thinking{To: &both, Colour: x.colour, Clock: func() time.Time { return now }}
		for _, e := range x.events {
			p.sink(e)
		}
		if both.String() != x.want {
			t.Errorf("%s: %q", what, both.String())
		}
	}
}

// Where no terminal is, or the setting hides it, nothing of it is printed.
func TestThinkingIsHidden(t *testing.T) {
	out, errs, _ := printing(&turnPrinter{}, thought("a"), answerOf("Yes.\n"))
	if out != "Yes.\n" || errs != "" {
		t.Errorf("%q, %q", out, errs)
	}
}
