package lsp

import (
	"context"
	"errors"
	"regexp"

	"go.lsp.dev/protocol"

	"coauthor/agent/command"
	"coauthor/agent/display"
	"coauthor/agent/proposal"
)

// getTexts is our own request: both sides of one file of a proposal, for an editor that shows its own diff.
func (s *server) getTexts(ctx context.Context, p *getTextsParams, _ struct{}) (any, error) {
	r, path, err := s.folders.Find(ctx, p.URI)
	if err != nil {
		return nil, err
	}
	return r.Pending.Texts(ctx, proposal.Selector{Turn: p.TurnID, Proposal: p.ProposalID}, path)
}

// How many entries a page of a transcript has without a limit, and at most.
const usualPage, mostPage = 50, 200

// getTranscript is our own request: a page of the conversation of a folder, for an editor that shows it itself.
func (s *server) getTranscript(ctx context.Context, p *getTranscriptParams, _ struct{}) (any, error) {
	r := s.folders.Default()
	if p.URI != "" {
		var err error
		if r, _, err = s.folders.Find(ctx, p.URI); err != nil {
			return nil, err
		}
	}
	limit := p.Limit
	if limit <= 0 {
		limit = usualPage
	}
	list, more, err := r.Session.Conversation.Page(ctx, p.Before, min(limit, mostPage))
	if err != nil {
		return nil, err
	}
	page := transcriptPage{URI: r.URI(), Entries: []transcriptEntry{}, More: more}
	for _, x := range list {
		one := transcriptEntry{Number: x.Number, TurnID: x.Turn, At: x.At, Request: display.Text(x.User), Answer: display.Text(x.Prose),
			Coder: x.Coder, Model: x.Model, ProposalID: x.Proposal, Commands: command.SuggestedIn(x, r.Session.Engine.Options())}
		if x.Proposal != "" {
			one.Became = string(r.Session.Proposals.Sent.Became(x.Proposal))
		}
		page.Entries = append(page.Entries, one)
	}
	return page, nil
}

// secretName is what the name of a variable for a key may look like.
var secretName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,127}$`)

// mostSecret is how long a key may be.
const mostSecret = 16 << 10

// didSetSecret is our own notification: a key that the client keeps for the user. Its errors are logged, and say nothing of
// what came: some clients confuse name and value.
func (s *server) didSetSecret(_ context.Context, p *setSecretParams) error {
	switch {
	case s.opts.SetSecret == nil:
		return errors.New("this server does not accept keys")
	case !secretName.MatchString(p.Name):
		return errors.New("the key's name is not a valid variable name")
	case len(p.Value) > mostSecret:
		return errors.New("the key is too long")
	}
	s.opts.SetSecret(p.Name, p.Value)
	return nil
}

type contentParams struct {
	URI string `json:"uri"`
}

// textDocumentContent gives the text of a virtual document.
func (s *server) textDocumentContent(_ context.Context, p *contentParams, _ struct{}) (any, error) {
	text, ok := s.own.Answers.Get(p.URI)
	if !ok {
		text, _ = s.own.Content(p.URI) // one that is gone is empty: the client has it open
	}
	return &protocol.TextDocumentContentResult{Text: text}, nil
}
