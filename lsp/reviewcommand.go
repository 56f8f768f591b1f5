package lsp

import (
	"context"
	"errors"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/lsp/annotate"
	"coauthor/lsp/wire"
)

// cmdReview has the model read changes.
func (s *server) cmdReview(ctx context.Context, c *commandCall) (any, error) {
	r := c.target.root
	resolved, err := r.session.Review(ctx, c.args.Base, agent.Request{Instruction: c.args.Instruction, Model: c.args.Model})
	if errors.Is(err, agent.ErrNothingToReview) {
		s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+err.Error())
		return startResult{Status: "none"}, nil
	}
	if err != nil {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%v", err)
	}
	started, err := s.start(r, resolved, nil, talkFrom{})
	if err != nil {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%v", err)
	}
	return startResult{TurnID: started.Turn, Status: started.Status}, nil
}

// cmdClearReview takes the diagnostics of the last review away.
func (s *server) cmdClearReview(_ context.Context, c *commandCall) (any, error) {
	files := c.target.root.marks.ClearReview()
	status := "discarded"
	if files == 0 {
		status = "none"
		s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: No review findings to clear.")
	}
	return map[string]any{"status": status, "files": files}, nil
}

// newMarks makes what we say of lines of the files of a root.
func (s *server) newMarks(r *rootState) *annotate.Marks {
	return annotate.New(annotate.Options{
		Workspace: r.ws, Proposals: r.session.Proposals(), URI: s.docs.uris(r), Background: s.tasks.background,
		Ranges: func(text string) func(start, end int) protocol.Range {
			lines := s.lines(text)
			return func(start, end int) protocol.Range { return lines.RangeOf(start, end, s.docs.encoding) }
		},
		MarkHunks: func() bool { return s.marks(r) == "diagnostics" },
		Publish: func(uri string, list []annotate.Diagnostic) {
			s.client.Notify(protocol.MethodTextDocumentPublishDiagnostics, &diagnosticsOf{URI: uri, Diagnostics: list})
		},
	})
}

// diagnosticsOf is what a server says of a document.
type diagnosticsOf struct {
	URI         string                `json:"uri"`
	Diagnostics []annotate.Diagnostic `json:"diagnostics"`
}
