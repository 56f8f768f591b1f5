package tool

import (
	"slices"
	"strings"

	"coauthor/agent/llm"
)

// keptResults is of how many replies the results stay when room runs short.
const keptResults = 2

// blanked stands where a result was.
const blanked = "(This result is not shown any more. Make the call again if you need it.)"

// Transcript is a prompt and, behind it, replies with calls and their results, in pairs. Where room runs short, the first
// of those go. It is not safe for concurrent use.
type Transcript struct {
	Messages []llm.Message
	Prompt   int    // tokens of the messages before the pairs
	Notes    string // the summary of the first pairs, "" for none

	count func(text string) int
	first int    // where the pairs begin
	sizes []int  // tokens of the messages behind those of the prompt, also of a pair that is still to be added
	calls []Call // that were made
}

// NewTranscript begins behind a prompt that takes so many tokens.
func NewTranscript(messages []llm.Message, tokens int, count func(text string) int) *Transcript {
	return &Transcript{Messages: slices.Clone(messages), Prompt: tokens, count: count, first: len(messages)}
}

// Begin takes in how much room a pair will need that Add brings.
func (t *Transcript) Begin(said, results llm.Message, list []Ran) {
	t.sizes = append(t.sizes, t.size(said), t.size(results))
	for _, one := range list {
		t.calls = append(t.calls, one.Call)
	}
}

// Add puts the pair of Begin behind the others.
func (t *Transcript) Add(said, results llm.Message) {
	t.Messages = append(t.Messages, said, results)
}

// Calls are all that were made.
func (t *Transcript) Calls() []Call { return t.calls }

// Tokens counts what would be sent now.
func (t *Transcript) Tokens() int {
	n := t.Prompt
	for _, size := range t.sizes {
		n += size
	}
	return n
}

func (t *Transcript) size(m llm.Message) int {
	n := 0
	for _, p := range m.Parts {
		n += t.count(p.Text)
		if p.Kind == llm.PartCall {
			n += t.count(p.Call.Arguments)
		}
	}
	return n
}

// Blank takes out the results of all but the latest replies, if that wins so many tokens. The calls may
// then be made again.
func (t *Transcript) Blank(least int) bool {
	var old []int
	for i := t.first + 1; i < len(t.Messages)-2*(keptResults-1); i += 2 {
		old = append(old, i)
	}
	won := 0
	for _, i := range old {
		won += t.sizes[i-t.first]
	}
	if won < least || won == 0 {
		return false
	}
	for _, i := range old {
		m := t.Messages[i]
		m.Parts = slices.Clone(m.Parts)
		for k := range m.Parts {
			m.Parts[k].Text = blanked
		}
		t.Messages[i], t.sizes[i-t.first] = m, t.size(m)
	}
	return true
}

// Sizes are the tokens of each pair. The last of them is not in the messages yet.
func (t *Transcript) Sizes() []int {
	pairs := make([]int, len(t.sizes)/2)
	for i := range pairs {
		pairs[i] = t.sizes[2*i] + t.sizes[2*i+1]
	}
	return pairs
}

// Words are the messages of the first pairs as text, with their calls.
func (t *Transcript) Words(pairs int) []string {
	var list []string
	for _, m := range t.Messages[t.first : t.first+2*pairs] {
		list = append(list, inWords(m))
	}
	return list
}

// inWords is a message with its calls as text.
func inWords(m llm.Message) string {
	var list []string
	for _, p := range m.Parts {
		switch {
		case p.Kind == llm.PartCall:
			list = append(list, p.Call.Name+" "+p.Call.Arguments)
		case p.Text != blanked:
			list = append(list, p.Text)
		}
	}
	return strings.Join(list, "\n")
}

// Replace puts a summary in the place of the first pairs, and of the summary before.
func (t *Transcript) Replace(pairs int, summary string) {
	said := llm.Text(llm.RoleAssistant, "(I looked around.)")
	results := llm.Text(llm.RoleUser, "What you looked at is not shown any more. This is what it showed, in short; make a call again if you need more.\n\n"+summary)
	before := t.first
	if t.Notes != "" { // they are in the summary
		before -= 2
		t.Prompt -= t.size(t.Messages[before]) + t.size(t.Messages[before+1])
	}
	t.Messages = slices.Concat(t.Messages[:before], []llm.Message{said, results}, t.Messages[t.first+2*pairs:])
	t.Prompt += t.size(said) + t.size(results)
	t.first, t.sizes, t.Notes = before+2, t.sizes[2*pairs:], summary
}
