package lsp

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
func (s *server) conflicted(r *rootState, out proposal.Outcome) bool {
	p, clashes, err := r.session.Proposals.Clashes(out.Meant, r.ws.Snapshot())
	if err != nil || len(clashes) == 0 {
		return false
	}
	return s.tasks.Background(func(ctx context.Context) { s.askConflict(ctx, r, out, &p, clashes) })
}

func (s *server) askConflict(ctx context.Context, r *rootState, out proposal.Outcome, p *proposal.Proposal, clashes []proposal.Clash) {
	what := review.Newest(out.Among, p) + s.words().Outcome(out, 0)
	var titles []string
	for _, way := range waysOut {
		titles = append(titles, way.title)
	}
	limit, cancel := context.WithTimeout(ctx, s.delivery.landings.Scaled(review.DialogTime))
	said, above := "Coauthor: "+what+".", review.Sides(clashes)
	if s.client.Quirks.OneLineMessages {
		said, above = strings.TrimSpace(said+" "+review.SidesInLine(clashes)), ""
	}
	choice, err := s.client.Dialog(limit, protocol.MessageTypeWarning, said, above, titles)
	cancel()
	i := slices.IndexFunc(waysOut, func(way struct{ title, take string }) bool { return way.title == choice })
	switch {
	case ctx.Err() != nil:
	case i < 0 && !undecided(r, p.ID): // it was decided in another way meanwhile
	case err == nil && i >= 0:
		ctx = s.docs.askedNow(ctx)
		sel := out.Meant
		if _, err := s.resolve(ctx, r, sel, waysOut[i].take); err != nil && !errors.Is(err, proposal.ErrDecided) && !errors.Is(err, proposal.ErrStale) {
			s.client.ShowMessage(protocol.MessageTypeWarning, "Coauthor: "+err.Error())
		}
	default:
		if err != nil {
			s.log.Debug("no dialog", "err", err)
		}
		s.client.ShowMessage(protocol.MessageTypeWarning, "Coauthor: "+what+". See both sides, keep your lines, use the model's, or ask again: "+s.words().How("resolve")+".")
	}
}

// undecided says whether a proposal still waits for the user.
func undecided(r *rootState, id string) bool {
	p, ok := r.session.Proposals.Get(id)
	return ok && p.Pending()
}

// resolved is the answer of coauthor.resolve where nothing was sent.
type resolved struct {
	Status     string `json:"status"`
	TurnID     string `json:"turnId,omitzero"`
	ProposalID string `json:"proposalId,omitzero"`
	URI        string `json:"uri,omitzero"`
}

// cmdResolve does what the user has chosen to do about a conflict.
func (s *server) cmdResolve(ctx context.Context, c *commandCall) (any, error) {
	r, sel, err := s.chosen(c)
	if err != nil {
		return nil, err
	}
	return s.soon(ctx, func(ctx context.Context) (any, error) {
		v, err := s.resolve(ctx, r, sel, c.args.Take)
		if err != nil {
			return nil, refusal(err, s.docs.uris(r))
		}
		return v, nil
	})
}

// resolve does about a conflict what take says; "" asks.
func (s *server) resolve(ctx context.Context, r *rootState, sel proposal.Selector, take string) (any, error) {
	p, clashes, err := r.session.Proposals.Clashes(sel, r.ws.Snapshot())
	if err != nil {
		return nil, err
	}
	sel.Proposal, sel.Revision = p.ID, p.Revision
	if len(clashes) == 0 {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "the conflict no longer exists; apply the change")
	}
	switch take {
	case command.TakeMine:
		return s.keepMine(ctx, r, sel, clashes)
	case command.TakeTheirs:
		return s.resolving(ctx, r, sel, proposal.TakeTheirs)
	case command.TakeMarkers:
		return s.resolving(ctx, r, sel, proposal.TakeMarkers)
	case command.TakeBoth:
		name := review.AnswerPrefix + "conflict-" + path.Base(clashes[0].Path) + ".md"
		text := review.ConflictDocument(&p, clashes, s.words().How("resolve"))
		if elsewhere := s.showMarkdown(ctx, r, name, text); elsewhere != "" {
			s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+elsewhere)
		}
		return resolved{Status: "pending", TurnID: p.Turn, ProposalID: p.ID}, nil
	case command.TakeAgain:
		started, err := s.startRequest(r, agent.Request{FollowUp: p.Turn, Instruction: review.AskAgain(clashes)})
		if err != nil {
			return nil, err
		}
		if started.Status == agent.StatusBusy {
			return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "another request is running in this folder; stop it or wait until it ends")
		}
		return resolved{Status: started.Status, TurnID: started.Turn}, nil
	}
	out := proposal.Outcome{Turn: p.Turn, Proposal: p.ID, Status: proposal.StatusConflict, Reason: clashes[0].Reason, Meant: sel}
	s.tasks.Background(func(ctx context.Context) { s.askConflict(ctx, r, out, &p, clashes) })
	return resolved{Status: string(proposal.StatusConflict), TurnID: p.Turn, ProposalID: p.ID}, nil
}

// resolving applies what was chosen.
func (s *server) resolving(ctx context.Context, r *rootState, sel proposal.Selector, take proposal.Take) (any, error) {
	out, err := s.applyTaking(ctx, r, sel, take)
	if err != nil {
		return nil, err
	}
	return viewOutcome(out, s.docs.uris(r)), nil
}

// keepMine discards what clashes, and applies the rest of what was meant.
func (s *server) keepMine(ctx context.Context, r *rootState, sel proposal.Selector, clashes []proposal.Clash) (any, error) {
	store := r.session.Proposals
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
		s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: Kept your lines. Nothing else to apply.")
		return resolved{Status: string(p.State), TurnID: p.Turn, ProposalID: p.ID}, nil
	}
	return s.resolving(ctx, r, sel, proposal.TakeNeither)
}
