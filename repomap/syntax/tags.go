package syntax

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"coauthor/repomap/syntax/tag"
)

const (
	// MaxSize is the largest file that is parsed. Larger ones are generated, and cost memory.
	MaxSize = 1 << 20
	maxName = 200
	// A line longer than this means minified code: its tags would be noise.
	maxLine = 20_000
)

// Tagger finds definitions in this process: the map takes its references from the words. The zero
// value works; it is safe for concurrent use.
type Tagger struct{}

// Tags lists the definitions of src, in order of their start.
func (Tagger) Tags(ctx context.Context, path string, src []byte) ([]tag.Tag, error) {
	return tagsOf(ctx, path, src, definitions)
}

// scope says which tags are wanted; looking for references costs more than the parse.
type scope uint8

const (
	everything scope = iota
	definitions
)

// Tags lists the definitions of src, in order of their start, and after them the references. A
// file of no known language, or too large, or minified, has none.
func Tags(ctx context.Context, path string, src []byte) ([]tag.Tag, error) {
	return tagsOf(ctx, path, src, everything)
}

func tagsOf(ctx context.Context, path string, src []byte, want scope) ([]tag.Tag, error) {
	if len(src) == 0 || len(src) > MaxSize || ctx.Err() != nil || minified(src) {
		return nil, ctx.Err()
	}
	l := Detect(path, src)
	if l == nil {
		return nil, nil
	}
	if l.Name == "go" && want == definitions {
		if tags, ok := goTags(src); ok {
			return tags, nil
		}
	}
	g, err := grammarOf(l)
	if err != nil {
		return nil, err
	}
	if g == nil {
		return lexical(ctx, l, src, want)
	}
	tags, err := g.tags(ctx, src, want)
	if errors.Is(err, ErrLimit) { // whatever the file is, its lines may still declare something
		return withEnds(plain(l, src), src), ctx.Err()
	}
	return tags, err
}

// Code tells whether a file of that name is program text, not a document or data.
func Code(path string) bool {
	l := Detect(path, nil)
	return l != nil && !l.Prose
}

func minified(src []byte) bool {
	for len(src) > maxLine {
		i := bytes.LastIndexByte(src[:maxLine], '\n')
		if i < 0 {
			return true
		}
		src = src[i+1:]
	}
	return false
}

// cleanName takes the quotes off a key and the blanks off a heading.
func cleanName(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'' || s[0] == '`') && s[len(s)-1] == s[0] {
		s = s[1 : len(s)-1]
	}
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		s = s[:i]
	}
	return s
}

// vague are kinds that a more exact pattern for the same name replaces.
func vague(k tag.Kind) bool { return k == tag.Type || k == tag.Variable || k == tag.Constant }

// tidy sorts definitions by place and drops what two patterns found twice. Of two definitions of
// one name at one place the exact kind stays, then the larger node: it has the decorator around it.
func tidy(tags []tag.Tag) []tag.Tag {
	sorted(tags, func(a, b tag.Tag) int {
		switch {
		case a.Def != b.Def:
			if a.Def {
				return -1
			}
			return 1
		case !a.Def:
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind))
		}
		if c := cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name)); c != 0 {
			return c
		}
		if vague(a.Kind) != vague(b.Kind) {
			if vague(b.Kind) {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.End-b.Start, a.End-a.Start), cmp.Compare(b.Kind, a.Kind))
	})
	out := tags[:0]
	for _, t := range tags {
		if n := len(out); t.Def && n > 0 && out[n-1].Def && out[n-1].Line == t.Line && out[n-1].Name == t.Name {
			continue
		}
		out = append(out, t)
	}
	defs := 0
	for defs < len(out) && out[defs].Def {
		defs++
	}
	sorted(out[:defs], func(a, b tag.Tag) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(a.Line, b.Line))
	})
	return out
}

// sorted is a stable sort of what mostly is in order: then it costs one look, where the sort itself takes a
// generated header with ten thousand lines as long as the parser.
func sorted(tags []tag.Tag, order func(a, b tag.Tag) int) {
	if !slices.IsSortedFunc(tags, order) {
		slices.SortStableFunc(tags, order)
	}
}

// excerpt shows the beginning of a piece of source in a message.
func excerpt(src []byte, start, end uint32) string {
	text := strings.ToValidUTF8(string(src[start:min(end, uint32(len(src)))]), "?")
	text, _, cut := strings.Cut(strings.TrimSpace(text), "\n")
	if r := []rune(text); len(r) > 40 {
		text, cut = string(r[:40]), true
	}
	if cut {
		text += "…"
	}
	if text == "" {
		return "end"
	}
	return "“" + text + "”"
}
