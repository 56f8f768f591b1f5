package agent

import (
	"context"
	"errors"
	"fmt"

	"coauthor/agent/codereview"
	"coauthor/agent/commit"
	"coauthor/agent/vcs"
)

// Diff gives what changed since a commit, a branch or another name that git knows. "" is since before the last turn:
// its commit is in it, where it became one, and else what is not committed. New files are in it.
func (s *Session) Diff(ctx context.Context, base string) (codereview.Changes, error) {
	release, err := s.Life.Hold()
	if err != nil {
		return codereview.Changes{}, err
	}
	defer release()
	c, err := s.since(ctx, base)
	if err != nil {
		return c, err
	}
	err = s.compare(ctx, &c, 3, false)
	return c, err
}

// since finds the commit to compare with.
func (s *Session) since(ctx context.Context, base string) (codereview.Changes, error) {
	root := s.Workspace.Root()
	if root == "" {
		return codereview.Changes{}, errors.New("nothing to compare because no folder is open; open a file in a git repository")
	}
	place, err := vcs.Where(ctx, root)
	if errors.Is(err, vcs.ErrNotGit) {
		err = commit.NotGit(root)
	}
	if err != nil {
		return codereview.Changes{}, err
	}
	if base == "" {
		return s.sinceTurn(ctx, place.Head)
	}
	hash, ok, err := vcs.CommitOf(ctx, root, base)
	if err == nil && !ok {
		err = fmt.Errorf("no commit or branch named %q; to list branches, run git branch --all", base)
	}
	return codereview.Changes{Base: hash, About: "Changes since " + base}, err
}

// sinceTurn goes back before the commit of the last turn, where that is the last commit.
func (s *Session) sinceTurn(ctx context.Context, head string) (codereview.Changes, error) {
	if head == "" {
		return codereview.Changes{About: "All files, because there are no commits yet"}, nil
	}
	if s.Commits.OfTurn(head) {
		parent, err := vcs.Parent(ctx, s.Workspace.Root(), head)
		return codereview.Changes{Base: parent, About: "Changes since the last request started, from commit " + commit.Short(head)}, err
	}
	return codereview.Changes{Base: head, About: "Changes since the last commit, " + commit.Short(head)}, nil
}

// compare fills in what is different, with so many lines around each place. With send, what may not leave the machine is left out.
func (s *Session) compare(ctx context.Context, c *codereview.Changes, around int, send bool) error {
	d, err := vcs.OpenDiff(ctx, s.Workspace.Root(), c.Base)
	if err != nil {
		return err
	}
	defer func() {
		if err := d.Close(); err != nil {
			s.Engine.o.Log.Warn("could not remove the temporary files of a comparison", "error", err)
		}
	}()
	if c.Files, err = d.Paths(ctx); err != nil {
		return err
	}
	if send {
		c.Hidden = s.Workspace.Door().Withheld(ctx, c.Files)
	}
	c.Text, err = d.Text(ctx, c.Hidden, around)
	return err
}
