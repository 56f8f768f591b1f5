package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// disk delivers proposals to the files of a root, through the one door. It is the only way in which
// the command line changes a user's file.
type disk struct {
	ws *workspace.Workspace
	// consent is asked about files that need the user's word by name; nil says no.
	consent func(ctx context.Context, path string) bool
}

// Current implements proposal.Delivery.
func (d *disk) Current() *workspace.Snapshot { return d.ws.Snapshot() }

// Deliver implements proposal.Delivery. Every file is compared with the plan before it is written
// and read again afterwards. The first one that goes wrong ends the delivery: a half of a change is
// easier to understand than a change with holes.
func (d *disk) Deliver(ctx context.Context, label string, plan []proposal.Step) ([]proposal.Landed, error) {
	var list []proposal.Landed
	stopped := ""
	for _, step := range plan {
		landed := proposal.Landed{Path: step.Change.Path}
		switch {
		case stopped != "":
			landed.State, landed.Reason = proposal.LandAbsent, "skipped, because "+stopped+" failed"
		case ctx.Err() != nil:
			landed.State, landed.Reason = proposal.LandAbsent, "interrupted"
		case step.Consent && (d.consent == nil || !d.consent(ctx, step.Change.Path)):
			landed.State, landed.Reason = proposal.LandRefused, "the file is protected and you did not allow the change"
		default:
			landed = d.write(ctx, step)
			if landed.State != proposal.LandLanded && !landed.Stale {
				stopped = step.Change.Path
			}
		}
		list = append(list, landed)
	}
	return list, nil
}

// write carries out one step and looks at what became of it.
func (d *disk) write(ctx context.Context, step proposal.Step) proposal.Landed {
	c := step.Change
	landed := proposal.Landed{Path: c.Path}
	before := d.Current()
	now, err := before.Text(c.Path)
	switch {
	case err != nil:
		landed.State, landed.Reason = proposal.LandRefused, err.Error()
		return landed
	case c.Op == edits.OpCreate && now != nil, c.Op != edits.OpCreate && !reads(now, c.Before):
		landed.State, landed.Stale, landed.Reason = proposal.LandAbsent, true, "another program changed the file"
		return landed
	}
	if err := carryOut(ctx, d.ws.Door(), agreed(step), before, c, step.Encoding); err != nil {
		landed.State, landed.Reason = d.after(c, err), err.Error()
		if errors.Is(err, workspace.ErrChanged) && c.Op != edits.OpRename { // only renaming does two things
			landed.State, landed.Stale, landed.Reason = proposal.LandAbsent, true, "another program changed the file"
		}
		return landed
	}
	if landed.State = d.after(c, nil); landed.State != proposal.LandLanded {
		landed.Reason = "the file does not contain the new text"
	}
	return landed
}

// agreed is the user's word on a step that Deliver lets through: where it needs one by name, that was given.
func agreed(step proposal.Step) workspace.Consent {
	if step.Consent {
		return workspace.Agreed(step.Change.Path, step.Change.To)
	}
	return workspace.Agreed()
}

// carryOut puts one change on disk, if what is there is what the change began with: another program
// may have written since it was read. Then the error is workspace.ErrChanged. enc is how a file is written that is not there;
// "" is UTF-8.
func carryOut(ctx context.Context, door *workspace.Door, consent workspace.Consent, before *workspace.Snapshot, c edits.Change, enc workspace.Encoding) error {
	write := door.With(consent)
	if doc, err := before.Document(c.Path); err == nil { // else the file is new, or the door refuses it
		enc = doc.Encoding
	}
	switch c.Op {
	case edits.OpCreate:
		return write.WriteNew(ctx, c.Path, c.After, enc)
	case edits.OpUpdate:
		return write.WriteOver(ctx, c.Path, c.Before, c.After, enc)
	case edits.OpDelete:
		return write.RemoveIf(ctx, c.Path, c.Before)
	case edits.OpRename:
		if now, err := door.DiskText(ctx, c.Path); errors.Is(err, fs.ErrNotExist) || err == nil && now != c.Before {
			return workspace.ErrChanged
		}
		err := write.Rename(ctx, c.Path, c.To)
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s already exists: %w", c.To, workspace.ErrChanged)
		}
		if err != nil || c.Before == c.After {
			return err
		}
		return write.WriteOver(ctx, c.To, c.Before, c.After, enc)
	}
	return fmt.Errorf("unknown operation %q", c.Op)
}

// after reads again. failed is the error of writing, nil for none.
func (d *disk) after(c edits.Change, failed error) proposal.LandState {
	snap := d.Current()
	now, err := snap.Text(c.Path)
	if err != nil {
		return proposal.LandUnknown
	}
	good := reads(now, c.After)
	switch c.Op {
	case edits.OpDelete:
		good = now == nil
	case edits.OpRename:
		moved, err := snap.Text(c.To)
		if err != nil {
			return proposal.LandUnknown
		}
		good = now == nil && reads(moved, c.After)
	case edits.OpCreate, edits.OpUpdate:
	}
	switch {
	case good:
		return proposal.LandLanded
	case failed != nil && (c.Op == edits.OpCreate && now == nil || c.Op != edits.OpCreate && reads(now, c.Before)):
		return proposal.LandAbsent
	}
	return proposal.LandDiffers
}

// reads says whether there is a file and it has this text.
func reads(file *string, text string) bool { return file != nil && *file == text }
