package commit

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"coauthor/agent/codereview"
	"coauthor/agent/vcs"
)

// Diff gives what changed since a commit, a branch or another name that git knows. "" is since before the last turn:
// its commit is in it, where it became one, and else what is not committed. New files are in it.
func (k *Committer) Diff(ctx context.Context, base string) (codereview.Changes, error) {
	release, err := k.o.Hold()
	if err != nil {
		return codereview.Changes{}, err
	}
	defer release()
	c, err := k.tree.since(ctx, base, k.committer.own)
	if err != nil {
		return c, err
	}
	err = k.tree.compare(ctx, &c, 3, false)
	return c, err
}

// reviewContext is how many lines around each changed place the model sees.
const reviewContext = 10

// mostMessages is how many commits of a branch say what they are for.
const mostMessages = 50

// UnderReview gives the changes that a model is to look at, without what may not be sent: those that are not committed, or for a
// base those of the branch that is checked out since it parted from it, with what is not committed.
func (k *Committer) UnderReview(ctx context.Context, base string) (codereview.Changes, error) {
	release, err := k.o.Hold()
	if err != nil {
		return codereview.Changes{}, err
	}
	defer release()
	given := base
	if base == "" {
		base = "HEAD"
	}
	c, err := k.tree.since(ctx, base, k.committer.own)
	if given == "" && err != nil && ctx.Err() == nil { // there may be no commit yet
		place, where := vcs.Where(ctx, k.ws.Root())
		if where != nil || place.Head != "" {
			return c, err
		}
		c, err = codereview.Changes{}, nil
	}
	if err != nil {
		return c, err
	}
	c.About = "Uncommitted changes"
	if given != "" {
		c.About = "Changes since " + given
		forked, err := vcs.Forked(ctx, k.ws.Root(), c.Base, "HEAD")
		if err != nil {
			return c, err
		}
		if forked != "" {
			c.Base = forked
		}
		messages, err := vcs.Messages(ctx, k.ws.Root(), c.Base, mostMessages)
		if err != nil {
			return c, err
		}
		c.Commits = strings.Join(messages, "\n\n")
	}
	err = k.tree.compare(ctx, &c, reviewContext, true)
	return c, err
}

// since finds the commit to compare with.
func (t tree) since(ctx context.Context, base string, own *ownCommits) (codereview.Changes, error) {
	root := t.ws.Root()
	if root == "" {
		return codereview.Changes{}, errors.New("nothing to compare because no folder is open; open a file in a git repository")
	}
	place, err := vcs.Where(ctx, root)
	if errors.Is(err, vcs.ErrNotGit) {
		err = NotGit(root)
	}
	if err != nil {
		return codereview.Changes{}, err
	}
	if base == "" {
		return t.sinceTurn(ctx, place.Head, own)
	}
	hash, ok, err := vcs.CommitOf(ctx, root, base)
	if err == nil && !ok {
		err = fmt.Errorf("no commit or branch named %q; to list branches, run git branch --all", base)
	}
	return codereview.Changes{Base: hash, About: "Changes since " + base}, err
}

// sinceTurn goes back before the commit of the last turn, where that is the last
func (t tree) sinceTurn(ctx context.Context, head string, own *ownCommits) (codereview.Changes, error) {
	if head == "" {
		return codereview.Changes{About: "All files, because there are no commits yet"}, nil
	}
	if own.ofTurn(head) {
		parent, err := vcs.Parent(ctx, t.ws.Root(), head)
		return codereview.Changes{Base: parent, About: "Changes since the last request started, from commit " + Short(head)}, err
	}
	return codereview.Changes{Base: head, About: "Changes since the last commit, " + Short(head)}, nil
}

// compare fills in what is different, with so many lines around each place. With send, what may not leave the machine is left out.
func (t tree) compare(ctx context.Context, c *codereview.Changes, around int, send bool) error {
	d, err := vcs.OpenDiff(ctx, t.ws.Root(), c.Base)
	if err != nil {
		return err
	}
	defer func() {
		if err := d.Close(); err != nil {
			t.log.Warn("could not remove the temporary files of a comparison", "error", err)
		}
	}()
	if c.Files, err = d.Paths(ctx); err != nil {
		return err
	}
	if send {
		c.Hidden = t.ws.Door().Withheld(ctx, c.Files)
	}
	c.Text, err = d.Text(ctx, c.Hidden, around)
	return err
}
