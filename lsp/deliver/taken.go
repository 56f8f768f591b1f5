package deliver

import (
	"slices"
	"strings"

	"coauthor/agent/proposal"
	"coauthor/edits"
)

// What a client that previews edits itself (client.Quirks.NativePreview) leaves out, the user has discarded
// there. But such a client also takes nothing at all where a document changed under the preview: then
// the preview comes again.

// reviewed looks at the answers to a preview of which nothing was taken. Where anything has changed
// since, that may be why, so the Store is to plan again; else the user did not want it.
func (o *outcome) reviewed(plan []proposal.Step, sent []proposal.Landed) {
	refused := o.refused
	o.refused = false
	if !refused || slices.ContainsFunc(sent, func(l proposal.Landed) bool { return l.State != proposal.LandAbsent || l.Stale }) {
		return
	}
	_, changed := o.docs.inspect(plan)
	for i := range sent {
		if len(changed) > 0 {
			sent[i].Stale, sent[i].Reason = true, changed[0].Reason
			continue
		}
		sent[i].State = proposal.LandRefused
		o.leftOut = append(o.leftOut, sent[i].Path)
	}
}

// taken says whether a document reads as it would with some of the edits that the user was shown. Those
// are what landed.
func (o *outcome) taken(one clientStep, l *proposal.Landed) bool {
	change := one.step.Change
	if change.Op != edits.OpUpdate {
		return false
	}
	now, err := o.docs.root.Workspace.Snapshot().Read(change.Path)
	if err != nil || !someOf(change.Before, one.step.Hunks, now) {
		return false
	}
	l.State, l.Text = proposal.LandLanded, &now
	o.partly = append(o.partly, change.Path)
	return true
}

// someOf says whether now is a text with some of the hunks.
func someOf(before string, hunks []edits.Hunk, now string) bool {
	ends := map[int]bool{0: true} // how far now can have been read
	at := 0
	for _, h := range hunks {
		next := map[int]bool{}
		for end := range ends {
			rest, same := strings.CutPrefix(now[end:], before[at:h.OldStart])
			if !same {
				continue
			}
			end = len(now) - len(rest)
			for _, text := range []string{before[h.OldStart:h.OldEnd], h.New} {
				if strings.HasPrefix(rest, text) {
					next[end+len(text)] = true
				}
			}
		}
		ends, at = next, h.OldEnd
	}
	for end := range ends {
		if now[end:] == before[at:] {
			return true
		}
	}
	return false
}
