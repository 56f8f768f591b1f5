package deliver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/client"
	"coauthor/lsp/wire"
)

// How long the client is given. It may answer before it tells of the change or after it, it may ask
// the user first, and it may never answer.
const (
	answerTime = time.Minute            // to answer an edit
	reviewTime = 10 * time.Minute       // to answer an edit that it previews
	tellTime   = 2 * time.Second        // to tell of the change after it said that it applied it
	halfTime   = 300 * time.Millisecond // to tell the rest of a change that reads nearly as it was meant
	denyTime   = 300 * time.Millisecond // to tell of a change after it said that there is none
	lookEvery  = 100 * time.Millisecond // between two looks at the disk, which tells nobody
)

// editReply is what the client said of an edit.
type editReply struct {
	answer client.Answer
	err    error
	// versions are those of the open documents when it came, by path.
	versions map[string]int32
}

// outcome says what became of what was sent, and remembers what the user and the client said to it.
type outcome struct {
	docs   *documents
	native bool // the client previews the edit

	leftOut  []string // the files that the user did not take in the client's preview
	refused  bool     // nothing was taken there
	partly   []string // those of which the user took a part there
	declined bool     // the user said no to the client's own question
	untold   []string // the files of which the client tells when the user comes to them
}

// send sends one edit and finds out what became of it: the client's answer is a hint, its documents
// are the truth.
func (c *Applier) send(ctx context.Context, sh editRequest) []proposal.Landed {
	e := &c.docs.editor
	limit := answerTime
	if c.native || e.Quirks.AsksItself {
		limit = reviewTime
	}
	changed, stop := e.Landings.watch()
	defer stop()
	defer e.Expect(textsOf(sh.steps))()
	if e.Quirks.EditsFilesOnDisk {
		defer e.Echoes.expect(sh.steps)()
	}
	var wait sync.WaitGroup
	defer wait.Wait()
	ctx, cancel := context.WithTimeout(ctx, e.Landings.Scaled(limit))
	defer cancel()
	replies := make(chan editReply, 1) // room for the one reply, so that nobody has to take it
	wait.Go(func() {
		answer, err := e.Client.ApplyEdit(ctx, sh.params)
		replies <- editReply{answer: answer, err: err}
	})

	var got *editReply
	var deadline, look, half <-chan time.Time
	seen, whole := false, false
	for {
		states, all := c.docs.look(sh)
		if all && got != nil && (whole || exact(states)) {
			return states
		}
		if all && half == nil {
			// Neovim tells of one edit in several changes, of which the first comes at once and the
			// others a moment later.
			half = time.After(e.Landings.Scaled(halfTime))
		}
		if all && !seen {
			// It is there; the answer is no longer of interest, but cutting it off would be rude.
			seen = true
			deadline = time.After(e.Landings.Scaled(tellTime))
		}
		select {
		case <-changed:
		case <-half:
			whole = true
		case <-look:
			look = time.After(lookEvery)
		case r := <-replies:
			got = &r
			got.versions = c.docs.versions(sh)
			deadline = time.After(e.Landings.Scaled(patience(&r)))
			look = time.After(lookEvery)
		case <-deadline:
			return c.outcome.judge(sh, got)
		case <-ctx.Done():
			if got == nil {
				got = &editReply{err: errNoAnswer}
			}
			return c.outcome.judge(sh, got)
		}
	}
}

// textsOf are the texts that steps make of documents, by URI.
func textsOf(steps []clientStep) map[string]string {
	texts := map[string]string{}
	for _, one := range steps {
		texts[one.uri] = one.step.Change.After
	}
	return texts
}

// versions are those of a request's open documents.
func (d *documents) versions(sh editRequest) map[string]int32 {
	list := map[string]int32{}
	for _, one := range sh.steps {
		if doc, open := d.document(one.step.Change.Path); open {
			list[one.step.Change.Path] = doc.Version
		}
	}
	return list
}

// patience is how long the documents are watched after the reply.
func patience(r *editReply) time.Duration {
	if r.err != nil || !r.answer.Applied && !r.answer.Null {
		return denyTime
	}
	return tellTime
}

// look compares the documents with what the request should make of them.
func (d *documents) look(sh editRequest) (states []proposal.Landed, all bool) {
	snap := d.root.Workspace.Snapshot()
	all = true
	for _, one := range sh.steps {
		change := one.meant()
		l := proposal.Landed{Path: change.Path}
		if d.shownByDisk(one) {
			l.State = proposal.LandAbsent
			if d.root.Workspace.Door().OnDisk(change.Path) == (change.Op == edits.OpCreate) {
				l.State = proposal.LandLanded
			}
			all = all && l.State == proposal.LandLanded
			states = append(states, l)
			continue
		}
		from, err := snap.Text(change.Path)
		var to *string
		if err == nil && change.Op == edits.OpRename {
			to, err = snap.Text(change.To)
		}
		if err != nil {
			l.State, l.Reason = proposal.LandUnknown, fmt.Sprintf("cannot read %s: %v", change.Path, err)
		} else {
			l.State, l.Text = proposal.Check(change, from, to)
		}
		switch doc, open := d.document(change.Path); {
		case open && sh.closes:
			l.State = proposal.LandAbsent
		case open && doc.Lost:
			l.State, l.Text, l.Reason = proposal.LandUnknown, nil, change.Path+" is out of sync with the editor: close and reopen it"
		}
		all = all && l.State == proposal.LandLanded
		states = append(states, l)
	}
	return states, all
}

// shownByDisk says whether the disk alone shows that a step has arrived: of an operation on a file no text tells.
func (d *documents) shownByDisk(one clientStep) bool {
	return one.part == partFile && one.step.Change.Op != edits.OpRename || d.builder("", false).textless(one)
}

// exact says whether everything reads to the letter as it was meant.
func exact(states []proposal.Landed) bool {
	return !slices.ContainsFunc(states, func(l proposal.Landed) bool { return l.Text != nil })
}

// judge says what became of a request when the client has had its time.
func (o *outcome) judge(sh editRequest, r *editReply) []proposal.Landed {
	states, _ := o.docs.look(sh)
	for i := range states {
		switch {
		case states[i].State == proposal.LandAbsent:
			o.explain(&states[i], sh.steps[i], r)
		case states[i].State == proposal.LandDiffers && o.native && r != nil && r.err == nil && r.answer.Applied && o.taken(sh.steps[i], &states[i]):
		case states[i].State == proposal.LandDiffers && o.refusedWhole(sh.steps[i], &states[i], r):
			states[i].State, states[i].Text, states[i].Stale = proposal.LandAbsent, nil, true
			states[i].Reason = states[i].Path + " was edited while the change was being applied"
		case states[i].State == proposal.LandDiffers && states[i].Reason == "":
			states[i].Reason = states[i].Path + " has unexpected text; you may have edited it at the same time"
		}
	}
	o.blameDisk(sh, states, r)
	if slices.ContainsFunc(states, func(l proposal.Landed) bool { return l.Stale }) {
		// A client that refuses one stale document leaves those behind it alone, too.
		for i := range states {
			states[i].Stale = states[i].Stale || states[i].State == proposal.LandAbsent
		}
	}
	return states
}

// refusedWhole reports whether a document in which somebody typed beside the hunks of an edit has none of them: the client said
// that it did not apply the edit, and nothing of what that brings is there.
func (o *outcome) refusedWhole(one clientStep, l *proposal.Landed, r *editReply) bool {
	doc, open := o.docs.document(l.Path)
	if r == nil || r.err != nil || r.answer.Applied || r.answer.Null || one.version == nil || !open || doc.Lost || doc.Version == *one.version {
		return false
	}
	before := one.step.Change.Before
	return !slices.ContainsFunc(one.step.Hunks, func(h edits.Hunk) bool {
		return strings.TrimSpace(h.New) == "" || strings.Contains(before, h.New) || strings.Contains(doc.Text, h.New)
	})
}

// explain finds out why a file reads as before, or admits that this is not known.
func (o *outcome) explain(l *proposal.Landed, one clientStep, r *editReply) {
	unknown := func(why string) { l.State, l.Reason = proposal.LandUnknown, why }
	doc, open := o.docs.document(l.Path)
	late := o.docs.editor.Quirks.ChangesLate
	moved := one.version != nil && !one.next && open && doc.Version != *one.version // by others than an earlier request
	switch {
	case moved && late && r != nil && r.err == nil && r.answer.Applied && r.versions[l.Path] == *one.version:
		// It was sent and answered before anything was typed, and what came since has not got it.
		o.declined = true
		l.State, l.Reason = proposal.LandRefused, "the editor did not change "+l.Path
	case moved:
		l.Stale, l.Reason = true, l.Path+" was edited while the change was being applied"
	case r == nil || errors.Is(r.err, errNoAnswer) || errors.Is(r.err, context.DeadlineExceeded):
		unknown("the editor did not answer, and " + l.Path + " has not changed so far")
	case r.err != nil:
		o.failed(l, r.err)
	case r.answer.Null:
		unknown("the editor has not answered yet")
		l.Awaited = late // a key that brings no change of ours says that the user declined
	case o.native:
		o.unaccepted(l, r.answer.Applied)
	case o.docs.editor.Quirks.HiddenUntold && r.answer.Applied && one.step.Change.Op != edits.OpRename && !o.docs.shownByDisk(one):
		o.byWord(l, one)
		o.untold = append(o.untold, l.Path)
	case late && r.answer.Applied:
		unknown("the editor reports changes only after the next key press")
		l.Awaited = true
	case !r.answer.Applied && r.answer.Reason != "":
		l.Reason = "the editor did not apply the change: " + r.answer.Reason
	case !r.answer.Applied:
		l.Reason = "the editor did not apply the change and gave no reason"
	case o.docs.editor.Quirks.NoDidOpen && one.version == nil && !o.docs.shownByDisk(one):
		// This editor tells of a file that it changed without opening it when the user comes there, if at
		// all; its word is all there is. For a new file it is not enough: undo would delete it.
		if one.step.Change.Op == edits.OpCreate {
			l.State, l.Reason = proposal.LandLanded, "confirmed only by the editor"
			return
		}
		o.byWord(l, one)
	default:
		unknown("the editor reported success, but " + l.Path + " did not change")
	}
}

// failed says what the error of a request for an edit means for a file.
func (o *outcome) failed(l *proposal.Landed, err error) {
	switch {
	case errors.Is(err, wire.ErrUnsupported):
		l.State, l.Reason = proposal.LandRefused, "the editor does not let servers edit files"
	case errors.Is(err, context.Canceled):
		l.State, l.Reason = proposal.LandUnknown, "the connection closed before the editor answered"
	case o.docs.editor.Quirks.ChangesLate:
		l.State, l.Reason = proposal.LandUnknown, "the editor reports changes only after the next key press and returned this error: "+err.Error()
		l.Awaited = true
	default:
		l.Reason = "the editor refused the change: " + err.Error()
	}
}

// unaccepted says what the editor's own preview means for a file that did not change. Not applied is nothing of the change.
func (o *outcome) unaccepted(l *proposal.Landed, applied bool) {
	if !applied {
		l.Reason = "you accepted no changes in the editor's preview" // see reviewed
		o.refused = true
		return
	}
	l.State, l.Reason = proposal.LandRefused, "you left "+l.Path+" out in the editor's preview"
	o.leftOut = append(o.leftOut, l.Path)
}
