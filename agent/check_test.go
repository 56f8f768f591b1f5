package agent_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/settings"
	"coauthor/agent/verify"
)

// TestTheLevelsOfTheSettingAreThoseOfVerify: what a user may set is what verify knows, in its order.
func TestTheLevelsOfTheSettingAreThoseOfVerify(t *testing.T) {
	var levels []string
	for _, l := range verify.Levels() {
		levels = append(levels, string(l))
	}
	for _, row := range settings.Rows() {
		if row.Name == "verify.level" && !slices.Equal(row.Enum, levels) {
			t.Errorf("the setting takes %q, verify knows %q", row.Enum, levels)
		}
	}
}

// TestACheckSeesTheTurnAndAsksTheUser: a check looks at the files with the changes, under the settings, asks
// for its command in full, and what it finds goes to the model with the lines and to the user in the end.
func TestACheckSeesTheTurnAndAsksTheUser(t *testing.T) {
	b := newBench(t, replies(xIsTwo, "Nothing to fix.", xIsTwo, "Nothing to fix."), map[string]string{"a.py": "x = 1\n", "b.py": "y = 1\n"})
	b.settings.Verify, b.settings.MaxReflections = "lint", 1
	b.answers = []string{"run"}
	commands := []verify.Command{{"ruff", "check", "a.py"}, {"ruff", "check", "a b.py"}}
	var may []bool
	o := b.options("")
	o.Checks = []verify.Check{
		{Name: "ruff", From: verify.Lint, Run: func(ctx context.Context, in verify.Input) ([]verify.Finding, error) {
			if text, err := in.Tree.Read("a.py"); err != nil || text != "x = 2\n" || in.Tree.Root() != b.ws.Root() || !in.Tree.Exists("b.py") {
				t.Errorf("a.py reads %q below %s, %v", text, in.Tree.Root(), err)
			}
			if len(in.Changes) != 1 || in.Changes[0].Path != "a.py" || in.Changes[0].Before != "x = 1\n" {
				t.Errorf("%+v", in)
			}
			for _, c := range commands {
				yes, err := in.May(ctx, verify.Wanted{Command: c})
				if err != nil {
					return nil, err
				}
				may = append(may, yes)
			}
			return []verify.Finding{{Check: "ruff", Path: "a.py", First: 1, Last: 1, Text: "line 1: two is odd"}}, nil
		}},
		{Name: "tests", From: verify.Full, Run: func(context.Context, verify.Input) ([]verify.Finding, error) {
			t.Error("the level full is not set")
			return nil, nil
		}},
	}
	b.engine = agent.NewEngine(o)
	t.Cleanup(b.engine.Close)
	b.session = b.engine.Session(b.ws)
	r, _ := b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
	if r.State != event.TurnProposed || len(r.Findings) != 1 || r.Findings[0].Text != "line 1: two is odd" {
		t.Fatalf("%+v", r)
	}
	if sent := shownRequest(b.server.Requests()[1]); !strings.Contains(sent, "a.py: line 1: two is odd") || !strings.Contains(sent, ">   1 x = 2") {
		t.Errorf("the model was sent\n%s", sent)
	}
	// The user was asked once about each text, however many rounds there were, and no answer is a no.
	if len(may) < 2 || len(may)%2 > 0 {
		t.Fatalf("%v", may)
	}
	for i, yes := range may {
		if yes != (i%2 == 0) {
			t.Errorf("answer %d is %v", i, yes)
		}
	}
	if len(b.asked) != len(commands) {
		t.Fatalf("%d questions: %+v", len(b.asked), b.asked)
	}
	for i, q := range b.asked {
		if !strings.Contains(q.Text, commands[i].String()) || q.Default == q.Choices[0] || q.Turn != r.Turn {
			t.Errorf("%+v", q)
		}
	}
	// A further turn of the session does not ask again.
	may = nil
	if r, _ := b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}}); r.State != event.TurnProposed || len(may) < 2 || !may[0] || may[1] {
		t.Errorf("%+v, %v", r, may)
	}
	if len(b.asked) != len(commands) {
		t.Errorf("asked again: %+v", b.asked[len(commands):])
	}
}
