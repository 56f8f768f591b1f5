package agent

import (
	"context"
	"errors"
	"fmt"

	"coauthor/agent/vcs"
)

// Changes are what the work tree has different from a commit.
type Changes struct {
	Base  string   `json:"base"`  // the commit; "" before the first one
	About string   `json:"about"` // what they are, in words
	Files []string `json:"files"` // relative to the root
	Text  string   `json:"text"`  // as git diff writes it
	// Hidden are those of the files whose content is not in Text.
	Hidden []string `json:"hidden,omitempty"`
}

// Diff gives what changed since a commit, a branch or another name that git knows. "" is since before the last turn:
// its commit is in it, where it became one, and else what is not committed. New files are in it.
func (s *Session) Diff(ctx context.Context, base string) (Changes, error) {
	if err := s.enter(); err != nil {
		return Changes{}, err
	}
	defer s.leave()
	c, err := s.since(ctx, base)
	if err != nil {
		return c, err
	}
	err = s.compare(ctx, &c, 3, false)
	return c, err
}

// since finds the commit to compare with.
func (s *Session) since(ctx context.Context, base string) (Changes, error) {
	root := s.ws.Root()
	if root == "" {
		return Changes{}, errors.New("no folder is open, so there is nothing to compare; open a file of a git repository")
	}
	place, err := vcs.Where(ctx, root)
	if errors.Is(err, vcs.ErrNotGit) {
		err = notGit(root)
	}
	if err != nil {
		return Changes{}, err
	}
	if base == "" {
		return s.sinceTurn(ctx, place.Head)
	}
	hash, ok, err := vcs.CommitOf(ctx, root, base)
	if err == nil && !ok {
		err = fmt.Errorf("there is no commit or branch %q; list the branches with git branch --all", base)
	}
	return Changes{Base: hash, About: "Changes since " + base}, err
}

// sinceTurn goes back before the commit of the last turn, where that is the last commit.
func (s *Session) sinceTurn(ctx context.Context, head string) (Changes, error) {
	if head == "" {
		return Changes{About: "All files; there is no commit yet"}, nil
	}
	if kind, ours := s.committer.own.kind(head); ours && kind == commitOfTurn {
		parent, err := vcs.Parent(ctx, s.ws.Root(), head)
		return Changes{Base: parent, About: "Changes since before the last request, commit " + short(head)}, err
	}
	return Changes{Base: head, About: "Changes since the last commit, " + short(head)}, nil
}

// compare fills in what is different, with so many lines around each place. With send, what may not leave the machine is left out.
func (s *Session) compare(ctx context.Context, c *Changes, around int, send bool) error {
	d, err := vcs.OpenDiff(ctx, s.ws.Root(), c.Base)
	if err != nil {
		return err
	}
	defer func() {
		if err := d.Close(); err != nil {
			s.e.o.Log.Warn("remove what a comparison needed", "error", err)
		}
	}()
	if c.Files, err = d.Paths(ctx); err != nil {
		return err
	}
	if send {
		c.Hidden = s.ws.Door().Withheld(ctx, c.Files)
	}
	c.Text, err = d.Text(ctx, c.Hidden, around)
	return err
}
