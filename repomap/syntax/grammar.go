//go:build cgo

package syntax

// #cgo CFLAGS: -O2 -std=c11
// #include "scan.h"
// #include <stdlib.h>
import "C"

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"

	"coauthor/repomap/syntax/tag"
)

//go:embed queries/*.scm
var queryFiles embed.FS

// grammar is a language's parser tables with its compiled tag query.
type grammar struct {
	language *sitter.Language
	tables   unsafe.Pointer           // *TSLanguage
	defs     *matcher                 // the part of the query file before the references
	all      func() (*matcher, error) // made when first wanted: the index never does
	remarks  func() []byte            // symbol -> what coauthor_comments makes of it
}

// matcher is one compiled query.
type matcher struct {
	query    *sitter.Query
	compiled unsafe.Pointer // *TSQuery, owned by query
	captures []string       // capture id -> name
	kinds    []byte         // symbol -> what scan.c may skip; nil where it may skip nothing
	patterns []pattern
}

// references begins the second part of every query file.
const references = "\n; References"

// pattern is one pattern of a query: the tests that its matches must pass.
type pattern []test

const (
	maxTime    = time.Minute // for one file; the limit of work ends a parse within a second or two
	maxMatches = 1 << 20
	// The limit of work for one file, in bytes of memory that its grammar asks for, see arena.c. Real files
	// take 20 to 110 for each byte; C++ that is read as C takes up to 800.
	workBase    = 96 << 20
	workPerByte = 128
	maxErrors   = 200
)

// grammars holds what has been compiled so far: a query costs up to seconds, so each is made once,
// when the first file of its language comes.
var grammars sync.Map // language name -> func() (*grammar, error)

// grammarOf gives the grammar of l, or nil where none is built in.
func grammarOf(l *Language) (*grammar, error) {
	if l == nil || l.Grammar == "" {
		return nil, nil
	}
	tables, ok := core[l.Grammar]
	if !ok {
		tables, ok = more[l.Grammar]
	}
	if !ok {
		return nil, nil
	}
	once, ok := grammars.Load(l.Name)
	if !ok {
		once, _ = grammars.LoadOrStore(l.Name, sync.OnceValues(func() (*grammar, error) { return compile(l, tables()) }))
	}
	return once.(func() (*grammar, error))()
}

func compile(l *Language, language *sitter.Language) (*grammar, error) {
	text, err := queryFiles.ReadFile("queries/" + l.Grammar + ".scm")
	if err != nil {
		return nil, fmt.Errorf("tag query of %s: %w", l.Name, err)
	}
	routeMemory()
	g := &grammar{language: language}
	g.tables = tablesOf(language)
	head, _, _ := bytes.Cut(text, []byte(references))
	if g.defs, err = newMatcher(head, language); err != nil {
		return nil, fmt.Errorf("tag query of %s: %w", l.Name, err)
	}
	if len(l.Opaque) > 0 {
		g.defs.kinds = kindsOf(language, head, l.Opaque)
	}
	g.all = sync.OnceValues(func() (*matcher, error) {
		m, err := newMatcher(text, language)
		if err != nil {
			err = fmt.Errorf("tag query of %s: %w", l.Name, err)
		}
		return m, err
	})
	g.remarks = sync.OnceValue(func() []byte { return remarksOf(language) })
	return g, nil
}

// remarksOf says which kinds of nodes are comments. Every grammar calls them so.
func remarksOf(language *sitter.Language) []byte {
	kinds := make([]byte, language.SymbolCount())
	for i := range kinds {
		if language.SymbolType(sitter.Symbol(i)) != sitter.SymbolTypeRegular {
			continue
		}
		switch name := language.SymbolName(sitter.Symbol(i)); {
		case strings.HasSuffix(name, "comment"), name == "marginalia": // the second is SQL's
			kinds[i] = C.COAUTHOR_COMMENT
		case name == "expression_statement":
			kinds[i] = C.COAUTHOR_STATEMENT
		case name == "string":
			kinds[i] = C.COAUTHOR_STRING
		case name == "raw_text":
			kinds[i] = C.COAUTHOR_FOREIGN
		}
	}
	return kinds
}

// comments lists the comments of src, and those of the scripts in it.
func (g *grammar) comments(ctx context.Context, src []byte, docs bool) ([]Comment, error) {
	kinds := g.remarks()
	words, err := g.scan(ctx, src, maxMatches, func(job *C.coauthor_job) C.coauthor_result {
		return C.coauthor_comments(job, (*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(kinds))), C.size_t(len(kinds)))
	})
	if err != nil {
		return nil, err
	}
	var list []Comment
	for ; len(words) >= 5; words = words[5:] {
		start, end := int(words[1]), min(int(words[2]), len(src))
		switch {
		case words[0] == C.COAUTHOR_FOREIGN:
			for _, c := range script.comments(src[start:end]) {
				list = append(list, Comment{start + c.Start, start + c.End})
			}
		case words[0] == C.COAUTHOR_COMMENT, docs:
			list = append(list, Comment{start, end})
		}
	}
	return list, nil
}

// tablesOf gives the C pointer that the struct begins with and that its package keeps to itself.
func tablesOf(language *sitter.Language) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(language))
}

func newMatcher(text []byte, language *sitter.Language) (*matcher, error) {
	query, err := sitter.NewQuery(text, language)
	if err != nil {
		return nil, err
	}
	m := &matcher{query: query}
	m.compiled = *(*unsafe.Pointer)(unsafe.Pointer(query)) // as above
	for i := range query.CaptureCount() {
		m.captures = append(m.captures, query.CaptureNameForId(i))
	}
	for i := range query.PatternCount() {
		p, err := compilePredicates(query, i)
		if err != nil {
			return nil, fmt.Errorf("pattern %d: %w", i, err)
		}
		m.patterns = append(m.patterns, p)
	}
	return m, nil
}

// beginning is the outermost node of a pattern.
var beginning = regexp.MustCompile(`(?m)^\((\w+)`)

// kindsOf says where the patterns of a query begin, all of which must start a line with their node.
func kindsOf(language *sitter.Language, query []byte, opaque []string) []byte {
	begins := map[string]bool{}
	for _, m := range beginning.FindAllSubmatch(query, -1) {
		begins[string(m[1])] = true
	}
	kinds := make([]byte, language.SymbolCount())
	for i := range kinds {
		switch name := language.SymbolName(sitter.Symbol(i)); {
		case begins[name]:
			kinds[i] = C.COAUTHOR_BEGINS
		case slices.Contains(opaque, name):
			kinds[i] = C.COAUTHOR_OPAQUE
		}
	}
	return kinds
}

// routeMemory puts limits to what grammars allocate. The runtime has one allocator for the whole process.
var routeMemory = sync.OnceFunc(func() { C.coauthor_route() })

var errNoMemory = errors.New("no memory to parse")

// scan runs f on a job for src that ends with ctx, or at the limits, and copies what C found.
func (g *grammar) scan(ctx context.Context, src []byte, most int, f func(*C.coauthor_job) C.coauthor_result) ([]uint32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	stop := (*C.size_t)(C.calloc(1, C.sizeof_size_t))
	run := func() C.coauthor_result {
		var pin runtime.Pinner // the job points to the text
		defer pin.Unpin()
		if len(src) > 0 {
			pin.Pin(unsafe.SliceData(src))
		}
		return f(&C.coauthor_job{language: g.tables, src: pointer(src), len: C.uint32_t(len(src)), stop: stop,
			limit: C.uint64_t(workLimit(len(src))), micros: C.uint64_t(maxTime.Microseconds()), most: C.size_t(most)})
	}
	if ctx.Done() == nil {
		defer C.free(unsafe.Pointer(stop))
		return copied(run())
	}
	done := make(chan C.coauthor_result, 1)
	go func() { done <- run() }()
	select {
	case r := <-done:
		C.free(unsafe.Pointer(stop))
		words, err := copied(r)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return words, err
	case <-ctx.Done():
		// Some steps of a grammar look at nothing for half a second; nobody has to wait for them.
		atomic.StoreUintptr((*uintptr)(unsafe.Pointer(stop)), 1)
		go func() {
			r := <-done
			C.free(unsafe.Pointer(r.data))
			C.free(unsafe.Pointer(stop))
		}()
		return nil, ctx.Err()
	}
}

// copied gives what C found, and gives the memory of it back.
func copied(r C.coauthor_result) ([]uint32, error) {
	defer C.free(unsafe.Pointer(r.data))
	switch r.state {
	case 1:
		return nil, ErrSlow
	case 2:
		return nil, errNoMemory
	case 3:
		return nil, ErrLimit
	}
	words := make([]uint32, int(r.len))
	copy(words, unsafe.Slice((*uint32)(unsafe.Pointer(r.data)), int(r.len)))
	return words, nil
}

// workLimit is how much work a text of that many bytes may be.
func workLimit(size int) int { return workBase + workPerByte*size }

func pointer(src []byte) *C.char { return (*C.char)(unsafe.Pointer(unsafe.SliceData(src))) }

// tags runs the query over src, all of it or the part that finds definitions.
func (g *grammar) tags(ctx context.Context, src []byte, want scope) ([]tag.Tag, error) {
	m := g.defs
	if want != definitions {
		var err error
		if m, err = g.all(); err != nil {
			return nil, err
		}
	}
	words, err := g.scan(ctx, src, maxMatches, func(job *C.coauthor_job) C.coauthor_result {
		return C.coauthor_tags(job, m.compiled, (*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(m.kinds))), C.size_t(len(m.kinds)))
	})
	runtime.KeepAlive(m.query)
	if err != nil {
		return nil, err
	}
	return m.read(words, src), nil
}

// wordsPerTag are those of a definition: its number, and two captures.
const wordsPerTag = 12

// read turns the flat buffer of scan.c into tags.
func (m *matcher) read(words []uint32, src []byte) []tag.Tag {
	tags := make([]tag.Tag, 0, len(words)/wordsPerTag)
	var caps [8]capture
	for len(words) >= 2 {
		number, n := words[0], int(words[1])
		words = words[2:]
		list := caps[:0]
		for i := range n {
			w := words[5*i:]
			list = append(list, capture{id: w[0], start: w[1], end: w[2], first: w[3], last: w[4]})
		}
		words = words[5*n:]
		if t, ok := m.tag(list, src); ok && m.patterns[number].pass(list, src) {
			tags = append(tags, t)
		}
	}
	if len(tags) == 0 {
		return nil
	}
	return tidy(tags)
}

// capture is one captured node of a match.
type capture struct{ id, start, end, first, last uint32 }

// tag makes a definition of a match with a @name and another capture, a reference of any other.
func (m *matcher) tag(list []capture, src []byte) (tag.Tag, bool) {
	var name, outer *capture
	for i := range list {
		switch c := &list[i]; m.captures[c.id] {
		case "name":
			name = c
		default:
			if m.captures[c.id][0] != '_' {
				outer = c
			}
		}
	}
	if outer == nil {
		return tag.Tag{}, false
	}
	kind := tag.Kind(m.captures[outer.id])
	at := outer
	if name != nil {
		at = name
	}
	if at.end <= at.start || int(at.end) > len(src) || at.end-at.start > maxName {
		return tag.Tag{}, false // a missing node, or something no one would call a name
	}
	t := tag.Tag{Name: cleanName(string(src[at.start:at.end])), Kind: kind, Line: int(at.first)}
	if kind != tag.Heading && kind != tag.Key {
		t.Name = t.Name[strings.LastIndexAny(t.Name, `.:\`)+1:] // M.open and Shop::Cart are known by their last part
	}
	if name != nil {
		t.Def = true
		t.First, t.Last, t.Start, t.End = int(outer.first), int(outer.last), int(outer.start), int(outer.end)
	}
	return t, t.Name != ""
}

func (g *grammar) parse(ctx context.Context, src []byte) error {
	_, err := g.scan(ctx, src, 0, func(job *C.coauthor_job) C.coauthor_result { return C.coauthor_parse(job) })
	return err
}

// errors lists the error nodes of src that meet one of the places, or all.
func (g *grammar) errors(ctx context.Context, src []byte, in []Lines) ([]SyntaxError, error) {
	rows := make([]uint32, 0, 2*len(in))
	for _, l := range in {
		rows = append(rows, uint32(max(0, l.First)), uint32(max(0, l.Last)))
	}
	words, err := g.scan(ctx, src, maxErrors, func(job *C.coauthor_job) C.coauthor_result {
		return C.coauthor_errors(job, (*C.uint32_t)(unsafe.Pointer(unsafe.SliceData(rows))), C.size_t(len(in)))
	})
	if err != nil {
		return nil, err
	}
	var out []SyntaxError
	for ; len(words) >= 6; words = words[6:] {
		e := SyntaxError{Line: int(words[4]), EndLine: int(words[5]), Message: "unexpected " + excerpt(src, words[2], words[3])}
		if words[1] != 0 {
			e.Message = fmt.Sprintf("missing %q", g.language.SymbolName(sitter.Symbol(words[0])))
		}
		out = append(out, e)
	}
	return out, nil
}

// Fingerprint changes with the grammars that are built in and with their queries.
func Fingerprint() string {
	sum := sha256.New()
	_, _ = sum.Write([]byte(goReader + told)) // a hash takes everything
	for _, table := range []map[string]func() *sitter.Language{core, more} {
		for _, name := range slices.Sorted(maps.Keys(table)) {
			text, _ := queryFiles.ReadFile("queries/" + name + ".scm") // compile reports what is missing
			fmt.Fprintf(sum, "%s %d\n%s", name, len(text), text)
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}
