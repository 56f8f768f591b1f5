package event

import "fmt"

// Problem is why a turn failed: one sentence, and what to do.
type Problem struct {
	Message, Advice string
	Err             error
}

// Error returns the message and the advice.
func (p *Problem) Error() string {
	if p.Advice == "" {
		return p.Message
	}
	return p.Message + " " + p.Advice
}

// Unwrap returns the cause.
func (p *Problem) Unwrap() error { return p.Err }

// CannotRead is the problem of a request with a file that cannot be read.
func CannotRead(path string, err error) error {
	return &Problem{Message: fmt.Sprintf("Cannot read %s: %v.", path, err), Advice: "Remove it from the request.", Err: err}
}
