package llm

import (
	"errors"
	"time"

	"coauthor/agent/event"
)

// ErrorKind is why a call failed, as far as a caller may decide by it.
type ErrorKind string

// The closed set of kinds.
const (
	NoKey      ErrorKind = "no-key"
	Auth       ErrorKind = "auth"
	NotFound   ErrorKind = "not-found"
	RateLimit  ErrorKind = "rate-limit"
	Overloaded ErrorKind = "overloaded"
	TooLong    ErrorKind = "too-long"
	Refused    ErrorKind = "refused"
	Network    ErrorKind = "network"
	Timeout    ErrorKind = "timeout"
	BadStream  ErrorKind = "bad-stream"
	BadRequest ErrorKind = "bad-request"
	Canceled   ErrorKind = "canceled"
)

// Error is a failed call: Message says in one sentence what happened, Advice what to do next.
// Neither ever contains a key.
type Error struct {
	Kind       ErrorKind
	Status     int // HTTP status, 0 when there was no answer
	Message    string
	Advice     string
	RetryAfter time.Duration
	Partial    Reply // what had arrived; Finish is cut
	NoTools    bool  // the model, or its server, cannot be offered tools
	Err        error

	Hopeless    bool   // the kind may pass, this one does not: no retry
	Unpaid      bool   // the account is empty
	PathMissing bool   // it is the path that was not found, not the model
	Field       string // the request field that was refused
	Said        string // what the server said about it
}

// Error returns the message and the advice.
func (e *Error) Error() string {
	if e.Advice == "" {
		return e.Message
	}
	return e.Message + " " + e.Advice
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Words returns what to tell a user of an error.
func Words(err error) (message, advice string) {
	var p *event.Problem
	var call *Error
	switch {
	case errors.As(err, &p):
		return p.Message, p.Advice
	case errors.As(err, &call):
		return call.Message, call.Advice
	}
	return err.Error(), ""
}
