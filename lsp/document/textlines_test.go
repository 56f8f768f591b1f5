package document

import (
	"strings"
	"testing"
)

func TestSplitLines(t *testing.T) {
	for text, want := range map[string]string{"": "", "a": "a", "a\n": "a", "a\r\nb": "a|b", "\n\n": "|"} {
		if got := strings.Join(SplitLines(text), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
