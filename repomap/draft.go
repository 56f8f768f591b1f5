package repomap

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
)

// draft is a record before its words have numbers: what a worker can make without a lock.
type draft struct {
	record
	text  []string // the terms
	names []string // of the definitions

	moreNames []string // of those beyond the limit
	bytes     int      // of the text that was read
}

// draftMemory is what the reading of a file needs beside its draft: used for one file after the other, since
// the lists of most files are of a size. What lies in it is rubbish; the zero value is ready.
type draftMemory struct {
	texts  []byte // of the files that were read together
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

func formOf(t Tag) form {
	switch {
	case t.Kind.Container():
		return containerForm
	case !value(t.Kind):
		return blockForm
	case t.Last > t.First:
		return tableForm
	}
	return lineForm
}

// newDraft reads one file. It holds no reference to src, nor to memory.
func newDraft(file File, c class, src []byte, tags []Tag, memory *draftMemory) *draft {
	d := &draft{record: record{path: file.Path, id: file.ID, class: c}, bytes: len(src)}
	if len(src) > maxText || bytes.IndexByte(src[:min(len(src), 8000)], 0) >= 0 {
		return d
	}
	if isMade(file.Path, src, c != prose) {
		d.class = made
	}
	kept := d.define(src, tags)
	d.signatures += importsOf(file.Path, src)
	d.read(src, kept, memory)
	return d
}

// define fills in the definitions, outer ones first, and gives the tags of those that are kept.
func (d *draft) define(src []byte, tags []Tag) (kept []Tag) {
	var open []int // the definitions around the current one
	var text strings.Builder
	values := 0
	d.makeRoom(tags)
	kept = make([]Tag, 0, cap(d.defs))
	for _, t := range tags {
		if !t.Def || t.Start < 0 || t.End > len(src) || t.Start > t.End {
			continue
		}
		if value(t.Kind) {
			values++
		}
		if len(kept) >= maxDefs || value(t.Kind) && values > maxValues {
			if len(d.moreNames) < maxTerms {
				d.moreNames = append(d.moreNames, t.Name)
			}
			continue
		}
		for len(open) > 0 && int(d.defs[open[len(open)-1]].last) < t.Last {
			open = open[:len(open)-1]
		}
		parent := int16(-1)
		if len(open) > 0 {
			parent = int16(open[len(open)-1])
		}
		open = append(open, len(d.defs))
		if !value(t.Kind) || values <= maxTold {
			text.WriteString(signature(src, t))
		}
		d.defs = append(d.defs, definition{kind: kindOf(t.Kind), first: uint32(t.First), last: uint32(t.Last),
			parent: parent, signed: uint32(text.Len())})
		d.names = append(d.names, t.Name)
		kept = append(kept, t)
	}
	d.signatures = text.String()
	return kept
}

// makeRoom makes lists for as many definitions as may be kept.
func (d *draft) makeRoom(tags []Tag) {
	defs, values := 0, 0
	for _, t := range tags {
		switch {
		case !t.Def:
		case value(t.Kind):
			values++
		default:
			defs++
		}
	}
	if n := min(maxDefs, defs+min(maxValues, values)); n > 0 {
		d.defs, d.names = make([]definition, 0, n), make([]string, 0, n)
	}
	if n := min(maxTerms, defs+values-cap(d.defs)); n > 0 {
		d.moreNames = make([]string, 0, n)
	}
}

// read collects the words of the text, and of each definition's text. A type's text is what stands in no
// function and in no other type inside it: with the words of all its methods it would match whatever one
// of them does.
func (d *draft) read(src []byte, tags []Tag, m *draftMemory) {
	m.begin(src, tags)
	open := m.open[:0]
	ends := math.MaxInt // the least end of an open definition
	next := 0
	words(src, func(start, end int) {
		d.words++
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
func (m *draftMemory) begin(src []byte, tags []Tag) {
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
func (m *draftMemory) term(start, end int) (n uint16, ok bool) {
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
func (m *draftMemory) enter(n uint16, open []int) {
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
func (m *draftMemory) give(d *draft, tags []Tag) {
	d.text, d.counts = m.terms.texts(), slices.Clone(m.counts)
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
	d.body, d.bodyEnd = make([]uint16, 0, total), make([]uint32, 0, len(tags))
	for _, body := range m.bodies[:len(tags)] {
		d.body = append(d.body, body...)
		d.bodyEnd = append(d.bodyEnd, uint32(len(d.body)))
	}
}

// finish numbers the words.
func (d *draft) finish(s *symbols) *record {
	r := d.record
	r.terms = s.addAll(d.text, make([]uint32, 0, len(d.text)))
	for i, n := range s.addAll(d.names, make([]uint32, 0, len(d.names))) {
		r.defs[i].name = n
	}
	r.more = s.addAll(d.moreNames, nil)
	return &r
}

const (
	maxImports = 400 // of a file
	maxImport  = 200 // bytes of one
	importHead = 256 << 10
)

// language is one whose imports are resolved as the language itself does.
type language uint8

const (
	otherLanguage language = iota
	goLanguage
	pythonLanguage
	scriptLanguage // TypeScript and JavaScript
	rustLanguage
	javaLanguage
)

func languageOf(file string) language {
	switch strings.ToLower(path.Ext(file)) {
	case ".go":
		return goLanguage
	case ".py", ".pyi":
		return pythonLanguage
	case ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte":
		return scriptLanguage
	case ".rs":
		return rustLanguage
	case ".java":
		return javaLanguage
	}
	return otherLanguage
}

// importsOf lists what a file says of modules, one a line: the names that it imports as they are written there, those of
// Python and Rust with each name that is taken from a module behind it (a.b and c of "from a.b import c" are a.b.c).
// After a "=" stands what the file says of itself: a package of Java, the module of a go.mod, the crate of a Cargo.toml,
// the name of a package.json, an alias of a tsconfig.json with what it stands for.
func importsOf(file string, src []byte) string {
	src = src[:min(len(src), importHead)]
	c := &importList{}
	switch languageOf(file) {
	case goLanguage:
		c.golang(src)
	case pythonLanguage:
		c.python(src)
	case scriptLanguage:
		c.script(src)
	case rustLanguage:
		c.rust(src)
	case javaLanguage:
		c.java(src)
	case otherLanguage:
		c.manifest(path.Base(file), src)
	}
	slices.Sort(c.list)
	return strings.Join(slices.Compact(c.list), "\n")
}

type importList struct{ list []string }

func (c *importList) add(name string) {
	if name != "" && len(name) <= maxImport && len(c.list) < maxImports && !strings.ContainsAny(name, "\n\r\x00") {
		c.list = append(c.list, name)
	}
}

// golang reads up to the first declaration that is no import, behind which there are none.
func (c *importList) golang(src []byte) {
	block := false
	for raw := range bytes.Lines(src) {
		line := strings.TrimSpace(string(raw))
		switch {
		case block && strings.HasPrefix(line, ")"):
			block = false
		case block:
			c.add(quoted(line))
		case strings.HasPrefix(line, "import ("):
			block = !strings.Contains(line, ")")
			c.add(quoted(line))
		case strings.HasPrefix(line, "import "):
			c.add(quoted(line))
		case strings.HasPrefix(line, "func "), strings.HasPrefix(line, "type "), strings.HasPrefix(line, "var "), strings.HasPrefix(line, "const "):
			return
		}
	}
}

// quoted is what stands between the first two quotes of a line that is no comment.
func quoted(line string) string {
	if strings.HasPrefix(line, "//") {
		return ""
	}
	_, rest, _ := strings.Cut(line, `"`)
	name, _, ok := strings.Cut(rest, `"`)
	if !ok {
		return ""
	}
	return name
}

var pythonImport = regexp.MustCompile(`(?m)^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|(?:[^\n\\]|\\\r?\n)*)|import[ \t]+((?:[^\n\\]|\\\r?\n)+))`)

func (c *importList) python(src []byte) {
	if !bytes.Contains(src, []byte("import")) {
		return
	}
	for _, m := range pythonImport.FindAllSubmatch(src, maxImports) {
		if len(m[1]) == 0 {
			for _, name := range namesIn(string(m[3])) {
				c.add(name)
			}
			continue
		}
		from := string(m[1])
		for _, name := range namesIn(string(m[2])) {
			if strings.HasSuffix(from, ".") { // from . import name
				c.add(from + name)
			} else {
				c.add(from + "." + name)
			}
		}
	}
}

// namesIn are those of a list with commas, without what they are called here.
func namesIn(list string) (out []string) {
	for line := range strings.Lines(strings.Trim(list, "() \t\r\n")) {
		line, _, _ = strings.Cut(line, "#")
		line, _, _ = strings.Cut(line, ";")
		for item := range strings.SplitSeq(strings.Trim(line, " \\\t\r\n"), ",") {
			if fields := strings.Fields(item); len(fields) > 0 {
				out = append(out, strings.Trim(fields[0], "()"))
			}
		}
	}
	return out
}

var scriptImport = regexp.MustCompile(`(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*(?:"([^"\n]+)"|'([^'\n]+)')`)

func (c *importList) script(src []byte) {
	for _, m := range scriptImport.FindAllSubmatch(src, maxImports) {
		c.add(string(m[1]) + string(m[2]))
	}
}

var rustUse = regexp.MustCompile(`(?m)^[ \t]*(?:pub(?:\([^)]*\))?[ \t]+)?(?:use[ \t]+([^;]+);|mod[ \t]+(\w+);)`)

func (c *importList) rust(src []byte) {
	for _, m := range rustUse.FindAllSubmatch(src, maxImports) {
		if len(m[2]) > 0 {
			c.add("self::" + string(m[2]))
			continue
		}
		c.rustTree("", strings.Join(strings.Fields(string(m[1])), " "))
	}
}

// rustTree adds every path of a tree of them: a::{b, c::d}.
func (c *importList) rustTree(before, tree string) {
	depth, from := 0, 0
	for i := 0; i <= len(tree); i++ {
		if i < len(tree) && (tree[i] != ',' || depth > 0) {
			switch tree[i] {
			case '{':
				depth++
			case '}':
				depth--
			}
			continue
		}
		item := strings.TrimSpace(tree[from:i])
		from = i + 1
		head, inner, group := strings.Cut(item, "{")
		head, _, _ = strings.Cut(strings.TrimSpace(head), " as ")
		head = strings.TrimSpace(head)
		if group && strings.HasSuffix(inner, "}") {
			c.rustTree(before+head, inner[:len(inner)-1])
			continue
		}
		c.add(strings.TrimPrefix(strings.TrimSuffix(before+head, "::self"), "::"))
	}
}

var javaImport = regexp.MustCompile(`(?m)^[ \t]*(?:(package)|import)[ \t]+(?:static[ \t]+)?([\w.]+(?:\.\*)?)[ \t]*;`)

func (c *importList) java(src []byte) {
	for _, m := range javaImport.FindAllSubmatch(src, maxImports) {
		if len(m[1]) > 0 {
			c.add("=" + string(m[2]))
		} else {
			c.add(string(m[2]))
		}
	}
}

// manifests are the files that say how modules are named below them.
var manifests = map[string]language{"go.mod": goLanguage, "Cargo.toml": rustLanguage, "package.json": scriptLanguage, "tsconfig.json": scriptLanguage, "jsconfig.json": scriptLanguage}

var (
	goModule  = regexp.MustCompile(`(?m)^module[ \t]+"?([^\s"]+)`)
	cargoName = regexp.MustCompile(`(?m)^\[package\][^\[]*?^name[ \t]*=[ \t]*"([^"]+)"`)
	cargoLib  = regexp.MustCompile(`(?m)^\[lib\][^\[]*?^name[ \t]*=[ \t]*"([^"]+)"`)
)

// manifest reads what such a file says.
func (c *importList) manifest(base string, src []byte) {
	switch base {
	case "go.mod":
		if m := goModule.FindSubmatch(src); m != nil {
			c.add("=" + string(m[1]))
		}
	case "Cargo.toml":
		m := cargoLib.FindSubmatch(src)
		if m == nil {
			m = cargoName.FindSubmatch(src)
		}
		if m != nil {
			c.add("=" + strings.ReplaceAll(string(m[1]), "-", "_"))
		}
	case "package.json":
		var p struct{ Name string }
		if json.Unmarshal(src, &p) == nil && p.Name != "" {
			c.add("=" + p.Name)
		}
	case "tsconfig.json", "jsconfig.json":
		c.aliases(src)
	}
}

// aliases reads the paths of a tsconfig.json, which may have comments and commas too many.
func (c *importList) aliases(src []byte) {
	var t struct {
		CompilerOptions struct {
			BaseURL string              `json:"baseUrl"`
			Paths   map[string][]string `json:"paths"`
		} `json:"compilerOptions"`
	}
	if json.Unmarshal(plainJSON(src), &t) != nil {
		return
	}
	base := t.CompilerOptions.BaseURL
	if base != "" {
		c.add("=* " + base + "/*")
	}
	for _, alias := range slices.Sorted(maps.Keys(t.CompilerOptions.Paths)) {
		for _, to := range t.CompilerOptions.Paths[alias] {
			c.add("=" + alias + " " + strings.TrimPrefix(base+"/"+to, "/"))
		}
	}
}

// plainJSON takes comments out, and commas before a closing bracket.
func plainJSON(src []byte) []byte {
	out := make([]byte, 0, len(src))
	for i := 0; i < len(src); i++ {
		switch rest := src[i:]; {
		case src[i] == '"':
			end := i + 1
			for end < len(src) && src[end] != '"' {
				if src[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end, len(src)-1)
			out = append(out, src[i:end+1]...)
			i = end
		case bytes.HasPrefix(rest, []byte("//")):
			n := bytes.IndexByte(rest, '\n')
			if n < 0 {
				return out
			}
			i += n
		case bytes.HasPrefix(rest, []byte("/*")):
			n := bytes.Index(rest, []byte("*/"))
			if n < 0 {
				return out
			}
			i += n + 1
		case src[i] == '}' || src[i] == ']':
			out = append(bytes.TrimSuffix(bytes.TrimRight(out, " \t\r\n"), []byte(",")), src[i])
		default:
			out = append(out, src[i])
		}
	}
	return out
}
