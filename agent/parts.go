package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/index"
	"coauthor/agent/settings"
	"coauthor/agent/verify"
	"coauthor/agent/web"
	"coauthor/agent/workspace"
)

// What commands see of a session.

// Workspace returns the folder of the session.
func (s *Session) Workspace() *workspace.Workspace { return s.ws }

// Settings returns the settings in force at this moment.
func (s *Session) Settings() settings.Settings { return s.settings() }

// Options returns what the session's engine is made of.
func (s *Session) Options() Options { return s.e.o }

// While returns ctx, ended by the end of the session too, for a program that neither of them outlives. stop releases it.
func (s *Session) While(ctx context.Context) (while context.Context, stop context.CancelFunc) {
	while, cancel := context.WithCancel(s.life.ctx)
	after := context.AfterFunc(ctx, cancel)
	return while, func() { after(); cancel() }
}

// Hold keeps the session from ending until release, or says why it has ended.
func (s *Session) Hold() (release func(), err error) { return s.life.hold() }

// LastEnded returns the turn that ended last; "" for none.
func (s *Session) LastEnded() string {
	if last, _, _, _ := s.queue.lastEnded(); last != nil {
		return last.id
	}
	return ""
}

// ConsentBy returns how an asker is asked whether a command may run.
func (s *Session) ConsentBy(ask event.Asker) verify.Consent {
	return consentBy(s.Consent, s.e.puts("", ask))
}

// Pages returns the pages of the web that were fetched.
func (s *Session) Pages() *web.Pages { return s.chosen.pages }

// AddPages has the model shown pages that were fetched, from now on. The last ones stay.
func (s *Session) AddPages(urls []string) { s.chosen.addPages(urls) }

// MostAdded is how many files one name may stand for. Nobody means more, and a glob that matches half of the repository was not
// meant.
const MostAdded = 200

// IsGlob says whether a name is a pattern of names.
func IsGlob(name string) bool { return strings.ContainsAny(name, "*?[{") }

// Files lists the files of the root that git would show and that may be sent.
func (s *Session) Files(ctx context.Context) ([]string, error) {
	if s.ws.Root() == "" {
		return nil, nil
	}
	var list []string
	var err error
	if stopped := await(ctx, func() { list, err = index.Files(ctx, s.ws.Root()) }); stopped != nil {
		return nil, stopped
	}
	if err != nil {
		return nil, fmt.Errorf("cannot list the files in %s: %w", s.ws.Root(), err)
	}
	allows := s.ws.Door().Lister(ctx)
	return slices.DeleteFunc(list, func(f string) bool { return !allows(f) }), nil
}
