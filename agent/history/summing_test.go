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

// A panic in a summary ends the summary, not the server, and is logged. The next turn does not wait for it.
func TestAPanicEndsTheSummary(t *testing.T) {
	var logged bytes.Buffer
	released := make(chan struct{})
	c := history.NewConversation(history.Options{
		Context:  t.Context(),
		Settings: func() settings.Settings { return settings.Settings{History: settings.History{}} },
		Log:      slog.New(slog.NewTextHandler(&logged, nil)),
		Hold:     func() (func(), error) { return func() { close(released) }, nil },
		Limit:    func() (int, int, func(string) int) { panic("no table") },
	})
	c.Shorten()
	<-released
	late, err := c.AwaitSummary(t.Context(), func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() })
	if late || err != nil || !strings.Contains(logged.String(), "no table") {
		t.Errorf("late %v, %v, logged %s", late, err, &logged)
	}
}
