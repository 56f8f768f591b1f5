package lsp

import (
	"context"
	"errors"
	"maps"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/codereview"
	"coauthor/agent/workspace"
	"coauthor/lsp/document"
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
	gone := s.marked.swap(c.target.root, nil)
	for _, uri := range gone {
		s.diagnoseAgain(c.target.root, uri)
	}
	status := "discarded"
	if len(gone) == 0 {
		status = "none"
		s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: No review findings to clear.")
	}
	return map[string]any{"status": status, "files": len(gone)}, nil
}

// mark shows what a review found as diagnostics, in the place of those of the review before.
func (s *server) mark(r *rootState, found codereview.Review) {
	now := map[string][]diagnostic{}
	snap := r.ws.Snapshot()
	for _, f := range found.Findings {
		uri := s.uriOf(r, f.Path)
		now[uri] = append(now[uri], diagnostic{
			Range: document.FromProtocol(s.lineRange(snap, f.Path, f.Line-1)), Severity: severity(f.Severity), Source: "coauthor", Message: f.Message,
		})
	}
	touched := slices.Collect(maps.Keys(now))
	for _, uri := range s.marked.swap(r, now) {
		if now[uri] == nil {
			touched = append(touched, uri)
		}
	}
	s.keepMarks(r)
	for _, uri := range touched {
		s.diagnoseAgain(r, uri)
	}
}

// lineRange is a line of a file, counted from 0, without the white space around it.
func (s *server) lineRange(snap *workspace.Snapshot, path string, line int) protocol.Range {
	text, err := snap.Read(path)
	if err != nil {
		return protocol.Range{}
	}
	start, end := lineAt(text, line)
	return s.lines(text).RangeOf(start, end, s.encoding)
}

// lineAt is where a line of a text stands, counted from 0, without the white space around it.
func lineAt(text string, line int) (start, end int) {
	for ; line > 0 && start < len(text); start++ {
		if text[start] == '\n' {
			line--
		}
	}
	for end = start; end < len(text) && text[end] != '\n' && text[end] != '\r'; {
		end++
	}
	for start < end && (text[start] == ' ' || text[start] == '\t') {
		start++
	}
	for end > start && (text[end-1] == ' ' || text[end-1] == '\t') {
		end--
	}
	return start, end
}

func severity(name string) protocol.DiagnosticSeverity {
	switch name {
	case "error":
		return protocol.DiagnosticSeverityError
	case "warning":
		return protocol.DiagnosticSeverityWarning
	}
	return protocol.DiagnosticSeverityInformation
}
