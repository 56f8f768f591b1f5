package decide

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/proposal"
	"coauthor/lsp/review"
	"coauthor/lsp/wire"
)

// A change that cannot be applied because the user has edited the same lines: both sides are shown, and the user chooses
// what to do. Nothing of either side is written into a file before that.

// The ways out, as a dialog offers them. The first is safe to be picked by accident.
var waysOut = []struct{ title, take string }{
	{"Show both", command.TakeBoth},
	{"Keep mine", command.TakeMine},
	{"Use the model's", command.TakeTheirs},
	{"Ask again", command.TakeAgain},
}

// conflicted has the user asked what to do about a conflict, beside the caller. It returns false where there is none any
// more.
func (d *Decisions) conflicted(out proposal.Outcome) bool {
	p, clashes, err := d.o.Session.Proposals.Clashes(out.Meant, d.o.Workspace.Snapshot())
	if err != nil || len(clashes) == 0 {
		return false
	}
	return d.o.Tasks.Background(func(ctx context.Context) { d.askConflict(ctx, out, &p, clashes) })
}

func (d *Decisions) askConflict(ctx context.Context, out proposal.Outcome, p *proposal.Proposal, clashes []proposal.Clash) {
	what := review.Newest(out.Among, p) + d.o.Review().Words.Outcome(out, 0)
	var titles []string
	for _, way := range waysOut {
		titles = append(titles, way.title)
	}
	limit, cancel := context.WithTimeout(ctx, d.o.Landings.Scaled(review.DialogTime))
	said, above := "Coauthor: "+what+".", review.Sides(clashes)
	if d.o.Client.Quirks.OneLineMessages {
		said, above = strings.TrimSpace(said+" "+review.SidesInLine(clashes)), ""
	}
	choice, err := d.o.Client.Dialog(limit, protocol.MessageTypeWarning, said, above, titles)
	cancel()
	i := slices.IndexFunc(waysOut, func(way struct{ title, take string }) bool { return way.title == choice })
	switch {
	case ctx.Err() != nil:
	case i < 0 && !undecided(d.o.Session.Proposals, p.ID): // it was decided in another way meanwhile
	case err == nil && i >= 0:
		ctx = d.o.Review().Asked(ctx)
		sel := out.Meant
		if _, err := d.Resolve(ctx, sel, waysOut[i].take); err != nil && !errors.Is(err, proposal.ErrDecided) && !errors.Is(err, proposal.ErrStale) {
			d.o.Client.ShowMessage(protocol.MessageTypeWarning, "Coauthor: "+err.Error())
		}
	default:
		if err != nil {
			d.o.Log.Debug("no dialog", "err", err)
		}
		d.o.Client.ShowMessage(protocol.MessageTypeWarning, "Coauthor: "+what+". See both sides, keep your lines, use the model's, or ask again: "+d.o.Review().Words.How("resolve")+".")
	}
}

// undecided says whether a proposal still waits for the user.
func undecided(store *proposal.Store, id string) bool {
	p, ok := store.Get(id)
	return ok && p.Pending()
}

// resolved is the answer of coauthor.resolve where nothing was sent.
type resolved struct {
	Status     string `json:"status"`
	TurnID     string `json:"turnId,omitzero"`
	ProposalID string `json:"proposalId,omitzero"`
	URI        string `json:"uri,omitzero"`
}

// Resolve does about a conflict what take says; "" asks.
func (d *Decisions) Resolve(ctx context.Context, sel proposal.Selector, take string) (any, error) {
	p, clashes, err := d.o.Session.Proposals.Clashes(sel, d.o.Workspace.Snapshot())
	if err != nil {
		return nil, err
	}
	sel.Proposal, sel.Revision = p.ID, p.Revision
	if len(clashes) == 0 {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "the conflict no longer exists; apply the change")
	}
	switch take {
	case command.TakeMine:
		return d.keepMine(ctx, sel, clashes)
	case command.TakeTheirs:
		return d.resolving(ctx, sel, proposal.TakeTheirs)
	case command.TakeMarkers:
		return d.resolving(ctx, sel, proposal.TakeMarkers)
	case command.TakeBoth:
		name := review.AnswerPrefix + "conflict-" + path.Base(clashes[0].Path) + ".md"
		text := review.ConflictDocument(&p, clashes, d.o.Review().Words.How("resolve"))
		if elsewhere := d.o.Review().ShowMarkdown(ctx, d.o.Answers, name, text); elsewhere != "" {
			d.o.Client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+elsewhere)
		}
		return resolved{Status: "pending", TurnID: p.Turn, ProposalID: p.ID}, nil
	case command.TakeAgain:
		started, err := d.o.Start(agent.Request{FollowUp: p.Turn, Instruction: review.AskAgain(clashes)})
		if err != nil {
			return nil, err
		}
		if started.Status == agent.StatusBusy {
			return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "another request is running in this folder; stop it or wait until it ends")
		}
		return resolved{Status: started.Status, TurnID: started.Turn}, nil
	}
	out := proposal.Outcome{Turn: p.Turn, Proposal: p.ID, Status: proposal.StatusConflict, Reason: clashes[0].Reason, Meant: sel}
	d.o.Tasks.Background(func(ctx context.Context) { d.askConflict(ctx, out, &p, clashes) })
	return resolved{Status: string(proposal.StatusConflict), TurnID: p.Turn, ProposalID: p.ID}, nil
}

// resolving applies what was chosen.
func (d *Decisions) resolving(ctx context.Context, sel proposal.Selector, take proposal.Take) (any, error) {
	out, err := d.applyTaking(ctx, sel, take)
	if err != nil {
		return nil, err
	}
	return d.View(out), nil
}

// keepMine discards what clashes, and applies the rest of what was meant.
func (d *Decisions) keepMine(ctx context.Context, sel proposal.Selector, clashes []proposal.Clash) (any, error) {
	store := d.o.Session.Proposals
	all := len(sel.Hunks) == 0
	for _, c := range clashes {
		one := proposal.Selector{Proposal: sel.Proposal, Revision: sel.Revision, Files: []string{c.Path}, Hunks: c.Hunks}
		if _, err := store.Discard(one); err != nil {
			return nil, err
		}
		sel.Hunks = slices.DeleteFunc(slices.Clone(sel.Hunks), func(n int) bool { return slices.Contains(c.Hunks, n) })
	}
	_, err := store.Select(sel)
	if !all && len(sel.Hunks) == 0 || errors.Is(err, proposal.ErrDecided) {
		p, _ := store.Get(sel.Proposal)
		d.o.Client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: Kept your lines. Nothing else to apply.")
		return resolved{Status: string(p.State), TurnID: p.Turn, ProposalID: p.ID}, nil
	}
	return d.resolving(ctx, sel, proposal.TakeNeither)
}
