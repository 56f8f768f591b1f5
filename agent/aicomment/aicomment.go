// Package aicomment knows the comments that are marked with AI!, AI? or AI: which there are, for which of them a turn has
// begun, which the user wrote in an editor, and which a turn has left where they were to be taken out.
//
// It makes no request and starts no turn. Start at Tracker.
package aicomment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/index"
	"coauthor/agent/mention"
	"coauthor/agent/vcs"
	"coauthor/agent/verify"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/repomap/syntax"
)

// Options are what a Tracker is made of.
type Options struct {
	Workspace *workspace.Workspace
	// Hold has the end of the folder wait for a look at its files, until it is released.
	Hold func() (release func(), err error)
}

// Tracker knows the marked comments of one workspace root. It is safe for concurrent use.
type Tracker struct {
	o       Options
	ws      *workspace.Workspace
	taken   takenComments
	written writtenComments
}

// New returns a Tracker that has seen no comment.
func New(o Options) *Tracker { return &Tracker{o: o, ws: o.Workspace} }

// Place says whose comments a turn is for.
type Place struct {
	Path string // "" is the whole folder
	// First and Last are lines, from 0: then one comment is meant that meets them, and the hints. With Last before First
	// it is the file, and comments elsewhere that are as new count as well.
	First, Last int
	// Saved: the file was saved, and nobody asked for a turn. One comment starts one turn, until it is changed, and only
	// one that the user wrote in an editor; see Tracker.Wrote.
	Saved bool
}

// ErrNone says that there is nothing to do.
var ErrNone = errors.New("no AI! or AI? comment found; add one, because a comment marked only AI does not start a request")

// Marked are the marked comments of one file.
type Marked struct {
	Path string
	List []mention.AIComment
}

// Comment is a comment that is marked for the model. Its line counts from 1.
type Comment struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Kind string `json:"kind"` // AI!, AI? or AI
	Text string `json:"text"` // what it says, in one line
}

// List lists the comments that Find finds, the place's own first.
func (k *Tracker) List(ctx context.Context, at Place) ([]Comment, error) {
	files, err := k.Find(ctx, at, k.ws.Snapshot().Within(ctx))
	list := []Comment{}
	for _, f := range files {
		for _, c := range f.List {
			list = append(list, Comment{f.Path, c.Line + 1, string(c.Kind), c.Text})
		}
	}
	return list, err
}

// takeCommitted notes the comments that a file has in the last commit: who saves it did not just write them.
func (k *Tracker) takeCommitted(ctx context.Context, root, path string) {
	text, ok, err := vcs.Blob(ctx, root, path)
	if err != nil || !ok {
		return // no repository, or a new file
	}
	if list, err := mention.AIComments(ctx, path, text); err == nil {
		k.Take([]Marked{{path, list}})
	}
}

// Wanted says what the comments of a place want; "" is nothing.
func Wanted(files []Marked, at Place) mention.AIKind {
	kind := mention.AIKind("")
	for _, f := range files {
		for _, c := range f.List {
			if at.Path != "" && (f.Path != at.Path || !at.meets(c)) {
				continue
			}
			if c.Kind == mention.AIDo {
				return c.Kind
			}
			if c.Kind == mention.AIAsk {
				kind = c.Kind
			}
		}
	}
	return kind
}

// lines says that lines are meant.
func (p Place) lines() bool { return p.Path != "" && p.First <= p.Last }

func (p Place) meets(c mention.AIComment) bool {
	return !p.lines() || c.First <= p.Last && p.First <= c.Last
}

// Chosen leaves the comments that a turn is for, and the hints. Where lines are meant, it is for the comments there.
func Chosen(files []Marked, at Place, kind mention.AIKind) []Marked {
	var list []Marked
	for _, f := range files {
		f.List = slices.DeleteFunc(slices.Clone(f.List), func(c mention.AIComment) bool {
			return c.Kind != mention.AINote && (c.Kind != kind || at.lines() && (f.Path != at.Path || !at.meets(c)))
		})
		if len(f.List) > 0 {
			list = append(list, f)
		}
	}
	return list
}

// Find lists the marked comments of the place, its own file first. The files beside it are those that are
// open or not committed: what came with the repository is not what the user wrote just now. Asked for the whole
// folder, all of its files count. What may not be sent does not, but for the place itself, about which the user
// is asked later.
func (k *Tracker) Find(ctx context.Context, at Place, snap *workspace.Snapshot) ([]Marked, error) {
	release, err := k.o.Hold()
	if err != nil {
		return nil, err
	}
	defer release()
	var own []Marked
	if at.Path != "" {
		text, err := snap.Read(at.Path)
		if err != nil {
			return nil, event.CannotRead(at.Path, err)
		}
		list, err := mention.AIComments(ctx, at.Path, text)
		if err != nil {
			return nil, fmt.Errorf("cannot read the comments in %s: %w", at.Path, err)
		}
		own = append(own, Marked{at.Path, list})
		if Wanted(own, at) == "" {
			return own, nil
		}
	}
	others, err := k.mayBeMarked(ctx, at, snap)
	if err != nil {
		return nil, err
	}
	var found []Marked
	for _, path := range others {
		text, err := k.textOf(ctx, snap, path)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil || len(text) > syntax.MaxSize || strings.IndexByte(text[:min(len(text), 8000)], 0) >= 0 {
			continue
		}
		list, err := mention.AIComments(ctx, path, text)
		if err == nil && len(list) > 0 {
			found = append(found, Marked{path, list})
		}
	}
	paths := make([]string, len(found))
	for i, f := range found {
		paths[i] = f.Path
	}
	withheld := map[string]bool{}
	for _, path := range k.ws.Door().Withheld(ctx, paths) {
		withheld[path] = true
	}
	return append(own, slices.DeleteFunc(found, func(f Marked) bool { return withheld[f.Path] })...), ctx.Err()
}

// mayBeMarked lists the files to look into, beside the place itself, sorted.
func (k *Tracker) mayBeMarked(ctx context.Context, at Place, snap *workspace.Snapshot) ([]string, error) {
	var paths []string
	for _, d := range snap.Open() {
		paths = append(paths, d.Path)
	}
	if root := snap.Root(); root != "" {
		list, err := []string(nil), vcs.ErrNotGit
		if at.Path != "" {
			list, err = vcs.Uncommitted(ctx, root)
		}
		if errors.Is(err, vcs.ErrNotGit) {
			list, err = index.Files(ctx, root)
		}
		if err != nil {
			return nil, fmt.Errorf("cannot search %s for AI comments: %w", root, err)
		}
		paths = append(paths, list...)
	}
	slices.Sort(paths)
	may := k.ws.Door().Lister(ctx)
	return slices.DeleteFunc(slices.Compact(paths), func(path string) bool { return path == at.Path || !may(path) }), ctx.Err()
}

// textOf reads a file for a look: what is not open from disk, without keeping it.
func (k *Tracker) textOf(ctx context.Context, snap *workspace.Snapshot, path string) (string, error) {
	if slices.ContainsFunc(snap.Open(), func(d *workspace.Document) bool { return d.Path == path }) {
		return snap.Read(path)
	}
	return k.ws.Door().DiskText(ctx, path)
}

// Left are the instructions that were to be carried out and taken out, and still stand in files that the turn
// has changed.
func Left(ctx context.Context, now *workspace.Snapshot, files []Marked) []verify.Finding {
	var found []verify.Finding
	changed := map[string]bool{}
	for _, change := range now.Changes() {
		if change.Op == edits.OpUpdate {
			changed[change.Path] = true
		}
	}
	for _, f := range files {
		if !changed[f.Path] {
			continue
		}
		text, err := now.Read(f.Path)
		if err != nil {
			continue
		}
		list, _ := mention.AIComments(ctx, f.Path, text) // what cannot be parsed is told as such
		for _, one := range list {
			was := func(c mention.AIComment) bool { return c.Kind == one.Kind && c.Raw == one.Raw }
			if slices.ContainsFunc(f.List, was) {
				found = append(found, verify.Finding{Check: "comments", Path: f.Path, First: one.Line + 1, Last: one.Line + 1,
					Text:    fmt.Sprintf("line %d: this instruction to you still stands in the file; take the comment out", one.Line+1),
					Excerpt: one.Raw})
			}
		}
	}
	return found
}
