package lsp

import (
	"context"
	"path"
	"time"

	"coauthor/agent/proposal"
	"coauthor/lsp/deliver"
	"coauthor/lsp/review"
)

// The server as a review sees it: this file gives package review what it needs of the connection and of
// a root, as values.

// review returns how the proposals of a root are shown and decided here.
func (s *server) review(r *rootState) *review.Review {
	return &review.Review{
		Editor: s.client,
		Root: review.Root{
			Dir: r.dir, Workspace: r.ws, Proposals: r.session.Proposals(),
			Open: func(path string) bool { _, open := s.document(r, path); return open },
		},
		Views: s.views(), Words: s.words(), AsksItself: s.quirks.AsksItself,
		DialogTime: s.landings.Scaled(review.DialogTime), Log: s.log,
		Quiet: s.quiet, Asked: s.askedNow,
		Deliver: func(native bool) review.Delivery {
			return delivery{s.applier(r, deliver.Options{Seen: true, Native: native}), s, r}
		},
		Origin:  func(turn string) string { return s.originOf(r, turn) },
		Refused: s.turns.refused,
		Name: func(p *proposal.Proposal, about string) string {
			return s.names.Of(docKey{Root: r, Turn: p.Turn, Proposal: p.ID}, s.freeName(r), "", s.opts.Clock(), about, ".diff")
		},
	}
}

// delivery is an applier as a review sees it.
type delivery struct {
	*deliver.Applier
	s    *server
	root *rootState
}

// Report implements review.Delivery.
func (d delivery) Report(out proposal.Outcome) {
	d.s.delivered(d.root, d.Declined(), out, proposal.StatusApplied)
}

// views is what the client can show of a proposal.
func (s *server) views() review.Views {
	return review.Views{
		Native:  s.quirks.NativePreview && s.caps.Annotations && s.caps.DocumentChanges,
		Pending: s.caps.Pending, Plugin: s.plugin != "",
	}
}

// words is what messages have to know of the client.
func (s *server) words() review.Words {
	return review.Words{Plugin: s.plugin, Menu: s.quirks.Menu, SavesHidden: s.quirks.SavesHidden}
}

// originOf is the path of the file that a turn came from: that of its request, else the one that the
// user is in; "" for none.
func (s *server) originOf(r *rootState, turn string) string {
	if v := s.turns.view(turn); v != nil && v.request.Target != nil {
		return v.request.Target.Path
	}
	if doc, _ := s.docs.LastFocused(); doc != nil && doc.Root == r {
		return doc.Path
	}
	return ""
}

// docKey is what a document that the server writes is about.
type docKey = review.Key[*rootState]

// freeName reports whether a name of a document can be had in a root.
func (s *server) freeName(r *rootState) func(string) bool {
	return func(name string) bool { return !r.ws.Door().OnDisk(path.Join(review.OwnFolder, name)) }
}

// showPending opens the diff of a proposal again.
func (s *server) showPending(ctx context.Context, r *rootState, sel proposal.Selector) (pendingView, error) {
	p, uri, err := s.review(r).Show(ctx, sel)
	if err != nil {
		return pendingView{}, err
	}
	v := s.viewPending(r, &p)
	v.URI = uri
	return v, nil
}

// showWithin is how long the end of a turn waits for the client to open the answer.
const showWithin = 2 * time.Second

// showAnswer opens the answer of a turn as a markdown document. A client that announced
// coauthor/stream has shown it while it came. It returns what to tell the user where no document
// could be opened.
func (s *server) showAnswer(ctx context.Context, v *turnView, answer string) string {
	if s.caps.Stream {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, showWithin)
	defer cancel()
	name := s.names.Of(docKey{Root: v.root, Turn: v.turn()}, s.freeName(v.root), review.AnswerPrefix, s.opts.Clock(), "", ".md")
	return s.showMarkdown(ctx, v.root, name, review.AnswerDocument(v.request.Instruction, answer))
}

// showMarkdown opens a document that the user only reads: see review.Review.ShowMarkdown.
func (s *server) showMarkdown(ctx context.Context, r *rootState, name, text string) string {
	return s.review(r).ShowMarkdown(ctx, &s.answers, name, text)
}
