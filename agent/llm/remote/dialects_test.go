package remote_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
)

// says runs one call against a server that answers with a body.
func says(t *testing.T, body string, change func(*harness)) (llm.Reply, error) {
	t.Helper()
	near, client := refusing(t, 200, nil, body)
	r := newHarness(t, "-- 1.md --\nx\n", func(o *remote.Options) { o.HTTP, o.Retries = client, -1 })
	r.profile.APIBase = near.URL
	if change != nil {
		change(r)
	}
	return r.stream()
}

// TestUsage: what a provider counted, in every dialect; all that was read is the prompt, whether or not
// it came out of a cache.
func TestUsage(t *testing.T) {
	price := model.Price{In: 1, Out: 10, CacheRead: 0.1, CacheWrite: 2}
	for body, want := range map[string]event.Usage{
		`{"prompt_tokens":100,"completion_tokens":7}`:                                                                          {Prompt: 100, Completion: 7},
		`{"prompt_tokens":100,"completion_tokens":7,"cost":0.5}`:                                                               {Prompt: 100, Completion: 7, Cost: 0.5},
		`{"prompt_tokens":100,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":60,"cache_write_tokens":20}}`:     {Prompt: 100, Completion: 7, CacheRead: 60, CacheWrite: 20},
		`{"prompt_tokens":100,"completion_tokens":7,"prompt_cache_hit_tokens":60,"prompt_cache_miss_tokens":40}`:               {Prompt: 100, Completion: 7, CacheRead: 60},
		`{"prompt_tokens":10,"completion_tokens":7,"cache_read_input_tokens":60,"cache_creation_input_tokens":30}`:             {Prompt: 100, Completion: 7, CacheRead: 60, CacheWrite: 30},
		`{"prompt_tokens":100,"completion_tokens":7,"cache_read_input_tokens":60,"cache_creation_input_tokens":30}`:            {Prompt: 100, Completion: 7, CacheRead: 60, CacheWrite: 30},
		`{"prompt_tokens":60,"completion_tokens":7,"cache_read_input_tokens":60}`:                                              {Prompt: 60, Completion: 7, CacheRead: 60},
		`{"prompt_tokens":50,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":40},"cache_read_input_tokens":60}`: {Prompt: 50, Completion: 7, CacheRead: 60},
		`{"prompt_tokens":100,"completion_tokens":0,"prompt_tokens_details":null}`:                                             {Prompt: 100},
	} {
		if want.Cost == 0 {
			want.Cost = model.Cost(price, want)
		}
		for _, form := range []string{
			"data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}\n\ndata: {\"choices\":[],\"usage\":" + body + "}\n\ndata: [DONE]\n\n",
			"data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}],\"usage\":" + body + "}\n\n",
			"data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}],\"usage\":" + body + "}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":0,\"completion_tokens\":0}}\n\n",
			"{\"choices\":[{\"message\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}],\"usage\":" + body + "}",
		} {
			reply, err := says(t, form, func(r *harness) { r.profile.Price = price })
			if diff := cmp.Diff(want, reply.Usage); diff != "" || err != nil {
				t.Errorf("%s: %v\n%s", form, err, diff)
			}
		}
	}
}

// TestUncountedIsEstimated: where the server counts nothing, we do, with the thinking, and say so.
func TestUncountedIsEstimated(t *testing.T) {
	price := model.Price{In: 1, Out: 10}
	count := model.Estimate{}.Count
	reply, err := says(t, "data: {\"choices\":[{\"delta\":{\"content\":\"some words of an answer\",\"reasoning\":\"and some of thinking\"},\"finish_reason\":\"stop\"}]}\n\n",
		func(r *harness) { r.profile.Price = price })
	want := event.Usage{Prompt: count("be brief") + count("hello") + 8, Completion: count("some words of an answer") + count("and some of thinking"), Estimated: true}
	want.Cost = model.Cost(price, want)
	if diff := cmp.Diff(want, reply.Usage); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
}

// TestContents: an answer is a string, nothing, or a list of parts; calls of tools are answers too, and
// what another choice says is none.
func TestContents(t *testing.T) {
	for delta, want := range map[string][2]string{ // text and thinking
		`{"content":"a"}`: {"a", ""},
		`{"content":[]}`:  {"", ""},
		`{"content":[{"type":"text","text":"a"},{"text":"b"}]}`:                                                                     {"ab", ""},
		`{"content":[{"type":"thinking","thinking":"t"},{"type":"thinking","thinking":[{"text":"u"}]},{"type":"text","text":"a"}]}`: {"a", "tu"},
		`{"content":[{"type":"thinking","thinking":5},{"type":"text","text":"a"}]}`:                                                 {"a", ""},
		`{"content":[{"type":"thinking","thinking":"t","text":"no"}]}`:                                                              {"", "t"},
		`{"content":null,"tool_calls":[{"function":{"arguments":"{\"a\":"}},{"function":{"arguments":"1}"}}]}`:                      {`{"a":1}`, ""},
		`{"content":"a","reasoning":"r","reasoning_content":"s"}`:                                                                   {"a", "r"},
		`{"content":"a","reasoning":"","reasoning_content":"s"}`:                                                                    {"a", "s"},
		`{"refusal":"no"}`: {"no", ""},
	} {
		for _, form := range []string{
			"data: {\"choices\":[{\"delta\":%s},{\"index\":1,\"delta\":{\"content\":\"other\"}}]}\n\ndata: {\"choices\":[{\"index\":2,\"delta\":{},\"finish_reason\":\"length\"},{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
			"{\"choices\":[{\"message\":%s,\"finish_reason\":\"stop\"},{\"index\":1,\"message\":{\"content\":\"other\"}}]}",
			"\ufeff{\n \"choices\":\n [{\"message\":%s,\n\"finish_reason\":\"stop\"}]}\n",
		} {
			reply, err := says(t, fmt.Sprintf(form, delta), nil)
			finish := llm.FinishStop
			if strings.Contains(delta, "refusal") {
				finish = llm.FinishRefused
			}
			if err != nil || reply.Text != want[0] || reply.Reasoning != want[1] || reply.Finish != finish {
				t.Errorf("%s: %+v, %v", delta, reply, err)
			}
		}
	}
}

// TestEveryReasonToEnd maps the words of all providers, in any case.
func TestEveryReasonToEnd(t *testing.T) {
	for want, words := range map[llm.Finish]string{
		llm.FinishStop:    "stop eos end_turn tool_calls function_call stop_sequence unheard-of",
		llm.FinishLength:  "length max_tokens max_output_tokens model_length",
		llm.FinishRefused: "content_filter refusal safety recitation prohibited_content sensitive",
	} {
		for _, word := range strings.Fields(words) {
			for _, word := range []string{word, strings.ToUpper(word)} {
				reply, err := says(t, fmt.Sprintf("data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":%q}]}\n\n", word), nil)
				if err != nil || reply.Finish != want || reply.Text != "x" {
					t.Errorf("%s: %+v, %v", word, reply, err)
				}
			}
		}
	}
}

// TestFieldsOfARequest: what goes to the server for a profile and a request.
func TestFieldsOfARequest(t *testing.T) {
	one, two, zero := 1.0, 2.0, 0.0
	all := []string{"stream", "stream_options", "temperature", "max_tokens", "max_completion_tokens", "tools", "tool_choice", "extra"}
	for _, x := range []struct {
		what   string
		change func(*model.Profile, *llm.Request)
		want   map[string]any
	}{
		{"a plain one", func(*model.Profile, *llm.Request) {}, map[string]any{"stream": true, "stream_options": map[string]any{"include_usage": true}, "temperature": 0.0}},
		{"not streamed", func(p *model.Profile, _ *llm.Request) { p.Streaming = false }, map[string]any{"stream": false, "temperature": 0.0}},
		{"the model's temperature", func(p *model.Profile, _ *llm.Request) { p.Streaming, p.Temperature = false, &one }, map[string]any{"stream": false, "temperature": 1.0}},
		{"the request's temperature", func(p *model.Profile, r *llm.Request) {
			p.Streaming, p.Temperature, r.Temperature = false, &one, &two
		}, map[string]any{"stream": false, "temperature": 2.0}},
		{"none at all", func(p *model.Profile, r *llm.Request) { p.Streaming, p.Temperature, r.Temperature = false, &one, &zero }, map[string]any{"stream": false, "temperature": 0.0}},
		{"no temperature", func(p *model.Profile, r *llm.Request) {
			p.Streaming, p.UseTemperature, r.Temperature = false, false, &one
		}, map[string]any{"stream": false}},
		{"a limit", func(p *model.Profile, r *llm.Request) { p.Streaming, p.UseTemperature, r.MaxTokens = false, false, 9 }, map[string]any{"stream": false, "max_tokens": 9.0}},
		{"OpenAI's limit", func(p *model.Profile, r *llm.Request) {
			p.Streaming, p.UseTemperature, r.MaxTokens, p.Provider = false, false, 1, "openai"
		}, map[string]any{"stream": false, "max_completion_tokens": 1.0}},
		{"a tool", func(p *model.Profile, r *llm.Request) {
			p.Streaming, p.UseTemperature = false, false
			r.Tool = &llm.Tool{Name: "edit", Description: "changes", Schema: []byte(`{"type":"object"}`)}
		}, map[string]any{"stream": false,
			"tools":       []any{map[string]any{"type": "function", "function": map[string]any{"name": "edit", "description": "changes", "parameters": map[string]any{"type": "object"}}}},
			"tool_choice": map[string]any{"type": "function", "function": map[string]any{"name": "edit"}}}},
		{"the user's fields", func(p *model.Profile, r *llm.Request) {
			p.ExtraBody = map[string]any{"extra": map[string]any{"a": 1}, "temperature": nil, "stream_options": nil}
		}, map[string]any{"stream": true, "extra": map[string]any{"a": 1.0}}},
	} {
		r := newHarness(t, "-- 1.md --\n{}\n")
		q := llm.Request{Messages: []llm.Message{llm.Text(llm.RoleSystem, "sys"), llm.Text(llm.RoleUser, "hi")}}
		x.change(&r.profile, &q)
		q.Model = r.profile
		if _, err := r.client.Stream(t.Context(), q, nil); err != nil {
			t.Errorf("%s: %v", x.what, err)
			continue
		}
		var body map[string]any
		if err := json.Unmarshal(r.server.Requests()[0].Body, &body); err != nil {
			t.Fatal(err)
		}
		got := map[string]any{}
		for _, name := range all {
			if v, has := body[name]; has {
				got[name] = v
			}
		}
		if diff := cmp.Diff(x.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", x.what, diff)
		}
		if len(body) != len(got)+2 { // beside them the model and the messages
			t.Errorf("%s: %v", x.what, body)
		}
	}
	r := newHarness(t, "-- 1.md --\nx\n")
	r.profile.ExtraBody = map[string]any{"odd": func() {}}
	r.fail(llm.BadRequest, "extraBody")
	if len(r.server.Requests()) > 0 {
		t.Error("a request was sent all the same")
	}
}

// TestContentsOfRequests: text alone goes as a string, which is all that some servers take.
func TestContentsOfRequests(t *testing.T) {
	for _, x := range []struct {
		parts []llm.Part
		want  any
	}{
		{nil, ""},
		{[]llm.Part{{Kind: llm.PartText, Text: "a"}, {Kind: llm.PartText, Text: "b"}}, "ab"},
		{[]llm.Part{{Kind: llm.PartText, Text: "a"}, {Kind: llm.PartText, Text: "b", Cache: true}, {Kind: llm.PartText, Text: "c"}}, []any{
			map[string]any{"type": "text", "text": "a"},
			map[string]any{"type": "text", "text": "b", "cache_control": map[string]any{"type": "ephemeral"}},
			map[string]any{"type": "text", "text": "c"}}},
		{[]llm.Part{{Kind: llm.PartFile, Name: "a.bin", Data: []byte{0}}}, []any{
			map[string]any{"type": "file", "file": map[string]any{"filename": "a.bin", "file_data": "data:application/octet-stream;base64,AA=="}}}},
	} {
		r := newHarness(t, "-- 1.md --\nx\n")
		if _, err := r.stream(llm.Message{Role: llm.RoleUser, Parts: x.parts}); err != nil {
			t.Fatal(err)
		}
		var body struct{ Messages []struct{ Content any } }
		if err := json.Unmarshal(r.server.Requests()[0].Body, &body); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(x.want, body.Messages[0].Content); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", x.parts, diff)
		}
	}
}

// TestWhenAPromptWasCutOff: a server that says it read less than half of a long prompt is told of; one
// that read it, that counts nothing, or whose tokens are only a little longer is not.
func TestWhenAPromptWasCutOff(t *testing.T) {
	long := strings.Repeat("many words ", 5000)
	guess := model.Estimate{}.Count(long) + 4
	for _, x := range []struct {
		text    string
		counted int
		told    bool
	}{
		{long, guess, false}, {long, guess/2 + 1, false}, {long, guess/2 - 1, true}, {long, guess * 2 / 5, true}, {long, 1, true}, {long, 0, false},
		{"short", 1, false}, {strings.Repeat("many words ", 500), 1, false},
	} {
		near, client := refusing(t, 200, nil, fmt.Sprintf("data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":%d,\"completion_tokens\":1}}\n\n", x.counted))
		r := newHarness(t, "-- 1.md --\nx\n", func(o *remote.Options) { o.HTTP = client })
		r.profile.APIBase = near.URL
		reply, err := r.stream(llm.Text(llm.RoleUser, x.text))
		if err != nil || (len(reply.Notes) == 1) != x.told || len(reply.Notes) > 1 {
			t.Errorf("%d of %d tokens: %v, %v", x.counted, model.Estimate{}.Count(x.text), reply.Notes, err)
		}
	}
}
