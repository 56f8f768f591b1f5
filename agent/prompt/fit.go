package prompt

import (
	"fmt"

	"coauthor/agent/llm"
)

// Fitted says what Fit did.
type Fitted struct {
	Tokens  int      // of the prompt as it is now
	Dropped []string // what was left out, in words for the user
	Over    int      // tokens that are still too many; then the prompt must not be sent
}

// perMessage is what the chat protocols add to each message, roughly.
const perMessage = 4

// Fit leaves things out until the prompt counts at most limit tokens: first the repetition of the
// reminder, then the oldest exchanges, the map, the examples. Files and the request are never left
// out. A limit of 0 is none.
func (c *Chunks) Fit(limit int, count func(string) int) Fitted {
	sizes := measure(*c, count)
	fitted := Fitted{Tokens: sizes.sum()}
	if limit <= 0 {
		return fitted
	}
	over := func() bool { return sizes.sum() > limit }
	if over() && sizes.reminder > 0 {
		c.quiet, sizes.reminder = true, 0
	}
	exchanges := 0
	for over() && len(c.Done) > 1 {
		c.Done = c.Done[2:]
		sizes.done = sizes.done[2:]
		exchanges++
	}
	if exchanges > 0 {
		fitted.Dropped = append(fitted.Dropped, fmt.Sprintf("the oldest part of the conversation (%d)", exchanges))
	}
	if over() && len(c.Map) > 0 {
		c.Map, sizes.maps = nil, 0
		fitted.Dropped = append(fitted.Dropped, "the repository map")
	}
	if over() && len(c.Examples) > 0 {
		c.Examples, sizes.examples = nil, 0
		fitted.Dropped = append(fitted.Dropped, "the examples of the edit format")
	}
	fitted.Tokens = sizes.sum()
	fitted.Over = max(0, fitted.Tokens-limit)
	return fitted
}

type sizes struct {
	fixed, reminder, maps, examples int
	done                            []int
}

func (s sizes) sum() int {
	n := s.fixed + s.reminder + s.maps + s.examples
	for _, d := range s.done {
		n += d
	}
	return n
}

// measure counts every message once.
func measure(c Chunks, count func(string) int) sizes {
	of := func(list []llm.Message) int {
		n := 0
		for _, m := range list {
			n += count(m.String()) + perMessage
		}
		return n
	}
	s := sizes{maps: of(c.Map), examples: of(c.Examples)}
	s.fixed = of(c.head()) + of(c.Rules) + of(c.ReadOnly) + of(c.Chat) + of(c.Current)
	for i := range c.Done {
		s.done = append(s.done, of(c.Done[i:i+1]))
	}
	if !c.quiet && c.remind != "none" && c.reminder != "" {
		s.reminder = count(c.reminder) + perMessage
	}
	return s
}
