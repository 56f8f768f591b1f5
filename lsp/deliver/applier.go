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

// Applier delivers plans to one root through workspace/applyEdit. It must not be used on the
// goroutine that reads: it waits for the client.
type Applier struct {
	docs    *documents
	native  bool // the client previews the edit
	gate    gate
	disk    diskSteps
	outcome outcome
}

// LeftOut returns the files that the user did not take in the client's own preview, and those of which
// the user took a part there.
func (c *Applier) LeftOut() (whole, partly []string) { return c.outcome.leftOut, c.outcome.partly }

// Declined says that the user said no to the client's own question.
func (c *Applier) Declined() bool { return c.outcome.declined }

// Options say how a plan is delivered.
type Options struct {
	// Native lets the client preview the edit.
	Native bool
	// Seen says that the user has looked at the proposal and accepted it, which is the consent to
	// make the directories of its new files.
	Seen bool
	// Own says that the plan is of text that we wrote into documents of ours, so that nobody is asked about it.
	Own bool
}

// New returns what delivers plans to a root through an editor.
func New(e Editor, r Root, o Options) *Applier {
	docs := &documents{editor: e, root: r}
	return &Applier{docs: docs, native: o.Native, gate: gate{docs: docs, seen: o.Seen, own: o.Own},
		disk: diskSteps{docs: docs}, outcome: outcome{docs: docs, native: o.Native}}
}

// Current implements proposal.Delivery.
func (c *Applier) Current() *workspace.Snapshot { return c.docs.root.Workspace.Snapshot() }

// Deliver implements proposal.Delivery: it sends the plan in the form that the client takes, and
// believes only what the documents then read.
func (c *Applier) Deliver(ctx context.Context, label string, plan []proposal.Step) ([]proposal.Landed, error) {
	if !c.docs.editor.Capabilities.ApplyEdit {
		return refuseAll(plan, "the editor does not let servers edit files (workspace/applyEdit)"), nil
	}
	if c.native {
		if err := c.docs.editor.Quiet(ctx); err != nil {
			return nothing(plan, "", false), err
		}
	}
	p := c.docs.builder(label, c.native)
	c.docs.calm(ctx, plan)
	list, answers := c.docs.inspect(plan)
	if len(answers) > 0 {
		return answers, nil // something moved on: the Store plans again
	}
	list, answers = c.gate.permit(ctx, p, list)
	if err := ctx.Err(); err != nil {
		return nothing(plan, "", false), err
	}
	list, own, moves := splitOnDisk(p, list)
	if bad := c.disk.moveFirst(ctx, moves); bad != nil {
		return append(answers, unsent(slices.Concat(list, own), moves, bad)...), ctx.Err()
	}
	c.moveAside(p, list)
	sent := c.sendAll(ctx, p, slices.Concat(list, edited(moves)))
	c.closeEmptied(ctx, p, list, sent)
	sent = c.disk.renamed(ctx, moves, sent)
	if c.native {
		c.outcome.reviewed(plan, sent)
	}
	c.outcome.remarkUntold(sent)
	answers = append(answers, sent...)
	if bad := firstMissing(sent); bad != nil { // what is taken away may be what did not arrive elsewhere
		answers = append(answers, unsentAfter(bad, own)...)
	} else {
		for _, one := range own {
			answers = append(answers, c.disk.run(ctx, one))
		}
	}
	for _, one := range plan { // whatever became of it; the client may have written it to disk
		c.docs.root.Changed(one.Change.Path)
		if one.Change.To != "" {
			c.docs.root.Changed(one.Change.To)
		}
	}
	return answers, ctx.Err()
}

// inspect says what the wire needs to know of each step, and whether the client's documents, at this
// moment, are those the plan was made on. If one is not, it answers for all of them.
func (d *documents) inspect(plan []proposal.Step) ([]clientStep, []proposal.Landed) {
	snap := d.root.Workspace.Snapshot()
	list := make([]clientStep, 0, len(plan))
	for i, step := range plan {
		change := step.Change
		one := clientStep{step: step, index: i, uri: d.uriOf(change.Path)}
		if change.Op == edits.OpRename {
			one.to = d.root.uri(change.To)
		}
		doc, open := d.document(change.Path)
		switch {
		case !open:
		case doc.Lost:
			return nil, refuseAll(plan, change.Path+" is out of sync with the editor: close and reopen it")
		case doc.Uncertain:
			return nil, refuseAll(plan, change.Path+" is still being edited: apply the change again")
		case change.Op != edits.OpCreate:
			one.version = &doc.Version
			one.buffered = !d.root.Workspace.Door().OnDisk(change.Path)
		case snap.Vacant(change.Path): // an empty buffer without a file takes the text
			one.version = &doc.Version
			text, err := snap.Read(change.Path)
			if err != nil {
				return nil, refuseAll(plan, fmt.Sprintf("cannot read %s: %v", change.Path, err))
			}
			one.step.Change.Before, one.step.Hunks = text, nil
			if !workspace.Blank(change.After) {
				one.step.Hunks = edits.Diff(text, change.After)
			}
		}
		list = append(list, one)
	}
	if why := d.moved(list); why != "" {
		return nil, nothing(plan, why, true)
	}
	return list, nil
}

// moved says which file is not, at this moment, what its step was made of, and why; "" for none. It
// is asked again before each request: a question to the user or the request before takes its time,
// and not every client refuses an edit of a text that it no longer has.
func (d *documents) moved(list []clientStep) (why string) {
	snap := d.root.Workspace.Snapshot()
	for _, one := range list {
		change := one.step.Change
		doc, open := d.document(change.Path)
		switch {
		case one.next:
			if text, err := snap.Read(change.Path); err != nil || text != one.between() && (!workspace.Blank(text) || one.between() != "") {
				return change.Path + " was just edited"
			}
		case change.Op == edits.OpCreate && one.version == nil:
			if snap.Exists(change.Path) {
				return change.Path + " already exists"
			}
		case open != (one.version != nil), open && (doc.Uncertain || doc.Version != *one.version || !reads(snap, change, doc.Version)):
			return change.Path + " was just edited"
		case !open:
			text, err := snap.Read(change.Path)
			if err != nil {
				return fmt.Sprintf("cannot read %s: %v", change.Path, err)
			}
			if text != change.Before {
				return change.Path + " was just edited"
			}
		}
		if change.Op == edits.OpRename && snap.Exists(change.To) && !d.leftOpen(one) {
			return change.To + " already exists"
		}
	}
	return ""
}

// reads says whether an open document has the version, and the text that a change was made of.
func reads(snap *workspace.Snapshot, change edits.Change, version int32) bool {
	doc, err := snap.Document(change.Path)
	return err == nil && doc.Version == version && doc.Text == change.Before
}

// nothing answers for a plan of which nothing was sent.
func nothing(plan []proposal.Step, reason string, stale bool) []proposal.Landed {
	out := make([]proposal.Landed, len(plan))
	for i, step := range plan {
		out[i] = proposal.Landed{Path: step.Change.Path, State: proposal.LandAbsent, Reason: reason, Stale: stale}
	}
	return out
}

func refuseAll(plan []proposal.Step, reason string) []proposal.Landed {
	out := nothing(plan, reason, false)
	for i := range out {
		out[i].State = proposal.LandRefused
	}
	return out
}

// sendAll sends the steps one request after the other. Where the client keeps what it did before
// a failure, nothing follows a request that is known not to have arrived.
func (c *Applier) sendAll(ctx context.Context, p *requestBuilder, list []clientStep) []proposal.Landed {
	wanted := map[string]bool{}
	for _, one := range list {
		wanted[one.step.Change.Path] = true
	}
	var out []proposal.Landed
	begun := map[string]bool{} // of which a part has arrived and another has not
	answer := func(a proposal.Landed) {
		if begun[a.Path] && (a.State == proposal.LandAbsent || a.State == proposal.LandRefused) {
			a.State, a.Stale = proposal.LandDiffers, false
			a.Reason = fmt.Sprintf("only part of %s was changed: %s", a.Path, a.Reason)
		}
		out = append(out, a)
		delete(wanted, a.Path)
	}
	requests := p.build(slices.DeleteFunc(slices.Clone(list), p.needsNone))
	for i, sh := range requests {
		var answers []proposal.Landed
		if why := c.docs.moved(sh.steps); why == "" {
			answers = c.send(ctx, sh)
		} else {
			for _, one := range sh.steps {
				answers = append(answers, proposal.Landed{Path: one.step.Change.Path, State: proposal.LandAbsent, Reason: why, Stale: true})
			}
		}
		bad := firstMissing(answers)
		for k, a := range answers {
			one := sh.steps[k]
			landed := a.State == proposal.LandLanded
			switch {
			case landed && one.more:
				c.docs.awaitSave(ctx, one)
				begun[a.Path] = begun[a.Path] || one.part == partText
				continue
			case landed && one.moves != "":
				begun[one.moves] = true
			case one.more && bad == nil:
				bad = &answers[k]
			}
			answer(a)
		}
		if bad == nil {
			continue
		}
		for _, rest := range requests[i+1:] {
			for _, a := range unsentAfter(bad, rest.steps) {
				if wanted[a.Path] {
					answer(a)
				}
			}
		}
		break
	}
	// What needs no request has nothing to arrive.
	for file := range wanted {
		out = append(out, proposal.Landed{Path: file, State: proposal.LandLanded})
	}
	return out
}

// unsentAfter answers for steps that do not follow one that did not arrive.
func unsentAfter(bad *proposal.Landed, list []clientStep) []proposal.Landed {
	var out []proposal.Landed
	why := "not sent because " + bad.Path + " was not changed"
	if bad.Unwritable {
		why = bad.Reason // the user has heard all there is
	}
	for _, one := range list {
		out = append(out, proposal.Landed{Path: one.step.Change.Path, State: proposal.LandAbsent, Reason: why, Stale: bad.Stale})
	}
	return out
}

func firstMissing(answers []proposal.Landed) *proposal.Landed {
	for i, a := range answers {
		if a.State == proposal.LandAbsent || a.State == proposal.LandRefused {
			return &answers[i]
		}
	}
	return nil
}

// errNoAnswer says that the client did not answer an edit in time.
var errNoAnswer = errors.New("the editor did not answer")
