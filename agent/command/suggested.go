package command

import (
	"context"
	"strconv"
	"strings"

	"coauthor/agent"
	"coauthor/agent/event"
)

// runSuggested lists the commands that the last answer suggests and lets the user choose one. It runs as one that they typed
// does: they are asked first, and its output is offered to the conversation.
func runSuggested(ctx context.Context, s *agent.Session, c Call, list []string) (Answer, error) {
	q := event.Question{Text: "Which command suggested by the last answer do you want to run?"}
	text := "Commands suggested by the last answer:"
	for i, one := range list {
		q.Choices, q.Titles = append(q.Choices, strconv.Itoa(i+1)), append(q.Titles, oneLine(one))
		text += "\n" + strings.TrimSpace(one)
	}
	q.Choices, q.Titles = append(q.Choices, "none"), append(q.Titles, "run none of them")
	a, err := put(ctx, s, c.Ports, q)
	if err != nil {
		return Answer{}, err
	}
	if n, err := strconv.Atoi(a.Choice); err == nil && n >= 1 && n <= len(list) {
		return runInShell(ctx, s, c, list[n-1], true)
	}
	return Answer{Text: text, Data: Ran{Command: strings.Join(list, "\n"), Status: RanSkipped}}, nil
}
