package lsp

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"go.lsp.dev/protocol"

	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/document"
	"coauthor/lsp/review"
)

// What was applied at once stands under review (package proposal has it): here it gets its places in the client's
// documents.

// placedHunk is a hunk under review with its place in its document.
type placedHunk struct {
	proposal.ReviewedHunk
	file *proposal.ReviewedFile
	rng  protocol.Range // of whole lines with their breaks; empty where lines were taken out
	// shown is where the hunk is shown, in one line: its first, or the one that stands where lines were taken out.
	shown protocol.Range
	uri   string // of its file; where it is asked for
}

// placed are the hunks of a file under review in the client's positions.
func (s *server) placed(f *proposal.ReviewedFile) []placedHunk {
	list := make([]placedHunk, len(f.Hunks))
	text := s.lines(f.Text)
	for i, h := range f.Hunks {
		one := placedHunk{ReviewedHunk: h, file: f, rng: text.RangeOf(h.Start, h.End, s.docs.encoding)}
		start := h.Start
		if start == len(f.Text) && start > 0 { // the last line was taken out
			start--
		}
		for start > 0 && f.Text[start-1] != '\n' {
			start--
		}
		from, to := document.LineAt(f.Text[start:], 0)
		one.shown = text.RangeOf(start+from, start+to, s.docs.encoding)
		list[i] = one
	}
	return list
}

// placedIn are the hunks under review in a document, from its beginning. A deleted file has none.
func (s *server) placedIn(doc *openDocument) (list []placedHunk) {
	if doc.Path == "" {
		return nil
	}
	reviewed := doc.Root.session.Proposals().Reviewed()
	for _, f := range reviewed.Of(doc.Path) {
		if f.Op != edits.OpDelete {
			list = append(list, s.placed(&f)...)
		}
	}
	slices.SortStableFunc(list, func(a, b placedHunk) int { return cmp.Compare(a.Start, b.Start) })
	return list
}

// touches says whether a hunk is in the lines of a place.
func (h *placedHunk) touches(at protocol.Range) bool {
	first, last := h.rng.Start.Line, h.rng.End.Line
	if h.rng.End.Character == 0 && last > first {
		last--
	}
	if h.rng.Start == h.rng.End && first > 0 { // between two lines, both of which will do
		first--
	}
	return at.Start.Line <= last && at.End.Line >= first
}

// hunksAt are the hunks of a document that are in the lines of a place. Those of lines go before the file itself.
func (s *server) hunksAt(doc *openDocument, at protocol.Range) []placedHunk {
	list := slices.DeleteFunc(s.placedIn(doc), func(h placedHunk) bool { return !h.touches(at) })
	if len(list) > 1 {
		list = slices.DeleteFunc(list, func(h placedHunk) bool { return h.Number == 0 && h.file.Op == edits.OpRename })
	}
	return list
}

// deletedHunks are the deleted files of a root that are under review: no document shows them.
func deletedHunks(r *rootState) (list []placedHunk) {
	reviewed := r.session.Proposals().Reviewed()
	for i := range reviewed.Files {
		f := &reviewed.Files[i]
		if f.Op == edits.OpDelete && len(f.Hunks) > 0 {
			list = append(list, placedHunk{ReviewedHunk: f.Hunks[0], file: f})
		}
	}
	return list
}

// what says what a hunk is, in a sentence that begins with a verb.
func (h *placedHunk) what() string {
	if h.Number > 0 {
		return "this change"
	}
	switch h.file.Op {
	case edits.OpCreate:
		return "this new file"
	case edits.OpDelete:
		return "the deletion of " + review.Cut(h.Path, 60)
	case edits.OpRename:
		return "the renaming of " + review.Cut(h.file.From, 60)
	case edits.OpUpdate:
	}
	return "this change"
}

// size counts the lines that a hunk has put in and taken out.
func (h *placedHunk) size() string {
	return fmt.Sprintf("+%d -%d", lineCount(h.New), lineCount(h.Old))
}

func lineCount(text string) int {
	if text == "" {
		return 0
	}
	return len(document.SplitLines(text))
}

// countHunks says how much is under review.
func countHunks(r *proposal.Review) string {
	files := map[string]bool{}
	n := 0
	for _, f := range r.Files {
		files[f.Path] = true
		n += len(f.Hunks)
	}
	changes := "1 change"
	if n != 1 {
		changes = fmt.Sprintf("%d changes", n)
	}
	return changes + " in " + review.CountFiles(len(files))
}

// hunkArguments name a hunk to a command.
func (s *server) hunkArguments(r *rootState, h *placedHunk, uri string) map[string]any {
	return map[string]any{"uri": uri, "proposalId": h.Proposal, "files": []string{s.docs.uriOf(r, h.Path)}, "hunks": []int{h.Number}}
}

// follows tells the review what a document reads. It waits for nothing: for one that is not open any more the disk is
// read beside the caller.
func (s *server) follows(r *rootState, path string) {
	store := r.session.Proposals()
	if !store.Reviewing() {
		return
	}
	now := r.ws.Snapshot()
	if _, open := s.docs.document(r, path); open {
		store.Follow(path, now)
		return
	}
	s.background(func(ctx context.Context) { store.Follow(path, now.Within(ctx)) })
}

// underReview adds to a situation what is under review.
func (s *server) underReview(now *situation) {
	r, doc := now.place.doc.Root, now.place.doc
	if !r.session.Proposals().Reviewing() {
		return
	}
	reviewed := r.session.Proposals().Reviewed()
	all := reviewed.Hunks()
	if len(all) == 0 {
		return
	}
	now.hunks = s.hunksAt(doc, now.place.rng)
	deleted := deletedHunks(r)
	now.elsewhere = len(all) > len(now.hunks)+len(deleted)
	if now.hunks = now.hunks[:min(len(now.hunks), 1)]; len(now.hunks) == 0 {
		now.hunks = deleted[:min(len(deleted), 1)]
	}
	for i := range now.hunks {
		now.hunks[i].uri = s.docs.uriOf(r, now.hunks[i].Path)
	}
	if len(all) > 1 {
		now.reviewed = countHunks(&reviewed)
	}
}
