package auto

import (
	"slices"
	"strings"

	"coauthor/edits"
	"coauthor/edits/function"
)

// kinds are the kinds of markup by the form that they show.
var kinds = map[stretch]edits.Markup{blocks: edits.MarkupBlock, diff: edits.MarkupDiff, operations: edits.MarkupPatch}

// mayHold says whether a listing that was asked for may hold markup of another form as its content:
// the file is made of such lines, or has some.
func (p *parser) mayHold(form stretch) bool {
	return p.asked == Listings && p.files.hold(p.files.fenceName(p.at), kinds[form])
}

// wholeFence decides about the fenced block that has just ended and is held without its last line.
func (p *parser) wholeFence(at position) (to, held stretch) {
	p.held = append(p.held, p.pending...)
	p.pending = ""
	_, text, _ := strings.Cut(string(p.held), "\n")
	if at.mark == undecided {
		if p.files.fenceName(at) == "" && p.asCall(text, p.lines+1) {
			return nobody, nobody
		}
		return listing, listing
	}
	if p.quotes(text, edits.Ended) {
		return content, content
	}
	if !at.held {
		return at.mark, at.mark
	}
	file, ok := p.files.named(p.files.fenceName(at))
	if !ok {
		return content, content
	}
	if before, ok := p.files.read(file); ok && edits.HasHalf(unmarked(before), text) {
		return content, content
	}
	return at.mark, at.mark
}

// unmarked is a text without the lines that mark edits, which the edits of it have as well.
func unmarked(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if edits.MarkupOf(strings.TrimRight(line, "\r\n")) == "" {
			out.WriteString(line)
		}
	}
	return out.String()
}

// quotes says whether all markup in the text of a fenced block stands in literals. Where no listing was
// asked for, a literal without its end is none, unless the reply was cut.
func (p *parser) quotes(text string, how edits.Ending) bool {
	return !edits.ShowsMarkup(text) && (p.asked == Listings || how == edits.Cut || !edits.OpensLiteral(text))
}

// asCall reads a text as the arguments of a tool call whose line before is number above.
func (p *parser) asCall(text string, above int) bool {
	f := function.New(p.files.o)
	f.Write(text)
	list, problems := f.Close(edits.Ended)
	if len(list) == 0 || len(problems) > 0 || slices.ContainsFunc(list, func(e edits.Edit) bool { return e.Path == "" }) {
		return false
	}
	for i := range list {
		list[i].First += above
		list[i].Last = above + strings.Count(strings.TrimRight(text, "\n"), "\n") + 1
	}
	p.calls = append(p.calls, list...)
	return true
}

// endHeld hands over what is still held when the reply ends.
func (p *parser) endHeld(how edits.Ending) {
	at := p.at
	switch {
	case at.call && how == edits.Ended && p.asCall(string(p.held), p.lines):
		p.release(nobody)
	case at.call:
		text := string(p.held)
		p.held = nil
		p.at = position{in: prose, noCall: true, diffs: at.diffs}
		p.take(text)
		p.endHeld(how)
	case at.fence != nil && at.mark != undecided:
		if _, text, _ := strings.Cut(string(p.held), "\n"); p.quotes(text, how) {
			p.release(content)
			return
		}
		p.release(at.mark)
	case at.fence != nil:
		p.release(listing)
	default:
		p.release(prose)
	}
}
