package syntax

import (
	"reflect"
	"strings"
	"testing"
)

// TestPieces: a listing is taken apart by its language, and the pieces are the listing.
func TestPieces(t *testing.T) {
	got := Pieces("python", "def f():  # say\n    return \"a\" + 1\n", always)
	want := []Piece{{KeywordPiece, "def"}, {PlainPiece, " "}, {NamePiece, "f"}, {PlainPiece, "():  "}, {CommentPiece, "# say"}, {PlainPiece, "\n    "}, {KeywordPiece, "return"}, {PlainPiece, " "}, {StringPiece, "\"a\""}, {PlainPiece, " + "}, {NumberPiece, "1"}, {PlainPiece, "\n"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
	long := strings.Repeat("x", mostPieces+1)
	for _, x := range [][2]string{{"", "def f()"}, {"nosuch", "def f()"}, {"python", long}, {"python", strings.Repeat("def ", mostPieceLine)}} {
		if got := Pieces(x[0], x[1], always); len(got) != 1 || got[0].Kind != PlainPiece || got[0].Text != x[1] {
			t.Errorf("%q: %d pieces", x[0], len(got))
		}
	}
	calls := 0
	if got := Pieces("python", "def f(): pass", func() bool { calls++; return calls < 3 }); len(got) != 1 || calls != 3 {
		t.Errorf("without time: %v, asked %d times", got, calls)
	}
	for _, language := range []string{"go", "json", "main.go", "sh", "html", "rust"} {
		all := ""
		for _, p := range Pieces(language, "a \r\n\x00\"é\xff\n", always) {
			all += p.Text
		}
		if all != "a \r\n\x00\"é\xff\n" {
			t.Errorf("%s: %q", language, all)
		}
	}
}

func always() bool { return true }
