package annotate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"coauthor/agent/display"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/document"
	"coauthor/lsp/review"
)

// What was applied at once stands under review (package proposal has it): here it gets its places in the client's
// documents.

// Hunk is a hunk under review with its place in its document.
type Hunk struct {
	proposal.ReviewedHunk
	File  *proposal.ReviewedFile
	Range protocol.Range // of whole lines with their breaks; empty where lines were taken out
	// Shown is where the hunk is shown, in one line: its first, or the one that stands where lines were taken out.
	Shown protocol.Range
}

// Hunks are the hunks of a file under review in the client's positions.
func (m *Marks) Hunks(f *proposal.ReviewedFile) []Hunk {
	list := make([]Hunk, len(f.Hunks))
	rangeOf := m.o.Ranges(f.Text)
	for i, h := range f.Hunks {
		one := Hunk{ReviewedHunk: h, File: f, Range: rangeOf(h.Start, h.End)}
		start := h.Start
		if start == len(f.Text) && start > 0 { // the last line was taken out
			start--
		}
		for start > 0 && f.Text[start-1] != '\n' {
			start--
		}
		from, to := document.LineAt(f.Text[start:], 0)
		one.Shown = rangeOf(start+from, start+to)
		list[i] = one
	}
	return list
}

// HunksIn are the hunks under review in a file, from its beginning. A deleted file has none.
func (m *Marks) HunksIn(path string) (list []Hunk) {
	if path == "" {
		return nil
	}
	reviewed := m.o.Proposals.Reviews.Known()
	for _, f := range reviewed.Of(path) {
		if f.Op != edits.OpDelete {
			list = append(list, m.Hunks(&f)...)
		}
	}
	slices.SortStableFunc(list, func(a, b Hunk) int { return cmp.Compare(a.Start, b.Start) })
	return list
}

// Touches says whether a hunk is in the lines of a place.
func (h *Hunk) Touches(at protocol.Range) bool {
	first, last := h.Range.Start.Line, h.Range.End.Line
	if h.Range.End.Character == 0 && last > first {
		last--
	}
	if h.Range.Start == h.Range.End && first > 0 { // between two lines, both of which will do
		first--
	}
	return at.Start.Line <= last && at.End.Line >= first
}

// HunksAt are the hunks of a file that are in the lines of a place. Those of lines go before the file itself.
func (m *Marks) HunksAt(path string, at protocol.Range) []Hunk {
	list := slices.DeleteFunc(m.HunksIn(path), func(h Hunk) bool { return !h.Touches(at) })
	if len(list) > 1 {
		list = slices.DeleteFunc(list, func(h Hunk) bool { return h.Number == 0 && h.File.Op == edits.OpRename })
	}
	return list
}

// DeletedHunks are the deleted files that are under review: no document shows them.
func (m *Marks) DeletedHunks() (list []Hunk) {
	reviewed := m.o.Proposals.Reviews.Known()
	for i := range reviewed.Files {
		f := &reviewed.Files[i]
		if f.Op == edits.OpDelete && len(f.Hunks) > 0 {
			list = append(list, Hunk{ReviewedHunk: f.Hunks[0], File: f})
		}
	}
	return list
}

// What says what a hunk is, in a sentence that begins with a verb.
func (h *Hunk) What() string {
	if h.Number > 0 {
		return "this change"
	}
	switch h.File.Op {
	case edits.OpCreate:
		return "this new file"
	case edits.OpDelete:
		return "the deletion of " + review.Cut(h.Path, 60)
	case edits.OpRename:
		return "the renaming of " + review.Cut(h.File.From, 60)
	case edits.OpUpdate:
	}
	return "this change"
}

// Size counts the lines that a hunk has put in and taken out.
func (h *Hunk) Size() string {
	return fmt.Sprintf("+%d -%d", lineCount(h.New), lineCount(h.Old))
}

func lineCount(text string) int {
	if text == "" {
		return 0
	}
	return len(document.SplitLines(text))
}

// hunkDiagnostics are the marks of a file as diagnostics.
func (m *Marks) hunkDiagnostics(path string) (list []Diagnostic) {
	if !m.o.Proposals.Reviews.Any() || !m.o.MarkHunks() {
		return nil
	}
	reviewed := m.o.Proposals.Reviews.Known()
	for _, f := range reviewed.Of(path) {
		if f.Op == edits.OpDelete {
			continue
		}
		for _, h := range m.Hunks(&f) {
			list = append(list, Diagnostic{Range: document.FromProtocol(h.Shown), Severity: protocol.DiagnosticSeverityInformation, Source: "coauthor", Code: codeReview,
				Message: fmt.Sprintf(ToReview+"%s): keep or undo %s.", h.Size(), display.Message(h.What()))})
		}
	}
	return list
}

// codeReview is the code of the diagnostics of hunks under review.
const codeReview = "review"

// ToReview is how the messages of these diagnostics begin.
const ToReview = "To review ("

// ShowHunks marks what is under review now, where hunks are marked, and takes away what was marked before. It is for one
// caller at a time.
func (m *Marks) ShowHunks(reviewed *proposal.Review) {
	now := map[string]bool{}
	if m.o.MarkHunks() {
		for _, f := range reviewed.Files {
			now[f.Path] = true
		}
	}
	for _, path := range slices.Sorted(maps.Keys(m.hunked)) {
		if !now[path] {
			m.Publish(path)
		}
	}
	m.Publish(slices.Sorted(maps.Keys(now))...)
	m.hunked = now
}

// beforeLines is how many lines of an old text are told.
const beforeLines = 40

// Before tells what a hunk has changed, in Markdown or as it is.
func (h *Hunk) Before(markdown bool) string {
	head := fmt.Sprintf("Coauthor, to review (%s): %s", h.Size(), display.Message(h.File.Label))
	switch {
	case h.Number == 0 && h.File.Op == edits.OpCreate:
		head += "\nThis file is new."
	case h.Number == 0 && h.File.Op == edits.OpRename:
		head += "\nThis file was renamed from " + display.Message(h.File.From) + "."
	case h.Old == "":
		head += "\nThese lines are new."
	default:
		head += "\nBefore:"
	}
	if h.Touched {
		head += "\nYou edited these lines."
	}
	var old []string
	if h.Old != "" && h.Number > 0 {
		old = document.SplitLines(h.Old)
	}
	if left := len(old) - beforeLines; left > 0 {
		old = append(old[:beforeLines:beforeLines], fmt.Sprintf("… %d more lines", left))
	}
	for i := range old {
		old[i] = "-" + display.Text(old[i])
	}
	if !markdown {
		return strings.Join(append([]string{head}, old...), "\n")
	}
	// Each line of the head is a paragraph, and nothing in it is markup.
	var b strings.Builder
	for line := range strings.Lines(head) {
		b.WriteString(literal(strings.TrimSuffix(line, "\n")) + "\n\n")
	}
	if len(old) > 0 {
		body := strings.Join(old, "\n")
		fence := strings.Repeat("`", max(3, longestRun(body, '`')+1))
		b.WriteString(fence + "diff\n" + body + "\n" + fence)
	}
	return strings.TrimSpace(b.String())
}

// literal writes a line so that Markdown shows it as it is.
func literal(line string) string {
	var b strings.Builder
	for _, r := range line {
		if strings.ContainsRune("\\`*_{}[]<>#!|~&$", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// longestRun is the longest row of a character in a text.
func longestRun(text string, of rune) (most int) {
	n := 0
	for _, r := range text {
		if n++; r != of {
			n = 0
		}
		most = max(most, n)
	}
	return most
}
