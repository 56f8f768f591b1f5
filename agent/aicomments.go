package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"coauthor/agent/coder"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/index"
	"coauthor/agent/mention"
	"coauthor/agent/prompt"
	"coauthor/agent/proposal"
	"coauthor/agent/vcs"
	"coauthor/agent/verify"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/repomap/syntax"
)

// Comments that are marked with AI!, AI? or AI are instructions, questions and hints that stand in the files that they
// are about. A turn for them is a turn like any other, whose request they make.

// commentActions is the command that has them done.
func commentActions() []Action {
	return []Action{{
		ID: "doComments", Group: GroupChange, Title: "Carry out AI comments", Word: "comments",
		Doc: "Carries out comments marked `AI!` and removes them. If there are none, answers comments marked `AI?`.",
		More: "Put the marker at the start or end of a line in the comment. Unsaved text is included. Comments marked only `AI` give the model more context. " +
			"If you give a range, only its comments are used. Otherwise the command also uses comments in other open documents and uncommitted files. If you give no document, it uses comments in all files of the folder.",
		Args: append([]Arg{
			argMeaning("uri", "The document. Default: all files of the folder."),
			argMeaning("range", "Use only the comments in this range."),
		}, sharedArgs("version", "model", "preview")...),
		Result: `{turnId, status: "started"|"busy"|"none"} or {status: "started"}`,
	}}
}

// CommentPlace says whose comments a turn is for.
type CommentPlace struct {
	Path string // "" is the whole folder
	// First and Last are lines, from 0: then one comment is meant that meets them, and the hints. With Last before First
	// it is the file, and comments elsewhere that are as new count as well.
	First, Last int
	// Saved: the file was saved, and nobody asked for a turn. One comment starts one turn, until it is changed, and only
	// one that the user wrote in an editor; see WroteComments.
	Saved bool
}

// ErrNoComments says that there is nothing to do.
var ErrNoComments = errors.New("no AI! or AI? comment found; add one, because a comment marked only AI does not start a request")

// markedIn are the marked comments of one file.
type markedIn struct {
	path string
	list []mention.AIComment
}

// DoComments makes the request to do what comments say, or to answer what they ask. Where both are there, it is for those
// that say something. snapshot is what the user saw; nil takes it now. It must not wait long for git and the disk: ctx ends that.
func (s *Session) DoComments(ctx context.Context, at CommentPlace, r Request, snapshot *workspace.Snapshot) (Resolved, error) {
	if snapshot == nil {
		snapshot = s.ws.Snapshot()
	}
	files, err := s.markedComments(ctx, at, snapshot.Within(ctx))
	if err != nil {
		return Resolved{}, err
	}
	kind := wantedOf(files, at)
	if at.Saved && kind != "" {
		s.takeCommitted(ctx, snapshot.Root(), at.Path)
		news := []markedIn{{at.Path, s.comments.news(files[0])}}
		written := s.written.of(news)
		kind, files = wantedOf(written, at), s.written.of(files)
		if came := len(news[0].list) - len(written[0].list); kind == "" && came > 0 {
			s.comments.take(news) // told once
			return Resolved{}, &CameWithFileError{at.Path, came}
		}
	}
	if kind == "" {
		return Resolved{}, ErrNoComments
	}
	asked := r
	files = chosenOf(files, at, kind)
	if r, err = s.commentRequest(r, at, kind, files); err != nil {
		return Resolved{}, err
	}
	resolved, err := s.resolved(asked, r)
	resolved.marked = files
	return resolved, err
}

// MarkedComment is a comment that is marked for the model. Its line counts from 1.
type MarkedComment struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Kind string `json:"kind"` // AI!, AI? or AI
	Text string `json:"text"` // what it says, in one line
}

// MarkedComments lists the comments that DoComments looks at, the place's own first.
func (s *Session) MarkedComments(ctx context.Context, at CommentPlace) ([]MarkedComment, error) {
	files, err := s.markedComments(ctx, at, s.ws.Snapshot().Within(ctx))
	list := []MarkedComment{}
	for _, f := range files {
		for _, c := range f.list {
			list = append(list, MarkedComment{f.path, c.Line + 1, string(c.Kind), c.Text})
		}
	}
	return list, err
}

// takeCommitted notes the comments that a file has in the last commit: who saves it did not just write them.
func (s *Session) takeCommitted(ctx context.Context, root, path string) {
	text, ok, err := vcs.Blob(ctx, root, path)
	if err != nil || !ok {
		return // no repository, or a new file
	}
	if list, err := mention.AIComments(ctx, path, text); err == nil {
		s.comments.take([]markedIn{{path, list}})
	}
}

// wantedOf says what the comments of a place want; "" is nothing.
func wantedOf(files []markedIn, at CommentPlace) mention.AIKind {
	kind := mention.AIKind("")
	for _, f := range files {
		for _, c := range f.list {
			if at.Path != "" && (f.path != at.Path || !at.meets(c)) {
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
func (p CommentPlace) lines() bool { return p.Path != "" && p.First <= p.Last }

func (p CommentPlace) meets(c mention.AIComment) bool {
	return !p.lines() || c.First <= p.Last && p.First <= c.Last
}

// chosenOf leaves the comments that a turn is for, and the hints. Where lines are meant, it is for the comments there.
func chosenOf(files []markedIn, at CommentPlace, kind mention.AIKind) []markedIn {
	var list []markedIn
	for _, f := range files {
		f.list = slices.DeleteFunc(slices.Clone(f.list), func(c mention.AIComment) bool {
			return c.Kind != mention.AINote && (c.Kind != kind || at.lines() && (f.path != at.Path || !at.meets(c)))
		})
		if len(f.list) > 0 {
			list = append(list, f)
		}
	}
	return list
}

// commentRequest makes the request.
func (s *Session) commentRequest(r Request, at CommentPlace, kind mention.AIKind, files []markedIn) (Request, error) {
	if most := s.settings().Context.MaxFiles; most > 0 && len(files) > most {
		var left []string
		for _, f := range files[most:] {
			left = append(left, f.path)
		}
		files = files[:most]
		r.notes = append(r.notes, event.Warning(fmt.Sprintf("Too many files contain AI comments (context.maxFiles is %d). These files wait for the next request: %s.", most, display.Names(left))))
	}
	var list []prompt.CommentsOf
	for _, f := range files {
		of := prompt.CommentsOf{Path: f.path}
		for _, c := range f.list {
			of.Lines = append(of.Lines, prompt.CommentLine{Line: c.Line + 1, Text: cutLine(c.Raw)})
			if r.Label == "" && c.Kind == kind && c.Text != "" {
				r.Label = proposal.Label(c.Text)
			}
		}
		list = append(list, of)
		if f.path == at.Path {
			r.Target = &Target{Path: f.path}
			continue
		}
		r.Files = append(r.Files, f.path)
	}
	r.Label = cmp.Or(r.Label, "Comments marked "+string(kind))
	r.Coder = "ask"
	if kind == mention.AIDo {
		r.Coder, r.comments = coder.Default, files
		if now := s.settings().Coder; s.proposes(cmp.Or(s.Chosen().Coder, now)) {
			r.Coder = "" // the one in force edits, too
		}
	}
	var err error
	r.Instruction, err = prompt.Comments(kind == mention.AIDo, list)
	return r, err
}

func (s *Session) proposes(name string) bool {
	c, err := s.e.o.Coders.Offered().ByName(name)
	return err == nil && c.Proposes()
}

// cutLine shortens a line that is only to be found again.
func cutLine(line string) string {
	const most = 300
	if len(line) <= most {
		return line
	}
	cut := most
	for !utf8.RuneStart(line[cut]) {
		cut--
	}
	return line[:cut] + "…"
}

// markedComments lists the marked comments of the place, its own file first. The files beside it are those that are
// open or not committed: what came with the repository is not what the user wrote just now. Asked for the whole
// folder, all of its files count. What may not be sent does not, but for the place itself, about which the user
// is asked later.
func (s *Session) markedComments(ctx context.Context, at CommentPlace, snap *workspace.Snapshot) ([]markedIn, error) {
	if err := s.enter(); err != nil {
		return nil, err
	}
	defer s.leave()
	var own []markedIn
	if at.Path != "" {
		text, err := snap.Read(at.Path)
		if err != nil {
			return nil, cannotRead(at.Path, err)
		}
		list, err := mention.AIComments(ctx, at.Path, text)
		if err != nil {
			return nil, fmt.Errorf("cannot read the comments in %s: %w", at.Path, err)
		}
		own = append(own, markedIn{at.Path, list})
		if wantedOf(own, at) == "" {
			return own, nil
		}
	}
	others, err := s.mayBeMarked(ctx, at, snap)
	if err != nil {
		return nil, err
	}
	var found []markedIn
	for _, path := range others {
		text, err := s.textOf(ctx, snap, path)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil || len(text) > syntax.MaxSize || strings.IndexByte(text[:min(len(text), 8000)], 0) >= 0 {
			continue
		}
		list, err := mention.AIComments(ctx, path, text)
		if err == nil && len(list) > 0 {
			found = append(found, markedIn{path, list})
		}
	}
	paths := make([]string, len(found))
	for i, f := range found {
		paths[i] = f.path
	}
	withheld := setOf(s.ws.Door().Withheld(ctx, paths))
	return append(own, slices.DeleteFunc(found, func(f markedIn) bool { return withheld[f.path] })...), ctx.Err()
}

// mayBeMarked lists the files to look into, beside the place itself, sorted.
func (s *Session) mayBeMarked(ctx context.Context, at CommentPlace, snap *workspace.Snapshot) ([]string, error) {
	paths := pathsOf(snap.Open())
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
	may := s.ws.Door().Lister(ctx)
	return slices.DeleteFunc(slices.Compact(paths), func(path string) bool { return path == at.Path || !may(path) }), ctx.Err()
}

// textOf reads a file for a look: what is not open from disk, without keeping it.
func (s *Session) textOf(ctx context.Context, snap *workspace.Snapshot, path string) (string, error) {
	if slices.ContainsFunc(snap.Open(), func(d *workspace.Document) bool { return d.Path == path }) {
		return snap.Read(path)
	}
	return s.ws.Door().DiskText(ctx, path)
}

// leftComments are the instructions that were to be carried out and taken out, and still stand in files that the turn
// has changed.
func (c Context) leftComments(ctx context.Context) []verify.Finding {
	var list []verify.Finding
	changed := map[string]bool{}
	for _, change := range c.Now.Changes() {
		if change.Op == edits.OpUpdate {
			changed[change.Path] = true
		}
	}
	for _, f := range c.Request.comments {
		if !changed[f.path] {
			continue
		}
		text, err := c.Now.Read(f.path)
		if err != nil {
			continue
		}
		now, _ := mention.AIComments(ctx, f.path, text) // what cannot be parsed is told as such
		for _, one := range now {
			was := func(c mention.AIComment) bool { return c.Kind == one.Kind && c.Raw == one.Raw }
			if slices.ContainsFunc(f.list, was) {
				list = append(list, verify.Finding{Check: "comments", Path: f.path, First: one.Line + 1, Last: one.Line + 1,
					Text:    fmt.Sprintf("line %d: this instruction to you still stands in the file; take the comment out", one.Line+1),
					Excerpt: one.Raw})
			}
		}
	}
	return list
}
