package lsp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/coder"
	"coauthor/agent/command"
	"coauthor/agent/problems"
	"coauthor/agent/proposal"
	"coauthor/lsp/annotate"
	"coauthor/lsp/chat"
	"coauthor/lsp/codeaction"
	"coauthor/lsp/document"
	"coauthor/lsp/folder"
	"coauthor/lsp/wire"
)

// problems are what the client told of the open files of a root. A model that looks around is shown them.
func (d *documents) problems(r *folder.Folder) []agent.Diagnostic {
	docs := slices.DeleteFunc(d.All(), func(d *folder.Document) bool { return d.Root != r || d.Path == "" })
	slices.SortFunc(docs, func(a, b *folder.Document) int { return cmp.Compare(a.Path, b.Path) })
	var list []agent.Diagnostic
	for _, doc := range docs {
		list = append(list, d.problemsIn(doc)...)
	}
	return list
}

// problemsIn are those of one document.
func (d *documents) problemsIn(doc *folder.Document) []agent.Diagnostic {
	var list []agent.Diagnostic
	for _, d := range d.DiagnosticsIn(doc.URI, nil) {
		list = append(list, agent.Diagnostic{
			Path: doc.Path, Line: int(d.Range.Start.Line) + 1, Message: d.Text(), Source: d.Source, Severity: d.SeverityName(),
		})
	}
	return list
}

// complainedAt are what other servers complain about in a place of the user's, the worst first.
func (d *documents) complainedAt(place actionPlace, ours bool) []document.Diagnostic {
	if ours || place.Path == "" {
		return nil
	}
	return d.complainedIn(place.URI, &place.Range)
}

// complainedIn are what other servers complain about in a document, or in a range of it, and what a review of ours found
// there, the worst first. Hints are no complaints.
func (d *documents) complainedIn(uri string, in *protocol.Range) []document.Diagnostic {
	list := slices.DeleteFunc(d.DiagnosticsIn(uri, in), func(d document.Diagnostic) bool {
		marks := d.Source == section && len(d.Code) > 0 // ours, which have actions of their own
		return marks || d.Text() == "" || d.SeverityName() == "hint"
	})
	worst := []string{"error", "warning", "", "information"}
	slices.SortStableFunc(list, func(a, b document.Diagnostic) int {
		return cmp.Or(cmp.Compare(slices.Index(worst, a.SeverityName()), slices.Index(worst, b.SeverityName())), cmp.Compare(a.Range.Start.Line, b.Range.Start.Line))
	})
	return list
}

// withoutMarks are diagnostics without the marks of hunks under review, which are no complaints.
func withoutMarks(list []document.Diagnostic) []document.Diagnostic {
	return slices.DeleteFunc(list, func(d document.Diagnostic) bool {
		return d.Source == "coauthor" && strings.HasPrefix(d.Text(), annotate.ToReview)
	})
}

// told are diagnostics of a file in the words of package agent.
func told(path string, list []document.Diagnostic) []agent.Diagnostic {
	var out []agent.Diagnostic
	for _, d := range list {
		out = append(out, agent.Diagnostic{Path: path, Line: int(d.Range.Start.Line) + 1, Message: d.Text(), Source: d.Source})
	}
	return out
}

// Problems that the editor's other servers find on lines which a turn has just changed are offered as one action. A client
// tells of them by coauthor/diagnostics, or with the requests for code actions, which most give the diagnostics of all.

// problemsSettle is how long the editor's servers are given to tell of the rest, once the first new problem is there.
const problemsSettle = time.Second

// diagnosed passes on what is known of a document's diagnostics.
func (s *server) diagnosed(uri string) {
	doc, open := s.docs.Get(uri)
	if !open || doc.Path == "" || doc.Uncertain() {
		return
	}
	if doc.Root.Session.Problems.Diagnosed(problems.Told{Path: doc.Path, Text: doc.Text, List: s.docs.problemsIn(doc), Partly: !s.docs.Diagnosed(uri)}) {
		s.tasks.Background(func(ctx context.Context) { s.seeToProblems(ctx, doc.Root) })
	}
}

// undiagnosed passes on that nothing more is told of a file.
func undiagnosed(doc *folder.Document) {
	if doc.Path != "" {
		doc.Root.Session.Problems.Diagnosed(problems.Told{Path: doc.Path, Text: doc.Text})
	}
}

// seeToProblems tells the user of the new problems in a root, or has them fixed where the user wanted that.
func (s *server) seeToProblems(ctx context.Context, r *folder.Folder) {
	if s.opts.Sleep(ctx, problemsSettle) != nil {
		return
	}
	found := r.Session.Problems.See()
	if len(found.List) == 0 {
		return
	}
	if found.Unasked {
		started, err := s.fix(r, found, agent.Request{})
		if err == nil && started.Turn != "" {
			s.client.LogMessage(protocol.MessageTypeInfo, "Coauthor: "+found.Count()+" on lines of the last change; the coder auto is fixing them.")
			return
		}
		s.log.Info("new problems not sent to the model", "status", started.Status, "err", err)
	}
	s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+found.Count()+" on lines of the last change. Fix: "+howToFix(r, found))
}

// howToFix says how the user has the new problems fixed.
func howToFix(r *folder.Folder, found problems.Found) string {
	return strings.ReplaceAll(r.Shown.Words().How("fix"), "{problems}", found.Count())
}

// fix begins a turn that fixes new problems.
func (s *server) fix(r *folder.Folder, found problems.Found, req agent.Request) (agent.Started, error) {
	resolved, err := r.Session.Fix(found, req)
	if err != nil {
		return agent.Started{}, err
	}
	return s.start(r, resolved, nil, chat.From{})
}

// cmdFix has diagnostics fixed: those that the command names, else the new ones, else what is known of the place.
func (s *server) cmdFix(ctx context.Context, c *commandCall, args command.Start) (any, error) {
	req, err := s.request(c, command.EditArgs{Start: args})
	if err != nil {
		return nil, err
	}
	r := c.target.root
	found := r.Session.Problems.Now()
	if len(req.Diagnostics) == 0 && len(found.List) == 0 {
		here := s.docs.complainedIn(c.target.uri, c.target.rng)
		if len(here) == 0 && c.place.Range == nil { // where the cursor was says little then
			here = s.docs.complainedIn(c.target.uri, nil)
		}
		req.Diagnostics = told(c.target.path, here[:min(len(here), codeaction.MostProblems)])
	}
	switch {
	case len(req.Diagnostics) > 0:
		return s.fixNamed(ctx, c, req)
	case len(found.List) == 0:
		s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: No problems reported here. To lint: "+r.Shown.Words().How("lint"))
		return startResult{Status: "none"}, nil
	}
	found.Unasked, req.Target = false, nil
	started, err := s.fix(r, found, req)
	if err != nil {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%v", err)
	}
	if started.Status == agent.StatusBusy {
		return startResult{TurnID: started.Busy, Status: started.Status}, nil
	}
	return startResult{TurnID: started.Turn, Status: started.Status}, nil
}

// fixNamed begins a turn for the diagnostics of a request.
func (s *server) fixNamed(ctx context.Context, c *commandCall, req agent.Request) (any, error) {
	n := len(req.Diagnostics)
	if req.Label = fmt.Sprintf("Fix %d problems", n); n == 1 {
		req.Label = proposal.Label("Fix: " + req.Diagnostics[0].Message)
	}
	if req.Instruction == "" {
		if req.Instruction = "Fix these problems."; n == 1 {
			req.Instruction = "Fix this problem."
		}
	}
	resolved, err := c.target.root.Session.Resolve(req)
	if err != nil {
		return nil, err
	}
	if !resolved.Coder.Proposes() { // the one in force only answers
		req.Coder = coder.Default
		return s.begin(ctx, c.target.root, req, c)
	}
	return s.beginResolved(ctx, c.target.root, resolved, c)
}
