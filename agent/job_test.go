package agent_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/edits"
)

// job is a request that a function leads.
func job(lead func(ctx context.Context, w *agent.JobContext) error) agent.Request {
	return agent.Request{Instruction: "Make it.", Job: &agent.Job{Name: "test", Edits: true, Run: lead}}
}

func asks(text string) agent.ModelRequest {
	return agent.ModelRequest{Messages: []llm.Message{llm.Text(llm.RoleUser, text)}, Format: "files"}
}

// What the calls of a job change adds up to one proposal, with the events of any turn; a later turn goes on with it.
func TestAJobLeadsATurn(t *testing.T) {
	b := newBench(t, replies("One.\n\na.py\n```\nx = 1\n```", "b.py\n```\ny = 1\n```", "a.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```"), nil)
	r, events := b.run(job(func(ctx context.Context, w *agent.JobContext) error {
		for _, text := range []string{"first", "second"} {
			w.Step("Asking for the "+text, 0, 0)
			called, err := w.Call(ctx, asks(text))
			if err != nil || len(called.Changed) != 1 || called.Usage.Prompt == 0 {
				t.Errorf("%+v, %v", called, err)
			}
		}
		w.Lay([]edits.Change{{Path: "c.txt", Op: edits.OpCreate, After: "z\n"}})
		return nil
	}))
	b.checkEvents(events, r)
	if r.State != event.TurnProposed || len(r.Proposal.Files) != 3 || !strings.HasPrefix(r.Answer, "One.") {
		t.Fatalf("%s %v %+v", r.State, r.Err, r.Proposal)
	}
	after, _ := b.run(agent.Request{Instruction: "Make x two.", FollowUp: r.Turn})
	if after.State != event.TurnProposed || len(after.Proposal.Files) != 3 {
		t.Errorf("%s %v %+v", after.State, after.Err, after.Proposal)
	}
}

// What a job made before it failed is proposed, with the reason as a warning; without anything the turn fails.
func TestAJobThatFails(t *testing.T) {
	broken := agent.Problem("Try again.", "It broke.")
	b := newBench(t, replies("a.py\n```\nx = 1\n```"), nil)
	r, events := b.run(job(func(ctx context.Context, w *agent.JobContext) error {
		_, err := w.Call(ctx, asks("first"))
		return errors.Join(err, broken)
	}))
	b.checkEvents(events, r)
	if r.State != event.TurnProposed || len(r.Proposal.Warnings) != 1 || !strings.HasPrefix(r.Proposal.Warnings[0], "It broke.") {
		t.Errorf("%s %v %+v", r.State, r.Err, r.Proposal)
	}
	r, events = b.run(job(func(context.Context, *agent.JobContext) error { return broken }))
	b.checkEvents(events, r)
	if r.State != event.TurnFailed || !agent.IsProblem(r.Err) || r.Err.Error() != "It broke. Try again." {
		t.Errorf("%s %v", r.State, r.Err)
	}
}

// A cancelled job ends its turn, and the call that it waits for.
func TestAJobIsCancelled(t *testing.T) {
	b := newBench(t, held("a.py\n```\nx = 1\n```\n"), nil)
	started, rec := b.start(job(func(ctx context.Context, w *agent.JobContext) error {
		_, err := w.Call(ctx, asks("first"))
		return err
	}))
	b.held()
	b.session.Turns.Cancel(started.Turn)
	r := b.wait(started.Turn)
	b.checkEvents(rec.list(), r)
	if r.State != event.TurnCancelled || r.Proposal != nil {
		t.Errorf("%s %v", r.State, r.Err)
	}
}

// A file that the model was not shown is not changed, unless its reply gives all of it and the job says that this will do.
func TestAJobReplacesWhatItSaysItMay(t *testing.T) {
	for _, replaces := range []bool{false, true} {
		b := newBench(t, replies("a.py\n```\nx = 1\n```"), map[string]string{"a.py": "old\n"})
		r, _ := b.run(job(func(ctx context.Context, w *agent.JobContext) error {
			a := asks("first")
			a.Replaces = replaces
			called, err := w.Call(ctx, a)
			w.Refused = called.Failures
			return err
		}))
		if (r.State == event.TurnProposed) != replaces {
			t.Errorf("%v: %s %v %v", replaces, r.State, r.Err, r.Failures)
		}
	}
}

// A job is asked for consent to a text once; a no is asked about again.
func TestAJobAsksOnce(t *testing.T) {
	b := newBench(t, replies("never asked"), nil)
	b.answers = []string{"skip", "run"}
	r, _ := b.run(job(func(context.Context, *agent.JobContext) error { return nil }))
	for _, want := range []bool{false, true, true} {
		r, _ = b.run(job(func(_ context.Context, w *agent.JobContext) error {
			yes, err := w.Allow("echo", event.Question{Text: "Run echo?", Choices: []string{"run", "skip"}})
			if yes != want {
				t.Errorf("allowed: %v, want %v", yes, want)
			}
			return err
		}))
	}
	if r.State != event.TurnAnswered || len(b.asked) != 2 || b.asked[0].Default != "skip" {
		t.Errorf("%s, asked %+v", r.State, b.asked)
	}
}
