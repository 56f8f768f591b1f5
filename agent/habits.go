package agent

import (
	"context"
	"slices"
	"strings"

	"coauthor/agent/verify"
)

// mostTold is how many linters, and how many commands that test, a prompt names at most.
const mostTold = 4

// habits has the prompt say how the user works here: whether with git, and with which linters and tests. Those are what the
// user has set, or has taken of what was offered.
func (g *gathering) habits(ctx context.Context) {
	set := CheckSettings(g.c.Settings)
	around := &g.c.Around
	around.Git = g.d.maps != nil && g.d.maps.InGit(ctx)
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
