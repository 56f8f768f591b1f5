package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
)

// The commands on the last conversation of a folder, which --continue goes on with.

// folderFlags are what these commands take.
type folderFlags struct {
	Root string `placeholder:"DIR" help:"The project folder. Default: this repository."`
	JSON bool   `name:"json" help:"Print JSON, one object per line."`
}

// openFolder opens the folder.
func (f *folderFlags) openFolder(s Streams) (*headless, error) {
	h := &headless{s: s, flags: &turnFlags{Root: f.Root, JSON: f.JSON}, in: bufio.NewReader(s.In)}
	if _, err := h.connect(); err != nil {
		return nil, err
	}
	h.print()
	return h, nil
}

// openLast opens the folder and goes on with its last conversation.
func (f *folderFlags) openLast(ctx context.Context, s Streams) (*headless, error) {
	h, err := f.openFolder(s)
	if err != nil {
		return nil, err
	}
	if s.within != nil {
		return h, nil
	}
	if _, err := h.session.Continue(ctx); err != nil {
		h.close()
		return nil, err
	}
	return h, nil
}

// HistoryCmd lists the requests of the last conversation.
type HistoryCmd struct {
	folderFlags
}

// Run prints the list.
func (c *HistoryCmd) Run(ctx context.Context, s Streams) (int, error) {
	h, err := c.openLast(ctx, s)
	if err != nil {
		return 1, err
	}
	defer h.close()
	report, err := command.Conversation(ctx, h.session.Conversation, h.session.Proposals.Sent.Became)
	if err != nil {
		return 1, err
	}
	if c.JSON {
		marshalLine(h.s.Out, report)
		return h.printed(0, nil)
	}
	for _, r := range report.Requests {
		what := ""
		if r.ProposalID != "" {
			what = "  (a change)"
		}
		fmt.Fprintf(h.s.Out, "%4d  %s  %s%s\n", r.Number, r.At.Format("2006-01-02 15:04"), display.Text(proposal.Label(r.Said)), what)
	}
	h.s.tell("Transcript: " + display.Message(report.File))
	return h.printed(0, nil)
}

// RewindCmd goes back to before a request.
type RewindCmd struct {
	folderFlags
	Yes     bool   `short:"y" help:"Rewind without asking."`
	Request string `arg:"" optional:"" help:"The request number from coauthor history. Default: the last request."`
}

// Run takes files and conversation back. Exit status 1: not done.
func (c *RewindCmd) Run(ctx context.Context, s Streams) (int, error) {
	h, err := c.openLast(ctx, s)
	if err != nil {
		return 1, err
	}
	defer h.close()
	if !c.Yes {
		if !h.interactive() {
			return 1, errors.New("no files changed, because coauthor cannot ask without a terminal; add --yes to rewind without asking")
		}
		question := "Restore the files and the conversation to their state before the last request?"
		if c.Request != "" {
			question = "Restore the files and the conversation to their state before request " + c.Request + "?"
		}
		a, err := h.put(ctx, event.Question{Text: question, Choices: []string{"yes", "no"}, Default: "no"})
		if err != nil || a.Choice != "yes" {
			return 1, err
		}
	}
	back, err := h.session.Rewind(ctx, c.Request, &disk{ws: h.ws, consent: h.consent})
	if err != nil {
		return 1, err
	}
	if c.JSON {
		marshalLine(h.s.Out, rewoundLine(back))
	} else {
		for _, f := range back.Outcome.Files {
			if f.Reason != "" {
				h.s.tell(display.Message(f.Path + ": " + f.Reason))
			}
		}
		h.s.tell(display.Message(back.String()))
	}
	if !back.Done {
		return h.printed(1, nil)
	}
	return h.printed(0, nil)
}

// rewoundLine is what came of going back, as JSON.
func rewoundLine(back agent.Rewound) any {
	files := []map[string]string{}
	for _, f := range back.Outcome.Files {
		files = append(files, map[string]string{"path": f.Path, "state": string(f.State), "reason": f.Reason})
	}
	status := "rewound"
	if !back.Done {
		status = string(back.Outcome.Status)
	}
	return map[string]any{"status": status, "number": back.Before.Number, "requests": back.Count, "reason": back.Outcome.Reason, "files": files}
}

// ClearCmd ends the last conversation.
type ClearCmd struct {
	folderFlags
}

// Run ends it. What was said stays in the file.
func (c *ClearCmd) Run(ctx context.Context, s Streams) (int, error) {
	h, err := c.openLast(ctx, s)
	if err != nil {
		return 1, err
	}
	defer h.close()
	n := h.session.Conversation.Clear()
	if c.JSON {
		marshalLine(h.s.Out, map[string]any{"requests": n})
		return h.printed(0, nil)
	}
	h.s.tell("The next request starts a new conversation.")
	return h.printed(0, nil)
}

// ResetCmd ends the last conversation, and takes back what was chosen in it.
type ResetCmd struct {
	folderFlags
}

// Run ends it. What was said stays in the file.
func (c *ResetCmd) Run(ctx context.Context, s Streams) (int, error) {
	h, err := c.openFolder(s)
	if err != nil {
		return 1, err
	}
	defer h.close()
	if err := h.goOn(ctx); err != nil {
		return 1, err
	}
	h.session.Chosen.Clear()
	n := h.session.Conversation.Clear()
	if err := command.ForgetChoice(h.session); err != nil {
		return 1, err
	}
	if c.JSON {
		marshalLine(h.s.Out, map[string]any{"requests": n})
		return h.printed(0, nil)
	}
	h.s.tell("The next request starts a new conversation with no files and the models from your settings.")
	return h.printed(0, nil)
}

// UndoCmd takes back what a turn has changed.
type UndoCmd struct{ backFlags }

// RedoCmd applies it again.
type RedoCmd struct{ backFlags }

type backFlags struct {
	folderFlags
	Turn string `arg:"" optional:"" help:"The request ID from --json output. Default: the last request that changed files."`
}

// Run undoes. Exit status 1: not, or not wholly.
func (c *UndoCmd) Run(ctx context.Context, s Streams) (int, error) {
	return c.run(ctx, s, proposal.StatusUndone, (*proposal.Store).Undo)
}

// Run does it again. Exit status 1: not, or not wholly.
func (c *RedoCmd) Run(ctx context.Context, s Streams) (int, error) {
	return c.run(ctx, s, proposal.StatusApplied, (*proposal.Store).Redo)
}

func (c *backFlags) run(ctx context.Context, s Streams, meant proposal.Status, do func(*proposal.Store, context.Context, string, proposal.Delivery) (proposal.Outcome, error)) (int, error) {
	h, err := c.openFolder(s)
	if err != nil {
		return 1, err
	}
	defer h.close()
	out, err := do(h.session.Proposals, ctx, c.Turn, &disk{ws: h.ws, consent: h.consent})
	if err != nil {
		return 1, err
	}
	if c.JSON {
		marshalLine(h.s.Out, outcomeLine(out))
	} else {
		h.out.outcome(out)
	}
	if out.Status != meant {
		return h.printed(1, nil)
	}
	return h.printed(0, nil)
}

// outcomeLine is what became of a change, as JSON.
func outcomeLine(out proposal.Outcome) any {
	files := []map[string]string{}
	for _, f := range out.Files {
		files = append(files, map[string]string{"path": f.Path, "op": string(f.Op), "state": string(f.State), "reason": f.Reason})
	}
	return map[string]any{"status": string(out.Status), "turn": out.Turn, "proposal": out.Proposal, "reason": out.Reason, "files": files}
}
