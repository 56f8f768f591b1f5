package agent

import (
	"context"

	"coauthor/agent/event"
	"coauthor/agent/help"
	"coauthor/agent/id"
	"coauthor/agent/llm"
	"coauthor/agent/prompt"
	"coauthor/agent/verify"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// outside is what the stages of a round reach beyond the values that they are given.
type outside struct {
	door   *workspace.Door
	maps   *maps
	client llm.Client // nil when no turn runs: nobody is called
	around prompt.Surroundings
	inGit  func(ctx context.Context) bool // nil is not looked at
	manual func() *help.Index             // of our own documentation
	own    func() (prompt.File, error)    // the user's own rules; nil for none
	// looking: nothing is sent, so that nobody is asked what the user would be asked before that.
	looking bool
	ask     func(ctx context.Context, q event.Question) (bool, error) // whether the first of two choices was taken
	put     func(ctx context.Context, q event.Question) (event.Answer, error)
	fetch   FetchPage // nil fetches nothing
	pages   *pages    // of this session
	tell    func(e event.Event)
	// draft is told what a reply that still comes has changed so far; nil tells nobody.
	draft func(changes []edits.Change)
	// inTime watches over a call that may take only so long: it calls end then. late waits until ctx has ended,
	// and says whether that was why; nil watches over nothing.
	inTime func(ctx context.Context, end func()) (late func() bool)

	answers   *consents                               // of this session
	detect    func(ctx context.Context) []verify.Tool // what the folder shows to use; nil is not looked at
	shadow    *verify.Shadow
	baselines *verify.Baselines // of this turn; nil when no turn runs
	checks    []verify.Check
	consent   verify.Consent
}

// outside joins a session's own with a turn's ports. turn is its id; "" when no turn runs.
func (s *Session) outside(turn string, asker event.Asker, tell func(event.Event)) outside {
	around := s.e.around()
	around.Today = s.e.o.Clock()
	put := func(ctx context.Context, q event.Question) (event.Answer, error) {
		id, err := id.New(s.e.o.Random, "q")
		if err != nil {
			return event.Answer{}, err
		}
		q.ID, q.Turn = id, turn
		return asker.Ask(ctx, q)
	}
	o := outside{
		put: put, fetch: s.e.o.Fetch, pages: &s.pages, around: around, inGit: s.inGit, manual: s.e.manual, own: s.e.o.OwnRules, answers: &s.commands, detect: s.detected,
		door: s.ws.Door(), maps: s.maps, tell: tell, checks: s.e.o.Checks,
		ask: func(ctx context.Context, q event.Question) (bool, error) {
			q.Default = q.Choices[1] // the default never sends and never writes
			a, err := put(ctx, q)
			return a.Choice == q.Choices[0], err
		},
	}
	o.shadow = s.e.o.Shadow
	o.consent = s.commands.consent(func(ctx context.Context, q event.Question) (event.Answer, error) {
		q.Default = q.Choices[1]
		return put(ctx, q)
	})
	return o
}
