package event

import (
	"strings"
	"testing"
	"time"
)

// TestProgressLine goes through a turn as a user sees it.
func TestProgressLine(t *testing.T) {
	var p Progress
	now := time.Unix(0, 0)
	if got := p.Line(now); got != "" {
		t.Errorf("before the beginning: %q", got)
	}
	for i, step := range []struct {
		after time.Duration
		e     Event
		want  string
	}{
		{0, Event{Kind: KindState, State: TurnQueued}, "Waiting for the previous request"},
		{0, Event{Kind: KindState, State: TurnCollecting}, "Collecting context"},
		{2500 * time.Millisecond, Event{Kind: KindUsage}, "Collecting context · 2 s"},
		{0, Event{Kind: KindState, State: TurnRequesting, Model: "gpt-5"}, "Waiting for gpt-5"},
		{12 * time.Second, Event{Kind: KindUsage}, "Waiting for gpt-5 · 12 s"},
		{0, Event{Kind: KindNote, Note: &Note{Text: "Too many requests.\nRetrying in 3s."}}, "Waiting for gpt-5 · 12 s · Too many requests. Retrying in 3s."},
		{0, Event{Kind: KindNote, Note: &Note{Text: "Too many requests. Retrying in 20s (attempt 2).", Wait: &Wait{Seconds: 20, Why: "Too many\nrequests."}}}, "Retrying in 20 s · Too many requests."},
		{0, Event{Kind: KindUsage}, "Retrying in 20 s · Too many requests."},
		{100 * time.Millisecond, Event{Kind: KindUsage}, "Retrying in 20 s · Too many requests."},
		{1900 * time.Millisecond, Event{Kind: KindUsage}, "Retrying in 18 s · Too many requests."},
		{17500 * time.Millisecond, Event{Kind: KindUsage}, "Retrying in 1 s · Too many requests."},
		{500 * time.Millisecond, Event{Kind: KindUsage}, "Waiting for gpt-5 · 32 s · Too many requests."},
		{time.Second, Event{Kind: KindState, State: TurnStreaming}, "Thinking · 33 s"},
		{0, Event{Kind: KindDelta, Channel: ChannelReasoning, Text: strings.Repeat("x", 400)}, "Thinking · 100 tokens · 33 s"},
		{time.Second, Event{Kind: KindDelta, Channel: ChannelAnswer, Text: strings.Repeat("x", 4400)}, "Writing · 1.2k tokens · 34 s"},
		{0, Event{Kind: KindEdit, Path: "cli.py"}, "Writing · 1.2k tokens · 34 s · cli.py"},
		{0, Event{Kind: KindState, State: TurnVerifying, Files: 3}, "Checking 3 files"},
		{4 * time.Second, Event{Kind: KindUsage}, "Checking 3 files · 4 s"},
		{0, Event{Kind: KindState, State: TurnVerifying, Text: "go test"}, "Running go test"},
		{2 * time.Second, Event{Kind: KindOutput, Text: "ok \t x"}, "Running go test · 2 s · ok x"},
		{0, Event{Kind: KindOutput}, "Running go test · 2 s · ok x"},
		{0, Event{Kind: KindState, State: TurnReflecting}, "Retrying"},
		{0, Event{Kind: KindRound, Round: 1, Of: 3, Text: "2 edits did not match"}, "Retrying 1 of 3: 2 edits did not match"},
		{0, Event{Kind: KindState, State: TurnRequesting, Model: "gpt-5"}, "Retrying 1 of 3: 2 edits did not match"},
		{3 * time.Second, Event{Kind: KindUsage}, "Retrying 1 of 3: 2 edits did not match · 3 s"},
		{0, Event{Kind: KindState, State: TurnStreaming}, "Thinking · 3 s"},
		{0, Event{Kind: KindDelta, Channel: ChannelAnswer, Text: "12345678"}, "Writing · 2 tokens · 3 s"},
		{0, Event{Kind: KindState, State: TurnVerifying, Files: 1}, "Checking 1 file"},
		{0, Event{Kind: KindRound, Round: 2, Text: "Writing the edits of the plan"}, "Checking 1 file"},
		{0, Event{Kind: KindState, State: TurnCollecting}, "Collecting context"},
		{0, Event{Kind: KindState, State: TurnRequesting, Model: "o1"}, "Writing the edits of the plan"},
		{time.Second, Event{Kind: KindUsage}, "Writing the edits of the plan · 1 s"},
		{0, Event{Kind: KindState, State: TurnProposed}, ""},
	} {
		now = now.Add(step.after)
		p.Take(&step.e, now)
		if got := p.Line(now); got != step.want {
			t.Errorf("step %d: %q, want %q", i, got, step.want)
		}
	}
}

// TestProgressAsks: while the user is asked, the line says so.
func TestProgressAsks(t *testing.T) {
	var p Progress
	now := time.Unix(0, 0)
	p.Take(&Event{Kind: KindState, State: TurnVerifying}, now)
	p.Ask("Add cli.py?", now)
	if got := p.Line(now.Add(5 * time.Second)); got != "Your answer is needed: Add cli.py? · 5 s" {
		t.Errorf("%q", got)
	}
	p.Ask("", now)
	if got := p.Line(now); got != "Checking the reply" {
		t.Errorf("%q", got)
	}
}

// TestProgressOfLooking: the line says what the model looks at, with its own clock, until it is asked again.
func TestProgressOfLooking(t *testing.T) {
	var p Progress
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	at := func(s int) time.Time { return start.Add(time.Duration(s) * time.Second) }
	p.Take(&Event{Kind: KindState, State: TurnRequesting, Model: "m"}, at(0))
	p.Take(&Event{Kind: KindState, State: TurnStreaming}, at(5))
	p.Take(&Event{Kind: KindTool, Op: "search", Text: "search two\nwords"}, at(6))
	if got := p.Line(at(8)); got != "Looking · search two words · 2 s" {
		t.Error(got)
	}
	p.Take(&Event{Kind: KindState, State: TurnRequesting, Model: "m"}, at(9))
	if got := p.Line(at(10)); got != "Waiting for m · 1 s" {
		t.Error(got)
	}
	// So it is for a model that says nothing beside its calls.
	p.Take(&Event{Kind: KindTool, Op: "read", Text: "read a.go"}, at(11))
	if got := p.Line(at(12)); got != "Looking · read a.go · 1 s" {
		t.Error(got)
	}
}
