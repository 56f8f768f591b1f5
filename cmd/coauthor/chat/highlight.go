package chat

import (
	"strings"

	"coauthor/repomap/syntax"
)

// looks are the colours of a listing.
var looks = map[syntax.Kind]string{
	syntax.KeywordPiece: lookMagenta, syntax.NamePiece: lookBlue, syntax.StringPiece: lookGreen, syntax.NumberPiece: lookYellow, syntax.CommentPiece: lookDim,
}

// highlight gives the lines of a listing the colours of its language.
func (s style) highlight(listing, language string) []string {
	if !s.colour {
		return strings.Split(listing, "\n")
	}
	var b strings.Builder
	for _, piece := range syntax.Pieces(language, listing) {
		b.WriteString(s.paint(looks[piece.Kind], piece.Text))
	}
	return strings.Split(b.String(), "\n")
}
