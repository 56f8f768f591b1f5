package decide

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/lsp/review"
)

// mostAttempts is how many attempts one question bears.
const mostAttempts = 6

// AskAttempt asks which attempt is meant; 0 is none.
func (d *Decisions) AskAttempt(ctx context.Context, p *proposal.Proposal) (int, error) {
	const leave = "keep this attempt"
	q := event.Question{Turn: p.Turn, Default: leave}
	first := max(0, len(p.Attempts)-mostAttempts)
	numbers, lines := []int{}, []string{}
	for i, a := range review.Attempts(p) {
		if i < first || i+1 == p.Attempt {
			continue
		}
		line := review.Cut(fmt.Sprintf("attempt %d: %s", i+1, a), 80)
		q.Choices, q.Titles = append(q.Choices, fmt.Sprintf("attempt %d", i+1)), append(q.Titles, "take "+line)
		numbers, lines = append(numbers, i+1), append(lines, line)
	}
	q.Choices, q.Titles = append(q.Choices, leave), append(q.Titles, leave)
	q.Text = fmt.Sprintf("Attempt %d of %d is shown (%s). Which attempt do you want? %s.", p.Attempt, len(p.Attempts),
		display.Message(p.Attempts[p.Attempt-1].Label), strings.Join(lines, "; "))
	a, err := d.o.Asker.Ask(ctx, q)
	if err != nil {
		return 0, err
	}
	i := slices.Index(q.Choices, a.Choice)
	if i < 0 || i == len(numbers) {
		return 0, nil
	}
	return numbers[i], nil
}
