package remote_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/llm"
	"coauthor/agent/model"
)

// sentFields are fields of a request as the server got it.
func sentFields(t *testing.T, r *harness, number int, names ...string) map[string]any {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal(r.server.Requests()[number-1].Body, &all); err != nil {
		t.Fatal(err)
	}
	some := map[string]any{}
	for _, n := range names {
		if v, ok := all[n]; ok {
			some[n] = v
		}
	}
	return some
}

var thoughtFields = []string{"reasoning_effort", "reasoning", "thinking", "temperature", "max_tokens"}

// TestHowMuchToThink: effort and budget go out in the words of whoever serves the model, and a budget takes
// the temperature with it and leaves room for the answer.
func TestHowMuchToThink(t *testing.T) {
	for what, x := range map[string]struct {
		change func(*model.Profile)
		most   int
		want   map[string]any
	}{
		"nothing said": {func(*model.Profile) {}, 0, map[string]any{"temperature": 0.0}},
		"an effort":    {func(p *model.Profile) { p.ReasoningEffort = "low" }, 0, map[string]any{"temperature": 0.0, "reasoning_effort": "low"}},
		"an effort at the router": {func(p *model.Profile) { p.ReasoningEffort, p.Provider = "high", "openrouter" }, 0,
			map[string]any{"temperature": 0.0, "reasoning": map[string]any{"effort": "high"}}},
		"a budget": {func(p *model.Profile) { p.ThinkingTokens, p.MaxOutput = 8192, 64000 }, 0,
			map[string]any{"thinking": map[string]any{"type": "enabled", "budget_tokens": 8192.0}, "max_tokens": 64000.0}},
		"a budget beyond what answers take": {func(p *model.Profile) { p.ThinkingTokens = 30000 }, 0,
			map[string]any{"thinking": map[string]any{"type": "enabled", "budget_tokens": 30000.0}, "max_tokens": 46384.0}},
		"a budget at the router": {func(p *model.Profile) { p.ThinkingTokens, p.Provider, p.MaxOutput = 1024, "openrouter", 64000 }, 0,
			map[string]any{"reasoning": map[string]any{"max_tokens": 1024.0}, "max_tokens": 64000.0}},
		"both at the router, which takes one": {func(p *model.Profile) {
			p.ThinkingTokens, p.ReasoningEffort, p.Provider, p.MaxOutput = 1024, "high", "openrouter", 64000
		}, 0, map[string]any{"reasoning": map[string]any{"max_tokens": 1024.0}, "max_tokens": 64000.0}},
		"a call for a word": {func(p *model.Profile) { p.ThinkingTokens, p.ReasoningEffort = 1024, "low" }, 16, map[string]any{"temperature": 0.0, "max_tokens": 16.0}},
		"the user's own field": {func(p *model.Profile) {
			p.ReasoningEffort, p.ExtraBody = "low", map[string]any{"reasoning_effort": "high"}
		}, 0, map[string]any{"temperature": 0.0, "reasoning_effort": "high"}},
	} {
		r := newHarness(t, "-- 1.md --\nx\n")
		x.change(&r.profile)
		_, err := r.client.Stream(t.Context(), llm.Request{Model: r.profile, MaxTokens: x.most, Messages: []llm.Message{llm.Text(llm.RoleUser, "hi")}}, nil)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		if d := cmp.Diff(x.want, sentFields(t, r, 1, thoughtFields...)); d != "" {
			t.Errorf("%s (-want +got):\n%s", what, d)
		}
	}
}

// TestAnEndpointThatTakesNoEffort is asked once more without, the user is told, and later calls spare it.
func TestAnEndpointThatTakesNoEffort(t *testing.T) {
	for _, x := range []struct {
		reject string
		change func(*model.Profile)
	}{
		{"reasoning_effort", func(p *model.Profile) { p.ReasoningEffort = "low" }},
		{"thinking", func(p *model.Profile) { p.ThinkingTokens = 2048 }},
		{"reasoning", func(p *model.Profile) { p.ReasoningEffort, p.Provider = "low", "openrouter" }},
	} {
		r := newHarness(t, "reject: "+x.reject+"\n-- 1.md --\none\n-- 2.md --\ntwo\n")
		x.change(&r.profile)
		first, err := r.stream()
		if err != nil || first.Text != "one\n" || len(first.Notes) != 1 || !strings.Contains(first.Notes[0], "scripted") {
			t.Errorf("%s: %+v, %v", x.reject, first, err)
		}
		second, err := r.stream()
		if err != nil || second.Text != "two\n" || len(second.Notes) > 0 || len(r.server.Requests()) != 3 {
			t.Errorf("%s: %+v, %v after %d requests", x.reject, second, err, len(r.server.Requests()))
		}
		if got := sentFields(t, r, 3, x.reject, "temperature"); len(got) != 1 || got["temperature"] != 0.0 {
			t.Errorf("%s: later %v", x.reject, got)
		}
	}
}

// TestASettingThatDoesNotSuitIsTold once, of the main model alone.
func TestASettingThatDoesNotSuitIsTold(t *testing.T) {
	r := newHarness(t, "repeat: true\n-- 1.md --\nx\n")
	r.profile.Unsent = "scripted does not take it."
	for i, want := range []int{1, 0} {
		reply, err := r.client.Stream(t.Context(), llm.Request{Model: r.profile, Role: llm.RoleMain, Messages: []llm.Message{llm.Text(llm.RoleUser, "hi")}}, nil)
		if err != nil || len(reply.Notes) != want {
			t.Errorf("call %d: %q, %v", i+1, reply.Notes, err)
		}
	}
	other := newHarness(t, "-- 1.md --\nx\n")
	other.profile.Unsent = r.profile.Unsent
	if reply, err := other.client.Stream(t.Context(), llm.Request{Model: other.profile, Role: llm.RoleWeak, Messages: []llm.Message{llm.Text(llm.RoleUser, "hi")}}, nil); err != nil || len(reply.Notes) > 0 {
		t.Errorf("the weak model: %q, %v", reply.Notes, err)
	}
}
