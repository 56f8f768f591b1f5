package openai

import (
	"testing"

	"coauthor/agent/llm"
	"coauthor/agent/llm/wire"
	"coauthor/agent/model"
)

// A server that takes no system's message behind others is sent it in the user's own message: roles have to alternate there.
func TestALateSystemMessageJoinsTheUsers(t *testing.T) {
	list := []llm.Message{llm.Text(llm.RoleSystem, "Rules."), llm.Text(llm.RoleUser, "Do it."), llm.Text(llm.RoleSystem, "Remember.")}
	for refused, want := range map[bool][]string{true: {"system: Rules.", "user: Do it.\n\nRemember."}, false: {"system: Rules.", "user: Do it.", "system: Remember."}} {
		d := dialect{profile: model.Profile{UseSystemPrompt: true}, without: wire.Adaptations{wire.WithoutMixture: refused}}
		var got []string
		for _, m := range d.messages(list) {
			got = append(got, m["role"].(string)+": "+m["content"].(string))
		}
		if len(got) != len(want) {
			t.Fatalf("refused %v: %q", refused, got)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("refused %v: %q, want %q", refused, got[i], want[i])
			}
		}
	}
	if list[1].String() != "Do it." || len(list[1].Parts) != 1 {
		t.Errorf("the message itself was changed: %+v", list[1])
	}
}
