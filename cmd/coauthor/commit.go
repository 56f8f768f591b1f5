package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"coauthor/agent/commit"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/vcs"
	"coauthor/cmd/coauthor/chat"
	"coauthor/edits"
)

// gitFlags are what the commands of the repository take.
type gitFlags struct {
	Root    string `placeholder:"DIR" help:"The project folder. Default: this repository."`
	JSON    bool   `name:"json" help:"Print JSON, one object per line."`
	Model   string `placeholder:"NAME" help:"The model; its weak model writes the message."`
	APIBase string `name:"api-base" placeholder:"URL" help:"The OpenAI-compatible endpoint."`
}

// open opens a session that draws no map.
func (f gitFlags) open(ctx context.Context, s Streams, files []string) (*headless, error) {
	none := 0
	t := turnFlags{Root: f.Root, JSON: f.JSON, Model: f.Model, APIBase: f.APIBase, MapTokens: &none, Files: files}
	return t.open(ctx, s)
}

// CommitCmd commits what the user has changed.
type CommitCmd struct {
	gitFlags
	Message string   `short:"m" placeholder:"TEXT" help:"The message. Default: the weak model's."`
	Amend   bool     `help:"Add staged changes to the last commit; reword it."`
	Yes     bool     `short:"y" help:"Commit without asking."`
	Files   []string `arg:"" optional:"" help:"The files to commit, including new files. Default: staged changes; if none, all changes in tracked files and files that requests created."`
}

// Run shows what it is about to commit, asks on a terminal, and commits. Exit status 1: nothing was committed.
func (c *CommitCmd) Run(ctx context.Context, s Streams) (int, error) {
	h, err := c.open(ctx, s, c.Files)
	if err != nil {
		return 1, err
	}
	defer h.close()
	made, err := h.session.Commits.Commit(ctx, commit.Request{Message: c.Message, Files: h.files, Amend: c.Amend, Replace: c.replace(h), Agree: c.agree(h)})
	if errors.Is(err, vcs.ErrNothing) {
		return 1, errors.New("nothing to commit; run coauthor commit with the names of new files to add them")
	}
	if err != nil {
		return 1, err
	}
	if c.JSON {
		marshalLine(h.s.Out, made)
		return h.printed(0, nil)
	}
	for _, line := range chat.MadeCommit(made) {
		fmt.Fprintln(h.s.Out, display.Message(line))
	}
	return h.printed(0, nil)
}

// agree shows a commit, and asks where somebody looks who did not say yes already.
func (c *CommitCmd) agree(h *headless) func(context.Context, string, []vcs.StagedFile) (bool, error) {
	return func(ctx context.Context, message string, files []vcs.StagedFile) (bool, error) {
		if !c.JSON {
			for line := range strings.Lines(message) {
				h.out.tell("%s", strings.TrimRight(line, "\n"))
			}
			for _, f := range files {
				h.out.tell("  %s %s", chat.OpWord(changeOf(f)), display.Path(f.Path, pathWidth))
			}
		}
		if c.Yes || c.JSON || !h.interactive() {
			return true, nil // the command itself is the agreement
		}
		question := "Commit this?"
		if c.Amend {
			question = "Amend the last commit?"
		}
		a, err := h.put(ctx, event.Question{Text: question, Choices: []string{"yes", "no"}, Default: "no"})
		return a.Choice == "yes", err
	}
}

// replace asks whether a commit that others may have is to be replaced; nil where there is nobody to ask. --yes does not say it.
func (c *CommitCmd) replace(h *headless) func(context.Context, string) (bool, error) {
	if c.JSON || !h.interactive() {
		return nil
	}
	return func(ctx context.Context, what string) (bool, error) {
		a, err := h.put(ctx, event.Question{Text: what + " Amend it anyway?", Choices: []string{"yes", "no"}, Default: "no"})
		return a.Choice == "yes", err
	}
}

// changeOf is what a commit does to a file.
func changeOf(f vcs.StagedFile) edits.Op {
	switch {
	case f.New:
		return edits.OpCreate
	case f.Gone:
		return edits.OpDelete
	}
	return edits.OpUpdate
}

// DiffCmd prints what changed.
type DiffCmd struct {
	gitFlags
	Base string `arg:"" optional:"" help:"The branch, tag or commit to compare with. Default: the state before the last request's commit, else the last commit."`
}

// Run prints the difference.
func (c *DiffCmd) Run(ctx context.Context, s Streams) (int, error) {
	h, err := c.open(ctx, s, nil)
	if err != nil {
		return 1, err
	}
	defer h.close()
	changes, err := h.session.Commits.Diff(ctx, c.Base)
	if err != nil {
		return 1, err
	}
	if c.JSON {
		if changes.Files == nil {
			changes.Files = []string{}
		}
		marshalLine(h.s.Out, changes)
		return h.printed(0, nil)
	}
	h.out.tell("%s. Files: %d.", changes.About, len(changes.Files))
	text := changes.Text
	if h.out.screen != nil { // elsewhere it is exactly what git apply wants
		text = h.out.screen.DiffText(display.Text(text))
	}
	fmt.Fprint(h.s.Out, text)
	return h.printed(0, nil)
}

// UndoCommitCmd takes back the last commit.
type UndoCommitCmd struct{ gitFlags }

// undone is what --json prints of it.
type undone struct {
	Done    bool   `json:"done"`
	Hash    string `json:"hash"`
	Subject string `json:"subject"`
	Message string `json:"message"`
}

// Run takes back the commit, and the changes of a turn with it. Exit status 1: it is still there.
func (c *UndoCommitCmd) Run(ctx context.Context, s Streams) (int, error) {
	h, err := c.open(ctx, s, nil)
	if err != nil {
		return 1, err
	}
	defer h.close()
	u, err := h.session.Commits.Undo(ctx, &disk{ws: h.ws, consent: h.consent})
	if err != nil {
		return 1, err
	}
	code := 0
	if !u.Done {
		code = 1
	}
	if c.JSON {
		marshalLine(h.s.Out, undone{Done: u.Done, Hash: u.Hash, Subject: u.Subject, Message: u.String()})
		return h.printed(code, nil)
	}
	if u.Files != nil {
		h.out.outcome(*u.Files)
	}
	fmt.Fprintln(h.s.Out, display.Message(u.String()))
	return h.printed(code, nil)
}
