package auto

import (
	"slices"
	"strings"

	"coauthor/edits"
	"coauthor/edits/function"
	"coauthor/edits/name"
)

// kinds are the kinds of markup by the form that they show.
var kinds = map[stretch]edits.Markup{blocks: edits.MarkupBlock, diff: edits.MarkupDiff, operations: edits.MarkupPatch}

// mayHold says whether a listing that was asked for may hold markup of another form as its content:
// the file is made of such lines, or has some.
func (p *parser) mayHold(form stretch) bool {
	if p.asked != Listings {
		return false
	}
	named := p.fenceName(p.at)
	if edits.HoldsMarkup(named, kinds[form]) {
		return true
	}
	file, ok := p.file(named)
	if !ok {
		return false
	}
	q := markupOf{file, kinds[form]}
	has, known := p.markup[q]
	if !known {
		text, err := p.o.Files.Read(file)
		has = err == nil && edits.HasMarkup(text, q.kind)
		if p.markup == nil {
			p.markup = map[markupOf]bool{}
		}
		p.markup[q] = has
	}
	return has
}

// fenceName is the name that a fenced block has, "" for none.
func (p *parser) fenceName(at position) string {
	if found, ok := name.Info(at.fence.Info, p.o.Known); ok {
		return found
	}
	found, _ := name.Line(at.name, p.o.Known)
	return found
}

// file is the file that a name stands for; false when there is none.
func (p *parser) file(written string) (string, bool) {
	if p.o.Files == nil || written == "" {
		return "", false
	}
	at, below := p.o.Path(written, p.o.Known)
	return at, below && p.o.Files.Exists(at)
}

// wholeFence decides about the fenced block that has just ended and is held without its last line.
func (p *parser) wholeFence(at position) (to, held stretch) {
	p.held = append(p.held, p.pending...)
	p.pending = ""
	_, text, _ := strings.Cut(string(p.held), "\n")
	if at.mark == undecided {
		if p.fenceName(at) == "" && p.asCall(text, p.lines+1) {
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
	file, ok := p.file(p.fenceName(at))
	if !ok {
		return content, content
	}
	if before, ok := p.read(file); ok && edits.HasHalf(unmarked(before), text) {
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
	f := function.New(p.o)
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

// settle weighs the listings against what came in other forms.
func (p *parser) settle(lists *[forms][]edits.Edit, problems *[forms][]edits.Problem) {
	passed := p.passOverCalls(lists)
	others, wrong := 0, 0
	for f := range lists {
		if Form(f) != Listings {
			others += len(lists[f])
			wrong += len(problems[f])
		}
	}
	switch {
	case p.asked == Unasked && others == 0 && wrong == 0:
	case p.asked == Listings && others > 0:
		// Beside edits, what has no name is an illustration.
		lists[Listings] = slices.DeleteFunc(lists[Listings], func(e edits.Edit) bool { return !p.isNamed(e) })
		problems[Listings] = slices.DeleteFunc(problems[Listings], func(x edits.Problem) bool { return x.Reason == edits.ReasonNoName })
	case p.asked == Listings:
	default:
		if p.asked == Call && len(lists[Call]) == 0 {
			wrong -= len(problems[Call]) // most likely the braces of a listing
		}
		lists[Listings] = p.files(lists, others+wrong == 0)
		problems[Listings] = nil // code beside edits, or in an answer
		if p.asked == Call && len(lists[Call]) == 0 && others+len(lists[Listings]) > 0 {
			problems[Call] = nil
		}
	}
	problems[Call] = append(problems[Call], passed...)
}

// passOverCalls refuses the whole files of calls that nobody offered, where the text of the reply edits the same file.
func (p *parser) passOverCalls(lists *[forms][]edits.Edit) (passed []edits.Problem) {
	if p.asked == Call || len(p.calls) == 0 {
		return nil
	}
	edited := map[string]bool{}
	for f := range lists {
		for _, e := range lists[f] {
			if Form(f) != Call {
				edited[p.meansFile(e)] = true
			}
		}
	}
	lists[Call] = slices.DeleteFunc(lists[Call], func(e edits.Edit) bool {
		if e.Kind != edits.KindWhole || !edited[p.meansFile(e)] && !edited[""] { // an edit without a name may be of any file
			return false
		}
		passed = append(passed, edits.Problem{Edit: -1, Path: e.Path, Reason: edits.ReasonMalformed, First: e.First, Last: e.Last,
			Message: "the tool call was not offered, and the text edits the same file; write all edits of it in the text"})
		return true
	})
	return passed
}

// meansFile is the file that an edit is for, as far as its name tells.
func (p *parser) meansFile(e edits.Edit) string {
	name := p.nameOf(e)
	if file, ok := p.file(name); ok {
		return file
	}
	return name
}

// files are the listings that are files, where none were asked for. alone says that nothing in the reply is an edit, or was
// meant to be one.
func (p *parser) files(lists *[forms][]edits.Edit, alone bool) []edits.Edit {
	if p.o.Files == nil || len(lists[Listings]) == 0 {
		return nil
	}
	edited := map[string]bool{}
	for f := range lists {
		for _, e := range lists[f] {
			if Form(f) == Listings {
				continue
			}
			if file, ok := p.file(p.nameOf(e)); ok {
				edited[file] = true
			}
			edited[""] = edited[""] || e.Path == "" // it may be of any file
		}
	}
	var out []edits.Edit
	for _, e := range lists[Listings] {
		file, ok := p.file(p.nameOf(e))
		switch {
		case strings.TrimSpace(e.Replace) == "":
		case !ok: // a new file needs a name
			if e.Path != "" && (p.isNamed(e) || slices.Contains(p.o.Chat, e.Path)) {
				out = append(out, e)
			}
		case edited[file] || edited[""]: // the listing shows what the edits make of it
		case p.isAgain(file, e, alone):
			out = append(out, e)
		}
	}
	return out
}

// nameOf is the name of an edit; without one it is that of the one chat file.
func (p *parser) nameOf(e edits.Edit) string {
	if e.Path == "" && len(p.o.Chat) == 1 {
		return p.o.Chat[0]
	}
	return e.Path
}

// isAgain says whether a listing is a file again as a whole: it has half of its lines, and stands below its name or alone.
// What it leaves out is for the guard against loss.
func (p *parser) isAgain(file string, e edits.Edit, alone bool) bool {
	if !alone && !p.isNamed(e) {
		return false
	}
	before, ok := p.read(file)
	return ok && edits.HasHalf(before, e.Replace)
}

// maxCompared is how many bytes of files are compared with the listings of one reply.
const maxCompared = 4 * edits.MaxReply

// read returns the text of a file that a listing is compared with. There is an end to that: a reply
// can hold any number of listings of a large file.
func (p *parser) read(file string) (string, bool) {
	if p.compared > maxCompared {
		return "", false
	}
	text, err := p.o.Files.Read(file)
	p.compared += len(text)
	return text, err == nil
}
