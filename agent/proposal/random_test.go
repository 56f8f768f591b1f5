package proposal

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"coauthor/agent/event"
	"coauthor/edits"
)

// scribble changes a text at random places; every line it writes is unlike any other.
func scribble(r *rand.Rand, text, mark string) string {
	lines := splitLines(text)
	for n := range 1 + r.IntN(4) {
		own := fmt.Sprintf("%s %d.%d\n", mark, r.IntN(1000), n)
		at := r.IntN(len(lines) + 1)
		switch {
		case at == len(lines) || r.IntN(3) == 0:
			lines = slices.Insert(lines, at, own)
		case r.IntN(3) == 0:
			lines = slices.Delete(lines, at, min(len(lines), at+1+r.IntN(3)))
		default:
			lines[at] = own
		}
	}
	return strings.Join(lines, "")
}

// TestNothingTypedIsLost applies random proposals while the user types at random, and undoes them.
func TestNothingTypedIsLost(t *testing.T) {
	tally := map[Status]int{}
	for seed := range uint64(250) {
		r := rand.New(rand.NewPCG(seed, 1))
		files := map[string]string{}
		var changes []edits.Change
		for i := range 1 + r.IntN(3) {
			path := fmt.Sprintf("f%d", i)
			files[path] = numbered(r.IntN(40) + 1)
			changes = append(changes, update(path, files[path], scribble(r, files[path], "model")))
		}
		if r.IntN(3) == 0 {
			changes = append(changes, edits.Change{Path: "new", Op: edits.OpCreate, After: numbered(r.IntN(3))})
		}
		ed := newEditor(t, files)
		s := newStore(t)
		add(t, s, changes...)
		var typed []string
		typing := func() {
			path := fmt.Sprintf("f%d", r.IntN(len(files)))
			mark := fmt.Sprintf("user%d", len(typed))
			typed = append(typed, mark)
			lines := splitLines(ed.text(path))
			at := r.IntN(len(lines) + 1)
			ed.typed(path, strings.Join(slices.Insert(lines, at, mark+"\n"), ""))
		}
		for range r.IntN(3) {
			typing()
		}
		quiet := len(typed) == 0
		ed.before = func() {
			if r.IntN(3) == 0 {
				typing()
				quiet = false
			}
		}
		check := func(when string) {
			t.Helper()
			all := strings.Join(slices.Collect(maps.Values(ed.all())), "")
			for _, mark := range typed {
				if strings.Count(all, mark+"\n") != 1 {
					t.Fatalf("seed %d, %s: %q was lost", seed, when, mark)
				}
			}
		}
		before := ed.all()
		out, err := s.Apply(context.Background(), Selector{}, ed)
		if err != nil {
			t.Fatal(err)
		}
		tally[out.Status]++
		check("after apply")
		if out.Status == StatusConflict && !maps.Equal(before, ed.all()) && quiet {
			t.Fatalf("seed %d: a conflict changed something", seed)
		}
		if out.Status == StatusApplied && quiet {
			for _, c := range changes {
				if ed.text(c.Path) != c.After {
					t.Fatalf("seed %d: %s is not as proposed", seed, c.Path)
				}
			}
		}
		for range r.IntN(3) {
			typing()
			quiet = false
		}
		if out.Status != StatusApplied && out.Status != StatusPartial {
			continue
		}
		out, err = s.Undo(context.Background(), "", ed)
		if err != nil {
			t.Fatal(err)
		}
		tally["undo "+out.Status]++
		check("after undo")
		if quiet && (out.Status != StatusUndone || !maps.Equal(files, ed.all())) {
			t.Fatalf("seed %d: undo is not the inverse: %+v", seed, out)
		}
		if out.Status == StatusUndone && strings.Contains(strings.Join(slices.Collect(maps.Values(ed.all())), ""), "model ") {
			t.Fatalf("seed %d: something of the model is left", seed)
		}
	}
	for _, status := range []Status{StatusApplied, StatusConflict, "undo " + StatusUndone, "undo " + StatusConflict} {
		if tally[status] == 0 {
			t.Errorf("no run ended %s, so the test shows little: %v", status, tally)
		}
	}
}

// TestHunksInAnyOrder accepts and discards single hunks in random order while the user types.
func TestHunksInAnyOrder(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 2))
		base := numbered(60)
		goal := scribble(r, scribble(r, base, "model"), "again")
		ed := newEditor(t, map[string]string{"a": base})
		s := newStore(t)
		p := add(t, s, update("a", base, goal))
		var taken []edits.Hunk
		for _, i := range r.Perm(len(p.Files[0].Hunks)) {
			h := p.Files[0].Hunks[i]
			sel := Selector{Proposal: p.ID, Hunks: []int{h.Number}}
			if r.IntN(3) == 0 {
				if _, err := s.Discard(sel); err != nil {
					t.Fatal(err)
				}
				continue
			}
			out, err := s.Apply(context.Background(), sel, ed)
			wantOutcome(t, out, err, StatusApplied)
			taken = append(taken, h)
		}
		slices.SortFunc(taken, func(a, b edits.Hunk) int { return a.Number - b.Number })
		want, err := edits.ApplyHunks(base, taken)
		if err != nil {
			t.Fatal(err)
		}
		if got := ed.text("a"); got != want {
			t.Fatalf("seed %d: got %q, want %q", seed, got, want)
		}
		got, _ := s.Get(p.ID)
		if end := map[bool]event.ProposalState{true: event.ProposalApplied, false: event.ProposalDiscarded}[len(taken) > 0]; got.State != end {
			t.Fatalf("seed %d: state %s, want %s", seed, got.State, end)
		}
		if len(taken) == 0 {
			continue
		}
		out, err := s.Undo(context.Background(), "", ed)
		wantOutcome(t, out, err, StatusUndone)
		if ed.text("a") != base {
			t.Fatalf("seed %d: undo left %q", seed, ed.text("a"))
		}
	}
}

// TestAllAtOnce uses a Store from many goroutines; the race detector and the end state judge.
func TestAllAtOnce(t *testing.T) {
	const n = 8
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("f%d", i)] = numbered(10)
	}
	ed := newEditor(t, files)
	j, err := NewJournal(t.TempDir(), ThisProcess())
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	var s *Store
	s = NewStore("/root", StoreOptions{Journal: j, Changed: func(Proposal) { s.Pending() }})
	ctx := context.Background()
	var all sync.WaitGroup
	for i := range n {
		path := fmt.Sprintf("f%d", i)
		goal := strings.Replace(numbered(10), "line 3\n", "three\n", 1)
		all.Go(func() {
			turn := "turn-" + path
			p, err := s.Add(turn, "x", []edits.Change{update(path, numbered(10), goal)}, ed.Current(), Checked{})
			if err != nil {
				t.Error(err)
				return
			}
			ed.typed(path, "typed\n"+ed.text(path))
			out, err := s.Apply(ctx, Selector{Proposal: p.ID, Revision: 1}, ed)
			if err != nil || out.Status != StatusApplied {
				t.Errorf("apply: %+v, %v", out, err)
			}
			s.Sent.Settle(path, ed.text(path))
			s.Sent.LastApplied(path)
			if i%2 == 0 {
				out, err := s.Undo(ctx, turn, ed)
				if err != nil || out.Status != StatusUndone {
					t.Errorf("undo: %+v, %v", out, err)
				}
			}
		})
		all.Go(func() {
			s.Sent.SettleFrom(ed.Current())
			_, _ = s.Select(Selector{})
			_, _ = s.Discard(Selector{Proposal: "nope"})
		})
	}
	all.Wait()
	for i := range n {
		want := "typed\n" + numbered(10)
		if i%2 == 1 {
			want = strings.Replace(want, "line 3\n", "three\n", 1)
		}
		if got := ed.text(fmt.Sprintf("f%d", i)); got != want {
			t.Errorf("f%d: %q", i, got)
		}
	}
	records, err := j.Records()
	if err != nil || len(records) < n {
		t.Errorf("%d records, %v", len(records), err)
	}
}

// TestManyHands has many add, decide and look at once. Nothing is lost, and nobody sees half of it.
func TestManyHands(t *testing.T) {
	const writers, each = 6, 150
	s := NewStore("/root", StoreOptions{})
	kept := make([]string, writers)
	var writing, looking sync.WaitGroup
	stop := make(chan struct{})
	for w := range writers {
		writing.Go(func() {
			for i := range each {
				turn := fmt.Sprintf("t%d.%d", w, i)
				p, err := s.Add(turn, "x", []edits.Change{update("a", "a\n", "A\n"), update("b", "b\n", "B\n")}, nil, Checked{})
				if err != nil {
					t.Error(err)
					return
				}
				if i == each/2 {
					kept[w] = p.ID
					continue
				}
				if i%3 == 0 {
					if p, err = s.Supersede(p.ID, turn+"'", "y", []edits.Change{update("a", "a\n", "AA\n")}, nil, Checked{}); err != nil {
						t.Error(err)
						return
					}
				}
				s.MarkShown(p.ID, p.Revision)
				if got, err := s.Select(Selector{Proposal: p.ID}); err != nil || got.ID != p.ID || got.Shown != p.Revision {
					t.Errorf("%+v, %v", got, err)
				}
				if _, err := s.Discard(Selector{Proposal: p.ID}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 4 {
		looking.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				for _, p := range s.Pending() {
					if len(p.Files) == 0 || p.ID == "" {
						t.Errorf("%+v", p)
					}
					s.Get(p.ID)
				}
				_, _ = s.Find(Selector{Turn: "t0.1"})
				_, _ = s.Select(Selector{})
				s.Idle()
				s.Sent.LastApplied("a")
				s.Sent.LastUndone("a")
			}
		})
	}
	writing.Wait()
	close(stop)
	looking.Wait()
	var got []string
	for _, p := range s.Pending() {
		got = append(got, p.ID)
	}
	slices.Sort(got)
	slices.Sort(kept)
	if !slices.Equal(got, kept) {
		t.Errorf("%d are pending, want %d", len(got), len(kept))
	}
	if _, err := s.Add("last", "", []edits.Change{update("a", "a\n", "A\n")}, nil, Checked{}); err != nil {
		t.Fatal(err)
	}
	if n := len(s.book.proposals.list); n != writers+keepDecided+1 {
		t.Errorf("%d proposals are kept, want %d", n, writers+keepDecided+1)
	}
}
