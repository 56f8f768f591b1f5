package agent_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/problems"
	"coauthor/agent/proposal"
)

const fiveLines = "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\n"

// changesTwo is a model that changes the second line into two and takes the fourth away, and then says no more.
const changesTwo = "-- 1.md --\na.py\n```\n<<<<<<< SEARCH\nb = 2\n=======\nb = x\nb2 = x\n>>>>>>> REPLACE\n```\n\n" +
	"a.py\n```\n<<<<<<< SEARCH\nd = 4\n=======\n>>>>>>> REPLACE\n```\n\nDONE\n" +
	"-- 2.md --\na.py\n```\n<<<<<<< SEARCH\nb2 = x\n=======\nb2 = y\n>>>>>>> REPLACE\n```\n\nDONE\n" +
	"-- 3.md --\na.py\n```\n<<<<<<< SEARCH\nb2 = y\n=======\nb2 = z\n>>>>>>> REPLACE\n```\n\nDONE\n"

const afterTwo = "a = 1\nb = x\nb2 = x\nc = 3\ne = 5\n"

// at is what a tool says of a line of a.py.
func at(line int, message string) agent.Diagnostic {
	return agent.Diagnostic{Path: "a.py", Line: line, Message: message, Source: "lint", Severity: "error"}
}

func said(n problems.Found) string {
	var list []string
	for _, d := range n.List {
		list = append(list, fmt.Sprintf("%d %s", d.Line, d.Message))
	}
	return strings.Join(list, ", ")
}

// changed is a bench in which changesTwo was applied, with what was complained about before.
func changed(t *testing.T, before ...agent.Diagnostic) (*bench, agent.Result) {
	t.Helper()
	b := newBench(t, changesTwo, map[string]string{"a.py": fiveLines})
	b.settings.Verify = "off"
	o := b.options("")
	o.Clock = func() time.Time { return b.clock }
	b.engine = agent.NewEngine(o)
	t.Cleanup(b.engine.Close)
	b.session = b.engine.Session(b.ws)
	b.ws.DidOpen("a.py", fiveLines, 1)
	b.session.Problems.Diagnosed(problems.Told{Path: "a.py", Text: fiveLines, List: before})
	r, _ := b.run(agent.Request{Instruction: "Change it.", Files: []string{"a.py"}})
	b.accept(r)
	return b, r
}

// What is on the changed lines and was not said before is new, wherever the lines have moved.
func TestNewProblemsAreThoseOfTheChange(t *testing.T) {
	hint, own := at(2, "hint"), at(2, "ours")
	hint.Severity, own.Source = "hint", "coauthor"
	for name, c := range map[string]struct {
		before, after []agent.Diagnostic
		text          string
		want          string
		claimed       bool
	}{
		"on changed lines":            {nil, []agent.Diagnostic{at(3, "x"), at(2, "x"), at(1, "a"), at(5, "e")}, afterTwo, "2 x, 3 x, 5 e", true},
		"where lines went":            {nil, []agent.Diagnostic{at(4, "c")}, afterTwo, "4 c", true},
		"elsewhere":                   {nil, []agent.Diagnostic{at(1, "a")}, afterTwo, "", false},
		"there before":                {[]agent.Diagnostic{at(4, "x")}, []agent.Diagnostic{at(2, "x")}, afterTwo, "", false},
		"one more than before":        {[]agent.Diagnostic{at(1, "x")}, []agent.Diagnostic{at(1, "x"), at(3, "x")}, afterTwo, "3 x", true},
		"from before the edit":        {[]agent.Diagnostic{at(2, "x"), at(4, "y")}, []agent.Diagnostic{at(2, "x"), at(4, "y")}, afterTwo, "", false},
		"typed above":                 {nil, []agent.Diagnostic{at(4, "x"), at(2, "typed")}, "typed\n\n" + afterTwo, "4 x", true},
		"the changed lines are gone":  {nil, []agent.Diagnostic{at(1, "x")}, "a = 1\n", "", false},
		"a hint, and what we say":     {nil, []agent.Diagnostic{hint, own}, afterTwo, "", false},
		"nothing":                     {[]agent.Diagnostic{at(2, "x")}, nil, afterTwo, "", false},
		"fewer than before elsewhere": {[]agent.Diagnostic{at(1, "x"), at(1, "x")}, []agent.Diagnostic{at(2, "x")}, afterTwo, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			b, r := changed(t, c.before...)
			claimed := b.session.Problems.Diagnosed(problems.Told{Path: "a.py", Text: c.text, List: c.after})
			found := b.session.Problems.Now()
			if got := said(found); got != c.want || claimed != c.claimed {
				t.Errorf("%q, claimed %v", got, claimed)
			}
			if c.want != "" && (found.Turn != r.Turn || found.Unasked) || b.session.Problems.Diagnosed(problems.Told{Path: "a.py", Text: c.text, List: c.after}) {
				t.Errorf("%+v", found)
			}
			if c.want == "" {
				if _, err := begin(b.session, agent.Ports{})(b.session.Fix(found, agent.Request{})); err == nil {
					t.Error("nothing was fixed")
				}
			}
		})
	}
}

// What appears later is not the turn's, but what goes away is gone; an undo and a closed file end it.
func TestNewProblemsAppearSoon(t *testing.T) {
	b, _ := changed(t)
	tell := func(partly bool, list ...agent.Diagnostic) string {
		b.session.Problems.Diagnosed(problems.Told{Path: "a.py", Text: afterTwo, List: list, Partly: partly})
		return said(b.session.Problems.Now())
	}
	if got := tell(false, at(2, "x"), at(3, "y")); got != "2 x, 3 y" {
		t.Fatal(got)
	}
	b.clock = b.clock.Add(time.Minute)
	if got := tell(false, at(2, "x"), at(2, "late")); got != "2 x" {
		t.Errorf("a minute later: %q", got)
	}
	if got := tell(true, at(2, "late")); got != "2 late" {
		t.Errorf("seen at the place: %q", got)
	}
	if got := b.session.Problems.See(); len(got.List) != 1 {
		t.Errorf("%+v", got)
	}
	if got := tell(false); got != "" || len(b.session.Problems.See().List) > 0 {
		t.Errorf("told of none: %q", got)
	}
	b, r := changed(t)
	if tell(false, at(2, "x")) == "" {
		t.Fatal("nothing is new")
	}
	if out, err := b.session.Proposals.Undo(t.Context(), r.Turn, editorDelivery{b}); err != nil || out.Status != proposal.StatusUndone {
		t.Fatal(out, err)
	}
	if got := tell(false, at(2, "x")); got != "" {
		t.Errorf("undone: %q", got)
	}
	if out, err := b.session.Proposals.Redo(t.Context(), r.Turn, editorDelivery{b}); err != nil || out.Status != proposal.StatusApplied {
		t.Fatal(out, err)
	}
	if got := tell(false, at(2, "x")); got != "2 x" {
		t.Errorf("done again: %q", got)
	}
}

// The editor's servers may be faster than the word that the change has arrived.
func TestNewProblemsBeforeTheLanding(t *testing.T) {
	b := newBench(t, changesTwo, map[string]string{"a.py": fiveLines})
	b.settings.Verify = "off"
	b.ws.DidOpen("a.py", fiveLines, 1)
	r, _ := b.run(agent.Request{Instruction: "Change it.", Files: []string{"a.py"}})
	store := b.session.Proposals
	store.MarkShown(r.Proposal.ID, 1)
	out, err := store.Apply(t.Context(), proposal.Selector{Proposal: r.Proposal.ID, Revision: 1}, meanwhile{editorDelivery{b}, func() {
		if b.session.Problems.Diagnosed(problems.Told{Path: "a.py", Text: afterTwo, List: []agent.Diagnostic{at(1, "a"), at(2, "x")}}) {
			t.Error("it has not landed")
		}
	}})
	if err != nil || out.Status != proposal.StatusApplied {
		t.Fatal(out, err)
	}
	if !b.session.Problems.Claim() || b.session.Problems.Claim() || said(b.session.Problems.Now()) != "2 x" {
		t.Errorf("%+v", b.session.Problems.Now())
	}
}

// meanwhile is a delivery in which something happens between the change and the word that it arrived.
type meanwhile struct {
	editorDelivery
	do func()
}

func (m meanwhile) Deliver(ctx context.Context, label string, plan []proposal.Step) ([]proposal.Landed, error) {
	list, err := m.editorDelivery.Deliver(ctx, label, plan)
	m.do()
	return list, err
}

// The turn that fixes them goes on with the one that brought them, and the model is shown what is wrong.
func TestNewProblemsAreFixed(t *testing.T) {
	b, r := changed(t)
	b.session.Problems.Diagnosed(problems.Told{Path: "a.py", Text: afterTwo, List: []agent.Diagnostic{at(3, "x is undefined")}})
	rec := &recorder{}
	started, err := begin(b.session, agent.Ports{Sink: rec.sink, Ask: b})(b.session.Fix(b.session.Problems.Now(), agent.Request{}))
	if err != nil {
		t.Fatal(err)
	}
	fixed := b.wait(started.Turn)
	if fixed.State != event.TurnProposed || fixed.Proposal.Label != "Fix 1 new problem" || fixed.Turn == r.Turn {
		t.Errorf("%+v", fixed)
	}
	last := b.server.Requests()[1]
	if sent := last.Messages[len(last.Messages)-1].Content; !strings.Contains(sent, "a.py:3: x is undefined (lint)") || !strings.Contains(sent, "Fix the problem introduced by your last change.") {
		t.Errorf("the model was sent\n%s", sent)
	}
}

// The coder that works by itself is given them without a word, with full checks, as often as it may correct itself.
func TestNewProblemsAreFedBack(t *testing.T) {
	for name, c := range map[string]struct {
		coder, level string
		reflections  int
		want         []bool
	}{
		"in full":           {"auto", "full", 3, []bool{true, true}},
		"once":              {"auto", "full", 1, []bool{true, false}},
		"not at all":        {"auto", "full", 0, []bool{false}},
		"only linters":      {"auto", "lint", 3, []bool{false}},
		"another coder":     {"code", "full", 3, []bool{false}},
		"asked and unasked": {"auto", "full", 2, []bool{true, true, false}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, changesTwo, map[string]string{"a.py": fiveLines})
			b.settings.Verify, b.settings.MaxReflections = c.level, c.reflections
			b.ws.DidOpen("a.py", fiveLines, 1)
			r, _ := b.run(agent.Request{Instruction: "Change it.", Files: []string{"a.py"}, Coder: c.coder})
			var got []bool
			for i := range c.want {
				b.accept(r)
				text, err := b.ws.Snapshot().Read("a.py")
				if err != nil {
					t.Fatal(err)
				}
				if !b.session.Problems.Diagnosed(problems.Told{Path: "a.py", Text: text, List: []agent.Diagnostic{at(3, fmt.Sprint("wrong ", i))}}) {
					t.Fatalf("nothing new: %q", text)
				}
				found := b.session.Problems.See()
				if got = append(got, found.Unasked); !found.Unasked || i == len(c.want)-1 {
					break
				}
				started, err := begin(b.session, agent.Ports{Ask: b})(b.session.Fix(found, agent.Request{}))
				if err != nil {
					t.Fatal(err)
				}
				r = b.wait(started.Turn)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%v", got)
			}
		})
	}
}
