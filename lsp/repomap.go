package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/lsp/wire"
)

// mapResult is the answer of coauthor.showRepoMap.
type mapResult struct {
	Text       string      `json:"text"`
	Tokens     int         `json:"tokens"`
	Budget     int         `json:"budget"`
	Complete   float64     `json:"complete"`
	Generation uint64      `json:"generation"`
	Files      []mapRanked `json:"files"`
}

type mapRanked struct {
	agent.RankedFile
	URI string `json:"uri"`
}

// cmdShowRepoMap draws the map of a request from here and opens it as a document.
func (s *server) cmdShowRepoMap(ctx context.Context, c *commandCall) (any, error) {
	r := c.target.root
	if c.args.Tokens < 0 {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "tokens is %d; use a number above 0", c.args.Tokens)
	}
	files, err := s.roots.pathsIn(r, c.args.Files)
	if err != nil {
		return nil, err
	}
	req := agent.Request{Instruction: c.args.Instruction, Target: c.target.request(), Files: files}
	m, budget, err := r.session.Map(ctx, req, agent.Ports{Snapshot: c.target.snapshot},
		agent.MapOptions{Tokens: c.args.Tokens, Redraw: c.args.Refresh})
	if err != nil {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%v", err)
	}
	s.tasks.background(func(ctx context.Context) {
		if elsewhere := s.showMarkdown(ctx, r, "map.md", mapText(m, budget)); elsewhere != "" {
			s.client.LogMessage(protocol.MessageTypeInfo, elsewhere)
		}
	})
	out := mapResult{Text: m.Text, Tokens: m.Tokens, Budget: budget, Complete: m.Complete, Generation: m.Generation, Files: []mapRanked{}}
	for _, f := range m.Files {
		out.Files = append(out.Files, mapRanked{RankedFile: f, URI: s.docs.uriOf(r, f.Path)})
	}
	return out, nil
}

// mapFiles is how many files the document tells the ranks of; the result of the command has more.
const mapFiles = 60

// mapText is the document: the map as the model gets it, and the table of the best files with what
// each signal added to their scores.
func mapText(m agent.RepoMap, budget int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Coauthor: repository map\n\n%d of %d tokens", m.Tokens, budget)
	if m.Complete < 1 {
		fmt.Fprintf(&b, "; indexing, %.0f%% of files done", 100*m.Complete)
	}
	b.WriteString(".\n\n~~~~text\n" + m.Text + "~~~~\n\n## Why\n\n")
	var names []string
	for _, f := range m.Files {
		for _, sig := range f.Signals {
			if !slices.Contains(names, sig.Name) {
				names = append(names, sig.Name)
			}
		}
	}
	b.WriteString("The columns show each signal's share of a file's score. `+` marks files in the map.\n\n| | file | score |")
	for _, name := range names {
		b.WriteString(" " + name + " |")
	}
	b.WriteString("\n|---|---|---:|" + strings.Repeat("---:|", len(names)) + "\n")
	for _, f := range m.Files[:min(len(m.Files), mapFiles)] {
		mark := ""
		if f.Shown {
			mark = "+"
		}
		fmt.Fprintf(&b, "| %s | %s | %.2f |", mark, strings.ReplaceAll(f.Path, "|", "\\|"), f.Score)
		added := map[string]float64{}
		for _, sig := range f.Signals {
			added[sig.Name] = sig.Value * sig.Weight
		}
		for _, name := range names {
			fmt.Fprintf(&b, " %.2f |", added[name])
		}
		b.WriteString("\n")
	}
	return b.String()
}
