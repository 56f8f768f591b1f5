package remote_test

import (
	"strings"
	"testing"

	"coauthor/agent/llm"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/model"
)

// TestTheLineThatSwitchesAModel: it is the first line of what a model reads, through every interface, in whichever role
// the system text goes, and a fall-back gets its own.
func TestTheLineThatSwitchesAModel(t *testing.T) {
	everyAPI(t, func(t *testing.T, api string) {
		for _, asSystem := range []bool{true, false} {
			r, spare := newHarness(t, "status: 503\nrepeat: true\n-- 1.md --\nbusy\n"), newHarness(t, "repeat: true\n-- 1.md --\nok\n")
			r.profile.API, r.profile.SystemPrefix, r.profile.UseSystemPrompt = api, "detailed thinking off", asSystem
			spare.profile.API, spare.profile.SystemPrefix = api, "/no_think"
			list := []llm.Message{llm.Text(llm.RoleSystem, "be brief"), llm.Text(llm.RoleUser, "hello")}
			if _, err := r.client.Stream(t.Context(), llm.Request{Model: r.profile, Messages: list, Fallback: &spare.profile}, nil); err != nil {
				t.Fatal(err)
			}
			for want, all := range map[string][]llmtest.Recorded{"detailed thinking off\nbe brief": r.server.Requests(), "/no_think\nbe brief": spare.server.Requests()} {
				text := all[0].Messages[0].Content
				if !strings.HasPrefix(text, want) || strings.Contains(string(all[0].Body), "no_think") != strings.HasPrefix(want, "/") {
					t.Errorf("system text in its own role %v: it reads\n%s", asSystem, text)
				}
			}
			if list[0].String() != "be brief" {
				t.Errorf("the caller's message became %q", list[0].String())
			}
		}
	})
}

// TestTheLineBeforeAnImage: an image has no line, so the line stands before it.
func TestTheLineBeforeAnImage(t *testing.T) {
	got := llm.Prefixed(model.Profile{SystemPrefix: "/no_think"}, []llm.Message{{Role: llm.RoleUser, Parts: []llm.Part{{Kind: llm.PartImage, Name: "a.png"}}}})
	if len(got) != 1 || len(got[0].Parts) != 2 || got[0].Parts[0].Text != "/no_think\n" || got[0].Parts[1].Name != "a.png" {
		t.Errorf("%+v", got)
	}
}
