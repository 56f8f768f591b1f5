package proposal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"coauthor/agent/event"
	"coauthor/edits"
)

// TestOutcomes sends two files and says for each pair of answers what becomes of the whole, of the proposal
// and of undo.
func TestOutcomes(t *testing.T) {
	answer := map[LandState]Landed{
		LandLanded:  {State: LandLanded, Remark: "remark"},
		LandAbsent:  {State: LandAbsent, Reason: "absent"},
		LandRefused: {State: LandRefused, Reason: "refused"},
		LandDiffers: {State: LandDiffers, Reason: "differs"},
		LandUnknown: {State: LandUnknown, Reason: "unknown"},
	}
	for _, test := range []struct {
		a, b    LandState
		status  Status
		state   event.ProposalState
		reason  string
		open    int // files left to decide on
		applied bool
	}{
		{LandLanded, LandLanded, StatusApplied, event.ProposalApplied, "", 0, true},
		{LandLanded, LandAbsent, StatusPartial, event.ProposalPartial, "absent", 1, true},
		{LandLanded, LandRefused, StatusPartial, event.ProposalPartial, "refused", 1, true},
		{LandLanded, LandDiffers, StatusUnverified, event.ProposalUnverified, "differs", 0, true},
		{LandLanded, LandUnknown, StatusUnverified, event.ProposalUnverified, "unknown", 0, true},
		{LandAbsent, LandAbsent, StatusPending, event.ProposalPending, "absent", 2, false},
		{LandAbsent, LandRefused, StatusPending, event.ProposalPending, "absent; refused", 2, false},
		{LandRefused, LandRefused, StatusPending, event.ProposalPending, "refused", 2, false},
		{LandAbsent, LandDiffers, StatusUnverified, event.ProposalUnverified, "absent; differs", 1, true},
		{LandRefused, LandUnknown, StatusUnverified, event.ProposalUnverified, "refused; unknown", 1, true},
		{LandUnknown, LandUnknown, StatusUnverified, event.ProposalUnverified, "unknown", 0, true},
		{LandDiffers, LandDiffers, StatusUnverified, event.ProposalUnverified, "differs", 0, true},
	} {
		t.Run(string(test.a+" and "+test.b), func(t *testing.T) {
			ed := newEditor(t, map[string]string{"a": "a\n", "b": "b\n"})
			ed.answer = func(s Step) (Landed, bool) {
				return answer[map[string]LandState{"a": test.a, "b": test.b}[s.Change.Path]], true
			}
			s := newStore(t)
			p := add(t, s, update("a", "a\n", "A\nA\n"), update("b", "b\n", "B\n"))
			out, err := s.Apply(context.Background(), Selector{}, ed)
			wantOutcome(t, out, err, test.status)
			if out.Turn != "turn1" || out.Proposal != p.ID || out.Reason != test.reason {
				t.Errorf("%+v", out)
			}
			if got := out.Remark == "remark"; got != (test.a == LandLanded) {
				t.Errorf("remark %q", out.Remark)
			}
			want := []FileOutcome{
				{Path: "a", Op: edits.OpUpdate, State: test.a, Reason: answer[test.a].Reason, Remark: answer[test.a].Remark, Added: 2, Removed: 1},
				{Path: "b", Op: edits.OpUpdate, State: test.b, Reason: answer[test.b].Reason, Remark: answer[test.b].Remark, Added: 1, Removed: 1},
			}
			if !slices.Equal(out.Files, want) {
				t.Errorf("files %+v", out.Files)
			}
			got, ok := s.Get(p.ID)
			if !ok || got.State != test.state || got.Reason != out.Reason {
				t.Errorf("proposal %+v", got)
			}
			if files, _, _ := got.Open(); files != test.open || got.undecided() != (test.open > 0) {
				t.Errorf("%d files are open", files)
			}
			if got.Pending() != (test.open > 0) || len(s.Pending()) != map[bool]int{true: 1}[test.open > 0] {
				t.Errorf("pending %v, %d", got.Pending(), len(s.Pending()))
			}
			turn, ok := s.Sent.LastApplied("a")
			if _, b := s.Sent.LastApplied("b"); (ok || b) != test.applied || ok && turn != "turn1" {
				t.Errorf("LastApplied %q, %v, %v", turn, ok, b)
			}
			// The user's next request finds what is true.
			s.Sent.SettleFrom(ed.Current())
			if n := s.book.sent.unsettled.Load(); n != 0 {
				t.Errorf("%d files unsettled", n)
			}
			if got, _ := s.Get(p.ID); got.State == event.ProposalUnverified {
				t.Errorf("state %s", got.State)
			}
		})
	}
}

// TestAnAnswerForNothing: what the delivery says nothing of is unknown, and what it says of others is nothing.
func TestAnAnswerForNothing(t *testing.T) {
	ed := newEditor(t, map[string]string{"a": "a\n"})
	s := newStore(t)
	p := add(t, s, update("a", "a\n", "A\n"))
	out, err := s.Apply(context.Background(), Selector{}, mute{ed, []Landed{{Path: "other", State: LandLanded}}, nil})
	wantOutcome(t, out, err, StatusUnverified)
	if out.Files[0].State != LandUnknown {
		t.Errorf("%+v", out.Files)
	}
	s.Sent.SettleFrom(ed.Current())
	broken := errors.New("broken")
	out, err = s.Apply(context.Background(), Selector{Proposal: p.ID, Revision: 1}, mute{ed, []Landed{{Path: "a", State: LandAbsent}}, broken})
	if !errors.Is(err, broken) || out.Status != StatusPending {
		t.Fatalf("%+v, %v", out, err)
	}
	if got, _ := s.Get(p.ID); got.State != event.ProposalPending || got.Reason != "broken" {
		t.Errorf("%s, %q", got.State, got.Reason)
	}
}

type mute struct {
	*editor
	says []Landed
	err  error
}

func (m mute) Deliver(context.Context, string, []Step) ([]Landed, error) { return m.says, m.err }

// TestWhatMovesOnIsPlannedAgain, and not for ever.
func TestWhatMovesOnIsPlannedAgain(t *testing.T) {
	base := numbered(9)
	goal := strings.Replace(base, "line 5\n", "five\n", 1)
	for keys := range attempts + 2 {
		ed := newEditor(t, map[string]string{"a": base})
		s := newStore(t)
		p := add(t, s, update("a", base, goal))
		left := keys
		ed.before = func() {
			if got, _ := s.Get(p.ID); got.State != event.ProposalApplying {
				t.Errorf("it is %s while it is sent", got.State)
			}
			if left > 0 {
				left--
				ed.typed("a", ed.text("a")+"key\n")
			}
		}
		out, err := s.Apply(context.Background(), Selector{}, ed)
		want, plans, text := StatusApplied, keys+1, goal
		if keys >= attempts {
			want, plans, text = StatusPending, attempts, base
		}
		wantOutcome(t, out, err, want)
		if len(ed.plans) != plans || ed.text("a") != text+strings.Repeat("key\n", keys-left) {
			t.Errorf("%d keys: %d plans, %q", keys, len(ed.plans), ed.text("a"))
		}
		if got, _ := s.Get(p.ID); got.Pending() != (want == StatusPending) {
			t.Errorf("%d keys: %s", keys, got.State)
		}
		if turn, ok := s.Sent.LastApplied("a"); ok != (want == StatusApplied) {
			t.Errorf("%d keys: LastApplied %q, %v", keys, turn, ok)
		}
	}
}

// TestPlans: a step says on which text and version it was computed, and for which files consent is needed.
func TestPlans(t *testing.T) {
	ed := newEditor(t, map[string]string{"open": "o\n", "moves": "m\n", "secret": "s\n"})
	ed.ws.DidOpen("new", "", 7) // an empty buffer without a file: the file is made all the same
	s := NewStore("/root", StoreOptions{Random: &numbers{}, Clock: ticks(), Protected: func(path string) bool { return path == "secret" || path == "hidden" }})
	p, err := s.Add("t", "x", []edits.Change{
		update("open", "o\n", "O\n"), update("secret", "s\n", "S\n"),
		{Path: "moves", To: "hidden", Op: edits.OpRename, Before: "m\n", After: "m\n"},
		{Path: "new", Op: edits.OpCreate, After: "n\n"},
	}, ed.Current(), Checked{})
	if err != nil {
		t.Fatal(err)
	}
	protected := map[string]bool{"secret": true, "moves": true}
	for i := range p.Files {
		f := &p.Files[i]
		if f.Protected != protected[f.Change.Path] {
			t.Errorf("%s: protected %v", f.Change.Path, f.Protected)
		}
		doc, err := ed.Current().Document(f.Change.Path)
		if f.Change.Op == edits.OpCreate {
			if f.Base != (Base{}) {
				t.Errorf("%s: base %+v", f.Change.Path, f.Base)
			}
		} else if err != nil || f.Base != (Base{true, doc.Version, doc.Hash()}) {
			t.Errorf("%s: base %+v, %v", f.Change.Path, f.Base, err)
		}
	}
	var want []Step
	for _, path := range []string{"new", "open", "secret", "moves"} {
		step := Step{Consent: protected[path]}
		if path != "new" {
			doc, err := ed.Current().Document(path)
			if err != nil {
				t.Fatal(err)
			}
			step.Open, step.Version, step.Hash = true, doc.Version, doc.Hash()
		}
		want = append(want, step)
	}
	out, err := s.Apply(context.Background(), Selector{Proposal: p.ID, Revision: 1}, ed)
	wantOutcome(t, out, err, StatusApplied)
	for i, step := range ed.plans[0] {
		if !slices.Equal(step.Hunks, edits.Diff(step.Change.Before, step.Change.After)) {
			t.Errorf("%+v", step)
		}
		step.Change, step.Hunks = edits.Change{}, nil
		if fmt.Sprint(step) != fmt.Sprint(want[i]) {
			t.Errorf("step %d: %+v, want %+v", i, step, want[i])
		}
	}
	for i := range out.Files {
		if f := out.Files[i]; (f.To != "") != (f.Op == edits.OpRename) {
			t.Errorf("%+v", f)
		}
	}
}

// TestOneDeliveryAtATime: a second one waits, and can be called off while it does.
func TestOneDeliveryAtATime(t *testing.T) {
	ed := newEditor(t, map[string]string{"a": "a\n", "b": "b\n"})
	s := newStore(t)
	var ids []string
	for _, path := range []string{"a", "b"} {
		p, err := s.Add(path, "x", []edits.Change{update(path, path+"\n", "X\n")}, nil, Checked{})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, p.ID)
	}
	ran := false
	ed.before = func() {
		ran = true
		ctx, cancel := context.WithCancel(context.Background())
		result, waits := make(chan error, 1), make(chan struct{})
		go func() {
			_, err := s.Apply(watched{ctx, sync.OnceFunc(func() { close(waits) })}, Selector{Proposal: ids[1], Revision: 1}, ed)
			result <- err
		}()
		select {
		case <-waits:
		case err := <-result:
			t.Errorf("the second did not wait: %v", err)
		case <-time.After(hung):
			t.Fatal("hung: the second neither waits nor ends")
		}
		for _, sel := range []Selector{{Proposal: ids[0], Revision: 1}, {Turn: "a", Revision: 1}} {
			if _, err := s.Select(sel); !errors.Is(err, ErrApplying) {
				t.Errorf("%+v: %v", sel, err)
			}
		}
		if _, err := s.Discard(Selector{Proposal: ids[0]}); !errors.Is(err, ErrApplying) {
			t.Errorf("discarded: %v", err)
		}
		if _, err := s.Supersede(ids[0], "c", "x", []edits.Change{update("a", "a\n", "C\n")}, nil, Checked{}); !errors.Is(err, ErrApplying) {
			t.Errorf("superseded: %v", err)
		}
		s.Sent.Settle("a", "X\n") // what is on its way is not settled by a look
		s.Sent.SettleFrom(ed.Current())
		if p, _ := s.Get(ids[0]); p.State != event.ProposalApplying {
			t.Errorf("state %s", p.State)
		}
		cancel()
		if err := await(t, "the second ends", result); !errors.Is(err, context.Canceled) {
			t.Errorf("the second: %v", err)
		}
	}
	out, err := s.Apply(context.Background(), Selector{Proposal: ids[0], Revision: 1}, ed)
	wantOutcome(t, out, err, StatusApplied)
	if p, _ := s.Get(ids[1]); !ran || p.State != event.ProposalPending || ed.text("b") != "b\n" || len(ed.plans) != 1 {
		t.Errorf("the second: %s, %q", p.State, ed.text("b"))
	}
	ed.before = nil
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, f := range map[string]func() (Outcome, error){
		"apply": func() (Outcome, error) { return s.Apply(ctx, Selector{Proposal: ids[1], Revision: 1}, ed) },
		"undo":  func() (Outcome, error) { return s.Undo(ctx, "", ed) },
		"redo":  func() (Outcome, error) { return s.Redo(ctx, "", ed) },
	} {
		if out, err := f(); !errors.Is(err, context.Canceled) || out.Status != "" || len(ed.plans) != 1 {
			t.Errorf("%s when called off: %+v, %v", name, out, err)
		}
	}
}

// watched is a context that tells when somebody waits for its end.
type watched struct {
	context.Context
	waits func()
}

func (w watched) Done() <-chan struct{} { w.waits(); return w.Context.Done() }

// TestWithoutRandomnessNothingIsMade and nothing is sent.
func TestWithoutRandomnessNothingIsMade(t *testing.T) {
	ed := newEditor(t, map[string]string{"a": "a\n"})
	s := NewStore("", StoreOptions{Random: strings.NewReader(strings.Repeat("r", 10))})
	p, err := s.Add("t", "x", []edits.Change{update("a", "a\n", "A\n")}, nil, Checked{})
	if err != nil {
		t.Fatal(err)
	}
	if q, err := s.Add("t", "x", []edits.Change{update("a", "a\n", "A\n")}, nil, Checked{}); !errors.Is(err, io.EOF) || q != nil {
		t.Errorf("%+v, %v", q, err)
	}
	out, err := s.Apply(context.Background(), Selector{Proposal: p.ID, Revision: 1}, ed)
	if !errors.Is(err, io.EOF) || len(ed.plans) != 0 || out.Status != StatusPending {
		t.Errorf("%+v, %v", out, err)
	}
	if got, _ := s.Get(p.ID); got.State != event.ProposalPending || len(s.Pending()) != 1 {
		t.Errorf("state %s", got.State)
	}
}

// TestOldDeliveriesAreForgotten, and are not settled or undone any more.
func TestOldDeliveriesAreForgotten(t *testing.T) {
	ed := newEditor(t, map[string]string{"a": "0\n"})
	s := newStore(t)
	for i := range keepDeliveries + 1 {
		ed.answer = nil
		if i == 0 {
			ed.answer = func(Step) (Landed, bool) { return Landed{State: LandUnknown}, true }
		}
		p, err := s.Add(fmt.Sprint("t", i), "x", []edits.Change{update("a", ed.text("a"), fmt.Sprintf("%d\n", i+1))}, nil, Checked{})
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 { // it must stay open until it is forgotten
			if _, err := s.Apply(context.Background(), Selector{Proposal: p.ID, Revision: 1}, ed); err != nil {
				t.Fatal(err)
			}
			s.book.sent.list[0].files[0].change.Path = "elsewhere"
			s.book.sent.list[0].files[0].change.After = "never\n"
			ed.put("elsewhere", "changed\n")
			if s.book.sent.unsettled.Load() != 1 {
				t.Fatal("it is settled")
			}
			continue
		}
		if len(s.book.sent.list) != i {
			t.Fatalf("%d deliveries, want %d", len(s.book.sent.list), i)
		}
		out, err := s.Apply(context.Background(), Selector{Proposal: p.ID, Revision: 1}, ed)
		wantOutcome(t, out, err, StatusApplied)
	}
	if n := s.book.sent.unsettled.Load(); n != 0 || len(s.book.sent.list) != keepDeliveries || s.book.sent.list[0].turn != "t1" {
		t.Errorf("%d unsettled, %d deliveries, the first of %s", n, len(s.book.sent.list), s.book.sent.list[0].turn)
	}
	if _, err := s.Undo(context.Background(), "t0", ed); !errors.Is(err, ErrNotUndone) {
		t.Errorf("undo of what is forgotten: %v", err)
	}
}

// TestIdle: nothing to decide on, and nothing to undo.
func TestIdle(t *testing.T) {
	ed := newEditor(t, map[string]string{"a": "a\n"})
	s := newStore(t)
	want := func(when string, idle bool) {
		t.Helper()
		if s.Idle() != idle {
			t.Errorf("%s: idle %v", when, !idle)
		}
	}
	want("at first", true)
	add(t, s, update("a", "a\n", "A\n"))
	want("with a proposal", false)
	if _, err := s.Discard(Selector{}); err != nil {
		t.Fatal(err)
	}
	want("with one that was discarded", true)
	add(t, s, update("a", "a\n", "A\n"))
	out, err := s.Apply(context.Background(), Selector{}, ed)
	wantOutcome(t, out, err, StatusApplied)
	want("with one that was applied", false)
}

// TestUnsavedFilesAreRemarked: a new file that the user has open with this very text is not written for them.
func TestUnsavedFilesAreRemarked(t *testing.T) {
	ed := newEditor(t, nil)
	ed.ws.DidOpen("unsaved", "x\n", 1)
	ed.put("saved", "x\n")
	s := newStore(t)
	add(t, s, edits.Change{Path: "unsaved", Op: edits.OpCreate, After: "x\n"}, edits.Change{Path: "saved", Op: edits.OpCreate, After: "x\n"})
	out, err := s.Apply(context.Background(), Selector{}, ed)
	wantOutcome(t, out, err, StatusApplied)
	if !strings.Contains(out.Remark, "unsaved") || out.Files[0].Remark == "" || out.Files[1].Remark != "" || len(ed.plans) != 0 {
		t.Errorf("%+v", out)
	}
}

// TestSupersede replaces everything but the name, and refuses what it cannot.
func TestSupersede(t *testing.T) {
	var told []event.ProposalState
	now := time.Unix(100, 0)
	s := NewStore("/root", StoreOptions{Random: &numbers{}, Clock: func() time.Time { now = now.Add(time.Second); return now },
		Changed: func(p Proposal) { told = append(told, p.State) }})
	ed := newEditor(t, map[string]string{"a": "a\n", "b": "b\n"})
	p, err := s.Add("t1", "first", []edits.Change{update("a", "a\n", "A\n"), update("b", "b\n", "B\n")}, nil, Checked{Warnings: []string{"warned"}})
	if err != nil || p.Root != "/root" || !p.Created.Equal(time.Unix(101, 0)) || p.Label != "first" || !slices.Equal(p.Warnings, []string{"warned"}) {
		t.Fatalf("%+v, %v", p, err)
	}
	ed.typed("a", "mine\n")
	out, err := s.Apply(context.Background(), Selector{Proposal: p.ID, Revision: 1}, ed)
	wantOutcome(t, out, err, StatusConflict)
	for name, f := range map[string]func() (*Proposal, error){
		"an unknown one": func() (*Proposal, error) {
			return s.Supersede("nope", "t2", "x", []edits.Change{update("a", "a\n", "A\n")}, nil, Checked{})
		},
		"by nothing": func() (*Proposal, error) { return s.Supersede(p.ID, "t2", "x", nil, nil, Checked{}) },
	} {
		if q, err := f(); err == nil || q != nil {
			t.Errorf("%s: %+v", name, q)
		}
	}
	q, err := s.Supersede(p.ID, "t2", "second", []edits.Change{update("b", "b\n", "BB\n")}, nil, Checked{Warnings: []string{"other"}})
	if err != nil || q.ID != p.ID || q.Turn != "t2" || q.Label != "second" || q.Revision != 2 || q.State != event.ProposalPending ||
		q.Reason != "" || len(q.Files) != 1 || !q.Created.After(p.Created) || !slices.Equal(q.Warnings, []string{"other"}) {
		t.Fatalf("%+v, %v", q, err)
	}
	if got, _ := s.Get(p.ID); got.Turn != "t2" || got.Revision != 2 {
		t.Errorf("%+v", got)
	}
	if want := []event.ProposalState{"pending", "applying", "conflict", "superseded", "pending"}; !slices.Equal(told, want) {
		t.Errorf("told %v", told)
	}
	for _, turn := range []string{"t1", "t2"} {
		if got, err := s.Find(Selector{Turn: turn}); err != nil || got.ID != p.ID {
			t.Errorf("by %s: %v", turn, err)
		}
	}
	out, err = s.Apply(context.Background(), Selector{Proposal: p.ID, Revision: 2}, ed)
	wantOutcome(t, out, err, StatusApplied)
	if _, err := s.Supersede(p.ID, "t3", "x", []edits.Change{update("b", "b\n", "C\n")}, nil, Checked{}); !errors.Is(err, ErrDecided) {
		t.Errorf("after it was applied: %v", err)
	}
}

// What was sent before and never confirmed is named when the rest was applied: the change as a whole is not known to be there.
func TestTheRestIsNotTheWhole(t *testing.T) {
	ed := newEditor(t, map[string]string{"a": "a\n", "b": "b\n"})
	s := newStore(t)
	p := add(t, s, update("a", "a\n", "A\n"), update("b", "b\n", "B\n"))
	ed.answer = func(Step) (Landed, bool) { return Landed{State: LandDiffers}, true }
	out, err := s.Apply(context.Background(), Selector{Files: []string{"a"}}, ed)
	wantOutcome(t, out, err, StatusUnverified)
	ed.answer = nil
	ed.typed("a", "typed\n") // neither the one nor the other
	out, err = s.Apply(context.Background(), Selector{Proposal: p.ID}, ed)
	wantOutcome(t, out, err, StatusApplied)
	if got, _ := s.Get(p.ID); got.State != event.ProposalUnverified || !strings.Contains(out.Remark, "did not confirm") || !strings.HasSuffix(out.Remark, " a") {
		t.Errorf("%s, remark %q", got.State, out.Remark)
	}
}
