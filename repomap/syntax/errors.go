package syntax

import (
	"context"
	"errors"
	"slices"

	"coauthor/repomap/syntax/tag"
)

// SyntaxError is one place where the grammar could not follow. Lines are 0-based and inclusive;
// Scope names the innermost definition around it, or is empty.
type SyntaxError struct {
	Line, EndLine  int
	Message, Scope string
}

// Lines is a place in a file: 0-based and inclusive.
type Lines struct{ First, Last int }

// Errors lists the syntax errors of src in order, at most a few hundred: all of them, or, where places
// are given, those that meet one of the places, which are in order. The error is ErrLimit or ErrSlow where
// nobody can tell. A language without a grammar has none, and so has a
// document: grammars for those complain of much that is legal.
func Errors(ctx context.Context, path string, src []byte, in ...Lines) ([]SyntaxError, error) {
	l := Detect(path, src)
	if l == nil || l.Prose || len(src) == 0 || len(src) > MaxSize {
		return nil, ctx.Err()
	}
	g, err := grammarOf(l)
	if err != nil || g == nil {
		return nil, err
	}
	found, err := g.errors(ctx, src, in)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	tags, err := g.tags(ctx, src, definitions)
	if err != nil && !errors.Is(err, ErrLimit) { // an error without the name of what is around it still is one
		return nil, err
	}
	for i := range found {
		if t, ok := innermost(tags, found[i].Line); ok {
			found[i].Scope = t.Name
		}
	}
	slices.SortStableFunc(found, func(a, b SyntaxError) int { return a.Line - b.Line })
	return found, nil
}

// Parse parses a file of any size and forgets it, so that benchmarks can tell what the parse alone
// costs. It says whether the file's language has a grammar.
func Parse(ctx context.Context, path string, src []byte) (ok bool, err error) {
	g, err := grammarOf(Detect(path, src))
	if err != nil || g == nil || len(src) == 0 {
		return false, err
	}
	return true, g.parse(ctx, src)
}

// Enclosing finds the innermost definition around a 0-based line: its lines (inclusive) and name.
func Enclosing(path string, src []byte, line int) (first, last int, name string, ok bool) {
	tags, err := tagsOf(context.Background(), path, src, definitions)
	if err != nil {
		return 0, 0, "", false
	}
	t, ok := innermost(tags, line)
	return t.First, t.Last, t.Name, ok
}

// Around finds the first line, from 0, of the innermost definition that holds a line and begins before it: of the first line of
// a method that is its class.
func Around(path string, src []byte, line int) (first int, ok bool) {
	tags, err := tagsOf(context.Background(), path, src, definitions)
	if err != nil {
		return 0, false
	}
	t, ok := innermost(slices.DeleteFunc(slices.Clone(tags), func(t tag.Tag) bool { return t.First >= line }), line)
	return t.First, ok
}

func innermost(tags []tag.Tag, line int) (best tag.Tag, ok bool) {
	for _, t := range tags {
		if t.Def && t.First <= line && line <= t.Last && (!ok || t.Last-t.First <= best.Last-best.First) {
			best, ok = t, true
		}
	}
	return best, ok
}

var (
	// ErrLimit says that a text is more work for its grammar than any real file: brackets in tens of
	// thousands, nothing but quotes. It depends on the text alone.
	ErrLimit = errors.New("the text is too tangled to parse")
	// ErrSlow says that a parse took longer than ever was seen, here and now.
	ErrSlow = errors.New("parsing took too long")
)
