package command

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent"
	"coauthor/agent/coder"
	"coauthor/agent/index"
	"coauthor/agent/mention"
	"coauthor/agent/verify"
	"coauthor/agent/workspace"
)

// The goals of a request: commands that have to pass before it is done. They come from flags, or from the linters and tests
// whose findings the model is to fix.

// GoalFlag is one row of THE table of flags that give a request a goal.
type GoalFlag struct {
	Name  string
	Tests bool
	Doc   string
}

// GoalFlags returns the table. The command line takes the flags that stand in it.
func GoalFlags() []GoalFlag {
	return []GoalFlag{
		{Name: "test", Tests: true, Doc: "Retry until this test command passes."},
		{Name: "lint", Doc: "Retry until this lint command passes."},
	}
}

// Goal is the goal that a flag stands for with what was written behind it.
func (f GoalFlag) Goal(text string) (verify.Goal, error) {
	argv, word, err := commandOf(text)
	switch {
	case err != nil:
		return verify.Goal{}, fmt.Errorf("--%s: %w", f.Name, err)
	case word != "":
		return verify.Goal{}, fmt.Errorf("--%s runs one program with arguments and cannot contain %s; put %q in a script and name the script", f.Name, word, text)
	case len(argv) == 0:
		return verify.Goal{}, fmt.Errorf("--%s: the command is empty; enter one", f.Name)
	}
	return verify.Goal{Tool: verify.Tool{Argv: argv, Tests: f.Tests}}, nil
}

// commandOf reads a command. word is one in it that only a shell would understand; "" for none.
func commandOf(text string) (argv []string, word string, err error) {
	if argv, err = mention.Names(text); err != nil {
		return nil, "", err
	}
	for _, word := range argv {
		if slices.Contains([]string{"|", "||", "&", "&&", ";", ">", ">>", "<"}, word) {
			return nil, word, nil
		}
	}
	return argv, "", nil
}

// goalsOf are the tools that complained, with the files that they were run on, as goals.
func goalsOf(tools []verify.Tool, files []string, results []verify.Result) []verify.Goal {
	var list []verify.Goal
	for i, t := range tools {
		if len(results[i].Findings) > 0 {
			list = append(list, verify.Goal{Tool: t, Files: files})
		}
	}
	return list
}

// mostFixed is how many files a request to fix findings shows in full.
const mostFixed = 12

// fixRequest has the model fix findings. It is shown the files that these name, as far as they may be sent without a question.
func fixRequest(ctx context.Context, s *agent.Session, names []string, findings []verify.Finding) *agent.Request {
	r := agent.Request{Instruction: fmt.Sprintf("Fix what %s reports.", strings.Join(names, " and ")), Label: "fix what " + strings.Join(names, " and ") + " reports"}
	if row, err := s.Engine.Options().Coders.ByName(s.Settings().Coder); err == nil && !row.Proposes() {
		r.Coder = coder.Default // what only answers fixes nothing
	}
	all, _ := index.Sendable(ctx, s.Workspace) // without them, what has a place is named all the same
	show := func(paths ...string) {
		for _, path := range paths {
			if path != "" && len(r.Files) < mostFixed && !slices.Contains(r.Files, path) && s.Workspace.Door().Check(ctx, path, workspace.OpSend).Verdict == workspace.Allow {
				r.Files = append(r.Files, path)
			}
		}
	}
	for _, f := range findings {
		show(f.Path)
		if f.Path == "" {
			r.Instruction += "\n\n" + strings.TrimSpace(f.Text)
			show(mention.Files(f.Text, all)...)
			continue
		}
		r.Diagnostics = append(r.Diagnostics, agent.Diagnostic{Path: f.Path, Line: max(f.First, 1), Message: strings.TrimSpace(f.Text), Source: f.Check})
	}
	for _, f := range findings {
		show(f.Named...)
	}
	return &r
}
