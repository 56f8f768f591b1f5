package commit

import (
	"context"
	"fmt"

	"coauthor/agent/vcs"
)

// amend makes a prepared commit the one that takes the place of the last one, where that may be, and returns what is known
// of it. Whoever has the last commit from elsewhere would not get the new one, so the user agrees to that, or nothing is done.
func (k *Committer) amend(ctx context.Context, staged *vcs.Staged, r Request) (said, error) {
	root := k.ws.Root()
	head, err := vcs.Head(ctx, root)
	if err != nil {
		return said{}, err
	}
	if head == "" {
		return said{}, &vcs.Refused{Text: "There is no commit to amend yet."}
	}
	last, err := vcs.Describe(ctx, root, head)
	if err != nil {
		return said{}, err
	}
	name := fmt.Sprintf("The last commit, %s (%s),", Short(head), last.Subject)
	switch {
	case last.Cut:
		return said{}, &vcs.Refused{Text: name + " is the oldest one of this shallow clone. Amend it with git commit --amend."}
	case last.Merge && r.Message == "":
		return said{}, &vcs.Refused{Text: name + " is a merge commit. Add -m with its message to amend it."}
	}
	shared, err := vcs.Shared(ctx, root, head)
	if err != nil {
		return said{}, err
	}
	if shared {
		name += " has been pushed. Amending it replaces it by another commit, which does not reach those who have it."
		if r.Replace == nil {
			return said{}, &vcs.Refused{Text: name + " Nothing was amended; use git commit --amend if that is what you want."}
		}
		if yes, err := r.Replace(ctx, name); err != nil {
			return said{}, err
		} else if !yes {
			return said{}, ErrNotAgreed
		}
	}
	staged.Amend(last.Parent)
	if files, err := staged.Files(ctx); err != nil {
		return said{}, err
	} else if len(files) == 0 {
		return said{}, &vcs.Refused{Text: "Amended, the last commit would change nothing, so it was left as it is. Use git commit --amend --allow-empty."}
	}
	return said{kept: last.Message + "\n"}, nil
}
