package lsp

import (
	"context"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/proposal"
	"coauthor/lsp/chat"
	"coauthor/lsp/decide"
	"coauthor/lsp/deliver"
	"coauthor/lsp/wire"
)

// cmdHistory opens the list of the requests as a document.
func (s *server) cmdHistory(ctx context.Context, c *commandCall) (any, error) {
	r := c.target.root
	report, err := command.Conversation(ctx, r.Session.Conversation, r.Session.Proposals.Sent.Became)
	if err != nil {
		return nil, err
	}
	s.tasks.Background(func(ctx context.Context) {
		if elsewhere := r.Shown.Page(ctx, "conversation.md", report.Text); elsewhere != "" {
			s.client.LogMessage(protocol.MessageTypeInfo, elsewhere)
		}
	})
	return report, nil
}

// rewound is the answer of coauthor.rewind.
type rewound struct {
	decide.Outcome
	Number   int `json:"number"`
	Requests int `json:"requests"`
}

// cmdRewind takes the files and the conversation back to before a request.
func (s *server) cmdRewind(ctx context.Context, c *commandCall, args command.RewindArgs) (any, error) {
	r := c.target.root
	return s.soon(ctx, func(ctx context.Context) (any, error) {
		port := r.Decisions.Applier(deliver.Options{})
		back, err := r.Session.Rewind(ctx, string(args.Request), port)
		if err != nil {
			return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%v", err)
		}
		kind := protocol.MessageTypeInfo
		if !back.Done {
			kind = protocol.MessageTypeWarning
		}
		if back.Done || !port.Declined() || back.Outcome.Status != proposal.StatusPending { // else the user knows it
			s.client.ShowMessage(kind, "Coauthor: "+back.String())
		}
		out := rewound{Outcome: r.Decisions.View(back.Outcome), Number: back.Before.Number, Requests: back.Count}
		if out.TurnID = back.Before.Turn; back.Done {
			out.Status = "rewound"
		}
		return out, nil
	})
}

// cmdClear begins a new conversation.
func (s *server) cmdClear(_ context.Context, c *commandCall) (any, error) {
	n := c.target.root.Session.Conversation.Clear()
	s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: Started a new conversation. The model no longer sees earlier messages.")
	return map[string]any{"requests": n}, nil
}

// cmdReset begins a new conversation without the files of this one.
func (s *server) cmdReset(_ context.Context, c *commandCall) (any, error) {
	c.target.root.Session.Chosen.Clear()
	n := c.target.root.Session.Conversation.Clear()
	c.target.root.Chat.UpdateHeads()
	s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: Started a new conversation and removed the files from the chat.")
	return map[string]any{"requests": n}, nil
}

// runTalk runs what the user wrote in a prompt document: it answers the question that is open, or is a request, which goes on
// with what was asked there before.
func (s *server) runTalk(ctx context.Context, c *commandCall, req agent.Request) (any, error) {
	r := c.target.root
	c.from = chat.From{Name: c.target.path, Said: req.Instruction}
	if s.questions.AnswersOne(r.Session, req.Instruction) {
		r.Chat.Said(c.from)
		return startResult{Status: "answered"}, nil
	}
	req.FollowUp = r.Chat.Run(c.target.path, req)
	result, err := s.begin(ctx, r, req, c)
	if err == nil && !isTurn(result) {
		r.Chat.Said(c.from)
	}
	return result, err
}

// isTurn says whether the result of a command is that of a turn, which itself has the document say what was asked, or that
// nothing was done.
func isTurn(result any) bool {
	one, ok := result.(startResult)
	return ok && (one.TurnID != "" || one.Status == statusNeedsInput || one.Status == agent.StatusBusy)
}
