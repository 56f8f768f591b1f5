package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent/event"
)

// always is a script in which the model answers the same, however often it is asked.
func always(reply string) string {
	var b strings.Builder
	for n := 1; n <= 4; n++ {
		fmt.Fprintf(&b, "-- %d.md --\n%s", n, reply)
	}
	return b.String()
}

const brokenReply = "a.py\n```\n<<<<<<< SEARCH\ndef f():\n=======\ndef f(:\n>>>>>>> REPLACE\n```\n"

// What the checks still complain about after the last round is shown, and needs a word of its own.
func TestYesDoesNotWriteWhatHasWarnings(t *testing.T) {
	const before = "def f():\n    return 1\n"
	for _, how := range []struct {
		flags   string
		code    int
		written bool
	}{
		{"--yes", 1, false},
		{"", 1, false},
		{"--force", 1, false}, // force says how, not whether
		{"--preview", 0, false},
		{"--yes --force", 0, true},
	} {
		h := newShell(t, always(brokenReply))
		h.put("a.py", before)
		code := h.edit(strings.Fields(how.flags)...)
		told := h.err.String()
		if code != how.code || !strings.Contains(told, `Warning: a.py, line 1: missing ")" in f`) {
			t.Errorf("%q: exit %d, told %s", how.flags, code, told)
		}
		if !strings.Contains(h.out.String(), "+def f(:") {
			t.Errorf("%q: the diff is not shown: %s", how.flags, h.out.String())
		}
		if got := h.read("a.py"); got != before != how.written {
			t.Errorf("%q: a.py is %q", how.flags, got)
		}
		if how.flags == "--yes" && !strings.Contains(told, "--force") {
			t.Errorf("not told how to go on: %s", told)
		}
	}
}

func TestWarningsStandInTheEvents(t *testing.T) {
	h := newShell(t, always(brokenReply))
	h.put("a.py", "def f():\n    return 1\n")
	if code := h.run("edit", "-m", "x", "--format", "diff", "--yes", "--json", filepath.Join(h.root, "a.py")); code != 1 {
		t.Errorf("exit %d", code)
	}
	var warnings []string
	for line := range strings.Lines(h.out.String()) {
		var e event.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if e.Kind == event.KindProposal {
			warnings = e.Proposal.Warnings
		}
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0], "a.py, line 1") {
		t.Errorf("warnings %q", warnings)
	}
}

// A listing of only the changed function takes the others away: nobody asked for that.
func TestYesDoesNotWriteWhatLosesDefinitions(t *testing.T) {
	const before = "def one():\n    return 1\n\n\ndef three():\n    return 3\n"
	const listing = "a.py\n```\ndef one():\n    return 2\n```\n"
	const blocks = "a.py\n```\n<<<<<<< SEARCH\n    return 1\n\n\ndef three():\n    return 3\n=======\n    return 2\n>>>>>>> REPLACE\n```\n"
	for _, how := range []struct {
		name, format, reply, asked, flags string
		written                           bool
	}{
		{"a listing", "whole", listing, "Let one return two.", "--yes", false},
		{"a block", "diff", blocks, "Let one return two.", "--yes", false},
		{"all the same", "whole", listing, "Let one return two.", "--yes --force", true},
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
		if n := len(h.server.Requests()); !how.written && n != 2 {
			t.Errorf("%s: asked the model %d times", how.name, n)
		}
	}
}
