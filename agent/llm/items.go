package llm

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// items are the pieces that an answer through Responses or of Anthropic's is made of, in the order in which they
// began. Servers number them, or name them, and some do so badly: what begins is a new piece whatever its number is.
type items struct {
	begun int
	named map[string]int // the last piece with this id or number
	kinds []itemKind     // of each piece
	told  bool           // the server says where a piece begins

	done    map[int]json.RawMessage // as the server gave them at their end
	said    map[int]bool            // pieces of which text was passed on
	thought map[int]bool            // or thinking
	last    int                     // the piece of the text that was passed on last
}

// idOfItem sets an id apart from the numbers.
func idOfItem(id mark) string {
	if id == "" {
		return ""
	}
	return "id " + string(id)
}

// itemKind is what a piece is; "" is not known yet.
type itemKind string

const (
	itemText    itemKind = "text"
	itemThought itemKind = "thought"
	itemCall    itemKind = "call"
)

// open begins a piece, which is found by its names from then on.
func (s *items) open(kind itemKind, names ...string) int {
	if s.named == nil {
		s.named, s.said, s.thought, s.done = map[string]int{}, map[int]bool{}, map[int]bool{}, map[int]json.RawMessage{}
	}
	for _, name := range names {
		if name != "" {
			s.named[name] = s.begun
		}
	}
	s.kinds = append(s.kinds, kind)
	s.begun++
	return s.begun - 1
}

// begin is open for a server that says where a piece begins.
func (s *items) begin(kind itemKind, names ...string) int {
	s.told = true
	return s.open(kind, names...)
}

// find gives the piece that has the first of the names that any has.
func (s *items) find(names ...string) (int, bool) {
	for _, name := range names {
		if place, ok := s.named[name]; ok && name != "" {
			return place, true
		}
	}
	return 0, false
}

// at is the piece that a part of a kind belongs to: the one with its names. Where none has them, or it is of another
// kind, it is the last of that kind.
func (s *items) at(kind itemKind, names ...string) int {
	place, ok := s.find(names...)
	if ok && s.fits(place, kind) {
		return place
	}
	if ok || s.told || strings.Join(names, "") == "" {
		for place := s.begun - 1; place >= 0; place-- {
			if s.fits(place, kind) {
				return place
			}
		}
	}
	if ok {
		return s.open(kind)
	}
	return s.open(kind, names...)
}

// fits says whether a piece is of a kind, which it is from then on.
func (s *items) fits(place int, kind itemKind) bool {
	if s.kinds[place] == "" {
		s.kinds[place] = kind
	}
	return s.kinds[place] == kind
}

// unfinished is the piece with these names, or a new one where that has ended.
func (s *items) unfinished(kind itemKind, names ...string) int {
	place, ok := s.find(names...)
	if !ok || s.done[place] != nil {
		return s.open(kind, names...)
	}
	return place
}

func (s *items) finish(place int, raw json.RawMessage) {
	s.done[place] = raw
}

// ended is the place of a piece of the list that ends an answer, by its id, else by its number there. done says
// that it was given before.
func (s *items) ended(id string, n int) (place int, done bool) {
	place, ok := s.find(id)
	switch {
	case ok:
	case n < s.begun:
		place = n
	default:
		place = s.open("", id)
	}
	return place, s.done[place] != nil
}

// raw returns the pieces in their order.
func (s *items) raw() []json.RawMessage {
	var list []json.RawMessage
	for _, i := range slices.Sorted(maps.Keys(s.done)) {
		list = append(list, s.done[i])
	}
	return list
}

// say passes on text of a piece of the answer. Two pieces do not run into one line.
func (s *items) say(to *answer, place int, text string) {
	if text == "" {
		return
	}
	if to.text.Len() > 0 && s.last != place && !strings.HasSuffix(to.text.String(), "\n") {
		text = "\n\n" + text
	}
	s.said[place] = true
	s.last = place
	to.say(text)
}

func (s *items) think(to *answer, place int, text string) {
	if text != "" {
		s.thought[place] = true
		to.think(text)
	}
}

// grow takes in a part of the arguments of a call.
func (s *items) grow(to *answer, place int, args string) {
	switch {
	case len(to.request.Tools) > 0:
		to.excess = !to.calls.grow(place, args)
	case to.unasked(args):
		s.said[place] = true
	default:
		s.say(to, place, args)
	}
}
