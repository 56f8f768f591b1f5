package agent

import (
	"context"
	"fmt"
	"sync"

	"coauthor/agent/event"
	"coauthor/agent/verify"
)

// consents are what the user answered about commands that a check wants to run, as long as the session
// lasts. A yes is for one text: another argument is another question. The zero value is ready for use,
// also by several turns at a time.
type consents struct {
	mu       sync.Mutex
	answered map[string]bool // guarded by mu; by the text of the command
}

// consent asks about each command once, through ask.
func (c *consents) consent(ask func(context.Context, event.Question) (bool, error)) verify.Consent {
	return func(ctx context.Context, command verify.Command) (bool, error) {
		text := command.String()
		c.mu.Lock()
		yes, known := c.answered[text]
		c.mu.Unlock()
		if known {
			return yes, ctx.Err()
		}
		yes, err := ask(ctx, event.Question{
			Text: fmt.Sprintf("Run %s to check the change?", text), Choices: []string{"run", "skip"},
			Titles: []string{"run " + text, "do not run it"},
		})
		if err != nil {
			return false, err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.answered == nil {
			c.answered = map[string]bool{}
		}
		c.answered[text] = yes
		return yes, nil
	}
}
