package lsp

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/custom"
	"coauthor/agent/event"
	"coauthor/lsp/folder"
	"coauthor/lsp/review"
	"coauthor/lsp/wire"
)

// cmdRunAction starts the turn of a command of the user's own. Where that has places for words and none were given, they
// are asked for.
func (s *server) cmdRunAction(ctx context.Context, c *commandCall, args command.RunActionArgs) (any, error) {
	r := c.target.root
	own, err := r.Custom.Load(ctx)
	if err != nil {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%v", err)
	}
	s.config.logOwn(own)
	name := strings.TrimPrefix(args.Name, "/")
	names := []string{}
	for _, one := range own.List {
		names = append(names, one.Name)
	}
	if name == "" {
		if name, err = chooseOwn(ctx, r, own.List); err != nil || name == "" {
			return startResult{Status: "none"}, err
		}
	}
	i := slices.Index(names, name)
	if i < 0 {
		for _, p := range own.Problems {
			if p.Command == name && p.Unused {
				return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "cannot use /%s: %s", name, p)
			}
		}
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "unknown custom command %q; available commands: %s", name, strings.Join(names, ", "))
	}
	req, err := s.request(c, command.EditArgs{Start: args.Start})
	if err != nil {
		return nil, err
	}
	said := "/" + name + " "
	if req.Instruction == "" && own.List[i].Takes() {
		return s.needsWords(ctx, c, req, said, own.List[i].Hint)
	}
	req.Instruction = said + req.Instruction
	return s.begin(ctx, r, req, c)
}

// mostChosen is how many commands one question bears.
const mostChosen = 6

// chooseOwn asks which command is meant; "" is none.
func chooseOwn(ctx context.Context, r *folder.Folder, list []custom.Command) (string, error) {
	if len(list) == 0 {
		return "", jsonrpc2.Errorf(wire.CodeRequestFailed, "you have no custom commands yet; add an entry to actions in your settings, or a Markdown file to the commands folder next to your config.yaml")
	}
	q := event.Question{Text: "Which command?", Default: "none"}
	if len(list) > mostChosen {
		q.Text, list = "Which command? To run another one, type / and its name in a prompt document.", list[:mostChosen]
	}
	for _, c := range list {
		q.Choices, q.Titles = append(q.Choices, c.Name), append(q.Titles, review.Cut(c.InMenu(), 60))
	}
	q.Choices, q.Titles = append(q.Choices, q.Default), append(q.Titles, "none")
	a, err := r.Shown.Asker().Ask(ctx, q)
	if a.Choice == q.Default {
		return "", err
	}
	return a.Choice, err
}

// needsWords asks for what is written behind a command: in an input box, or in a prompt document that begins with it.
func (s *server) needsWords(ctx context.Context, c *commandCall, req agent.Request, said, hint string) (any, error) {
	if s.client.Caps.InputRequest {
		return s.inputBox(ctx, c, req, said, strings.TrimSpace(said+hint))
	}
	doc, err := s.openPrompt(ctx, c.target.root, c.target, review.PromptHead{Coder: kindEdit}, said)
	if err != nil {
		return nil, err
	}
	return s.soonShow(ctx, c.target.root, doc, startResult{Status: statusNeedsInput, URI: doc.URI})
}

// logOwn tells what is wrong in the files of commands, each problem once.
func (c *config) logOwn(own custom.Commands) {
	for _, p := range own.Problems {
		if c.unsaid(p.String()) {
			c.s.log.Warn("custom command: " + p.String())
		}
	}
}
