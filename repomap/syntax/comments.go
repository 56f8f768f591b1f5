package syntax

import (
	"bytes"
	"context"
	"errors"
	pathpkg "path"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"
)

// Comment is the place of a comment in bytes, with its signs. A lexer may give several line comments as one.
type Comment struct{ Start, End int }

// Comments lists the comments of src in order: as the grammar has them, so that what stands in a string is none;
// without a grammar as the lexer has them; and without both those that begin a line with a sign that is common. The
// documentation strings of Python count. A file that is too large has none.
func Comments(ctx context.Context, path string, src []byte) ([]Comment, error) {
	if len(src) == 0 || len(src) > MaxSize || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	form, ok := templates[strings.ToLower(pathpkg.Ext(path))]
	if ok && !form.grammar {
		return form.comments(src, nil), nil
	}
	list, err := languageComments(ctx, path, src)
	if ok && err == nil {
		list = form.comments(src, list)
	}
	return list, err
}

// languageComments are the comments that the language of a file has.
func languageComments(ctx context.Context, path string, src []byte) ([]Comment, error) {
	l := Detect(path, src)
	if l == nil {
		l = &Language{Lexer: lexerFor(path)} // one of which we know no more
	}
	if own, ok := ownSigns[l.Name]; ok {
		return own.comments(src), nil
	}
	g, err := grammarOf(l)
	if err != nil {
		return nil, err
	}
	if g != nil {
		list, err := g.comments(ctx, src, l.Name == "python")
		if !errors.Is(err, ErrLimit) {
			return list, err
		}
	}
	if l.Lexer == "" {
		return anySigns.comments(src), nil
	}
	return lexedComments(ctx, l, src)
}

// lexedComments are the comments that the lexer of a language finds.
func lexedComments(ctx context.Context, l *Language, src []byte) ([]Comment, error) {
	lexer := lexerOf(l.Lexer)
	if lexer == nil || !utf8.Valid(src) { // the lexer counts in characters that it understands
		return anySigns.comments(src), nil
	}
	tokens, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root", EnsureLF: false}, string(src))
	if err != nil {
		return anySigns.comments(src), nil //nolint:nilerr // the signs are still there
	}
	var list []Comment
	offset, count := 0, 0
	for token := tokens(); token != chroma.EOF; token = tokens() {
		if count++; count&4095 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		end := min(offset+len(token.Value), len(src)) // some lexers end the text with a line feed of their own
		if remark(token.Type) {
			if n := len(list); n > 0 && list[n-1].End == offset {
				list[n-1].End = end
			} else {
				list = append(list, Comment{offset, end})
			}
		}
		offset = end
	}
	return list, nil
}

// remark says whether a token is a comment: directives of preprocessors are of the same category, and comments that
// document are not.
func remark(t chroma.TokenType) bool {
	if t == chroma.CommentPreproc || t == chroma.CommentPreprocFile || t == chroma.CommentHashbang {
		return false
	}
	return t.InCategory(chroma.Comment) || t == chroma.LiteralStringDoc
}

// signs are how comments are written where nobody has a grammar.
type signs struct {
	line    []string    // to the end of the line
	block   [][2]string // from one to the other
	quotes  string      // what begins and ends a string on one line, in which nothing counts
	leading bool        // a line comment stands alone on its line
}

var (
	script = signs{line: []string{"//"}, block: [][2]string{{"/*", "*/"}}, quotes: "\"'`"}
	markup = signs{block: [][2]string{{"<!--", "-->"}}}
	// anySigns are those that many languages share. Only one that begins a line is taken for a comment.
	anySigns = signs{line: []string{"#", "//", "--", ";", "%"}, block: [][2]string{{"/*", "*/"}, {"<!--", "-->"}}, leading: true}
)

// ownSigns are those of languages whose grammar and lexer have no comments, or none that can be relied on.
var ownSigns = map[string]signs{
	"less":     script,
	"ql":       script,
	"markdown": markup, // in which a heading begins with a hash
	"rst":      {line: []string{".. "}, leading: true},
	"text":     anySigns,
	"json":     script, // for a lexer what the standard does not have is an error
}

// comments finds what is written with these signs.
func (s signs) comments(src []byte) []Comment {
	var list []Comment
	blank := true // nothing but white space on the line so far
	for at := 0; at < len(src); {
		if end, ok := s.commentAt(src, at, blank); ok {
			list = append(list, Comment{at, end})
			at = end
			blank = blank && end > 0 && src[end-1] == '\n'
			continue
		}
		c := src[at]
		switch {
		case c == '\n':
			blank = true
		case strings.IndexByte(s.quotes, c) >= 0:
			at, blank = afterString(src, at), false
			continue
		case c != ' ' && c != '\t' && c != '\r':
			blank = false
		}
		at++
	}
	return list
}

// commentAt returns the end of a comment that begins at a place; the line feed behind a line comment is not part of it.
func (s signs) commentAt(src []byte, at int, blank bool) (end int, ok bool) {
	if s.leading && !blank {
		return 0, false
	}
	for _, b := range s.block {
		if bytes.HasPrefix(src[at:], []byte(b[0])) {
			n := bytes.Index(src[at+len(b[0]):], []byte(b[1]))
			if n < 0 {
				return len(src), true
			}
			return at + len(b[0]) + n + len(b[1]), true
		}
	}
	for _, sign := range s.line {
		if bytes.HasPrefix(src[at:], []byte(sign)) {
			if n := bytes.IndexByte(src[at:], '\n'); n >= 0 {
				return at + n, true
			}
			return len(src), true
		}
	}
	return 0, false
}

// afterString returns where a string ends that begins at a place: behind its second quote, or at the end of the line,
// but for one in backquotes, which may have several.
func afterString(src []byte, at int) int {
	quote := src[at]
	for at++; at < len(src); at++ {
		switch src[at] {
		case '\\':
			at++
		case quote:
			return at + 1
		case '\n':
			if quote != '`' {
				return at
			}
		}
	}
	return len(src)
}
