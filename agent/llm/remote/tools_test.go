package remote_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
)

// offered are the tools of these tests.
func offered() []llm.Tool {
	return []llm.Tool{{Name: "read", Description: "Reads a file.", Schema: []byte(`{"type":"object"}`)},
		{Name: "list", Schema: []byte(`{"type":"object"}`)}}
}

func names(list []llm.Call) []string {
	var out []string
	for _, c := range list {
		out = append(out, c.Name+" "+c.Arguments)
	}
	return out
}

// TestConversations: two calls with tools as each server speaks, and refuses to be spoken to.
func TestConversations(t *testing.T) {
	all, err := llmtest.Conversations()
	if err != nil || len(all) < 15 {
		t.Fatal(len(all), err)
	}
	for server, script := range all {
		t.Run(server, func(t *testing.T) {
			r := newHarness(t, string(script))
			switch server {
			case "mistral":
				r.profile.Provider = "mistral"
			case "claude":
				r.profile.ID = "anthropic/claude-sonnet-4.5"
			case "anthropic":
				r.profile.API, r.profile.CacheMarks = model.Anthropic, true
			case "responses":
				r.profile.API = model.Responses
			case "ollama-own":
				r.profile.API = model.Ollama
			}
			q := llm.Request{Model: r.profile, Tools: offered(), Messages: []llm.Message{
				llm.Text(llm.RoleSystem, "You read."), llm.Text(llm.RoleUser, "Compare a.go and b.go."), llm.Text(llm.RoleSystem, "Be short."),
			}}
			var told strings.Builder
			first, err := r.client.Stream(t.Context(), q, func(d llm.Delta) {
				if d.Channel == event.ChannelAnswer {
					told.WriteString(d.Text)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			want := []string{`read {"path":"a.go"}`, `read {"path":"b.go"}`}
			if diff := cmp.Diff(want, names(first.Calls)); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
			if first.Finish != llm.FinishStop || told.String() != first.Text || strings.Contains(first.Text, "path") {
				t.Errorf("%+v, told %q", first, told.String())
			}
			// A word of the user's between the results and the next answer is what some servers refuse.
			q.Messages = append(q.Messages, first.Message(), llm.Results(first.Calls, []string{"package a", ""}))
			if server == "mistral" {
				q.Messages = append(q.Messages, llm.Text(llm.RoleUser, "Now answer."))
			}
			second, err := r.client.Stream(t.Context(), q, nil)
			if err != nil || strings.TrimSpace(second.Text) != "They differ." || len(second.Calls) > 0 {
				t.Errorf("%+v, %v", second, err)
			}
			if noted := len(first.Notes)+len(second.Notes) > 0; noted != (server == "openai-reasoning") {
				t.Errorf("notes %q, %q", first.Notes, second.Notes)
			}
		})
	}
}

// TestIdsOfAnotherServer: calls of a model that took over, or was taken over from, go in the letters that
// this server allows, the same in the call and in its result, and different ones stay different.
func TestIdsOfAnotherServer(t *testing.T) {
	list := []llm.Call{{ID: "functions.read:0", Name: "read", Arguments: "{}"}, {ID: "functions.read:1", Name: "read", Arguments: "{}"}}
	for _, provider := range []string{"mistral", "claude"} {
		r := newHarness(t, "-- 1.md --\nok\n")
		r.profile.Provider, r.profile.ID = provider, provider
		_, err := r.client.Stream(t.Context(), llm.Request{Model: r.profile, Messages: []llm.Message{
			llm.Text(llm.RoleUser, "x"), llm.Reply{Calls: list}.Message(), llm.Results(list, []string{"a", "b"}),
		}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var body struct {
			Messages []struct {
				ToolCallID string `json:"tool_call_id"`
				ToolCalls  []struct{ ID string }
				Calls      []struct{ ID string } `json:"tool_calls"`
			}
		}
		if err := json.Unmarshal(r.server.Requests()[0].Body, &body); err != nil {
			t.Fatal(err)
		}
		m := body.Messages
		if len(m) != 4 || len(m[1].Calls) != 2 || m[1].Calls[0].ID != m[2].ToolCallID || m[1].Calls[1].ID != m[3].ToolCallID ||
			m[2].ToolCallID == m[3].ToolCallID || len(m[2].ToolCallID) != 9 || strings.ContainsAny(m[2].ToolCallID, ".:") {
			t.Errorf("%s: %+v", provider, m)
		}
	}
}

// TestAReplyThatBrokeBehindTheServer is no complete one, whatever stands in it, and none of its calls is run.
func TestAReplyThatBrokeBehindTheServer(t *testing.T) {
	for word, want := range map[string]llm.Finish{"network_error": llm.FinishCut, "error": llm.FinishCut, "sensitive": llm.FinishRefused, "tool_calls": llm.FinishStop} {
		r, err := asks(t, deltas(word, `{"index":0,"id":"x","function":{"name":"read","arguments":"{\"path\":\"a.go\"}"}}`), false)
		if err != nil || r.Finish != want || (len(r.Calls) > 0) != (want == llm.FinishStop) {
			t.Errorf("%s: %+v, %v", word, r, err)
		}
	}
}

// deltas is a stream of pieces of calls.
func deltas(finish string, list ...string) string {
	var b strings.Builder
	for _, d := range list {
		fmt.Fprintf(&b, "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[%s]}}]}\n\n", d)
	}
	fmt.Fprintf(&b, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":%q}]}\n\ndata: [DONE]\n\n", finish)
	return b.String()
}

func asks(t *testing.T, body string, forced bool) (llm.Reply, error) {
	t.Helper()
	near, client := refusing(t, 200, nil, body)
	r := newHarness(t, "-- 1.md --\nx\n", func(o *remote.Options) { o.HTTP, o.Retries = client, -1 })
	r.profile.APIBase = near.URL
	q := llm.Request{Model: r.profile, Messages: []llm.Message{llm.Text(llm.RoleUser, "x")}}
	if tools := offered(); forced {
		q.Tool = &tools[0]
	} else {
		q.Tools = tools
	}
	return r.client.Stream(t.Context(), q, nil)
}

// TestPiecesOfCalls: the rules by which pieces become calls.
func TestPiecesOfCalls(t *testing.T) {
	for what, x := range map[string]struct {
		pieces []string
		want   []string
	}{
		"by id": {[]string{
			`{"id":"a","index":0,"function":{"name":"read","arguments":"{\"path\":"}},{"id":"b","index":1,"function":{"name":"list","arguments":"{\"path\":"}}`,
			`{"id":"b","function":{"arguments":"\"y\"}"}},{"id":"a","function":{"arguments":"\"x\"}"}}`},
			[]string{`read {"path":"x"}`, `list {"path":"y"}`}},
		"by index": {[]string{
			`{"index":1,"function":{"name":"list","arguments":"{"}},{"index":0,"function":{"name":"read","arguments":"{"}}`,
			`{"index":0,"function":{"arguments":"}"}},{"index":1,"function":{"arguments":"\"a\":1}"}}`},
			[]string{`list {"a":1}`, `read {}`}},
		"by its place": {[]string{
			`{"function":{"name":"list","arguments":"{"}},{"function":{"name":"read","arguments":"{"}}`,
			`{"function":{"name":"list","arguments":"\"a\":1}"}},{"function":{"name":"read","arguments":"}"}}`},
			[]string{`list {"a":1}`, `read {}`}},
		"a new id on a whole call opens another": {[]string{
			`{"id":"a","index":0,"function":{"name":"read","arguments":"{\"a\":1}"}}`, `{"id":"b","index":0,"function":{"name":"read","arguments":"{\"a\":2}"}}`},
			[]string{`read {"a":1}`, `read {"a":2}`}},
		"a new id with every piece": {[]string{
			`{"id":"a","index":0,"function":{"name":"read","arguments":"{\"a\""}}`, `{"id":"b","index":0,"function":{"arguments":":1}"}}`},
			[]string{`read {"a":1}`}},
		"two without arguments": {[]string{
			`{"id":"a","index":0,"function":{"name":"read","arguments":""}}`, `{"id":"b","index":0,"function":{"name":"list","arguments":""}}`},
			[]string{`read `, `list `}},
		"neither id nor index: the last that is open": {[]string{
			`{"id":"a","index":0,"function":{"name":"read","arguments":"{}"}}`, `{"id":"b","index":1,"function":{"name":"list","arguments":"{"}}`, `{"function":{"arguments":"}"}}`},
			[]string{`read {}`, `list {}`}},
		"an index that is whole: the last that is open": {[]string{
			`{"id":"a","index":0,"function":{"name":"read","arguments":"{}"}}`, `{"id":"b","index":0,"function":{"name":"list","arguments":"{"}}`, `{"index":0,"function":{"arguments":"}"}}`},
			[]string{`read {}`, `list {}`}},
		"the name once": {[]string{
			`{"id":"a","index":0,"function":{"name":"read","arguments":"{"}}`, `{"id":"a","index":0,"function":{"name":"read","arguments":"}"}}`},
			[]string{`read {}`}},
		"the whole call once more": {[]string{
			`{"id":"a","index":0,"function":{"name":"read","arguments":"{\"a\":1}"}}`, `{"id":"a","index":0,"function":{"name":"read","arguments":"{\"a\": 1}"}}`, `{"index":0,"function":{"name":"read","arguments":"{\"a\":1}"}}`},
			[]string{`read {"a":1}`}},
		"another call without id on the same index": {[]string{
			`{"index":0,"function":{"name":"read","arguments":"{\"a\":1}"}}`, `{"index":0,"function":{"name":"read","arguments":"{\"a\":2}"}}`},
			[]string{`read {"a":1}`, `read {"a":2}`}},
		"arguments of null":  {[]string{`{"id":"a","index":0,"function":{"name":"list","arguments":null}}`}, []string{"list "}},
		"an object":          {[]string{`{"id":"a","index":0,"function":{"name":"list","arguments":{"path":"x"}}}`}, []string{`list {"path":"x"}`}},
		"broken arguments":   {[]string{`{"id":"a","index":0,"function":{"name":"read","arguments":"{\"path\": \"x"}}`}, []string{`read {"path": "x`}},
		"no arguments named": {[]string{`{"id":"a","index":0,"function":{"name":"list"}}`}, []string{"list "}},
	} {
		reply, err := asks(t, deltas("tool_calls", x.pieces...), false)
		if diff := cmp.Diff(x.want, names(reply.Calls)); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", what, err, diff)
		}
		ids := map[string]bool{}
		for _, c := range reply.Calls {
			if c.ID == "" || ids[c.ID] {
				t.Errorf("%s: ids %+v", what, reply.Calls)
			}
			ids[c.ID] = true
		}
	}
}

// TestCallsOfACutReply: calls end with the stream whatever it gives as its reason, and none is run when
// the reply came to its limit.
func TestCallsOfACutReply(t *testing.T) {
	const whole = `{"id":"a","index":0,"function":{"name":"read","arguments":"{\"path\":\"x\"}"}}`
	for finish, want := range map[string]int{"tool_calls": 1, "stop": 1, "function_call": 1, "eos": 1, "length": 0, "max_tokens": 0, "content_filter": 0} {
		reply, err := asks(t, deltas(finish, whole), false)
		if err != nil || len(reply.Calls) != want {
			t.Errorf("%s: %+v, %v", finish, reply, err)
		}
	}
	reply, err := asks(t, strings.Split(deltas("stop", whole), "data: {\"choices\":[{\"index\":0,\"delta\":{},")[0], false)
	if err == nil || len(reply.Calls) > 0 {
		t.Errorf("broken off: %+v, %v", reply, err)
	}
	var many []string
	for i := range 70 {
		many = append(many, fmt.Sprintf(`{"id":"c%d","index":%d,"function":{"name":"read","arguments":"{}"}}`, i, i))
	}
	if reply, err := asks(t, deltas("stop", many...), false); err == nil {
		t.Errorf("70 calls: %d", len(reply.Calls))
	}
}

// TestForcedCalls: the arguments of the call are the text, in every form; who forces in vain asks again,
// and remembers that.
func TestForcedCalls(t *testing.T) {
	for _, arguments := range []string{`"{\"a\":1}"`, `{"a":1}`} {
		reply, err := asks(t, deltas("tool_calls", `{"id":"a","index":0,"function":{"name":"read","arguments":`+arguments+`}}`), true)
		if err != nil || reply.Text != `{"a":1}` || len(reply.Calls) > 0 {
			t.Errorf("%s: %+v, %v", arguments, reply, err)
		}
	}
	tools := offered()
	for what, script := range map[string]string{
		"nothing comes": "-- 1.md --\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[]},\"finish_reason\":\"tool_calls\"}],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":0}}\n\ndata: [DONE]\n\n-- 1.yaml --\nraw: true\n-- 2.md --\n{\"a\":1}\n-- 3.md --\n{\"a\":1}\n",
		"it is refused": "-- 1.md --\n{\"a\":1}\n-- 1.yaml --\nrequires: ['\"tools\"']\nforbids: ['tool_choice']\ncomplaint: tool_choice must be auto for this model\n-- 2.md --\n{\"a\":1}\n",
	} {
		r := newHarness(t, script)
		q := llm.Request{Model: r.profile, Messages: []llm.Message{llm.Text(llm.RoleUser, "x")}, Tool: &tools[0]}
		for range 2 {
			reply, err := r.client.Stream(t.Context(), q, nil)
			if err != nil || strings.TrimSpace(reply.Text) != `{"a":1}` {
				t.Errorf("%s: %+v, %v", what, reply, err)
			}
		}
		sent := r.server.Requests()
		if len(sent) != 3 || !strings.Contains(string(sent[0].Body), "tool_choice") || strings.Contains(string(sent[2].Body), "tool_choice") {
			t.Errorf("%s: %d requests", what, len(sent))
		}
	}
}

// TestServersWithoutTools: a refusal of the tools is told from other ones, and is not tried again.
func TestServersWithoutTools(t *testing.T) {
	for said, x := range map[string]struct {
		status int
		none   bool
	}{
		"registry.ollama.ai/library/gemma:2b does not support tools":                                               {400, true},
		"tools param requires --jinja flag":                                                                        {500, true},
		`"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set`:                   {400, true},
		"No endpoints found that support tool use. To learn more about provider routing, visit the documentation.": {404, true},
		"Function calling is not enabled for this model":                                                           {400, true},
		"this model does not support function calling":                                                             {400, true},
		"tool use is not supported for this model":                                                                 {422, true},
		"Unsupported parameter: 'top_k'":                                                                           {400, false},
		"internal error":                                                                                           {500, false},
	} {
		for _, tools := range []bool{true, false} {
			r := newHarness(t, fmt.Sprintf("-- 1.md --\n%s\n-- 1.yaml --\nstatus: %d\nrepeat: true\n", said, x.status), func(o *remote.Options) { o.Retries = 1 })
			q := llm.Request{Model: r.profile, Messages: []llm.Message{llm.Text(llm.RoleUser, "x")}}
			if tools {
				q.Tools = offered()
			}
			_, err := r.client.Stream(t.Context(), q, nil)
			var e *llm.Error
			if !errors.As(err, &e) || e.NoTools != (x.none && tools) {
				t.Errorf("%s: %+v", said, err)
			}
			if n := len(r.server.Requests()); e.NoTools && n != 1 {
				t.Errorf("%s: asked %d times", said, n)
			}
		}
	}
}

// TestErrorsOfMiniMax: they come with status 200 beside an empty answer.
func TestErrorsOfMiniMax(t *testing.T) {
	for code, want := range map[int]llm.ErrorKind{1002: llm.RateLimit, 1004: llm.Auth, 1008: llm.Refused, 1013: llm.Overloaded, 2013: llm.BadRequest} {
		_, err := asks(t, fmt.Sprintf(`{"choices":null,"usage":{"total_tokens":0},"base_resp":{"status_code":%d,"status_msg":"said the server"}}`, code), false)
		var e *llm.Error
		if !errors.As(err, &e) || e.Kind != want || !strings.Contains(e.Message, "said the server") {
			t.Errorf("%d: %+v", code, err)
		}
	}
	reply, err := asks(t, `{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}],"base_resp":{"status_code":0,"status_msg":""}}`, false)
	if err != nil || reply.Text != "x" {
		t.Errorf("%+v, %v", reply, err)
	}
}
