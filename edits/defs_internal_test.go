package edits

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// No line with a definition is passed over for the word that it begins with.
func TestWhereADefinitionMayBegin(t *testing.T) {
	pieces := strings.Split("export |default |public |private |protected |static |async |pub |pub(crate) |unsafe |abstract |final |inline |def |class |function |function* |func |func (s *T) |"+
		"fn |struct |enum |trait |interface |module |type |const |let |var |name|_x|$y|Äh|(a, b)|() {|) {|{ | {|\t|\f| |= |function|=> |async |x=>|;", "|")
	r := rand.New(rand.NewPCG(3, 3))
	all, said := 0, 0
	for range 50000 {
		text := ""
		for range 1 + r.IntN(7) {
			text += pieces[r.IntN(len(pieces))]
		}
		if m := definition.FindStringSubmatch(text); m != nil && !defining[firstWord(text)] && !opensBody(text) {
			t.Fatalf("%q defines %q", text, m[1:])
		} else if m != nil {
			all++
		}
		if keyword.MatchString(text) && !saying[firstWord(text)] {
			t.Fatalf("%q defines something by a word", text)
		} else if keyword.MatchString(text) {
			said++
		}
	}
	if all < 2500 || said < 500 {
		t.Errorf("only %d and %d lines define something", all, said)
	}
}
