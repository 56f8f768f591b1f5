package agent

import (
	"cmp"
	"context"
	"fmt"
	"unicode/utf8"

	"coauthor/agent/aicomment"
	"coauthor/agent/coder"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/mention"
	"coauthor/agent/prompt"
	"coauthor/agent/proposal"
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
	set := s.Settings()
	if r, err = commentRequest(r, at, kind, files, set.Context.MaxFiles); err != nil {
		return Resolved{}, err
	}
	if kind == mention.AIDo && proposes(s.Engine.o.Coders.Offered(), set.Coder) {
		r.Coder = "" // the one in force edits, too
	}
	resolved, err := s.resolved(asked, r)
	resolved.marked = files
	return resolved, err
}

// commentRequest makes the request, about so many files at most.
func commentRequest(r Request, at aicomment.Place, kind mention.AIKind, files []aicomment.Marked, most int) (Request, error) {
	if most > 0 && len(files) > most {
		var left []string
		for _, f := range files[most:] {
			left = append(left, f.Path)
		}
		files = files[:most]
		r.notes = append(r.notes, event.Warning(fmt.Sprintf("Too many files contain AI comments (context.maxFiles is %d). These files wait for the next request: %s.", most, display.Names(left))))
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
