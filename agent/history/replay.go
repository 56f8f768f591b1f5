package history

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Told is a conversation as a transcript tells it.
type Told struct {
	Session   string
	Exchanges []Exchange // oldest first; those of a file that is longer than what is read of it begin in the middle
	Summary   Summary    // of the beginning, also of what stands before Exchanges; the zero one for none
	Last      int        // number of the newest exchange there ever was
	Cut       int        // how many of the exchanges break off

	earlier []Summary // that Summary took the place of, oldest first
}

// Find returns where an exchange stands, by the id of its turn; -1 for none.
func (t Told) Find(turn string) int {
	return slices.IndexFunc(t.Exchanges, func(x Exchange) bool { return x.Turn == turn })
}

// Request finds an exchange by its number or its turn; "" is the last.
func (t Told) Request(which string) (int, error) {
	list := t.Exchanges
	if len(list) == 0 {
		return 0, errors.New("nothing to rewind; this conversation has no requests yet")
	}
	if which == "" {
		return len(list) - 1, nil
	}
	number, err := strconv.Atoi(which)
	for i, x := range slices.Backward(list) {
		if x.Turn == which || err == nil && x.Number == number {
			return i, nil
		}
	}
	return 0, fmt.Errorf("this conversation has no request %s; choose a number from %d to %d", which, list[0].Number, list[len(list)-1].Number)
}

// Before is the conversation as it was before the exchange that stands at a place.
func (t Told) Before(at int) Told {
	number := t.Exchanges[at].Number
	t.dropSummaries(func(s Summary) bool { return t.Find(s.Turn) >= at })
	t.Exchanges = t.Exchanges[:at]
	t.Last = max(number-1, 0)
	return t
}

// Rest is the conversation without the exchanges that its summary stands for.
func (t Told) Rest() Told {
	if t.Summary != (Summary{}) {
		t.Exchanges = t.Exchanges[t.Find(t.Summary.Turn)+1:]
	}
	return t
}

// dropSummaries goes back to the newest summary that is not gone.
func (t *Told) dropSummaries(gone func(Summary) bool) {
	for t.Summary != (Summary{}) && gone(t.Summary) {
		n := len(t.earlier) - 1
		if n < 0 {
			t.Summary = Summary{}
			return
		}
		t.Summary, t.earlier = t.earlier[n], t.earlier[:n:n]
	}
}

// markCut says to a model that the rest of a reply is lost.
const markCut = "(The record of this answer breaks off here.)"

// Replay tells a conversation from its records; those of others are passed over. "" is the one that had the last
// word.
func Replay(records []Record, session string) Told {
	for i := len(records) - 1; i >= 0 && session == ""; i-- {
		session = records[i].Session
	}
	t := Told{Session: session}
	begun := false // something of the conversation was read
	for _, r := range records {
		if r.Session != session {
			continue
		}
		switch r.Kind {
		case KindTurn:
			x := r.Exchange
			if r.Cut {
				x.Reply += "\n\n" + markCut
			}
			t.Exchanges = append(t.Exchanges, x)
			t.Last = max(t.Last+1, x.Number)
		case KindRewind:
			if at := t.Find(r.Turn); at >= 0 {
				t = t.Before(at)
			} else { // it stood before what is read of the file
				t.dropSummaries(func(s Summary) bool { return s.Number >= r.Number })
				t.Exchanges = nil
			}
			t.Last = max(r.Number-1, 0)
		case KindClear:
			t = Told{Session: session}
		case KindSummary:
			// It may have been written just after what it stands for was taken back.
			if t.Find(r.Turn) < 0 && begun && (len(t.Exchanges) > 0 && r.Number >= t.Exchanges[0].Number || r.Number > t.Last) {
				continue
			}
			if t.Summary != (Summary{}) {
				t.earlier = append(t.earlier, t.Summary)
			}
			t.Summary = Summary{Text: r.Text, Turn: r.Turn, Number: r.Number}
			t.Last = max(t.Last, r.Number)
		}
		begun = true
	}
	for _, x := range t.Exchanges {
		if strings.HasSuffix(x.Reply, markCut) {
			t.Cut++
		}
	}
	return t
}
