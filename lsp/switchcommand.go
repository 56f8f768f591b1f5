package lsp

import (
	"cmp"
	"context"
	"slices"

	"go.lsp.dev/protocol"

	"coauthor/agent"
)

// cmdSwitch changes what the session uses, and tells once what is in force.
func (s *server) cmdSwitch(_ context.Context, c *commandCall) (any, error) {
	r := c.target.root
	choice := r.session.Chosen()
	if c.args.Reset {
		choice = agent.Choice{}
	}
	if err := s.choose(&choice, r, &c.args); err != nil {
		return nil, err
	}
	now, err := r.session.Choose(choice)
	if err != nil {
		return nil, err
	}
	s.updateHeads(r)
	s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: Now using: "+now.String()+".")
	return now.Report(), nil
}

// choose puts what the arguments name into a choice.
func (s *server) choose(choice *agent.Choice, r *rootState, a *arguments) error {
	choice.Coder, choice.Format = cmp.Or(a.Coder, choice.Coder), cmp.Or(a.Format, choice.Format)
	choice.Model = cmp.Or(a.Model, choice.Model)
	choice.WeakModel, choice.EditorModel = cmp.Or(a.WeakModel, choice.WeakModel), cmp.Or(a.EditorModel, choice.EditorModel)
	if a.MapTokens != nil {
		choice.MapTokens = a.MapTokens
	}
	for _, one := range []struct {
		list  *[]string
		named names
	}{{&choice.Files, a.Files}, {&choice.ReadOnly, a.ReadOnly}} {
		paths, err := s.roots.pathsIn(r, one.named)
		if err != nil {
			return err
		}
		for _, path := range paths {
			if !slices.Contains(*one.list, path) {
				*one.list = append(*one.list, path)
			}
		}
	}
	dropped, err := s.roots.pathsIn(r, a.Drop)
	gone := func(path string) bool { return slices.Contains(dropped, path) }
	choice.Files, choice.ReadOnly = slices.DeleteFunc(choice.Files, gone), slices.DeleteFunc(choice.ReadOnly, gone)
	return err
}
