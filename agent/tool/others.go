package tool

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Sizes of what the other tools show.
const (
	mapTokens       = 1000
	mostDiagnostics = 20
)

// overview shows the map of the repository for some words.
func (l *looking) overview(a Args) error {
	if l.o.Map == nil {
		return refuse("There is no map of this repository. Next: %s.", next(List, "path", "."))
	}
	text, err := l.o.Map(l.ctx, a.text("words"), l.o.half(mapTokens))
	if err != nil {
		return err
	}
	if strings.TrimSpace(text) == "" {
		l.page.finish("The map has nothing to show. Next: %s.", next(List, "path", "."))
		return nil
	}
	l.page.say("%s\n", text)
	l.page.finish("This is a part of the repository. Other words show other parts.")
	return nil
}

// check runs the checks on the changes so far.
func (l *looking) check(Args) error {
	if l.o.Check == nil {
		return refuse("There are no checks here.")
	}
	text, err := l.o.Check(l.ctx)
	l.page.say("%s\n", text)
	return err
}

// diagnostics shows what the editor's other tools say.
func (l *looking) diagnostics(a Args) error {
	list := slices.Clone(l.o.Diagnostics)
	if l.o.Editor != nil {
		told, err := asking{l: l}.ask(Problems)
		if err != nil {
			return err
		}
		if told.Problems != nil {
			list = told.Problems
		}
	}
	if p := a.text("path"); p != "" && p != "." {
		doc, err := l.scope.admit(p)
		if err != nil {
			return err
		}
		list = slices.DeleteFunc(list, func(d Diagnostic) bool { return d.Path != doc.Path })
	} else {
		var paths []string
		for _, d := range list {
			paths = append(paths, d.Path)
		}
		bad, may := l.scope.without(paths), l.o.Door.Lister(l.ctx)
		list = slices.DeleteFunc(list, func(d Diagnostic) bool { return bad[d.Path] || !may(d.Path) })
	}
	if len(list) == 0 {
		l.page.finish("The editor has told of no problems. That does not mean that there are none.")
		return nil
	}
	order := []string{"error", "", "warning", "information", "hint"}
	slices.SortStableFunc(list, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.Severity), slices.Index(order, b.Severity)),
			strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
	shown := 0
	for _, d := range list {
		line := fmt.Sprintf("%s:%d: ", d.Path, d.Line)
		if d.Severity != "" {
			line += d.Severity + ": "
		}
		line += shorten(d.Message, lineLength)
		if d.Source != "" {
			line += " (" + d.Source + ")"
		}
		if shown == l.o.half(mostDiagnostics) || l.page.full(line) {
			break
		}
		l.page.say("%s\n", line)
		shown++
	}
	l.page.finish("%d of %s, errors first, of the text before this turn.", shown, count(len(list), "problem"))
	return nil
}
