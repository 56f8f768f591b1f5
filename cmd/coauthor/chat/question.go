package chat

import (
	"context"
	"fmt"
	"strings"

	"coauthor/agent/display"
	"coauthor/agent/event"
)

// quoted stands before the lines of what a question speaks of.
const quoted = "  | "

// Fold breaks the lines of a text between words so that they fit into so many columns; 0 leaves them as they are. What is
// quoted keeps its bar where it is broken.
func Fold(text string, width int) string {
	if width <= 0 {
		return text
	}
	end := text[len(strings.TrimRight(text, "\n")):]
	var rows []string
	for line := range strings.Lines(text) {
		indent := "  "
		if strings.HasPrefix(line, quoted) {
			indent = quoted
		}
		rows = append(rows, wrap(line, width, indent)...)
	}
	return strings.Join(rows, "\n") + end
}

// Quoted is a text of others, made fit to be shown, with a bar before each of its lines.
func Quoted(text string) string {
	var b strings.Builder
	for line := range strings.Lines(display.Text(text)) {
		b.WriteString(quoted + strings.TrimRight(line, "\n") + "\n")
	}
	return b.String()
}

// Asked is how a question is written in so many columns (0: in lines as long as they are): what stands above it, which is
// whole lines, and the question itself, behind which the answer is typed.
func Asked(q event.Question, width int) (head, text string) {
	head, text = asked(q)
	return Fold(head, width), Fold(text, width)
}

func asked(q event.Question) (head, line string) {
	head = Quoted(q.Body) // all of it, as it is: the user agrees to what they have seen
	if !q.FreeText {
		for _, choice := range q.Numbered() {
			head += "  " + choice + "  " + display.Message(q.Title(choice)) + "\n"
		}
		line = display.Messages(strings.TrimSpace(q.Text)) // what was found stands above what is asked
		if len(q.Choices) > 0 {
			line += " [" + strings.Join(q.Choices, "/") + "]"
		}
		if q.Default != "" {
			line += " (default: " + q.Default + ")"
		}
		return head, line
	}
	text := strings.TrimSpace(display.Text(q.Text)) // a model's question may have several lines
	if len(q.Choices) == 0 {
		return head, text
	}
	var words []string
	for _, choice := range q.Choices {
		word := display.Message(choice)
		if title := display.Message(q.Title(choice)); title != word {
			word += " (" + title + ")"
		}
		words = append(words, word)
	}
	line = "Type an answer, or one of these: " + strings.Join(words, "; ")
	if q.Default != "" && !q.Explicit {
		line += ". Press Enter for " + display.Message(q.Default)
	}
	return head + text + "\n", line + "."
}

// Again is what is said of a word that is no answer to a question.
func Again(q event.Question) string {
	switch {
	case q.Explicit && len(q.Choices) == 0:
		return "Type an answer. Enter alone does nothing here."
	case q.Explicit:
		return fmt.Sprintf("Type an answer, or %s. Enter alone does nothing here.", strings.Join(q.Choices, " or "))
	}
	return fmt.Sprintf("Type %s, or the first letter. Press Enter for %s.", strings.Join(q.Choices, " or "), q.Default)
}

// Ask implements event.Asker: it puts a question until an answer fits (see event.Question.Choose).
func (s *session) Ask(ctx context.Context, q event.Question) (event.Answer, error) {
	head, text := Asked(q, 0)
	i := strings.LastIndexByte(text, '\n') + 1
	head += text[:i]
	before := line{before: strings.TrimSpace(text[i:])}
	if head != "" {
		s.on.Print(strings.TrimRight(Fold(head, s.on.Width()), "\n"))
	}
	for {
		word, err := s.on.Ask(ctx, before)
		if err != nil {
			return event.Answer{}, err
		}
		if answer, ok := q.Choose(word); ok {
			return answer, nil
		}
		s.say(lookDim, Again(q))
	}
}
