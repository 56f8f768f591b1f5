package lsp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/codereview"
	"coauthor/agent/command"
	"coauthor/agent/commit"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/vcs"
	"coauthor/lsp/chat"
	"coauthor/lsp/decide"
	"coauthor/lsp/deliver"
	"coauthor/lsp/review"
	"coauthor/lsp/wire"
)

// commitResult is the answer of coauthor.commit.
type commitResult struct {
	Status string `json:"status"`
	commit.Committed
}

// cmdCommit commits what the user has changed.
func (s *server) cmdCommit(ctx context.Context, c *commandCall, args command.CommitArgs) (any, error) {
	r := c.target.root
	files, err := s.folders.Paths(r, args.Files)
	if err != nil {
		return nil, err
	}
	made, err := r.Session.Commits.Commit(ctx, commit.Request{Message: args.Message, Files: files})
	if errors.Is(err, vcs.ErrNothing) {
		s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: Nothing to commit. To commit new files, list them in the command.")
		return map[string]any{"status": "none"}, nil
	}
	if err != nil {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%v", err)
	}
	s.showCommit(made)
	return commitResult{Status: "committed", Committed: made}, nil
}

func (s *server) showCommit(c commit.Committed) {
	s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+strings.Join(append([]string{c.String() + "."}, c.Notes...), " "))
}

// commitTold shows what became of the changes of a turn in git.
func (s *server) commitTold(e *event.Commit) {
	if e.Hash == "" {
		s.client.ShowMessage(protocol.MessageTypeWarning, "Coauthor: The change was not committed. "+e.Reason)
		return
	}
	s.showCommit(commit.Committed{Hash: e.Hash, Subject: e.Subject, Files: e.Files, Notes: e.Notes})
}

// mostShown is how many bytes of a diff a document has at most.
const mostShown = 1 << 20

// cmdDiff shows what changed.
func (s *server) cmdDiff(ctx context.Context, c *commandCall, args command.DiffArgs) (any, error) {
	r := c.target.root
	changes, err := r.Session.Commits.Diff(ctx, args.Base)
	if err != nil {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%v", err)
	}
	if len(changes.Files) == 0 {
		s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+changes.About+": none.")
		changes.Files = []string{}
		return changes, nil
	}
	s.tasks.Background(func(ctx context.Context) {
		if elsewhere := r.Shown.Page(ctx, "changes.md", changesText(changes)); elsewhere != "" {
			s.client.LogMessage(protocol.MessageTypeInfo, elsewhere)
		}
	})
	return changes, nil
}

// changesText is the document of a diff.
func changesText(c codereview.Changes) string {
	text, cut := c.Text, ""
	if len(text) > mostShown {
		text = strings.ToValidUTF8(text[:mostShown], "")
		cut = "\nOutput truncated; run git diff to see all of it.\n"
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return fmt.Sprintf("# Coauthor: what changed\n\n%s: %s.\n\n%sdiff\n%s%s\n%s", c.About, review.CountFiles(len(c.Files)), fence, text, fence, cut)
}

// undoneResult is the answer of coauthor.undoCommit.
type undoneResult struct {
	Status  string               `json:"status"`
	Hash    string               `json:"hash"`
	Subject string               `json:"subject"`
	Files   []decide.FileOutcome `json:"files"`
}

// cmdUndoCommit takes back the last commit that was made here.
func (s *server) cmdUndoCommit(ctx context.Context, c *commandCall) (any, error) {
	r := c.target.root
	d := r.Decisions.Applier(deliver.Options{})
	u, err := r.Session.Commits.Undo(ctx, d)
	if err != nil {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%v", err)
	}
	out := undoneResult{Status: string(proposal.StatusUndone), Hash: u.Hash, Subject: u.Subject, Files: []decide.FileOutcome{}}
	if u.Files != nil {
		out.Files = r.Decisions.View(*u.Files).Files
	}
	kind := protocol.MessageTypeInfo
	if !u.Done {
		kind, out.Status = protocol.MessageTypeWarning, string(u.Files.Status)
		if !d.Declined() {
			r.Shown.Review().Report(*u.Files)
		}
	}
	s.client.ShowMessage(kind, "Coauthor: "+u.String())
	return out, nil
}

// cmdReview has the model read changes.
func (s *server) cmdReview(ctx context.Context, c *commandCall, args command.ReviewArgs) (any, error) {
	r := c.target.root
	resolved, err := r.Session.Review(ctx, args.Base, agent.Request{Instruction: args.Instruction, Model: args.Model})
	if errors.Is(err, agent.ErrNothingToReview) {
		s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+err.Error())
		return startResult{Status: "none"}, nil
	}
	if err != nil {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%v", err)
	}
	started, err := s.start(r, resolved, nil, chat.From{})
	if err != nil {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%v", err)
	}
	return startResult{TurnID: started.Turn, Status: started.Status}, nil
}

// cmdClearReview takes the diagnostics of the last review away.
func (s *server) cmdClearReview(_ context.Context, c *commandCall) (any, error) {
	files := c.target.root.Marks.ClearReview()
	status := "discarded"
	if files == 0 {
		status = "none"
		s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: No review findings to clear.")
	}
	return map[string]any{"status": status, "files": files}, nil
}
