package chat

import (
	"strings"
	"time"

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
	for _, piece := range piecesOf(language, listing) {
		b.WriteString(s.paint(looks[piece.Kind], piece.Text))
	}
	return strings.Split(b.String(), "\n")
}

// mostHighlighting is how long it may take to find the colours of a listing. Lexers are slow with what nobody writes.
const mostHighlighting = 2 * time.Second

// piecesOf takes a listing apart.
func piecesOf(language, listing string) []syntax.Piece {
	since := time.Now()
	return syntax.Pieces(language, listing, func() bool { return time.Since(since) < mostHighlighting })
}
