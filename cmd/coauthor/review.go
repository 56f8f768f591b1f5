package main

import (
	"context"
	"fmt"

	"coauthor/agent"
	"coauthor/agent/codereview"
	"coauthor/agent/display"
	"coauthor/cmd/coauthor/chat"
	"coauthor/cmd/coauthor/console"
)

// ReviewCmd has the model read changes.
type ReviewCmd struct {
	gitFlags
	Message string `short:"m" placeholder:"TEXT" help:"What the review should look for."`
	Base    string `arg:"" optional:"" help:"Review what changed since this branch or commit. Default: uncommitted changes."`
}

// Run prints what is wrong with the changes: as text, or as the events of the turn and the review behind them. Exit
// status 1: the answer says nothing about them that can be read.
func (c *ReviewCmd) Run(ctx context.Context, s Streams) (int, error) {
	h, err := c.open(ctx, s, nil)
	if err != nil {
		return 1, err
	}
	defer h.close()
	h.quietly = !c.JSON // the list that the model writes is shown in its own form
	resolved, err := h.session.Review(ctx, c.Base, agent.Request{Instruction: c.Message})
	if err != nil {
		return 1, err
	}
	result, err := h.turnOf(ctx, resolved, h)
	if err != nil {
		return 1, err
	}
	var unread error
	if r := result.Review; r != nil && r.Unread != "" {
		unread = fmt.Errorf("cannot show the review: %s; try again, or choose another model with --model", r.Unread)
	}
	if c.JSON {
		marshalLine(h.s.Out, map[string]any{"review": result.Review})
		return h.printed(failed(unread), unread)
	}
	switch width := console.Width(s.Out); {
	case result.Review != nil:
		fmt.Fprint(h.s.Out, chat.Fold(display.Text(reviewText(*result.Review)), width))
	default:
		h.out.text(result.Answer)
	}
	return h.printed(failed(unread), unread)
}

// failed is the exit status of what may have failed.
func failed(err error) int {
	if err != nil {
		return 1
	}
	return 0
}

// reviewText is a review as compilers write: what is found, a line each, and the rest behind it.
func reviewText(r codereview.Review) string {
	text := ""
	for _, f := range r.Findings {
		text += f.String() + "\n"
	}
	if r.Summary != "" {
		text += r.Summary + "\n"
	}
	if len(r.Findings) == 0 && r.Unread == "" {
		text += "The review found no problems.\n"
	}
	return text
}
