package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent/coder"
)

// A coder's row makes its word on the command line, with the flags of what its turns do, and its line of help.
func TestACoderHasItsWord(t *testing.T) {
	h := newShell(t, "repeat: true\n-- 1.md --\nRoses are red.\n")
	coders := append(coder.All(),
		coder.Coder{Name: "poet", Doc: "Rhymes about the code.", Template: "ask.md.tmpl", Next: coder.Finish},
		coder.Coder{Name: "scribe", Word: "write", Doc: "Writes it down.", Edits: true, Template: "code.md.tmpl", Next: coder.Reflect})
	run := func(args ...string) (code int, out, errs string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), hung)
		defer cancel()
		var o, e bytes.Buffer
		code = run(ctx, args, Streams{In: strings.NewReader(""), Out: &o, Err: &e, Env: noEnvironment(t), Coders: coders})
		return code, o.String(), e.String()
	}
	at := []string{"--root", h.root, "--model", "local", "--api-base", h.server.URL}
	if code, out, errs := run(append([]string{"poet", "-m", "Rhyme."}, at...)...); code != 0 || out != "Roses are red.\n" {
		t.Errorf("poet: exit %d, %q, %s", code, out, errs)
	}
	if _, out, _ := run("--help"); !strings.Contains(out, "poet") || !strings.Contains(out, "write") {
		t.Errorf("the help is\n%s", out)
	}
	if _, out, _ := run("poet", "--help"); !strings.Contains(out, "Rhymes about the code.") {
		t.Errorf("its help is\n%s", out)
	}
	if code, _, errs := run(append([]string{"poet", "-m", "Rhyme.", "--yes"}, at...)...); code != 2 {
		t.Errorf("--yes for a coder that only answers: exit %d, %s", code, errs)
	}
	if code, _, errs := run(append([]string{"write", "-m", "Write.", "--yes"}, at...)...); code != 1 || !strings.Contains(errs, "no edit") {
		t.Errorf("write: exit %d, %s", code, errs)
	}
	for _, more := range []string{"", "--yes", "--preview"} { // who asks for an answer and gets it has what was wanted
		args := append([]string{"edit", "-m", "/poet Rhyme."}, at...)
		if more != "" {
			args = append(args, more)
		}
		if code, out, errs := run(args...); code != 0 || out != "Roses are red.\n" || strings.Contains(errs, "no edit") {
			t.Errorf("a slash command %s: exit %d, %q, %s", more, code, out, errs)
		}
	}
	if code, out, errs := run(append([]string{"edit", "--json", "-m", "/poet Rhyme."}, at...)...); code != 0 || !strings.Contains(out, `"kind":"ended"`) {
		t.Errorf("a slash command as JSON: exit %d, %q, %s", code, out, errs)
	}
	asked := len(h.server.Requests())
	for _, slash := range []struct{ text, run string }{{"/code Write.", "coauthor edit -m"}, {"/scribe Write.", "coauthor write -m"}, {"/auto Write.", "coauthor auto -m"}} {
		code, out, errs := run(append([]string{"ask", "-m", slash.text}, at...)...)
		if code != 1 || out != "" || !strings.Contains(errs, "no request sent") || !strings.Contains(errs, slash.run) || len(h.server.Requests()) != asked {
			t.Errorf("%s behind ask: exit %d, %q, %s; %d calls", slash.text, code, out, errs, len(h.server.Requests())-asked)
		}
	}
	if code, _, errs := run(append([]string{"ask", "-m", "/poet"}, at...)...); code != 1 || !strings.Contains(errs, "after /poet") {
		t.Errorf("a slash command alone: exit %d, %s", code, errs)
	}
	if code, _, _ := run(append([]string{"editor", "-m", "x"}, at...)...); code != 2 {
		t.Errorf("a coder that only others go on as is a command: exit %d", code)
	}
}

func TestArchitectOnTheCommandLine(t *testing.T) {
	script := "-- 1.md --\na.py: x becomes 2.\n\nPLAN COMPLETE\n-- 2.md --\na.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n"
	h := newShell(t, script)
	file := filepath.Join(h.root, "a.py")
	if code := h.run("architect", "-m", "Make x two.", "--yes", "--editor-model", "writer", file); code != 0 || h.read("a.py") != "x = 2\r\nz = 1" {
		t.Errorf("exit %d, a.py is %q: %s", code, h.read("a.py"), h.err.String())
	}
	if requests := h.server.Requests(); len(requests) != 2 || requests[1].Model != "writer" || !strings.Contains(h.out.String(), "x becomes 2") {
		t.Errorf("%d requests, shown %s", len(requests), h.out.String())
	}
	// Nobody is there to confirm the plan: --yes does, without it nothing is edited.
	for _, c := range []struct {
		yes   string
		calls int
	}{{"--yes", 2}, {"--preview", 1}} {
		h := newShell(t, script)
		h.put("home/coauthor/config.yaml", "turn.stepwise: true\n")
		h.config = filepath.Join(h.root, "home")
		h.run("architect", "-m", "Make x two.", c.yes, filepath.Join(h.root, "a.py"))
		if got := len(h.server.Requests()); got != c.calls {
			t.Errorf("%s: %d calls, %s", c.yes, got, h.err.String())
		}
	}
}

func TestAutoOnTheCommandLine(t *testing.T) {
	block := func(old, text, say string) string {
		return "a.py\n```\n<<<<<<< SEARCH\n" + old + "\n=======\n" + text + "\n>>>>>>> REPLACE\n```\n\n" + say + "\n"
	}
	h := newShell(t, "-- 1.md --\n"+block("x = 1", "x = 2", "NEXT: make z two")+"-- 2.md --\n"+block("z = 1", "z = 2", "DONE"))
	if code := h.run("auto", "-m", "Make both two.", "--yes", "--format", "diff", filepath.Join(h.root, "a.py")); code != 0 || h.read("a.py") != "x = 2\r\nz = 2" {
		t.Errorf("exit %d, a.py is %q: %s", code, h.read("a.py"), h.err.String())
	}
}

// TestTooManyFilesAreProposedWithAWarning: a change of more files than one turn should change is not lost, and is
// not applied unseen.
func TestTooManyFilesAreProposedWithAWarning(t *testing.T) {
	script := "repeat: true\n-- 1.md --\na.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n"
	for i := range 20 {
		script += fmt.Sprintf("\nb%d.py\n```\n<<<<<<< SEARCH\n=======\ny = 1\n>>>>>>> REPLACE\n```\n", i)
	}
	for _, c := range []struct {
		args []string
		code int
		is   string
	}{
		{[]string{"--yes"}, 1, "x = 1\r\nz = 1"},
		{[]string{"--yes", "--force"}, 0, "x = 2\r\nz = 1"},
	} {
		h := newShell(t, script)
		code := h.run(append([]string{"edit", "-m", "Make x two.", "--format", "diff", filepath.Join(h.root, "a.py")}, c.args...)...)
		if code != c.code || h.read("a.py") != c.is || !strings.Contains(h.err.String(), "covers 21 files") {
			t.Errorf("%q: exit %d, a.py is %q: %s", c.args, code, h.read("a.py"), h.err.String())
		}
	}
}

// TestAutoInRoundsOnTheCommandLine: with turn.stepwise each round's change is shown and decided by itself, in
// order; what builds upon one that was not written is not written either.
func TestAutoInRoundsOnTheCommandLine(t *testing.T) {
	block := func(file, old, text, say string) string {
		return file + "\n```\n<<<<<<< SEARCH\n" + old + "=======\n" + text + ">>>>>>> REPLACE\n```\n\n" + say + "\n"
	}
	good := "-- 1.md --\n" + block("a.py", "x = 1\n", "x = 2\n", "NEXT: make z two") + "-- 2.md --\n" + block("a.py", "z = 1\n", "z = 2\n", "DONE")
	// The second round changes more files than one turn should change, which is a warning.
	wide := "-- 1.md --\n" + block("a.py", "x = 1\n", "x = 2\n", "NEXT: more") + "-- 2.md --\n" + block("b.py", "", "b = 1\n", "")
	for i := range 20 {
		wide += block(fmt.Sprintf("c%d.py", i), "", "c = 1\n", "")
	}
	wide += "NEXT: more\n-- 3.md --\n" + block("a.py", "z = 1\n", "z = 2\n", "DONE")
	for what, c := range map[string]struct {
		script string
		args   []string
		code   int
		a, b   string
		says   []string // on standard error, in this order
	}{
		"both":              {good, []string{"--yes"}, 0, "x = 2\r\nz = 2", "absent", []string{"Step 2: make z two", "Step 1:", "Step 2:"}},
		"one has a warning": {wide, []string{"--yes"}, 1, "x = 2\r\nz = 1", "absent", []string{"Step 1:", "Step 2:", "Warning: ", "so coauthor did not write their changes either", "skipped the change from step 2", "--force"}},
		"all the same":      {wide, []string{"--yes", "--force"}, 0, "x = 2\r\nz = 2", "b = 1\n", []string{"Step 1:", "Step 2:", "Step 3:"}},
		"only shown":        {good, []string{"--preview"}, 0, "x = 1\r\nz = 1", "absent", []string{"Step 1:", "Step 2:"}},
		"nobody to ask":     {good, nil, 1, "x = 1\r\nz = 1", "absent", []string{"Step 1:", "so coauthor did not write their changes either", "skipped the change from step 1", "without a terminal"}},
	} {
		h := newShell(t, c.script)
		h.put("home/coauthor/config.yaml", "turn.stepwise: true\n")
		h.config = filepath.Join(h.root, "home")
		code := h.run(append([]string{"auto", "-m", "Make both two.", "--format", "diff", filepath.Join(h.root, "a.py")}, c.args...)...)
		if code != c.code || h.read("a.py") != c.a || h.read("b.py") != c.b {
			t.Errorf("%s: exit %d, a.py is %q, b.py %q: %s", what, code, h.read("a.py"), h.read("b.py"), h.err.String())
		}
		rest := h.err.String()
		for _, say := range c.says {
			_, after, ok := strings.Cut(rest, say)
			if !ok {
				t.Errorf("%s: %q is not said, or not in its place, in\n%s", what, say, h.err.String())
				break
			}
			rest = after
		}
	}
	h := newShell(t, good)
	h.put("home/coauthor/config.yaml", "turn.stepwise: true\n")
	h.config = filepath.Join(h.root, "home")
	h.run("auto", "-m", "Make both two.", "--format", "diff", "--yes", "--json", filepath.Join(h.root, "a.py"))
	for _, want := range []string{`"round":1`, `"round":2`} {
		if !strings.Contains(h.out.String(), want) {
			t.Errorf("--json does not tell %s:\n%s", want, h.out.String())
		}
	}
}
