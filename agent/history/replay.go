package history

import (
	"slices"
	"strings"
)

// Told is a conversation as a transcript tells it.
type Told struct {
	Session   string
	Exchanges []Exchange // oldest first; those of a file that is longer than what is read of it begin in the middle
	Last      int        // number of the newest exchange there ever was
	Cut       int        // how many of the exchanges break off
}

// Find returns where an exchange stands, by the id of its turn; -1 for none.
func (t Told) Find(turn string) int {
	return slices.IndexFunc(t.Exchanges, func(x Exchange) bool { return x.Turn == turn })
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
				t.Exchanges = t.Exchanges[:at]
			} else {
				t.Exchanges = nil // it stood before what is read of the file
			}
			t.Last = max(r.Number-1, 0)
		case KindClear:
			t.Exchanges, t.Last = nil, 0
		case KindSummary:
		}
	}
	for _, x := range t.Exchanges {
		if strings.HasSuffix(x.Reply, markCut) {
			t.Cut++
		}
	}
	return t
}
