package settings

import (
	"slices"
	"testing"

	"coauthor/agent/model"
)

// TestNearModels: a name that is written wrongly, or in part, leads to the ones that it may mean.
func TestNearModels(t *testing.T) {
	c, err := model.Load(map[string]model.UserModel{"team-coder": {APIBase: "http://127.0.0.1:1"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"sonet": "sonnet", "Sonnnet": "sonnet", "claude-sonet-4-5": "claude-sonnet-4-5", "gpt5": "gpt-5", "o4mini": "o4-mini",
		"team": "team-coder", "teamcoder": "team-coder", "devstral-small": "devstral-small-2507",
	} {
		got := NearModels(c, name)
		if len(got) > 3 || !slices.Contains(got, want) {
			t.Errorf("%s: %v, want %s among them", name, got, want)
		}
	}
	for _, name := range []string{"", "x", "sonnet", "GPT-5", "team-coder", "llama-of-my-own", "openrouter/anthropic/claude-sonet", "my/sonet"} {
		if got := NearModels(c, name); len(got) > 0 {
			t.Errorf("%q: %v", name, got)
		}
	}
	if a, b := NearModels(c, "gemini-2.5"), NearModels(c, "gemini-2.5"); !slices.Equal(a, b) || len(a) != 3 {
		t.Errorf("%v, then %v", a, b)
	}
}
