package call

import (
	"context"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/strategy"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/edits/formats"
)

// says answers with a text, in pieces of a few bytes.
type says struct {
	text   string
	finish llm.Finish
	before func() // its last piece; nil for nothing
}

func (s says) Stream(ctx context.Context, _ llm.Request, on func(llm.Delta)) (llm.Reply, error) {
	for piece := range slices.Chunk([]byte(s.text), 7) {
		if s.before != nil && strings.HasSuffix(s.text, string(piece)) {
			s.before()
		}
		on(llm.Delta{Channel: event.ChannelAnswer, Text: string(piece)})
	}
	return llm.Reply{Text: s.text, Finish: s.finish}, ctx.Err()
}

// The words are told as they come, the edits are read in them, and what nobody counted is estimated. An edit that is whole
// is handed on as a draft before the reply has ended.
func TestDo(t *testing.T) {
	format, ok := formats.ByName("whole")
	if !ok {
		t.Fatal("no format")
	}
	ws, err := workspace.Open(t.TempDir(), workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.Close() })
	ask := Ask{
		Strategy: strategy.Strategy{Format: &format, Model: strategy.NewModel(model.Profile{Name: "small"}, llm.RoleMain)},
		Messages: []llm.Message{llm.Text(llm.RoleUser, "Make it.")}, Fence: edits.Fences[0], Parse: edits.ParseOptions{Files: ws.Snapshot(), Chat: []string{"a.py"}},
	}
	text := "a.py\n```\nx = 1\n```\n\nThat is all.\n"
	var told strings.Builder
	drafts := make(chan []edits.Edit, 1)
	reply, err := Do(t.Context(), Options{
		Client: says{text, llm.FinishStop, func() {
			if list := <-drafts; len(list) != 1 {
				t.Errorf("a draft of %d edits", len(list))
			}
		}},
		Tell:  func(e event.Event) { told.WriteString(e.Text) },
		Draft: func(_ context.Context, list []edits.Edit) { drafts <- list },
	}, ask)
	if err != nil || len(reply.Edits) != 1 || reply.Edits[0].Path != "a.py" || !reply.Held() || reply.Cut() {
		t.Fatalf("%+v, %v", reply, err)
	}
	if told.String() != text || !reply.Counted || !reply.Usage.Estimated {
		t.Errorf("told %q, usage %+v", told.String(), reply.Usage)
	}
}

// A reply of nothing is an error; half of one is not.
func TestNothing(t *testing.T) {
	ask := Ask{Strategy: strategy.Strategy{Model: strategy.NewModel(model.Profile{Name: "small"}, llm.RoleMain)}}
	if _, err := Do(t.Context(), Options{Client: says{finish: llm.FinishStop}, Tell: func(event.Event) {}}, ask); err == nil || !strings.Contains(err.Error(), "empty answer") {
		t.Errorf("no error: %v", err)
	}
	reply, err := Do(t.Context(), Options{Client: says{text: "Half", finish: llm.FinishCut}, Tell: func(event.Event) {}}, ask)
	if err != nil || !reply.Cut() {
		t.Errorf("%+v, %v", reply, err)
	}
}

// TestCallsInTheText: a line is a call only of a model that was told to write it; a shape of a model that is offered tools, too.
func TestCallsInTheText(t *testing.T) {
	for text, want := range map[string]map[strategy.ToolForm]int{
		"It is one word:\n\nMAP": {strategy.TextTools: 1}, "Run this:\n\nCHECK\n": {strategy.TextTools: 1}, "I look.\n\nREAD a.go\nLIST": {strategy.TextTools: 2},
		`{"name": "read", "arguments": {"path": "a.go"}}`:            {strategy.TextTools: 1, strategy.NativeTools: 1},
		"<function=read><parameter=path>a.go</parameter></function>": {strategy.TextTools: 1, strategy.NativeTools: 1},
	} {
		for _, form := range []strategy.ToolForm{strategy.NoTools, strategy.TextTools, strategy.NativeTools} {
			ask := Ask{Strategy: strategy.Strategy{Model: strategy.NewModel(model.Profile{Name: "small"}, llm.RoleMain)}, Tools: form}
			reply, err := Do(t.Context(), Options{Client: says{text: text, finish: llm.FinishStop}, Tell: func(event.Event) {}}, ask)
			if err != nil || len(reply.Calls) != want[form] || want[form] == 0 && reply.Rest != text {
				t.Errorf("%q with %q: %v, left %q, %v", text, form, reply.Calls, reply.Rest, err)
			}
		}
	}
}
