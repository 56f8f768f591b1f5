package proposal

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/event"
	"coauthor/edits"
)

// manyHunks is a proposal whose files have several hunks, or none, by every operation.
func manyHunks(t *testing.T, s *Store) *Proposal {
	t.Helper()
	base := numbered(30)
	goal := strings.NewReplacer("line 3\n", "three\n", "line 13\n", "", "line 23\n", "x\ny\n").Replace(base)
	return add(t, s,
		update("a", base, goal),
		edits.Change{Path: "old", To: "new", Op: edits.OpRename, Before: base, After: goal},
		edits.Change{Path: "from", To: "to", Op: edits.OpRename, Before: base, After: base},
		edits.Change{Path: "made", Op: edits.OpCreate, After: "1\n2\n"},
		edits.Change{Path: "empty", Op: edits.OpCreate},
		edits.Change{Path: "gone", Op: edits.OpDelete, Before: "1\n"},
	)
}

// TestParts: which files and hunks are meant by what a command names.
func TestParts(t *testing.T) {
	all := map[string][]int{"a": {1, 2, 3}, "new": {1, 2, 3}, "to": {0}, "made": {1}, "empty": {0}, "gone": {1}}
	only := func(file string, units ...int) map[string][]int { return map[string][]int{file: units} }
	for name, test := range map[string]struct {
		files []string
		hunks []int
		want  map[string][]int
		err   error
	}{
		"all":                           {nil, nil, all, nil},
		"a file":                        {[]string{"a"}, nil, only("a", 1, 2, 3), nil},
		"a file twice":                  {[]string{"a", "a"}, nil, only("a", 1, 2, 3), nil},
		"a file by its old name":        {[]string{"old"}, nil, only("new", 1, 2, 3), nil},
		"a file by both names":          {[]string{"old", "new"}, nil, only("new", 1, 2, 3), nil},
		"two files":                     {[]string{"gone", "to"}, nil, map[string][]int{"gone": {1}, "to": {0}}, nil},
		"an unknown file":               {[]string{"a", "b"}, nil, nil, ErrNoFile},
		"one hunk":                      {[]string{"a"}, []int{2}, only("a", 2), nil},
		"hunks in any order, and twice": {[]string{"a"}, []int{3, 1, 3}, only("a", 1, 3), nil},
		"hunks of no file":              {nil, []int{1}, nil, ErrNoHunk},
		"hunks of two files":            {[]string{"a", "made"}, []int{1}, nil, ErrNoHunk},
		"hunks of an unknown file":      {[]string{"b"}, []int{1}, nil, ErrNoFile},
		"hunk 0":                        {[]string{"a"}, []int{0}, nil, ErrNoHunk},
		"hunk 4":                        {[]string{"a"}, []int{1, 4}, nil, ErrNoHunk},
		"hunk -1":                       {[]string{"a"}, []int{-1}, nil, ErrNoHunk},
		"a part of a rename":            {[]string{"new"}, []int{1}, nil, ErrNoHunk},
		"all parts of a rename":         {[]string{"new"}, []int{2, 1, 3}, only("new", 1, 2, 3), nil},
		"the whole of an empty file":    {[]string{"empty"}, []int{0}, only("empty", 0), nil},
		"the one hunk of a new file":    {[]string{"made"}, []int{1}, only("made", 1), nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			p := manyHunks(t, s)
			sel := Selector{Files: test.files, Hunks: test.hunks}
			_, err := s.Select(sel)
			if !errors.Is(err, test.err) {
				t.Fatalf("selected: %v", err)
			}
			got, err := s.Discard(sel)
			if !errors.Is(err, test.err) || err != nil && got.ID != "" {
				t.Fatalf("discarded: %+v, %v", got, err)
			}
			got, _ = s.Get(p.ID)
			left := 0
			for i := range got.Files {
				f := &got.Files[i]
				want := slices.DeleteFunc(f.units(), func(n int) bool { return slices.Contains(test.want[f.Path()], n) })
				if open := f.Undecided(); !slices.Equal(open, want) {
					t.Errorf("%s: %v are open, want %v", f.Path(), open, want)
				}
				left += len(want)
			}
			if got.Pending() != (left > 0) || (got.State == event.ProposalDiscarded) != (left == 0) {
				t.Errorf("state %s with %d left", got.State, left)
			}
			if len(test.want) > 0 {
				sel.Proposal, sel.Revision = p.ID, 1
				if _, err := s.Discard(sel); !errors.Is(err, ErrDecided) {
					t.Errorf("discarded again: %v", err)
				}
			}
		})
	}
}

// TestNames: how a command names a proposal, and what a refusal offers.
func TestNames(t *testing.T) {
	s := newStore(t)
	if _, err := s.Find(Selector{}); !errors.Is(err, ErrNone) {
		t.Errorf("none: %v", err)
	}
	first := add(t, s, update("a", "a\n", "A\n"))
	if first, err := s.Supersede(first.ID, "turn2", "l", []edits.Change{update("a", "a\n", "AA\n")}, nil, Checked{}); err != nil || first.Revision != 2 {
		t.Fatal(err)
	}
	other, err := s.Add("turn3", "", []edits.Change{update("b", "b\n", "B\n")}, nil, Checked{})
	if err != nil {
		t.Fatal(err)
	}
	done, err := s.Add("turn4", "done", []edits.Change{update("c", "c\n", "C\n")}, nil, Checked{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Discard(Selector{Proposal: done.ID, Revision: 1}); err != nil {
		t.Fatal(err)
	}
	both := []string{first.ID, other.ID}
	for name, test := range map[string]struct {
		sel    Selector
		find   string // the proposal that Find gives
		err    error  // of Find, else of Select
		offers []string
	}{
		"one of two":              {Selector{}, other.ID, ErrNotShown, both},
		"by id and revision":      {Selector{Proposal: first.ID, Revision: 2}, first.ID, nil, nil},
		"by id":                   {Selector{Proposal: first.ID}, first.ID, ErrNotShown, both[:1]},
		"an old revision":         {Selector{Proposal: first.ID, Revision: 1}, first.ID, ErrStale, both[:1]},
		"a coming revision":       {Selector{Proposal: first.ID, Revision: 3}, first.ID, ErrStale, both[:1]},
		"revision -1":             {Selector{Proposal: first.ID, Revision: -1}, first.ID, ErrStale, both[:1]},
		"an unknown one":          {Selector{Proposal: "nope"}, "", ErrNone, both},
		"by its turn":             {Selector{Turn: "turn2", Revision: 2}, first.ID, nil, nil},
		"by an earlier turn":      {Selector{Turn: "turn1", Revision: 2}, first.ID, ErrStale, both[:1]},
		"by turn, never shown":    {Selector{Turn: "turn3"}, other.ID, ErrNotShown, both[1:]},
		"an unknown turn":         {Selector{Turn: "nope"}, "", ErrNone, both},
		"the turn of another one": {Selector{Proposal: other.ID, Turn: "turn2", Revision: 1}, other.ID, ErrStale, both[1:]},
		"a decided one":           {Selector{Proposal: done.ID}, done.ID, ErrDecided, nil},
		"a decided one, by turn":  {Selector{Turn: "turn4"}, done.ID, ErrDecided, nil},
	} {
		p, err := s.Find(test.sel)
		if p.ID != test.find || (err == nil) != (test.find != "") {
			t.Errorf("%s: found %q, %v", name, p.ID, err)
		}
		if test.find != "" {
			if p, err = s.Select(test.sel); (p.ID == test.find) != (err == nil) {
				t.Errorf("%s: selected %q, %v", name, p.ID, err)
			}
		}
		if !errors.Is(err, test.err) {
			t.Errorf("%s: %v", name, err)
		}
		var offers []string
		var r *Refusal
		if errors.As(err, &r) {
			for _, c := range r.Candidates {
				offers = append(offers, c.ID)
				if !strings.Contains(err.Error(), "\n  "+c.line()) {
					t.Errorf("%s: the message does not list %q: %s", name, c.line(), err)
				}
			}
		}
		if !slices.Equal(offers, test.offers) {
			t.Errorf("%s: offers %v", name, offers)
		}
	}
	// Once one is decided, the other needs no name.
	if _, err := s.Discard(Selector{Proposal: first.ID, Revision: 2}); err != nil {
		t.Fatal(err)
	}
	s.MarkShown(other.ID, 1)
	if p, err := s.Select(Selector{}); err != nil || p.ID != other.ID {
		t.Errorf("%v", err)
	}
}

// TestViews: what a proposal says of itself.
func TestViews(t *testing.T) {
	s := newStore(t)
	p := manyHunks(t, s)
	check := func(p *Proposal, files, added, removed int, state event.ProposalState) {
		t.Helper()
		f, a, r := p.Open()
		if f != files || a != added || r != removed || p.State != state || p.undecided() != (files > 0) {
			t.Errorf("open %d, +%d -%d, state %s", f, a, r, p.State)
		}
	}
	check(p, 6, 3+3+2, 3+3+1, event.ProposalPending)
	if a, r := p.Counts(); a != 8 || r != 7 {
		t.Errorf("+%d -%d", a, r)
	}
	ref := p.Ref()
	if ref.ID != p.ID || ref.Revision != 1 || ref.Added != 8 || ref.Removed != 7 || len(ref.Files) != 6 || ref.State != p.State {
		t.Errorf("%+v", ref)
	}
	for i, f := range ref.Files {
		c := p.Files[i].Change
		if f.Path != c.Path || f.Op != string(c.Op) || f.To != c.To || f.Hunks != len(p.Files[i].Hunks) {
			t.Errorf("%+v", f)
		}
		for _, name := range []string{c.Path, c.To} {
			if found, ok := p.File(name); name != "" && (!ok || found.Change.Path != c.Path) {
				t.Errorf("%s: %v", name, found)
			}
		}
	}
	if f, ok := p.File("nope"); ok || f != nil {
		t.Errorf("nope: %v", f)
	}
	got, err := s.Discard(Selector{Files: []string{"a"}, Hunks: []int{3}})
	if err != nil {
		t.Fatal(err)
	}
	check(&got, 6, 1+3+2, 2+3+1, event.ProposalPending)
	if a, r := got.Files[0].Counts(); a != 3 || r != 3 {
		t.Errorf("the file: +%d -%d", a, r)
	}
	if a, r := got.Files[0].Open(); a != 1 || r != 2 {
		t.Errorf("what is open of the file: +%d -%d", a, r)
	}
	ed := newEditor(t, map[string]string{"a": numbered(30), "old": numbered(30), "from": numbered(30), "gone": "1\n"})
	out, err := s.Apply(context.Background(), Selector{Files: []string{"made"}}, ed)
	wantOutcome(t, out, err, StatusApplied)
	got, _ = s.Get(p.ID)
	check(&got, 5, 1+3, 2+3+1, event.ProposalPartial)
	out, err = s.Apply(context.Background(), Selector{}, ed)
	wantOutcome(t, out, err, StatusApplied)
	got, _ = s.Get(p.ID)
	check(&got, 0, 0, 0, event.ProposalApplied)
	if n := len(got.Files[0].with(HunkLanded)); n != 2 {
		t.Errorf("%d hunks landed", n)
	}
	for _, test := range []struct {
		shown, revision int
		want            string
	}{{0, 1, "not viewed yet"}, {1, 1, "viewed"}, {1, 2, "updated after you viewed it"}, {2, 2, "viewed"}} {
		q := Proposal{Label: "l", Shown: test.shown, Revision: test.revision}
		if line := q.line(); !strings.HasSuffix(line, ", "+test.want+")") || !strings.HasPrefix(line, "l (") {
			t.Errorf("%+v: %s", test, line)
		}
	}
}

// TestShown: only what exists and is newer than what was seen counts.
func TestShown(t *testing.T) {
	s := newStore(t)
	p, err := s.Add("t", "", []edits.Change{update("a", "a\n", "A\n")}, nil, Checked{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Supersede(p.ID, "t2", "", []edits.Change{update("a", "a\n", "B\n")}, nil, Checked{}); err != nil {
		t.Fatal(err)
	}
	for i, step := range []struct{ mark, want int }{{0, 0}, {-1, 0}, {3, 0}, {1, 1}, {0, 1}, {2, 2}, {1, 2}, {3, 2}} {
		s.MarkShown(p.ID, step.mark)
		s.MarkShown("nope", step.mark)
		if got, _ := s.Get(p.ID); got.Shown != step.want {
			t.Errorf("step %d: %d is shown", i, got.Shown)
		}
	}
	if _, ok := s.Get("nope"); ok {
		t.Error("nope is there")
	}
}

// TestALaterDeliverySpeaks: one file moved on and is sent again, of the other nothing is heard for long.
// What the first delivery says when that is found out changes nothing of what the second one brought.
func TestALaterDeliverySpeaks(t *testing.T) {
	ed := newEditor(t, map[string]string{"a": "a\n", "b": "b\n"})
	ed.answer = func(step Step) (Landed, bool) {
		if step.Change.Path == "b" {
			return Landed{State: LandUnknown}, true
		}
		return Landed{State: LandAbsent, Stale: true}, len(ed.plans) == 1
	}
	var told []event.ProposalState
	s := NewStore("", StoreOptions{Random: &numbers{}, Changed: func(p Proposal) { told = append(told, p.State) }})
	p := add(t, s, update("a", "a\n", "A\n"), update("b", "b\n", "B\n"))
	out, err := s.Apply(context.Background(), Selector{}, ed)
	wantOutcome(t, out, err, StatusUnverified)
	if len(ed.plans) != 2 || len(ed.plans[1]) != 1 || ed.text("a") != "A\n" {
		t.Fatalf("plans %+v", ed.plans)
	}
	told = nil
	s.Sent.Settle("b", "B\n")
	got, _ := s.Get(p.ID)
	if got.Files[0].Done[1] != HunkLanded || got.Files[1].Done[1] != HunkLanded || got.State != event.ProposalApplied {
		t.Errorf("%+v", got)
	}
	if !slices.Equal(told, []event.ProposalState{event.ProposalApplied}) {
		t.Errorf("told %v", told)
	}
}

// TestFilesThatCannotBeRead are in the way; nothing of the turn is sent.
func TestFilesThatCannotBeRead(t *testing.T) {
	for _, c := range []edits.Change{
		update("dir", "a\n", "A\n"),
		{Path: "dir", Op: edits.OpCreate, After: "a\n"},
		{Path: "dir", Op: edits.OpDelete, Before: "a\n"},
		{Path: "dir", To: "b", Op: edits.OpRename, Before: "a\n", After: "A\n"},
		{Path: "a", To: "dir", Op: edits.OpRename, Before: "a\n", After: "A\n"},
	} {
		ed := newEditor(t, map[string]string{"a": "a\n", "other": "o\n"})
		ed.put("dir/file", "in it\n")
		s := newStore(t)
		p := add(t, s, c, update("other", "o\n", "O\n"))
		out, err := s.Apply(context.Background(), Selector{}, ed)
		wantOutcome(t, out, err, StatusConflict)
		if len(ed.plans) != 0 || !strings.Contains(out.Reason, "dir") && !strings.Contains(out.Reason, c.Path) {
			t.Errorf("%+v: %q", c, out.Reason)
		}
		if got, _ := s.Get(p.ID); got.State != event.ProposalConflict {
			t.Errorf("%+v: %s", c, got.State)
		}
	}
}
