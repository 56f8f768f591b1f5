//go:build unix

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const farReply = "a.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n\na.py\n```\n<<<<<<< SEARCH\nz = 1\n=======\nz = 2\n>>>>>>> REPLACE\n```\n"

const farApart = "x = 1\n#\n#\n#\n#\n#\n#\n#\n#\nz = 1\n"

// A one-shot command decides as a session does, with the keys of git add -p. What was not taken is not written, and a script
// learns by the exit status that it was not all. Enter alone, and what is no key, says what the keys are.
func TestHunksAreChosenOnTheTerminal(t *testing.T) {
	for name, x := range map[string]struct {
		reply string
		keys  string
		code  int
		a, b  string
	}{
		"one file":       {twoReply, "n y", 1, "x = 2\n#\n#\n#\n#\n#\n#\n#\n#\nz = 1\n", "absent"},
		"the other file": {twoReply, "y n", 1, farApart, "y = 1\n"},
		"all":            {twoReply, "y y", 0, "x = 2\n#\n#\n#\n#\n#\n#\n#\n#\nz = 1\n", "y = 1\n"},
		"none":           {twoReply, "n d", 1, farApart, "absent"},
		"no more":        {twoReply, "y q", 1, farApart, "y = 1\n"},
		"one hunk":       {farReply, "n y", 1, "x = 1\n#\n#\n#\n#\n#\n#\n#\n#\nz = 2\n", "absent"},
		"all hunks":      {farReply, "a", 0, "x = 2\n#\n#\n#\n#\n#\n#\n#\n#\nz = 2\n", "absent"},
		"the last first": {farReply, "j y n", 1, "x = 1\n#\n#\n#\n#\n#\n#\n#\n#\nz = 2\n", "absent"},
		"Enter":          {farReply, " y q", 1, "x = 2\n#\n#\n#\n#\n#\n#\n#\n#\nz = 1\n", "absent"},
		"no key":         {farReply, "x y q", 1, "x = 2\n#\n#\n#\n#\n#\n#\n#\n#\nz = 1\n", "absent"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newShell(t, "-- 1.md --\n"+x.reply)
			h.put("a.py", farApart)
			s := h.editOnScreen()
			for _, no := range []string{"", "all", "?"} {
				s.expect("Apply this change? [y,n,h,r,?]")
				s.types(no + "\n")
				s.expect("Decide hunk by hunk.")
			}
			s.expect("Apply this change? [y,n,h,r,?]")
			s.types("h\n")
			for _, key := range strings.Split(x.keys, " ") {
				s.expect(",?]?")
				s.types(key + "\n")
				if key == "" || key == "x" {
					s.expect("quit; do not apply this hunk or any of the remaining ones")
				}
			}
			s.exit(x.code)
			if a, b := h.read("a.py"), h.read("new/b.py"); a != x.a || b != x.b {
				t.Errorf("a.py is %q, new/b.py %q\n%s", a, b, s.text())
			}
			if strings.Contains(s.text(), "No files changed") != (name == "none") {
				t.Errorf("told\n%s", s.text())
			}
			if x.reply == twoReply && !strings.Contains(s.text(), "(1/2) Create this file [y,n,q,a,d,j,J,?]?") {
				t.Errorf("asked\n%s", s.text())
			}
		})
	}
}

// TestAHunkIsEditedOnTheTerminal: e opens the user's own editor, on the terminal itself.
func TestAHunkIsEditedOnTheTerminal(t *testing.T) {
	h := newShell(t, "-- 1.md --\n"+farReply)
	h.put("a.py", farApart)
	editor := filepath.Join(t.TempDir(), "editor.sh")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\ntest -t 0 && test -t 1 && sed -i 's/+x = 2/+x = 7/' \"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("VISUAL", editor)
	s := h.editOnScreen()
	s.expect("Apply this change?")
	s.types("h\n")
	s.expect("(1/2) Apply this hunk [y,n,q,a,d,j,J,e,?]?")
	s.types("e\n")
	s.expect("(2/2) Apply this hunk [")
	s.types("n\n")
	s.exit(1)
	if got := h.read("a.py"); got != strings.Replace(farApart, "x = 1", "x = 7", 1) {
		t.Errorf("a.py is %q\n%s", got, s.text())
	}
}

// TestAPagerOnTheTerminal: a change that is higher than the screen can be looked at in the user's own pager.
func TestAPagerOnTheTerminal(t *testing.T) {
	h := newShell(t, "-- 1.md --\nlong.txt\n```\n<<<<<<< SEARCH\n=======\n"+strings.Repeat("line\n", 60)+">>>>>>> REPLACE\n```\n")
	t.Setenv("PAGER", "sed s/line/paged/")
	s := h.editOnScreen()
	s.expect("Apply this change? [y,n,h,r,p,?]")
	s.types("p\n")
	s.expect("+paged")
	s.expect("Apply this change? [y,n,h,r,p,?]")
	s.types("n\n")
	s.exit(1)
}

// Who is not content says what the model is to do differently: that is sent with what was said before, and what comes is shown
// and asked about. Enter alone costs nothing.
func TestAskingAgainOnTheTerminal(t *testing.T) {
	h := newShell(t, "-- 1.md --\n"+twoReply+"-- 2.md --\nOther words.\n\na.py\n```\n<<<<<<< SEARCH\nx = 2\n=======\nx = 3\n>>>>>>> REPLACE\n```\n")
	s := h.editOnScreen()
	for range 2 {
		s.expect("Apply this change? [y,n,h,r,?]")
		s.types("r\n")
		s.expect("What should the model do differently? (Enter: back)")
		s.types("\n")
	}
	s.expect("Apply this change?")
	if n := len(h.server.Requests()); n != 1 {
		t.Fatalf("Enter alone has sent %d requests", n-1)
	}
	s.types("r\n")
	s.expect("differently?")
	s.types("Make it three.\n")
	s.expect("+x = 3")
	s.expect("Apply this change?")
	s.types("y\n")
	s.exit(0)
	if a := h.read("a.py"); a != "x = 3\r\nz = 1" {
		t.Errorf("a.py is %q", a)
	}
	if all := h.server.Requests(); len(all) != 2 || !strings.Contains(h.sent(), "Make it three.") || !strings.Contains(h.sent(), "Make x two.") {
		t.Errorf("%d requests, sent %s", len(all), h.sent())
	}
}

// Who reads lines of JSON gets the change itself with the proposal.
func TestJSONCarriesTheDiff(t *testing.T) {
	h := newShell(t, "-- 1.md --\n"+twoReply)
	if code := h.edit("--preview", "--json"); code != 0 {
		t.Fatalf("exit %d: %s", code, h.err.String())
	}
	diffs := 0
	for line := range strings.Lines(h.out.String()) {
		var e struct {
			Kind     string
			Seq      int
			Proposal struct {
				ID, State, Diff string
				Files           []struct{ Path string }
			}
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if e.Kind != "proposal" {
			continue
		}
		diffs++
		if p := e.Proposal; e.Seq == 0 || p.ID == "" || p.State != "pending" || len(p.Files) != 2 || !strings.Contains(p.Diff, "diff --git a/a.py b/a.py\n") || !strings.Contains(p.Diff, "+x = 2") || !strings.Contains(p.Diff, "new file mode") {
			t.Errorf("%+v", p)
		}
	}
	if diffs != 1 {
		t.Errorf("%d proposals in\n%s", diffs, h.out.String())
	}
}
