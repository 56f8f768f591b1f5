package prompt

import (
	"fmt"
	"strings"
)

// Fitted says what Fit did.
type Fitted struct {
	Tokens  int      // of the prompt as it is now
	Dropped []string // what was left out, in words for the user
	Over    int      // tokens that are still too many
}

// expendable is one row of the table of what can be left out of a prompt.
type expendable struct {
	what string // for the user; with %d for how many, where one is taken after the other
	part string // name of the part that it is in
	// drop takes one thing out, which may be a piece of the part, and says whether it did.
	drop func(c *Chunks) bool
}

// expendables is THE table of what is left out of a prompt that is too large for its model: the first row
// first, each as far as is needed and no further. Two things were left out before, while the prompt was
// gathered: open documents that nobody named go as far as half of the room, and rules as far as 32 KiB. What
// the table does not hold is never left out: the rules of the edit format, rules files, files that are in
// the chat, and the request. Where these alone are too large, the user is asked.
func expendables() []expendable {
	return []expendable{
		{"the repetition of the edit rules at the end", PartReminder, func(c *Chunks) bool {
			was := !c.quiet && c.repeats() && c.reminder != ""
			c.quiet = c.quiet || was
			return was
		}},
		{"the oldest part of the conversation (%d)", PartConversation, func(c *Chunks) bool {
			if len(c.Done) < 2 {
				return false
			}
			c.Done = c.Done[2:]
			return true
		}},
		{"the summary of earlier messages", PartSummary, func(c *Chunks) bool {
			was := len(c.Earlier) > 0
			c.Earlier = nil
			return was
		}},
		{"the repository map", PartMap, func(c *Chunks) bool {
			was := len(c.Map) > 0
			c.Map = nil
			return was
		}},
		{"the examples of the edit format", PartExamples, func(c *Chunks) bool {
			was := len(c.Examples) > 0
			c.Examples = nil
			return was
		}},
	}
}

// Expendable lists what is left out of a prompt that is too large, the first first, in words for the user.
func Expendable() []string {
	var list []string
	for _, row := range expendables() {
		list = append(list, strings.TrimSuffix(row.what, " (%d)"))
	}
	return list
}

// Fit leaves out what the table says until the prompt counts at most limit tokens. A limit of 0 is none.
func (c *Chunks) Fit(limit int, count func(string) int) Fitted {
	sizes := c.sizes(count)
	fitted := Fitted{Tokens: sum(sizes)}
	if limit <= 0 {
		return fitted
	}
	for _, row := range expendables() {
		times := 0
		for fitted.Tokens > limit {
			before := sizes[row.part]
			if row.part == PartConversation && len(before) > 1 {
				sizes[row.part] = before[2:]
			} else {
				sizes[row.part] = nil
			}
			if !row.drop(c) {
				sizes[row.part] = before
				break
			}
			if text := c.last(); row.part == PartReminder && text != "" {
				sizes[row.part] = []int{count(text) + perMessage}
			}
			times++
			fitted.Tokens = sum(sizes)
		}
		if times == 0 {
			continue
		}
		what := row.what
		if row.part == PartConversation {
			what = fmt.Sprintf(what, times)
		}
		fitted.Dropped = append(fitted.Dropped, what)
	}
	fitted.Over = max(0, fitted.Tokens-limit)
	return fitted
}

func sum(sizes map[string][]int) int {
	n := 0
	for _, list := range sizes {
		for _, size := range list {
			n += size
		}
	}
	return n
}
