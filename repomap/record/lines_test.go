package record

import (
	"strings"
	"testing"
)

// plainFields is what appendFields does, one step after the other.
func plainFields(b, line string) string {
	part := strings.Join(strings.Fields(strings.ToValidUTF8(line, "")), " ")
	if b != "" && part != "" && !strings.HasSuffix(b, "(") && part[0] != ')' {
		b += " "
	}
	return b + part
}

func FuzzFields(f *testing.F) {
	for _, b := range []string{"", "int f(", "int f(int a,", "x "} {
		for _, line := range []string{"", " ", "\t)", " ) {", "int  b, \tint c) {\r", "(", "größe\u0085 x\u00a0y", "a\xff b", " \xff", "\u2028"} {
			f.Add(b, line)
		}
	}
	f.Fuzz(func(t *testing.T, b, line string) {
		if got, want := string(appendFields([]byte(b), []byte(line))), plainFields(b, line); got != want {
			t.Errorf("%q and %q: %q, not %q", b, line, got, want)
		}
	})
}
