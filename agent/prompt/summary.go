package prompt

import (
	"errors"
	"strings"
	"unicode/utf8"

	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/edits"
)

// Spoken is what one side of a conversation said.
type Spoken struct {
	User bool
	Text string
}

// Summary is what the summary of a conversation is made of.
type Summary struct {
	Before string   // the summary of what was said before; "" for none
	Said   []Spoken // oldest first
	Tokens int      // that the summary may take
}

// What a request for a summary takes beside its texts, in tokens, and what each text in it does; and the least that
// is taken out of a text that is cut.
const (
	summaryFrame = 200
	spokenFrame  = 12
	leastSpoken  = 200
)

// SummaryMessages ask for the summary of as much of a conversation as fits into the room, in tokens, from its
// beginning on. They come with the rest, for the next request: what does not fit at all is cut in pieces, so that
// nothing is left out.
func SummaryMessages(p model.Profile, s Summary, room int, count func(string) int) ([]llm.Message, []Spoken, error) {
	system, err := render("summary", struct {
		Before bool
		Words  int
	}{s.Before != "", max(s.Tokens*3/5, 50)})
	if err != nil {
		return nil, nil, err
	}
	taken, rest := fitting(s.Said, room-count(system)-count(s.Before)-summaryFrame, count)
	if len(taken) == 0 {
		return nil, nil, errors.New("the model's context window is too small to sum up the conversation")
	}
	all := []string{s.Before}
	for _, one := range taken {
		all = append(all, one.Text)
	}
	fence := edits.ChooseFence(all...)
	var b strings.Builder
	if s.Before != "" {
		b.WriteString("The notes so far:\n" + fenced(fence, s.Before) + "\n\n")
	}
	for _, one := range taken {
		who := "The assistant:"
		if one.User {
			who = "The user:"
		}
		b.WriteString(who + "\n" + fenced(fence, one.Text) + "\n\n")
	}
	b.WriteString("That is all. Write the notes now.")
	if !p.UseSystemPrompt {
		return []llm.Message{llm.Text(llm.RoleUser, system+"\n\n"+b.String())}, rest, nil
	}
	return []llm.Message{llm.Text(llm.RoleSystem, system), llm.Text(llm.RoleUser, b.String())}, rest, nil
}

// fitting divides what was said into what fits and the rest. Only what is too long by itself is cut.
func fitting(said []Spoken, room int, count func(string) int) (taken, rest []Spoken) {
	for i, one := range said {
		size := count(one.Text) + spokenFrame
		if size <= room {
			taken, room = append(taken, one), room-size
			continue
		}
		rest = said[i:]
		if len(taken) > 0 {
			return taken, rest
		}
		first, second := cutAt(one.Text, room-spokenFrame, count)
		if first == "" {
			return nil, rest
		}
		rest = append([]Spoken{{User: one.User, Text: second}}, rest[1:]...)
		return []Spoken{{User: one.User, Text: first}}, rest
	}
	return taken, nil
}

// cutAt cuts a text so that its first part fits into so many tokens, behind the end of a line where there is one.
// The parts together are the text; the first is empty where too little would fit.
func cutAt(text string, tokens int, count func(string) int) (first, second string) {
	for size := len(text) / 2; size >= leastSpoken; size /= 2 {
		at := size
		if line := strings.LastIndexByte(text[:size], '\n') + 1; line > size/2 {
			at = line
		}
		for at > 0 && !utf8.RuneStart(text[at]) {
			at--
		}
		if at > 0 && count(text[:at]) <= tokens {
			return text[:at], text[at:]
		}
	}
	return "", text
}
