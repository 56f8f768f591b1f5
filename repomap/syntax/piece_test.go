package syntax

import (
	"reflect"
	"strings"
	"testing"
)

// TestPieces: a listing is taken apart by its language, and the pieces are the listing.
func TestPieces(t *testing.T) {
	got := Pieces("python", "def f():  # say\n    return \"a\" + 1\n")
	want := []Piece{{KeywordPiece, "def"}, {PlainPiece, " "}, {NamePiece, "f"}, {PlainPiece, "():  "}, {CommentPiece, "# say"}, {PlainPiece, "\n    "}, {KeywordPiece, "return"}, {PlainPiece, " "}, {StringPiece, "\"a\""}, {PlainPiece, " + "}, {NumberPiece, "1"}, {PlainPiece, "\n"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
	long := strings.Repeat("x", mostPieces+1)
	for _, x := range [][2]string{{"", "def f()"}, {"nosuch", "def f()"}, {"python", long}} {
		if got := Pieces(x[0], x[1]); len(got) != 1 || got[0].Kind != PlainPiece || got[0].Text != x[1] {
			t.Errorf("%q: %d pieces", x[0], len(got))
		}
	}
	for _, language := range []string{"go", "json", "main.go", "sh", "html", "rust"} {
		all := ""
		for _, p := range Pieces(language, "a \r\n\x00\"é\xff\n") {
			all += p.Text
		}
		if all != "a \r\n\x00\"é\xff\n" {
			t.Errorf("%s: %q", language, all)
		}
	}
}
