package agent

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"coauthor/agent/aicomment"
	"coauthor/agent/coder"
	"coauthor/agent/custom"
	"coauthor/agent/proposal"
)

// Resolved says who answers a request: custom commands and slash words are read, and the coder is known. Session.Resolve
// makes it, and so do Review, Fix and DoComments; Session.Start takes it.
type Resolved struct {
	Asked   Request     // as it was made
	Request Request     // as the turn is given it
	Coder   coder.Coder // that it begins with
	// Switch: it is a coder's word alone. No turn begins, and the coder is the session's from now on.
	Switch bool

	before *turn              // that it follows up; nil for none
	marked []aicomment.Marked // the comments that it is for: no other turn begins for them unless this one fails
	fixes  string             // the turn whose new problems it fixes without having been asked; "" for none
}

// Proposes says whether the answer may hold edits.
func (r Resolved) Proposes() bool { return r.Request.Job == nil && r.Coder.Proposes() }

// Resolve says who answers a request. An instruction that begins with a custom command is what that says. One that begins with
// a coder's slash command is that coder's; with nothing behind it only the coder is switched to. It fails for a command that
// cannot be used here, an unknown coder, and a turn to follow up that is unknown.
func (s *Session) Resolve(r Request) (Resolved, error) {
	asked := r
	alone := false
	if r, own, err := expandCustom(s.Life.Context, s.Engine.CustomCommands(s.Workspace, s.Settings()), r); err != nil {
		return Resolved{}, err
	} else if own { // what it says is an instruction, whatever it begins with
		return s.resolved(asked, r)
	}
	if name, rest, ok := s.Engine.o.Coders.Slash(r.Instruction); ok && r.again == "" && r.Job == nil {
		r.Coder, r.Instruction = name, rest
		alone = rest == "" && len(r.Diagnostics) == 0
	}
	resolved, err := s.resolved(asked, r)
	resolved.Switch = alone
	return resolved, err
}

// expandCustom makes the request that a custom command stands for; own is false for every other one.
func expandCustom(ctx context.Context, commands custom.Sources, r Request) (out Request, own bool, err error) {
	if r.Given != "" || r.again != "" || r.Job != nil {
		return r, false, nil
	}
	c, ok, err := commands.Find(ctx, r.Instruction)
	if err != nil || !ok {
		return r, false, err
	}
	if c.NeedsSelection && (r.Target == nil || r.Target.Start == r.Target.End) {
		return r, false, fmt.Errorf("/%s needs a selection; select some code and run it again", c.Name)
	}
	r.Label, r.Model = cmp.Or(r.Label, proposal.Label(strings.TrimSpace(r.Instruction))), cmp.Or(r.Model, c.Model)
	if r.Coder == "" || r.Coder == coder.Default { // who asks for another one, such as ask, means it
		r.Coder = cmp.Or(c.Coder, r.Coder)
	}
	r.Instruction = c.Instruction
	return r, true, nil
}

// resolved finds the coder that a request begins with, and the turn that it follows up.
func (s *Session) resolved(asked, r Request) (Resolved, error) {
	found := Resolved{Asked: asked, Request: r}
	name := r.Coder
	if r.FollowUp != "" {
		if found.before = s.Turns.find(r.FollowUp); found.before == nil {
			return Resolved{}, fmt.Errorf("request %s not found; start a new one", r.FollowUp)
		}
		if found.before.resolved.Request.Job == nil {
			name = cmp.Or(name, found.before.resolved.Coder.Name)
		}
	}
	if r.Job != nil {
		found.Coder = r.Job.coder()
		return found, nil
	}
	offered := s.Engine.o.Coders.Offered()
	if r.Changes != nil {
		offered, name = s.Engine.o.Coders, coder.Review
	}
	var err error
	found.Coder, err = offered.ByName(cmp.Or(name, s.Settings().Coder))
	return found, err
}
