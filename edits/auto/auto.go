// Package auto reads a reply in the form in which it is written, whatever was asked for, also where
// one reply mixes two.
//
// Models answer in the form they know best. The parser cuts the reply into stretches of one form each
// (route.go), and hands each to the parser of its form; the others see blank lines there, so that all
// count lines alike. Prose and listings go to all. What was asked for decides where a line could be
// read in two ways: asked for whole files, a listing is content unless it shows other markup; asked for
// anything else, a listing counts only where it surely is a file (listings.go).
//
// edits/formats lists it, and puts it around every other format. Start at New and Around.
package auto

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"coauthor/edits"
	"coauthor/edits/patch"
	"coauthor/edits/searchreplace"
	"coauthor/edits/udiff"
	"coauthor/edits/wholefile"
)

// Form is a way of writing edits. Several formats share one.
type Form int

// The forms. Unasked is none in particular.
const (
	Unasked  Form = iota
	Blocks        // SEARCH/REPLACE
	Listings      // whole files
	Diff          // unified, with numbers or without
	Patch         // V4A
	Call          // the arguments of a tool call
	forms
)

// String names the form for users.
func (f Form) String() string {
	return [forms]string{"edits", "SEARCH/REPLACE blocks", "whole files", "a unified diff", "a V4A patch", "a tool call"}[f]
}

// New returns a parser that recognises the form, whatever it is.
func New(o edits.ParseOptions) edits.Parser { return newParser(o, Unasked, nil) }

// Around lets the formats of one form be read in every form.
func Around(form Form, rows []edits.Format) []edits.Format {
	rows = slices.Clone(rows)
	for i := range rows {
		own := rows[i].New
		rows[i].New = func(o edits.ParseOptions) edits.Parser { return newParser(o, form, own) }
	}
	return rows
}

// parser reads a reply. Where it is in the reply stands in at.
type parser struct {
	o       edits.ParseOptions
	asked   Form
	readers [forms]*reader
	recent  recent
	size    int
	lines   int // lines that the readers were given
	text    strings.Builder
	from    int     // in text, where the line begins that has not ended yet
	held    []byte  // lines whose form is not known yet
	pending string  // the ones after those and before the line that is being read
	to      stretch // where the line before went
	at      position
	fresh   []edits.Edit
	fences  []namedFence // with markup in them, in this order
	named   []int        // first lines of the listings that came below a name, in this order
	calls   []edits.Edit // of tool calls that are written out
	began   bool         // something that is no blank came
	direct  bool         // the whole reply goes to the parser of what was asked
	// What is known of files, and how many bytes of them were compared with listings.
	markup   map[markupOf]bool
	compared int
}

func newParser(o edits.ParseOptions, asked Form, own func(edits.ParseOptions) edits.Parser) *parser {
	if o.Files != nil {
		o.Files = remembered{o.Files, map[string]bool{}}
	}
	p := &parser{o: o, asked: asked}
	if own == nil { // what shows no form is read as whole files
		asked, own = Listings, wholefile.New
	}
	p.readers[asked] = newReader(asked, own(o))
	return p
}

// remembered are files of which each name is looked for once.
type remembered struct {
	edits.Files
	there map[string]bool
}

// Exists says whether there is a file.
func (r remembered) Exists(path string) bool {
	there, known := r.there[path]
	if !known {
		there = r.Files.Exists(path)
		r.there[path] = there
	}
	return there
}

// parserOf makes the parser of a form that was not asked for.
func (p *parser) parserOf(f Form) edits.Parser {
	switch f {
	case Blocks:
		return searchreplace.New(p.o)
	case Diff:
		return udiff.NewRenaming(p.o)
	case Patch:
		return patch.New(p.o)
	default:
		return wholefile.New(p.o)
	}
}

// Write takes the next piece.
func (p *parser) Write(piece string) []edits.Edit {
	p.fresh = nil
	p.size += len(piece)
	if p.size > edits.MaxReply {
		return nil
	}
	if !p.began {
		text := strings.TrimSpace(piece)
		p.began = text != ""
		p.direct = p.asked == Call && strings.HasPrefix(text, "{")
	}
	if p.direct {
		return p.readers[p.asked].Write(piece)
	}
	end := 0
	if strings.IndexByte(piece, '\n') >= 0 { // faster than to look for the last one
		end = strings.LastIndexByte(piece, '\n') + 1
	}
	switch {
	case end == 0:
	case p.from < p.text.Len():
		p.keep(piece[:end])
		p.take(p.partial())
		p.from = p.text.Len()
	default:
		p.take(piece[:end])
	}
	p.keep(piece[end:])
	p.ofFences(p.fresh)
	p.placed(p.fresh)
	return p.fresh
}

// placed gives edits their paths below the root, as far as their names are such.
func (p *parser) placed(list []edits.Edit) {
	for i := range list {
		for _, written := range []*string{&list[i].Path, &list[i].From, &list[i].To} {
			if at, below := p.o.Path(*written, p.o.Known); below {
				*written = at
			}
		}
	}
}

// keep adds to the line that has not ended yet. One text holds many lines, so that few texts are made.
func (p *parser) keep(piece string) {
	const least = 1 << 10
	if partial := p.partial(); p.text.Cap()-p.text.Len() < len(piece) {
		p.text = strings.Builder{}
		p.text.Grow(max(2*(len(partial)+len(piece)), least))
		p.text.WriteString(partial)
		p.from = 0
	}
	p.text.WriteString(piece)
}

// partial is the line that has not ended yet.
func (p *parser) partial() string { return p.text.String()[p.from:] }

// take reads whole lines. Lines one after the other that go to the same place are handed on together.
func (p *parser) take(text string) {
	from := 0
	for at := 0; at < len(text); {
		line, end := text[at:], len(text)
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line, end = line[:i], at+i+1
		}
		if n := len(line); n > 0 && line[n-1] == '\r' {
			line = line[:n-1]
		}
		p.pending = text[from:at]
		to, held := p.route(line)
		switch {
		case held != undecided:
			p.held = append(p.held, p.pending...)
			p.release(held)
			from = at
		case to != p.to:
			p.hand(text[from:at], p.to)
			from = at
		}
		p.to = to
		at = end
	}
	p.hand(text[from:], p.to)
}

// hand gives lines to where they go.
func (p *parser) hand(text string, to stretch) {
	if text == "" {
		return
	}
	if to == undecided {
		p.held = append(p.held, text...)
		return
	}
	of := to.form()
	if to == listing {
		of = Listings
	}
	if of != Unasked && p.readers[of] == nil {
		r := newReader(of, p.parserOf(of))
		r.missed = p.lines - p.recent.lines
		r.read(p.recent.text())
		p.readers[of] = r
	}
	n := strings.Count(text, "\n")
	p.lines += n
	p.recent.add(text, n, to)
	all := to == prose || to == listing
	for f, r := range p.readers {
		switch {
		case r == nil:
		case all || of == Form(f):
			p.see(Form(f), r.read(text))
		default:
			r.missed += n
		}
	}
}

// release hands over what was held.
func (p *parser) release(to stretch) {
	text := string(p.held)
	p.held = p.held[:0]
	p.hand(text, to)
}

// see notes edits that a reader has completed.
func (p *parser) see(f Form, list []edits.Edit) {
	if f != Listings || p.asked == Listings {
		p.freshen(list)
	}
	if f != Listings {
		return
	}
	for _, e := range list {
		p.named = append(p.named, e.First)
	}
}

// isNamed says whether a listing came below a name.
func (p *parser) isNamed(e edits.Edit) bool {
	_, ok := slices.BinarySearch(p.named, e.First)
	return ok
}

// freshen adds to what the next Write returns. Most often only one parser has anything.
func (p *parser) freshen(list []edits.Edit) {
	if len(p.fresh) == 0 {
		p.fresh = list[:len(list):len(list)]
		return
	}
	p.fresh = append(p.fresh, list...)
}

// Close ends the reply.
func (p *parser) Close(how edits.Ending) ([]edits.Edit, []edits.Problem) {
	if p.size > edits.MaxReply {
		return nil, []edits.Problem{{Edit: -1, Reason: edits.ReasonTooLong, First: 1, Last: 1,
			Message: fmt.Sprintf("the reply has more than %d bytes; ask for less at a time", edits.MaxReply)}}
	}
	if p.direct {
		list, wrong := p.readers[p.asked].Close(how)
		p.placed(list)
		return list, wrong
	}
	p.take(p.partial())
	p.endHeld(how)
	var lists [forms][]edits.Edit
	var problems [forms][]edits.Problem
	for f, r := range p.readers {
		if r != nil {
			r.catchUp()
			lists[f], problems[f] = r.Close(how)
		}
	}
	lists[Call] = append(lists[Call], p.calls...)
	for _, list := range lists {
		p.ofFences(list)
		p.placed(list)
	}
	p.withdrawShown(&lists, &problems)
	if p.asked == Listings || p.asked == Unasked {
		p.withdrawDoubtful(&lists, &problems)
	}
	p.settle(&lists, &problems)
	return p.merge(lists, problems)
}

// merge puts what the readers found in the order of the reply, and says what came in another form than
// the asked one.
func (p *parser) merge(lists [forms][]edits.Edit, problems [forms][]edits.Problem) ([]edits.Edit, []edits.Problem) {
	n, of := 0, p.asked
	for f := range lists {
		if len(lists[f])+len(problems[f]) > 0 {
			n++
			of = Form(f)
		}
		if len(lists[f]) > 0 && p.asked != Unasked && Form(f) != p.asked {
			p.remark(&lists[f][0], Form(f))
		}
	}
	if n <= 1 && (of != Call || len(p.calls) == 0) {
		return lists[of], problems[of]
	}
	var all []edits.Edit
	var wrong []edits.Problem
	for f := range lists {
		all = append(all, lists[f]...)
		wrong = append(wrong, problems[f]...)
	}
	slices.SortStableFunc(all, func(x, y edits.Edit) int { return cmp.Compare(x.First, y.First) })
	slices.SortStableFunc(wrong, func(x, y edits.Problem) int { return cmp.Compare(x.First, y.First) })
	for i := range all {
		all[i].Index = i
	}
	for i := range wrong {
		wrong[i].Edit = -1 // the number was one among the edits of its form
	}
	return all, wrong
}

// remark says of an edit that it came in a form that was not asked for.
func (p *parser) remark(e *edits.Edit, f Form) {
	e.Note = fmt.Sprintf("the model used %s instead of %s; its edits were read anyway", f, p.asked)
}
