package verify_test

import (
	"strings"
	"testing"

	"coauthor/agent/verify"
)

// What a project is linted and tested with is told at every level, and what runs by itself as the level has it.
func TestHabits(t *testing.T) {
	tools := []verify.Tool{{Argv: verify.Command{"lint"}}, {Argv: verify.Command{"form"}, Formats: true}, {Argv: verify.Command{"try"}, Tests: true}, {Argv: verify.Command{"`x`"}}}
	for _, c := range []struct {
		level verify.Level
		run   bool
		alone string
	}{{"syntax", true, ""}, {verify.Lint, true, "`lint`"}, {verify.Full, true, "`lint` `try`"}, {verify.Full, false, ""}} {
		lint, tests, alone := verify.Habits(tools, c.level, c.run)
		if got := strings.Join(lint, " ") + ", " + strings.Join(tests, " "); got != "`lint`, `try`" || strings.Join(alone, " ") != c.alone {
			t.Errorf("%s, %v: %s, and %q by themselves", c.level, c.run, got, alone)
		}
	}
	many := make([]verify.Tool, 9)
	for i := range many {
		many[i].Argv = verify.Command{strings.Repeat("x", i+1)}
	}
	if lint, _, alone := verify.Habits(many, verify.Lint, true); len(lint) != 4 || len(alone) != 4 {
		t.Errorf("%d of nine are told, %d that run", len(lint), len(alone))
	}
}
