package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"coauthor/agent/aicomment"
	"coauthor/agent/coder"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/mention"
	"coauthor/agent/problems"
	"coauthor/agent/prompt"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/agent/verify"
	"coauthor/agent/workspace"
)

// Comments that are marked with AI!, AI? or AI are instructions, questions and hints that stand in the files that they
// are about. A turn for them is a turn like any other, whose request they make.

// DoComments makes the request to do what comments say, or to answer what they ask. Where both are there, it is for those
// that say something. snapshot is what the user saw; nil takes it now. It must not wait long for git and the disk: ctx ends that.
func (s *Session) DoComments(ctx context.Context, at aicomment.Place, r Request, snapshot *workspace.Snapshot) (Resolved, error) {
	if snapshot == nil {
		snapshot = s.Workspace.Snapshot()
	}
	files, err := s.Comments.Find(ctx, at, snapshot.Within(ctx))
	if err != nil {
		return Resolved{}, err
	}
	kind := aicomment.Wanted(files, at)
	if at.Saved && kind != "" {
		if kind, files, err = s.Comments.Written(ctx, at, snapshot.Root(), files); err != nil {
			return Resolved{}, err
		}
	}
	if kind == "" {
		return Resolved{}, aicomment.ErrNone
	}
	asked := r
	files = aicomment.Chosen(files, at, kind)
	if r, err = commentRequest(r, at, kind, files); err != nil {
		return Resolved{}, err
	}
	if kind == mention.AIDo && proposes(s.Engine.o.Coders.Offered(), s.Settings().Coder) {
		r.Coder = "" // the one in force edits, too
	}
	resolved, err := s.resolved(asked, r)
	resolved.marked = files
	return resolved, err
}

// commentRequest makes the request.
func commentRequest(r Request, at aicomment.Place, kind mention.AIKind, files []aicomment.Marked) (Request, error) {
	if len(files) > MostFiles {
		var left []string
		for _, f := range files[MostFiles:] {
			left = append(left, f.Path)
		}
		files = files[:MostFiles]
		r.notes = append(r.notes, event.Warning(fmt.Sprintf("More than %d files contain AI comments. These files wait for the next request: %s.", MostFiles, display.Names(left))))
	}
	var list []prompt.CommentsOf
	for _, f := range files {
		of := prompt.CommentsOf{Path: f.Path}
		for _, c := range f.List {
			of.Lines = append(of.Lines, prompt.CommentLine{Line: c.Line + 1, Text: cutLine(c.Raw)})
			if r.Label == "" && c.Kind == kind && c.Text != "" {
				r.Label = proposal.Label(c.Text)
			}
		}
		list = append(list, of)
		if f.Path == at.Path {
			r.Target = &Target{Path: f.Path}
			continue
		}
		r.Files = append(r.Files, f.Path)
	}
	r.Label = cmp.Or(r.Label, "Comments marked "+string(kind))
	r.Coder = "ask"
	if kind == mention.AIDo {
		r.Coder, r.comments = coder.Default, files
	}
	var err error
	r.Instruction, err = prompt.Comments(kind == mention.AIDo, list)
	return r, err
}

func proposes(offered coder.Table, name string) bool {
	c, err := offered.ByName(name)
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

// What the new problems of the last change have the session do.

// fixUnasked returns what says whether new problems are fixed without a word of the user: those of a turn that worked by itself
// until it was done, as often as the settings let a model correct itself.
func fixUnasked(turns *Queue, set func() settings.Settings) func(turn string, before int) bool {
	return func(turn string, before int) bool {
		t := turns.find(turn)
		if t == nil || t.resolved.Coder.Name != coder.Auto {
			return false
		}
		s := set()
		return s.Verify == string(verify.Full) && before < s.MaxReflections
	}
}

// Fix makes the request that fixes the new problems; r says how, where it says anything. It goes on with the turn that
// brought them, as long as the session knows that.
func (s *Session) Fix(found problems.Found, r Request) (Resolved, error) {
	asked := r
	if len(found.List) == 0 {
		return Resolved{}, fmt.Errorf("no new problems found in the lines of the last change")
	}
	r.Diagnostics = found.List
	for _, d := range found.List {
		if !slices.Contains(r.Files, d.Path) {
			r.Files = append(r.Files, d.Path)
		}
	}
	if r.Instruction == "" {
		r.Instruction = "Fix the problems introduced by your last change."
		if len(found.List) == 1 {
			r.Instruction = "Fix the problem introduced by your last change."
		}
	}
	r.Label = cmp.Or(r.Label, "Fix "+found.Count())
	if t := s.Turns.find(found.Turn); t != nil && t.resolved.Coder.Proposes() {
		r.FollowUp = t.id
	}
	resolved, err := s.Resolve(r)
	if err == nil && r.FollowUp == "" && !resolved.Coder.Proposes() {
		r.Coder = coder.Default
		resolved, err = s.Resolve(r)
	}
	resolved.Asked = asked
	if found.Unasked {
		resolved.fixes = found.Turn
	}
	return resolved, err
}

// ErrNothingToReview says that there are no changes.
var ErrNothingToReview = errors.New("nothing to review")

// Review makes the request in which the model reads changes: those that are not committed, or for a base those of the
// branch that is checked out since it parted from it, with what is not committed. r may say what to look for. The
// session must not wait long for git: ctx ends that.
func (s *Session) Review(ctx context.Context, base string, r Request) (Resolved, error) {
	c, err := s.Commits.UnderReview(ctx, base)
	if err != nil {
		return Resolved{}, err
	}
	asked := r
	if len(c.Files) == 0 {
		return Resolved{}, fmt.Errorf("%w: no %s", ErrNothingToReview, display.Lower(c.About))
	}
	r.Changes = &c
	if r.Instruction == "" {
		r.Instruction = "Review the " + display.Lower(c.About) + "."
	}
	r.Coder, r.Format = "", ""
	return s.resolved(asked, r)
}

// mostOfReview is which part of the room of a prompt the changes may take.
const mostOfReview = 2

// mostOfMessages is which part of it the messages of the commits may take.
const mostOfMessages = 10

// reviewed takes in the changes that a request is about, as far as the model has room for them.
func (g *gathering) reviewed() {
	c := g.c.Request.Changes
	if c == nil {
		return
	}
	g.c.Diff = prompt.Fitting(c.Text, g.c.Model.Room/mostOfReview, g.c.Model.Counter.Count)
	g.c.Commits = prompt.Fitting(c.Commits, g.c.Model.Room/mostOfMessages, g.c.Model.Counter.Count)
	if g.c.Diff != c.Text {
		g.note(event.Warning("The changes do not fit into the context window of " + g.c.Model.Profile.Name + ", so the model reviews only the first part. Review fewer changes or choose a model with a larger context window."))
	}
	if len(c.Hidden) > 0 {
		g.note(event.Info(fmt.Sprintf("Not reviewed because of access settings: %s.", display.Line(display.Names(c.Hidden)))))
	}
}
