package record

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"coauthor/repomap/imports"
	"coauthor/repomap/syntax/tag"
	"coauthor/repomap/vocab"
)

// Draft is a record before its words have numbers: what a worker can make without a lock.
type Draft struct {
	Record
	text  []string // the terms
	names []string // of the definitions

	moreNames []string // of those beyond the limit
	Bytes     int      // of the text that was read
}

// Memory is what the reading of a file needs beside its draft: used for one file after the other, since
// the lists of most files are of a size. What lies in it is rubbish; the zero value is ready.
type Memory struct {
	Texts  []byte // of the files that were read together
	terms  termTable
	counts []uint8
	inside []inside
	bodies [][]uint16
	forms  []form
	open   []int
}

// inside is where a term was seen last: the definition, and the type.
type inside struct{ def, container int32 }

// form says what the text of a definition is.
type form uint8

const (
	blockForm     form = iota
	containerForm      // without what stands in the definitions inside it
	tableForm          // a value of several lines
	lineForm           // of data, which is but its name
)

func formOf(t tag.Tag) form {
	switch {
	case t.Kind.Container():
		return containerForm
	case !Value(t.Kind):
		return blockForm
	case t.Last > t.First:
		return tableForm
	}
	return lineForm
}

// NewDraft reads one file. It holds no reference to src, nor to memory.
func NewDraft(path, id string, c Class, src []byte, tags []tag.Tag, memory *Memory) *Draft {
	d := &Draft{Record: Record{Path: path, ID: id, Class: c}, Bytes: len(src)}
	if len(src) > MaxText || bytes.IndexByte(src[:min(len(src), 8000)], 0) >= 0 {
		return d
	}
	if isMade(path, src, c != Prose) {
		d.Class = Made
	}
	kept := d.define(src, tags)
	d.Signatures += imports.Of(path, src)
	d.read(src, kept, memory)
	return d
}

// define fills in the definitions, outer ones first, and gives the tags of those that are kept.
func (d *Draft) define(src []byte, tags []tag.Tag) (kept []tag.Tag) {
	var open []int // the definitions around the current one
	var text strings.Builder
	values := 0
	d.makeRoom(tags)
	kept = make([]tag.Tag, 0, cap(d.Defs))
	for _, t := range tags {
		if !t.Def || t.Start < 0 || t.End > len(src) || t.Start > t.End {
			continue
		}
		if Value(t.Kind) {
			values++
		}
		if len(kept) >= maxDefs || Value(t.Kind) && values > maxValues {
			if len(d.moreNames) < maxTerms {
				d.moreNames = append(d.moreNames, t.Name)
			}
			continue
		}
		for len(open) > 0 && int(d.Defs[open[len(open)-1]].Last) < t.Last {
			open = open[:len(open)-1]
		}
		parent := int16(-1)
		if len(open) > 0 {
			parent = int16(open[len(open)-1])
		}
		open = append(open, len(d.Defs))
		if !Value(t.Kind) || values <= maxTold {
			text.WriteString(signature(src, t))
		}
		d.Defs = append(d.Defs, Definition{Kind: kindOf(t.Kind), First: uint32(t.First), Last: uint32(t.Last),
			Parent: parent, signed: uint32(text.Len())})
		d.names = append(d.names, t.Name)
		kept = append(kept, t)
	}
	d.Signatures = text.String()
	return kept
}

// makeRoom makes lists for as many definitions as may be kept.
func (d *Draft) makeRoom(tags []tag.Tag) {
	defs, values := 0, 0
	for _, t := range tags {
		switch {
		case !t.Def:
		case Value(t.Kind):
			values++
		default:
			defs++
		}
	}
	if n := min(maxDefs, defs+min(maxValues, values)); n > 0 {
		d.Defs, d.names = make([]Definition, 0, n), make([]string, 0, n)
	}
	if n := min(maxTerms, defs+values-cap(d.Defs)); n > 0 {
		d.moreNames = make([]string, 0, n)
	}
}

// read collects the words of the text, and of each definition's text. A type's text is what stands in no
// function and in no other type inside it: with the words of all its methods it would match whatever one
// of them does.
func (d *Draft) read(src []byte, tags []tag.Tag, m *Memory) {
	m.begin(src, tags)
	open := m.open[:0]
	ends := math.MaxInt // the least end of an open definition
	next := 0
	vocab.Words(src, func(start, end int) {
		d.Words++
		for next < len(tags) && tags[next].Start <= start {
			if m.forms[next] != lineForm {
				open, ends = append(open, next), min(ends, tags[next].End)
			}
			next++
		}
		n, ok := m.term(start, end)
		if !ok {
			return
		}
		if ends <= start {
			open = slices.DeleteFunc(open, func(def int) bool { return tags[def].End <= start })
			ends = math.MaxInt
			for _, def := range open {
				ends = min(ends, tags[def].End)
			}
		}
		if len(open) > 0 {
			m.enter(n, open)
		}
	})
	m.open = open
	m.give(d, tags)
}

// begin makes room for the words of a text with these definitions.
func (m *Memory) begin(src []byte, tags []tag.Tag) {
	m.terms.begin(src)
	m.counts, m.inside, m.forms = m.counts[:0], m.inside[:0], m.forms[:0]
	for _, t := range tags {
		m.forms = append(m.forms, formOf(t))
	}
	for len(m.bodies) < len(tags) {
		m.bodies = append(m.bodies, nil)
	}
	for def := range tags {
		m.bodies[def] = m.bodies[def][:0]
	}
}

// term counts a word. ok is false for a new one where there are too many.
func (m *Memory) term(start, end int) (n uint16, ok bool) {
	n, ok = m.terms.number(start, end)
	if !ok {
		return 0, false
	}
	if int(n) == len(m.counts) {
		m.counts, m.inside = append(m.counts, 0), append(m.inside, inside{-1, -1})
	}
	if m.counts[n] < math.MaxUint8 {
		m.counts[n]++
	}
	return n, true
}

// enter puts a term into the texts of the open definitions, outer ones first.
func (m *Memory) enter(n uint16, open []int) {
	seen := &m.inside[n]
	inner := true // no function and no type lies between the word and the definition
	for k := len(open) - 1; k >= 0; k-- {
		def := int32(open[k])
		switch f := m.forms[def]; {
		case f == containerForm:
			if inner && seen.container != def {
				m.bodies[def] = append(m.bodies[def], n)
				seen.container = def
			}
			inner = false
		case seen.def < def:
			// Definitions are numbered by their start, so a term that was last seen in this one or
			// in a later one, which lies inside it, has been counted here.
			m.bodies[def] = append(m.bodies[def], n)
			inner = inner && f != blockForm
		default:
			inner = inner && f != blockForm
		}
	}
	seen.def = max(seen.def, int32(open[len(open)-1]))
}

// give puts what was collected into a draft.
func (m *Memory) give(d *Draft, tags []tag.Tag) {
	d.text, d.Counts = m.terms.texts(), slices.Clone(m.counts)
	total := 0
	for def := range tags {
		if m.forms[def] == containerForm { // a type inside it may have come between two places of a term
			slices.Sort(m.bodies[def])
			m.bodies[def] = slices.Compact(m.bodies[def])
		}
		total += len(m.bodies[def])
	}
	if len(tags) == 0 {
		return
	}
	d.Body, d.BodyEnd = make([]uint16, 0, total), make([]uint32, 0, len(tags))
	for _, body := range m.bodies[:len(tags)] {
		d.Body = append(d.Body, body...)
		d.BodyEnd = append(d.BodyEnd, uint32(len(d.Body)))
	}
}

// Finish numbers the words.
func (d *Draft) Finish(s *vocab.Symbols) *Record {
	r := d.Record
	r.Terms = s.AddAll(d.text, make([]uint32, 0, len(d.text)))
	for i, n := range s.AddAll(d.names, make([]uint32, 0, len(d.names))) {
		r.Defs[i].Name = n
	}
	r.More = s.AddAll(d.moreNames, nil)
	return &r
}
