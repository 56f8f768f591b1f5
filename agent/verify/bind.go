package verify

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"coauthor/edits"
	"coauthor/repomap/syntax"
	"coauthor/repomap/syntax/tag"
)

// Bound is a file that was given the imports that its change needs, or rid of those that it left unused.
type Bound struct {
	Path  string
	Text  string   // all of it
	Lines []string // what was added or taken away, as the user is told it: "added `from money import show`"
}

// String says what was done to which file, for the user.
func (b Bound) String() string { return b.Path + ": " + strings.Join(b.Lines, "; ") }

// Bind does for what a change broke what an editor's "organize imports" would, as far as a compiler would say it: in Python
// it adds the import of a name that the change uses and nothing in its file can know, where exactly one of the files shown
// defines it; in Go it takes away the imports that the change left unused. Names that were unknown before stay so. Where the
// file does not parse, or where the import would close a circle, it does nothing.
func Bind(ctx context.Context, in Input) ([]Bound, error) {
	b := binder{in: in, texts: map[string]string{}, said: map[string][]string{}}
	for _, c := range in.Changes {
		if c.Op == edits.OpDelete || c.Before == c.After {
			continue
		}
		file := pathOf(c)
		found, err := syntaxErrorsOf(ctx, c)
		if err != nil {
			return nil, err
		}
		switch {
		case len(found) > 0:
		case path.Ext(file) == ".go":
			b.goImports(c)
		case path.Ext(file) == ".py":
			if err := b.imports(ctx, c); err != nil {
				return nil, err
			}
		}
	}
	var list []Bound
	for _, c := range in.Changes {
		text, done := b.texts[pathOf(c)]
		if !done {
			continue
		}
		found, err := syntaxErrorsOf(ctx, edits.Change{Path: pathOf(c), Op: edits.OpUpdate, Before: c.After, After: text})
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			list = append(list, Bound{Path: pathOf(c), Text: text, Lines: b.said[pathOf(c)]})
		}
	}
	return list, nil
}

// pathOf is where the file of a change stands afterwards.
func pathOf(c edits.Change) string {
	if c.Op == edits.OpRename {
		return c.To
	}
	return c.Path
}

// binder holds the files as they become.
type binder struct {
	in    Input
	texts map[string]string   // of the files that it changed
	said  map[string][]string // what it did to them
}

func (b *binder) read(file string) (string, bool) {
	if text, done := b.texts[file]; done {
		return text, true
	}
	if !b.in.Tree.Exists(file) {
		return "", false
	}
	text, err := b.in.Tree.Read(file)
	return text, err == nil
}

func (b *binder) put(file, text, what string) {
	b.texts[file] = text
	b.said[file] = append(b.said[file], what)
}

// imports adds what a Python file uses and does not import.
func (b *binder) imports(ctx context.Context, c edits.Change) error {
	file := pathOf(c)
	names, err := b.unknown(ctx, c, file)
	if err != nil {
		return err
	}
	for _, name := range names {
		text, _ := b.read(file)
		from, err := b.definers(ctx, file, name)
		if err != nil {
			return err
		}
		if len(from) != 1 || b.reaches(from[0], file) {
			continue
		}
		if text, line, ok := b.pythonImport(file, text, from[0], name); ok {
			b.put(file, text, "added `"+line+"`")
		}
	}
	return nil
}

// unknown lists the names that the change made unknown in its file: those that it calls, and those whose
// definition or import it took away.
func (b *binder) unknown(ctx context.Context, c edits.Change, file string) ([]string, error) {
	names, err := newUnknownCalls(ctx, c)
	if err != nil {
		return nil, err
	}
	had, err := topNames(ctx, c.Path, c.Before)
	if err != nil {
		return nil, err
	}
	for _, i := range importsOf(c.Path, c.Before) {
		had = append(had, i.name)
	}
	has, err := topNames(ctx, file, c.After)
	if err != nil {
		return nil, err
	}
	for _, i := range importsOf(file, c.After) {
		has = append(has, i.name)
	}
	code := withoutTexts(c.After)
	for _, name := range had {
		if !slices.Contains(names, name) && !slices.Contains(has, name) && !everywhere[name] && usedFree(code, name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// topNames lists what a file defines at its top, constants and variables too.
func topNames(ctx context.Context, file, text string) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	tags, err := syntax.Tags(ctx, file, []byte(text))
	if err != nil {
		return nil, fmt.Errorf("find the definitions in %s: %w", file, err)
	}
	var list []string
	end := 0 // of the definition around
	for _, t := range tags {
		if !t.Def {
			continue
		}
		if t.Start >= end && (counts(t.Kind) || t.Kind == tag.Constant || t.Kind == tag.Variable) && !slices.Contains(list, t.Name) {
			list = append(list, t.Name)
		}
		if counts(t.Kind) {
			end = max(end, t.End)
		}
	}
	return list, nil
}

// definers lists the Python files shown that define a name at their top.
func (b *binder) definers(ctx context.Context, but, name string) ([]string, error) {
	var list []string
	shown := slices.Clone(b.in.Shown)
	for _, c := range b.in.Changes {
		if c.Op != edits.OpDelete && !slices.Contains(shown, pathOf(c)) {
			shown = append(shown, pathOf(c))
		}
	}
	for _, file := range shown {
		if file == but || path.Ext(file) != ".py" {
			continue
		}
		text, ok := b.read(file)
		if !ok || !uses(text, name) {
			continue
		}
		top, err := topNames(ctx, file, text)
		if err != nil {
			return nil, err
		}
		if slices.Contains(top, name) {
			list = append(list, file)
		}
	}
	return list, nil
}

// mostFollowed is how many files are read to find out whether one imports another.
const mostFollowed = 100

// reaches says whether a file imports another one, itself or by others, or may do so.
func (b *binder) reaches(from, to string) bool {
	seen := map[string]bool{from: true}
	queue := []string{from}
	for len(queue) > 0 {
		file := queue[0]
		queue = queue[1:]
		if file == to || len(seen) > mostFollowed {
			return true
		}
		text, ok := b.read(file)
		if !ok {
			continue
		}
		inPackage := b.in.Tree.Exists(path.Join(path.Dir(file), "__init__.py"))
		for _, module := range modulesOf(text) {
			for _, at := range candidates(file, module, inPackage) {
				if !seen[at] && (at == to || b.in.Tree.Exists(at)) {
					seen[at] = true
					queue = append(queue, at)
				}
			}
		}
	}
	return false
}

var plainImport = regexp.MustCompile(`(?m)^import[ \t]+([\w., \t]+)`)

// modulesOf lists the modules that a Python file imports when it is loaded, as they are written.
func modulesOf(text string) []string {
	var list []string
	for _, m := range plainImport.FindAllStringSubmatch(text, -1) {
		for name := range strings.SplitSeq(m[1], ",") {
			if f := strings.Fields(name); len(f) > 0 {
				list = append(list, f[0])
			}
		}
	}
	for _, m := range fromPython.FindAllStringSubmatch(text, -1) {
		if !strings.HasPrefix(m[0], "from") {
			continue // in a function, or for type checkers alone
		}
		list = append(list, m[1])
		for name := range strings.SplitSeq(comment.ReplaceAllString(m[2]+m[3], ""), ",") { // which may be modules themselves
			if f := strings.Fields(name); len(f) > 0 && f[0] != "*" {
				list = append(list, m[1]+dotUnlessOnly(m[1])+f[0])
			}
		}
	}
	return list
}

// dotUnlessOnly is the dot between a module and a name in it; a module of nothing but dots has it already.
func dotUnlessOnly(module string) string {
	if strings.Trim(module, ".") == "" {
		return ""
	}
	return "."
}

var pythonTexts = regexp.MustCompile(`(?s)"""(?:\\.|[^\\])*?"""|'''(?:\\.|[^\\])*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#[^\n]*`)

// withoutTexts is a Python file without its strings and comments, as well as can be told without a grammar. What stands in
// a format string is lost with it.
func withoutTexts(text string) string { return pythonTexts.ReplaceAllString(text, `""`) }

// bindsBefore ends a text behind which a name is made known.
var bindsBefore = regexp.MustCompile(`(?:^|[^\w$])(?:def|class|import|as|for|global|nonlocal|lambda)$`)

// usedFree says whether code has a name and nothing in it can bind it.
func usedFree(code, name string) bool {
	some, quoted := false, regexp.QuoteMeta(name)
	if target := regexp.MustCompile(`(?m)^[^=\n]*\b` + quoted + `\b[^=\n]*[^=!<>\n]=(?:[^=]|$)|\bfor\b[^:\n]*\b` + quoted + `\b[^:\n]*\bin\b|\bcase\b[^:\n]*\b` + quoted + `\b`); target.MatchString(code) {
		return false // perhaps one of several names that are set together
	}
	if parameter := regexp.MustCompile(`(?:\b(?:def|lambda)\b[^:\n]*[^\w:\n]|\([^()]*\b)` + quoted + `\b[^()]*(?:\)\s*(?::|->)|:)`); parameter.MatchString(code) {
		return false
	}
	for _, at := range placesOf(code, name) {
		before, after := strings.TrimRight(code[:at], " \t"), strings.TrimLeft(code[at+len(name):], " \t")
		switch {
		case strings.HasSuffix(before, ".") && !strings.HasSuffix(before, "..."), strings.HasSuffix(before, "$"), strings.HasPrefix(after, "$"):
			continue // a member, or another name
		case strings.HasPrefix(after, ":") && !strings.HasSuffix(before, "("), strings.HasPrefix(after, "=") && !strings.HasPrefix(after, "=="):
			return false // a key, a value that is set, a keyword, a parameter
		case bindsBefore.MatchString(before[max(0, len(before)-30):]):
			return false
		}
		some = true
	}
	return some
}
