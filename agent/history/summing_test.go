package history_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"coauthor/agent/history"
	"coauthor/agent/settings"
)

// A panic in a summary, and in what decides on one, ends the summary, not the server, and is logged. The next turn does not
// wait for it.
func TestAPanicEndsTheSummary(t *testing.T) {
	for _, when := range []string{"it is counted", "it is summed up"} {
		var logged bytes.Buffer
		released := make(chan struct{})
		c := history.NewConversation(history.Options{
			Context:  t.Context(),
			Settings: func() settings.Settings { return settings.Settings{History: settings.History{}} },
			Log:      slog.New(slog.NewTextHandler(&logged, nil)),
			Hold:     func() (func(), error) { return func() { close(released) }, nil },
			Limit: func() (int, int, func(string) int) {
				if when == "it is counted" {
					panic("no table")
				}
				return 4, 100, func(text string) int { return len(text) }
			},
			Summarize: func(context.Context, history.Plan, int) (string, error) { panic("no table") },
		})
		c.Hear(history.Exchange{User: "first", Reply: "one"})
		c.Hear(history.Exchange{User: "second", Reply: "two"})
		c.Shorten()
		if when == "it is summed up" {
			<-released
		}
		late, err := c.AwaitSummary(t.Context(), func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() })
		if late || err != nil || !strings.Contains(logged.String(), "no table") {
			t.Errorf("when %s: late %v, %v, logged %s", when, late, err, &logged)
		}
	}
}
