package deliver

import (
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/proposal"
	"coauthor/edits"
)

// Some clients change a document that is not in front and tell of it when the user comes there, or
// change a file without telling that it is open. The workspace then has what was sent in place of what
// was told, so that the next plan, such as the undo of the turn, is made of what the user has.

// byWord takes the client's word that a step has landed.
func (o *outcome) byWord(l *proposal.Landed, one clientStep) {
	change := one.meant()
	text := change.After
	if change.Op == edits.OpDelete {
		text = ""
	}
	if o.docs.editor.Quirks.NewFileEndsLine && lastBreak(text) == "" {
		text += "\n" // a buffer of whole lines
	}
	if err := o.docs.root.Workspace.Sent(change.Path, text); err != nil {
		l.State, l.Reason = proposal.LandUnknown, fmt.Sprintf("cannot read %s: %v", l.Path, err)
		return
	}
	l.State, l.Reason = proposal.LandLanded, "confirmed only by the editor"
}

// has is what the client has of an open document: what it told, or was sent since.
func (d *documents) has(doc Document) string {
	if text, err := d.root.Workspace.Snapshot().Read(doc.Path); err == nil {
		return text
	}
	return doc.Text
}

// remarkUntold says of which files the client has still to tell.
func (o *outcome) remarkUntold(answers []proposal.Landed) {
	for i := range answers {
		if l := &answers[i]; l.State == proposal.LandLanded && l.Remark == "" && slices.Contains(o.untold, l.Path) {
			l.Remark = "your editor confirms the change in " + listed(o.untold) + " only when you open it"
		}
	}
}

// listed writes names as a sentence does.
func listed(names []string) string {
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
