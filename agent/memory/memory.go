// Package memory keeps what was said in the rounds of one turn, within the model's window: when a prompt is nearly full,
// what was said first is summed up by the weak model, and the last part of it stays as it was. It knows neither the turn nor
// the files.
package memory

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/history"
	"coauthor/agent/llm"
	"coauthor/agent/prompt"
	"coauthor/agent/strategy"
	"coauthor/agent/tool"
	"coauthor/agent/weak"
)

// Memory is what a turn remembers of its rounds. Only the goroutine of the turn uses it; the zero value is ready.
type Memory struct {
	All  []history.Said // of all rounds
	Kept bool           // All is in the conversation

	from  int       // the rounds from this one on are what the model sees
	short condensed // what the model sees in the place of the first of them
	full  bool      // nothing of this turn can be summed up any more
}

// keptShare is how much of a talk stays as it is when the rest is summed up, in percent.
const keptShare = 30

// leastWon is the least share of the room that summing up has to win, in percent.
const leastWon = 10

// condensed stands for the first replies of a talk.
type condensed struct {
	from int // the talk's, as Memory.from was
	of   int // so many replies
	text string
}

// Add keeps what a round leaves. What the model has looked at stays with it, but for files that are not as they were.
func (m *Memory) Add(s history.Said) {
	m.All = append(m.All, s)
	m.blank(len(m.All), changed, func(_ string, files []string) bool {
		return slices.ContainsFunc(files, func(f string) bool { return slices.Contains(s.Changed, f) })
	})
}

// LookOf is what a look leaves for the rounds after it. by is the model, and inText says that it has called in its text.
func LookOf(said, results llm.Message, list []tool.Ran, inText bool, by string) history.Look {
	look := history.Look{Said: said, Results: results, Files: make([][]string, len(results.Parts))}
	if !inText { // what it has written is part of the reply of the round
		look.By = by
		look.Said.Parts = slices.DeleteFunc(slices.Clone(said.Parts), func(p llm.Part) bool { return p.Kind == llm.PartText })
	}
	for i, one := range list {
		for _, shown := range one.Result.Shown {
			at := min(i, len(look.Files)-1) // calls in the text have their results in one
			look.Files[at] = append(look.Files[at], shown.Path)
		}
	}
	return look
}

// What stands where a result of a look was.
const (
	changed = "(This is not shown any more, since the file has changed. Make the call again if you need it.)"
	noRoom  = "(This is not shown any more, to save room. Make the call again if you need it.)"
)

// blank takes out the results of looks in the first rounds that are to go, the oldest first.
func (m *Memory) blank(rounds int, why string, goes func(text string, files []string) bool) {
	for i := range m.All[:rounds] {
		looks := slices.Clone(m.All[i].Looks)
		for k := range looks {
			parts := slices.Clone(looks[k].Results.Parts)
			for p := range parts {
				if p < len(looks[k].Files) && parts[p].Text != changed && parts[p].Text != noRoom && goes(parts[p].Text, looks[k].Files[p]) {
					parts[p].Text = why
				}
			}
			looks[k].Results.Parts = parts
		}
		m.All[i].Looks = looks
	}
}

// Blank takes out what the model looked at first, result by result, until so many tokens are won. It is false where there was nothing.
func (m *Memory) Blank(tokens int, count func(text string) int) (any bool) {
	m.blank(len(m.All), noRoom, func(text string, _ []string) bool {
		won := count(text) - count(noRoom)
		if tokens <= 0 || won <= 0 {
			return false
		}
		tokens, any = tokens-won, true
		return true
	})
	return any
}

// Talk is the talk so far as messages for a model: it reads no calls that another one has made by its interface.
func (m *Memory) Talk(format, by string) []llm.Message {
	said := slices.Clone(m.Said())
	for i := range said {
		said[i].Looks = slices.DeleteFunc(slices.Clone(said[i].Looks), func(l history.Look) bool { return l.By != "" && l.By != by })
	}
	return history.Talk(said, format)
}

// Begin begins another talk: the model sees nothing of what was said before.
func (m *Memory) Begin() { m.from = len(m.All) }

// Full says whether nothing of the turn can be summed up any more.
func (m *Memory) Full() bool { return m.full }

// Said is the talk so far as the model gets to see it.
func (m *Memory) Said() []history.Said {
	talk := m.All[m.from:]
	if m.short.of == 0 || m.short.from != m.from {
		return talk
	}
	first := history.Said{Reply: "(What I did so far, in short.)\n\n" + m.short.text, News: talk[m.short.of-1].News}
	return append([]history.Said{first}, talk[m.short.of:]...)
}

// Options is what it takes to sum up.
type Options struct {
	Context context.Context // of the turn
	Asked   string          // of the turn
	Note    func(...event.Note)
	// Ask has the weak model write a short text, and counts that for the turn.
	Ask func(say func(m strategy.Model) ([]llm.Message, error)) (string, error)
	Log *slog.Logger // with the turn
}

// Condense sums up the first replies of the talk, which a model is sent in a format and which are so many tokens over its
// room. Where no model does, they are left out as soon as there is no room for them. It is false where neither is done,
// because that would not win enough or need not be.
func (m *Memory) Condense(c Options, by strategy.Model, format string, over int) bool {
	if m.full && over == 0 {
		return false
	}
	list := m.Said()
	sizes := make([]int, len(list))
	for i := range list {
		for _, one := range history.Talk(list[i:i+1], format) {
			sizes[i] += prompt.Tokens(one, by.Counter.Count)
		}
	}
	n := FirstPart(sizes, by.Room)
	if n == 0 {
		return false
	}
	in := prompt.Summary{Said: []prompt.Spoken{{User: true, Text: c.Asked}}}
	head, of := list[:n], n
	if m.short.of > 0 && m.short.from == m.from {
		in.Before, of = m.short.text, n-1+m.short.of
		in.Said = append(in.Said, prompt.Spoken{User: true, Text: head[0].News})
		head = head[1:]
	}
	for i := range head {
		for _, one := range history.Talk(head[i:i+1], format) {
			in.Said = append(in.Said, prompt.Spoken{User: one.Role == llm.RoleUser, Text: one.String()})
		}
	}
	text, ok := "", false
	if !m.full {
		text, ok = m.SumUp(c, in, sizes[:n], by)
	}
	became := "summarized"
	if !ok {
		if over == 0 || c.Context.Err() != nil {
			return false
		}
		text, became = "(It is left out here to save room. What came of it is in the files.)", "left out"
	}
	m.short = condensed{from: m.from, of: of, text: text}
	c.Note(event.Info(fmt.Sprintf("To fit the context window of %s, %s %s.", by.Profile.Name, firstOnes(of, "reply in this request", "replies in this request"), became)))
	return true
}

// firstOnes are the first of something as the beginning of a sentence in the past.
func firstOnes(n int, one, many string) string {
	if n == 1 {
		return "the first " + one + " was"
	}
	return fmt.Sprintf("the first %d %s were", n, many)
}

// FirstPart is how many of the first things of a talk are to be summed up: all before its last part, if that wins
// enough.
func FirstPart(sizes []int, room int) int {
	kept, total := 0, sumOf(sizes)
	n := len(sizes)
	for n > 0 && (n == len(sizes) || (kept+sizes[n-1])*100 <= total*keptShare) {
		n--
		kept += sizes[n]
	}
	if (total-kept)*100 < room*leastWon {
		return 0
	}
	return n
}

func sumOf(sizes []int) int {
	n := 0
	for _, size := range sizes {
		n += size
	}
	return n
}

// SumUp has the weak model sum up what takes so many tokens in the prompt of a model. It is false where no model
// does, or the summary is no shorter; the turn then tries no more.
func (m *Memory) SumUp(c Options, in prompt.Summary, sizes []int, by strategy.Model) (string, bool) {
	tokens := sumOf(sizes)
	in.Tokens = min(tokens/4, by.Room/10)
	in.Said = slices.DeleteFunc(in.Said, func(one prompt.Spoken) bool { return strings.TrimSpace(one.Text) == "" })
	text, err := weak.InPieces(in, c.Ask)
	if err != nil || by.Counter.Count(text)*2 > tokens {
		m.full = true
		if err != nil && c.Context.Err() == nil {
			c.Log.Warn("could not summarize a long request", "error", err)
		}
		return "", false
	}
	return text, true
}
