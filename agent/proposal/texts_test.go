package proposal

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"coauthor/edits"
)

// The new text of a file is what applying it makes, whatever the user has typed and decided; each hunk stands where the
// texts say. Where the user has changed the lines of a hunk it is left out, and the others are not.
func TestTextsAreWhatApplyingMakes(t *testing.T) {
	clashed, applied := 0, 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 7))
		base := numbered(r.IntN(40) + 1)
		goal := scribble(r, base, "model")
		if goal == base {
			continue
		}
		ed := newEditor(t, map[string]string{"f": base})
		s := newStore(t)
		p := add(t, s, update("f", base, goal))
		for _, n := range p.Files[0].units() { // some are decided on already
			sel := Selector{Proposal: p.ID, Revision: 1, Files: []string{"f"}, Hunks: []int{n}}
			switch {
			case n == len(p.Files[0].Hunks): // one is left
			case r.IntN(4) == 0:
				if _, err := s.Discard(sel); err != nil {
					t.Fatal(err)
				}
			case r.IntN(4) == 0:
				out, err := s.Apply(context.Background(), sel, ed)
				wantOutcome(t, out, err, StatusApplied)
			}
		}
		if r.IntN(3) > 0 {
			ed.typed("f", scribble(r, ed.text("f"), "user"))
		}
		_, texts, err := s.Texts(Selector{Proposal: p.ID}, "f", ed.Current())
		if err != nil || texts.Old == nil || texts.New == nil || *texts.Old != ed.text("f") {
			t.Fatalf("seed %d: %+v, %v", seed, texts, err)
		}
		var fit, open []int
		last := 0
		for _, h := range texts.Hunks {
			open = append(open, h.Number)
			if old := (*texts.Old)[h.OldAt.Start:h.OldAt.End]; !h.Conflict && old != h.Old && old != h.New { // the latter where the user has done the same
				t.Errorf("seed %d: hunk %d stands on %q, want %q", seed, h.Number, old, h.Old)
			}
			if h.NewAt.Start < last {
				t.Errorf("seed %d: hunk %d stands before the one before it", seed, h.Number)
			}
			if now := (*texts.New)[h.NewAt.Start:h.NewAt.End]; !h.Conflict {
				fit, last = append(fit, h.Number), h.NewAt.End
				if now != h.New {
					t.Errorf("seed %d: hunk %d reads %q, want %q", seed, h.Number, now, h.New)
				}
			}
		}
		now, _ := s.Get(p.ID)
		if !slices.Equal(open, now.Files[0].Undecided()) {
			t.Errorf("seed %d: hunks %v, undecided %v", seed, open, now.Files[0].Undecided())
		}
		if (texts.Conflict != "") != (len(fit) < len(open)) {
			t.Errorf("seed %d: %q, and %v of %v fit", seed, texts.Conflict, fit, open)
		}
		out, err := s.Apply(context.Background(), Selector{Proposal: p.ID, Revision: 1}, ed)
		if texts.Conflict != "" {
			clashed++
			wantOutcome(t, out, err, StatusConflict)
			if len(fit) == 0 {
				continue
			}
			out, err = s.Apply(context.Background(), Selector{Proposal: p.ID, Revision: 1, Files: []string{"f"}, Hunks: fit}, ed)
		}
		applied++
		wantOutcome(t, out, err, StatusApplied)
		if got := ed.text("f"); got != *texts.New {
			t.Errorf("seed %d: applied\n%s\nwant\n%s", seed, got, *texts.New)
		}
	}
	if clashed < 30 || applied < 150 {
		t.Errorf("%d clashed and %d were applied: that tries too little", clashed, applied)
	}
}

// Files that come, go and move have one side, or none, and say why they cannot be applied.
func TestTextsOfFiles(t *testing.T) {
	for name, test := range map[string]struct {
		change        edits.Change
		path          string
		disk          map[string]string
		old, new      string // gone is none
		conflict, ats string
	}{
		"created":          {edits.Change{Path: "a", Op: edits.OpCreate, After: "x\ny\n"}, "a", nil, gone, "x\ny\n", "", "1: 0-0 0-4"},
		"created empty":    {edits.Change{Path: "a", Op: edits.OpCreate}, "a", nil, gone, "", "", ""},
		"there already":    {edits.Change{Path: "a", Op: edits.OpCreate, After: "x\n"}, "a", map[string]string{"a": "mine\n"}, "mine\n", "mine\n", "a already exists with different content", ""},
		"deleted":          {edits.Change{Path: "a", Op: edits.OpDelete, Before: "x\ny\n"}, "a", map[string]string{"a": "x\ny\n"}, "x\ny\n", gone, "", "1: 0-4 0-0"},
		"deleted, changed": {edits.Change{Path: "a", Op: edits.OpDelete, Before: "x\n"}, "a", map[string]string{"a": "y\n"}, "y\n", "y\n", "a has new edits, so it was not deleted", ""},
		"moved":            {edits.Change{Path: "a", Op: edits.OpRename, To: "b", Before: "x\ny\n", After: "x\nz\n"}, "b", map[string]string{"a": "w\nx\ny\n"}, "w\nx\ny\n", "w\nx\nz\n", "", "1: 4-6 4-6"},
		"moved, no lines":  {edits.Change{Path: "a", Op: edits.OpRename, To: "b", Before: "x\n", After: "x\n"}, "a", map[string]string{"a": "x\n"}, "x\n", "x\n", "", ""},
		"gone":             {update("a", "x\n", "y\n"), "a", nil, gone, gone, "a no longer exists", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			p := add(t, s, test.change)
			_, got, err := s.Texts(Selector{Proposal: p.ID}, test.path, newEditor(t, test.disk).Current())
			if err != nil {
				t.Fatal(err)
			}
			text := func(p *string) string {
				if p == nil {
					return gone
				}
				return *p
			}
			var ats []string
			for _, h := range got.Hunks {
				ats = append(ats, fmt.Sprintf("%d: %d-%d %d-%d", h.Number, h.OldAt.Start, h.OldAt.End, h.NewAt.Start, h.NewAt.End))
			}
			if text(got.Old) != test.old || text(got.New) != test.new || got.Conflict != test.conflict || strings.Join(ats, ", ") != test.ats {
				t.Errorf("%q, %q, %q, %v", text(got.Old), text(got.New), got.Conflict, ats)
			}
		})
	}
	s := newStore(t)
	add(t, s, update("a", "x\n", "y\n"))
	if _, _, err := s.Texts(Selector{}, "b", newEditor(t, nil).Current()); err == nil {
		t.Error("a file that is none of the change has texts")
	}
}
