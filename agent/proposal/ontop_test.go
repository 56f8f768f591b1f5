package proposal

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"coauthor/edits"
)

// A follow-up starts from what applying the proposal now would make, whatever became of the file since; what
// could not be applied is stale.
func TestOnTopIsWhatApplyingMakes(t *testing.T) {
	ten := numbered(10)
	goal := ten + "more\n"
	typed := "typed\n" + ten
	for op, c := range map[string]edits.Change{
		"create":       {Path: "a", Op: edits.OpCreate, After: goal},
		"create empty": {Path: "a", Op: edits.OpCreate},
		"update":       update("a", ten, goal),
		"update empty": update("a", "", goal),
		"delete":       {Path: "a", Op: edits.OpDelete, Before: ten},
		"delete empty": {Path: "a", Op: edits.OpDelete},
		"rename":       {Path: "a", Op: edits.OpRename, To: "b", Before: ten, After: goal},
	} {
		for _, a := range []string{gone, "", "\n", ten, typed, goal, "else\n"} {
			for _, b := range []string{gone, "", "else\n"} {
				if b != gone && c.Op != edits.OpRename {
					continue
				}
				now := map[string]string{"other": "x\n"}
				if a != gone {
					now["a"] = a
				}
				if b != gone {
					now["b"] = b
				}
				ed, s := newEditor(t, now), newStore(t)
				p := add(t, s, c)
				base := ed.ws.Snapshot()
				changes, stale := OnTop(p.Files, base)
				made := base.With(changes)
				got := map[string]string{}
				for _, path := range []string{"a", "b", "other"} {
					if text, err := made.Read(path); err == nil {
						got[path] = text
					}
				}
				out, err := s.Apply(context.Background(), Selector{}, ed)
				if err != nil {
					t.Fatal(err)
				}
				if landed := out.Status != StatusConflict; landed == (len(stale) > 0) || !maps.Equal(got, ed.files) {
					t.Errorf("%s where a is %.12q and b %.12q: %s makes %.40q, on top it is %.40q, stale %q", op, a, b, out.Status, ed.files, got, stale)
				}
			}
		}
	}
}

// TestOnTopLeavesOutWhatWasDiscarded: a follow-up starts from what is still to be had of a proposal, and a part that
// does not fit its own text is stale.
func TestOnTopLeavesOutWhatWasDiscarded(t *testing.T) {
	before := numbered(30)
	after := strings.Replace(strings.Replace(before, "line 2\n", "two\n", 1), "line 25\n", "twenty-five\n", 1)
	first := strings.Replace(before, "line 2\n", "two\n", 1)
	second := strings.Replace(before, "line 25\n", "twenty-five\n", 1)
	now := map[string]string{"a": before, "d": before}
	for what, c := range map[string]struct {
		change edits.Change
		hunks  []int // that are discarded; none is all
		want   map[string]string
	}{
		"the first hunk":          {update("a", before, after), []int{1}, map[string]string{"a": second, "d": before}},
		"the second hunk":         {update("a", before, after), []int{2}, map[string]string{"a": first, "d": before}},
		"both hunks":              {update("a", before, after), []int{1, 2}, now},
		"the file":                {update("a", before, after), nil, now},
		"a new file":              {edits.Change{Path: "n", Op: edits.OpCreate, After: "new\n"}, nil, now},
		"a new file without text": {edits.Change{Path: "n", Op: edits.OpCreate}, nil, now},
		"a deletion":              {edits.Change{Path: "d", Op: edits.OpDelete, Before: before}, nil, now},
		"a move":                  {edits.Change{Path: "a", Op: edits.OpRename, To: "b", Before: before, After: before}, nil, now},
		"a move with an edit":     {edits.Change{Path: "a", Op: edits.OpRename, To: "b", Before: before, After: after}, nil, now},
	} {
		ed, s := newEditor(t, now), newStore(t)
		p := add(t, s, c.change, edits.Change{Path: "other", Op: edits.OpCreate, After: "other\n"})
		if _, err := s.Discard(Selector{Proposal: p.ID, Revision: 1, Files: []string{p.Files[0].Path()}, Hunks: c.hunks}); err != nil {
			t.Fatal(err)
		}
		rest, _ := s.Get(p.ID)
		changes, stale := OnTop(rest.Files, ed.ws.Snapshot())
		made := ed.ws.Snapshot().With(changes)
		got := map[string]string{}
		for _, path := range []string{"a", "b", "d", "n", "other"} {
			if text, err := made.Read(path); err == nil {
				got[path] = text
			}
		}
		want := maps.Clone(c.want)
		want["other"] = "other\n"
		if len(stale) > 0 || !maps.Equal(got, want) {
			t.Errorf("without %s: stale %q, %q", what, stale, got)
		}
		if out, err := s.Apply(context.Background(), Selector{}, ed); err != nil || out.Status != StatusApplied || !maps.Equal(ed.files, want) {
			t.Errorf("applied without %s: %+v, %v, %q", what, out, err, ed.files)
		}
	}
	// Nothing that does not fit is guessed at.
	ed := newEditor(t, now)
	for _, discarded := range []int{0, 1} {
		s := newStore(t)
		p := add(t, s, update("a", before, after), update("d", before, after))
		s.book.proposals.list[0].now.Files[0].Hunks[1].Old = "another line\n"
		if discarded > 0 {
			if _, err := s.Discard(Selector{Proposal: p.ID, Revision: 1, Files: []string{"a"}, Hunks: []int{discarded}}); err != nil {
				t.Fatal(err)
			}
			forged, _ := s.Get(p.ID)
			if changes, stale := OnTop(forged.Files, ed.ws.Snapshot()); len(changes) != 1 || changes[0].Path != "d" || !slices.Equal(stale, []string{"a"}) {
				t.Errorf("%+v, stale %q", changes, stale)
			}
		}
		out, err := s.Apply(context.Background(), Selector{}, ed)
		if now, _ := s.Get(p.ID); err == nil || out.Status != "" || len(ed.plans) > 0 || !now.Pending() {
			t.Errorf("%+v, %v, %d plans, %s", out, err, len(ed.plans), now.State)
		}
		s.book.proposals.list[0].now.Files[0].Hunks[0].Old = "another line\n"
		s.book.proposals.list[0].now.Files[0].Done = map[int]Decision{1: HunkLanded}
		if _, err := s.Apply(context.Background(), Selector{}, ed); err == nil || len(ed.plans) > 0 {
			t.Errorf("what is there does not fit: %v, %d plans", err, len(ed.plans))
		}
	}
}
