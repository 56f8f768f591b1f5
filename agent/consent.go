package agent

import (
	"context"
	"fmt"
	"sync"

	"coauthor/agent/event"
	"coauthor/agent/verify"
)

// consents are what the user answered about commands that a check wants to run, and about rules, as long as the
// session lasts. A yes is for one text: another argument is another question. The zero value is ready for use,
// also by several turns at a time.
type consents struct {
	mu       sync.Mutex
	answered map[string]bool // guarded by mu; by the text of the command, or "rules " and the sum of their texts
}

// once returns the answer to the question of that key, and whether there was one. The first time, and as long
// as nobody answers, it is asked.
func (c *consents) once(key string, ask func() (yes, answered bool, err error)) (yes, answered bool, err error) {
	c.mu.Lock()
	yes, known := c.answered[key]
	c.mu.Unlock()
	if known {
		return yes, true, nil
	}
	yes, answered, err = ask()
	if err != nil || !answered {
		return false, false, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.answered == nil {
		c.answered = map[string]bool{}
	}
	c.answered[key] = yes
	return yes, true, nil
}

// consent asks about each command once, through ask.
func (c *consents) consent(ask func(context.Context, event.Question) (bool, error)) verify.Consent {
	return func(ctx context.Context, command verify.Command) (bool, error) {
		text := command.String()
		yes, _, err := c.once(text, func() (bool, bool, error) {
			yes, err := ask(ctx, event.Question{
				Text: fmt.Sprintf("Run %s to check the change?", text), Choices: []string{"run", "skip"},
				Titles: []string{"run " + text, "do not run it"},
			})
			return yes, true, err
		})
		if err == nil {
			err = ctx.Err()
		}
		return yes && err == nil, err
	}
}
