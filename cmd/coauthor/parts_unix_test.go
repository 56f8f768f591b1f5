//go:build unix

package main

import (
	"encoding/json"
	"strings"
	"testing"
)

const farReply = "a.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n\na.py\n```\n<<<<<<< SEARCH\nz = 1\n=======\nz = 2\n>>>>>>> REPLACE\n```\n"

const farApart = "x = 1\n#\n#\n#\n#\n#\n#\n#\n#\nz = 1\n"

// A change can be taken in part: file by file, and hunk by hunk where a file has several. What was not taken is not written,
// and a script learns by the exit status that it was not all.
func TestPartsAreChosenOnTheTerminal(t *testing.T) {
	for name, x := range map[string]struct {
		reply   string
		answers []string // to each question after the first
		code    int
		a, b    string
	}{
		"one file":       {twoReply, []string{"n", "y"}, 1, "x = 2\n#\n#\n#\n#\n#\n#\n#\n#\nz = 1\n", "absent"},
		"the other file": {twoReply, []string{"y", "n"}, 1, farApart, "y = 1\n"},
		"all":            {twoReply, []string{"y", "y"}, 0, "x = 2\n#\n#\n#\n#\n#\n#\n#\n#\nz = 1\n", "y = 1\n"},
		"none":           {twoReply, []string{"n", ""}, 1, farApart, "absent"},
		"one hunk":       {farReply, []string{"h", "n", "y"}, 1, "x = 1\n#\n#\n#\n#\n#\n#\n#\n#\nz = 2\n", "absent"},
		"all from here":  {twoReply, []string{"a"}, 0, "x = 2\n#\n#\n#\n#\n#\n#\n#\n#\nz = 1\n", "y = 1\n"},
		"all but one":    {twoReply, []string{"n", "all"}, 1, "x = 2\n#\n#\n#\n#\n#\n#\n#\n#\nz = 1\n", "absent"},
		"all hunks":      {farReply, []string{"h", "a"}, 0, "x = 2\n#\n#\n#\n#\n#\n#\n#\n#\nz = 2\n", "absent"},
		"both hunks":     {farReply, []string{"h", "y", "y"}, 0, "x = 2\n#\n#\n#\n#\n#\n#\n#\n#\nz = 2\n", "absent"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newShell(t, "-- 1.md --\n"+x.reply)
			h.put("a.py", farApart)
			s := h.editOnScreen()
			s.expect("/parts/retry]")
			s.types("parts\n")
			for i, answer := range x.answers {
				switch {
				case i > 0 && x.answers[0] == "h":
					s.expect("Apply hunk " + string(rune('0'+i)) + " of a.py?")
				case i == 0 && x.reply == twoReply:
					s.expect("Create new/b.py (+1 -0)?")
				default:
					s.expect("Change a.py (+")
				}
				s.types(answer + "\n")
			}
			s.exit(x.code)
			if a, b := h.read("a.py"), h.read("new/b.py"); a != x.a || b != x.b {
				t.Errorf("a.py is %q, new/b.py %q\n%s", a, b, s.text())
			}
			if strings.Contains(s.text(), "No files changed") != (name == "none") {
				t.Errorf("told\n%s", s.text())
			}
		})
	}
}

// Who is not content has the request sent again, to another model too: what comes is shown and asked about, and the model
// does not see its first answer. Until a model is named nothing is sent: Enter alone costs nothing, and an answer by its first
// letter is never this one for another.
func TestRetryOnTheTerminal(t *testing.T) {
	for named, model := range map[string]string{"another": "another", "same": "local"} {
		h := newShell(t, "-- 1.md --\n"+twoReply+"-- 2.md --\nOther words.\n\na.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 3\n>>>>>>> REPLACE\n```\n")
		s := h.editOnScreen()
		s.expect("Apply this change? [yes/no/all/parts/retry]")
		for range 2 {
			s.types("r\n")
			s.expect("Which model should retry?")
			s.types("\n")
			s.expect("Apply this change?")
		}
		if n := len(h.server.Requests()); n != 1 {
			t.Fatalf("Enter alone has sent %d requests", n-1)
		}
		s.types("retry\n")
		s.expect("Which model should retry?")
		s.types(named + "\n")
		s.expect("+x = 3")
		s.expect("Apply this change?")
		s.types("y\n")
		s.exit(0)
		if a, b := h.read("a.py"), h.read("new/b.py"); a != "x = 3\r\nz = 1" || b != "absent" {
			t.Errorf("a.py is %q, new/b.py %q", a, b)
		}
		all := h.server.Requests()
		if len(all) != 2 || all[0].Model != "local" || all[1].Model != model || strings.Contains(h.sent(), "I make it two") {
			t.Errorf("%d requests, sent %s", len(all), h.sent())
		}
	}
	h := newShell(t, "-- 1.md --\n"+twoReply)
	s := h.editOnScreen()
	s.expect("Apply this change?")
	s.types("a\n")
	s.exit(0)
	if h.read("a.py") != "x = 2\r\nz = 1" || h.read("new/b.py") != "y = 1\n" || len(h.server.Requests()) != 1 {
		t.Errorf("a is not all of the change: %d requests\n%s", len(h.server.Requests()), s.text())
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
