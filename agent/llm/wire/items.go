package wire

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Items are the pieces that an answer through Responses or of Anthropic's is made of, in the order in which they
// began. Servers number them, or name them, and some do so badly: what begins is a new piece whatever its number is.
type Items struct {
	begun int
	named map[string]int // the last piece with this id or number
	kinds []ItemKind     // of each piece
	told  bool           // the server says where a piece begins

	done    map[int]json.RawMessage // as the server gave them at their end
	Said    map[int]bool            // pieces of which text was passed on
	Thought map[int]bool            // or thinking
	last    int                     // the piece of the text that was passed on last
}

// IdOfItem sets an id apart from the numbers.
func IdOfItem(id Mark) string {
	if id == "" {
		return ""
	}
	return "id " + string(id)
}

// ItemKind is what a piece is; "" is not known yet.
type ItemKind string

// What a piece can be.
const (
	ItemText    ItemKind = "text"
	ItemThought ItemKind = "thought"
	ItemCall    ItemKind = "call"
)

// Open begins a piece, which is found by its names from then on.
func (s *Items) Open(kind ItemKind, names ...string) int {
	if s.named == nil {
		s.named, s.Said, s.Thought, s.done = map[string]int{}, map[int]bool{}, map[int]bool{}, map[int]json.RawMessage{}
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

// Begin is open for a server that says where a piece begins.
func (s *Items) Begin(kind ItemKind, names ...string) int {
	s.told = true
	return s.Open(kind, names...)
}

// find gives the piece that has the first of the names that any has.
func (s *Items) find(names ...string) (int, bool) {
	for _, name := range names {
		if place, ok := s.named[name]; ok && name != "" {
			return place, true
		}
	}
	return 0, false
}

// At is the piece that a part of a kind belongs to: the one with its names. Where none has them, or it is of another
// kind, it is the last of that kind.
func (s *Items) At(kind ItemKind, names ...string) int {
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
		return s.Open(kind)
	}
	return s.Open(kind, names...)
}

// fits says whether a piece is of a kind, which it is from then on.
func (s *Items) fits(place int, kind ItemKind) bool {
	if s.kinds[place] == "" {
		s.kinds[place] = kind
	}
	return s.kinds[place] == kind
}

// Unfinished is the piece with these names, or a new one where that has ended.
func (s *Items) Unfinished(kind ItemKind, names ...string) int {
	place, ok := s.find(names...)
	if !ok || s.done[place] != nil {
		return s.Open(kind, names...)
	}
	return place
}

// Finish keeps a piece as the server gave it at its end.
func (s *Items) Finish(place int, raw json.RawMessage) {
	s.done[place] = raw
}

// Ended is the place of a piece of the list that ends an answer, by its id, else by its number there. done says
// that it was given before.
func (s *Items) Ended(id string, n int) (place int, done bool) {
	place, ok := s.find(id)
	switch {
	case ok:
	case n < s.begun:
		place = n
	default:
		place = s.Open("", id)
	}
	return place, s.done[place] != nil
}

// Raw returns the pieces in their order.
func (s *Items) Raw() []json.RawMessage {
	var list []json.RawMessage
	for _, i := range slices.Sorted(maps.Keys(s.done)) {
		list = append(list, s.done[i])
	}
	return list
}

// Say passes on text of a piece of the answer. Two pieces do not run into one line.
func (s *Items) Say(to *Answer, place int, text string) {
	if text == "" {
		return
	}
	if to.text.Len() > 0 && s.last != place && !strings.HasSuffix(to.text.String(), "\n") {
		text = "\n\n" + text
	}
	s.Said[place] = true
	s.last = place
	to.Say(text)
}

// Think passes on thinking of a piece of the answer.
func (s *Items) Think(to *Answer, place int, text string) {
	if text != "" {
		s.Thought[place] = true
		to.Think(text)
	}
}

// Grow takes in a part of the arguments of a call.
func (s *Items) Grow(to *Answer, place int, args string) {
	switch {
	case len(to.Request.Tools) > 0:
		to.Excess = !to.Calls.grow(place, args)
	case to.Unasked(args):
		s.Said[place] = true
	default:
		s.Say(to, place, args)
	}
}
