package main

import (
	"context"
	"fmt"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/display"
	"coauthor/cmd/coauthor/console"
)

// ShowContextCmd prints what a turn would send to the model.
type ShowContextCmd struct {
	turnFlags
	Coder  string `placeholder:"NAME" help:"The coder. Default: from your settings."`
	Format string `placeholder:"NAME" help:"Edit format. Default: the best for the model."`
}

// Run prints the prompt. Nothing is sent, and nothing is asked.
func (c *ShowContextCmd) Run(ctx context.Context, s Streams) (int, error) {
	c.asks, c.pipes = "What do you want to ask for?", true
	h, err := c.open(ctx, s)
	if err != nil {
		return 1, err
	}
	defer h.close()
	p, err := h.session.Prompt(ctx, agent.Request{
		Instruction: c.Message, Quoted: h.piped, Files: h.files, ReadOnly: h.read, Coder: c.Coder, Format: c.Format,
	}, agent.Ports{})
	if err != nil {
		return 1, err
	}
	report := command.Report(p)
	if c.JSON {
		marshalLine(h.s.Out, report)
		return h.printed(0, nil)
	}
	if console.Is(s.Out) {
		report.Text = display.Text(report.Text) // elsewhere it is exactly what a model would get
	}
	fmt.Fprint(h.s.Out, report.Text)
	return h.printed(0, nil)
}
