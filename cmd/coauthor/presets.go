package main

import (
	"context"

	"coauthor/agent"
)

// presetFlags are what the commands take whose request needs no words.
type presetFlags struct {
	action agent.Action

	Message  string   `short:"m" placeholder:"TEXT" help:"What to mind, in your own words. A dash reads it from standard input."`
	Root     string   `placeholder:"DIR" help:"The folder to work in; default the git repository around the current folder."`
	Model    string   `placeholder:"NAME" help:"The model to ask."`
	APIBase  string   `name:"api-base" placeholder:"URL" help:"The OpenAI-compatible endpoint to ask."`
	ReadOnly []string `name:"read" placeholder:"FILE" help:"A file that the model sees and may not change."`
	Continue bool     `help:"Go on with the last conversation in this folder, and with the files that were in its chat."`
	JSON     bool     `name:"json" help:"Print JSON, one object a line."`
	Files    []string `arg:"" optional:"" help:"The files that are meant."`
}

// PresetAskCmd is such a command that changes nothing.
type PresetAskCmd struct {
	presetFlags
}

// PresetEditCmd is such a command that changes files.
type PresetEditCmd struct {
	presetFlags
	Format  string `placeholder:"NAME" help:"The form in which the model writes its edits; default what suits the model."`
	Yes     bool   `short:"y" xor:"how" help:"Apply the change, and add files that the model needs, without asking."`
	Force   bool   `help:"With --yes: also apply a change that has warnings, such as new syntax errors or lost definitions."`
	Preview bool   `xor:"how" help:"Show the change and stop; as a diff for git apply where the output is no terminal."`
}

// presetCommand is the command of a preset.
func presetCommand(a agent.Action, proposes bool) runner {
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
	return h.printed((&EditCmd{Yes: c.Yes, Force: c.Force, Preview: c.Preview}).rounds(ctx, h, result))
}

// start runs the turn. What it opened is the caller's to close, also with an error.
func (c *presetFlags) start(ctx context.Context, s Streams, format string, ready func(h *headless)) (h *headless, result agent.Result, err error) {
	t := turnFlags{Message: c.Message, Root: c.Root, Model: c.Model, APIBase: c.APIBase, ReadOnly: c.ReadOnly, Continue: c.Continue, JSON: c.JSON, Files: c.Files}
	if h, err = t.open(ctx, s); err != nil {
		return nil, result, err
	}
	ready(h)
	answer, err := c.action.Run(ctx, h.session, agent.Call{Text: t.Message, Files: h.files, More: map[string]any{"readOnly": h.read}, Ports: agent.Ports{Ask: h}})
	if err != nil {
		return h, result, err
	}
	r := *answer.Then
	r.Format = format
	h.flags.Message = r.Instruction
	result, err = h.turnFor(ctx, r, h)
	return h, result, err
}
