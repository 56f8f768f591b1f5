package remote_test

import (
	"log/slog"
	"strings"
	"testing"

	"coauthor/agent/llm"
	"coauthor/agent/llm/remote"
)

// TestPromptsAreLogged where that is wanted and as far as the log goes: once for a call however often it was sent, with
// the answer or what there was of it, and without keys.
func TestPromptsAreLogged(t *testing.T) {
	const other = "sk-ant-api03-abcdefghij0123456789"
	script := "-- 1.yaml --\nstatus: 503\n-- 2.md --\nIt is two.\n-- 2.think.md --\nI count.\n-- 3.yaml --\nstatus: 400\n"
	messages := []llm.Message{llm.Text(llm.RoleSystem, "Count."), {Role: llm.RoleUser, Parts: []llm.Part{
		{Kind: llm.PartText, Text: "The key is " + secret + " or " + other + " now."}, {Kind: llm.PartImage, Name: "a.png", MIME: "image/png", Data: []byte("bytes")},
	}}}
	for what, x := range map[string]struct {
		on    bool
		level slog.Level
		want  bool
	}{"on": {true, slog.LevelInfo, true}, "off": {false, slog.LevelDebug, false}, "the log is for less": {true, slog.LevelWarn, false}} {
		var text strings.Builder
		r := newHarness(t, script, func(o *remote.Options) {
			o.LogPrompts, o.Log = x.on, slog.New(slog.NewTextHandler(&text, &slog.HandlerOptions{Level: x.level}))
		})
		if _, err := r.stream(messages...); err != nil {
			t.Fatal(err)
		}
		if _, err := r.stream(messages...); err == nil {
			t.Fatal("no error")
		}
		for part, times := range map[string]int{
			`msg=prompt host=`: 2, `text="== system\nCount.\n== user\nThe key is [key] or [key] now.[a.png: image/png, 5 bytes]"`: 2,
			`msg=answer host=`: 2, `text="It is two.\n"`: 1, `reasoning="I count.`: 1, "error=": 1,
		} {
			if !x.want {
				times = 0
			}
			if got := strings.Count(text.String(), part); got != times {
				t.Errorf("%s: %q stands there %d times:\n%s", what, part, got, text.String())
			}
		}
		if strings.Contains(text.String(), secret) || strings.Contains(text.String(), other) {
			t.Errorf("%s: a key is in the log:\n%s", what, text.String())
		}
	}
}
