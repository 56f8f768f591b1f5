package review

import (
	"strings"
	"testing"

	"coauthor/agent/event"
)

// The last line of an answer says what became of its change, once, and nothing else in the document changes.
func TestWhatBecameOfAChange(t *testing.T) {
	head := "---\nfiles:\n---\n"
	doc := head + "\nChange it.\n"
	doc = WithSaid(doc, "Change it.")
	doc = WithSection(doc, Section{Kind: SectionAnswer, ID: "t1", Title: "Coauthor", Text: "I do.\n\n## You\n\n1 file changed, +1 -1."})
	doc += "And th"
	was := doc
	if got := WithBecame(doc, "t1", event.ProposalPending); got != doc {
		t.Errorf("a change that waits is told:\n%s", got)
	}
	if got := WithBecame(doc, "t2", event.ProposalApplied); got != doc {
		t.Errorf("a turn that is not there is told:\n%s", got)
	}
	if got := WithBecame(doc, "t1", event.ProposalApplying); got != doc {
		t.Errorf("a change on its way is told:\n%s", got)
	}
	for _, state := range []event.ProposalState{
		event.ProposalApplied, event.ProposalUnverified, event.ProposalPartial, event.ProposalConflict, event.ProposalDiscarded,
		event.ProposalUndone, event.ProposalSuperseded, event.ProposalPending,
	} {
		doc = WithBecame(doc, "t1", state)
		if again := WithBecame(doc, "t1", state); again != doc {
			t.Errorf("%s is told twice:\n%s", state, again)
		}
		line := becameLines[state]
		if n := strings.Count(doc, "The change "); n != 1 || !strings.Contains(doc, "1 file changed, +1 -1.\n\n"+line+"\n") {
			t.Errorf("%s, %d lines:\n%s", state, n, doc)
		}
		if strings.Replace(doc, "\n\n"+line, "", 1) != was {
			t.Errorf("%s changed more:\n%s", state, doc)
		}
	}
	if doc == was {
		t.Error("nothing is told")
	}
}

// Of a turn that proposes after its rounds each round has a line, behind all that is said, also while more is said.
func TestWhatBecameOfRounds(t *testing.T) {
	one := Section{Kind: SectionAnswer, ID: "t1", Title: "Coauthor", Text: "First."}
	early := WithSection(WithSaid("\nDo it.\n", "Do it."), Section{Kind: SectionAnswer, ID: "t1", Title: "Coauthor"})
	early = WithMore(WithRounds(early, "t1", []event.ProposalState{event.ProposalApplied}), one, "")
	if !strings.Contains(early, "\n\nFirst.\n\n- Step 1: The change was applied.\n\n## You") {
		t.Errorf("before anything was said:\n%s", early)
	}
	doc := WithSection(WithSaid("---\nfiles:\n---\n\nDo it.\n", "Do it."), one)
	is := func(what, end string) {
		t.Helper()
		if _, text, _ := strings.Cut(doc, "-->\n\nFirst."); !strings.HasPrefix(text, end+"\n\n## You") {
			t.Errorf("%s:\n%s", what, doc)
		}
	}
	round := func(states ...event.ProposalState) { doc = WithRounds(doc, "t1", states) }
	more := func(text string) {
		next := one
		next.Text = text
		doc = WithMore(doc, next, one.Text)
		one = next
	}
	round()
	round(event.ProposalPending)
	is("nothing was decided", "")
	round(event.ProposalApplied)
	is("one was applied", "\n\n- Step 1: The change was applied.")
	more("First.\n\nSecond.")
	is("the model goes on", "\n\nSecond.\n\n- Step 1: The change was applied.")
	round(event.ProposalApplied, "", event.ProposalPending)
	is("another waits", "\n\nSecond.\n\n- Step 1: The change was applied.\n- Step 3: The change is pending.")
	more("First.\n\nSecond.\n\nThird.")
	is("the model ends", "\n\nSecond.\n\nThird.\n\n- Step 1: The change was applied.\n- Step 3: The change is pending.")
	round(event.ProposalUndone, "", event.ProposalDiscarded)
	is("all is decided", "\n\nSecond.\n\nThird.\n\n- Step 1: The change was undone.\n- Step 3: The change was discarded.")
	was := doc
	round(event.ProposalUndone, "", event.ProposalDiscarded)
	if doc = WithRounds(doc, "t2", []event.ProposalState{event.ProposalApplied}); doc != was {
		t.Errorf("told twice, or of a turn that is not there:\n%s", doc)
	}
}
