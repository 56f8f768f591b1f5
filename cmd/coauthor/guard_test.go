package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coauthor/edits/editstest"
)

// TestYesDoesNotWriteLoss: in every entrance --yes alone writes nothing that takes most of a file away, --yes --force does,
// and undo brings it back unasked.
func TestYesDoesNotWriteLoss(t *testing.T) {
	before, after := linesOf(1, 300), "key7: value7\n"
	listing := editstest.Rewrite("whole", "app.yaml", before, after)
	diff := editstest.Rewrite("gitdiff", "app.yaml", before, after)
	script := "-- 9.md --\n```sh\ntrue\n```\n-- 9.yaml --\nmatch: run.sh\nrepeat: true\n"
	for name, c := range map[string]struct {
		reply string
		args  []string
	}{
		"edit, whole":   {listing, []string{"edit", "-m", "Change key 7.", "--format", "whole", "app.yaml"}},
		"edit, gitdiff": {diff, []string{"edit", "-m", "Change key 7.", "--format", "gitdiff", "app.yaml"}},
		"auto":          {listing + "\nDONE\n", []string{"auto", "-m", "Change key 7.", "--format", "whole", "app.yaml"}},
		"generate":      {listing, []string{"generate", "-m", "Write app.yaml.", "--no-run"}},
		"generate lite": {listing, []string{"generate", "--lite", "-m", "Write app.yaml.", "--no-run"}},
		"improve":       {diff, []string{"improve", "-m", "Change key 7.", "app.yaml"}},
		"paste":         {listing, []string{"paste", listing}},
	} {
		for _, how := range []string{"--yes", "--yes --force"} {
			t.Run(name+" "+how, func(t *testing.T) {
				h := newShell(t, "-- 1.md --\n"+c.reply+"-- 1.yaml --\nrepeat: true\n"+script)
				h.home = t.TempDir()
				h.put("app.yaml", before)
				args := slices.Concat(c.args, strings.Fields(how))
				for i, a := range args {
					if a == "app.yaml" {
						args[i] = filepath.Join(h.root, a)
					}
				}
				if name == "paste" { // it takes what was in the chat for shown
					h.run("add", filepath.Join(h.root, "app.yaml"))
				}
				var code int
				if args[0] == "generate" || args[0] == "improve" {
					code = h.generate("", args...)
				} else {
					code = h.run(args...)
				}
				want := before
				if strings.Contains(how, "--force") {
					want = after
				}
				if h.read("app.yaml") != want || (code == 0) != (want == after) {
					t.Fatalf("exit %d, app.yaml has %d bytes\n%s\n%s", code, len(h.read("app.yaml")), h.out.String(), h.err.String())
				}
				if !strings.Contains(h.err.String(), "Warning: This removes 299 of 300 lines of app.yaml.") {
					t.Errorf("told %s", h.err.String())
				}
				if want == after {
					if code := h.run("undo"); code != 0 || h.read("app.yaml") != before {
						t.Errorf("undo: exit %d\n%s", code, h.err.String())
					}
				}
			})
		}
	}
}
