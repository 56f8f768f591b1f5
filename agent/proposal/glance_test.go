package proposal

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"coauthor/agent/event"
	"coauthor/edits"
)

// sent returns a store that has sent a change and heard a state of it, and the proposal's id.
func sent(t *testing.T, state LandState, base, goal string) (*Store, string) {
	t.Helper()
	ed := newEditor(t, map[string]string{"a": base})
	ed.answer = func(Step) (Landed, bool) { return Landed{State: state}, true }
	s := newStore(t)
	p := add(t, s, update("a", base, goal))
	out, err := s.Apply(context.Background(), Selector{}, ed)
	wantOutcome(t, out, err, StatusUnverified)
	return s, p.ID
}

// TestKeysCostLittleWhileADeliveryIsOpen types into a large file of which it is not known whether a change
// arrived: comparing all of it again at every key would show in what is allocated.
func TestKeysCostLittleWhileADeliveryIsOpen(t *testing.T) {
	base := numbered(2000)
	goal := strings.Replace(base, "line 900\n", "nine hundred\n", 1)
	for _, state := range []LandState{LandDiffers, LandUnknown} {
		for name, now := range map[string]string{
			"half of it":         strings.Replace(base, "line 900\n", "", 1),
			"none of it":         base,
			"and something else": strings.Replace(goal, "nine hundred\n", "nine hundred\nand one\n", 1),
		} {
			if state == LandUnknown && name != "none of it" {
				continue
			}
			s, id := sent(t, state, base, goal)
			at := strings.Index(now, "line 1500\n")
			var keys []string
			for i := range 60 {
				keys = append(keys, now[:at]+strings.Repeat("x", i)+now[at:])
			}
			s.Sent.Settle("a", keys[0])
			i := 0
			if allocs := testing.AllocsPerRun(len(keys)-2, func() { i++; s.Sent.Settle("a", keys[i]) }); allocs > 50 {
				t.Errorf("%s, %s: %.0f allocations at every key", state, name, allocs)
			}
			if p, _ := s.Get(id); name != "and something else" && p.State != event.ProposalUnverified {
				t.Errorf("%s, %s: state %s", state, name, p.State)
			}
		}
	}
}

// TestAnArrivalIsSeenWhateverIsTyped types at random, has the change arrive somewhere in between, in one
// piece or in several, and expects it to be seen as soon as it is there.
func TestAnArrivalIsSeenWhateverIsTyped(t *testing.T) {
	seen := 0
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 4))
		base := numbered(3 + r.IntN(30))
		goal := scribble(r, base, "model")
		if goal == base {
			continue
		}
		s, id := sent(t, []LandState{LandUnknown, LandDiffers}[r.IntN(2)], base, goal)
		hunks := edits.Diff(base, goal)
		text, arrived := base, 0
		crlf := r.IntN(4) == 0
		for step := range 30 {
			lines := splitLines(text)
			at := r.IntN(len(lines) + 1)
			switch what := r.IntN(6); {
			case arrived < len(hunks) && (what == 0 || step == 20):
				upTo := min(arrived+1+r.IntN(len(hunks)), len(hunks))
				had, err := edits.ApplyHunks(base, hunks[:arrived])
				if err != nil {
					t.Fatal(err)
				}
				more, err := edits.ApplyHunks(base, hunks[:upTo])
				if err != nil {
					t.Fatal(err)
				}
				next, conflicts := edits.Merge(had, text, more)
				if len(conflicts) > 0 {
					break // the user is in the way of it
				}
				text, arrived = next, upTo
			case what < 3 || at == len(lines):
				text = strings.Join(lines[:at], "") + fmt.Sprintf("typed %d\n", step) + strings.Join(lines[at:], "")
			case what == 3 && strings.HasPrefix(lines[at], "typed"): // and taken back
				lines[at] = ""
				text = strings.Join(lines, "")
			case strings.HasPrefix(lines[at], "typed"):
				lines[at] = strings.TrimSuffix(lines[at], "\n") + "x\n"
				text = strings.Join(lines, "")
			}
			now := text
			if crlf && now == goal {
				now = strings.ReplaceAll(now, "\n", "\r\n")
			}
			s.Sent.Settle("a", now)
			p, _ := s.Get(id)
			state, _ := Check(update("a", base, goal), &now, nil)
			if want := state == LandLanded; (p.State == event.ProposalApplied) != want {
				if p.State == event.ProposalApplied {
					break // it was there before
				}
				t.Fatalf("seed %d, step %d: %s, and the proposal is %s\nbase %q\ngoal %q\nnow %q", seed, step, state, p.State, base, goal, now)
			}
			if p.State == event.ProposalApplied {
				seen++
				break
			}
		}
	}
	if seen < 50 {
		t.Errorf("only %d arrived, so the test shows little", seen)
	}
}

func TestBetween(t *testing.T) {
	long := numbered(3000) // more than is compared at once
	for name, test := range map[string]struct{ a, b, inA, inB string }{
		"nothing":           {"a\nb\n", "a\nb\n", "", ""},
		"a letter":          {"a\nb\nc\n", "a\nbx\nc\n", "b\n", "bx\n"},
		"a letter in front": {"a\nb\nc\n", "a\nxb\nc\n", "b\n", "xb\n"},
		"the last line":     {"a\nb", "a\nbc", "b", "bc"},
		"the first line":    {"a\nb\n", "c\nb\n", "a\n", "c\n"},
		"a line more":       {"a\nb\nc\nd\n", "a\nb\nx\nc\nd\n", "b\nc\n", "b\nx\nc\n"},
		"a line less":       {"a\nb\nx\nc\nd\n", "a\nb\nc\nd\n", "b\nx\nc\n", "b\nc\n"},
		"all":               {"a\n", "", "a\n", ""},
		"from nothing":      {"", "a\n", "", "a\n"},
		"far in":            {long, strings.Replace(long, "line 2000\n", "line two\n", 1), "line 2000\n", "line two\n"},
		"far in, deleted":   {long, strings.Replace(long, "line 2000\n", "", 1), "line 1999\nline 2000\nline 2001\n", "line 1999\nline 2001\n"},
	} {
		inA, inB := between(test.a, test.b)
		if inA != test.inA || inB != test.inB {
			t.Errorf("%s: %q and %q", name, inA, inB)
		}
	}
}
