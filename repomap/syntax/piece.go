package syntax

import (
	"strings"

	"github.com/alecthomas/chroma/v2"
)

// Kind is what a piece of a listing is, as far as that has a colour.
type Kind int

// The kinds of pieces. NamePiece is the name of a function or a type.
const (
	PlainPiece Kind = iota
	KeywordPiece
	NamePiece
	StringPiece
	NumberPiece
	CommentPiece
)

// Piece is a part of a listing that is of one kind.
type Piece struct {
	Kind Kind
	Text string
}

// mostPieces is how long a listing may be that is taken apart, and mostPieceLine a line of it: lexers take a time for lines
// that nobody writes that grows with the cube of their length.
const (
	mostPieces    = 64 << 10
	mostPieceLine = 250
)

// Pieces takes a listing apart for who shows it in colours. language is the word behind a fence in Markdown, or the name of
// a file. The pieces together are the listing; one of an unknown language, or with very long
// lines, is one plain piece, and so is one for which there is no time: goOn is asked between two pieces.
func Pieces(language, listing string, goOn func() bool) []Piece {
	whole := []Piece{{PlainPiece, listing}}
	if language == "" || len(listing) > mostPieces {
		return whole
	}
	for line := range strings.Lines(listing) {
		if len(line) > mostPieceLine {
			return whole
		}
	}
	lexer := lexerOf(language)
	if lexer == nil {
		return whole
	}
	tokens, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root", EnsureLF: false}, listing)
	if err != nil {
		return whole
	}
	var list []Piece
	var all strings.Builder
	for token := tokens(); token != chroma.EOF; token = tokens() {
		if !goOn() {
			return whole
		}
		kind := kindOf(token.Type)
		all.WriteString(token.Value)
		if n := len(list); n > 0 && list[n-1].Kind == kind {
			list[n-1].Text += token.Value
			continue
		}
		list = append(list, Piece{kind, token.Value})
	}
	if all.String() != listing { // some lexers change what they read
		return whole
	}
	return list
}

func kindOf(t chroma.TokenType) Kind {
	switch {
	case t.InCategory(chroma.Comment):
		return CommentPiece
	case t.InCategory(chroma.Keyword):
		return KeywordPiece
	case t.InSubCategory(chroma.LiteralString):
		return StringPiece
	case t.InSubCategory(chroma.LiteralNumber):
		return NumberPiece
	case t == chroma.NameFunction, t == chroma.NameClass, t == chroma.NameBuiltin, t == chroma.NameTag:
		return NamePiece
	}
	return PlainPiece
}
