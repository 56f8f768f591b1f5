package agent_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
)

// A provider keeps a prompt as far as it begins like the one before: in a turn that looks around and goes on by itself, what
// was said stays as it was. After a look all of the request before it stands at the beginning of the next one; after an edit,
// what stands before the text of the files that it changed.
func TestEachRequestOfATurnBeginsLikeTheOneBefore(t *testing.T) {
	finish := func(next string) string { return fmt.Sprintf(">> finish {\"done\":false,\"next\":%q}", next) }
	b := newHerd(t, calling(
		"I look.\n>> read {\"path\":\"crow.go\"}",
		"I look again.\n>> read {\"path\":\"hare.go\"}\n>> uses {\"name\":\"Feedcrow\"}",
		put("main.go", "\told()", "\tnewer()", "\n"+finish("use Feedhare")),
		"I look.\n>> read {\"path\":\"seal.go\"}",
		put("main.go", "\tnewer()", "\tnewest()", "\n"+finish("check it")),
		"Done.\n>> finish {\"done\":true,\"summary\":\"It is done.\"}",
	))
	b.settings.Auto.Rounds, b.user.Tools = 8, ""
	if r, _ := b.run(agent.Request{Instruction: "Feed the crow.", Coder: "auto", Files: []string{"main.go"}}); r.State != event.TurnProposed {
		t.Fatalf("%s, %v", r.State, r.Err)
	}
	var before string
	cached, all := 0, 0
	for i, sent := range b.server.Requests() {
		var body struct {
			Tools    json.RawMessage
			Messages []json.RawMessage
		}
		if err := json.Unmarshal(sent.Body, &body); err != nil {
			t.Fatal(err)
		}
		now := string(body.Tools)
		for _, m := range body.Messages {
			now += "\n" + string(m)
		}
		same := 0
		for same < len(before) && same < len(now) && before[same] == now[same] {
			same++
		}
		t.Logf("request %d: %d of %d bytes begin like the one before", i+1, same, len(now))
		if i > 0 {
			cached, all = cached+same, all+len(now)
		}
		switch i {
		case 1, 2, 4: // behind a look
			if same < len(before) {
				t.Errorf("request %d begins like the one before it as far as %q, which goes on %q", i+1, now[max(0, same-60):same], before[same:min(same+60, len(before))])
			}
		case 3, 5: // behind an edit
			if at := strings.Index(now, "func main"); same < at {
				t.Errorf("request %d differs %d bytes before the file that was changed", i+1, at-same)
			}
		}
		before = now
	}
	t.Logf("all: %d %%", 100*cached/max(all, 1))
}
