//go:build unix

package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"

	"coauthor/agent/display/displaytest"
	"coauthor/cmd/coauthor/console"
)

// TestWhatMovesOnAScreen: the line that moves is for a terminal that can take it back, colours for one
// whose user wants them, and neither goes into a file.
func TestWhatMovesOnAScreen(t *testing.T) {
	const moves, colour = "\r\x1b[K", "\x1b[32m+x = \x1b[0m\x1b[32;7m2"
	for what, x := range map[string]struct {
		env      map[string]string
		args     []string
		intoFile bool
		moves    bool
		colour   bool
	}{
		"a terminal":           {moves: true, colour: true},
		"a dumb one":           {env: map[string]string{"TERM": "dumb"}},
		"no colour":            {env: map[string]string{"NO_COLOR": "1"}, moves: true},
		"events":               {args: []string{"--json"}},
		"into a file":          {intoFile: true, moves: true},
		"a dumb one beside it": {intoFile: true, env: map[string]string{"TERM": "dumb"}},
	} {
		h := newShell(t, "-- 1.md --\n"+twoReply)
		h.env, h.intoFile = x.env, x.intoFile
		s := h.editOnScreen(append(x.args, "--preview")...)
		s.exit(0)
		all := s.text()
		if strings.Contains(all, moves) != x.moves || strings.Contains(all, colour) != x.colour || x.moves && lineLeft(all) {
			t.Errorf("%s:\n%q", what, all)
		}
		if file := h.out.String(); x.intoFile && (!strings.Contains(file, "\n+x = 2\r\n") || strings.Contains(file, "\x1b") || strings.Contains(all, "+x = 2")) {
			t.Errorf("%s: the file has\n%q\nand the screen\n%q", what, file, all)
		}
	}
}

// TestTheLineMovesWhileTheModelIsSilent, and is gone when the turn has ended.
func TestTheLineMovesWhileTheModelIsSilent(t *testing.T) {
	h := newShell(t, "-- 1.md --\nno\n-- 1.yaml --\nhold-first: true\n")
	s := h.editOnScreen()
	s.expect("Waiting for local · 1 s")
	s.interrupt()
	s.exit(130)
	if left := displaytest.Screen(s.text()); strings.Contains(left, "Waiting") {
		t.Errorf("the screen shows\n%q", left)
	}
}

// lineLeft says whether something of a line that moved is left on a screen.
func lineLeft(all string) bool {
	for _, begin := range []string{"Collecting", "Waiting for", "Writing", "Checking"} {
		if strings.Contains(displaytest.Screen(all), begin) {
			return true
		}
	}
	return false
}

// TestInterruptedQuestions: an interrupt while a question stands there is no answer, and nothing is written.
func TestInterruptedQuestions(t *testing.T) {
	for what, x := range map[string]struct{ script, question string }{
		"apply":   {"-- 1.md --\n" + twoReply, "Apply this change?"},
		"add":     {wantsOther, "[add/skip]"},
		"no edit": {"-- 1.md --\nYou could.\n", "Your answer to the model"},
		"consent": {"-- 1.md --\n.envrc\n```\n<<<<<<< SEARCH\n=======\ny = 1\n>>>>>>> REPLACE\n```\n", "Apply this change?"},
	} {
		h := newShell(t, x.script)
		h.put("other.py", "y = 1\n")
		s := h.editOnScreen()
		s.expect(x.question)
		want := 130
		if what == "consent" {
			s.types("y\n")
			s.expect("Change it anyway?")
			want = 1 // the others may be written by now, and are told
		}
		s.interrupt()
		s.exit(want)
		if h.read("a.py") != "x = 1\r\nz = 1" || h.read("other.py") != "y = 1\n" || h.read(".envrc") != "absent" || lineLeft(s.text()) {
			t.Errorf("%s: something was written\n%s", what, s.text())
		}
	}
	h := newShell(t, "-- 1.md --\nno\n")
	h.put("a.txt", "one\ntwo\n")
	reply := lay(t, map[string]string{"reply.md": goodBlock})
	s := h.onScreen("apply", "--root", h.root, filepath.Join(reply, "reply.md"))
	s.expect("Apply this change?")
	s.interrupt()
	s.exit(130)
	if h.read("a.txt") != "one\ntwo\n" {
		t.Error("apply wrote")
	}
}

// TestNoQuestionWithoutAChange: where nothing can be applied nobody is asked; --yes and events ask nothing
// either.
func TestNoQuestionWithoutAChange(t *testing.T) {
	reply := lay(t, map[string]string{"bad.md": badBlock})
	h := newShell(t, "-- 1.md --\nno\n")
	h.put("a.txt", "one\ntwo\n")
	s := h.onScreen("apply", "--root", h.root, filepath.Join(reply, "bad.md"))
	s.exit(1)
	if all := s.text(); strings.Contains(all, "?") || strings.Count(all, "no-match") != 1 || strings.Contains(all, "No files changed.") {
		t.Errorf("apply:\n%s", all)
	}
	for _, args := range [][]string{{"--yes"}, {"--yes", "--json"}} {
		h := newShell(t, "-- 1.md --\nYou could set x to two.\n-- 2.md --\n"+twoReply)
		s := h.editOnScreen(args...)
		s.exit(1)
		if strings.Contains(s.text(), "Your answer") || len(h.server.Requests()) != 1 || !strings.Contains(s.text(), "no files changed, because the answer contains no edit") {
			t.Errorf("%v: %d requests\n%s", args, len(h.server.Requests()), s.text())
		}
	}
	// What is there already is no reason to ask for it.
	h = newShell(t, "repeat: true\n-- 1.md --\na.py\n```\n<<<<<<< SEARCH\nz = 1\n=======\nz = 1\n>>>>>>> REPLACE\n```\n")
	s = h.editOnScreen()
	s.exit(1)
	if all := s.text(); strings.Contains(all, "Your answer") || strings.Contains(all, "contains no edit") {
		t.Errorf("edits that are there:\n%s", all)
	}
}

// TestTheWholeAnswerIsShown before somebody is asked whether to ask for the edits: a listing that was taken for
// one, too, and nothing twice.
func TestTheWholeAnswerIsShown(t *testing.T) {
	h := newShell(t, "-- 1.md --\nRun lib/a.py\n```console\n$ python lib/a.py \x1b[2K\n```\nfirst.\n-- 2.yaml --\nstatus: 401\n-- 2.md --\nbad key\n")
	s := h.editOnScreen()
	s.expect("$ python lib/a.py <U+001B>[2K\n")
	s.expect("\nThe answer contains no edit.\n")
	s.expect("Your answer to the model")
	s.types("y\n")
	s.exit(1) // its server does not answer the second time
	if len(h.server.Requests()) != 2 || strings.Count(s.text(), "$ python") != 1 || strings.Count(s.text(), "coauthor: ") != 1 || strings.Contains(s.text(), "no files changed, because") {
		t.Errorf("%d requests\n%s", len(h.server.Requests()), s.text())
	}
}

// TestNobodySawIt: where the question cannot be shown, what was typed before is no answer.
func TestNobodySawIt(t *testing.T) {
	person, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = tty.Close(), person.Close() }()
	if _, err := person.WriteString("y\n"); err != nil {
		t.Fatal(err)
	}
	root := lay(t, map[string]string{"a.txt": "one\ntwo\n"})
	reply := filepath.Join(lay(t, map[string]string{"reply.md": badBlock + goodBlock}), "reply.md")
	code := run(t.Context(), []string{"apply", "--root", root, reply}, Streams{In: tty, Out: io.Discard, Err: &full{}, Env: noEnvironment(t)})
	if got := (&shell{root: root}).read("a.txt"); code != 1 || got != "one\ntwo\n" {
		t.Errorf("exit %d, a.txt is %q", code, got)
	}
}

// TestTheMapOnAScreen hides nothing; elsewhere it is what a model would get.
func TestTheMapOnAScreen(t *testing.T) {
	h := newShell(t, "-- 1.md --\nno\n")
	h.put("b.py", "def beta(x='\u202e'):\n    return x\n")
	r := runLine(t, nil, "", "map", "--root", h.root)
	if r.code != 0 || !strings.Contains(r.out, "def beta(x='\u202e')") {
		t.Errorf("exit %d\n%q\n%s", r.code, r.out, r.err)
	}
	s := h.onScreen("map", "--root", h.root)
	s.expect("def beta(x='<U+202E>')")
	s.exit(0)
}

// TestApplyReportsIntoAFile: with standard output in a file the question goes to the screen, and the file
// has the whole report.
func TestApplyReportsIntoAFile(t *testing.T) {
	for answer, want := range map[string]string{"y": "uno\ntwo\n", "n": "one\ntwo\n"} {
		h := newShell(t, "-- 1.md --\nno\n")
		h.intoFile = true
		h.put("a.txt", "one\ntwo\n")
		reply := lay(t, map[string]string{"reply.md": goodBlock + badBlock})
		s := h.onScreen("apply", "--root", h.root, filepath.Join(reply, "reply.md"))
		s.expect("refused: a.txt: ")
		s.expect("+uno")
		s.expect("Apply this change?")
		s.types(answer + "\n")
		s.exit(1)
		file := h.out.String()
		if h.read("a.txt") != want || (answer == "y") != (strings.HasPrefix(file, "update a.txt (+1 -1)\nrefused: a.txt: ")) || answer == "n" && file != "" || strings.Contains(file, "?") {
			t.Errorf("%s: a.txt is %q, the file has\n%s", answer, h.read("a.txt"), file)
		}
	}
}

// TestNobodyToAsk: a process without a terminal of its own takes the command for the agreement, and a
// terminal that was opened is closed.
func TestNobodyToAsk(t *testing.T) {
	for what, x := range map[string]struct {
		open func(closed *int) func() (io.ReadCloser, error)
		want string
	}{
		"none": {func(*int) func() (io.ReadCloser, error) { return nil }, "uno\ntwo\n"},
		"it is locked": {func(*int) func() (io.ReadCloser, error) {
			return func() (io.ReadCloser, error) { return nil, errors.New("no such device") }
		}, "uno\ntwo\n"},
		"somebody": {func(closed *int) func() (io.ReadCloser, error) {
			return func() (io.ReadCloser, error) { return counting{strings.NewReader("no\n"), closed}, nil }
		}, "one\ntwo\n"},
	} {
		h := newShell(t, "-- 1.md --\nno\n")
		h.put("a.txt", "one\ntwo\n")
		person, tty, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		closed := 0
		code := run(t.Context(), []string{"apply", "--root", h.root}, Streams{In: strings.NewReader(goodBlock), Out: tty, Err: &h.err, Env: noEnvironment(t), Terminal: x.open(&closed)})
		_, _ = tty.Close(), person.Close()
		if h.read("a.txt") != x.want || (code == 0) != (x.want == "uno\ntwo\n") || (closed == 1) != (what == "somebody") || strings.Contains(h.err.String(), "?") {
			t.Errorf("%s: exit %d, a.txt is %q, closed %d times\n%s", what, code, h.read("a.txt"), closed, h.err.String())
		}
	}
}

type counting struct {
	io.Reader
	closed *int
}

func (c counting) Close() error { *c.closed++; return nil }

// What a command prints cannot change how the question behind it looks, also where the output goes to the screen
// through another program.
func TestOutputAboveAQuestionIsPlain(t *testing.T) {
	h := newShell(t, "-- 1.md --\nno\n")
	person, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = tty.Close(), person.Close() })
	if _, err := person.WriteString("yes\nno\n"); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	code := run(t.Context(), []string{"run", "--root", h.root, `printf 'a\033[2Jb\n'`}, Streams{In: tty, Out: &out, Err: &h.err, Env: noEnvironment(t)})
	if said := out.String() + h.err.String(); code != 0 || strings.Contains(said, "\x1b[2J") || !strings.Contains(out.String(), "b\n") {
		t.Errorf("exit %d\n%q\n%q", code, out.String(), h.err.String())
	}
}

// TestAFileIsNoTerminal, whatever it is, and neither is one that is closed.
func TestAFileIsNoTerminal(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	person, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if !console.Is(tty) {
		t.Error("a terminal is none")
	}
	for _, x := range []*os.File{r, w, person, tty} {
		_ = x.Close()
	}
	for what, stream := range map[string]any{"a file": f, "a closed pipe": r, "a closed terminal": tty, "text": strings.NewReader(""), "nothing": nil} {
		if console.Is(stream) {
			t.Errorf("%s counts as a terminal", what)
		}
	}
	_ = f.Close()
}
