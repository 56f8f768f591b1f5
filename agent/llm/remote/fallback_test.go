package remote_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"coauthor/agent/llm"
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
)

// TestFallback: another model answers where this one cannot be had, and only there.
func TestFallback(t *testing.T) {
	everyAPI(t, func(t *testing.T, api string) {
		for what, x := range map[string]struct {
			script string
			want   bool
		}{
			"it answers":                    {"-- 1.md --\nfrom the first\n", false},
			"overloaded":                    {"repeat: true\nstatus: 503\n-- 1.md --\nbusy\n", true},
			"too many requests":             {"repeat: true\nstatus: 429\n-- 1.md --\nslow down\n", true},
			"an empty account":              {"status: 402\n-- 1.md --\ninsufficient credits\n", true},
			"a model that is gone":          {"status: 404\nerror-code: model_not_found\n-- 1.md --\nno such model\n", true},
			"an overload inside the stream": {"repeat: true\n-- 1.md --\n-- 1.yaml --\nerror: overloaded\nerror-type: overloaded_error\n", true},
			"a wrong key":                   {"status: 401\n-- 1.md --\nno\n", false},
			"a wrong request":               {"status: 400\n-- 1.md --\nno such field\n", false},
			"a prompt that is too long":     {"status: 400\nerror-code: context_length_exceeded\n-- 1.md --\ntoo long\n", false},
			"a refused content":             {"status: 400\nerror-code: content_policy_violation\n-- 1.md --\nno\n", false},
			"a reply that breaks off":       {"cut: 4\n-- 1.md --\nhalf of it\n", false},
		} {
			first, second := newHarness(t, x.script), newHarness(t, "-- 1.md --\nfrom the second\n-- 2.md --\nagain\n")
			first.profile.API, second.profile.API = api, api
			second.profile.Name, second.profile.Price = "spare", model.Price{In: 1, Out: 1}
			var told []*llm.Error
			ask := func() (llm.Reply, error) {
				return first.client.Stream(t.Context(), llm.Request{
					Model: first.profile, Messages: []llm.Message{llm.Text(llm.RoleUser, "hi")}, Fallback: &second.profile,
					OnFallback: func(why *llm.Error) { told = append(told, why) },
				}, nil)
			}
			reply, err := ask()
			asked := len(second.server.Requests()) > 0
			if asked != x.want || (len(told) == 1) != x.want || (reply.Instead != nil) != x.want {
				t.Errorf("%s: asked %v, told %v, %+v", what, asked, told, reply)
			}
			if !x.want {
				continue
			}
			if err != nil || reply.Text != "from the second\n" || reply.Instead.Name != "spare" || reply.Usage.Cost == 0 || told[0].Message == "" {
				t.Errorf("%s: %+v, %v", what, reply, err)
			}
			// What was not to be had a moment ago is not asked again at once.
			before := len(first.server.Requests())
			if reply, err := ask(); err != nil || reply.Text != "again\n" || len(first.server.Requests()) != before || len(told) != 2 {
				t.Errorf("%s, again: %+v, %v, %d more requests", what, reply, err, len(first.server.Requests())-before)
			}
		}
	})
}

// TestFallbackComesBack: after a while the chosen model is asked again.
func TestFallbackComesBack(t *testing.T) {
	now := time.Unix(1_750_000_000, 0)
	first := newHarness(t, "-- 1.md --\nbusy\n-- 1.yaml --\nstatus: 503\n-- 2.md --\nhere again\n", func(o *remote.Options) {
		o.Retries, o.Clock = -1, func() time.Time { return now }
	})
	second := newHarness(t, "repeat: true\n-- 1.md --\ninstead\n")
	for _, want := range []string{"instead\n", "instead\n", "here again\n"} {
		reply, err := first.client.Stream(t.Context(), llm.Request{Model: first.profile, Fallback: &second.profile, Messages: []llm.Message{llm.Text(llm.RoleUser, "hi")}}, nil)
		if err != nil || reply.Text != want {
			t.Errorf("%q, %v; want %q", reply.Text, err, want)
		}
		now = now.Add(3 * time.Minute)
	}
}

// TestFallbackFailsToo: then its failure is told, which is the last word.
func TestFallbackFailsToo(t *testing.T) {
	first, second := newHarness(t, "repeat: true\nstatus: 503\n-- 1.md --\nbusy\n"), newHarness(t, "status: 401\n-- 1.md --\nno\n")
	_, err := first.client.Stream(t.Context(), llm.Request{Model: first.profile, Fallback: &second.profile, Messages: []llm.Message{llm.Text(llm.RoleUser, "hi")}}, nil)
	var e *llm.Error
	if !errors.As(err, &e) || e.Kind != llm.Auth {
		t.Errorf("%v", err)
	}
	if reply, err := remote.New(remote.Options{HTTP: http.DefaultClient, Retries: -1}).Stream(t.Context(), llm.Request{Model: model.Profile{Name: "x"}}, nil); err == nil || !strings.Contains(err.Error(), "endpoint") {
		t.Errorf("without any: %+v, %v", reply, err)
	}
}
