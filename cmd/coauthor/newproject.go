package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/pipeline"
	"coauthor/agent/vcs"
)

// projectArgs say where a project is made.
type projectArgs struct {
	NoGit bool   `name:"no-git" help:"Do not offer to create a Git repository."`
	Dir   string `arg:"" optional:"" help:"The project folder; created if missing. Default: this repository."`
}

// fileArgs are the files that a command works on.
type fileArgs struct {
	Files []string `arg:"" optional:"" help:"Files or globs to work on."`
}

// enter makes the folder of the project where it is missing, and returns what takes it away again while it is empty.
func (p *projectArgs) enter(c *PipelineCmd) (leave func(), err error) {
	if p.Dir == "" {
		return func() {}, nil
	}
	if c.Root != "" {
		return nil, errors.New("use either the folder argument or --root")
	}
	c.Root = p.Dir
	dir, err := filepath.Abs(p.Dir)
	if err != nil {
		return nil, fmt.Errorf("find the folder %s: %w", p.Dir, err)
	}
	var made []string // the innermost first
	for up := dir; ; up = filepath.Dir(up) {
		info, err := os.Stat(up)
		if err == nil && info.IsDir() {
			break
		}
		if err == nil {
			return nil, fmt.Errorf("cannot create the project in %s: %s is a file; name a folder", p.Dir, up)
		}
		made = append(made, up)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil { //nolint:gosec // a project of the user's, as mkdir makes it
		return nil, fmt.Errorf("create the folder %s: %w", p.Dir, err)
	}
	return func() {
		for _, one := range made {
			if os.Remove(one) != nil {
				return // something is in it
			}
		}
	}, nil
}

// isNew says whether a folder holds nothing but a prompt.
func isNew(root string) bool {
	entries, err := os.ReadDir(root)
	if err != nil {
		return false
	}
	for _, e := range entries {
		if e.Name() != pipeline.PromptFile {
			return false
		}
	}
	return true
}

// offerGit makes a new folder a repository before the first files are written, if the user wants that. --yes says so.
func (c *PipelineCmd) offerGit(ctx context.Context, h *headless, yes bool) error {
	if _, inside := vcs.Root(ctx, h.root); inside {
		return nil
	}
	if !yes {
		a, err := h.put(ctx, event.Question{Text: fmt.Sprintf("%s is not in a Git repository. Create one there?", h.root), Choices: []string{"yes", "no"}, Default: "no"})
		if err != nil || a.Choice != "yes" {
			return err
		}
	}
	if err := vcs.Init(ctx, h.root); err != nil {
		h.out.tell("Did not create a Git repository: %s.", strings.TrimSuffix(err.Error(), "."))
		return ctx.Err()
	}
	h.out.tell("Created a Git repository in %s.", h.root)
	return nil
}

// whatToBuild is the request where no flag says it: what is piped in, or typed where there is no file with a prompt. "" is
// what that file says. With clarify and such a file, what is piped in are the answers.
func (c *PipelineCmd) whatToBuild(ctx context.Context, h *headless, clarify bool) (string, error) {
	told := pipeline.HasPrompt(h.ws)
	switch {
	case h.interactive() && !told:
		return c.askInstruction(ctx, h, "What do you want to build?")
	case h.interactive(), told && clarify, !isPiped(h.s.In):
		return "", nil
	}
	text, err := readText(h.in)
	if err == nil && told && strings.TrimSpace(text) != "" {
		h.out.tell("Using the request from standard input instead of the one in %s.", pipeline.PromptFile)
	}
	return text, err
}
