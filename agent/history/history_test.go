package history_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/history"
	"coauthor/agent/llm"
)

// sent are the exchanges of a conversation as a model gets them.
func sent(h *history.History, format string) []llm.Message {
	_, list := h.Sent()
	return history.Messages(list, format)
}

func lines(list []llm.Message) []string {
	var out []string
	for _, m := range list {
		out = append(out, string(m.Role)+": "+m.String())
	}
	return out
}

func TestMessagesAlternateAndEndAnswered(t *testing.T) {
	var h history.History
	h.Add(history.Exchange{Turn: "1", User: "add", Reply: "done\nBLOCK", Prose: "done", Format: "diff"})
	h.Add(history.Exchange{Turn: "2", User: "lost", Reply: "  \n"})
	h.Add(history.Exchange{Turn: "3", User: "why", Reply: "because"})
	h.Add(history.Exchange{Turn: "4", User: "more", Reply: "BLOCK", Prose: " ", Format: "diff"})
	want := []string{"user: add", "assistant: done\nBLOCK", "user: why", "assistant: because", "user: more", "assistant: BLOCK"}
	if diff := cmp.Diff(want, lines(sent(&h, "diff"))); diff != "" {
		t.Error(diff)
	}
	want[1], want[5] = "assistant: done", "assistant: (I answered with edits.)"
	if diff := cmp.Diff(want, lines(sent(&h, "whole"))); diff != "" {
		t.Errorf("in another format: %s", diff)
	}
	if x, ok := h.Last(); !ok || x.Turn != "4" {
		t.Errorf("Last = %v %v", x, ok)
	}
	if _, ok := h.Find("2"); ok {
		t.Error("an unanswered exchange was kept")
	}
	h.Forget()
	if len(sent(&h, "diff")) != 0 || len(h.Done()) != 0 {
		t.Error("Forget kept something")
	}
}

func TestTrimGoesDownToHalf(t *testing.T) {
	var h history.History
	for range 10 {
		h.Add(history.Exchange{User: strings.Repeat("u", 5), Reply: strings.Repeat("r", 5)})
	}
	count := func(s string) int { return len(s) }
	if n := h.Trim(100, count); n != 0 {
		t.Errorf("trimmed %d that fit", n)
	}
	if n := h.Trim(99, count); n != 6 {
		t.Errorf("trimmed %d, want 6", n)
	}
	if n := len(sent(&h, "")); n != 8 {
		t.Errorf("%d messages left, want 8", n)
	}
	if n := h.Trim(99, count); n != 0 {
		t.Errorf("trimmed %d more", n)
	}
}

// A session may last for weeks: what is not sent any more is not kept, but for the newest exchange.
func TestTrimForgets(t *testing.T) {
	var h history.History
	count := func(s string) int { return len(s) }
	for range 1000 {
		h.Add(history.Exchange{User: "user", Reply: "model"})
		h.Trim(90, count)
	}
	if n := len(h.Done()); n > 10 || 2*n != len(sent(&h, "")) {
		t.Errorf("%d exchanges are kept, %d messages are sent", n, len(sent(&h, "")))
	}
	h.Add(history.Exchange{Turn: "long", User: strings.Repeat("u", 500), Reply: "model"})
	h.Trim(90, count)
	x, ok := h.Last()
	if !ok || x.Turn != "long" || len(sent(&h, "")) != 0 || len(h.Done()) != 1 {
		t.Errorf("after one that is too long: %v, %d messages, %d exchanges", x.Turn, len(sent(&h, "")), len(h.Done()))
	}
	h.Add(history.Exchange{Turn: "next", User: "user", Reply: "model"})
	if n := h.Trim(90, count); n != 0 || len(sent(&h, "")) != 2 {
		t.Errorf("trimmed %d, %d messages", n, len(sent(&h, "")))
	}
}

// The talk of a turn has answers and news by turns; what is kept of it has no news.
func TestTheTalkLeavesNewsBehind(t *testing.T) {
	said := []history.Said{{Reply: "first", Prose: "f", News: "that did not fit"}, {Reply: "second"}}
	if got, want := lines(history.Talk(said, "diff")), []string{"assistant: first", "user: that did not fit", "assistant: second"}; !slices.Equal(got, want) {
		t.Errorf("the talk is %v", got)
	}
	x := history.Settle("make it so", "diff", said)
	if x.Reply != "first\n\nsecond" || x.Prose != "f" || x.User != "make it so" || x.Format != "diff" {
		t.Errorf("%+v", x)
	}
}

// A reply in another format than the one that is asked for now is shown without its edits.
func TestTheTalkShowsOneFormat(t *testing.T) {
	said := []history.Said{
		{Reply: "the plan", Prose: "the plan"},
		{Reply: "BLOCK", Format: "whole"},
		{Reply: "why BLOCK", Prose: "why", Format: "diff"},
	}
	for format, want := range map[string][]string{
		"":      {"assistant: the plan", "assistant: (I answered with edits.)", "assistant: why"},
		"diff":  {"assistant: the plan", "assistant: (I answered with edits.)", "assistant: why BLOCK"},
		"whole": {"assistant: the plan", "assistant: BLOCK", "assistant: why"},
	} {
		if got := lines(history.Talk(said, format)); !slices.Equal(got, want) {
			t.Errorf("%q: %v", format, got)
		}
	}
	if x := history.Settle("go", "diff", said); x.Reply != "the plan\n\nwhy BLOCK" || x.Prose != "the plan\n\nwhy" {
		t.Errorf("%+v", x)
	}
}
