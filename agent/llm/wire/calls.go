package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"coauthor/agent/llm"
)

// Limits of what the calls of one reply may be.
const (
	maxCalls     = 64
	maxArguments = 4 << 20 // of all calls together; a forced call is text and has the limit of texts
)

// Calls puts the calls of a reply together while their pieces arrive. Servers agree on little: some give
// no index, the same one to all calls, no id, a new id with each piece, or the whole call in one piece.
type calls struct {
	Slots []*slot
	size  int
}

// slot is a call in the making.
type slot struct {
	id, name  string
	Index     *int
	place     int // in the list of the piece that opened it
	Arguments growing
	extra     Kept
}

// Piece is what one event says of a call.
type Piece struct {
	ID       Mark   `json:"id"`
	Index    *Count `json:"index"`
	Function struct {
		Name      Word      `json:"name"`
		Arguments Arguments `json:"arguments"`
	} `json:"function"`
}

// Arguments are a string of JSON, or JSON as it stands; anything else is none.
type Arguments string

// UnmarshalJSON implements json.Unmarshaler.
func (a *Arguments) UnmarshalJSON(b []byte) error {
	if s, ok := Unquoted(b); ok {
		*a = Arguments(s)
	} else if len(b) > 0 && (b[0] == '{' || b[0] == '[') {
		*a = Arguments(b)
	}
	return nil
}

// add takes a piece in, which stood at a place in the list of its event. raw is the piece as it came. It
// returns what is new in the arguments; ok is false when the calls are more than any reply needs.
func (c *calls) add(p Piece, place int, raw json.RawMessage) (fresh string, ok bool) {
	args := string(p.Function.Arguments)
	s := c.of(p, place)
	switch {
	case s != nil && s.complete() && strings.TrimSpace(args) != "":
		if s.again(args) {
			args = "" // some servers send the whole call once more at the end
		}
	case s != nil:
	case len(c.Slots) >= maxCalls:
		return "", false
	default:
		s = &slot{Index: p.index(), place: place}
		c.Slots = append(c.Slots, s)
	}
	s.id, s.name = OrElse(s.id, string(p.ID)), OrElse(s.name, string(p.Function.Name))
	s.Arguments.write(args)
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
	s.Arguments.write(args)
	c.size += len(args)
	return c.size <= maxArguments
}

// Settle puts in the call with an index as the server gives it, which counts above its pieces.
func (c *calls) Settle(index int, id, name, args string) (ok bool) {
	s := c.indexed(index)
	if s == nil {
		return false
	}
	s.id, s.name = OrElse(id, s.id), OrElse(name, s.name)
	if args != "" {
		c.size += len(args) - len(s.Arguments.Text)
		s.Arguments = growing{}
		s.Arguments.write(args)
	}
	return c.size <= maxArguments
}

// indexed returns the call with an index, which may be a new one; nil when there are too many.
func (c *calls) indexed(index int) *slot {
	for _, s := range c.Slots {
		if s.Index != nil && *s.Index == index {
			return s
		}
	}
	if len(c.Slots) >= maxCalls {
		return nil
	}
	s := &slot{Index: &index}
	c.Slots = append(c.Slots, s)
	return s
}

// of returns the call that a piece goes on with, nil for none: it is a new one.
func (c *calls) of(p Piece, place int) *slot {
	if p.ID != "" {
		for _, s := range c.Slots {
			if s.id == string(p.ID) {
				return s
			}
		}
	}
	at, name := c.at(p, place), string(p.Function.Name)
	if at == nil && p.ID == "" && name == "" {
		return c.lastOpen() // a rest without a head, whose number is that of no call
	}
	switch {
	case at == nil:
		return nil
	case p.ID != "" && at.id != "" && (at.complete() || name != "" && (name != at.name || at.begins(p))):
		return nil // several calls with one index
	case p.ID != "" || !at.complete():
		return at
	case name == "":
		if open := c.lastOpen(); open != nil {
			return open
		}
		return at
	case name == at.name && at.again(string(p.Function.Arguments)):
		return at
	}
	return nil
}

// at returns the call with the index of a piece. A piece without one belongs to the last call that is
// not complete, or to the one that stood at its place.
func (c *calls) at(p Piece, place int) *slot {
	if p.Index == nil && p.ID == "" && p.Function.Name == "" {
		if open := c.lastOpen(); open != nil {
			return open
		}
	}
	for i := len(c.Slots) - 1; i >= 0; i-- {
		s := c.Slots[i]
		if p.Index != nil && s.Index != nil && *s.Index == int(*p.Index) || p.Index == nil && s.place == place {
			return s
		}
	}
	return nil
}

func (c *calls) lastOpen() *slot {
	for i := len(c.Slots) - 1; i >= 0; i-- {
		if !c.Slots[i].complete() {
			return c.Slots[i]
		}
	}
	return nil
}

// begins says whether a piece that names a tool begins another call than this one: it has arguments from their
// beginning, or neither has any.
func (s *slot) begins(p Piece) bool {
	args := strings.TrimSpace(string(p.Function.Arguments))
	return s.name != "" && (strings.HasPrefix(args, "{") || args == "" && s.Arguments.blank())
}

// complete says whether the arguments are whole.
func (s *slot) complete() bool { return s.Arguments.complete() }

// again says whether these are the arguments that the call has already.
func (s *slot) again(args string) bool {
	var a, b bytes.Buffer
	if json.Compact(&a, s.Arguments.Text) != nil || json.Compact(&b, []byte(args)) != nil {
		return false
	}
	return bytes.Equal(a.Bytes(), b.Bytes())
}

// list returns the calls. One that the server gave no id, or that of another one, gets one that every server takes
// back. What never got a name is no call: nobody could run it, and servers refuse it when it goes back.
func (c *calls) list() []llm.Call {
	var list []llm.Call
	taken := map[string]bool{}
	for _, s := range c.Slots {
		taken[s.id] = true
	}
	next, given := 0, map[string]bool{}
	for _, s := range c.Slots {
		if strings.TrimSpace(s.name) == "" {
			continue
		}
		for s.id == "" || given[s.id] {
			next++
			if id := fmt.Sprintf("call%05d", next); !taken[id] {
				s.id, taken[id] = id, true
			}
		}
		given[s.id] = true
		list = append(list, llm.Call{ID: s.id, Name: Joined(s.name), Arguments: Joined(string(s.Arguments.Text)), Back: s.extra.Json()})
	}
	return list
}

func (p Piece) index() *int {
	if p.Index == nil {
		return nil
	}
	n := int(*p.Index)
	return &n
}

// growing is JSON that arrives in pieces. Whether it is whole is known without reading all of it again for each.
type growing struct {
	Text   []byte
	begun  bool
	depth  int  // of objects and lists that are open
	quoted bool // inside of a string
	escape bool // behind a backslash in it
	over   bool // the first value has ended
	more   bool // and something follows it
	valid  *bool
}

func (g *growing) write(piece string) {
	g.Text = append(g.Text, piece...)
	for i := 0; i < len(piece); i++ {
		switch c := piece[i]; {
		case g.quoted:
			g.quoted, g.escape = g.escape || c != '"', !g.escape && c == '\\'
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		case g.over:
			g.more = true
		case c == '"':
			g.quoted, g.begun = true, true
		case c == '{' || c == '[':
			g.depth++
			g.begun = true
		case c == '}' || c == ']':
			g.depth--
			g.over = g.depth <= 0
		default:
			g.begun = true
		}
	}
}

// blank says whether nothing has come yet.
func (g *growing) blank() bool { return !g.begun && !g.over }

// complete says whether it is one whole object.
func (g *growing) complete() bool {
	if !g.over || g.more {
		return false
	}
	if g.valid == nil {
		text := bytes.TrimSpace(g.Text)
		ok := text[0] == '{' && json.Valid(text)
		g.valid = &ok // what follows it changes nothing but blanks
	}
	return *g.valid
}
