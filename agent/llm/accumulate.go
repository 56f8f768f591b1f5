package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Limits of what the calls of one reply may be.
const (
	maxCalls     = 64
	maxArguments = 4 << 20 // of all calls together; a forced call is text and has the limit of texts
)

// calls puts the calls of a reply together while their pieces arrive. Servers agree on little: some give
// no index, the same one to all calls, no id, a new id with each piece, or the whole call in one piece.
type calls struct {
	slots []*slot
	size  int
}

// slot is a call in the making.
type slot struct {
	id, name  string
	index     *int
	place     int // in the list of the piece that opened it
	arguments bytes.Buffer
	extra     kept
}

// piece is what one event says of a call.
type piece struct {
	ID       string `json:"id"`
	Index    *int   `json:"index"`
	Function struct {
		Name      string    `json:"name"`
		Arguments arguments `json:"arguments"`
	} `json:"function"`
}

// arguments are a string of JSON, an object as it stands, or null.
type arguments string

// UnmarshalJSON reads any of the three.
func (a *arguments) UnmarshalJSON(b []byte) error {
	switch {
	case string(b) == "null":
		return nil
	case len(b) > 0 && b[0] == '"':
		return json.Unmarshal(b, (*string)(a))
	}
	*a = arguments(b)
	return nil
}

// add takes a piece in, which stood at a place in the list of its event. raw is the piece as it came. It
// returns what is new in the arguments; ok is false when the calls are more than any reply needs.
func (c *calls) add(p piece, place int, raw json.RawMessage) (fresh string, ok bool) {
	args := string(p.Function.Arguments)
	s := c.of(p, place)
	switch {
	case s != nil && s.complete() && strings.TrimSpace(args) != "":
		if s.again(args) {
			args = "" // some servers send the whole call once more at the end
		}
	case s != nil:
	case len(c.slots) >= maxCalls:
		return "", false
	default:
		s = &slot{index: p.Index, place: place}
		c.slots = append(c.slots, s)
	}
	if s.id == "" {
		s.id = p.ID
	}
	if s.name == "" {
		s.name = p.Function.Name
	}
	s.arguments.WriteString(args)
	c.size += len(args)
	s.extra.takeCall(raw)
	return args, c.size <= maxArguments
}

// grow adds to the arguments of the call with an index, for interfaces that say which one a piece belongs to.
// ok is false when the calls are more than any reply needs.
func (c *calls) grow(index int, args string) (ok bool) {
	s := c.indexed(index)
	if s == nil {
		return false
	}
	s.arguments.WriteString(args)
	c.size += len(args)
	return c.size <= maxArguments
}

// settle puts in the call with an index as the server gives it, which counts above its pieces.
func (c *calls) settle(index int, id, name, args string) (ok bool) {
	s := c.indexed(index)
	if s == nil {
		return false
	}
	s.id, s.name = orElse(id, s.id), orElse(name, s.name)
	if args != "" {
		c.size += len(args) - s.arguments.Len()
		s.arguments.Reset()
		s.arguments.WriteString(args)
	}
	return c.size <= maxArguments
}

// indexed returns the call with an index, which may be a new one; nil when there are too many.
func (c *calls) indexed(index int) *slot {
	for _, s := range c.slots {
		if s.index != nil && *s.index == index {
			return s
		}
	}
	if len(c.slots) >= maxCalls {
		return nil
	}
	s := &slot{index: &index}
	c.slots = append(c.slots, s)
	return s
}

// of returns the call that a piece goes on with, nil for none: it is a new one.
func (c *calls) of(p piece, place int) *slot {
	if p.ID != "" {
		for _, s := range c.slots {
			if s.id == p.ID {
				return s
			}
		}
	}
	at := c.at(p, place)
	switch {
	case at == nil:
		return nil
	case p.ID != "" && at.id != "" && (at.complete() || at.named(p)):
		return nil // several calls with one index
	case p.ID != "" || !at.complete():
		return at
	case p.Function.Name == "":
		if open := c.lastOpen(); open != nil {
			return open
		}
		return at
	case p.Function.Name == at.name && at.again(string(p.Function.Arguments)):
		return at
	}
	return nil
}

// at returns the call with the index of a piece. A piece without one belongs to the last call that is
// not complete, or to the one that stood at its place.
func (c *calls) at(p piece, place int) *slot {
	if p.Index == nil && p.ID == "" && p.Function.Name == "" {
		if open := c.lastOpen(); open != nil {
			return open
		}
	}
	for i := len(c.slots) - 1; i >= 0; i-- {
		s := c.slots[i]
		if p.Index != nil && s.index != nil && *s.index == *p.Index || p.Index == nil && s.place == place {
			return s
		}
	}
	return nil
}

func (c *calls) lastOpen() *slot {
	for i := len(c.slots) - 1; i >= 0; i-- {
		if !c.slots[i].complete() {
			return c.slots[i]
		}
	}
	return nil
}

// named says whether a piece that names a tool begins another call than this one, whose arguments have
// not begun.
func (s *slot) named(p piece) bool {
	return p.Function.Name != "" && s.name != "" && strings.TrimSpace(s.arguments.String()) == ""
}

// complete says whether the arguments are whole.
func (s *slot) complete() bool {
	text := bytes.TrimSpace(s.arguments.Bytes())
	return len(text) > 0 && text[0] == '{' && text[len(text)-1] == '}' && json.Valid(text)
}

// again says whether these are the arguments that the call has already.
func (s *slot) again(args string) bool {
	var a, b bytes.Buffer
	if json.Compact(&a, s.arguments.Bytes()) != nil || json.Compact(&b, []byte(args)) != nil {
		return false
	}
	return bytes.Equal(a.Bytes(), b.Bytes())
}

// list returns the calls. One that the server gave no id, or that of another one, gets one that every server takes
// back.
func (c *calls) list() []Call {
	var list []Call
	taken := map[string]bool{}
	for _, s := range c.slots {
		taken[s.id] = true
	}
	next, given := 0, map[string]bool{}
	for _, s := range c.slots {
		for s.id == "" || given[s.id] {
			next++
			if id := fmt.Sprintf("call%05d", next); !taken[id] {
				s.id, taken[id] = id, true
			}
		}
		given[s.id] = true
		list = append(list, Call{ID: s.id, Name: s.name, Arguments: s.arguments.String(), Back: s.extra.json()})
	}
	return list
}
