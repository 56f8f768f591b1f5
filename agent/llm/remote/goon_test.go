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
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
)

// parts is a script whose replies but the last are cut off at their length.
func parts(texts ...string) string {
	var b strings.Builder
	b.WriteString("chunk: 3\nprompt-tokens: 10\ncompletion-tokens: 5\n")
	for i, text := range texts {
		finish := "length"
		if i == len(texts)-1 {
			finish = "stop"
		}
		fmt.Fprintf(&b, "-- %d.md --\n%s\n-- %d.yaml --\nfinish: %s\n", i+1, text, i+1, finish)
	}
	return b.String()
}

// TestAnAnswerGoesOn: what was cut off at its length is continued where the row says so, as one answer whose
// pieces add up, and what it cost adds up too.
func TestAnAnswerGoesOn(t *testing.T) {
	const begun = "func main() {\n\tprintln(1)"
	for what, x := range map[string]struct {
		texts []string
		want  string
	}{
		"one more part":             {[]string{begun, "and more", "the end"}, begun + "and more" + "the end\n"},
		"the blanks come again":     {[]string{begun + "\n", "\n\tprintln(2)\n}"}, begun + "\n\tprintln(2)\n}\n"},
		"the beginning comes again": {[]string{begun, begun + "\n}"}, begun + "\n}\n"},
		"it seems to come again":    {[]string{begun, "func main() is over"}, begun + "func main() is over\n"},
		"a short one comes twice":   {[]string{"ab", "ab"}, "abab\n"},
		"nothing follows":           {[]string{begun, ""}, begun + "\n"},
	} {
		r := newHarness(t, parts(x.texts...))
		r.profile.Prefill, r.profile.Price = "plain", model.Price{In: 1, Out: 1}
		reply, err := r.stream()
		if err != nil || reply.Finish != llm.FinishStop || reply.Text != x.want {
			t.Errorf("%s: %q, finish %s, %v", what, reply.Text, reply.Finish, err)
		}
		n := len(x.texts)
		if u := reply.Usage; u.Prompt != 10*n || u.Completion != 5*n || u.Cost < 1e-6*float64(14*n) {
			t.Errorf("%s: usage %+v", what, u)
		}
		// The blanks at a seam are known only when the next part comes.
		if got := r.text(event.ChannelAnswer); strings.Join(strings.Fields(got), "") != strings.Join(strings.Fields(x.want), "") {
			t.Errorf("%s: passed on %q, want %q", what, got, x.want)
		}
		last := r.server.Requests()[n-1].Messages
		if m := last[len(last)-1]; len(last) != 3 || m.Role != "assistant" || m.Content == "" || strings.TrimRight(m.Content, " \t\r\n") != m.Content || !strings.HasPrefix(x.want, m.Content) {
			t.Errorf("%s: sent back %+v", what, last)
		}
	}
}

// TestHowAServerIsToldToGoOn: each in its own way.
func TestHowAServerIsToldToGoOn(t *testing.T) {
	for way, want := range map[string]string{
		"plain":    `{"content":"half","role":"assistant"}`,
		"prefix":   `{"content":"half","prefix":true,"role":"assistant"}`,
		"partial":  `{"content":"half","partial":true,"role":"assistant"}`,
		"continue": `{"content":"half","role":"assistant"} true false`,
	} {
		r := newHarness(t, parts("half", "whole"))
		r.profile.Prefill = way
		if _, err := r.stream(); err != nil {
			t.Fatal(err)
		}
		for i, want := range []string{`{"content":"hello","role":"user"}`, want} {
			var body struct {
				Messages []json.RawMessage `json:"messages"`
				Go       *bool             `json:"continue_final_message"`
				Open     *bool             `json:"add_generation_prompt"`
			}
			if err := json.Unmarshal(r.server.Requests()[i].Body, &body); err != nil {
				t.Fatal(err)
			}
			got := string(body.Messages[len(body.Messages)-1])
			if body.Go != nil && body.Open != nil {
				got += fmt.Sprintf(" %v %v", *body.Go, *body.Open)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s, request %d:\n%s", way, i+1, d)
			}
		}
	}
}

// TestWhatDoesNotGoOn: a model that is not known to, a limit that was meant, thinking, a forced tool, a model
// that only thought.
func TestWhatDoesNotGoOn(t *testing.T) {
	for what, change := range map[string]func(*harness, *llm.Request){
		"not in the row": func(_ *harness, q *llm.Request) { q.Model.Prefill = "" },
		"a limit":        func(_ *harness, q *llm.Request) { q.MaxTokens = 5 },
		"thinking":       func(_ *harness, q *llm.Request) { q.Model.ThinkingTokens = 1000 },
		"a forced tool":  func(_ *harness, q *llm.Request) { q.Tool = &llm.Tool{Name: "f", Schema: []byte("{}")} },
	} {
		r := newHarness(t, parts("half", "whole"))
		q := llm.Request{Model: r.profile, Messages: []llm.Message{llm.Text(llm.RoleUser, "hi")}}
		q.Model.Prefill = "plain"
		change(r, &q)
		reply, err := r.client.Stream(t.Context(), q, nil)
		if err != nil || reply.Finish != llm.FinishLength || len(r.server.Requests()) != 1 {
			t.Errorf("%s: %+v, %v after %d requests", what, reply, err, len(r.server.Requests()))
		}
	}
	r := newHarness(t, "finish: length\n-- 1.md --\n-- 1.think.md --\nall of it\n-- 2.md --\nmore\n")
	r.profile.Prefill = "plain"
	if reply, err := r.stream(); err != nil || reply.Finish != llm.FinishLength || len(r.server.Requests()) != 1 {
		t.Errorf("only thought: %+v, %v", reply, err)
	}
}

// TestAnAnswerGoesOnBesideTools: tools that are only offered stay on offer, and what the model calls at the end counts.
func TestAnAnswerGoesOnBesideTools(t *testing.T) {
	r := newHarness(t, "-- 1.md --\nhalf\n-- 1.yaml --\nfinish: length\n-- 2.md --\nwhole\n-- 2.yaml --\ncalls:\n  - name: f\n    arguments: \"{}\"\n")
	q := llm.Request{Model: r.profile, Messages: []llm.Message{llm.Text(llm.RoleUser, "hi")}, Tools: []llm.Tool{{Name: "f", Schema: []byte("{}")}}}
	q.Model.Prefill = "plain"
	reply, err := r.client.Stream(t.Context(), q, nil)
	if err != nil || !strings.HasPrefix(reply.Text, "halfwhole") || len(reply.Calls) != 1 || reply.Calls[0].Name != "f" {
		t.Errorf("%+v, %v", reply, err)
	}
	if sent := r.server.Requests(); len(sent) != 2 || !strings.Contains(string(sent[1].Body), `"tools"`) {
		t.Errorf("%d requests, the last %s", len(sent), sent[len(sent)-1].Body)
	}
}

// TestAnAnswerWithoutEndIsLeft: a model that never ends is asked a few times, and what there is counts as cut.
func TestAnAnswerWithoutEndIsLeft(t *testing.T) {
	r := newHarness(t, "repeat: true\nfinish: length\n-- 1.md --\nand on\n")
	r.profile.Prefill = "plain"
	reply, err := r.stream()
	if err != nil || reply.Finish != llm.FinishLength || len(r.server.Requests()) != 5 || len(reply.Notes) != 1 || strings.Count(reply.Text, "and on") != 5 {
		t.Errorf("%+v, %v after %d requests", reply, err, len(r.server.Requests()))
	}
	r = newHarness(t, "finish: length\n-- 1.md --\nhalf\n-- 2.md --\n-- 3.md --\nno more of it\n")
	r.profile.Prefill = "plain"
	if reply, err := r.stream(); err != nil || reply.Finish != llm.FinishLength || len(r.server.Requests()) != 2 {
		t.Errorf("a part without a word: %+v, %v after %d requests", reply, err, len(r.server.Requests()))
	}
}

// TestGoingOnFails: what had come stands, and the user knows why it ends there.
func TestGoingOnFails(t *testing.T) {
	const first = "-- 1.md --\nhalf of it\n-- 1.yaml --\nfinish: length\n"
	r := newHarness(t, first+"-- 2.md --\nThis model does not support assistant message prefill.\n-- 2.yaml --\nstatus: 400\n-- 3.md --\nhalf again\n-- 3.yaml --\nfinish: length\n")
	r.profile.Prefill = "plain"
	for i, want := range []struct{ notes, requests int }{{1, 2}, {0, 3}} {
		reply, err := r.stream()
		if err != nil || reply.Finish != llm.FinishLength || len(reply.Notes) != want.notes || len(r.server.Requests()) != want.requests {
			t.Errorf("refused, call %d: %+v, %v after %d requests", i+1, reply, err, len(r.server.Requests()))
		}
	}
	r = newHarness(t, first+"-- 2.md --\nand then the rest\n-- 2.yaml --\ncut: 8\n")
	r.profile.Prefill = "plain"
	_, err := r.stream()
	var e *llm.Error
	if !errors.As(err, &e) || e.Kind != llm.BadStream || e.Partial.Finish != llm.FinishCut || e.Partial.Text != "half of it"+"and then" {
		t.Errorf("broken off: %+v, %v", e, err)
	}
	r = newHarness(t, first+"-- 2.md --\nbusy\n-- 2.yaml --\nstatus: 503\n", func(o *remote.Options) { o.Retries = -1 })
	r.profile.Prefill = "plain"
	if reply, err := r.stream(); err != nil || reply.Text != "half of it\n" || reply.Finish != llm.FinishLength || len(reply.Notes) != 1 {
		t.Errorf("overloaded: %+v, %v", reply, err)
	}
}
