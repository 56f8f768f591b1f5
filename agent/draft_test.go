package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/edits"
)

// While a reply comes, whoever asked is told what its whole edits have changed; nobody is asked, what needs the user's word
// is left out, and what is proposed at the end is what counts.
func TestDrafts(t *testing.T) {
	var filler strings.Builder
	for i := range 60 {
		fmt.Fprintf(&filler, "And then comes number %d, which is like none before it.\n", i*i)
	}
	reply := "b.py\n```\n<<<<<<< SEARCH\ny = 1\n=======\ny = 2\n>>>>>>> REPLACE\n```\n\n" + xIsTwo + "\n" + filler.String() + "\n\nnew.py\n```\n<<<<<<< SEARCH\n=======\nz = 1\n>>>>>>> REPLACE\n```\n"
	b := newBench(t, held(reply), map[string]string{"a.py": "x = 1\n", "b.py": "y = 1\n"})
	told := make(chan []edits.Change, 100)
	rec := &recorder{}
	started, err := start(b.session, agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}}, agent.Ports{Sink: rec.sink, Ask: b,
		Draft: func(turn string, changes []edits.Change) {
			if turn == "" {
				t.Error("a draft of no turn")
			}
			told <- changes
		}})
	if err != nil {
		t.Fatal(err)
	}
	b.held()
	for {
		var changes []edits.Change
		select {
		case changes = <-told:
		case <-deadline(t).Done():
			t.Fatal("nobody is told of the edit")
		}
		if len(changes) == 0 { // the first edit alone is none: its file was not shown
			continue
		}
		if len(changes) != 1 || changes[0].Path != "a.py" || changes[0].After != "x = 2\n" || changes[0].Before != "x = 1\n" {
			t.Fatalf("drafted %+v", changes)
		}
		break
	}
	b.server.Release()
	r, err := b.session.Turns.Wait(deadline(t), started.Turn)
	if err != nil || r.Proposal == nil {
		t.Fatalf("%+v, %v", r, err)
	}
	n := len(told)
	if _, ok := r.Proposal.File("new.py"); !ok {
		t.Errorf("proposed %+v", r.Proposal.Files)
	}
	if len(told) != n {
		t.Error("a draft came after the end")
	}
}
