package deliver

import (
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/proposal"
	"coauthor/edits"
)

// A client that cannot make, rename or delete one file of an edit leaves the whole of it, and mostly says no word of why. What the
// disk does not allow can be looked up: the user hears which file it is, and may take the others.

// blameDisk gives a request of which something did not arrive the reason that the disk shows, if any, and marks the files
// that are at fault.
func (o *outcome) blameDisk(sh editRequest, states []proposal.Landed, r *editReply) {
	if r == nil || r.answer.Null || o.refused || o.declined {
		return // it is undecided, or the user said no
	}
	missing := func(l proposal.Landed) bool {
		return l.State == proposal.LandAbsent && !l.Stale || l.State == proposal.LandUnknown && r.err == nil
	}
	var why []string
	for i, one := range sh.steps {
		if text := o.docs.unwritable(one); text != "" && missing(states[i]) {
			states[i].State, states[i].Awaited, states[i].Unwritable = proposal.LandAbsent, false, true
			why = append(why, text)
		}
	}
	if len(why) == 0 {
		return
	}
	why = slices.Compact(why)
	for i := range states {
		if states[i].Unwritable || missing(states[i]) && states[i].State == proposal.LandAbsent {
			states[i].Reason = strings.Join(why, "; ")
		}
	}
}

// unwritable says what of a step the client cannot do on disk, and why; "" for nothing that is known.
func (d *documents) unwritable(one clientStep) string {
	door := d.root.Workspace.Door()
	change := one.step.Change
	name, done := change.Path, ""
	at := door.Unwritable(change.Path, change.Op)
	switch change.Op {
	case edits.OpCreate:
		if !d.builder("", false).makes(one) {
			return "" // it opens a document, and the disk waits until the user saves it
		}
		done = "created"
	case edits.OpUpdate:
		if one.version != nil || !d.editor.Quirks.EditsFilesOnDisk {
			return ""
		}
		done = "written"
	case edits.OpRename:
		if done = "renamed"; at == "" {
			at = door.Unwritable(change.To, edits.OpCreate)
		}
	case edits.OpDelete:
		done = "deleted"
	}
	switch at {
	case "":
		return ""
	case name:
		return fmt.Sprintf("%s cannot be %s: it is read-only", name, done)
	case ".":
		return fmt.Sprintf("%s cannot be %s: the workspace folder is read-only", name, done)
	}
	return fmt.Sprintf("%s cannot be %s: the folder %s is read-only", name, done, at)
}
