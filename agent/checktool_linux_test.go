package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/settings"
)

// A model that asks for the checks is told what its edits so far broke. Nobody is asked for it: what the user has not allowed does
// not run, and the question comes when the reply is whole, as without that call.
func TestModelAsksForChecks(t *testing.T) {
	const edit = "b.txt\n```\n<<<<<<< SEARCH\n%s\n=======\n%s\n>>>>>>> REPLACE\n```\n"
	b := newLookout(t, calling("\n>> check {}", fmt.Sprintf(edit, "one", "bad")+"\n>> check {}", "Done.",
		fmt.Sprintf(edit, "bad", "bad too")+"\n>> check {}", "Done.", fmt.Sprintf(edit, "bad too", "good")), map[string]string{"b.txt": "one\n"})
	b.settings.Verify = "lint"
	b.settings.Checks.Lint = []settings.CheckCommand{{Run: []string{"sh", "-c", `! grep -n bad /dev/null "$@" | grep .`, "-", "{files}"}, Files: []string{"*.txt"}}}
	withCommands(t, b, t.TempDir())
	b.answers = []string{"run"}
	if r, _ := b.run(agent.Request{Instruction: "Change it.", Coder: "code", Format: "diff", Files: []string{"b.txt"}}); r.Err != nil {
		t.Fatal(r.Err)
	}
	sent := b.server.Requests()
	if got := results(t, sent[1]); !strings.Contains(got[0], "Nothing was changed yet") {
		t.Errorf("without edits: %q", got)
	}
	if got := results(t, sent[2]); !strings.Contains(got[len(got)-1], "Not run, because the user has not allowed it: sh -c") || strings.Contains(got[len(got)-1], "line 1") {
		t.Errorf("without consent: %q", got)
	}
	if len(sent) != 6 {
		t.Fatalf("%d requests", len(sent))
	}
	if got := results(t, sent[4]); !strings.Contains(got[len(got)-1], "sh: b.txt, line 1: bad too") || !strings.Contains(got[len(got)-1], "Checked: syntax ✓, sh: ") {
		t.Errorf("with consent: %q", got)
	}
	if len(b.asked) != 1 {
		t.Errorf("%d questions", len(b.asked))
	}
}
