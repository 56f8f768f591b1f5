package main

import (
	"context"

	"coauthor/agent"
	"coauthor/agent/command"
)

// presetFlags are what the commands take whose request needs no words.
type presetFlags struct {
	action command.Action

	Message  string   `short:"m" placeholder:"TEXT" help:"Additional instructions; - reads standard input."`
	Root     string   `placeholder:"DIR" help:"The project folder. Default: this repository."`
	Model    string   `placeholder:"NAME" help:"The model to ask."`
	APIBase  string   `name:"api-base" placeholder:"URL" help:"The OpenAI-compatible endpoint."`
	ReadOnly []string `name:"read" placeholder:"FILE" help:"A file the model can read but not change."`
	Continue bool     `help:"Continue the last conversation, with its files."`
	JSON     bool     `name:"json" help:"Print JSON, one object per line."`
	Files    []string `arg:"" optional:"" help:"The files to work on."`
}

// PresetAskCmd is such a command that changes nothing.
type PresetAskCmd struct {
	presetFlags
}

// PresetEditCmd is such a command that changes files.
type PresetEditCmd struct {
	presetFlags
	Format  string `placeholder:"NAME" help:"Edit format. Default: the best for the model."`
	Yes     bool   `short:"y" xor:"how" help:"Apply changes and add files without asking."`
	Force   bool   `help:"With --yes: ignore warnings."`
	Preview bool   `xor:"how" help:"Only show the change; in a pipe, as a diff."`
}

// presetCommand is the command of a preset.
func presetCommand(a command.Action, proposes bool) runner {
	flags := presetFlags{action: a}
	if proposes {
		return &PresetEditCmd{presetFlags: flags}
	}
	return &PresetAskCmd{presetFlags: flags}
}

// Run asks and prints the answer.
func (c *PresetAskCmd) Run(ctx context.Context, s Streams) (int, error) {
	h, _, err := c.start(ctx, s, "", func(h *headless) { h.out.raw = true })
	if h == nil {
		return 1, err
	}
	defer h.close()
	if err != nil {
		return 1, err
	}
	return h.printed(0, nil)
}

// Run asks for the change, shows it, and applies it when the user agrees. Exit status 1: not or not wholly done, also where
// the model answered without an edit.
func (c *PresetEditCmd) Run(ctx context.Context, s Streams) (int, error) {
	h, result, err := c.start(ctx, s, c.Format, func(h *headless) { h.yes = c.Yes })
	if h == nil {
		return 1, err
	}
	defer h.close()
	if err != nil {
		return 1, err
	}
	return h.printed((&EditCmd{Yes: c.Yes, Force: c.Force, Preview: c.Preview}).became(ctx, h, result))
}

// start runs the turn. What it opened is the caller's to close, also with an error.
func (c *presetFlags) start(ctx context.Context, s Streams, format string, ready func(h *headless)) (h *headless, result agent.Result, err error) {
	t := turnFlags{Message: c.Message, Root: c.Root, Model: c.Model, APIBase: c.APIBase, ReadOnly: c.ReadOnly, Continue: c.Continue, JSON: c.JSON, Files: c.Files, pipes: true}
	if h, err = t.open(ctx, s); err != nil {
		return nil, result, err
	}
	ready(h)
	args := &command.EditArgs{Start: command.Start{Instruction: t.Message, Files: h.files, ReadOnly: h.read}, Format: format}
	answer, err := c.action.Run.Do(ctx, h.session, command.Call{Args: args, Ports: agent.Ports{Ask: h}})
	if err != nil {
		return h, result, err
	}
	r := *answer.Then
	r.Quoted = h.piped
	h.flags.Message = r.Instruction
	result, err = h.turnFor(ctx, r, h)
	return h, result, err
}
