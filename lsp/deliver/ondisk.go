package deliver

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// What a client has no operations for, the server does on disk, with the user's consent. A file is
// renamed before the edit of it goes out, so that its text is on disk at every moment: in a document
// that nobody has saved it could be lost. The document of the old name stays open, and holds nothing
// that is not in the file; or what the user takes back, where an edit that was not saved is undone.

// diskMove is a rename that the server does on disk.
type diskMove struct {
	clientStep
	disk string      // what the file reads
	edit *clientStep // of the text, which comes behind; nil where it reads already as it should
}

// diskSteps does the steps that the client has no operations for.
type diskSteps struct{ docs *documents }

// splitOnDisk takes out what the server has to do on disk: renames, which come first, and deletes and new files without
// text, which come last.
func splitOnDisk(p *requestBuilder, list []clientStep) (client, own []clientStep, moves []diskMove) {
	var created []clientStep
	for _, one := range list {
		made, gone, copied := p.copied(one)
		switch {
		case copied && p.byServer(made):
			own, client = append(own, made), append(client, gone)
		case copied:
			created, client = append(created, made), append(client, gone)
		case !p.byServer(one):
			client = append(client, one)
		case one.step.Change.Op == edits.OpRename:
			moves = append(moves, diskMove{clientStep: one})
		default:
			own = append(own, one)
		}
	}
	return append(created, client...), own, moves
}

// copied makes of a rename a new file and the end of the old one, where it has to be that: the client would leave the
// document behind, or the document was never saved, so that nothing on disk could be renamed.
func (p *requestBuilder) copied(one clientStep) (made, gone clientStep, copied bool) {
	change := one.step.Change
	if change.Op != edits.OpRename || !one.buffered && !p.byCopy(one) {
		return clientStep{}, clientStep{}, false
	}
	made, gone = one, one
	if p.byCopy(one) {
		made.moves = change.Path
	}
	made.uri, made.to, made.version, made.buffered = one.to, "", nil, false
	made.step.Change = edits.Change{Path: change.To, Op: edits.OpCreate, After: change.After}
	made.step.Hunks = edits.Diff("", change.After)
	gone.to, gone.step.Change = "", edits.Change{Path: change.Path, Op: edits.OpDelete, Before: change.Before}
	gone.step.Hunks = edits.Diff(change.Before, "")
	return made, gone, true
}

// edited returns the edits of the files that are renamed.
func edited(moves []diskMove) []clientStep {
	var list []clientStep
	for _, m := range moves {
		if m.edit != nil {
			list = append(list, *m.edit)
		}
	}
	return list
}

// moveFirst renames before the edits go out, and plans the edit of each. When one cannot be renamed
// those before it are taken back, and nothing may be sent.
func (s *diskSteps) moveFirst(ctx context.Context, moves []diskMove) (bad *proposal.Landed) {
	door := s.docs.root.Workspace.Door()
	for i := range moves {
		m := &moves[i]
		change := m.step.Change
		disk, err := door.DiskText(ctx, change.Path)
		why := s.docs.moved([]clientStep{m.clientStep})
		if why == "" && (err != nil || disk != change.Before && (m.version == nil || disk != change.After)) {
			why = change.Path + " just changed on disk"
		}
		if why != "" {
			bad = &proposal.Landed{Path: change.Path, State: proposal.LandAbsent, Stale: true, Reason: why}
		} else if err := door.With(m.agreed).Rename(ctx, change.Path, change.To); err != nil {
			bad = &proposal.Landed{Path: change.Path, State: proposal.LandRefused,
				Reason: fmt.Sprintf("cannot rename %s: %v", change.Path, err)}
		}
		if bad != nil {
			s.moveBack(ctx, moves[:i])
			return bad
		}
		m.disk = disk
		edit := clientStep{index: m.index, uri: m.to}
		now := disk
		if doc, open := s.docs.document(change.To); open {
			now, edit.uri, edit.version = s.docs.has(doc), doc.URI, &doc.Version
		}
		if now == change.After {
			continue
		}
		edit.step.Change = edits.Change{Path: change.To, Op: edits.OpUpdate, Before: now, After: change.After}
		edit.step.Hunks = edits.Diff(now, change.After)
		m.edit = &edit
	}
	return nil
}

// moveBack takes renames back whose plan is given up, and reports whether all of them are.
func (s *diskSteps) moveBack(ctx context.Context, moves []diskMove) bool {
	all := true
	for _, m := range moves {
		if err := s.docs.root.Workspace.Door().With(workspace.Agreed(m.step.Change.Path, m.step.Change.To)).Rename(context.WithoutCancel(ctx), m.step.Change.To, m.step.Change.Path); err != nil {
			s.docs.editor.Log.Error("file not moved back", "from", m.step.Change.To, "to", m.step.Change.Path, "err", err)
			all = false
		}
	}
	return all
}

// unsent answers for everything of which nothing was sent, because of the one file.
func unsent(list []clientStep, moves []diskMove, bad *proposal.Landed) []proposal.Landed {
	out := []proposal.Landed{*bad}
	for _, m := range moves {
		list = append(slices.Clip(list), m.clientStep)
	}
	for _, one := range list {
		if one.step.Change.Path != bad.Path {
			out = append(out, proposal.Landed{Path: one.step.Change.Path, State: proposal.LandAbsent, Stale: bad.Stale,
				Reason: "not sent because " + bad.Path + " could not be renamed"})
		}
	}
	return out
}

// renamed makes of the answers to the edits of renamed files those to the renames.
func (s *diskSteps) renamed(ctx context.Context, moves []diskMove, answers []proposal.Landed) []proposal.Landed {
	for _, m := range moves {
		answer := proposal.Landed{State: proposal.LandLanded}
		if m.edit != nil {
			i := slices.IndexFunc(answers, func(l proposal.Landed) bool { return l.Path == m.edit.step.Change.Path })
			answer = answers[i] // every step has its answer
			answers = slices.Delete(answers, i, i+1)
		}
		answers = append(answers, s.renamedOne(ctx, m, answer))
	}
	return answers
}

func (s *diskSteps) renamedOne(ctx context.Context, m diskMove, answer proposal.Landed) proposal.Landed {
	change := m.step.Change
	answer.Path = change.Path
	switch answer.State {
	case proposal.LandLanded:
		if _, open := s.docs.document(change.Path); open {
			answer.Remark = fmt.Sprintf("close %s without saving: the file is now %s",
				change.Path, change.To)
		}
	case proposal.LandAbsent, proposal.LandRefused:
		if s.takenBack(ctx, m) {
			return answer
		}
		answer.State, answer.Stale, answer.Awaited = proposal.LandDiffers, false, true // it can be edited still
		answer.Reason = fmt.Sprintf("%s was renamed to %s, but its text was not changed: %s", change.Path, change.To, answer.Reason)
	case proposal.LandDiffers, proposal.LandUnknown:
	}
	return answer
}

// takenBack renames a file back whose edit the client refused, unless somebody has changed it since.
func (s *diskSteps) takenBack(ctx context.Context, m diskMove) bool {
	if doc, open := s.docs.document(m.step.Change.To); open && s.docs.has(doc) != m.edit.step.Change.Before {
		return false
	}
	if disk, err := s.docs.root.Workspace.Door().DiskText(ctx, m.step.Change.To); err != nil || disk != m.disk {
		return false
	}
	return s.moveBack(ctx, []diskMove{m})
}

// leftOpen says whether what is at the new name of a file is only the document that a rename on disk left
// open: it has no file, and nothing in it that the renamed file has not.
func (d *documents) leftOpen(one clientStep) bool {
	p := d.builder("", false)
	change := one.step.Change
	doc, open := d.document(change.To)
	return open && p.byServer(one) && !one.buffered && !doc.Uncertain && !d.root.Workspace.Door().OnDisk(change.To) &&
		slices.Contains([]string{change.Before, change.After}, d.has(doc))
}

// onDisk deletes what the client cannot, or makes the file without text that it cannot, after everything else has been
// sent.
func (s *diskSteps) run(ctx context.Context, one clientStep) proposal.Landed {
	change := one.step.Change
	answer := proposal.Landed{Path: change.Path, State: proposal.LandLanded}
	if why := s.docs.moved([]clientStep{one}); why != "" {
		answer.State, answer.Reason, answer.Stale = proposal.LandAbsent, why, true
		return answer
	}
	door := s.docs.root.Workspace.Door().With(one.agreed)
	if change.Op == edits.OpCreate {
		err := door.WriteNew(ctx, change.Path, change.After, workspace.UTF8)
		if errors.Is(err, workspace.ErrChanged) {
			answer.State, answer.Reason, answer.Stale = proposal.LandAbsent, change.Path+" already exists", true
		} else if err != nil {
			answer.State, answer.Reason = proposal.LandRefused, fmt.Sprintf("cannot create %s: %v", change.Path, err)
		}
		return answer
	}
	err := door.RemoveIf(ctx, change.Path, change.Before)
	if errors.Is(err, workspace.ErrChanged) {
		answer.State, answer.Reason, answer.Stale = proposal.LandAbsent, change.Path+" just changed on disk", true
	} else if err != nil {
		answer.State, answer.Reason = proposal.LandRefused, fmt.Sprintf("cannot remove %s: %v", change.Path, err)
	} else if _, open := s.docs.document(change.Path); open {
		answer.Remark = "close " + change.Path + ": the file was deleted but is still open"
	}
	return answer
}
