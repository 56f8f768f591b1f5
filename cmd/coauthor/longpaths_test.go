package main

import (
	"os"
	"strings"
	"testing"
)

// TestLongNamesAreCutOnTheTerminal: a name of 25,000 characters, wherever a command is given it, fills no screen; where
// COAUTHOR_LARGE is set, as .ci/run does, it has 200,000.
func TestLongNamesAreCutOnTheTerminal(t *testing.T) {
	t.Chdir(t.TempDir()) // the folder of this package lies in a repository, which would be indexed
	parts := 5_000
	if os.Getenv("COAUTHOR_LARGE") != "" {
		parts = 40_000
	}
	long := strings.Repeat("long/", parts) + "x.py"
	for _, args := range [][]string{
		{"edit", "-m", "x", "--model", "local", long}, {"ask", "-m", "x", "--read", long}, {"apply", "--root", long}, {"apply", long}, {"commit", "-m", "x", long}, {"add", long}, {"improve", "-m", "x", "--model", "local", long},
		{"map", "--root", long}, {"doctor", "--root", long}, {"no-such-command" + long}, {"edit", "--" + long}, {"diff", long}, {"models", "--model", long},
	} {
		r := runLine(t, nil, "", args...)
		if len(r.out)+len(r.err) > 20_000 { // a command line that cannot be read has the usage before what is wrong
			t.Errorf("%.40q: %d bytes of output, %d of errors\n%.300s", args, len(r.out), len(r.err), r.err)
		}
	}
}
