package proposal

import (
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/display"
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

// DiffHead is the line with which the diff of the file begins.
func (f *File) DiffHead() string { return fmt.Sprintf("diff --git a/%s b/%s", f.Change.Path, f.Path()) }

func (f *File) diff(out *strings.Builder) {
	c := f.Change
	from, to := "a/"+c.Path, "b/"+f.Path()
	out.WriteString(f.DiffHead() + "\n")
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

// splitLines cuts a text after each line feed.
func splitLines(text string) []string {
	return slices.Collect(strings.Lines(text))
}

// ScreenDiff is DiffText for people instead of programs: what a terminal would obey or not draw is made
// visible (see package display), and colour marks the lines. The carriage returns of a file are left
// out where every line has one, before and after; elsewhere they are part of what changes.
func ScreenDiff(p Proposal, colour bool) string {
	const (
		bold  = "\x1b[1m"
		red   = "\x1b[31m"
		green = "\x1b[32m"
		cyan  = "\x1b[36m"
		reset = "\x1b[0m"
	)
	var out strings.Builder
	for i := range p.Files {
		f := &p.Files[i]
		if len(f.Undecided()) == 0 {
			continue
		}
		var plain strings.Builder
		f.diff(&plain)
		windows := allCRLF(f.Change.Before) && allCRLF(f.Change.After)
		header := false
		for _, line := range splitLines(plain.String()) {
			line = strings.TrimSuffix(line, "\n")
			style := ""
			switch {
			case strings.HasPrefix(line, "diff --git "):
				header, style = true, bold
			case strings.HasPrefix(line, "@@ "):
				header, style = false, cyan
			case header:
				style = bold
			case line[0] == '+':
				style = green
			case line[0] == '-':
				style = red
			}
			if header {
				line = display.Message(line)
			} else {
				if windows {
					line = strings.TrimSuffix(line, "\r")
				}
				line = display.Text(line)
			}
			if style == "" || !colour {
				out.WriteString(line + "\n")
			} else {
				out.WriteString(style + line + reset + "\n")
			}
		}
	}
	return out.String()
}

// allCRLF says whether every line of a text ends in a carriage return and a line feed.
func allCRLF(text string) bool {
	return strings.Count(text, "\n") == strings.Count(text, "\r\n") && !strings.HasSuffix(text, "\r")
}

// HiddenLine is a new line with characters that are not seen where it is shown as it is.
type HiddenLine struct {
	Path string
	Line int    // in the file as it will be, from 1
	Text string // made visible
}

// HiddenLines lists the lines that the open hunks of a proposal put in and that do not look like
// what they are: with control characters, text that runs backwards, or characters without a picture.
func HiddenLines(p Proposal) []HiddenLine {
	var list []HiddenLine
	for i := range p.Files {
		f := &p.Files[i]
		windows := allCRLF(f.Change.After)
		for _, h := range f.Hunks {
			if f.Done[h.Number] != HunkOpen {
				continue
			}
			for k, line := range splitLines(h.New) {
				line = strings.TrimSuffix(line, "\n")
				if windows {
					line = strings.TrimSuffix(line, "\r")
				}
				if display.Text(line) != line {
					list = append(list, HiddenLine{f.Path(), h.NewLine + k + 1, display.Line(line)})
				}
			}
		}
	}
	return list
}
