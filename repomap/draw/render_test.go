package draw

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// A long signature breaks between its parameters, and nothing is lost.
func TestSignaturesBreakAtTheirParameters(t *testing.T) {
	for n := range 12 {
		s := "func F(" + strings.Repeat("a"+strings.Repeat("b", n)+" int, ", 40) + "c int)"
		lines := strings.Split(BreakLine(s), moreSignature)
		for k, line := range lines {
			if utf8.RuneCountInString(line) > LineWidth || k < len(lines)-1 && !strings.HasSuffix(line, ",") {
				t.Errorf("a line is %q", line)
			}
		}
		if got := strings.Join(lines, " "); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
}
