package remote_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"coauthor/agent/llm"
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
)

// TestWhereAnAnswerEnds: its end is the sign of the interface or the end of the stream behind a reason, never the
// reason alone: what comes behind one belongs to the answer.
func TestWhereAnAnswerEnds(t *testing.T) {
	say := func(text, finish string) string {
		reason := "null"
		if finish != "" {
			reason = fmt.Sprintf("%q", finish)
		}
		return fmt.Sprintf("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q},\"finish_reason\":%s}]}\n\n", text, reason)
	}
	const done, usage = "data: [DONE]\n\n", "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":5}}\n\n"
	for what, x := range map[string]struct {
		sent   string
		silent bool // the connection stays open
		text   string
		finish llm.Finish
		kind   llm.ErrorKind // of a cut answer
	}{
		"a reason and the sign":            {say("ab", "") + say("", "stop") + done, false, "ab", llm.FinishStop, ""},
		"a reason, then the stream closes": {say("ab", "stop"), false, "ab", llm.FinishStop, ""},
		"the sign alone":                   {say("a", "") + say("b", "") + done, false, "ab", llm.FinishStop, ""},
		"usage and the sign":               {say("ab", "") + usage + done, false, "ab", llm.FinishStop, ""},
		"the sign alone, held open":        {say("ab", "") + done, true, "ab", llm.FinishStop, ""},
		"neither":                          {say("ab", ""), false, "ab", llm.FinishCut, llm.BadStream},
		"neither, but usage":               {say("ab", "") + usage, false, "ab", llm.FinishCut, llm.BadStream},
		"nothing but the sign":             {done, false, "", llm.FinishCut, llm.BadStream},
		"text behind the reason":           {say("a", "stop") + say("b", "") + done, false, "ab", llm.FinishStop, ""},
		"text behind the usage":            {say("a", "stop") + usage + say("b", "") + done, false, "ab", llm.FinishStop, ""},
		"text behind, then it closes":      {say("a", "stop") + say("b", ""), false, "ab", llm.FinishStop, ""},
		"a reason with each piece":         {say("a", "stop") + say("b", "stop") + say("c", "stop") + done, false, "abc", llm.FinishStop, ""},
		"a reason before the first piece":  {say("", "stop") + say("a", "") + say("b", "") + done, false, "ab", llm.FinishStop, ""},
		"the last of two reasons":          {say("a", "stop") + say("b", "length") + done, false, "ab", llm.FinishLength, ""},
		"text behind, then silence":        {say("a", "stop") + say("b", ""), true, "ab", llm.FinishCut, llm.Timeout},
		"silence":                          {say("ab", ""), true, "ab", llm.FinishCut, llm.Timeout},
	} {
		t.Run(what, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
				_, _ = io.Copy(io.Discard, q.Body)
				_, _ = io.WriteString(w, x.sent)
				w.(http.Flusher).Flush()
				if x.silent {
					<-q.Context().Done()
				}
			}))
			defer server.Close()
			c := remote.New(remote.Options{Env: func(string) string { return "" }, Retries: -1, Idle: 50 * time.Millisecond})
			reply, err := c.Stream(t.Context(), llm.Request{Model: model.Profile{ID: "m", APIBase: server.URL, Streaming: true}, Messages: []llm.Message{llm.Text(llm.RoleUser, "hi")}}, nil)
			if x.kind != "" {
				e := asError(err)
				if e == nil || e.Kind != x.kind {
					t.Fatalf("%+v, %v", reply, err)
				}
				reply = e.Partial
			} else if err != nil {
				t.Fatal(err)
			}
			if reply.Text != x.text || x.text != "" && reply.Finish != x.finish {
				t.Errorf("%+v", reply)
			}
		})
	}
}

// TestCallsThatNobodyOffered: what the model calls without having been offered anything is its answer only where it
// wrote nothing else.
func TestCallsThatNobodyOffered(t *testing.T) {
	const args = `{"path":"a.py","content":"1"}`
	everyAPI(t, func(t *testing.T, api string) {
		for text, want := range map[string]string{"The answer.\n": "The answer.", "": args} {
			for _, streaming := range []bool{true, false} {
				r := newHarness(t, "-- 1.md --\n"+text+"-- 1.yaml --\ncalls:\n  - {id: one, name: write_file, arguments: '"+args+"'}\n")
				r.profile.API, r.profile.Streaming = api, streaming
				reply, err := r.stream()
				if err != nil || strings.TrimSpace(reply.Text) != want || len(reply.Calls) > 0 {
					t.Errorf("%q, streaming %v: %+v, %v", text, streaming, reply, err)
				}
			}
		}
	})
}
