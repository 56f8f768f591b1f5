package proposal

import (
	"context"
	"fmt"
	"testing"

	"coauthor/agent/event"
	"coauthor/edits"
)

// What became of a change is known as long as it can be taken back, and each of the last 50 can be, by its turn.
func TestBecame(t *testing.T) {
	s, ed := newStore(t), newEditor(t, map[string]string{})
	const turns = 50
	var ids []string
	for i := range turns {
		path := fmt.Sprintf("f%d", i)
		ed.put(path, "a\n")
		p, err := s.Add(fmt.Sprintf("turn%d", i), fmt.Sprintf("request %d", i), []edits.Change{update(path, "a\n", "A\n")}, nil, Checked{})
		if err != nil {
			t.Fatal(err)
		}
		s.MarkShown(p.ID, 1)
		out, err := s.Apply(context.Background(), Selector{Proposal: p.ID, Revision: 1}, ed)
		wantOutcome(t, out, err, StatusApplied)
		ids = append(ids, p.ID)
	}
	if _, known := s.Get(ids[0]); known {
		t.Fatal("the first one is not forgotten, so nothing is tested")
	}
	for i, id := range ids {
		turn, path := fmt.Sprintf("turn%d", i), fmt.Sprintf("f%d", i)
		if is := s.Sent.Became(id); is != event.ProposalApplied {
			t.Errorf("%d: %s", i, is)
		}
		label, c, ok := s.Sent.LastChange(turn, path)
		if !ok || label != fmt.Sprintf("request %d", i) || c.After != "A\n" {
			t.Errorf("%d: %q, %+v, %v", i, label, c, ok)
		}
		out, err := s.Undo(context.Background(), turn, ed)
		wantOutcome(t, out, err, StatusUndone)
		if is := s.Sent.Became(id); is != event.ProposalUndone || ed.files[path] != "a\n" {
			t.Errorf("%d: %s, %q", i, is, ed.files[path])
		}
		if label, c, ok := s.Sent.LastChange(turn, path); !ok || label != fmt.Sprintf("request %d", i) || c.After != "a\n" {
			t.Errorf("%d: %q, %+v, %v", i, label, c, ok)
		}
	}
	out, err := s.Redo(context.Background(), "turn7", ed)
	wantOutcome(t, out, err, StatusApplied)
	if is := s.Sent.Became(ids[7]); is != event.ProposalApplied || ed.files["f7"] != "A\n" {
		t.Errorf("%s, %q", is, ed.files["f7"])
	}
	if s.Sent.Became("nope") != "" {
		t.Error("an unknown one has a state")
	}
	if _, _, ok := s.Sent.LastChange("turn7", "f8"); ok {
		t.Error("a file that the turn did not touch")
	}
}
