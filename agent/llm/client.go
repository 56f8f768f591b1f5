package llm

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"time"
)

// Options configures New. Zero values are replaced by sensible ones.
type Options struct {
	HTTP       *http.Client
	Env        func(name string) string
	Clock      func() time.Time
	Sleep      func(ctx context.Context, d time.Duration) error
	Rand       io.Reader // jitter of the retries
	Log        *slog.Logger
	FirstToken time.Duration
	Idle       time.Duration
	Total      time.Duration
	Retries    int
	OnRetry    func(attempt int, wait time.Duration, err *Error)
}

// OpenAI is a Client for every endpoint that speaks the OpenAI chat protocol. It is safe for
// concurrent use.
type OpenAI struct{ o Options }

// New returns a client.
func New(o Options) *OpenAI { return &OpenAI{o: o} }

// Stream implements Client.
func (c *OpenAI) Stream(ctx context.Context, r Request, on func(Delta)) (Reply, error) {
	return Reply{}, &Error{Kind: BadRequest, Message: "not there yet"}
}
