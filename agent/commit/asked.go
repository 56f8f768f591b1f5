package commit

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"coauthor/agent/proposal"
	"coauthor/agent/vcs"
	"coauthor/edits"
)

// A commit that the user asks for may hold what turns have made. What was asked in them says more of why than the diff, but
// only where their changes are in the commit for certain: by its texts, and not by names of files or by time.

// mostTurns is of how many turns at most a commit says what was asked, the newest first.
const mostTurns = 10

// saidOf is what was asked in the turns whose changes are in a prepared commit; nothing where no turn made any of it.
func (k *Committer) saidOf(ctx context.Context, staged *vcs.Staged, files []vcs.StagedFile) said {
	made, err := k.proposals.Sent.Made(ctx)
	if err != nil {
		k.o.Log.Warn("could not find out which requests made the changes of a commit", "error", err)
	}
	c := commitTexts{staged: staged, files: map[string]vcs.StagedFile{}, known: map[string]texts{}}
	for _, f := range files {
		c.files[f.Path] = f
	}
	var turns, asked []string
	for _, m := range made {
		turn := proposal.TurnOf(m.Turn)
		if len(turns) == mostTurns || ctx.Err() != nil {
			break
		}
		if slices.Contains(turns, turn) || !slices.ContainsFunc(m.Changes, func(change edits.Change) bool { return c.hold(ctx, k.tree, change) }) {
			continue
		}
		words, _, _ := k.o.Said(turn)
		turns = append(turns, turn)
		asked = append(asked, strings.TrimSpace(cmp.Or(words, m.Label)))
	}
	slices.Reverse(asked)
	return said{asked: strings.Join(asked, "\n\n")}
}

// commitTexts are the texts of a prepared commit. Each file is read once.
type commitTexts struct {
	staged *vcs.Staged
	files  map[string]vcs.StagedFile
	known  map[string]texts
}

// texts are the lines of a file before a commit and in it: how often each stands there.
type texts struct{ before, now map[string]int }

// of gives the lines of a file; false for one that the commit does not change, or that cannot be read.
func (c commitTexts) of(ctx context.Context, path string) (texts, bool) {
	f, ok := c.files[path]
	if !ok {
		return texts{}, false
	}
	if known, ok := c.known[path]; ok {
		return known, true
	}
	before, now, err := c.staged.Texts(ctx, f)
	if err != nil {
		return texts{}, false
	}
	c.known[path] = texts{linesIn(before), linesIn(now)}
	return c.known[path], true
}

// hold says whether a change is in the commit: more than half of the lines that it brought or took away are new or gone there.
func (c commitTexts) hold(ctx context.Context, t tree, change edits.Change) bool {
	from, to := t.realPath(ctx, change.Path), t.realPath(ctx, newName(change))
	was, ok := c.of(ctx, from)
	is, there := c.of(ctx, to)
	if !ok || !there {
		return false
	}
	before, after := linesIn(change.Before), linesIn(change.After)
	switch change.Op {
	case edits.OpCreate:
		before = nil
	case edits.OpDelete:
		after = nil
	case edits.OpRename:
		if !c.files[from].Gone || !c.files[to].New {
			return false
		}
	case edits.OpUpdate:
	}
	held, all := 0, 0
	see := func(line string) {
		b, a := before[line], after[line]
		switch {
		case a == b:
			return
		case a > b && was.before[line] <= b && is.now[line] >= a, a < b && was.before[line] >= b && is.now[line] <= a:
			held++
		}
		all++
	}
	for line := range before {
		see(line)
	}
	for line := range after {
		if before[line] == 0 {
			see(line)
		}
	}
	if all == 0 { // it is about the file alone
		return change.Op == edits.OpRename || change.Op == edits.OpCreate && c.files[to].New || change.Op == edits.OpDelete && c.files[from].Gone
	}
	return 2*held > all
}

// linesIn counts the lines of a text that have something on them.
func linesIn(text string) map[string]int {
	n := map[string]int{}
	for line := range strings.Lines(lineForm(text)) {
		if line = strings.TrimRight(line, " \t\n"); line != "" {
			n[line]++
		}
	}
	return n
}
