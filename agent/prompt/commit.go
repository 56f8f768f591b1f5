package prompt

import (
	"fmt"
	"strings"

	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/edits"
)

// Commit is what the message of a commit is made of.
type Commit struct {
	Diff     string
	Hidden   int      // files of the change that the model may not see
	Asked    string   // what the user asked for when the change was made; "" is not known
	Answer   string   // what the model said to that beside its edits
	Subjects []string // of earlier commits, the newest first
	System   string   // the user's own text in the place of ours; "" has none
	Around   Surroundings
}

// mostSaid is how many bytes of what each side said there are at most, and partSaid the part of the room that it may take: the change
// itself comes first.
const (
	mostSaid = 6000
	partSaid = 8
)

// CommitMessages ask for the message of a commit. What does not fit into the
// room, in tokens, is left out and named.
func CommitMessages(p model.Profile, c Commit, room int, count func(string) int) ([]llm.Message, error) {
	system := c.System
	if system == "" {
		language := c.Around.Language
		if language == "" {
			language = "the language of the earlier commits, and where there are none in "
			if c.Asked != "" {
				language += "the language in which the user asked"
			} else {
				language += firstOf(c.Around.Usual, "English")
			}
		}
		var err error
		if system, err = render("commit", struct {
			Asked    bool
			Columns  int
			Language string
		}{c.Asked != "", columns, language}); err != nil {
			return nil, err
		}
	}
	subjects := strings.Join(c.Subjects, "\n")
	fence := edits.ChooseFence(c.Diff, subjects, c.Asked, c.Answer)
	var b strings.Builder
	part := func(title, text string) { b.WriteString(title + "\n" + fenced(fence, text) + "\n\n") }
	if len(c.Subjects) > 0 {
		part("Subjects of earlier commits:", subjects)
	}
	if c.Asked != "" {
		part("What the user asked for when it was made:", clipped(c.Asked, room/partSaid, count))
	}
	if c.Answer != "" {
		part("What was answered:", clipped(c.Answer, room/partSaid, count))
	}
	if c.Hidden > 0 {
		fmt.Fprintf(&b, "The change is in %d more files that are not shown.\n\n", c.Hidden)
	}
	const frame = 200 // tokens that a request takes beside its texts
	diff := Fitting(c.Diff, room-count(system)-count(b.String())-frame, count)
	if diff == "" && c.Diff != "" {
		return nil, fmt.Errorf("the change does not fit into %d tokens", room)
	}
	part("The change:", diff)
	user := strings.TrimSpace(b.String())
	if !p.UseSystemPrompt {
		return []llm.Message{llm.Text(llm.RoleUser, system+"\n\n"+user)}, nil
	}
	return []llm.Message{llm.Text(llm.RoleSystem, system), llm.Text(llm.RoleUser, user)}, nil
}

// Fitting is as much of the beginning of a text as fits into so many tokens, in whole lines.
func Fitting(text string, tokens int, count func(string) int) string {
	const end = "(the rest is left out)\n"
	if count(text) <= tokens {
		return text
	}
	for size := len(text) / 2; size > 200; size /= 2 {
		part := text[:size]
		part = part[:strings.LastIndexByte(part, '\n')+1]
		if part != "" && count(part)+20 <= tokens {
			return part + end
		}
	}
	return ""
}

// clipped is the beginning of what was said, within mostSaid and so many tokens.
func clipped(text string, tokens int, count func(string) int) string {
	size := min(len(text), mostSaid)
	for size > 100 && count(text[:size]) > tokens {
		size -= size / 4
	}
	return clip(text, size)
}

// clip is the beginning of a text, in whole characters.
func clip(text string, size int) string {
	if len(text) <= size {
		return text
	}
	return strings.ToValidUTF8(text[:size], "") + "\n(the rest is left out)"
}
