// Package auto reads a reply in the form in which it is written, whatever was asked for, also where
// one reply mixes two.
//
// Models answer in the form they know best. The parser cuts the reply into stretches of one form each
// (route.go), and hands each to the parser of its form; the others see blank lines there, so that all
// count lines alike. Prose and listings go to all. What was asked for decides where a line could be
// read in two ways: asked for whole files, a listing is content unless it shows other markup; asked for
// anything else, a listing counts only where it surely is a file: that is weighed when the reply has ended (candidates.go).
//
// edits/formats lists it, and puts it around every other format. Start at New and Around.
package auto

import (
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
	asked   Form
	files   files
	readers [forms]*reader
	recent  recent
	size    int
	lines   int // lines that the readers were given
	begun   begunLine
	held    []byte  // lines whose form is not known yet
	pending string  // the ones after those and before the line that is being read
	to      stretch // where the line before went
	at      position
	fresh   []edits.Edit
	fences  fences       // with markup in them
	named   []int        // first lines of the listings that came below a name, in this order
	calls   []edits.Edit // of tool calls that are written out
	began   bool         // something that is no blank came
	direct  bool         // the whole reply goes to the parser of what was asked
}

func newParser(o edits.ParseOptions, asked Form, own func(edits.ParseOptions) edits.Parser) *parser {
	p := &parser{asked: asked, files: newFiles(o)}
	if own == nil { // what shows no form is read as whole files
		asked, own = Listings, wholefile.New
	}
	p.readers[asked] = newReader(asked, own(p.files.o))
	return p
}

// parserOf makes the parser of a form that was not asked for.
func (p *parser) parserOf(f Form) edits.Parser {
	switch f {
	case Blocks:
		return searchreplace.New(p.files.o)
	case Diff:
		return udiff.NewRenaming(p.files.o)
	case Patch:
		return patch.New(p.files.o)
	default:
		return wholefile.New(p.files.o)
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
	case p.begun.text() != "":
		p.begun.add(piece[:end])
		p.take(p.begun.text())
		p.begun.end()
	default:
		p.take(piece[:end])
	}
	p.begun.add(piece[end:])
	p.fences.name(p.fresh)
	p.files.placed(p.fresh)
	return p.fresh
}

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
		p.files.placed(list)
		return list, wrong
	}
	p.take(p.begun.text())
	p.endHeld(how)
	h := candidates{asked: p.asked, files: &p.files, fences: p.fences, named: p.named, calls: p.calls}
	for f, r := range p.readers {
		if r != nil {
			r.catchUp()
			h.lists[f], h.problems[f] = r.Close(how)
		}
	}
	h.lists[Call] = append(h.lists[Call], p.calls...)
	for _, list := range h.lists {
		p.fences.name(list)
		p.files.placed(list)
	}
	h.withdrawShown()
	if p.asked == Listings || p.asked == Unasked {
		h.withdrawDoubtful(p.readers[Listings].Parser)
	}
	h.settle()
	return h.merge()
}
