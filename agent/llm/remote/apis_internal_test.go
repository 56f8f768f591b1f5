package remote

import (
	"encoding/json"
	"strings"
	"testing"

	"coauthor/agent/llm"
	"coauthor/agent/llm/wire"
	"coauthor/agent/model"
)

// FuzzAnswers: whatever events a server sends, calls have ids, what was passed on is what the reply says, and
// what is kept to be given back can be sent.
func FuzzAnswers(f *testing.F) {
	f.Add(`{"type":"response.output_text.delta","output_index":0,"delta":"a"}`, `{"type":"response.output_item.done","output_index":0,"item":{"type":"message","content":[{"text":"a"}]}}`)
	f.Add(`{"type":"response.output_item.done","output_index":-1,"item":{"type":"function_call","arguments":"{"}}`, `{"type":"response.function_call_arguments.delta","output_index":-1,"delta":"}"}`)
	f.Add(`{"type":"response.completed","response":{"output":[{"type":"reasoning","summary":[{"text":"x"}]}]}}`, `{"object":"response","status":"failed"}`)
	f.Add(`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"a","name":"x","input":{}}}`, `{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"[1"}}`)
	f.Add(`{"type":"content_block_start","index":-1,"content_block":{"type":"thinking","thinking":5}}`, `{"type":"content_block_delta","index":-1,"delta":{"type":"signature_delta","signature":"x"}}`)
	f.Add(`{"type":"message","content":[{"type":"text","text":"a"},{"type":"tool_use","input":[1]}],"stop_reason":"tool_use"}`, `{"type":"message_stop"}`)
	f.Add(`{"message":{"content":"a","thinking":"b","tool_calls":[{"function":{"name":"read","arguments":{}}},5]},"done":false}`, `{"done":true,"prompt_eval_count":-1}`)
	f.Fuzz(func(t *testing.T, one, two string) {
		for _, api := range []string{model.Chat, model.Responses, model.Anthropic, model.Ollama} {
			checkAnswer(t, api, one, two)
		}
	})
}

func checkAnswer(t *testing.T, api, one, two string) {
	p := model.Profile{Name: "m", ID: "m", APIBase: "http://127.0.0.1:1/v1", API: api, UseSystemPrompt: true}
	c, err := New(Options{}).newCall(t.Context(), llm.Request{Model: p, Tools: []llm.Tool{{Name: "read", Schema: []byte("{}")}}})
	if err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	a := wire.NewAnswer(protocolOf(api), c.request, func(d llm.Delta) { told.WriteString(d.Text) })
	for _, data := range []string{one, two} {
		if !json.Valid([]byte(data)) || a.Add(wire.Streamed{Data: []byte(data)}) != nil || a.Excess {
			return
		}
	}
	a.Finish = wire.OrElse(a.Finish, "stop")
	r := a.Reply()
	if !strings.ContainsAny(told.String(), "<[") && told.Len() != len(r.Text)+len(r.Reasoning) {
		t.Errorf("told %q, but it is %q and %q", told.String(), r.Text, r.Reasoning)
	}
	ids := map[string]bool{}
	for _, call := range r.Calls {
		if call.ID == "" || ids[call.ID] {
			t.Errorf("ids %+v", r.Calls)
		}
		ids[call.ID] = true
	}
	b := bodyOf(llm.Request{Model: p, Messages: []llm.Message{r.Message(), llm.Results(r.Calls, make([]string, len(r.Calls)))}}, nil)
	raw, failed := b.Merge([]byte("{}"))
	if failed != nil || !json.Valid(raw) {
		t.Errorf("it cannot be sent: %v", failed)
	}
}
