package agent_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/edits/editstest"
	"coauthor/edits/formats"
)

func keys(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "key%d: value%d\n", i, i)
	}
	return b.String()
}

const (
	didNotConfirm = " When asked, the model did not confirm this."
	confirmed     = " When asked, the model confirmed this."
	sentAgain     = " When asked, the model sent a different edit."
)

// TestTheGuardAsksOnce: in every format the model is asked once about what takes most of a file away, sees the file as it
// was meanwhile, and whatever it answers, the user is warned of what is lost in the end.
func TestTheGuardAsksOnce(t *testing.T) {
	before, bad, good := keys(1, 300), "key7: value7\n", strings.Replace(keys(1, 300), "value7\n", "other\n", 1)
	const says = "This removes 299 of 300 lines of app.yaml."
	for _, f := range formats.All() {
		first, better := editstest.Rewrite(f.Name, "app.yaml", before, bad), editstest.Rewrite(f.Name, "app.yaml", before, good)
		for name, c := range map[string]struct {
			second string // of the model; "" for none
			after  string
			warns  []string
			most   int // reflections
		}{
			"sent whole":          {better, good, nil, 3},
			"sent again":          {first, bad, []string{says + sentAgain}, 3},
			"confirmed":           {"That is right.\nCONFIRM app.yaml\n", bad, []string{says + confirmed}, 3},
			"of another file":     {"CONFIRM b.yaml\n", bad, []string{says + didNotConfirm}, 3},
			"in other words":      {"Yes, I confirm that all of app.yaml may go.\n", bad, []string{says + didNotConfirm}, 3},
			"nobody can be asked": {"", bad, []string{says}, 0},
		} {
			if f.Name == "func" && strings.Contains(c.second, "onfirm") {
				continue // a forced call has no text beside it
			}
			t.Run(f.Name+"/"+name, func(t *testing.T) {
				script := []string{first}
				if c.second != "" {
					script = append(script, c.second)
				}
				b := newBench(t, replies(script...), map[string]string{"app.yaml": before})
				b.settings.MaxReflections = c.most
				r, events := b.run(agent.Request{Instruction: "Change key 7.", Files: []string{"app.yaml"}, Format: f.Name})
				b.checkEvents(events, r)
				if r.State != event.TurnProposed || len(r.Proposal.Files) != 1 || len(r.Failures) > 0 {
					t.Fatalf("%+v", r)
				}
				if got := r.Proposal.Files[0].Change.After; got != c.after {
					t.Errorf("the proposal has %q", got)
				}
				if !slices.Equal(r.Proposal.Warnings, c.warns) {
					t.Errorf("it warns of %q", r.Proposal.Warnings)
				}
				requests := b.server.Requests()
				if len(requests) != len(script) {
					t.Fatalf("%d requests", len(requests))
				}
				if c.second != "" {
					if asked := shownRequest(requests[1]); !strings.Contains(asked, "was not applied: it removes 299 of 300 lines of app.yaml") ||
						strings.Count(asked, "key300: value300") < 1 || strings.Contains(asked, "already hold") {
						t.Errorf("it is asked\n%s", asked)
					}
				}
			})
		}
	}
}

// TestTheGuardCountsOverRounds: what no reply does alone, several do.
func TestTheGuardCountsOverRounds(t *testing.T) {
	block := func(from, to int) string { return editstest.Rewrite("diff", "app.yaml", keys(from, to), "") }
	b := newBench(t, replies(block(1, 80)+"\n"+noSuchX, block(81, 160), "CONFIRM app.yaml"), map[string]string{"app.yaml": keys(1, 200), "a.py": "x = 1\n"})
	r, _ := b.run(agent.Request{Instruction: "Shorten it.", Files: []string{"app.yaml", "a.py"}})
	if r.State != event.TurnProposed || !slices.Equal(r.Proposal.Warnings, []string{"This removes 160 of 200 lines of app.yaml." + confirmed}) {
		t.Fatalf("%+v", r)
	}
	if got := r.Proposal.Files[0].Change.After; got != keys(161, 200) {
		t.Errorf("the proposal has %q", got)
	}
	if asked := shownRequest(b.server.Requests()[2]); !strings.Contains(asked, "was not applied: it removes 160 of 200 lines of app.yaml") || !strings.Contains(asked, "key81: value81") {
		t.Errorf("it is asked\n%s", asked)
	}
}

// TestTheGuardShowsWhatIsDeleted: the model is not asked about a file that it deletes by name.
func TestTheGuardShowsWhatIsDeleted(t *testing.T) {
	const deletes = "*** Begin Patch\n*** Delete File: app.yaml\n*** End Patch\n"
	for _, given := range []string{"", deletes} {
		b := newBench(t, replies(deletes), map[string]string{"app.yaml": keys(1, 20)})
		r, _ := b.run(agent.Request{Instruction: "Delete it.", Files: []string{"app.yaml"}, Format: "patch", Given: given})
		want := []string{"This deletes app.yaml, which has 20 lines."}
		if given != "" { // the user has brought it along
			want = nil
		}
		if r.State != event.TurnProposed || !slices.Equal(r.Proposal.Warnings, want) {
			t.Errorf("given %q: %+v", given, r.Proposal)
		}
	}
}

// TestTheGuardAndAnotherFile: what moved is no loss, and an answer about one file is none about the other.
func TestTheGuardAndAnotherFile(t *testing.T) {
	list := func(path, text string) string { return editstest.Rewrite("whole", path, "", text) }
	files := map[string]string{"a.yaml": keys(1, 40), "b.yaml": keys(101, 140)}
	for name, c := range map[string]struct {
		replies []string
		warns   []string
	}{
		"moved":       {[]string{list("a.yaml", keys(1, 2)) + list("c.yaml", keys(3, 40))}, nil},
		"both":        {[]string{list("a.yaml", "x\n") + list("b.yaml", "y\n"), "CONFIRM b.yaml\n" + list("a.yaml", keys(1, 39)+"x\n")}, []string{"This removes 40 of 40 lines of b.yaml and adds 1." + confirmed}},
		"one, twice":  {[]string{list("a.yaml", "x\n") + list("b.yaml", keys(101, 139)), list("a.yaml", "z\n")}, []string{"This removes 40 of 40 lines of a.yaml and adds 1." + sentAgain}},
		"other first": {[]string{list("a.yaml", keys(1, 39)), "CONFIRM a.yaml\n"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, replies(c.replies...), files)
			r, _ := b.run(agent.Request{Instruction: "Change them.", Files: []string{"a.yaml", "b.yaml"}, Format: "whole"})
			if r.State != event.TurnProposed || !slices.Equal(r.Proposal.Warnings, c.warns) {
				t.Fatalf("%+v", r)
			}
		})
	}
}

// TestTheGuardWhereTheQuestionFails: what the model was asked about stays, with the warning, where no answer came.
func TestTheGuardWhereTheQuestionFails(t *testing.T) {
	b := newBench(t, replies(editstest.Rewrite("whole", "a.yaml", "", "x\n"))+"-- 2.yaml --\nstatus: 400\n-- 2.md --\noops\n", map[string]string{"a.yaml": keys(1, 40)})
	r, _ := b.run(agent.Request{Instruction: "Change it.", Files: []string{"a.yaml"}, Format: "whole"})
	if r.State != event.TurnProposed || len(r.Proposal.Warnings) != 2 || r.Proposal.Warnings[0] != "This removes 40 of 40 lines of a.yaml and adds 1." ||
		r.Proposal.Files[0].Change.After != "x\n" {
		t.Fatalf("%+v", r)
	}
}

// TestAFollowUpKeepsTheGuard: a follow-up amends the proposal, and what was lost before it is told again.
func TestAFollowUpKeepsTheGuard(t *testing.T) {
	without := keys(1, 20) + keys(30, 40) // nine lines less is much only of a listing
	b := newBench(t, replies(editstest.Rewrite("whole", "a.yaml", "", without), "CONFIRM a.yaml", editstest.Rewrite("diff", "a.yaml", "key1: value1\n", "key1: other\n")),
		map[string]string{"a.yaml": keys(1, 40)})
	r, _ := b.run(agent.Request{Instruction: "Change it.", Files: []string{"a.yaml"}, Format: "whole"})
	next, _ := b.run(agent.Request{Instruction: "And key 1.", FollowUp: r.Turn, Format: "diff"})
	if next.State != event.TurnProposed || next.Proposal.Revision != 2 || len(next.Proposal.Warnings) != 1 || !strings.HasPrefix(next.Proposal.Warnings[0], "This removes 10 of 40 lines of a.yaml and adds 1.") {
		t.Fatalf("%+v", next)
	}
}
