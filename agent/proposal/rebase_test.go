package proposal

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/event"
	"coauthor/edits"
)

// gone stands for a file that is not there in the table of TestCheck.
const gone = "<no file>"

// TestCheck says for every operation what is found, and what not, in what the files read afterwards.
func TestCheck(t *testing.T) {
	ten := numbered(10)
	goal := strings.Replace(ten, "line 5\n", "five\n", 1)
	crlf := strings.ReplaceAll(goal, "\n", "\r\n")
	modify := edits.Change{Path: "a", Op: edits.OpUpdate, Before: ten, After: goal}
	create := edits.Change{Path: "a", Op: edits.OpCreate, After: goal}
	empty := edits.Change{Path: "a", Op: edits.OpCreate}
	remove := edits.Change{Path: "a", Op: edits.OpDelete, Before: ten}
	vacant := edits.Change{Path: "a", Op: edits.OpDelete, Before: ""}
	move := edits.Change{Path: "a", To: "b", Op: edits.OpRename, Before: ten, After: goal}
	plain := edits.Change{Path: "a", To: "b", Op: edits.OpRename, Before: ten, After: ten}
	for name, test := range map[string]struct {
		change   edits.Change
		path, to string
		want     LandState
		own      string // how the editor wrote it; "" is as it was meant
	}{
		"update: as meant":                       {modify, goal, gone, LandLanded, ""},
		"update: not there":                      {modify, ten, gone, LandAbsent, ""},
		"update: no file":                        {modify, gone, gone, LandDiffers, ""},
		"update: emptied":                        {modify, "", gone, LandDiffers, ""},
		"update: and more was typed":             {modify, goal + "typed\n", gone, LandLanded, ""},
		"update: not there, and more was typed":  {modify, "typed\n" + ten, gone, LandAbsent, ""},
		"update: typed into it":                  {modify, strings.Replace(goal, "five", "fivex", 1), gone, LandDiffers, ""},
		"update: line ends of its own":           {modify, crlf, gone, LandLanded, crlf},
		"update: without the last line end":      {modify, strings.TrimSuffix(goal, "\n"), gone, LandLanded, strings.TrimSuffix(goal, "\n")},
		"update: with one line end more":         {modify, goal + "\n", gone, LandLanded, goal + "\n"},
		"update: with a byte order mark":         {modify, "\ufeff" + goal, gone, LandLanded, "\ufeff" + goal},
		"update: half of two":                    {update("a", ten, strings.Replace(goal, "line 9\n", "nine\n", 1)), goal, gone, LandDiffers, ""},
		"create: as meant":                       {create, goal, gone, LandLanded, ""},
		"create: not there":                      {create, gone, gone, LandAbsent, ""},
		"create: an empty file":                  {create, "", gone, LandAbsent, ""},
		"create: a blank file":                   {create, "\n", gone, LandAbsent, ""},
		"create: line ends of its own":           {create, crlf, gone, LandLanded, crlf},
		"create: something else":                 {create, "else\n", gone, LandDiffers, ""},
		"create: an empty one as meant":          {empty, "", gone, LandLanded, ""},
		"create: an empty one with a line end":   {empty, "\n", gone, LandLanded, "\n"},
		"create: an empty one, not there":        {empty, gone, gone, LandAbsent, ""},
		"create: an empty one, and typed":        {empty, "typed\n", gone, LandLanded, ""},
		"delete: gone":                           {remove, gone, gone, LandLanded, ""},
		"delete: an empty buffer is left":        {remove, "", gone, LandLanded, ""},
		"delete: a blank buffer is left":         {remove, "\n", gone, LandLanded, ""},
		"delete: still there":                    {remove, ten, gone, LandAbsent, ""},
		"delete: still there, and changed":       {remove, ten + "typed\n", gone, LandDiffers, ""},
		"delete of an empty file: still there":   {vacant, "", gone, LandAbsent, ""},
		"delete of an empty file: gone":          {vacant, gone, gone, LandLanded, ""},
		"rename: as meant":                       {move, gone, goal, LandLanded, ""},
		"rename: and more was typed":             {move, gone, "typed\n" + goal, LandLanded, ""},
		"rename: line ends of its own":           {move, gone, crlf, LandLanded, crlf},
		"rename: nothing":                        {move, ten, gone, LandAbsent, ""},
		"rename: both are gone":                  {move, gone, gone, LandDiffers, ""},
		"rename: moved without the edit":         {move, gone, ten, LandDiffers, ""},
		"rename: the old file is left":           {move, ten, goal, LandDiffers, ""},
		"rename: the old file is left, empty":    {move, "", goal, LandDiffers, ""},
		"rename: the old one edited, not moved":  {move, goal, gone, LandAbsent, ""},
		"rename: copied, neither moved nor done": {move, ten, ten, LandDiffers, ""},
		"rename alone: as meant":                 {plain, gone, ten, LandLanded, ""},
		"rename alone: the old file is left":     {plain, ten, ten, LandDiffers, ""},
		"rename alone: nothing":                  {plain, ten, gone, LandAbsent, ""},
		"no operation":                           {edits.Change{Path: "a"}, goal, gone, LandUnknown, ""},
	} {
		file := func(text string) *string {
			if text == gone {
				return nil
			}
			return &text
		}
		state, own := Check(test.change, file(test.path), file(test.to))
		if state != test.want {
			t.Errorf("%s: %s, want %s", name, state, test.want)
		}
		if own == nil && test.own != "" || own != nil && *own != test.own {
			t.Errorf("%s: written %v, want %q", name, own, test.own)
		}
	}
}

// TestCheckOfTypedTexts: a change is found, or missed, whatever else was typed.
func TestCheckOfTypedTexts(t *testing.T) {
	tried := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 6))
		base := numbered(r.IntN(30) + 2)
		goal, typed := scribble(r, base, "model"), scribble(r, base, "user")
		both, conflicts := edits.Merge(base, typed, goal)
		if len(conflicts) > 0 || both == typed || both == goal || typed == base {
			continue
		}
		tried++
		for _, c := range []edits.Change{update("a", base, goal), {Path: "a", To: "b", Op: edits.OpRename, Before: base, After: goal}} {
			for text, want := range map[string]LandState{base: LandAbsent, typed: LandAbsent, goal: LandLanded, both: LandLanded} {
				path, to := &text, (*string)(nil)
				if c.Op == edits.OpRename {
					path, to = nil, &text
					if want == LandAbsent {
						want = LandDiffers // moved without the edit
					}
				}
				if got, own := Check(c, path, to); got != want || own != nil {
					t.Fatalf("seed %d, %s: %s, want %s\nbase %q\ngoal %q\ntext %q", seed, c.Op, got, want, base, goal, text)
				}
			}
		}
	}
	if tried < 50 {
		t.Errorf("only %d texts were tried", tried)
	}
}

// TestARenameThatLeftTheOldFile is not taken for done, and is when the old file goes; undo then brings all back.
func TestARenameThatLeftTheOldFile(t *testing.T) {
	files := map[string]string{"old": numbered(5)}
	ed := newEditor(t, files)
	ed.answer = func(step Step) (Landed, bool) { // it copies, and claims nothing
		ed.put("new", step.Change.After)
		from, to := ed.files["old"], ed.files["new"]
		state, text := Check(step.Change, &from, &to)
		return Landed{State: state, Text: text}, true
	}
	s := newStore(t)
	p := add(t, s, edits.Change{Path: "old", To: "new", Op: edits.OpRename, Before: numbered(5), After: numbered(5) + "more\n"})
	out, err := s.Apply(context.Background(), Selector{}, ed)
	wantOutcome(t, out, err, StatusUnverified)
	if out.Files[0].To != "new" || out.Files[0].Path != "old" || out.Files[0].Op != edits.OpRename || out.Files[0].Added != 1 {
		t.Errorf("outcome %+v", out.Files[0])
	}
	s.Sent.SettleFrom(ed.Current())
	if got, _ := s.Get(p.ID); got.State != event.ProposalUnverified {
		t.Fatalf("with both files: %s", got.State)
	}
	for _, path := range []string{"old", "new"} {
		if turn, ok := s.Sent.LastApplied(path); !ok || turn != "turn1" {
			t.Errorf("%s: LastApplied %q, %v", path, turn, ok)
		}
	}
	ed.mu.Lock()
	ed.remove("old")
	ed.mu.Unlock()
	s.Sent.SettleFrom(ed.Current())
	if got, _ := s.Get(p.ID); got.State != event.ProposalApplied {
		t.Fatalf("with the new file alone: %s", got.State)
	}
	ed.answer = nil
	out, err = s.Undo(context.Background(), "", ed)
	wantOutcome(t, out, err, StatusUndone)
	if got := ed.all(); !maps.Equal(got, files) {
		t.Fatalf("%q", got)
	}
}

// TestSettleOfEveryOperation: what is seen of the file that a change is about counts, and of no other.
func TestSettleOfEveryOperation(t *testing.T) {
	for _, c := range []edits.Change{
		update("a", "a\n", "A\n"),
		{Path: "a", Op: edits.OpCreate, After: "A\n"},
		{Path: "a", Op: edits.OpDelete, Before: "a\n"},
		{Path: "a", To: "b", Op: edits.OpRename, Before: "a\n", After: "A\n"},
	} {
		files := map[string]string{"a": "a\n", "other": "o\n"}
		if c.Op == edits.OpCreate {
			delete(files, "a")
		}
		ed := newEditor(t, files)
		ed.answer = func(Step) (Landed, bool) { return Landed{State: LandUnknown}, true }
		s := newStore(t)
		p := add(t, s, c)
		out, err := s.Apply(context.Background(), Selector{}, ed)
		wantOutcome(t, out, err, StatusUnverified)
		elsewhere := "other"
		if c.Op == edits.OpRename {
			elsewhere = "a" // an old file that reads like the new one is no move
		}
		s.Sent.Settle(elsewhere, c.After)
		if got, _ := s.Get(p.ID); got.State != event.ProposalUnverified {
			t.Fatalf("%s: another file settled it: %s", c.Op, got.State)
		}
		path := "a"
		if c.Op == edits.OpRename {
			path = "b"
		}
		s.Sent.Settle(path, c.After)
		if got, _ := s.Get(p.ID); got.State != event.ProposalApplied {
			t.Fatalf("%s: %s", c.Op, got.State)
		}
		if n := s.book.sent.unsettled.Load(); n != 0 {
			t.Errorf("%s: %d files unsettled", c.Op, n)
		}
	}
}

// TestNoTypingNoSurprise applies, undoes and redoes random turns of all operations with nobody typing. Every
// step must give exactly the files that it is meant to.
func TestNoTypingNoSurprise(t *testing.T) {
	type page struct {
		turn          string
		before, after map[string]string
	}
	ops := map[edits.Op]int{}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 5))
		ed := newEditor(t, map[string]string{"a": numbered(8), "b": numbered(5), "dir/c": numbered(1)})
		s := newStore(t)
		var done, undone []page
		for step := range 12 {
			now := ed.all()
			check := func(want map[string]string) {
				t.Helper()
				if got := ed.all(); !maps.Equal(got, want) {
					t.Fatalf("seed %d, step %d: got %q, want %q", seed, step, got, want)
				}
			}
			paths := slices.Sorted(maps.Keys(now))
			switch what := r.IntN(4); {
			case what == 0 && len(done) > 0:
				last := done[len(done)-1]
				out, err := s.Undo(context.Background(), []string{"", last.turn}[r.IntN(2)], ed)
				wantOutcome(t, out, err, StatusUndone)
				if out.Turn != last.turn {
					t.Fatalf("undid %s, not %s", out.Turn, last.turn)
				}
				check(last.before)
				done, undone = done[:len(done)-1], append(undone, last)
			case what == 1 && len(undone) > 0:
				last := undone[len(undone)-1]
				out, err := s.Redo(context.Background(), []string{"", last.turn}[r.IntN(2)], ed)
				wantOutcome(t, out, err, StatusApplied)
				check(last.after)
				done, undone = append(done, last), undone[:len(undone)-1]
			default:
				if len(undone) > 0 {
					continue // what was undone would no longer fit
				}
				after := maps.Clone(now)
				var changes []edits.Change
				r.Shuffle(len(paths), func(i, k int) { paths[i], paths[k] = paths[k], paths[i] })
				for i, path := range paths[:1+r.IntN(len(paths))] {
					text := now[path]
					fresh := fmt.Sprintf("n%d.%d", step, i)
					switch r.IntN(5) {
					case 0:
						changes = append(changes, edits.Change{Path: fresh, Op: edits.OpCreate, After: text + "copied\n"})
						after[fresh] = text + "copied\n"
					case 1:
						if len(after) == 1 {
							continue
						}
						changes = append(changes, edits.Change{Path: path, Op: edits.OpDelete, Before: text})
						delete(after, path)
					case 2:
						to := scribble(r, text+"end\n", "moved")
						changes = append(changes, edits.Change{Path: path, To: fresh, Op: edits.OpRename, Before: text, After: to})
						delete(after, path)
						after[fresh] = to
					default:
						to := scribble(r, text+"end\n", "model")
						changes = append(changes, update(path, text, to))
						after[path] = to
					}
				}
				if len(changes) == 0 {
					continue
				}
				for _, c := range changes {
					ops[c.Op]++
				}
				turn := fmt.Sprintf("t%d", step)
				p, err := s.Add(turn, "x", changes, ed.Current(), Checked{})
				if err != nil {
					t.Fatal(err)
				}
				out, err := s.Apply(context.Background(), Selector{Proposal: p.ID, Revision: 1}, ed)
				wantOutcome(t, out, err, StatusApplied)
				check(after)
				done = append(done, page{turn, now, after})
			}
			for path := range ed.all() {
				turn, ok := s.Sent.LastApplied(path)
				i := -1
				for k, pg := range done {
					was, before := pg.before[path]
					is, after := pg.after[path]
					if was != is || before != after {
						i = k
					}
				}
				if ok != (i >= 0) || ok && turn != done[i].turn {
					t.Fatalf("seed %d, step %d: %s was changed last by %q, %v", seed, step, path, turn, ok)
				}
			}
		}
	}
	if len(ops) != 4 {
		t.Errorf("operations %v", ops)
	}
}

// TestTheWayIsTold names what stands in the way by file and by line.
func TestTheWayIsTold(t *testing.T) {
	base := numbered(9)
	for name, test := range map[string]struct {
		goal, typed string
		want        string
	}{
		"one line":     {strings.Replace(base, "line 4\n", "four\n", 1), strings.Replace(base, "line 4\n", "mine\n", 1), "line 4)"},
		"two lines":    {strings.Replace(base, "line 4\nline 5\n", "four\n", 1), strings.Replace(base, "line 4\nline 5\n", "mine\nand more\n", 1), "lines 4 to 5)"},
		"the first":    {"x\n" + base, "y\n" + base, "line 1)"},
		"deleted here": {strings.Replace(base, "line 9\n", "nine\n", 1), strings.Replace(base, "line 9\n", "", 1), "line 9)"},
	} {
		merged, conflict := new(planner).merge("dir/a", base, test.typed, test.goal)
		if merged != "" || !strings.Contains(conflict, "dir/a") || !strings.Contains(conflict, "("+test.want) {
			t.Errorf("%s: %q, %q", name, merged, conflict)
		}
	}
}
