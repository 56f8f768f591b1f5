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

// A listing of only the changed function takes the others away: nobody asked for that.
func TestYesDoesNotWriteWhatLosesDefinitions(t *testing.T) {
	const before = "def one():\n    return 1\n\n\ndef three():\n    return 3\n"
	const listing = "a.py\n```\ndef one():\n    return 2\n```\n"
	const renamed = "a.py\n```\ndef one():\n    return 2\n\n\ndef tres():\n    return 3\n```\n" // what it means is not clear
	const blocks = "a.py\n```\n<<<<<<< SEARCH\n    return 1\n\n\ndef three():\n    return 3\n=======\n    return 2\n>>>>>>> REPLACE\n```\n"
	for _, how := range []struct {
		name, format, reply, asked, flags string
		written                           bool
	}{
		{"a listing", "whole", renamed, "Let one return two.", "--yes", false},
		{"a listing without the rest", "whole", listing, "Let one return two.", "--yes", true},
		{"a block", "diff", blocks, "Let one return two.", "--yes", false},
		{"all the same", "whole", renamed, "Let one return two.", "--yes --force", true},
		{"asked for", "whole", listing, "Let one return two and remove three.", "--yes", true},
	} {
		h := newShell(t, always(how.reply))
		h.put("a.py", before)
		args := append([]string{"edit", "-m", how.asked, "--format", how.format, filepath.Join(h.root, "a.py")}, strings.Fields(how.flags)...)
		code := h.run(args...)
		if (code == 0) != how.written || (h.read("a.py") != before) != how.written {
			t.Errorf("%s: exit %d, a.py is %q, told %s", how.name, code, h.read("a.py"), h.err.String())
		}
		warned := strings.Contains(h.err.String(), "Warning: a.py no longer has three")
		if warned != (!how.written || how.name == "all the same") {
			t.Errorf("%s: told %s", how.name, h.err.String())
		}
		want := 2 // it is asked about what is gone
		if n := len(h.server.Requests()); !how.written && n != want {
			t.Errorf("%s: asked the model %d times, want %d", how.name, n, want)
		}
	}
}
