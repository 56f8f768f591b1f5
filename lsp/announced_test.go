package lsp

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"coauthor/agent/llm/llmtest"
)

// announced lists what messages say of proposals: the state and revision that each coauthor/pending has.
func announced(seen []string) (list []string) {
	for _, s := range seen {
		var m struct {
			Method string
			Params struct {
				State    string
				Revision int
			}
		}
		if json.Unmarshal([]byte(s), &m) == nil && m.Method == methodPending {
			list = append(list, fmt.Sprintf("%s %d", m.Params.State, m.Params.Revision))
		}
	}
	return list
}

// A proposal is announced once for each state that it comes to, in the turn and after it; one that another takes the
// place of is not announced again.
func TestAProposalIsAnnouncedOnce(t *testing.T) {
	r := newModelHarness(t, llmtest.Say(reply), nil)
	r.initialize(`{"window":{"workDoneProgress":true},"experimental":{"coauthor":{"turn":true,"pending":true}}}`, "null")
	r.open("a.txt", "one\ntwo\n")
	start := func(name, args string) []string {
		mustHold(t, r.command(name, args), `"status":"started"`)
		return r.watch(func(method string, p map[string]any) bool { return method == methodTurn && p["state"] == "proposed" })
	}
	seen := start("edit", `{"instruction":"Change it."}`)
	if got := announced(seen); !slices.Equal(got, []string{"pending 1"}) {
		t.Errorf("proposed, and announced %v", got)
	}
	mustHold(t, r.call(methodGetPending, `{}`), `"revision":1`) // what a client fetches counts as seen
	mustHold(t, r.command("discard", `{}`), `"status":"discarded"`)
	seen = r.watch(func(method string, p map[string]any) bool { return method == methodTurn && p["state"] == "discarded" })
	if got := announced(seen); !slices.Equal(got, []string{"discarded 1"}) {
		t.Errorf("discarded, and announced %v", got)
	}
}
