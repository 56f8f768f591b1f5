package lsp

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/lsp/review"
)

// A turn is started here: this file hands to what the client sees of it, as values, what that needs of the connection
// and of a root.

// start begins a turn behind the request that asked for it. What it became is known at once. snapshot is what the user saw; nil
// takes it now. from is the document in which the request was run.
func (s *server) start(r *rootState, resolved agent.Resolved, snapshot *workspace.Snapshot, from talkFrom) (agent.Started, error) {
	resolved.Request.Problems, resolved.Request.Visible = s.docs.problems(r), s.docs.visible(r)
	v := s.newTurnView(r, resolved.Asked)
	v.talk = s.newTurnTalk(r, resolved.Asked, from)
	v.edits = resolved.Proposes()
	ports := agent.Ports{Sink: v.event, Ask: s.asker(r), Snapshot: snapshot}
	if s.client.Caps.Draft {
		ports.Draft = v.drafted
	}
	started, err := r.session.Start(resolved, ports)
	if err != nil || started.Turn == "" {
		return started, err
	}
	v.mu.Lock()
	v.id = started.Turn
	v.mu.Unlock()
	s.turns.add(v)
	if v.talk != nil {
		v.talk.begin(started.Turn)
	}
	v.progress = s.turns.turnProgress(v.stop)
	s.turns.open.Add()
	if !s.tasks.background(func(ctx context.Context) {
		defer s.turns.open.Done()
		defer s.turns.remove(v)
		defer v.progress.end("") // an earlier end counts; this one is for a panic and a hang-up
		if v.run(ctx) {
			s.goOn(ctx, r, started.Turn)
			s.updateHeads(r) // the user may have let files in
			s.waitingComments(ctx, r)
			s.roots.leave(r)
		}
	}) {
		s.turns.open.Done() // the session is over, and the engine ends the turn
	}
	return started, nil
}

// startRequest is start for a request that the server makes.
func (s *server) startRequest(r *rootState, req agent.Request) (agent.Started, error) {
	resolved, err := r.session.Resolve(req)
	if err != nil {
		return agent.Started{}, err
	}
	return s.start(r, resolved, nil, talkFrom{})
}

// goOn starts what follows from a turn that has ended, or keeps it until its proposal is decided on.
func (s *server) goOn(ctx context.Context, r *rootState, turn string) {
	result, err := r.session.Wait(ctx, turn)
	switch {
	case err != nil || result.Then == nil:
	case result.Proposal == nil:
		s.startNext(ctx, r, *result.Then)
	default:
		s.turns.following.put(result.Proposal.ID, *result.Then)
		s.follow(r, result.Proposal.ID) // it may be decided on already
	}
}

// startNext starts what follows from a turn. The user has not asked for it just now, so that an error is shown.
func (s *server) startNext(ctx context.Context, r *rootState, req agent.Request) {
	if _, err := s.startRequest(r, req); err != nil && ctx.Err() == nil {
		s.client.ShowMessage(protocol.MessageTypeError, "Coauthor: "+err.Error())
	}
}

// follow starts what waits for a proposal, when all of it is decided on and some of it was applied. With a proposal that
// is gone it is forgotten.
func (s *server) follow(r *rootState, id string) {
	p, ok := r.session.Proposals().Get(id)
	if ok && p.Pending() {
		return
	}
	switch p.State {
	case event.ProposalApplied, event.ProposalPartial:
		if req, waits := s.turns.following.take(id); waits {
			s.tasks.background(func(ctx context.Context) {
				if s.hasSaved(ctx, r, id, req) {
					s.startNext(ctx, r, req)
				}
			})
		}
	case event.ProposalDiscarded, event.ProposalUndone, "":
		s.turns.following.take(id)
	case event.ProposalPending, event.ProposalApplying, event.ProposalUnverified, event.ProposalConflict, event.ProposalSuperseded:
	}
}

// following are the requests that follow from proposals which are not decided on yet, by their ids. The zero value is
// ready.
type following struct {
	mu   sync.Mutex
	next map[string]agent.Request // guarded by mu
}

func (f *following) put(id string, r agent.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.next == nil {
		f.next = map[string]agent.Request{}
	}
	f.next[id] = r
}

// take returns the request that waits for a proposal, and forgets it.
func (f *following) take(id string) (agent.Request, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r, ok := f.next[id]
	delete(f.next, id)
	return r, ok
}

// newTurnView makes what the client sees of a turn in a root.
func (s *server) newTurnView(r *rootState, req agent.Request) *turnView {
	v := &turnView{root: r, request: req, wake: make(chan struct{}, 1)}
	v.ports = turnPorts{
		client: s.client, words: s.words(), clock: s.opts.Clock, log: s.log,
		alone: func() bool { return len(s.turns.running(r)) <= 1 },
		blocked: func() bool {
			return slices.ContainsFunc(s.questions.in(r), func(q event.Question) bool { return q.Turn != "" })
		},
		over:   func() { s.turns.remove(v) },
		answer: func(ctx context.Context, text string) string { return s.showAnswer(ctx, v, text) },
		tells: func(name, text string) {
			s.tasks.background(func(ctx context.Context) { s.showNote(ctx, r, name, text) })
		},
		decided: func(e *event.Event) { s.decided(r, e) },
		draft:   func(turn string, changes []edits.Change) { s.sendDraft(r, turn, changes) },
		preview: func(p proposal.Proposal, asked string) {
			asked = cmp.Or(asked, s.settings(r).Preview)
			now, before := v.next(p.ID)
			if !s.tasks.background(func(ctx context.Context) {
				defer now.done()
				if before.ended != nil {
					select {
					case <-before.ended:
					case <-ctx.Done():
						return
					}
				}
				s.review(r).Preview(ctx, p, asked)
			}) {
				now.done()
			}
		},
	}
	return v
}

// asker returns the way to ask the user about what is done in a root; nil is none.
func (s *server) asker(r *rootState) event.Asker {
	return &asker{
		client: s.client, questions: &s.questions, root: r, random: s.opts.Random,
		write: func(ctx context.Context, q *event.Question) error {
			doc, err := s.answerIn(ctx, r, q)
			if err == nil {
				s.showPrompt(ctx, r, doc)
			}
			return err
		},
		tells: func(ctx context.Context, q event.Question) (over func(event.Answer), stands bool) {
			return s.asksInTalk(ctx, r, q)
		},
		limit: func(q event.Question) time.Duration {
			if q.Slow() {
				return s.delivery.landings.Scaled(askSlowTime)
			}
			return s.delivery.landings.Scaled(askTime)
		},
		page: func(ctx context.Context, name, text string) string {
			if r == nil {
				return name
			}
			return s.showMarkdown(ctx, r, name, text)
		},
		over: s.tasks.ctx.Done(), log: s.log,
		waiting: func(q event.Question) (answered func()) {
			if v := s.turns.view(q.Turn); q.Turn != "" && v != nil {
				return v.asks(q)
			}
			return func() {}
		},
	}
}

// showNote opens a note of several lines as a document; where none can be opened it is a message.
func (s *server) showNote(ctx context.Context, r *rootState, name, text string) {
	ctx, release := s.tasks.whileAnswered(ctx)
	defer release()
	ctx, cancel := context.WithTimeout(ctx, showWithin)
	defer cancel()
	title, rest, _ := strings.Cut(text, "\n")
	if s.showMarkdown(ctx, r, review.AnswerPrefix+name+".md", review.AnswerDocument(title, rest)) != "" {
		s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+text)
	}
}

// showWithin is how long the end of a turn waits for the client to open the answer.
const showWithin = 2 * time.Second

// showAnswer opens the answer of a turn as a markdown document. A client that announced
// coauthor/stream has shown it while it came. It returns what to tell the user where no document
// could be opened.
func (s *server) showAnswer(ctx context.Context, v *turnView, answer string) string {
	if s.client.Caps.Stream {
		return ""
	}
	ctx, release := s.tasks.whileAnswered(ctx)
	defer release()
	ctx, cancel := context.WithTimeout(ctx, showWithin)
	defer cancel()
	name := s.own.names.Of(docKey{Root: v.root, Turn: v.turn()}, freeName(v.root), review.AnswerPrefix, s.opts.Clock(), "", ".md")
	return s.showMarkdown(ctx, v.root, name, review.AnswerDocument(v.request.Instruction, answer))
}
