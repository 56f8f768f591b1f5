package repomap

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"coauthor/repomap/syntax/tag"
)

// record is all that is known of one file. It is immutable once it is in a state.
type record struct {
	path  string
	id    string // of the listing, or of the overlay
	class class
	words int // in the text, with repetitions

	terms  []uint32 // distinct words, in order of their first place
	counts []uint8  // how often, up to 255
	refs   []uint16 // of terms: those that the grammar calls references; empty: no grammar said so

	defs    []definition
	body    []uint16 // for each definition the distinct terms of its text, as places in terms
	bodyEnd []uint32 // end of each definition's part of body
}

// definition is one name that a file defines.
type definition struct {
	name              uint32
	kind              tag.Kind
	line, first, last int32
	parent            int32 // index of the definition around it, or -1
	signature         string
}

func (r *record) bodyOf(def int) []uint16 {
	start := uint32(0)
	if def > 0 {
		start = r.bodyEnd[def-1]
	}
	return r.body[start:r.bodyEnd[def]]
}

// class says what kind of file a path is, by its name alone.
type class uint8

const (
	code class = iota
	test
	prose    // documents and data
	vendored // third-party or generated
)

const (
	maxTerms     = 1 << 16 // distinct words of a file that are kept
	maxDefs      = 20_000  // definitions of a file that are kept
	maxText      = 4 << 20 // a larger file is only known by its path
	maxSignature = 160     // of a definition, in runes; the layout may cut more
)

// draft is a record before its words have numbers: what a worker can make without a lock.
type draft struct {
	record
	text  []string // the terms
	names []string // of the definitions
}

// newDraft reads one file. It holds no reference to src.
func newDraft(file File, c class, src []byte, tags []Tag) *draft {
	d := &draft{record: record{path: file.Path, id: file.ID, class: c}}
	if len(src) > maxText || bytes.IndexByte(src[:min(len(src), 8000)], 0) >= 0 {
		return d
	}
	d.define(src, tags)
	d.read(src, tags)
	return d
}

// define fills in the definitions, outer ones first.
func (d *draft) define(src []byte, tags []Tag) {
	var open []int // the definitions around the current one
	for _, t := range tags {
		if !t.Def || t.Start < 0 || t.End > len(src) || t.Start > t.End || len(d.defs) >= maxDefs {
			continue
		}
		for len(open) > 0 && int(d.defs[open[len(open)-1]].last) < t.Last {
			open = open[:len(open)-1]
		}
		parent := int32(-1)
		if len(open) > 0 {
			parent = int32(open[len(open)-1])
		}
		open = append(open, len(d.defs))
		d.defs = append(d.defs, definition{kind: t.Kind, line: int32(t.Line), first: int32(t.First), last: int32(t.Last),
			parent: parent, signature: signature(src, t)})
		d.names = append(d.names, t.Name)
	}
}

// read collects the words of the text, and of each definition's text.
func (d *draft) read(src []byte, tags []Tag) {
	spans := make([]Tag, 0, len(d.defs))
	for _, t := range tags {
		if t.Def && t.Start >= 0 && t.End <= len(src) && t.Start <= t.End && len(spans) < maxDefs {
			spans = append(spans, t)
		}
	}
	known := make(map[string]uint16, 256)
	bodies := make([][]uint16, len(spans))
	last := make(map[uint32]bool) // definition<<16 | term
	var open []int
	next := 0
	words(src, func(start, end int) {
		d.words++
		for next < len(spans) && spans[next].Start <= start {
			open = append(open, next)
			next++
		}
		n, ok := known[string(src[start:end])]
		if !ok {
			if len(d.text) >= maxTerms {
				return
			}
			n = uint16(len(d.text))
			text := string(src[start:end])
			known[text] = n
			d.text = append(d.text, text)
			d.counts = append(d.counts, 0)
		}
		if d.counts[n] < 255 {
			d.counts[n]++
		}
		kept := open[:0]
		for _, def := range open {
			if spans[def].End <= start {
				continue
			}
			kept = append(kept, def)
			if key := uint32(def)<<16 | uint32(n); !last[key] {
				last[key] = true
				bodies[def] = append(bodies[def], n)
			}
		}
		open = kept
	})
	for _, body := range bodies {
		d.body = append(d.body, body...)
		d.bodyEnd = append(d.bodyEnd, uint32(len(d.body)))
	}
	seen := map[uint16]bool{}
	for _, t := range tags {
		if n, ok := known[t.Name]; !t.Def && ok && !seen[n] {
			seen[n] = true
			d.refs = append(d.refs, n)
		}
	}
	slices.SortFunc(d.refs, func(a, b uint16) int { return cmp.Compare(a, b) })
}

// finish numbers the words.
func (d *draft) finish(s *symbols) *record {
	r := d.record
	r.terms = s.addAll(d.text, make([]uint32, 0, len(d.text)))
	for i, n := range s.addAll(d.names, make([]uint32, 0, len(d.names))) {
		r.defs[i].name = n
	}
	return &r
}

// signature is the head of a definition on one line: from the line of its name, on over the lines
// of an open bracket, without the brace that opens the body.
func signature(src []byte, t Tag) string {
	from := t.Start
	for line := t.First; line < t.Line && from < len(src); line++ {
		i := bytes.IndexByte(src[from:], '\n')
		if i < 0 {
			break
		}
		from += i + 1
	}
	if line := bytes.LastIndexByte(src[:from], '\n') + 1; len(bytes.TrimSpace(src[line:from])) < 30 {
		from = line // `export`, `static int`: what stands before the node on its line
	}
	var b strings.Builder
	depth := 0
	for n := 0; n < 12 && from < len(src) && b.Len() < 2*maxSignature; n++ {
		end := len(src)
		if i := bytes.IndexByte(src[from:], '\n'); i >= 0 {
			end = from + i
		}
		part := strings.Join(strings.Fields(strings.ToValidUTF8(string(src[from:min(end, from+400)]), "")), " ")
		if b.Len() > 0 && part != "" && !strings.HasSuffix(b.String(), "(") && part[0] != ')' {
			b.WriteByte(' ')
		}
		b.WriteString(part)
		for _, c := range part {
			switch c {
			case '(', '[':
				depth++
			case ')', ']':
				depth--
			}
		}
		from = end + 1
		if depth <= 0 {
			break
		}
	}
	s := strings.TrimRight(b.String(), " \t")
	for _, end := range []string{"{}", "{", "=>", ":", "=", ";", "\\", "("} {
		s = strings.TrimRight(strings.TrimSuffix(s, end), " ")
	}
	return shorten(s, maxSignature)
}

// shorten cuts s to n runes, the last of them an ellipsis.
func shorten(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	runes := 0
	for i := range s {
		if runes == n-1 {
			return strings.TrimRight(s[:i], " ") + "…"
		}
		runes++
	}
	return s
}

// classify looks at a path alone.
func classify(p string, isCode bool) class {
	base := path.Base(p)
	for dir := path.Dir(p); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if vendorDirs[strings.ToLower(path.Base(dir))] {
			return vendored
		}
	}
	lower := strings.ToLower(base)
	for _, mark := range []string{".min.", ".pb.", "_pb2.", ".generated.", "_generated.", "-lock.", ".lock", "zz_generated", ".bundle."} {
		if strings.Contains(lower, mark) {
			return vendored
		}
	}
	if !isCode {
		return prose
	}
	if isTest(p, lower) {
		return test
	}
	return code
}

var vendorDirs = map[string]bool{"vendor": true, "node_modules": true, "third_party": true, "third-party": true,
	"thirdparty": true, "bower_components": true, "deps": true, "dist": true, "external": true, "site-packages": true,
	".yarn": true, "_vendor": true, "vendored": true}

func isTest(p, base string) bool {
	stem := strings.TrimSuffix(base, path.Ext(base))
	if strings.HasSuffix(stem, "_test") || strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, ".test") ||
		strings.HasSuffix(stem, ".spec") || strings.HasSuffix(stem, "_spec") || stem == "conftest" {
		return true
	}
	for dir := path.Dir(p); dir != "." && dir != "/"; dir = path.Dir(dir) {
		switch strings.ToLower(path.Base(dir)) {
		case "test", "tests", "testing", "testdata", "__tests__", "spec", "e2e":
			return true
		}
	}
	return false
}
