package remote_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
)

// everyAPI runs a test for each interface: what holds for one holds for all.
func everyAPI(t *testing.T, f func(t *testing.T, api string)) {
	t.Helper()
	for _, api := range model.APIs() {
		t.Run(api, func(t *testing.T) { f(t, api) })
	}
}

// paths are where the interfaces are.
var paths = map[string]string{model.Chat: "/v1/chat/completions", model.Responses: "/v1/responses", model.Anthropic: "/v1/messages", model.Ollama: "/api/chat"}

// TestEveryInterface: a reply is the same through each of them, streamed and whole: text, thinking, calls, usage,
// the reason of the end, and where the request went.
func TestEveryInterface(t *testing.T) {
	everyAPI(t, func(t *testing.T, api string) {
		for _, streaming := range []bool{true, false} {
			r := newHarness(t, `chunk: 3
-- 1.think.md --
I should look.
-- 1.md --
I look at both.
-- 1.yaml --
prompt-tokens: 100
completion-tokens: 10
calls:
  - {id: one, name: read, arguments: '{"path":"a.go"}'}
  - {id: two, name: list, arguments: '{}'}
-- 2.md --
They differ.
`)
			r.profile.API, r.profile.Streaming, r.profile.Price = api, streaming, model.Price{In: 1, Out: 10}
			q := llm.Request{Model: r.profile, Tools: offered(), Messages: []llm.Message{llm.Text(llm.RoleSystem, "You read."), llm.Text(llm.RoleUser, "Compare.")}}
			var answer, thinking strings.Builder
			first, err := r.client.Stream(t.Context(), q, func(d llm.Delta) {
				if d.Channel == event.ChannelAnswer {
					answer.WriteString(d.Text)
				} else {
					thinking.WriteString(d.Text)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			want := llm.Reply{Text: "I look at both.\n", Reasoning: "I should look.\n", Finish: llm.FinishStop,
				Usage: event.Usage{Prompt: 100, Completion: 10, Cost: 200e-6},
				Calls: []llm.Call{{ID: "one", Name: "read", Arguments: `{"path":"a.go"}`}, {ID: "two", Name: "list", Arguments: "{}"}}}
			got := first
			got.Back = nil
			if d := cmp.Diff(want, got); d != "" || answer.String() != want.Text || thinking.String() != want.Reasoning {
				t.Errorf("streaming %v: told %q and %q (-want +got):\n%s", streaming, answer.String(), thinking.String(), d)
			}
			q.Messages = append(q.Messages, first.Message(), llm.Results(first.Calls, []string{"package a", "nothing"}))
			second, err := r.client.Stream(t.Context(), q, nil)
			if err != nil || second.Text != "They differ.\n" || len(second.Calls) > 0 {
				t.Errorf("%+v, %v", second, err)
			}
			sent := r.server.Requests()
			header, key := "Authorization", "Bearer "+secret
			if api == model.Anthropic {
				header, key = "X-Api-Key", secret
			}
			if sent[0].Path != paths[api] || sent[0].Header.Get(header) != key {
				t.Errorf("%s with %v", sent[0].Path, sent[0].Header)
			}
			said := sent[1].Messages
			if n := len(said); n < 4 || !slices.ContainsFunc(said, func(m llmtest.Message) bool { return strings.Contains(m.Content, "I look at both.") }) || !strings.Contains(said[n-1].Content, "nothing") {
				t.Errorf("the second request says %+v", said)
			}
		}
	})
}

// TestResponsesBody: what goes out through Responses.
func TestResponsesBody(t *testing.T) {
	tools := offered()
	image := llm.Message{Role: llm.RoleUser, Parts: []llm.Part{
		{Kind: llm.PartText, Text: "see", Cache: true}, {Kind: llm.PartImage, MIME: "image/png", Data: []byte("png")},
		{Kind: llm.PartFile, Name: "a.pdf", MIME: "application/pdf", Data: []byte("pdf")}}}
	foreign := llm.Reply{Text: "said", Calls: []llm.Call{{ID: "functions.read:0", Name: "read <x", Arguments: "{cut"}}}
	message := func(role, text string) map[string]any { return map[string]any{"role": role, "content": text} }
	for what, x := range map[string]struct {
		change func(*llm.Request)
		want   map[string]any // beside model, stream and store
	}{
		"a plain one": {func(*llm.Request) {}, map[string]any{"temperature": 0.0, "input": []any{message("system", "s"), message("user", "u")}}},
		"limits": {func(q *llm.Request) { q.MaxTokens, q.Model.UseTemperature = 3, false },
			map[string]any{"max_output_tokens": 16.0, "input": []any{message("system", "s"), message("user", "u")}}},
		"a model that reasons": {func(q *llm.Request) {
			q.Model.UseTemperature, q.Model.UseSystemPrompt, q.Model.Efforts, q.Model.ReasoningEffort = false, false, []string{"low"}, "low"
		}, map[string]any{"reasoning": map[string]any{"effort": "low", "summary": "auto"}, "input": []any{message("user", "s"), message("user", "u")}}},
		"a budget": {func(q *llm.Request) { q.Model.ThinkingTokens, q.Model.UseTemperature = 2048, false },
			map[string]any{"reasoning": map[string]any{"max_tokens": 2048.0}, "input": []any{message("system", "s"), message("user", "u")}}},
		"a call for a word": {func(q *llm.Request) {
			q.Model.ThinkingTokens, q.Model.ReasoningEffort, q.MaxTokens, q.Model.UseTemperature = 2048, "high", 100, false
		}, map[string]any{"max_output_tokens": 100.0, "input": []any{message("system", "s"), message("user", "u")}}},
		"files": {func(q *llm.Request) { q.Messages, q.Model.UseTemperature = []llm.Message{image}, false },
			map[string]any{"input": []any{map[string]any{"role": "user", "content": []any{
				map[string]any{"type": "input_text", "text": "see"},
				map[string]any{"type": "input_image", "image_url": "data:image/png;base64,cG5n"},
				map[string]any{"type": "input_file", "filename": "a.pdf", "file_data": "data:application/pdf;base64,cGRm"}}}}}},
		"tools": {func(q *llm.Request) { q.Tools, q.Model.UseTemperature = tools[1:], false },
			map[string]any{"include": []any{"reasoning.encrypted_content"}, "input": []any{message("system", "s"), message("user", "u")},
				"tools": []any{map[string]any{"type": "function", "name": "list", "description": "", "parameters": map[string]any{"type": "object"}, "strict": false}}}},
		"a forced one": {func(q *llm.Request) { q.Tool, q.Model.UseTemperature = &tools[1], false },
			map[string]any{"input": []any{message("system", "s"), message("user", "u")}, "parallel_tool_calls": false, "tool_choice": map[string]any{"type": "function", "name": "list"},
				"tools": []any{map[string]any{"type": "function", "name": "list", "description": "", "parameters": map[string]any{"type": "object"}, "strict": false}}}},
		"calls of another model": {func(q *llm.Request) {
			q.Messages, q.Model.UseTemperature = []llm.Message{foreign.Message(), llm.Results(foreign.Calls, []string{"r"})}, false
		}, map[string]any{"input": []any{message("assistant", "said"),
			map[string]any{"type": "function_call", "call_id": "c216cab2d", "name": "read_x", "arguments": "{}"},
			map[string]any{"type": "function_call_output", "call_id": "c216cab2d", "output": "r"}}}},
		"the user's own": {func(q *llm.Request) {
			q.Model.UseTemperature, q.Model.ExtraBody = false, map[string]any{"store": nil, "text": map[string]any{"verbosity": "low"}}
		}, map[string]any{"store": nil, "text": map[string]any{"verbosity": "low"}, "input": []any{message("system", "s"), message("user", "u")}}},
	} {
		r := newHarness(t, "-- 1.md --\nok\n")
		r.profile.API = model.Responses
		q := llm.Request{Model: r.profile, Messages: []llm.Message{llm.Text(llm.RoleSystem, "s"), llm.Text(llm.RoleUser, "u")}}
		x.change(&q)
		if _, err := r.client.Stream(t.Context(), q, nil); err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		var got map[string]any
		if err := json.Unmarshal(r.server.Requests()[0].Body, &got); err != nil {
			t.Fatal(err)
		}
		want := map[string]any{"model": "scripted", "stream": true, "store": false}
		for name, v := range x.want {
			if want[name] = v; v == nil {
				delete(want, name)
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", what, d)
		}
	}
}

// over streams events of Responses to a client, with tools on offer or one forced.
func over(t *testing.T, forced bool, events ...string) (llm.Reply, error) {
	t.Helper()
	near, client := refusing(t, 200, nil, "data: "+strings.Join(events, "\n\ndata: ")+"\n\n")
	r := newHarness(t, "-- 1.md --\nx\n", func(o *remote.Options) { o.HTTP, o.Retries = client, -1 })
	r.profile.APIBase, r.profile.API = near.URL, model.Responses
	q := llm.Request{Model: r.profile, Messages: []llm.Message{llm.Text(llm.RoleUser, "x")}}
	if tools := offered(); forced {
		q.Tool = &tools[0]
	} else {
		q.Tools = tools
	}
	return r.client.Stream(t.Context(), q, nil)
}

// TestResponsesEvents: servers send the same answer in different ways, and what is there counts once.
func TestResponsesEvents(t *testing.T) {
	const (
		added   = `{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","call_id":"a","name":"read","arguments":""}}`
		delta   = `{"type":"response.function_call_arguments.delta","output_index":0,"delta":"{\"x\":"}`
		done    = `{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","call_id":"a","name":"read","arguments":"{\"x\":1}"}}`
		end     = `{"type":"response.completed","response":{"status":"completed","output":[]}}`
		message = `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"hi"}]}`
		call    = `{"type":"function_call","call_id":"a","name":"read","arguments":"{\"x\":1}"}`
	)
	for what, x := range map[string]struct {
		events []string
		text   string
		calls  []string
		finish llm.Finish
	}{
		"the item stands above its pieces": {[]string{added, delta, `{"type":"response.function_call_arguments.delta","output_index":0,"delta":"2}"}`, done, end}, "", []string{`read {"x":1}`}, llm.FinishStop},
		"no pieces":                        {[]string{done, end}, "", []string{`read {"x":1}`}, llm.FinishStop},
		"no item at its end":               {[]string{added, delta, `{"type":"response.function_call_arguments.delta","output_index":0,"delta":"1}"}`, end}, "", []string{`read {"x":1}`}, llm.FinishStop},
		"only at the end":                  {[]string{`{"type":"response.completed","response":{"status":"completed","output":[` + message + "," + call + `]}}`}, "hi", []string{`read {"x":1}`}, llm.FinishStop},
		"all three times": {[]string{`{"type":"response.output_text.delta","output_index":0,"delta":"hi"}`, `{"type":"response.output_item.done","output_index":0,"item":` + message + `}`,
			`{"type":"response.completed","response":{"status":"completed","output":[` + message + "," + call + `]}}`}, "hi", []string{`read {"x":1}`}, llm.FinishStop},
		"whole":                  {[]string{`{"object":"response","status":"completed","output":[` + message + `]}`}, "hi", nil, llm.FinishStop},
		"arguments as an object": {[]string{strings.Replace(done, `"{\"x\":1}"`, `{"x":1}`, 1), end}, "", []string{`read {"x":1}`}, llm.FinishStop},
		"two messages":           {[]string{`{"type":"response.output_text.delta","output_index":0,"delta":"one"}`, `{"type":"response.output_text.delta","output_index":1,"delta":"two"}`, end}, "one\n\ntwo", nil, llm.FinishStop},
		"a limit":                {[]string{done, `{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}}`}, "", nil, llm.FinishLength},
		"a filter":               {[]string{`{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"content_filter"}}}`}, "", nil, llm.FinishRefused},
		"no reason":              {[]string{`{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":null}}`}, "", nil, llm.FinishLength},
		"a refusal":              {[]string{`{"type":"response.refusal.delta","output_index":0,"delta":"no"}`, end}, "no", nil, llm.FinishRefused},
		"a refusal at its end":   {[]string{`{"type":"response.completed","response":{"status":"completed","output":[{"type":"message","content":[{"type":"refusal","refusal":"no"}]}]}}`}, "no", nil, llm.FinishRefused},
		"what nobody knows":      {[]string{`{"type":"response.new","delta":{"a":[1]}}`, `{"type":"response.output_item.done","output_index":0,"item":{"type":"new"}}`, `{"type":"response.output_text.delta","output_index":1,"delta":"hi"}`, end}, "hi", nil, llm.FinishStop},
	} {
		reply, err := over(t, false, x.events...)
		if err != nil || reply.Text != x.text || reply.Finish != x.finish {
			t.Errorf("%s: %+v, %v", what, reply, err)
		}
		if d := cmp.Diff(x.calls, names(reply.Calls)); d != "" {
			t.Errorf("%s (-want +got):\n%s", what, d)
		}
	}
	for what, events := range map[string][]string{"in pieces": {added, delta, `{"type":"response.function_call_arguments.delta","output_index":0,"delta":"1}"}`, done, end}, "whole": {done, end}} {
		if reply, err := over(t, true, events...); err != nil || reply.Text != `{"x":1}` || len(reply.Calls) > 0 {
			t.Errorf("forced, %s: %+v, %v", what, reply, err)
		}
	}
	for what, x := range map[string]struct {
		events []string
		kind   llm.ErrorKind
		says   string
	}{
		"it failed":                  {[]string{`{"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded","message":"slow down"}}}`}, llm.RateLimit, "slow down"},
		"it failed in the middle":    {[]string{delta, `{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"out of cheese"}}}`}, llm.Overloaded, "out of cheese"},
		"it failed without a reason": {[]string{`{"type":"response.failed","response":{"status":"failed","error":null}}`}, llm.Overloaded, "no reason"},
		"the prompt":                 {[]string{`{"type":"response.failed","response":{"status":"failed","error":{"code":"context_length_exceeded","message":"too long"}}}`}, llm.TooLong, "too long"},
		"an error":                   {[]string{`{"type":"error","code":"server_error","message":"out of cheese","param":null}`}, llm.Overloaded, "out of cheese"},
		"an error in its own object": {[]string{`{"type":"error","error":{"type":"invalid_request_error","code":"insufficient_quota","message":"no money"}}`}, llm.Refused, "credit"},
		"an error without a type":    {[]string{`{"error":{"message":"out of cheese"}}`}, llm.BadStream, "out of cheese"},
		"an item of no shape":        {[]string{`{"type":"response.output_item.done","item":[1]}`}, llm.BadStream, "Cannot read the answer"},
		"an end of no shape":         {[]string{`{"type":"response.completed","response":"x"}`}, llm.BadStream, "Cannot read the answer"},
		"no end":                     {[]string{added, delta, done}, llm.BadStream, "ended in the middle"},
		"too many calls":             {many(), llm.BadStream, "longer than"},
	} {
		reply, err := over(t, false, x.events...)
		if e := asError(err); e == nil || e.Kind != x.kind || !strings.Contains(e.Error(), x.says) || len(reply.Calls) > 0 {
			t.Errorf("%s: %+v, %v", what, reply, err)
		}
	}
}

// many are more calls than any reply needs.
func many() []string {
	var list []string
	for i := range 70 {
		list = append(list, fmt.Sprintf(`{"type":"response.output_item.done","output_index":%d,"item":{"type":"function_call","call_id":"c%d","name":"read","arguments":"{}"}}`, i, i))
	}
	return append(list, `{"type":"response.completed","response":{"status":"completed"}}`)
}

func asError(err error) *llm.Error {
	var e *llm.Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

// TestAModelThatHasOnlyResponses is asked through it as soon as its server says so, in the words of OpenAI and of
// Azure, and from then on at once.
func TestAModelThatHasOnlyResponses(t *testing.T) {
	for said, status := range map[string]int{
		"This model is only supported in v1/responses and not in v1/chat/completions.":                                                   404,
		"The chatCompletion operation does not work with the specified model, gpt-5-codex. Please choose different model and try again.": 400,
	} {
		r := newHarness(t, fmt.Sprintf("-- 1.yaml --\nforbids: ['\"messages\"']\ncomplains: %d\ncomplaint: %q\nrepeat: true\n-- 1.md --\nhere\n", status, said))
		for range 2 {
			if reply, err := r.stream(); err != nil || reply.Text != "here\n" {
				t.Errorf("%s: %+v, %v", said, reply, err)
			}
		}
		var asked []string
		for _, q := range r.server.Requests() {
			asked = append(asked, q.Path)
		}
		if d := cmp.Diff([]string{paths[model.Chat], paths[model.Responses], paths[model.Responses]}, asked); d != "" || len(r.waits) > 0 {
			t.Errorf("%s: waited %v\n%s", said, r.waits, d)
		}
	}
}

// TestResponsesAdapts: what a model or an account does not have is left out, and stays out.
func TestResponsesAdapts(t *testing.T) {
	for what, x := range map[string]struct {
		complaint string
		forbids   string
	}{
		"a summary":        {"Your organization must be verified to generate reasoning summaries. Please go to the settings.", `"summary":"auto"`},
		"a field of it":    {"Unsupported parameter: 'reasoning.summary' is not supported with this model.", `"summary":"auto"`},
		"sealed reasoning": {"Encrypted content is not supported with this model.", `"include"`},
		"a temperature":    {"Unsupported parameter: 'temperature' is not supported with this model.", `"temperature"`},
		"an effort":        {"Unsupported parameter: 'reasoning.effort' is not supported with this model.", `"effort"`},
	} {
		r := newHarness(t, fmt.Sprintf("-- 1.yaml --\nforbids: [%q]\ncomplaint: %q\nrepeat: true\n-- 1.md --\nhere\n", x.forbids, x.complaint))
		r.profile.API, r.profile.Efforts, r.profile.ReasoningEffort = model.Responses, []string{"low"}, "low"
		q := llm.Request{Model: r.profile, Tools: offered(), Messages: []llm.Message{llm.Text(llm.RoleUser, "x")}}
		for range 2 {
			reply, err := r.client.Stream(t.Context(), q, nil)
			if err != nil || reply.Text != "here\n" {
				t.Fatalf("%s: %+v, %v", what, reply, err)
			}
		}
		if n := len(r.server.Requests()); n != 3 {
			t.Errorf("%s: %d requests", what, n)
		}
	}
}

// TestWhatGoesBack: what a model left to be given back goes to that model only, whole, and a server that does not
// take it any more gets the talk without it.
func TestWhatGoesBack(t *testing.T) {
	const first = "-- 1.think.md --\nhm\n-- 1.md --\nI look.\n-- 1.yaml --\ncalls:\n  - {id: one, name: read, arguments: '{}'}\n"
	const sealed, call = `"encrypted_content":"sealed-`, `"id":"fc_one"`
	everyLoss := map[string]string{
		"of another key":    "The encrypted content gAAA could not be verified. Reason: Encrypted content could not be decrypted or parsed.",
		"forgotten":         "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.",
		"torn from its own": "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
	}
	for what, complaint := range everyLoss {
		status := 400
		if strings.HasPrefix(complaint, "Item with") {
			status = 404
		}
		r := newHarness(t, first+fmt.Sprintf("-- 2.yaml --\nforbids: ['\"encrypted_content\"']\ncomplains: %d\ncomplaint: %q\n-- 2.md --\nhere\n", status, complaint))
		r.profile.API = model.Responses
		q := llm.Request{Model: r.profile, Tools: offered(), Messages: []llm.Message{llm.Text(llm.RoleUser, "x")}}
		one, err := r.client.Stream(t.Context(), q, nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Messages = append(q.Messages, one.Message(), llm.Results(one.Calls, []string{"r"}))
		two, err := r.client.Stream(t.Context(), q, nil)
		sent := r.server.Requests()
		if err != nil || two.Text != "here\n" || len(sent) != 3 {
			t.Fatalf("%s: %+v, %v, %d requests", what, two, err, len(sent))
		}
		if b := string(sent[1].Body); !strings.Contains(b, sealed) || !strings.Contains(b, call) {
			t.Errorf("%s: the second request says %s", what, b)
		}
		if b := string(sent[2].Body); !strings.Contains(b, `"I look.\n"`) || !strings.Contains(b, `"call_id":"one","name":"read"`) || !strings.Contains(b, `"output":"r"`) {
			t.Errorf("%s: the third request says %s", what, b)
		}
	}
	for what, change := range map[string]func(*llm.Request){
		"another model":      func(q *llm.Request) { q.Model.ID = "other" },
		"through chat":       func(q *llm.Request) { q.Model.API = model.Chat },
		"a call is left out": func(q *llm.Request) { q.Messages[1].Parts = q.Messages[1].Parts[:1]; q.Messages[2].Parts = nil },
		"a call is there too": func(q *llm.Request) {
			more := llm.Call{ID: "two", Name: "list", Arguments: "{}"}
			q.Messages[1].Parts = append(q.Messages[1].Parts, llm.Part{Kind: llm.PartCall, Call: &more})
		},
		"it is no list": func(q *llm.Request) { q.Messages[1].Back = json.RawMessage(`{"a":1}`) },
	} {
		r := newHarness(t, first+"-- 2.md --\nhere\n")
		r.profile.API = model.Responses
		q := llm.Request{Model: r.profile, Tools: offered(), Messages: []llm.Message{llm.Text(llm.RoleUser, "x")}}
		one, err := r.client.Stream(t.Context(), q, nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Messages = append(q.Messages, one.Message(), llm.Results(one.Calls, []string{"r"}))
		change(&q)
		two, err := r.client.Stream(t.Context(), q, nil)
		if b := string(r.server.Requests()[1].Body); err != nil || two.Text != "here\n" || strings.Contains(b, sealed) || strings.Contains(b, call) || !strings.Contains(b, "I look.") {
			t.Errorf("%s: %+v, %v: %s", what, two, err, b)
		}
	}
}

// TestNoSuchInterface: a server without the interface is not taken for one without the model.
func TestNoSuchInterface(t *testing.T) {
	near, client := refusing(t, 404, nil, "404 page not found")
	r := newHarness(t, "-- 1.md --\nx\n", func(o *remote.Options) { o.HTTP = client })
	r.profile.APIBase, r.profile.API = near.URL+"/v1", model.Responses
	r.fail(llm.NotFound, "/v1/responses", "api: chat")
}
