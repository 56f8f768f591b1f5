package lsp

import (
	"context"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/lsp/wire"
)

// cmdShowContext puts together what a request from here would send, and opens it as a document.
func (s *server) cmdShowContext(ctx context.Context, c *commandCall, args command.ShowContextArgs) (any, error) {
	r := c.target.root
	req, err := s.request(c, command.EditArgs{Format: args.Format, Start: command.Start{
		Instruction: args.Instruction, Files: args.Files, ReadOnly: args.ReadOnly, Model: args.Model,
	}})
	if err != nil {
		return nil, err
	}
	req.Coder = args.Coder
	p, err := r.Session.Prompt(ctx, req, agent.Ports{Snapshot: c.target.snapshot})
	if err != nil {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%v", err)
	}
	report := command.Report(p)
	s.tasks.Background(func(ctx context.Context) {
		if elsewhere := r.Shown.Page(ctx, "context.md", report.Text); elsewhere != "" {
			s.client.LogMessage(protocol.MessageTypeInfo, elsewhere)
		}
	})
	return report, nil
}
