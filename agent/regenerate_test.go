package agent_test

import (
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
)

// edit is a reply that changes a line of a.py.
func editOf(from, to string) string {
	return "I say " + to + ".\n\na.py\n```\n<<<<<<< SEARCH\n" + from + "\n=======\n" + to + "\n>>>>>>> REPLACE\n```\n"
}

// regenerate sends the last request again.
func (b *bench) regenerate(model string) agent.Result {
	b.t.Helper()
	r, err := b.session.Again(b.t.Context(), model)
	if err != nil {
		b.t.Fatal(err)
	}
	result, _ := b.run(r)
	return result
}

// What is sent again is the request as it was, on what the user has now: its change is the next revision of the one that
// waits, and takes the first answer's place in the conversation.
func TestRegenerate(t *testing.T) {
	b := newBench(t, replies(editOf("x = 1", "x = 2"), editOf("x = 1", "x = 3"), editOf("x = 3", "x = 4"), editOf("x = 3", "x = 5")), map[string]string{"a.py": "x = 1\n", "b.py": "y\n"})
	if _, err := b.session.Again(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "no request to send again") {
		t.Errorf("before the first: %v", err)
	}
	first, _ := b.run(agent.Request{Instruction: "Change x.", Files: []string{"a.py"}})
	if !b.session.Turns.Regenerable(*first.Proposal) {
		t.Error("it can be regenerated")
	}
	second := b.regenerate("")
	if second.Proposal.ID != first.Proposal.ID || second.Proposal.Revision != 2 || second.Proposal.Files[0].Change.After != "x = 3\n" {
		t.Fatalf("%+v", second.Proposal)
	}
	sent := shownRequest(b.server.Requests()[1])
	if !strings.Contains(sent, "Change x.") || strings.Contains(sent, "x = 2") || strings.Contains(sent, "not applied yet") {
		t.Errorf("the model was sent\n%s", sent)
	}
	if list := b.session.Conversation.History.Done(); len(list) != 1 || !strings.Contains(list[0].Reply, "x = 3") || list[0].User != "Change x." || list[0].Number != 1 {
		t.Errorf("the conversation is %+v", list)
	}
	third, _ := b.run(agent.Request{Instruction: "One more.", FollowUp: second.Turn})
	if third.Proposal.Revision != 3 || third.Proposal.Files[0].Change.After != "x = 4\n" {
		t.Fatalf("%+v", third.Proposal)
	}
	fourth := b.regenerate("")
	if p := fourth.Proposal; p.ID != first.Proposal.ID || p.Revision != 4 || p.Files[0].Change.Before != "x = 1\n" || p.Files[0].Change.After != "x = 5\n" {
		t.Fatalf("a follow-up goes on from where it did: %+v", p)
	}
	sent = shownRequest(b.server.Requests()[3])
	if !strings.Contains(sent, "x = 3") || strings.Contains(sent, "x = 4") || !strings.Contains(sent, "One more.") {
		t.Errorf("the model was sent\n%s", sent)
	}
	if list := b.session.Conversation.History.Done(); len(list) != 2 || list[1].User != "One more." || !strings.Contains(list[1].Reply, "x = 5") {
		t.Errorf("the conversation is %+v", list)
	}
}

// Another model can be asked; a failed or a stopped attempt takes nothing away, and what cannot be sent again is said.
func TestRegenerateOtherwise(t *testing.T) {
	b := newBench(t, "-- 1.md --\nAn answer.\n-- 2.md --\n"+editOf("x = 1", "x = 2")+"-- 3.yaml --\nstatus: 401\n-- 3.md --\nbad key\n-- 4.md --\n"+editOf("x = 1", "x = 3")+"-- 5.md --\nAnother answer.\n", map[string]string{"a.py": "x = 1\n"})
	b.run(agent.Request{Instruction: "What is it?", Coder: "ask"})
	if answer, err := b.command("/regenerate other"); err != nil || answer.Then == nil || answer.Then.Model != "other" || answer.Then.Coder != "ask" || answer.Then.Instruction != "What is it?" {
		t.Errorf("%+v, %v", answer.Then, err)
	}
	first, _ := b.run(agent.Request{Instruction: "Change x.", Files: []string{"a.py"}})
	if failed := b.regenerate(""); failed.State != event.TurnFailed {
		t.Fatalf("%+v", failed)
	}
	if list := b.session.Conversation.History.Done(); len(list) != 2 || !strings.Contains(list[1].Reply, "x = 2") {
		t.Errorf("a failure took something away: %+v", list)
	}
	if p, ok := b.session.Proposals.Get(first.Proposal.ID); !ok || !p.Pending() || p.Revision != 1 {
		t.Errorf("%+v", p)
	}
	// The failed attempt is the last request now; what it was to replace is still known.
	again := b.regenerate("")
	if again.Proposal == nil || again.Proposal.ID != first.Proposal.ID || again.Proposal.Revision != 2 {
		t.Fatalf("%+v", again)
	}
	if list := b.session.Conversation.History.Done(); len(list) != 2 || !strings.Contains(list[1].Reply, "x = 3") {
		t.Errorf("the conversation is %+v", list)
	}
	b.session.Proposals.MarkShown(again.Proposal.ID, 2)
	if _, err := b.session.Proposals.Discard(proposal.Selector{Proposal: again.Proposal.ID}); err != nil {
		t.Fatal(err)
	}
	if last := b.regenerate(""); last.State != event.TurnAnswered || last.Proposal != nil || last.Answer != "Another answer." {
		t.Errorf("%+v", last)
	}
	if r, err := b.session.Again(t.Context(), ""); err != nil || r.Instruction != "Change x." {
		t.Errorf("%+v, %v", r, err)
	}
}
