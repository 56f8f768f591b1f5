package proposal

import (
	"fmt"
	"strings"

	"coauthor/edits"
)

// diffContext is the most unchanged lines shown on each side of a hunk.
const diffContext = 3

// DiffText returns what is still undecided of a proposal as a unified diff that git and patch take.
// Every hunk has its own header with the number by which commands name it.
func DiffText(p Proposal) string {
	var out strings.Builder
	for i := range p.Files {
		if f := &p.Files[i]; len(f.Undecided()) > 0 {
			f.diff(&out)
		}
	}
	return out.String()
}

func (f *File) diff(out *strings.Builder) {
	c := f.Change
	from, to := "a/"+c.Path, "b/"+f.Path()
	fmt.Fprintf(out, "diff --git %s %s\n", from, to)
	switch c.Op {
	case edits.OpCreate:
		out.WriteString("new file mode 100644\n")
		from = "/dev/null"
	case edits.OpDelete:
		out.WriteString("deleted file mode 100644\n")
		to = "/dev/null"
	case edits.OpRename:
		fmt.Fprintf(out, "rename from %s\nrename to %s\n", c.Path, c.To)
	case edits.OpUpdate:
	}
	if len(f.Hunks) == 0 {
		return
	}
	fmt.Fprintf(out, "--- %s\n+++ %s\n", from, to)
	old := splitLines(c.Before)
	// What was accepted before is part of the text that the rest will be put into.
	there, here := 0, 0
	for i, h := range f.Hunks {
		grown := h.NewCount - h.OldCount
		switch f.Done[h.Number] {
		case HunkDiscarded:
			continue
		case HunkLanded, HunkSent:
			there += grown
			continue
		case HunkOpen:
		}
		lead := min(diffContext, h.OldLine)
		if i > 0 {
			gap := h.OldLine - (f.Hunks[i-1].OldLine + f.Hunks[i-1].OldCount)
			lead = min(diffContext, gap-gap/2)
		}
		end := h.OldLine + h.OldCount
		tail := min(diffContext, len(old)-end)
		if i+1 < len(f.Hunks) {
			tail = min(diffContext, (f.Hunks[i+1].OldLine-end)/2)
		}
		first := h.OldLine - lead
		fmt.Fprintf(out, "@@ -%s +%s @@ hunk %d\n",
			span(first+there, lead+h.OldCount+tail), span(first+there+here, lead+h.NewCount+tail), h.Number)
		signed(out, ' ', old[first:h.OldLine])
		signed(out, '-', splitLines(h.Old))
		signed(out, '+', splitLines(h.New))
		signed(out, ' ', old[end:end+tail])
		here += grown
	}
}

func span(first, count int) string {
	if count == 0 {
		return fmt.Sprintf("%d,0", first)
	}
	return fmt.Sprintf("%d,%d", first+1, count)
}

func signed(out *strings.Builder, sign byte, lines []string) {
	for _, line := range lines {
		out.WriteByte(sign)
		out.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

func splitLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// ColouredDiff is DiffText for a terminal.
func ColouredDiff(p Proposal) string {
	const (
		bold  = "\x1b[1m"
		red   = "\x1b[31m"
		green = "\x1b[32m"
		cyan  = "\x1b[36m"
		reset = "\x1b[0m"
	)
	var out strings.Builder
	header := false
	for _, line := range splitLines(DiffText(p)) {
		colour := ""
		switch {
		case strings.HasPrefix(line, "diff --git "):
			header, colour = true, bold
		case strings.HasPrefix(line, "@@ "):
			header, colour = false, cyan
		case header:
			colour = bold
		case line[0] == '+':
			colour = green
		case line[0] == '-':
			colour = red
		}
		if colour == "" {
			out.WriteString(line)
			continue
		}
		text := strings.TrimSuffix(line, "\n")
		// A carriage return before the reset would let the terminal paint over the line.
		text = strings.TrimSuffix(text, "\r")
		out.WriteString(colour + text + reset + "\n")
	}
	return out.String()
}
