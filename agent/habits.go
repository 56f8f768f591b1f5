package agent

import (
	"context"
	"slices"
	"strings"

	"coauthor/agent/vcs"
	"coauthor/agent/verify"
)

// mostTold is how many linters, and how many commands that test, a prompt names at most.
const mostTold = 4

// habits has the prompt say how the user works here: whether with git, and with which linters and tests. Those are what the
// user has set, or has taken of what was offered.
func (g *gathering) habits(ctx context.Context) {
	set := checkSettings(g.c.Settings)
	around := &g.c.Around
	around.Git = g.d.inGit != nil && g.d.inGit(ctx)
	var lint, tests, alone []string
	for _, t := range slices.Concat(set.Tools, g.d.taken.of(ctx, set)) {
		name := t.Spoken()
		list, runs := &lint, set.Level == verify.Lint || set.Level == verify.Full
		if t.Tests {
			list, runs = &tests, set.Level == verify.Full
		}
		if name == "" || len(*list) == mostTold {
			continue
		}
		name = "`" + name + "`"
		*list = append(*list, name)
		if runs && g.d.sandbox != nil {
			alone = append(alone, name)
		}
	}
	around.Lint, around.Tests, around.Alone = allOf(lint), allOf(tests), allOf(alone)
}

// allOf lists words in a sentence.
func allOf(list []string) string {
	if n := len(list) - 1; n > 0 {
		return strings.Join(list[:n], ", ") + " and " + list[n]
	}
	return strings.Join(list, "")
}

// inGit says whether the root is in a git work tree. It is looked up once.
func (s *Session) inGit(ctx context.Context) bool {
	s.mu.Lock()
	known := s.git
	s.mu.Unlock()
	if known == nil {
		if s.ws.Root() == "" {
			return false
		}
		_, in := vcs.Root(ctx, s.ws.Root())
		if ctx.Err() != nil {
			return false
		}
		known = &in
		s.mu.Lock()
		s.git = known
		s.mu.Unlock()
	}
	return *known
}
