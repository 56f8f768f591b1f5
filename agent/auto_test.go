package agent_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/model"
	"coauthor/agent/settings"
)

// put is a block that puts a line to a file in the place of another; say is what stands behind it.
func put(path, old, text, say string) string {
	return path + "\n```\n<<<<<<< SEARCH\n" + old + "\n=======\n" + text + "\n>>>>>>> REPLACE\n```\n" + say + "\n"
}

// The coder auto goes on until the model says that it is done; all rounds are one proposal.
func TestAutoGoesOnUntilItIsDone(t *testing.T) {
	one, two := put("a.py", "x = 1", "x = 2", "\nNEXT: rename y in b.py"), put("b.py", "y = 1", "z = 1", "\nDONE")
	for what, c := range map[string]struct {
		replies []string
		calls   int
		files   int
		told    string
	}{
		"in two rounds":                   {[]string{one, two}, 2, 2, "Step 2: rename y in b.py"},
		"at once":                         {[]string{put("a.py", "x = 1", "x = 2", "\nDONE"), two}, 1, 1, ""},
		"an answer":                       {[]string{"It is two already.", two}, 1, 0, ""},
		"an edit without a word on it":    {[]string{put("a.py", "x = 1", "x = 2", ""), "DONE"}, 2, 1, "Step 2"},
		"and then an answer":              {[]string{put("a.py", "x = 1", "x = 2", ""), "That is all."}, 2, 1, "Step 2"},
		"after a refused edit":            {[]string{put("a.py", "x = 7", "x = 2", "\nDONE"), put("a.py", "x = 1", "x = 2", "\nDONE")}, 2, 1, "1 edit did not match"},
		"two rounds that change nothing":  {[]string{one, "NEXT: think", "NEXT: think more", "NEXT: think again"}, 3, 1, "made no changes"},
		"plans without any edit":          {[]string{"NEXT: think", "NEXT: think more", "NEXT: think again"}, 2, 0, "made no changes"},
		"round in a circle":               {circle(12), 5, 1, "changes repeat"},
		"more rounds than allowed":        {grow(12), 8, 1, "auto.rounds"},
		"a failure after the first round": {[]string{one, ""}, 2, 1, "incomplete"},
	} {
		b := newBench(t, replies(c.replies...), map[string]string{"a.py": "x = 1\n", "b.py": "y = 1\n"})
		b.settings.Auto.Rounds = 8
		r, events := b.run(agent.Request{Instruction: "Make x two and rename y.", Coder: "auto", Files: []string{"a.py", "b.py"}})
		b.checkEvents(events, r)
		if got := len(b.server.Requests()); got != c.calls {
			t.Errorf("%s: %d calls, want %d", what, got, c.calls)
		}
		files := 0
		if r.Proposal != nil {
			files = len(r.Proposal.Files)
		}
		if files != c.files || len(b.session.Proposals.Pending()) != min(1, c.files) || (r.State == event.TurnProposed) != (c.files > 0) {
			t.Errorf("%s: %s with %d files, %v", what, r.State, files, r.Err)
		}
		rounds := slices.ContainsFunc(events, func(e event.Event) bool { return e.Kind == event.KindRound && strings.Contains(e.Text, c.told) })
		if c.told != "" && !rounds && !told(events, c.told) {
			t.Errorf("%s: the user is not told %q", what, c.told)
		}
	}
	// The second round sees what the first has changed, and what was said.
	b := newBench(t, replies(one, two), map[string]string{"a.py": "x = 1\n", "b.py": "y = 1\n"})
	b.run(agent.Request{Instruction: "Make x two and rename y.", Coder: "auto", Files: []string{"a.py", "b.py"}})
	sent := shownRequest(b.server.Requests()[1])
	for _, want := range []string{"x = 2", "Make x two and rename y.", "NEXT: rename y in b.py", "Go on: rename y in b.py"} {
		if !strings.Contains(sent, want) {
			t.Errorf("the second round is not sent %q:\n%s", want, sent)
		}
	}
}

// circle changes x there and back; grow adds a line each time.
func circle(n int) (list []string) {
	for i := range n {
		list = append(list, put("a.py", fmt.Sprintf("x = %d", 1+i%2), fmt.Sprintf("x = %d", 2-i%2), "\nNEXT: the other way"))
	}
	return list
}

func grow(n int) (list []string) {
	for i := range n {
		list = append(list, put("a.py", fmt.Sprintf("x = %d", 1+i), fmt.Sprintf("x = %d", 2+i), "\nNEXT: more"))
	}
	return list
}

// Each limit ends the turn after the round in which it is reached, with what is there.
func TestAutoKeepsItsLimits(t *testing.T) {
	cost := 0.01
	for what, limit := range map[string]settings.Auto{
		"auto.rounds": {Rounds: 3}, "auto.time": {Time: time.Minute}, "auto.cost": {Cost: &cost},
	} {
		b := newBench(t, replies(grow(6)...), map[string]string{"a.py": "x = 1\n"})
		b.settings.Auto = limit
		b.user.Price = &model.Price{In: 1000}
		b.engine.Close()
		o := b.options("")
		now := time.Unix(0, 0)
		o.Clock = func() time.Time { now = now.Add(7 * time.Second); return now }
		b.engine = agent.NewEngine(o)
		b.session = b.engine.Session(b.ws)
		r, events := b.run(agent.Request{Instruction: "Count.", Coder: "auto", Files: []string{"a.py"}})
		if calls := len(b.server.Requests()); r.State != event.TurnProposed || calls == 6 || what == "auto.rounds" && calls != 3 || !told(events, what) {
			t.Errorf("%s: %s after %d calls, %v", what, r.State, calls, r.Err)
		}
	}
}
