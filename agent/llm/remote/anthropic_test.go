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

// claude is a harness that speaks Anthropic's interface.
func claude(t *testing.T, script string) *harness {
	t.Helper()
	r := newHarness(t, script)
	r.profile.API, r.profile.UseTemperature = model.Anthropic, false
	return r
}

// TestAnthropicBody: what goes out through Anthropic's interface.
func TestAnthropicBody(t *testing.T) {
	type m = map[string]any
	tools := offered()
	text := func(s string) m { return m{"type": "text", "text": s} }
	marked := func(s string) m { return m{"type": "text", "text": s, "cache_control": m{"type": "ephemeral"}} }
	message := func(role string, content ...any) m { return m{"role": role, "content": content} }
	usual := []any{message("user", text("u"))}
	list := []any{m{"name": "list", "description": "", "input_schema": m{"type": "object"}}}
	foreign := llm.Reply{Text: "said", Calls: []llm.Call{{ID: "functions.read:0", Name: "read <x", Arguments: "[1]"}}}
	part := func(s string) llm.Part { return llm.Part{Kind: llm.PartText, Text: s, Cache: true} }
	for what, x := range map[string]struct {
		change func(*llm.Request)
		want   m // beside model and stream
	}{
		"a plain one":     {func(*llm.Request) {}, m{"max_tokens": 8192.0, "messages": usual}},
		"the row's limit": {func(q *llm.Request) { q.Model.MaxOutput, q.Model.ContextWindow = 64000, 200_000 }, m{"max_tokens": 64000.0, "messages": usual}},
		"a small window":  {func(q *llm.Request) { q.Model.MaxOutput, q.Model.ContextWindow = 64000, 5000 }, m{"max_tokens": 4994.0, "messages": usual}},
		"a full window":   {func(q *llm.Request) { q.Model.MaxOutput, q.Model.ContextWindow = 64000, 5 }, m{"max_tokens": 1024.0, "messages": usual}},
		"a limit":         {func(q *llm.Request) { q.MaxTokens = 5 }, m{"max_tokens": 5.0, "messages": usual}},
		"a temperature":   {func(q *llm.Request) { q.Model.UseTemperature = true }, m{"max_tokens": 8192.0, "temperature": 0.0, "messages": usual}},
		"a budget": {func(q *llm.Request) {
			q.Model.UseTemperature, q.Model.TakesThinking, q.Model.ThinkingTokens = true, true, 9000
		}, m{"max_tokens": 10024.0, "thinking": m{"type": "enabled", "budget_tokens": 9000.0}, "messages": usual}},
		"an effort": {func(q *llm.Request) { q.Model.ReasoningEffort = "high" },
			m{"max_tokens": 8192.0, "output_config": m{"effort": "high"}, "thinking": m{"type": "adaptive", "display": "summarized"}, "messages": usual}},
		"an effort instead of a temperature": {func(q *llm.Request) { q.Model.ReasoningEffort, q.Model.UseTemperature = "high", true },
			m{"max_tokens": 8192.0, "output_config": m{"effort": "high"}, "thinking": m{"type": "adaptive", "display": "summarized"}, "messages": usual}},
		"an effort and a budget": {func(q *llm.Request) {
			q.Model.ReasoningEffort, q.Model.TakesThinking, q.Model.ThinkingTokens = "low", true, 2000
		}, m{"max_tokens": 8192.0, "output_config": m{"effort": "low"}, "thinking": m{"type": "enabled", "budget_tokens": 2000.0}, "messages": usual}},
		"a call for a word": {func(q *llm.Request) {
			q.Model.ReasoningEffort, q.Model.ThinkingTokens, q.MaxTokens = "low", 2000, 100
		}, m{"max_tokens": 100.0, "messages": usual}},
		"tools": {func(q *llm.Request) { q.Tools = tools[1:] }, m{"max_tokens": 8192.0, "tools": list, "messages": usual}},
		"tools with a cache": {func(q *llm.Request) { q.Tools, q.Model.CacheMarks = tools[1:], true },
			m{"max_tokens": 8192.0, "tools": list, "messages": []any{message("user", marked("u"))}}},
		"a forced one": {func(q *llm.Request) { q.Tool, q.Model.ThinkingTokens = &tools[1], 2000 },
			m{"max_tokens": 8192.0, "tools": list, "tool_choice": m{"type": "tool", "name": "list", "disable_parallel_tool_use": true}, "messages": usual}},
		"system texts": {func(q *llm.Request) {
			q.Messages = []llm.Message{llm.Text(llm.RoleSystem, "s"), llm.Text(llm.RoleSystem, " "), llm.Text(llm.RoleUser, "u"), llm.Text(llm.RoleSystem, "remember")}
		}, m{"max_tokens": 8192.0, "system": []any{text("s")}, "messages": []any{message("user", text("u"), text("remember"))}}},
		"a system text and nothing else": {func(q *llm.Request) { q.Messages = []llm.Message{llm.Text(llm.RoleSystem, "s")} },
			m{"max_tokens": 8192.0, "messages": []any{message("user", text("s"))}}},
		"no system text": {func(q *llm.Request) {
			q.Model.UseSystemPrompt = false
			q.Messages = []llm.Message{llm.Text(llm.RoleSystem, "s"), llm.Text(llm.RoleUser, "u")}
		}, m{"max_tokens": 8192.0, "messages": []any{message("user", text("s"), text("u"))}}},
		"files": {func(q *llm.Request) {
			q.Messages = []llm.Message{{Role: llm.RoleUser, Parts: []llm.Part{{Kind: llm.PartImage, MIME: "image/png", Data: []byte("png")}, {Kind: llm.PartFile, Name: "a.pdf", MIME: "application/pdf", Data: []byte("pdf")}}}}
		}, m{"max_tokens": 8192.0, "messages": []any{message("user",
			m{"type": "image", "source": m{"type": "base64", "media_type": "image/png", "data": "cG5n"}},
			m{"type": "document", "source": m{"type": "base64", "media_type": "application/pdf", "data": "cGRm"}})}}},
		"calls of another model": {func(q *llm.Request) {
			q.Messages = append(q.Messages, foreign.Message(), llm.Results(foreign.Calls, []string{" "}), llm.Text(llm.RoleUser, "go on"))
		}, m{"max_tokens": 8192.0, "messages": []any{message("user", text("u")),
			message("assistant", text("said"), m{"type": "tool_use", "id": "c216cab2d", "name": "read_x", "input": m{}}),
			message("user", m{"type": "tool_result", "tool_use_id": "c216cab2d", "content": "(nothing)"}, text("go on"))}}},
		"five marks": {func(q *llm.Request) {
			q.Messages = []llm.Message{{Role: llm.RoleSystem, Parts: []llm.Part{part("1"), part("2")}}, {Role: llm.RoleUser, Parts: []llm.Part{part("3"), part("4"), part("5")}}}
		}, m{"max_tokens": 8192.0, "system": []any{text("1"), marked("2")}, "messages": []any{message("user", marked("3"), marked("4"), marked("5"))}}},
		"the user's own": {func(q *llm.Request) { q.Model.ExtraBody = m{"max_tokens": 7, "service_tier": "auto"} },
			m{"max_tokens": 7.0, "service_tier": "auto", "messages": usual}},
	} {
		r := claude(t, "-- 1.md --\nok\n")
		q := llm.Request{Model: r.profile, Messages: []llm.Message{llm.Text(llm.RoleUser, "u")}}
		x.change(&q)
		if _, err := r.client.Stream(t.Context(), q, nil); err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		sent := r.server.Requests()[0]
		var got m
		if err := json.Unmarshal(sent.Body, &got); err != nil {
			t.Fatal(err)
		}
		x.want["model"], x.want["stream"] = "scripted", true
		if d := cmp.Diff(x.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", what, d)
		}
		if h := sent.Header; h.Get("Anthropic-Version") == "" || h.Get("X-Api-Key") != secret || h.Get("Authorization") != "" || h.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %v", what, h)
		}
	}
}

// TestAnthropicAnswers: usage with what the cache gave and took, reasons of the end, and what goes wrong.
func TestAnthropicAnswers(t *testing.T) {
	const (
		start = `{"type":"message_start","message":{"usage":{"input_tokens":10,"cache_read_input_tokens":60,"cache_creation_input_tokens":30,"output_tokens":1}}}`
		hi    = `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hi"}}`
		call  = `{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"a","name":"list","input":{}}}`
	)
	end := func(reason string) string {
		return fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%q},"usage":{"output_tokens":7}}`, reason) + "\n\ndata: " + `{"type":"message_stop"}`
	}
	stream := func(events ...string) (llm.Reply, error) {
		near, client := refusing(t, 200, nil, "data: "+strings.Join(events, "\n\ndata: ")+"\n\n")
		r := newHarness(t, "-- 1.md --\nx\n", func(o *remote.Options) { o.HTTP, o.Retries = client, -1 })
		r.profile.APIBase, r.profile.API = near.URL, model.Anthropic
		r.profile.Price = model.Price{In: 1, Out: 10, CacheRead: 0.1, CacheWrite: 2}
		return r.client.Stream(t.Context(), llm.Request{Model: r.profile, Tools: offered(), Messages: []llm.Message{llm.Text(llm.RoleUser, "x")}}, nil)
	}
	for reason, x := range map[string]struct {
		finish llm.Finish
		calls  int
	}{
		"end_turn": {llm.FinishStop, 1}, "tool_use": {llm.FinishStop, 1}, "stop_sequence": {llm.FinishStop, 1}, "pause_turn": {llm.FinishStop, 1},
		"max_tokens": {llm.FinishLength, 0}, "model_context_window_exceeded": {llm.FinishLength, 0}, "refusal": {llm.FinishRefused, 0},
	} {
		reply, err := stream(start, hi, call, end(reason))
		want := event.Usage{Prompt: 100, Completion: 7, CacheRead: 60, CacheWrite: 30}
		want.Cost = model.Cost(model.Price{In: 1, Out: 10, CacheRead: 0.1, CacheWrite: 2}, want)
		if err != nil || reply.Finish != x.finish || len(reply.Calls) != x.calls || reply.Text != "hi" || reply.Usage != want {
			t.Errorf("%s: %+v, %v", reason, reply, err)
		}
	}
	for what, x := range map[string]struct {
		events []string
		kind   llm.ErrorKind
		says   string
	}{
		"overloaded":               {[]string{start, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`}, llm.Overloaded, "Overloaded"},
		"overloaded in the middle": {[]string{start, hi, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`}, llm.Overloaded, "Overloaded"},
		"too many requests":        {[]string{`{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}`}, llm.RateLimit, "slow down"},
		"a fault":                  {[]string{start, `{"type":"error","error":{"type":"api_error","message":"Internal server error"}}`}, llm.Overloaded, "Internal"},
		"no end":                   {[]string{start, hi, call}, llm.BadStream, "ended in the middle"},
		"an end of nothing":        {[]string{start, `{"type":"message_stop"}`}, llm.BadStream, "before the answer began"},
		"a block of no shape":      {[]string{`{"type":"content_block_start","index":0,"content_block":[1]}`}, llm.BadStream, "Cannot read the answer"},
		"an event of no shape":     {[]string{`{"type":"content_block_delta","index":"x"}`}, llm.BadStream, "Cannot read the answer"},
	} {
		reply, err := stream(x.events...)
		if e := asError(err); e == nil || e.Kind != x.kind || !strings.Contains(e.Error(), x.says) || len(reply.Calls) > 0 {
			t.Errorf("%s: %+v, %v", what, reply, err)
		}
	}
	if reply, err := stream(start, hi, call, `{"type":"message_stop"}`); err != nil || reply.Finish != llm.FinishStop || reply.Text != "hi" || len(reply.Calls) != 1 {
		t.Errorf("the sign of the end without a reason: %+v, %v", reply, err)
	}
	near, client := refusing(t, 400, nil, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}`)
	r := newHarness(t, "-- 1.md --\nx\n", func(o *remote.Options) { o.HTTP = client })
	r.profile.APIBase, r.profile.API = near.URL, model.Anthropic
	r.fail(llm.Refused, "no credit left")
	if len(r.waits) > 0 {
		t.Error("an empty account was asked again")
	}
}

// TestAnthropicAdapts: what a model refuses is left out, and what it thought before is, if it is not taken any more.
func TestAnthropicAdapts(t *testing.T) {
	for what, x := range map[string]struct {
		change    func(*llm.Request)
		forbids   string
		complaint string
	}{
		"a temperature": {func(q *llm.Request) { q.Model.UseTemperature = true }, `"temperature"`, "`temperature` is deprecated for this model."},
		"a budget":      {func(q *llm.Request) { q.Model.ThinkingTokens = 2000 }, `"enabled"`, `"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.`},
		"an effort":     {func(q *llm.Request) { q.Model.ReasoningEffort = "max" }, `"effort"`, "This model does not support the effort parameter."},
		"a long answer": {func(q *llm.Request) { q.Model.MaxOutput = 64000 }, `"max_tokens":64000`, "max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for scripted"},
		"a forced tool": {func(q *llm.Request) { q.Tool = &llm.Tool{Name: "list", Schema: []byte("{}")} }, `"tool_choice"`, "Thinking may not be enabled when tool_choice forces tool use."},
	} {
		r := claude(t, fmt.Sprintf("-- 1.yaml --\nforbids: [%q]\ncomplaint: %q\nrepeat: true\n-- 1.md --\nhere\n", x.forbids, x.complaint))
		q := llm.Request{Model: r.profile, Messages: []llm.Message{llm.Text(llm.RoleUser, "u")}}
		x.change(&q)
		for range 2 {
			if reply, err := r.client.Stream(t.Context(), q, nil); err != nil || reply.Text != "here\n" {
				t.Errorf("%s: %+v, %v", what, reply, err)
			}
		}
		if n := len(r.server.Requests()); n != 3 {
			t.Errorf("%s: %d requests", what, n)
		}
	}
	r := claude(t, "-- 1.think.md --\nhm\n-- 1.md --\nI look.\n-- 1.yaml --\ncalls:\n  - {id: one, name: list, arguments: '{}'}\n"+
		"-- 2.yaml --\nforbids: ['\"signature\"']\ncomplaint: 'messages.1.content.0: Invalid `signature` in `thinking` block'\n-- 2.md --\nhere\n")
	q := llm.Request{Model: r.profile, Tools: offered(), Messages: []llm.Message{llm.Text(llm.RoleUser, "u")}}
	one, err := r.client.Stream(t.Context(), q, nil)
	if err != nil {
		t.Fatal(err)
	}
	q.Messages = append(q.Messages, one.Message(), llm.Results(one.Calls, []string{"r"}))
	two, err := r.client.Stream(t.Context(), q, nil)
	if err != nil || two.Text != "here\n" || len(r.server.Requests()) != 3 {
		t.Errorf("%+v, %v, %d requests", two, err, len(r.server.Requests()))
	}
}

// TestAnthropicGoesOn: an answer that was cut off goes on behind its beginning.
func TestAnthropicGoesOn(t *testing.T) {
	r := claude(t, "-- 1.md --\none \n-- 1.yaml --\nfinish: length\n-- 2.md --\ntwo\n")
	r.profile.Prefill = "plain"
	reply, err := r.stream()
	if err != nil || !strings.HasPrefix(reply.Text, "one") || !strings.HasSuffix(reply.Text, "two\n") || reply.Finish != llm.FinishStop {
		t.Fatalf("%+v, %v", reply, err)
	}
	said := r.server.Requests()[1].Messages
	if last := said[len(said)-1]; last.Role != "assistant" || last.Content != "one" {
		t.Errorf("the second request says %+v", said)
	}
}
