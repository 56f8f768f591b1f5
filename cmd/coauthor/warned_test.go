package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// always is a script in which the model answers the same, however often it is asked.
func always(reply string) string {
	var b strings.Builder
	for n := 1; n <= 4; n++ {
		fmt.Fprintf(&b, "-- %d.md --\n%s", n, reply)
	}
	return b.String()
}

// TestLostDefinitionsAreTold: a definition that is gone may be just what was asked for, so it is told, the model is not asked
// about it, and --yes writes.
func TestLostDefinitionsAreTold(t *testing.T) {
	before := "def one():\n    return 1\n\n\ndef three():\n    return 3\n"
	for n := range 20 {
		before += fmt.Sprintf("\n\ndef more%d():\n    return %d\n", n, n)
	}
	without := strings.Replace(before, "def three():\n    return 3\n\n\n", "", 1)
	block := "a.py\n```\n<<<<<<< SEARCH\n    return 1\n\n\ndef three():\n    return 3\n=======\n    return 1\n>>>>>>> REPLACE\n```\n"
	for _, how := range []struct{ name, format, reply, asked string }{
		{"a listing", "whole", "a.py\n```\n" + without + "```\n", "Let one return 1."},
		{"a block", "diff", block, "Let one return 1."},
		{"asked for", "diff", block, "Remove three."},
	} {
		h := newShell(t, always(how.reply))
		h.put("a.py", before)
		code := h.run("edit", "-m", how.asked, "--format", how.format, "--yes", filepath.Join(h.root, "a.py"))
		if code != 0 || h.read("a.py") != without {
			t.Errorf("%s: exit %d, a.py is %q, told %s", how.name, code, h.read("a.py"), h.err.String())
		}
		if !strings.Contains(h.err.String(), "a.py no longer has three.") {
			t.Errorf("%s: told %s", how.name, h.err.String())
		}
		if n := len(h.server.Requests()); n != 1 {
			t.Errorf("%s: asked the model %d times", how.name, n)
		}
	}
}
