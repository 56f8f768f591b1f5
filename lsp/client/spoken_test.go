package client

import (
	"strings"
	"testing"

	"coauthor/agent/display/displaytest"
)

// What the user is shown of a message hides nothing, keeps its lines, and cuts a name that nobody could read.
func TestSpokenHidesNothing(t *testing.T) {
	if got := Spoken("bad \x1b[2K\u202e\nsecond " + strings.Repeat("long/", 400) + "\n"); displaytest.Hidden(got) || strings.Count(got, "\n") != 1 || len(got) > 400 {
		t.Errorf("%q", got)
	}
	for r := range 0x3000 {
		if displaytest.Hidden(Spoken(string(rune(r)) + "x")) {
			t.Fatalf("U+%04X is left", r)
		}
	}
}
