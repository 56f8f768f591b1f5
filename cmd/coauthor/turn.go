package main

import (
	"context"
	"fmt"

	"github.com/alecthomas/kong"

	"coauthor/agent"
	"coauthor/agent/coder"
	"coauthor/agent/command"
)

// turnFlags are what every command that runs a turn takes.
type turnFlags struct {
	coder string // its name
	asks  string // what somebody on a terminal is asked who gives no request; "" where a command needs none

	Message     string   `short:"m" placeholder:"TEXT" help:"The request; - reads standard input."`
	Root        string   `placeholder:"DIR" help:"The project folder. Default: this repository."`
	Model       string   `placeholder:"NAME" help:"The model to ask."`
	APIBase     string   `name:"api-base" placeholder:"URL" help:"The OpenAI-compatible endpoint."`
	EditorModel string   `name:"editor-model" placeholder:"NAME" help:"The model that writes the edits for a plan."`
	Temperature *float64 `placeholder:"T" help:"Sampling temperature."`
	Effort      string   `name:"reasoning-effort" placeholder:"WORD" help:"Reasoning effort, such as high."`
	Thinking    string   `name:"thinking-tokens" placeholder:"N" help:"Limit on thinking tokens, such as 8k."`
	MapTokens   *int     `name:"map-tokens" placeholder:"N" help:"Repository map size in tokens; 0 sends none."`
	ReadOnly    []string `name:"read" placeholder:"FILE" help:"A file the model can read but not change."`
	Continue    bool     `help:"Continue the last conversation, with its files."`
	JSON        bool     `name:"json" help:"Print JSON, one object per line."`
	Verbose     bool     `help:"Also say how the answer was read."`
	Files       []string `arg:"" optional:"" help:"The files to work on."`

	more  map[string]string // settings that flags of one command alone stand for
	pipes bool              // text on standard input goes along
}

// coderCommands are the commands of the coders that users can name, made from their rows.
func coderCommands(coders coder.Table) []madeCommand {
	var list []madeCommand
	for _, c := range coders.Offered() {
		var cmd runner = &AskCmd{turnFlags: turnFlags{coder: c.Name, asks: "What do you want to ask?", pipes: true}}
		group := command.GroupAsk
		if c.Proposes() {
			cmd, group = &EditCmd{turnFlags: turnFlags{coder: c.Name, asks: "What do you want to change?", pipes: true}, Goals: goalFlags()}, command.GroupChange
		}
		list = append(list, madeCommand{c.CommandWord(), plain(c.Doc), group, cmd})
	}
	return list
}

// EditCmd runs a turn that changes files.
type EditCmd struct {
	turnFlags
	Format  string `placeholder:"NAME" help:"Edit format. Default: the best for the model."`
	Yes     bool   `short:"y" xor:"how" help:"Apply changes and add files without asking."`
	Force   bool   `help:"With --yes: ignore warnings."`
	Preview bool   `xor:"how" help:"Only show the change; in a pipe, as a diff."`
	DryRun  bool   `name:"dry-run" xor:"how" help:"The same as --preview."`

	Goals kong.Plugins `embed:""`
}

// AskCmd runs a turn that answers a question.
type AskCmd struct {
	turnFlags
}

// Run asks for a change, shows it, and applies it when the user agrees. Exit status 0: done; 1: not or
// not wholly done, also where the model answered without an edit.
func (c *EditCmd) Run(ctx context.Context, s Streams) (int, error) {
	h, err := c.open(ctx, s)
	if err != nil {
		return 1, err
	}
	defer h.close()
	h.yes = c.Yes
	return h.printed(c.edit(ctx, h))
}

// named is the coder whose slash command the message begins with.
func (f *turnFlags) named(s Streams) (coder.Coder, bool) {
	table := s.coders()
	name, _, ok := table.Slash(f.Message)
	if !ok {
		return coder.Coder{}, false
	}
	c, err := table.ByName(name)
	return c, err == nil
}

// edit is Run once everything is open.
func (c *EditCmd) edit(ctx context.Context, h *headless) (int, error) {
	if err := h.present(ctx, c); err != nil {
		return 1, err
	}
	if err := h.aim(ctx, c.Goals); err != nil {
		return 1, err
	}
	result, err := h.turn(ctx, agent.Request{Coder: c.coder, Format: c.Format})
	if err != nil {
		return 1, err
	}
	if named, ok := c.named(h.s); ok && !named.Proposes() {
		return 0, nil // an answer is all that was asked for
	}
	if result, err = c.answer(ctx, h, result); err != nil {
		return 1, err
	}
	return c.became(ctx, h, result)
}

// became decides on what a turn has proposed, and then offers the commands that its answer suggests.
func (c *EditCmd) became(ctx context.Context, h *headless, r agent.Result) (int, error) {
	code, err := c.rounds(ctx, h, r)
	return c.offerSuggested(ctx, h, code, err)
}

// Run asks a question and prints the answer.
func (c *AskCmd) Run(ctx context.Context, s Streams) (int, error) {
	h, err := c.open(ctx, s)
	if err != nil {
		return 1, err
	}
	defer h.close()
	h.out.raw = true
	if named, ok := c.named(s); ok && named.Proposes() {
		return 1, fmt.Errorf("no request sent, because /%s changes files and coauthor %s does not; run coauthor %s -m \"REQUEST\"", named.Name, c.coder, named.CommandWord())
	}
	if err := h.present(ctx, nil); err != nil {
		return 1, err
	}
	request := agent.Request{Coder: c.coder}
	result, err := h.turn(ctx, request)
	for answered := true; err == nil && answered && coder.Asks(result.Answer) && h.interactive(); {
		result, answered, err = h.reply(ctx, "Your answer to the model (Enter: none):", request)
	}
	if err != nil {
		return 1, err
	}
	return h.printed(0, nil)
}
