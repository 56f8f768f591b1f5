package remote

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/model"
)

// shape writes an answer in the wire form of one interface. any gives JSON of any kind for a field of the form: the
// text is what the form is about, its names of events say where that stands, and an error that says something is one.
type shape struct {
	api    string
	stream func(any func() json.RawMessage, pieces []string) string
	whole  func(any func() json.RawMessage, text string) string
}

// sseOf makes a stream of events with an end.
func sseOf(end string, events ...string) string {
	var b strings.Builder
	for _, e := range events {
		b.WriteString("data: " + e + "\n\n")
	}
	return b.String() + end
}

// obj writes an object whose fields stand in the order given, as "name", value.
func obj(fields ...any) string {
	parts := make([]string, 0, len(fields)/2)
	for i := 0; i < len(fields); i += 2 {
		var value string
		switch v := fields[i+1].(type) {
		case json.RawMessage:
			value = string(v)
		case string:
			value = v
		}
		parts = append(parts, fmt.Sprintf("%q:%s", fields[i], value))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func quotedJSON(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

var wires = []shape{
	{model.Chat,
		func(any func() json.RawMessage, pieces []string) string {
			var list []string
			for _, p := range pieces {
				delta := obj("role", any(), "reasoning", any(), "content", quotedJSON(p), "reasoning_content", any(), "tool_calls", any(), "function_call", any(), "audio", any(), "reasoning_details", any())
				choice := obj("index", any(), "delta", delta, "finish_reason", any(), "logprobs", any(), "native_finish_reason", any())
				list = append(list, obj("id", any(), "usage", any(), "choices", "["+choice+"]", "created", any(), "model", any(), "service_tier", any(), "system_fingerprint", any()))
			}
			list = append(list, obj("choices", any(), "usage", obj("prompt_tokens", any(), "completion_tokens", any(), "cost", any(), "prompt_tokens_details", any(), "prompt_cache_hit_tokens", any())))
			return sseOf("data: [DONE]\n\n", list...)
		},
		func(any func() json.RawMessage, text string) string {
			message := obj("role", any(), "content", quotedJSON(text), "tool_calls", any(), "reasoning", any(), "annotations", any())
			return obj("usage", any(), "choices", "["+obj("index", any(), "message", message, "finish_reason", any())+"]", "created", any())
		}},
	{model.Anthropic,
		func(any func() json.RawMessage, pieces []string) string {
			list := []string{
				obj("type", `"message_start"`, "message", obj("id", any(), "usage", any(), "content", any(), "stop_reason", any())),
				obj("type", `"content_block_start"`, "index", any(), "content_block", obj("type", `"text"`, "text", `""`, "citations", any())),
			}
			for _, p := range pieces {
				list = append(list, obj("type", `"content_block_delta"`, "index", any(), "delta", obj("type", any(), "text", quotedJSON(p), "signature", any())))
			}
			list = append(list, obj("type", `"content_block_stop"`, "index", any()),
				obj("type", `"message_delta"`, "delta", obj("stop_reason", `"end_turn"`, "stop_sequence", any()), "usage", any()), obj("type", `"message_stop"`, "x", any()))
			return sseOf("", list...)
		},
		func(any func() json.RawMessage, text string) string {
			return obj("type", `"message"`, "id", any(), "role", any(), "model", any(), "content", "["+obj("type", `"text"`, "text", quotedJSON(text), "citations", any())+"]", "stop_reason", any(), "usage", any())
		}},
	{model.Responses,
		func(any func() json.RawMessage, pieces []string) string {
			list := []string{
				obj("type", `"response.created"`, "response", any(), "sequence_number", any()),
				obj("type", `"response.output_item.added"`, "output_index", any(), "item", obj("type", `"message"`, "id", any(), "content", any(), "status", any())),
			}
			for _, p := range pieces {
				list = append(list, obj("type", `"response.output_text.delta"`, "item_id", any(), "output_index", any(), "content_index", any(), "delta", quotedJSON(p), "logprobs", any()))
			}
			list = append(list, obj("type", `"response.completed"`, "response", obj("id", any(), "output", "[]", "usage", any(), "incomplete_details", any(), "status", `"completed"`)))
			return sseOf("", list...)
		},
		func(any func() json.RawMessage, text string) string {
			item := obj("type", `"message"`, "id", any(), "role", any(), "content", "["+obj("type", any(), "text", quotedJSON(text), "annotations", any())+"]")
			return obj("object", `"response"`, "id", any(), "output", "["+item+"]", "usage", any(), "status", any(), "incomplete_details", any())
		}},
	{model.Ollama,
		func(any func() json.RawMessage, pieces []string) string {
			var b strings.Builder
			for _, p := range pieces {
				b.WriteString(obj("model", any(), "created_at", any(), "message", obj("role", any(), "content", quotedJSON(p), "thinking", any(), "images", any(), "tool_calls", any()), "done", "false") + "\n")
			}
			return b.String() + obj("message", any(), "done", "true", "done_reason", any(), "prompt_eval_count", any(), "eval_count", any(), "total_duration", any()) + "\n"
		},
		func(any func() json.RawMessage, text string) string {
			return obj("model", any(), "message", obj("role", any(), "content", quotedJSON(text), "tool_calls", any()), "done", any(), "done_reason", any(), "eval_count", any())
		}},
}

// anyJSON makes JSON of any kind. It never makes what the fields of an answer mean: what a server really says, such as
// a text that was thought or the word for a reply that was cut off, is no odd shape.
func anyJSON(r *rand.Rand, depth int) json.RawMessage {
	kinds := 9
	if depth == 0 {
		kinds = 7
	}
	list := func(open, closing string, one func() string) json.RawMessage {
		parts := make([]string, r.IntN(3))
		for i := range parts {
			parts[i] = one()
		}
		return json.RawMessage(open + strings.Join(parts, ",") + closing)
	}
	switch r.IntN(kinds) {
	case 0:
		return json.RawMessage("null")
	case 1:
		return json.RawMessage([]string{"true", "false"}[r.IntN(2)])
	case 2:
		return json.RawMessage([]string{"0", "-1", "1", "7", "5.5", "1e300", "-0.0", "99999999999999999999"}[r.IntN(8)])
	case 3:
		return json.RawMessage([]string{`""`, `"0"`, `"1"`, `"0.001"`, `"-3"`, `"\ud83d"`}[r.IntN(6)])
	case 4:
		return json.RawMessage("[]")
	case 5:
		return json.RawMessage("{}")
	case 6:
		return json.RawMessage([]string{`{"total_cost":0.2}`, `[{}]`, `[null]`, `[[]]`, `{"a":{"b":null}}`}[r.IntN(5)])
	case 7:
		return list("[", "]", func() string { return string(anyJSON(r, depth-1)) })
	}
	return list("{", "}", func() string {
		return fmt.Sprintf("%q:%s", []string{"a", "id", "x_tokens", "cached_tokens", "cost"}[r.IntN(5)], anyJSON(r, depth-1))
	})
}

// heard has an answer read and gives the reply and what was passed on of it as the answer.
func heard(t *testing.T, api string, streamed bool, body string, tools ...llm.Tool) (llm.Reply, string, error) {
	t.Helper()
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests++
		_, _ = w.Write([]byte(body))
	}))
	defer server.Close()
	c := New(Options{Env: func(string) string { return "" }, Rand: strings.NewReader(strings.Repeat("\x00", 100)), Retries: -1})
	var told strings.Builder
	p := model.Profile{Name: "m", ID: "m", APIBase: server.URL + "/v1", API: api, Streaming: streamed, UseSystemPrompt: true}
	reply, err := c.Stream(t.Context(), llm.Request{Model: p, Tools: tools, Messages: []llm.Message{llm.Text(llm.RoleUser, "hi")}}, func(d llm.Delta) {
		if d.Channel == event.ChannelAnswer {
			told.WriteString(d.Text)
		}
	})
	if requests != 1 {
		t.Errorf("%s: %d requests", api, requests)
	}
	return reply, told.String(), err
}

// TestNothingBesideTheTextCounts: whatever JSON stands in the other fields of an answer, its text arrives, in every wire form,
// streamed and whole, with tools and without.
func TestNothingBesideTheTextCounts(t *testing.T) {
	texts := []string{"a.py\n", "```\n<<<<<<< SEARCH\nx = 1\n", "=======\nx = \"é🙂\"\n", ">>>>>>> REPLACE\n```\n"}
	want := strings.Join(texts, "")
	for seed := range uint64(100) {
		for _, w := range wires {
			for _, streamed := range []bool{true, false} {
				r := rand.New(rand.NewPCG(seed, 1))
				some := func() json.RawMessage { return anyJSON(r, 3) }
				body := w.whole(some, want)
				if streamed {
					body = w.stream(some, texts)
				}
				var tools []llm.Tool
				if seed%2 == 1 {
					tools = []llm.Tool{{Name: "read", Schema: []byte("{}")}}
				}
				reply, told, err := heard(t, w.api, streamed, body, tools...)
				// What was thought may stand before it; without tools the arguments of a call are text, of which there are none here.
				if err != nil || reply.Text != want || told != want || reply.Finish != llm.FinishStop {
					t.Fatalf("%s, streamed %v, seed %d: %q, told %q, finish %q, %v\n%s", w.api, streamed, seed, reply.Text, told, reply.Finish, err, body)
				}
				if len(reply.Calls) > 0 {
					t.Fatalf("%s, streamed %v, seed %d: calls %+v\n%s", w.api, streamed, seed, reply.Calls, body)
				}
			}
		}
	}
}

// TestAnyCharacterComesWhole splits a text between its bytes, and its escapes between the halves of pairs: in every wire form it
// arrives as it is, as answer and as the arguments of a call.
func TestAnyCharacterComesWhole(t *testing.T) {
	const text = "aé日🙂\U0001F468\u200d\U0001F469 z"
	none := func() json.RawMessage { return json.RawMessage("null") }
	escaped := make([]string, 0, len(text))
	for _, r := range text {
		for _, unit := range string(r) {
			if unit > 0xffff {
				unit -= 0x10000
				escaped = append(escaped, fmt.Sprintf(`\u%04x`, 0xd800+unit>>10), fmt.Sprintf(`\u%04X`, 0xdc00+unit&0x3ff))
				continue
			}
			escaped = append(escaped, fmt.Sprintf(`\u%04x`, unit))
		}
	}
	bytewise := make([]string, len(text))
	for i := range len(text) {
		bytewise[i] = text[i : i+1]
	}
	for how, pieces := range map[string][]string{"bytes": bytewise, "halves": escaped} {
		for _, w := range wires {
			marks := make([]string, len(pieces))
			for i := range pieces {
				marks[i] = fmt.Sprintf("<%d>", i)
			}
			body := w.stream(none, marks)
			for i, p := range pieces {
				body = strings.Replace(body, fmt.Sprintf(`\u003c%d\u003e`, i), p, 1)
			}
			reply, told, err := heard(t, w.api, true, body)
			if err != nil || reply.Text != text || told != text {
				t.Errorf("%s, %s: %q, told %q, %v", w.api, how, reply.Text, told, err)
			}
		}
		var list []string
		for i, p := range append(append([]string{`{\"a\":\"`}, pieces...), `\"}`) {
			head := ""
			if i == 0 {
				head = `"id":"c","type":"function",`
			}
			list = append(list, `{"choices":[{"delta":{"reasoning_details":[{"index":0,"type":"reasoning.text","text":"`+strings.ReplaceAll(p, `\"`, "")+`"}],"tool_calls":[{"index":0,`+head+`"function":{"name":"read","arguments":"`+p+`"}}]}}]}`)
		}
		reply, _, err := heard(t, model.Chat, true, sseOf("data: [DONE]\n\n", list...), llm.Tool{Name: "read", Schema: []byte("{}")})
		if err != nil || len(reply.Calls) != 1 || reply.Calls[0].Arguments != `{"a":"`+text+`"}` || !strings.Contains(string(reply.Back), text) {
			t.Errorf("calls, %s: %+v, back %s, %v", how, reply.Calls, reply.Back, err)
		}
	}
}

// TestEnds: what ends a reply, and what comes behind the reason that a server gives for its end.
func TestEnds(t *testing.T) {
	const one, stop, two = `{"choices":[{"delta":{"content":"one"}}]}`, `{"choices":[{"delta":{},"finish_reason":"stop"}]}`, `{"choices":[{"delta":{"content":" two"}}]}`
	const done = "data: [DONE]\n\n"
	for what, x := range map[string]struct {
		body, text string
		finish     llm.Finish
	}{
		"a reason and the end":                     {sseOf(done, one, stop), "one", llm.FinishStop},
		"a reason and a closed stream":             {sseOf("", one, stop), "one", llm.FinishStop},
		"an end without a reason":                  {sseOf(done, one), "one", llm.FinishStop},
		"a closed stream without a reason":         {sseOf("", one), "one", llm.FinishCut},
		"text behind the reason":                   {sseOf(done, one, stop, two), "one two", llm.FinishStop},
		"text behind the reason, no end":           {sseOf("", one, stop, two), "one two", llm.FinishStop},
		"text behind the end":                      {sseOf(done+sseOf("", two), one, stop), "one", llm.FinishStop},
		"a reason that is a number":                {sseOf(done, one, strings.Replace(stop, `"stop"`, "1", 1)), "one", llm.FinishStop},
		"a reason that is a number, no end":        {sseOf("", one, strings.Replace(stop, `"stop"`, "1", 1)), "one", llm.FinishCut},
		"the limit and the end":                    {sseOf(done, one, strings.Replace(stop, "stop", "length", 1)), "one", llm.FinishLength},
		"a word of trouble before the end":         {sseOf("data: upstream timed out\n\n"+done, one), "one", llm.FinishCut},
		"a word before a reason":                   {sseOf("data: ping\n\n"+sseOf(done, stop), one), "one", llm.FinishStop},
		"nothing before the end":                   {done, "", llm.FinishCut},
		"a whole answer without a reason":          {`{"choices":[{"message":{"content":"one"}}]}`, "one", llm.FinishStop},
		"a single choice of any number":            {sseOf(done, strings.Replace(one, `{"delta"`, `{"index":3,"delta"`, 1), strings.Replace(stop, `{"delta"`, `{"index":4,"delta"`, 1)), "one", llm.FinishStop},
		"a choice without its list":                {sseOf(done, `{"choices":{"delta":{"content":"one"}}}`), "one", llm.FinishStop},
		"events in lists":                          {sseOf(done, "["+one+","+two+"]"), "one two", llm.FinishStop},
		"a server that does not stream, in a list": {"[" + one + "," + stop + "]", "one", llm.FinishStop},
	} {
		reply, _, err := heard(t, model.Chat, true, x.body)
		var e *llm.Error
		if x.finish == llm.FinishCut {
			if !errors.As(err, &e) {
				t.Errorf("%s: %+v, %v", what, reply, err)
				continue
			}
			if reply = e.Partial; x.text == "" {
				continue
			}
		} else if err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if reply.Text != x.text || reply.Finish != x.finish {
			t.Errorf("%s: %+v", what, reply)
		}
	}
}

// TestCallsOfBadlyNumberedPieces: each call keeps its own arguments, in every form, and none without a name comes of them.
func TestCallsOfBadlyNumberedPieces(t *testing.T) {
	const a, b = `{"path":"a.py"}`, `{"path":"b.py"}`
	call := func(index, id, name, args string) string {
		fields := []any{}
		for _, f := range [][2]string{{"index", index}, {"id", id}} {
			if f[1] != "" {
				fields = append(fields, f[0], f[1])
			}
		}
		function := []any{"arguments", args}
		if name != "" {
			function = append(function, "name", quotedJSON(name))
		}
		return obj(append(fields, "function", obj(function...))...)
	}
	chat := func(pieces ...string) string {
		var list []string
		for _, p := range pieces {
			list = append(list, `{"choices":[{"delta":{"tool_calls":`+p+`}}]}`)
		}
		return sseOf("data: [DONE]\n\n", list...)
	}
	block := func(index, id string) string {
		return obj("type", `"content_block_start"`, "index", index, "content_block", obj("type", `"tool_use"`, "id", id, "name", `"read"`, "input", "{}"))
	}
	json1 := func(index, args string) string {
		return obj("type", `"content_block_delta"`, "index", index, "delta", obj("partial_json", quotedJSON(args)))
	}
	item := func(kind, index, id, args string) string {
		return obj("type", quotedJSON("response.output_item."+kind), "output_index", index, "item", obj("type", `"function_call"`, "call_id", id, "name", `"read"`, "arguments", quotedJSON(args)))
	}
	for what, x := range map[string]struct{ api, body string }{
		"the head of the second has the first's index": {model.Chat, chat(call("0", `"c1"`, "read", `""`), call("0", "", "", quotedJSON(a)),
			call("0", `"c2"`, "read", `"{\"pa"`), call("1", "", "", `"th\":\"b.py\"}"`))},
		"rests that are numbered from one":   {model.Chat, chat(call("0", `"c1"`, "read", `""`), call("1", "", "", quotedJSON(a)), call("1", `"c2"`, "read", `""`), call("2", "", "", quotedJSON(b)))},
		"no index and an object for a list":  {model.Chat, chat(call("", `"c1"`, "read", a), call("", `"c2"`, "read", b))},
		"numbers as texts":                   {model.Chat, chat(call(`"0"`, "7", "read", quotedJSON(a)), call(`"1"`, "8", "read", quotedJSON(b)))},
		"one id for both, different indexes": {model.Chat, chat(call("0", "", "read", quotedJSON(a)), call("1", "", "read", quotedJSON(b)), call("2", "", "", `""`))},
		"a piece that nothing names":         {model.Chat, chat(call("0", `"c1"`, "read", quotedJSON(a)), call("1", `"c2"`, "read", quotedJSON(b)), call("9", "", "", quotedJSON(`{"x":1}`)))},
		"blocks with one number":             {model.Anthropic, sseOf("", block("0", `"c1"`), json1("0", a), block("0", `"c2"`), json1("0", b), `{"type":"message_stop"}`)},
		"blocks without numbers":             {model.Anthropic, sseOf("", block("null", `"c1"`), json1("{}", a), block("[]", `"c2"`), json1("null", b), `{"type":"message_stop"}`)},
		"items with one number": {model.Responses, sseOf("", item("added", "0", `"c1"`, ""), item("done", "0", `"c1"`, a), item("added", "0", `"c2"`, ""), item("done", "0", `"c2"`, b),
			`{"type":"response.completed","response":{"status":"completed"}}`)},
		"items without numbers": {model.Responses, sseOf("", item("done", "null", `"c1"`, a), item("done", "null", `"c2"`, b), `{"type":"response.completed","response":{"status":"completed"}}`)},
	} {
		reply, _, err := heard(t, x.api, true, x.body, llm.Tool{Name: "read", Schema: []byte("{}")})
		var got []string
		for _, c := range reply.Calls {
			got = append(got, c.Name+" "+c.Arguments)
		}
		if err != nil || strings.Join(got, ", ") != "read "+a+", read "+b {
			t.Errorf("%s: %q, %v", what, got, err)
		}
	}
}

// TestKeptThoughtsAreLimited: what goes back has an end.
func TestKeptThoughtsAreLimited(t *testing.T) {
	for _, field := range []string{"reasoning", "reasoning_details", "opaque"} {
		long := strings.Repeat("y", 1<<20)
		value := map[string]string{"reasoning": quotedJSON(long), "reasoning_details": `[{"text":"` + long + `"}]`, "opaque": quotedJSON(long)}[field]
		var b strings.Builder
		for range 18 {
			fmt.Fprintf(&b, "data: {\"choices\":[{\"delta\":{%q:%s}}]}\n\n", field, value)
		}
		_, _, err := heard(t, model.Chat, true, b.String()+sseOf("data: [DONE]\n\n", `{"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}`), llm.Tool{Name: "read", Schema: []byte("{}")})
		if err == nil || !strings.Contains(err.Error(), "longer than 16 MiB") {
			t.Errorf("%s: %v", field, err)
		}
	}
}
