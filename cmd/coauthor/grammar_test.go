package main

import (
	"bytes"
	"testing"

	"github.com/alecthomas/kong"

	"coauthor/agent/coder"
)

// TestACommandAloneIsTheSame: each word of each command makes that command alone, with the help that it has among all; any
// other first argument makes all of them.
func TestACommandAloneIsTheSame(t *testing.T) {
	help := func(first string, args ...string) string {
		var out bytes.Buffer
		parser := grammar(coder.All(), first, kong.Name("coauthor"), kong.Writers(&out, &out), kong.Exit(func(int) {}))
		_, _ = parser.Parse(args) // ends early, as nothing exits
		return out.String()
	}
	all := grammar(coder.All(), "").Model.Children
	for _, c := range all {
		for _, word := range append([]string{c.Name}, c.Aliases...) {
			alone := grammar(coder.All(), word).Model.Children
			if len(alone) != 1 || alone[0].Name != c.Name || alone[0].Help != c.Help || alone[0].Hidden != c.Hidden {
				t.Errorf("%s makes %d commands", word, len(alone))
			}
			if got, want := help(word, word, "--help"), help("", word, "--help"); got != want || got == "" {
				t.Errorf("%s alone has the help\n%s\namong all\n%s", word, got, want)
			}
		}
	}
	for _, other := range []string{"", "--help", "-h", "editx", "Edit", "no-such-command"} {
		if got := len(grammar(coder.All(), other).Model.Children); got != len(all) || got < 40 {
			t.Errorf("%q makes %d commands of %d", other, got, len(all))
		}
	}
}
