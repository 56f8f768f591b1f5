package deliver

import (
	"context"
	"slices"
	"time"

	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// How long the documents of a plan must be left alone before it is sent to a client that applies an edit
// whatever was typed meanwhile, and how long that is waited for. Such a client tells of what is typed when
// the user pauses (kakoune-lsp after 50 ms).
const (
	calmTime  = 250 * time.Millisecond
	calmLimit = 3 * time.Second
)

// calm waits until the documents of a plan are left alone, where the client does not check versions or is told none. What
// was told meanwhile is found by inspect, and the plan is made again.
func (d *documents) calm(ctx context.Context, plan []proposal.Step) {
	e := &d.editor
	if !e.Quirks.IgnoresVersions && e.Capabilities.DocumentChanges {
		return
	}
	versions := func() (list []int32) {
		for _, step := range plan {
			if doc, open := d.document(step.Change.Path); open {
				list = append(list, doc.Version)
			}
		}
		return list
	}
	seen := versions()
	if len(seen) == 0 {
		return
	}
	changed, stop := e.Landings.watch()
	defer stop()
	limit := time.NewTimer(e.Landings.Scaled(calmLimit))
	defer limit.Stop()
	quiet := time.NewTimer(e.Landings.Scaled(calmTime))
	defer quiet.Stop()
	for {
		select {
		case <-changed:
			if now := versions(); !slices.Equal(now, seen) {
				seen = now
				quiet.Reset(e.Landings.Scaled(calmTime))
			}
		case <-quiet.C:
			return
		case <-limit.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// saveTime is how long a client that saves by itself is given to do so after it told of the change.
const saveTime = 500 * time.Millisecond

// awaitSave waits until an emptied document is saved, where the client may do that by itself: a file that
// is deleted before would be there again. Of one that is in front nothing is saved, so the wait has an end.
func (d *documents) awaitSave(ctx context.Context, one clientStep) {
	e := &d.editor
	if !e.Quirks.SavesHidden || one.step.Change.Op != edits.OpDelete {
		return
	}
	limit := time.NewTimer(e.Landings.Scaled(saveTime))
	defer limit.Stop()
	look := time.NewTicker(e.Landings.Scaled(saveTime) / 50)
	defer look.Stop()
	for {
		disk, err := d.root.Workspace.Door().DiskText(ctx, one.step.Change.Path)
		if err != nil || workspace.Blank(disk) || disk != one.step.Change.Before {
			return
		}
		select {
		case <-look.C:
		case <-limit.C:
			return
		case <-ctx.Done():
			return
		}
	}
}
