package agent

import (
	"context"

	"coauthor/agent/coder"
	"coauthor/agent/llm"
	"coauthor/agent/mapper"
	"coauthor/agent/model"
	"coauthor/agent/strategy"
)

// What shows a map or a prompt without sending anything: the same stages as in a turn, as far as they go.

// MapOptions say how to draw a map to look at.
type MapOptions struct {
	Tokens int  // 0: as a turn would have it
	Redraw bool // whatever the setting repoMap.refresh says, and what is drawn is what turns keep then
}

// Map returns the map that a turn for this request would get now, and its budget. Neither a model nor an
// instruction is needed.
func (s *Session) Map(ctx context.Context, r Request, p Ports, o MapOptions) (m RepoMap, budget int, err error) {
	ask, err := s.Engine.o.Coders.ByName("ask")
	if err != nil {
		return m, 0, err
	}
	set := s.Settings()
	by, err := strategy.Choose(s.Engine.o.Catalog(), set, r.wanted(), ask, coder.HandOver{})
	if err != nil { // no model is set up yet, which is no reason to show nothing
		by = strategy.Strategy{Coder: ask, Model: strategy.NewModel(model.Profile{}, llm.RoleMain)}
	}
	r, from := s.starting(ctx, r, p, ask, nil)
	if r.Target != nil && !maySend(ctx, s.Workspace.Door(), r.Target.Path) {
		r.Target = nil // such as the document in which the last map is shown
	}
	from.view = mapView{use: mapper.Show, tokens: o.Tokens}
	if o.Redraw {
		from.view.use = mapper.Anew
	}
	c, err := gather(ctx, s.gatherDeps(nil), r, from.start, set, by)
	if err != nil {
		return m, 0, err
	}
	return c.Map.RepoMap, c.Map.Budget, c.Map.Err
}

// Prompt returns what the first call of a turn for this request would send now, and to which model.
// Nobody is asked, and an instruction is not needed: what needs a consent is left out and named.
func (s *Session) Prompt(ctx context.Context, r Request, p Ports) (Prompt, error) {
	resolved, err := s.resolved(r, r)
	if err != nil {
		return Prompt{}, err
	}
	row := resolved.Coder
	set := s.Settings()
	s.Workspace.Renew()
	by, err := strategy.Choose(s.Engine.o.Catalog(), set, r.wanted(), row, coder.HandOver{})
	if err != nil {
		return Prompt{}, err
	}
	if err := s.Conversation.Restore(ctx); err != nil {
		return Prompt{}, err
	}
	r, from := s.starting(ctx, r, p, row, resolved.before)
	from.view.use = mapper.Show
	c, err := gather(ctx, s.gatherDeps(nil), r, from.start, set, by)
	if err != nil {
		return Prompt{}, err
	}
	shown, err := assemble(c, saidBefore(s.Conversation.History, ""), nil)
	if err == nil && set.RedactSecrets {
		shown.Messages, _ = s.Engine.hidden.Hide(shown.Messages) // as a turn sends them
	}
	shown.Messages = llm.Prefixed(shown.Model.Profile, shown.Messages)
	return shown, err
}
