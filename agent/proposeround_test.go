package agent_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
)

// newRounds is a bench whose turns of auto propose after each round.
func newRounds(t *testing.T, script string) *bench {
	b := newBench(t, script, map[string]string{"a.py": "x = 1\ny = 1\nz = 1\n", "b.py": "y = 1\n"})
	b.settings.Stepwise = true
	return b
}

// inRounds asks for a turn of auto.
func inRounds(files ...string) agent.Request {
	return agent.Request{Instruction: "Count.", Coder: "auto", Files: files}
}

// texts are what proposals make of a file, "" where they leave it.
func texts(list []proposal.Proposal, path string) (all []string) {
	for _, p := range list {
		after := ""
		if f, ok := p.File(path); ok {
			after = f.Change.After
		}
		all = append(all, after)
	}
	return all
}

// TestAutoProposesAfterEachRound: each round that changed something makes a proposal of its own, of just that.
func TestAutoProposesAfterEachRound(t *testing.T) {
	one, two := put("a.py", "x = 1", "x = 2", "\nNEXT: more"), put("a.py", "x = 2", "x = 3", "\nDONE")
	for what, c := range map[string]struct {
		replies []string
		rounds  []int    // numbers of the rounds that propose
		a, b    []string // what they make of the two files
		state   event.State
		told    string // in the last event
	}{
		"two rounds":                  {[]string{one, two}, []int{1, 2}, []string{"x = 2\ny = 1\nz = 1\n", "x = 3\ny = 1\nz = 1\n"}, []string{"", ""}, event.TurnProposed, "2 changes, one per step; the last: 1 file changed, +1 -1"},
		"another file":                {[]string{one, put("b.py", "y = 1", "y = 2", "\nDONE")}, []int{1, 2}, []string{"x = 2\ny = 1\nz = 1\n", ""}, []string{"", "y = 2\n"}, event.TurnProposed, "2 changes"},
		"one round":                   {[]string{put("a.py", "x = 1", "x = 2", "\nDONE")}, []int{1}, []string{"x = 2\ny = 1\nz = 1\n"}, []string{""}, event.TurnProposed, "1 file changed, +1 -1"},
		"the last changes nothing":    {[]string{one, "DONE"}, []int{1}, []string{"x = 2\ny = 1\nz = 1\n"}, []string{""}, event.TurnProposed, "1 file changed, +1 -1"},
		"the first changes nothing":   {[]string{"NEXT: x", put("a.py", "x = 1", "x = 2", "\nDONE")}, []int{2}, []string{"x = 2\ny = 1\nz = 1\n"}, []string{""}, event.TurnProposed, "1 file changed, +1 -1"},
		"a reflection is no round":    {[]string{put("a.py", "x = 7", "x = 2", "\nNEXT: more"), put("a.py", "x = 1", "x = 2", "\nNEXT: more"), two}, []int{1, 2}, []string{"x = 2\ny = 1\nz = 1\n", "x = 3\ny = 1\nz = 1\n"}, []string{"", ""}, event.TurnProposed, "2 changes"},
		"there and back":              {[]string{one, put("a.py", "x = 2", "x = 1", "\nDONE")}, []int{1, 2}, []string{"x = 2\ny = 1\nz = 1\n", "x = 1\ny = 1\nz = 1\n"}, []string{"", ""}, event.TurnProposed, "2 changes"},
		"nothing at all":              {[]string{"It is so already."}, nil, nil, nil, event.TurnAnswered, ""},
		"all refused":                 {[]string{put("a.py", "x = 7", "x = 2", "\nDONE"), put("a.py", "x = 7", "x = 2", "\nDONE"), put("a.py", "x = 7", "x = 2", "\nDONE"), put("a.py", "x = 7", "x = 2", "\nDONE")}, nil, nil, nil, event.TurnFailed, "could not be applied"},
		"the second fails":            {[]string{one, ""}, []int{1}, []string{"x = 2\ny = 1\nz = 1\n"}, []string{""}, event.TurnProposed, "1 file changed, +1 -1"},
		"a new file, changed at once": {[]string{put("c.py", "", "c = 1", "\nNEXT: c"), put("c.py", "c = 1", "c = 2", "\nDONE")}, []int{1, 2}, []string{"", ""}, []string{"", ""}, event.TurnProposed, "2 changes"},
		"three rounds":                {[]string{one, put("a.py", "y = 1", "y = 2", "\nNEXT: z"), put("a.py", "z = 1", "z = 2", "\nDONE")}, []int{1, 2, 3}, []string{"x = 2\ny = 1\nz = 1\n", "x = 2\ny = 2\nz = 1\n", "x = 2\ny = 2\nz = 2\n"}, []string{"", "", ""}, event.TurnProposed, "3 changes"},
	} {
		b := newRounds(t, replies(c.replies...))
		b.settings.Auto.Rounds = 8
		r, events := b.run(inRounds("a.py", "b.py"))
		var rounds []int
		for _, p := range r.Proposals {
			rounds = append(rounds, proposal.RoundOf(p.Turn))
			if proposal.TurnOf(p.Turn) != r.Turn || !strings.HasPrefix(p.Label, "Step ") || !p.Pending() {
				t.Errorf("%s: %+v", what, p)
			}
		}
		if r.State != c.state || !slices.Equal(rounds, c.rounds) {
			t.Errorf("%s: %s, rounds %v, %v", what, r.State, rounds, r.Err)
			continue
		}
		if got := texts(r.Proposals, "a.py"); !slices.Equal(got, c.a) {
			t.Errorf("%s: a.py becomes %q", what, got)
		}
		if got := texts(r.Proposals, "b.py"); !slices.Equal(got, c.b) {
			t.Errorf("%s: b.py becomes %q", what, got)
		}
		if r.Proposal != nil && r.Proposal.ID != r.Proposals[len(r.Proposals)-1].ID || (r.Proposal == nil) != (len(rounds) == 0) {
			t.Errorf("%s: the last is %+v", what, r.Proposal)
		}
		if end := events[len(events)-1].Ended; !strings.Contains(end.Message, c.told) {
			t.Errorf("%s: ended with %q", what, end.Message)
		}
		var seen []int // each round's proposal is told when the round has ended, and with its number
		for _, e := range events {
			if e.Kind == event.KindProposal {
				seen = append(seen, e.Proposal.Round)
			}
		}
		if !slices.Equal(seen, c.rounds) {
			t.Errorf("%s: told of the rounds %v", what, seen)
		}
	}
	// At the end is the default: one proposal, under the name of the turn.
	b := newBench(t, replies(one, two), map[string]string{"a.py": "x = 1\n"})
	r, _ := b.run(inRounds("a.py"))
	if len(r.Proposals) != 1 || r.Proposals[0].Turn != r.Turn || r.Proposals[0].Files[0].Change.After != "x = 3\n" {
		t.Errorf("%+v", r.Proposals)
	}
	// The second round is proposed before the third is asked, and the model sees all of them.
	b = newRounds(t, replies(one, put("a.py", "x = 2", "x = 3", "\nNEXT: more"), "DONE"))
	if b.run(inRounds("a.py")); !strings.Contains(shownRequest(b.server.Requests()[2]), "x = 3") {
		t.Error("the third round does not see what the second made")
	}
}

// TestRoundsAreDecidedInOrder: a round's change is brought into what is there; where an earlier one is not, it is
// refused and says why. Undo by the turn's own id takes back the last one.
func TestRoundsAreDecidedInOrder(t *testing.T) {
	overlapping := []string{put("a.py", "x = 1", "x = 2", "\nNEXT: more"), put("a.py", "x = 2", "x = 3", "\nDONE")}
	apart := []string{put("a.py", "x = 1", "x = 2", "\nNEXT: more"), put("a.py", "z = 1", "z = 2", "\nDONE")}
	for what, c := range map[string]struct {
		replies []string
		first   string // what is done about the first round
		status  proposal.Status
		reason  string
		is      string // a.py at last
	}{
		"both applied":                  {overlapping, "apply", proposal.StatusApplied, "", "x = 3\ny = 1\nz = 1\n"},
		"the first discarded":           {overlapping, "discard", proposal.StatusConflict, "it builds on step 1, which was discarded: ", "x = 1\ny = 1\nz = 1\n"},
		"the first waits":               {overlapping, "", proposal.StatusConflict, "it builds on step 1, which is not applied yet: ", "x = 1\ny = 1\nz = 1\n"},
		"the first undone":              {overlapping, "undo", proposal.StatusConflict, "it builds on step 1, which was undone: ", "x = 1\ny = 1\nz = 1\n"},
		"it stands by itself":           {apart, "discard", proposal.StatusApplied, "", "x = 1\ny = 1\nz = 2\n"},
		"the user typed something else": {overlapping, "type", proposal.StatusConflict, "", "x = 9\ny = 1\nz = 1\n"},
	} {
		b := newRounds(t, replies(c.replies...))
		r, _ := b.run(inRounds("a.py"))
		store, port := b.session.Proposals, editorDelivery{b}
		if len(r.Proposals) != 2 {
			t.Fatalf("%s: %d proposals, %v", what, len(r.Proposals), r.Err)
		}
		sel := func(i int) proposal.Selector { return proposal.Selector{Proposal: r.Proposals[i].ID, Revision: 1} }
		ctx := context.Background()
		var err error
		switch c.first {
		case "apply", "undo", "type":
			if _, err = store.Apply(ctx, sel(0), port); err == nil && c.first == "undo" {
				_, err = store.Undo(ctx, r.Turn, port)
			}
		case "discard":
			_, err = store.Discard(sel(0))
		}
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if c.first == "type" {
			b.put("a.py", "x = 9\ny = 1\nz = 1\n")
		}
		out, err := store.Apply(ctx, sel(1), port)
		if err != nil || out.Status != c.status || !strings.HasPrefix(out.Reason, c.reason) {
			t.Errorf("%s: %s, %q, %v", what, out.Status, out.Reason, err)
		}
		if got := b.disk("a.py"); got != c.is {
			t.Errorf("%s: a.py is %q", what, got)
		}
		if c.status != proposal.StatusApplied || c.first != "apply" {
			continue
		}
		for _, want := range []string{"x = 2\ny = 1\nz = 1\n", "x = 1\ny = 1\nz = 1\n"} {
			if _, err := store.Undo(ctx, r.Turn, port); err != nil || b.disk("a.py") != want {
				t.Errorf("%s: undone, a.py is %q, %v", what, b.disk("a.py"), err)
			}
		}
		if _, err := store.Redo(ctx, r.Turn, port); err != nil || b.disk("a.py") != "x = 2\ny = 1\nz = 1\n" {
			t.Errorf("%s: redone, a.py is %q, %v", what, b.disk("a.py"), err)
		}
	}
}

// TestARejectedRoundEndsTheWork: who discards the change of a round while the turn goes on ends it after the round
// that runs, whose change says what it builds upon.
func TestARejectedRoundEndsTheWork(t *testing.T) {
	one := put("a.py", "x = 1", "x = 2", "\nNEXT: more")
	for what, c := range map[string]struct {
		second   string
		rejects  int // the round whose change is discarded, while the one after it runs
		calls    int
		proposed int
		warned   string
	}{
		"the running round changes something": {put("a.py", "z = 1", "z = 2", "\nNEXT: more"), 1, 2, 2, "The change builds on step 1, which you have discarded"},
		"it changes nothing":                  {"NEXT: think", 1, 2, 1, ""},
		"it is refused":                       {put("a.py", "no = 1", "z = 2", "\nNEXT: more"), 1, 2, 1, ""},
		"nothing is discarded":                {put("a.py", "z = 1", "z = 2", "\nNEXT: more"), 0, 3, 2, ""},
	} {
		b := newRounds(t, replies(one, c.second, "DONE")+"-- 2.yaml --\nhold-first: true\n")
		b.settings.Auto.Rounds = 8
		started, rec := b.start(inRounds("a.py"))
		b.held()
		if c.rejects > 0 {
			if _, err := b.session.Proposals.Discard(proposal.Selector{Proposal: b.session.Proposals.Pending()[0].ID, Revision: 1}); err != nil {
				t.Error(err)
			}
		}
		b.server.Release()
		r := b.wait(started.Turn)
		events := rec.list()
		if calls := len(b.server.Requests()); calls != c.calls || len(r.Proposals) != c.proposed || r.State != event.TurnProposed {
			t.Errorf("%s: %d calls, %d proposals, %s, %v", what, calls, len(r.Proposals), r.State, r.Err)
			continue
		}
		last := r.Proposals[len(r.Proposals)-1]
		if warned := strings.Join(last.Warnings, " "); c.warned == "" && warned != "" || !strings.Contains(warned, c.warned) {
			t.Errorf("%s: the last change is warned of with %q", what, warned)
		}
		if told(events, "discarded or undid") != (c.rejects > 0) {
			t.Errorf("%s: the user is told %q", what, notes(events))
		}
	}
}

// TestEarlierRoundsOutliveAStop: what rounds have proposed stays when a later one is stopped or fails, and the end
// says so.
func TestEarlierRoundsOutliveAStop(t *testing.T) {
	one := "-- 1.md --\n" + put("a.py", "x = 1", "x = 2", "\nNEXT: more")
	b := newRounds(t, one+"-- 2.md --\n"+put("a.py", "x = 2", "x = 3", "\nDONE")+"-- 2.yaml --\nhold: true\n")
	started, rec := b.start(inRounds("a.py"))
	b.held()
	b.session.Turns.Cancel(started.Turn + ".1") // by any of its names
	r := b.wait(started.Turn)
	events := rec.list()
	if r.State != event.TurnCancelled || len(r.Proposals) != 1 || len(b.session.Proposals.Pending()) != 1 {
		t.Errorf("stopped: %s with %d proposals, %d pending", r.State, len(r.Proposals), len(b.session.Proposals.Pending()))
	}
	if end := events[len(events)-1].Ended; end.Message != "Stopped. The changes from earlier steps stay." {
		t.Errorf("stopped: it ends with %q", end.Message)
	}
	b = newRounds(t, one+"-- 2.md --\nNo such model.\n-- 2.yaml --\nstatus: 404\n")
	r, events = b.run(inRounds("a.py"))
	if r.State != event.TurnProposed || len(r.Proposals) != 1 || len(b.session.Proposals.Pending()) != 1 || !told(events, "may be incomplete") {
		t.Errorf("failed: %s with %d proposals, told %q, %v", r.State, len(r.Proposals), notes(events), r.Err)
	}
}

// TestAFollowUpGoesOnWithRounds: who goes on with a turn whose rounds wait sees the files with all of them, and
// amends the change of the last.
func TestAFollowUpGoesOnWithRounds(t *testing.T) {
	b := newRounds(t, replies(put("a.py", "x = 1", "x = 2", "\nNEXT: more"), put("a.py", "z = 1", "z = 2", "\nDONE"), put("a.py", "z = 2", "z = 3", "\nDONE")))
	r, _ := b.run(inRounds("a.py"))
	next, _ := b.run(agent.Request{Instruction: "Make z three.", FollowUp: r.Proposals[1].Turn})
	if next.State != event.TurnProposed || len(next.Proposals) != 1 || next.Proposals[0].ID != r.Proposals[1].ID || next.Proposals[0].Revision != 2 {
		t.Fatalf("%s, %+v, %v", next.State, next.Proposals, next.Err)
	}
	if c := next.Proposals[0].Files[0].Change; c.Before != "x = 2\ny = 1\nz = 1\n" || c.After != "x = 2\ny = 1\nz = 3\n" {
		t.Errorf("it is %+v", c)
	}
	if first := b.session.Proposals.Pending(); len(first) != 2 || first[0].ID != r.Proposals[0].ID || first[0].Revision != 1 {
		t.Errorf("pending are %+v", first)
	}
	// Both names find the turn, for whoever waits for it or goes on with it.
	if _, err := b.session.Turns.Wait(t.Context(), r.Proposals[0].Turn); err != nil {
		t.Error(err)
	}
}
