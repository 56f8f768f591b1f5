package auto

import (
	"path"
	"slices"
	"strings"

	"coauthor/edits"
	"coauthor/edits/function"
	"coauthor/edits/reply"
)

// kinds are the kinds of markup by the form that they show.
var kinds = map[stretch]edits.Markup{blocks: edits.MarkupBlock, diff: edits.MarkupDiff, operations: edits.MarkupPatch}

// mayHold says whether a listing that was asked for may hold markup of another form as its content:
// the file has such lines, or the request speaks of them.
func (p *parser) mayHold(form stretch) bool {
	if p.asked != Listings {
		return false
	}
	name := p.fenceName(p.at)
	file, ok := p.file(name)
	if !ok {
		return p.o.Markup || edits.HoldsMarkup(name, kinds[form])
	}
	if p.o.Markup || edits.HoldsMarkup(name, kinds[form]) {
		return true
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
	if name, ok := reply.InfoName(at.fence.Info, p.o.Chat); ok {
		return name
	}
	name, _ := reply.Name(at.name, p.o.Chat)
	return name
}

// file finds the file that a name stands for; false when there is none.
func (p *parser) file(name string) (string, bool) {
	if p.o.Files == nil || name == "" {
		return "", false
	}
	if p.o.Files.Exists(name) {
		return name, true
	}
	found := ""
	for _, chat := range p.o.Chat {
		if strings.EqualFold(path.Base(chat), path.Base(name)) && p.o.Files.Exists(chat) {
			if found != "" {
				return "", false
			}
			found = chat
		}
	}
	return found, found != ""
}

// wholeFence decides about the fenced block that has just ended and is held without its last line.
func (p *parser) wholeFence(at position) (to, held stretch) {
	_, text, _ := strings.Cut(p.held.String()+p.pending, "\n")
	if at.mark == undecided {
		if p.fenceName(at) == "" && p.asCall(text, p.lines+1) {
			return nobody, nobody
		}
		return listing, listing
	}
	if !edits.ShowsMarkup(text) {
		return content, content
	}
	if !at.held {
		return at.mark, at.mark
	}
	file, ok := p.file(p.fenceName(at))
	if !ok {
		return content, content
	}
	if before, err := p.o.Files.Read(file); err == nil && edits.Resembles(before, text) {
		return content, content
	}
	return at.mark, at.mark
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
		list[i].Last = max(above+strings.Count(strings.TrimRight(text, "\n"), "\n")+1, list[i].First)
	}
	p.calls = append(p.calls, list...)
	return true
}

// endHeld hands over what is still held when the reply ends.
func (p *parser) endHeld(how edits.Ending) {
	if p.to != undecided || p.held.Len() == 0 {
		return
	}
	at := p.at
	switch {
	case at.call && how == edits.Ended && p.asCall(p.held.String(), p.lines):
		p.release(nobody)
	case at.call:
		text := p.held.String()
		p.held.Reset()
		p.at = position{in: prose, noCall: true, diffs: at.diffs}
		p.to = prose
		p.take(text)
		p.endHeld(how)
	case at.fence != nil && at.mark != undecided:
		p.release(at.mark)
	case at.fence != nil:
		p.release(listing)
	default:
		p.release(prose)
	}
}

// settle weighs the listings against what came in other forms.
func (p *parser) settle(lists *[forms][]edits.Edit, problems *[forms][]edits.Problem, how edits.Ending) {
	if p.readers[Listings] == nil && p.asked != Call {
		return
	}
	var others []edits.Edit
	wrong := 0
	for f := range lists {
		if Form(f) != Listings {
			others = append(others, lists[f]...)
			wrong += len(problems[f])
		}
	}
	if p.asked == Unasked && len(others) == 0 && wrong == 0 {
		return
	}
	if p.asked != Listings {
		if p.asked == Call && len(lists[Call]) == 0 {
			wrong -= len(problems[Call]) // most likely the braces of a listing
		}
		all := slices.Clone(lists[Listings])
		lists[Listings] = slices.DeleteFunc(lists[Listings], func(e edits.Edit) bool { return !p.isFile(e, all, others, wrong > 0) })
		problems[Listings] = nil // code beside edits, or in an answer
		if p.asked == Call && len(lists[Call]) == 0 && len(others)+len(lists[Listings]) > 0 {
			problems[Call] = nil
		}
		return
	}
	if len(others) == 0 {
		return
	}
	// Beside edits, what has no name is an illustration.
	lists[Listings] = slices.DeleteFunc(lists[Listings], func(e edits.Edit) bool { return !p.named[e.First] })
	problems[Listings] = slices.DeleteFunc(problems[Listings], func(x edits.Problem) bool { return x.Reason == edits.ReasonNoName })
}

// isFile says whether a listing, where none was asked for, surely is a file: one that is there and
// comes again as a whole, or a new one below its name.
func (p *parser) isFile(e edits.Edit, listings, others []edits.Edit, wrong bool) bool {
	if e.Note != "" || p.o.Files == nil || strings.TrimSpace(e.Replace) == "" {
		return false
	}
	name := e.Path
	if name == "" && len(p.o.Chat) == 1 {
		name = p.o.Chat[0]
	}
	file, ok := p.file(name)
	if !ok {
		return e.Path != "" && (p.named[e.First] || slices.Contains(p.o.Chat, e.Path))
	}
	same := func(o edits.Edit) bool {
		other, ok := p.file(o.Path)
		return o.Path == "" || ok && other == file
	}
	if slices.ContainsFunc(others, same) {
		return false // the listing shows what the edits make of it
	}
	before, err := p.o.Files.Read(file)
	if err != nil {
		return false
	}
	if edits.Resembles(before, e.Replace) {
		return true
	}
	alone := !wrong && !slices.ContainsFunc(listings, func(o edits.Edit) bool { return o.First != e.First && same(o) })
	return alone && p.named[e.First] && edits.Rewrites(before, e.Replace)
}
