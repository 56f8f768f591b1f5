package agent_test

import (
	"slices"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
)

// A turn is a straight line of stages: the checks stand between the edits in memory and the proposal,
// and only a reflection leads back, to another call of the model.
func TestTurnIsALineOfStages(t *testing.T) {
	b := newBench(t, `-- 1.md --
a.py
`+"```"+`
<<<<<<< SEARCH
x = 7
=======
x = 2
>>>>>>> REPLACE
`+"```"+`
-- 2.md --
a.py
`+"```"+`
<<<<<<< SEARCH
x = 1
=======
x = 2
>>>>>>> REPLACE
`+"```"+`
`, map[string]string{"a.py": "x = 1\n"})
	_, events := b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
	var states []event.State
	proposed := -1
	for _, e := range events {
		switch e.Kind {
		case event.KindState:
			states = append(states, e.State)
		case event.KindProposal:
			proposed = len(states)
		}
	}
	want := []event.State{
		event.TurnCollecting, event.TurnRequesting, event.TurnStreaming, event.TurnVerifying, event.TurnReflecting,
		event.TurnRequesting, event.TurnStreaming, event.TurnVerifying, event.TurnProposed,
	}
	if !slices.Equal(states, want) {
		t.Errorf("states %v, want %v", states, want)
	}
	if proposed != len(want)-1 {
		t.Errorf("the proposal came after %d states", proposed)
	}
}
