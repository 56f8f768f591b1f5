package deliver

import (
	"context"
	"fmt"
	"path"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// gate says which steps of a plan may go: it asks the door, and the user where that is necessary.
type gate struct {
	docs *documents
	seen bool // the user has looked at the proposal and accepted it
	own  bool // the plan is of text that we wrote into documents of ours
}

// permit asks the door, and the user where the door or the client's limits make that necessary. It
// returns the steps that may go and the answers for the others.
func (g *gate) permit(ctx context.Context, p *requestBuilder, list []clientStep) (may []clientStep, answers []proposal.Landed) {
	if g.own {
		return list, nil
	}
	for _, one := range list {
		change := one.step.Change
		reason := ""
		ask := one.step.Consent
		what := "it is protected"
		d := g.docs.root.Workspace.Door().Check(ctx, change.Path, workspace.OperationOf(change.Op, true))
		if d.Verdict == workspace.Allow && change.Op == edits.OpRename {
			d = g.docs.root.Workspace.Door().Check(ctx, change.To, workspace.OpCreate)
		}
		switch d.Verdict {
		case workspace.Allow:
		case workspace.Ask:
			ask, what = true, d.Reason
		case workspace.Refuse:
			reason = d.Reason
		}
		if reason == "" && ask && !g.consent(ctx, fmt.Sprintf("Coauthor wants to %s %s (%s). Allow this?", change.Op, describeChange(change), what), "Allow") {
			reason = "you did not allow Coauthor to " + string(change.Op) + " " + change.Path
		}
		one.agreed = workspace.Agreed() // to the change as it was shown
		if ask {
			one.agreed = workspace.Agreed(change.Path, change.To)
		}
		target := one
		if made, _, copied := p.copied(one); copied {
			target = made
		}
		if reason == "" && p.byServer(target) && !target.buffered {
			reason = g.permitOnDisk(ctx, target)
		}
		if reason == "" && (change.Op == edits.OpCreate || change.Op == edits.OpRename) {
			reason = g.makeParent(ctx, p, one)
		}
		if reason != "" {
			answers = append(answers, proposal.Landed{Path: change.Path, State: proposal.LandRefused, Reason: reason})
			continue
		}
		may = append(may, one)
	}
	return may, answers
}

func describeChange(c edits.Change) string {
	if c.Op == edits.OpRename {
		return c.Path + " to " + c.To
	}
	return c.Path
}

// makeParent makes the directory of a new file where the client does not do that when it saves.
func (g *gate) makeParent(ctx context.Context, p *requestBuilder, one clientStep) (refusal string) {
	file := one.step.Change.Path
	if one.step.Change.Op == edits.OpRename {
		file = one.step.Change.To
	}
	dir := path.Dir(file)
	if dir == "." || g.docs.root.Workspace.Door().OnDisk(dir) || !p.quirks.MakeParents && !p.byServer(one) {
		return ""
	}
	if p.byServer(one) && one.step.Change.Op == edits.OpCreate {
		return "" // it is made with the file, to which the user has agreed
	}
	if !g.seen && !g.consent(ctx, fmt.Sprintf("%s needs a new directory: %s. Create it?", file, dir), "Create it") {
		return "you did not allow Coauthor to create the directory " + dir
	}
	if err := g.docs.root.Workspace.Door().With(one.agreed).MkdirAll(ctx, dir); err != nil {
		return fmt.Sprintf("cannot create the directory %s: %v", dir, err)
	}
	return ""
}

// consent asks the user; no answer is no.
func (g *gate) consent(ctx context.Context, text, yes string) bool {
	const no = "No"
	a, err := g.docs.root.Asker.Ask(ctx, event.Question{Text: text, Choices: []string{no, yes}, Default: no})
	return err == nil && a.Choice == yes
}

// permitOnDisk asks whether the server may do itself what the client cannot.
func (g *gate) permitOnDisk(ctx context.Context, one clientStep) (refusal string) {
	change := one.step.Change
	if change.Op == edits.OpCreate {
		if !g.seen && !g.consent(ctx, fmt.Sprintf("Your editor cannot create empty files. Let Coauthor create %s on disk?", change.Path), "Yes, on disk") {
			return change.Path + " was not created: your editor cannot create empty files, and you did not allow Coauthor to"
		}
		return ""
	}
	if doc, open := g.docs.document(change.Path); open {
		disk, err := g.docs.root.Workspace.Door().DiskText(ctx, change.Path)
		taken := change.Op == edits.OpRename && disk == change.After // what was not saved is taken back
		if err != nil || disk != g.docs.has(doc) && !taken {
			return fmt.Sprintf("your editor cannot %s files, and %s has unsaved changes: save or close it first",
				change.Op, change.Path)
		}
	}
	if !g.consent(ctx, fmt.Sprintf("Your editor cannot %s files. Let Coauthor %s %s on disk?",
		change.Op, change.Op, describeChange(change)), "Yes, on disk") {
		return fmt.Sprintf("your editor cannot %s files, and you did not allow Coauthor to", change.Op)
	}
	return ""
}
