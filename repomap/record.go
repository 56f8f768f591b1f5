package repomap

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"coauthor/repomap/store"
	"coauthor/repomap/syntax/tag"
	"coauthor/repomap/vocab"
)

// record is all that is known of one file. It is immutable once it is in a state.
type record struct {
	owner *store.Lent // of the memory in which the lists lie; nil: they are our own

	path  string
	id    string // of the listing, or of the overlay
	class class
	words int // in the text, with repetitions

	terms  []uint32 // distinct words, in order of their first place
	counts []uint8  // how often, up to 255

	defs       []definition
	more       []uint32 // names that are defined too, in files with more definitions than anyone can read
	body       []uint16 // for each definition the distinct terms of its text, as places in terms; see read
	bodyEnd    []uint32 // end of each definition's part of body
	signatures string   // of all definitions, one after the other, and then what imports.Of gives
}

// definition is one name that a file defines. It is flat: large repositories have millions.
type definition struct {
	name        uint32
	first, last uint32 // lines
	signed      uint32 // end of its part of signatures
	parent      int16  // index of the definition around it, or -1
	kind        kind
}

// kind is a tag.Kind as a number, of a width that fills its word, so that a definition has no gaps.
type kind uint16

// kinds is the table behind kind. Snapshots hold its places, so new ones are added at the end.
var kinds = [...]tag.Kind{tag.Function, tag.Method, tag.Class, tag.Interface, tag.Type, tag.Enum, tag.Module, tag.Constant,
	tag.Variable, tag.Field, tag.Macro, tag.Heading, tag.Key}

func kindOf(k tag.Kind) kind { return kind(max(0, slices.Index(kinds[:], k))) }

func (k kind) tag() tag.Kind { return kinds[k] }

// value tells of kinds that are one line of data rather than a piece of program.
func value(k tag.Kind) bool {
	switch k {
	case tag.Constant, tag.Variable, tag.Field, tag.Macro, tag.Heading, tag.Key:
		return true
	case tag.Function, tag.Method, tag.Class, tag.Interface, tag.Type, tag.Enum, tag.Module, tag.Call, tag.Use:
	}
	return false
}

// defines calls f for the name of every definition.
func (r *record) defines(f func(name uint32)) {
	for _, d := range r.defs {
		f(d.name)
	}
	for _, name := range r.more {
		f(name)
	}
}

func (r *record) signature(def int) string {
	start := uint32(0)
	if def > 0 {
		start = r.defs[def-1].signed
	}
	return strings.Clone(r.signatures[start:r.defs[def].signed]) // it may outlive the record
}

// imports is what imports.Of gives of the file.
func (r *record) imports() string {
	if len(r.defs) == 0 {
		return r.signatures
	}
	return r.signatures[r.defs[len(r.defs)-1].signed:]
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
	vendored // third-party or, by its name, generated
	made     // generated, minified or locked by certain marks, or as the project says: nobody edits it
)

const (
	maxTerms  = 1 << 14 // distinct words of a file that are kept
	maxDefs   = 2_000   // definitions of a file that are kept with their place and text
	maxValues = 300     // of them constants, macros and the like
	maxText   = 4 << 20 // a larger file is only known by its path
	maxTold   = 60      // values of a file that are kept with their line
)

// renumber gives the record with the numbers that its words have in other symbols.
func (r *record) renumber(from *vocab.View, to *vocab.Symbols) *record {
	next := *r
	words := func(numbers []uint32) []uint32 {
		list := make([]string, len(numbers))
		for i, n := range numbers {
			list[i] = from.String(n)
		}
		return to.AddAll(list, make([]uint32, 0, len(list)))
	}
	next.terms, next.more = words(r.terms), words(r.more)
	names := make([]uint32, len(r.defs))
	for i, d := range r.defs {
		names[i] = d.name
	}
	next.defs = slices.Clone(r.defs)
	for i, n := range words(names) {
		next.defs[i].name = n
	}
	return &next
}

// classify looks at a path alone.
func classify(p string, isCode bool) class {
	if isLock(p) {
		return made
	}
	base := path.Base(p)
	for dir := path.Dir(p); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if vendorDirs[strings.ToLower(path.Base(dir))] {
			return vendored
		}
	}
	lower := strings.ToLower(base)
	for _, mark := range []string{".min.", ".pb.", "_pb2.", ".generated.", "_generated.", "-lock.", "zz_generated", ".bundle."} {
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

const (
	maxSignature = 100  // runes of what is kept of a value, and of a head that does not end
	maxHead      = 1000 // of the head of a function or type, which is kept whole
	maxHeadLines = 60   // that it may stand on
)

// signature is the head of a definition on one line: from the line of its name, on over the lines
// of an open bracket, without the brace that opens the body. A head is kept whole, or nobody could call it;
// what a value is set to is not.
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
	if value(t.Kind) {
		b, _ := headOf(src[from:], 2*maxSignature, 12)
		return shorten(trimHead(string(b)), maxSignature)
	}
	b, whole := headOf(src[from:], 2*maxHead, maxHeadLines)
	s := string(b)
	if t.Kind == tag.Function || t.Kind == tag.Method {
		s = withoutBody(s)
	}
	if s = trimHead(s); whole && utf8.RuneCountInString(s) <= maxHead {
		return s
	}
	return shorten(s, maxSignature)
}

// headOf joins the lines of src as far as the brackets go that open in them. whole says that they are closed
// within these bytes and lines; a function that is handed to another one has its body inside a bracket, and ends before it.
func headOf(src []byte, most, lines int) (b []byte, whole bool) {
	b = make([]byte, 0, 256)
	depth, from := 0, 0
	for n := 0; n < lines && from < len(src) && len(b) < most; n++ {
		end := len(src)
		if i := bytes.IndexByte(src[from:], '\n'); i >= 0 {
			end = from + i
		}
		start := len(b)
		b = appendFields(b, src[from:min(end, from+2*most)])
		cut := end-from > 2*most
		for _, c := range b[start:] {
			switch c {
			case '(', '[':
				depth++
			case ')', ']':
				depth--
			}
		}
		from = end + 1
		if depth > 0 && opensBody(b[start:]) {
			return b, true
		}
		if depth <= 0 && !goesOn(b) {
			return b, !cut
		}
	}
	return b, false
}

// opensBody says that a body begins at the end of a line.
func opensBody(line []byte) bool {
	line, ok := bytes.CutSuffix(line, []byte("{"))
	line = bytes.TrimRight(line, " ")
	return ok && (bytes.HasSuffix(line, []byte("=>")) || bytes.HasSuffix(line, []byte(")")))
}

// goesOn says that a list goes on in the next line though no bracket that is counted is open: types in angle brackets.
func goesOn(b []byte) bool {
	return len(b) > 0 && (b[len(b)-1] == '<' || b[len(b)-1] == ',' && bytes.IndexByte(b, '<') >= 0 && bytes.IndexByte(b, '(') < 0)
}

// trimHead takes off what leads over to the body.
func trimHead(s string) string {
	s = strings.ReplaceAll(strings.TrimRight(s, " \t"), ",)", ")")
	for _, end := range []string{"{}", "{", "=>", ":", "=", ";", "\\", "("} {
		s = strings.TrimRight(strings.TrimSuffix(s, end), " ")
	}
	return s
}

// appendFields appends the words of a line with one blank between them, and one before them, but for brackets.
func appendFields(b, line []byte) []byte {
	for _, c := range line {
		if c >= utf8.RuneSelf { // there are other blanks, and bytes that are no text
			line = []byte(strings.Join(strings.Fields(strings.ToValidUTF8(string(line), "")), " "))
			break
		}
	}
	blank := len(b) > 0 && b[len(b)-1] != '('
	first := true
	for _, c := range line {
		switch c {
		case ' ', '\t', '\v', '\f', '\r', '\n':
			blank = blank || !first
			continue
		}
		if blank && (!first || c != ')') {
			b = append(b, ' ')
		}
		b = append(b, c)
		blank, first = false, false
	}
	return b
}

// withoutBody cuts off the body of a function that stands on the line of its head.
func withoutBody(s string) string {
	depth := 0
	for i, c := range s {
		switch c {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case '{', '=':
			arrow := strings.HasPrefix(s[i:], "=>")
			if depth == 0 && i > 0 && s[i-1] == ' ' && (c == '{' || arrow && i+2 < len(s)) {
				if arrow {
					i += 2
				}
				return strings.TrimRight(s[:i], " ")
			}
		}
	}
	return s
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

// longestLine of program text that somebody wrote.
const longestLine = 20_000

// locks are the names of files that a package manager writes.
var locks = map[string]bool{"go.sum": true, "go.work.sum": true, "package-lock.json": true, "npm-shrinkwrap.json": true, "pnpm-lock.yaml": true, "bun.lockb": true,
	"package.resolved": true, "gradle.lockfile": true, "buildscript-gradle.lockfile": true, "packages.lock.json": true, "project.assets.json": true, ".terraform.lock.hcl": true, "conda-lock.yml": true}

// isLock tells by the name of a file that a package manager writes it.
func isLock(p string) bool {
	base := strings.ToLower(path.Base(p))
	return locks[base] || strings.HasSuffix(base, ".lock")
}

// isMade tells by certain marks that a program wrote the file: by the comment at its beginning that says so, or by lines as
// nobody writes them. The comment ends where the code begins, or a generator would be taken for what it makes.
func isMade(p string, src []byte, isCode bool) bool {
	if base := strings.ToLower(path.Base(p)); strings.Contains(base, ".min.") {
		return true
	}
	const most = 60
	n := 0
	for line := range bytes.Lines(src[:min(len(src), 8000)]) {
		text := bytes.TrimLeft(line, " \t/#*;<!-\"'%({\ufeff")
		if len(bytes.TrimSpace(line)) > 0 && len(text) == len(line) || n == most { // no sign of a comment before it
			break
		}
		n++
		if saysMade(text) {
			return true
		}
	}
	return isCode && minified(src)
}

// saysMade is what a line says that warns of changes by hand.
func saysMade(line []byte) bool {
	if i := bytes.Index(line, []byte("@generated")); i >= 0 {
		end := i + len("@generated")
		return end == len(line) || !vocab.InWord(line[end])
	}
	lower := bytes.ToLower(line)
	return bytes.Contains(lower, []byte("generated")) && (bytes.Contains(lower, []byte("do not edit")) || bytes.Contains(lower, []byte("do not modify")))
}

// minified says that a line is too long to be written by hand.
func minified(src []byte) bool {
	for len(src) > longestLine {
		i := bytes.LastIndexByte(src[:longestLine], '\n')
		if i < 0 {
			return true
		}
		src = src[i+1:]
	}
	return false
}
