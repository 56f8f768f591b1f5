package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/index"
	"coauthor/agent/verify"
)

// What commands see of a session.

// ConsentBy returns how an asker is asked whether a command may run.
func (s *Session) ConsentBy(ask event.Asker) verify.Consent {
	return consentBy(s.Consent, s.Engine.puts("", ask))
}

// MostAdded is how many files one name may stand for. Nobody means more, and a glob that matches half of the repository was not
// meant.
const MostAdded = 200

// IsGlob says whether a name is a pattern of names.
func IsGlob(name string) bool { return strings.ContainsAny(name, "*?[{") }

// Files lists the files of the root that git would show and that may be sent.
func (s *Session) Files(ctx context.Context) ([]string, error) {
	if s.Workspace.Root() == "" {
		return nil, nil
	}
	var list []string
	var err error
	if stopped := await(ctx, func() { list, err = index.Files(ctx, s.Workspace.Root()) }); stopped != nil {
		return nil, stopped
	}
	if err != nil {
		return nil, fmt.Errorf("cannot list the files in %s: %w", s.Workspace.Root(), err)
	}
	allows := s.Workspace.Door().Lister(ctx)
	return slices.DeleteFunc(list, func(f string) bool { return !allows(f) }), nil
}
