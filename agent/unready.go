package agent

import (
	"errors"

	"coauthor/agent/event"
	"coauthor/agent/llm"
)

// Lack is what is missing in the set-up, so that a turn came to nothing.
type Lack struct {
	Text string // one sentence, without what to do about it; "" for nothing that is known
	Key  bool   // it is the model's key; else the model or its endpoint
}

// errNoModel says that nobody has chosen a model.
var errNoModel = errors.New("no model")

// unready says what of the set-up an error is about.
func unready(err error) Lack {
	var e *llm.Error
	var p *event.Problem
	switch {
	case errors.As(err, &e) && (e.Kind == llm.NoKey || e.Kind == llm.Auth || e.Kind == llm.NotFound):
		return Lack{e.Message, e.Kind != llm.NotFound}
	case errors.As(err, &p) && errors.Is(err, errNoModel):
		return Lack{Text: p.Message}
	}
	return Lack{}
}
