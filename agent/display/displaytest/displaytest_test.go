package displaytest

import "testing"

func TestHidden(t *testing.T) {
	for s, want := range map[string]bool{
		"": false, "a\nb\r\n": false, "naïve 한글": false,
		"a\rb": true, "\x1b[2J": true, "ok\na \u202e": true, "\xff": true,
	} {
		if Hidden(s) != want {
			t.Errorf("Hidden(%q) = %v", s, !want)
		}
	}
}
