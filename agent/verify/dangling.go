package verify

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"

	"coauthor/edits"
	"coauthor/repomap/syntax"
	"coauthor/repomap/syntax/tag"
)

// orphan is a name whose definition a change took away from a file that still uses it.
type orphan struct {
	name string
	line int // of the first use, from 0
}

// dangling lists the names of which changes took away the definition and not the use. What another file of the change
// defines may have moved there, and is left to whoever looks at imports. For Go that file may be any of the package: as
// the name was defined here, no file outside of the change can define it.
func dangling(ctx context.Context, in Input) ([]Finding, error) {
	if in.Partly {
		return nil, nil // what is missing is known
	}
	defined := map[string]bool{} // at the top of a changed file
	for _, c := range in.Changes {
		if !syntax.Code(pathOf(c)) {
			continue
		}
		list, err := topNames(ctx, pathOf(c), c.After)
		if err != nil {
			return nil, err
		}
		for _, name := range list {
			defined[name] = true
		}
	}
	var list []Finding
	for _, c := range in.Changes {
		file := pathOf(c)
		if !syntax.Code(file) || c.Before == c.After {
			continue
		}
		found, err := orphans(ctx, c, defined)
		if err != nil {
			return list, err
		}
		for _, d := range found {
			f := Finding{Check: "names", Path: file, First: d.line + 1, Last: d.line + 1,
				Text: fmt.Sprintf("line %d still uses %s, whose definition is gone", d.line+1, d.name)}
			if ext := path.Ext(file); ext != ".go" && ext != ".py" { // where it runs, or what it includes, may have the name
				f.Once, f.Text = true, f.Text+"."
			}
			list = append(list, f)
		}
	}
	return list, nil
}

// orphans lists the names that a file had at its top before a change, that nothing of the change defines now, and that
// the file still uses, by their lines.
func orphans(ctx context.Context, c edits.Change, defined map[string]bool) ([]orphan, error) {
	had, err := topNames(ctx, c.Path, c.Before)
	if err != nil {
		return nil, err
	}
	var list []orphan
	for _, name := range had {
		if len(name) < 2 || defined[name] || everywhere[name] {
			continue
		}
		at, err := usedAt(ctx, pathOf(c), c.After, name)
		if err != nil {
			return list, err
		}
		if at >= 0 {
			list = append(list, orphan{name, strings.Count(c.After[:at], "\n")})
		}
	}
	slices.SortStableFunc(list, func(a, b orphan) int { return a.line - b.line })
	return list, nil
}

// usedAt is where a file uses a name that it must know from its top; -1 if nowhere, or if that cannot be told.
func usedAt(ctx context.Context, file, text, name string) (int, error) {
	switch {
	case path.Ext(file) == ".go":
		return unresolvedInGo(text, name), nil
	case bindsNames(file):
		if brings.MatchString(text) || !usedFree(withoutTexts(file, text), name) {
			return -1, nil
		}
		places, err := codePlaces(ctx, file, text, name)
		if err != nil {
			return -1, err
		}
		for _, at := range places {
			if !behindDot(text, at) {
				return at, nil
			}
		}
		return -1, nil
	}
	return calledAt(ctx, file, text, name)
}

// unresolvedInGo is where a Go file uses a name that nothing in it declares and that is not Go's own; -1 for nowhere,
// and where an import may bring any name.
func unresolvedInGo(text, name string) int {
	set := token.NewFileSet()
	// The parser's own resolver says what a file declares for itself, which is all that is asked here.
	f, err := parser.ParseFile(set, "", text, 0)
	if err != nil || types.Universe.Lookup(name) != nil || slices.ContainsFunc(f.Imports, func(s *ast.ImportSpec) bool { return s.Name != nil && s.Name.Name == "." }) {
		return -1
	}
	i := slices.IndexFunc(f.Unresolved, func(n *ast.Ident) bool { return n.Name == name })
	if i < 0 {
		return -1
	}
	return set.Position(f.Unresolved[i].Pos()).Offset
}

// calledAt is where a file of any other language calls a name that is no member of something; -1 for nowhere, and
// where the name stands in any other way too, which may make it known.
func calledAt(ctx context.Context, file, text, name string) (int, error) {
	tags, err := syntax.Tags(ctx, file, []byte(text))
	if err != nil || !slices.ContainsFunc(tags, func(t tag.Tag) bool { return t.Name == name && t.Kind == tag.Call && !t.Def }) {
		return -1, err
	}
	places, err := codePlaces(ctx, file, text, name)
	if err != nil {
		return -1, err
	}
	for _, at := range places {
		if behindDot(text, at) || !strings.HasPrefix(strings.TrimLeft(text[at+len(name):], " "), "(") {
			return -1, nil
		}
	}
	if len(places) == 0 {
		return -1, nil
	}
	return places[0], nil
}
