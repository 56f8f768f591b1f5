package main

import (
	"context"

	"coauthor/agent/proposal"
)

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
