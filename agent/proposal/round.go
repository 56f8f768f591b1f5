package proposal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"coauthor/agent/event"
)

// A turn can propose after each of its rounds. The proposal of a round is named like one of a turn of its own, so
// that it is decided on, taken back and kept like any other: the turn's id, a dot, and the number of the round.
// The id alone stands for the last of them in Undo and Redo, and elsewhere for the one that waits.

// RoundName names the proposal of a round; n counts from 1.
func RoundName(turn string, n int) string { return turn + "." + strconv.Itoa(n) }

// TurnOf returns the id of the turn that a proposal names as its own.
func TurnOf(name string) string {
	turn, _, _ := strings.Cut(name, ".")
	return turn
}

// RoundOf returns the number of the round whose proposal has that name, 0 for one of a whole turn.
func RoundOf(name string) int {
	_, n, _ := strings.Cut(name, ".")
	round, err := strconv.Atoi(n)
	if err != nil {
		return 0
	}
	return round
}

// ofRounds returns the proposals of the rounds of a turn, oldest first. The caller holds mu.
func (l *proposals) ofRounds(turn string) []*entry {
	var list []*entry
	for _, e := range l.list {
		of := func(p Proposal) bool { return RoundOf(p.Turn) > 0 && TurnOf(p.Turn) == turn }
		if of(e.now) || slices.ContainsFunc(e.old, of) {
			list = append(list, e)
		}
	}
	return list
}

// oneRound chooses the proposal that is meant by a turn that has proposed in rounds; nil when it has not. The
// caller holds mu.
func (l *proposals) oneRound(turn string) (*entry, error) {
	list := l.ofRounds(turn)
	waiting := slices.DeleteFunc(slices.Clone(list), func(e *entry) bool { return !e.now.Pending() })
	switch {
	case len(list) == 0:
		return nil, nil
	case len(waiting) == 0:
		return list[len(list)-1], nil
	case len(waiting) == 1:
		return waiting[0], nil
	}
	r := refuse(ErrAmbiguous, "this request has %d pending changes; apply or discard them one at a time, oldest first", len(waiting))
	r.Candidates = copies(waiting)
	return nil, r
}

// lastRound returns the name under which op finds what a turn has done last: its own, or that of a round. The
// caller holds mu.
func (ds *deliveries) lastRound(turn string, op operation) string {
	last := turn
	for _, d := range slices.Backward(ds.list) {
		if d.turn == turn || TurnOf(d.turn) != turn {
			continue
		}
		if (op == opRedo) == (d.op == opUndo) && anyLive(d) {
			return d.turn
		}
		if last == turn {
			last = d.turn
		}
	}
	return last
}

// missing says why a change of a round may have nothing to stand on: an earlier round of its turn is not in the
// user's files. "" when all are. The caller holds mu.
func (l *proposals) missing(p *Proposal) string {
	n := RoundOf(p.Turn)
	if n == 0 {
		return ""
	}
	for _, e := range l.ofRounds(TurnOf(p.Turn)) {
		earlier := RoundOf(e.now.Turn)
		if earlier == 0 || earlier >= n {
			continue
		}
		is := ""
		switch e.now.State {
		case event.ProposalDiscarded:
			is = "was discarded"
		case event.ProposalUndone:
			is = "was undone"
		case event.ProposalPartial:
			is = "was partly applied"
		case event.ProposalPending, event.ProposalConflict, event.ProposalApplying:
			is = "is not applied yet"
		case event.ProposalApplied, event.ProposalUnverified, event.ProposalSuperseded:
			continue
		}
		return fmt.Sprintf("it builds on step %d, which %s", earlier, is)
	}
	return ""
}
