package review

import (
	"slices"
	"strconv"
	"strings"

	"coauthor/agent/proposal"
	"coauthor/edits"
)

// Part is what of a proposal a place in a document is about.
type Part struct {
	Files []string // by their paths in the proposal; never empty
	Hunks []int    // of the one file, by number; none where the place is about whole files
}

// Head is a line of a diff document with which a file or a hunk begins that is still to be decided on.
type Head struct {
	Line int // from 0
	Part
}

// Heads are those of the text of a diff document, which may be older than the proposal is.
func Heads(p *proposal.Proposal, text string) []Head {
	var list []Head
	var file *proposal.File
	n := 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "diff --git "):
			file = nil
			for i := range p.Files {
				if p.Files[i].DiffHead() == line && len(p.Files[i].Undecided()) > 0 {
					file = &p.Files[i]
					list = append(list, Head{n, Part{Files: []string{file.Path()}}})
				}
			}
		case file != nil && strings.HasPrefix(line, "@@ "):
			if number, ok := hunkOf(line); ok && decidable(file, number) {
				list = append(list, Head{n, Part{Files: []string{file.Path()}, Hunks: []int{number}}})
			}
		}
		n++
	}
	return list
}

// hunkOf is the number in the header of a hunk, as package proposal writes it.
func hunkOf(header string) (int, bool) {
	_, number, found := strings.Cut(header, "@@ hunk ")
	if !found {
		return 0, false
	}
	n, err := strconv.Atoi(number)
	return n, err == nil
}

// decidable says whether a hunk of a file can be decided on without the rest of it.
func decidable(f *proposal.File, number int) bool {
	return f.Change.Op == edits.OpUpdate && slices.Contains(f.Undecided(), number)
}

// PartAt is what the lines from first to last of a diff document are about, counted from 0. ok is false for lines above
// the first file, and where all is decided.
func PartAt(p *proposal.Proposal, text string, first, last int) (part Part, ok bool) {
	heads := Heads(p, text)
	for i, h := range heads {
		end := strings.Count(text, "\n") + 1
		if i+1 < len(heads) {
			end = heads[i+1].Line
		}
		if h.Line > last || end <= first {
			continue
		}
		if !slices.Contains(part.Files, h.Files[0]) {
			part.Files = append(part.Files, h.Files[0])
		}
		part.Hunks = append(part.Hunks, h.Hunks...)
	}
	if len(part.Files) > 1 {
		part.Hunks = nil
	}
	return part, len(part.Files) > 0
}

// PartIn is what the bytes from start to end of a file as it reads now are about: the hunks that would change something
// there. ok is false where the proposal leaves nothing to decide on in the file; the hunks are none where all of them are
// meant, or none is.
func PartIn(p *proposal.Proposal, path, now string, start, end int) (part Part, ok bool) {
	f, found := p.File(path)
	if !found {
		return Part{}, false
	}
	open := f.Undecided()
	if len(open) == 0 {
		return Part{}, false
	}
	part.Files = []string{f.Path()}
	if len(open) == 1 || f.Change.Op != edits.OpUpdate {
		return part, true
	}
	typed := edits.Diff(f.Change.Before, now)
	for _, h := range f.Hunks {
		if !decidable(f, h.Number) {
			continue
		}
		from, to := followed(typed, now, h.OldStart, h.OldEnd)
		if from == to { // new lines are at the line before which they come
			to += strings.IndexByte(now[to:]+"\n", '\n') + 1
		}
		if from <= end && start < to {
			part.Hunks = append(part.Hunks, h.Number)
		}
	}
	if len(part.Hunks) == len(open) {
		part.Hunks = nil
	}
	return part, true
}
