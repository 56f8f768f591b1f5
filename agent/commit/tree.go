package commit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"coauthor/agent/vcs"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// tree is the work tree of a root, as what is committed of it needs it.
type tree struct {
	ws  *workspace.Workspace
	log *slog.Logger
}

// stage begins a commit.
func (t tree) stage(ctx context.Context) (*vcs.Staged, error) {
	if t.ws.Root() == "" {
		return nil, errors.New("nothing to commit because no folder is open; open a file in a git repository")
	}
	staged, err := vcs.Stage(ctx, t.ws.Root(), mergeTexts)
	if errors.Is(err, vcs.ErrNotGit) {
		return nil, NotGit(t.ws.Root())
	}
	return staged, err
}

// stageNothing begins a commit that holds nothing yet: what the user has staged stays theirs.
func (t tree) stageNothing(ctx context.Context) (*vcs.Staged, error) {
	staged, err := vcs.Stage(ctx, t.ws.Root(), mergeTexts)
	if err != nil {
		return nil, err
	}
	if err := staged.Unstage(ctx); err != nil {
		t.unstage(staged)
		return nil, err
	}
	return staged, nil
}

func (t tree) unstage(staged *vcs.Staged) {
	if err := staged.Close(); err != nil {
		t.log.Warn("could not remove the temporary folder of a commit", "error", err)
	}
}

// NotGit says that a root is in no git repository.
func NotGit(root string) error {
	return fmt.Errorf("%s is not in a git repository or git is not installed; install git or run git init", root)
}

// mergeTexts is vcs.Merge by our own merge.
func mergeTexts(base, ours, theirs string) (string, bool) {
	merged, conflicts := edits.Merge(base, ours, theirs)
	return merged, len(conflicts) == 0
}

// unsaved are those of the files that are open with changes that are not on disk.
func (t tree) unsaved(ctx context.Context, paths []string) []string {
	var list []string
	for _, doc := range t.ws.Snapshot().Open() {
		if !slices.Contains(paths, doc.Path) {
			continue
		}
		if onDisk, err := t.ws.Door().DiskText(ctx, doc.Path); err == nil && onDisk != doc.Text {
			list = append(list, doc.Path)
		}
	}
	return list
}

// realPath is where a file lies that a symbolic link names.
func (t tree) realPath(ctx context.Context, path string) string {
	if d := t.ws.Door().Check(ctx, path, "read"); d.Target != "" {
		return d.Target
	}
	return path
}

// notInGit says whether a changed file is none of the repository's: git ignores it, or another repository has it.
func (t tree) notInGit(ctx context.Context, staged *vcs.Staged, c edits.Change) (skip bool, other string, err error) {
	name := newName(c)
	if other, err = staged.Elsewhere(ctx, t.realPath(ctx, name)); err != nil || other != "" {
		return true, other, err // of which git says not even whether it is ignored
	}
	ignored, err := vcs.CheckIgnore(ctx, t.ws.Root(), []string{name})
	return ignored[name] && c.Op != edits.OpRename, "", err
}

// contents are the files of a commit that hold one change and nothing else.
func (t tree) contents(ctx context.Context, staged *vcs.Staged, c edits.Change) ([]vcs.Content, error) {
	from, to := t.realPath(ctx, c.Path), t.realPath(ctx, c.Path)
	var list []vcs.Content
	switch c.Op {
	case edits.OpDelete:
		return []vcs.Content{{Path: from, Gone: true}}, nil
	case edits.OpRename:
		to = t.realPath(ctx, c.To)
		list = append(list, vcs.Content{Path: from, Gone: true})
	case edits.OpCreate, edits.OpUpdate:
	}
	raw, err := t.ws.Door().Bytes(ctx, to)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", to, err)
	}
	if c.Op == edits.OpCreate {
		return append(list, vcs.Content{Path: to, Text: string(raw)}), nil
	}
	text, ok, err := savedText(c, raw)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, &vcs.Refused{Text: to + " is not UTF-8, so its change cannot be separated from yours. Commit it with git."}
	}
	same, err := staged.Unchanged(ctx, from, c.Before)
	if err != nil {
		return nil, err
	}
	if same {
		if lineForm(text) == lineForm(string(raw)) {
			text = string(raw) // what else the editor did when it saved is no change of anybody's
		}
		return append(list, vcs.Content{Path: to, Text: text}), nil
	}
	head, tracked, err := staged.Committed(ctx, from)
	switch {
	case err != nil:
		return nil, err
	case !tracked:
		return nil, &vcs.Refused{Text: from + " was not in git before the change, so the change cannot be committed separately. Commit the file with git, or set git.mode to commitAll."}
	}
	before, now := lineForm(c.Before), lineForm(string(raw))
	if text, err = edits.ApplyHunks(before, ofChange(before, lineForm(c.After), now)); err != nil {
		return nil, err
	}
	merged, clean := mergeTexts(before, lineForm(head), text)
	switch {
	case !clean:
		return nil, &vcs.Refused{Text: "The change to " + from + " builds on your uncommitted changes, so nothing was committed. Commit your changes with git, or set git.mode to commitAll."}
	case merged == now:
		return append(list, vcs.Content{Path: to, Text: string(raw)}), nil // all that differs is the turn's
	}
	return append(list, vcs.Content{Path: to, Text: inFormOf(head, merged)}), nil
}

// newName is the name that a file has after a change.
func newName(c edits.Change) string {
	if c.Op == edits.OpRename {
		return c.To
	}
	return c.Path
}
