//go:build unix

package main

import (
	"cmp"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"coauthor/agent/display/displaytest"
	"coauthor/agent/workspace"
	"coauthor/cmd/coauthor/console"
)

// screen is a pseudo-terminal with a command of ours on it, and the person before it.
type screen struct {
	t      *testing.T
	person *os.File
	ended  chan int

	interrupt context.CancelFunc

	mu   sync.Mutex
	seen strings.Builder // guarded by mu
	at   [2]int          // guarded by mu; what expect has gone past, with looks and without
}

// onScreen runs a command with all its streams on a pseudo-terminal.
func (h *shell) onScreen(args ...string) *screen {
	h.t.Helper()
	person, tty, err := pty.Open()
	if err != nil {
		h.t.Fatal(err)
	}
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: cmp.Or(h.columns, 500)}); err != nil {
		h.t.Fatal(err)
	}
	s := &screen{t: h.t, person: person, ended: make(chan int, 1)}
	ctx, cancel := context.WithTimeout(context.Background(), hung)
	home := h.t.TempDir()
	env := map[string]string{"HOME": home, "TERM": "xterm", "XDG_STATE_HOME": filepath.Join(home, "state"), "XDG_CONFIG_HOME": filepath.Join(home, "config")}
	for name, value := range h.env {
		env[name] = value
	}
	s.interrupt = cancel
	streams := Streams{In: tty, Out: tty, Err: tty, Env: func(name string) string { return env[name] }}
	if h.intoFile {
		streams.Out = &h.out
	}
	if h.in != nil {
		streams.In = h.in
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		piece := make([]byte, 4096)
		for {
			n, err := person.Read(piece)
			s.mu.Lock()
			s.seen.Write(piece[:n])
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	ran := make(chan struct{})
	go func() {
		defer close(ran)
		code := run(ctx, args, streams)
		if ctx.Err() != nil {
			_, _ = person.WriteString("\n") // lets go of the terminal who still reads there
		}
		_ = tty.Close() // the reader sees the end, unless a question still waits for its answer
		select {
		case <-read:
		case <-time.After(2 * time.Second):
		}
		s.ended <- code
	}()
	h.t.Cleanup(func() {
		cancel()
		_, _ = person.WriteString("\n") // for a question that nobody answered
		await(h.t, ran, "the end of the command")
		_ = person.Close()
	})
	return s
}

// edit asks for a change on a pseudo-terminal.
func (h *shell) editOnScreen(args ...string) *screen {
	return h.onScreen(append([]string{"edit", "-m", "Make x two.", "--format", "diff", filepath.Join(h.root, "a.py"),
		"--root", h.root, "--model", "local", "--api-base", h.server.URL}, args...)...)
}

// text is everything that was shown so far, with plain line ends.
func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.ReplaceAll(s.seen.String(), "\r\n", "\n")
}

var colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// expect waits until a text is shown, behind what was expected before. Looks count only where the text has some.
func (s *screen) expect(text string) {
	s.t.Helper()
	for end := time.Now().Add(hung); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		all, plain := s.text(), 0
		if !strings.Contains(text, "\x1b") {
			all, plain = colours.ReplaceAllString(all, ""), 1
		}
		s.mu.Lock()
		at := min(s.at[plain], len(all))
		i := strings.Index(all[at:], text)
		if i >= 0 {
			s.at[plain] = at + i + len(text)
		}
		s.mu.Unlock()
		if i >= 0 {
			return
		}
	}
	s.t.Fatalf("hung: %q is not shown:\n%s", text, s.text())
}

// types types.
func (s *screen) types(text string) {
	s.t.Helper()
	if _, err := s.person.WriteString(text); err != nil {
		s.t.Fatal(err)
	}
}

// exit waits for the end of the command.
func (s *screen) exit(want int) {
	s.t.Helper()
	select {
	case code := <-s.ended:
		if code != want {
			s.t.Errorf("exit %d, want %d:\n%s", code, want, s.text())
		}
	case <-time.After(hung):
		s.t.Fatalf("hung: the command does not end:\n%s", s.text())
	}
}

const wantsOther = "-- 1.md --\nother.py\n```\n<<<<<<< SEARCH\ny = 1\n=======\ny = 2\n>>>>>>> REPLACE\n```\n-- 2.md --\n" +
	"other.py\n```\n<<<<<<< SEARCH\ny = 1\n=======\ny = 2\n>>>>>>> REPLACE\n```\n"

// Every question of the command line takes y, n, the first letter and the word, and asks again for
// anything else.
func TestQuestionsOnATerminal(t *testing.T) {
	for _, c := range []struct {
		answer string
		added  bool
	}{{"y", true}, {"a", true}, {"add", true}, {"YES", true}, {"n", false}, {"s", false}, {"skip", false}, {"", false}} {
		h := newShell(t, wantsOther)
		h.put("other.py", "y = 1\n")
		s := h.editOnScreen()
		s.expect("other.py")
		s.expect("[add/skip] (default: skip)")
		s.types("what?\n")
		s.expect("Type add or skip")
		s.expect("[add/skip]")
		s.types(c.answer + "\n")
		if !c.added {
			s.exit(1)
			if h.read("other.py") != "y = 1\n" {
				t.Errorf("%q: other.py was changed", c.answer)
			}
			continue
		}
		s.expect("Apply this change? [y,n")
		s.types("y\n")
		s.exit(0)
		if h.read("other.py") != "y = 2\n" {
			t.Errorf("%q: other.py is %q", c.answer, h.read("other.py"))
		}
	}
}

// markdownReply is an answer with what Markdown has, and an edit.
const markdownReply = "-- 1.md --\n## Plan\n\nI make **x** two, in `a.py`.\n\n```python\nreturn 'x'\n```\n\na.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n"

// On a terminal a one-shot command draws what a session does: Markdown, and a diff in the colours of its language. Elsewhere it
// prints plain text; answers and diffs go to standard output, all else to standard error.
func TestOneShotCommandsDraw(t *testing.T) {
	const answer = "-- 1.md --\n## Why\n\nBecause **x** is `1`.\n\n```python\nreturn 'x'\n```\n"
	for _, colour := range []bool{true, false} {
		h := newShell(t, markdownReply)
		a := newShell(t, answer)
		if !colour {
			h.env = map[string]string{"NO_COLOR": "1"}
			a.env = h.env
		}
		s := h.editOnScreen()
		s.expect("Apply this change?")
		s.types("n\n")
		s.exit(1)
		b := a.onScreen("ask", "-m", "Why?", "--root", a.root, "--model", "local", "--api-base", a.server.URL)
		b.exit(0)
		edited, asked := displaytest.Screen(s.text()), displaytest.Screen(b.text())
		plain := regexp.MustCompile(`\x1b\[[0-9;]*m`)
		for _, want := range []string{"Plan\n\nI make x two, in ", "  return 'x'\n", "-x = 1\n+x = 2\n", "  edit   a.py  +1 -1\n"} {
			if !strings.Contains(plain.ReplaceAllString(edited, ""), want) {
				t.Errorf("colour %v: %q is not shown:\n%q", colour, want, edited)
			}
		}
		if !strings.Contains(plain.ReplaceAllString(asked, ""), "Why\n\nBecause x is ") || strings.Contains(edited+asked, "**") {
			t.Errorf("colour %v:\n%q", colour, asked)
		}
		for _, look := range []string{"\x1b[1;34mPlan\x1b[0m", "\x1b[35mreturn\x1b[0m", "\x1b[32;7m2\x1b[0m", "\x1b[36m@@ "} {
			if strings.Contains(edited, look) != colour {
				t.Errorf("colour %v, %q:\n%q", colour, look, edited)
			}
		}
	}
	h := newShell(t, markdownReply)
	if code := h.edit("--preview"); code != 0 || !strings.HasPrefix(h.out.String(), "## Plan\n\nI make **x** two, in `a.py`.\n") || !strings.Contains(h.out.String(), "\n+x = 2\r\n") {
		t.Errorf("exit %d, in a pipe:\n%s", code, h.out.String())
	}
	if told := h.err.String(); strings.Contains(told, "+x = 2") || strings.Contains(told, "Plan") || !strings.Contains(told, "Would update a.py (+1 -1)") || strings.Contains(h.out.String()+told, "\x1b") {
		t.Errorf("told:\n%s", told)
	}
	a := newShell(t, answer)
	if code := a.run("ask", "-m", "Why?"); code != 0 || a.out.String() != strings.TrimPrefix(answer, "-- 1.md --\n") || !strings.Contains(a.err.String(), "tokens in") {
		t.Errorf("exit %d, in a pipe:\n%q\n%s", code, a.out.String(), a.err.String())
	}
}

// A question is broken between words where the terminal is narrow, also behind a pipe.
func TestQuestionsFitTheTerminal(t *testing.T) {
	for _, columns := range []uint16{40, 60, 100} {
		h := newShell(t, wantsOther)
		h.put("other.py", "y = 1\n")
		h.columns = columns
		s := h.editOnScreen()
		s.expect("skip)")
		s.types("what?\n")
		s.expect("Type add or skip")
		s.expect("skip) ")
		s.types("\n")
		s.exit(1)
		g := newShell(t, "-- 1.md --\nWhich language should the program greet all of its users in?\n-- 2.md --\n- English.\n-- 3.md --\n"+generatedReply+"-- 4.md --\n"+scriptReply)
		g.columns = columns
		g.in = strings.NewReader("")
		p := g.generateOnScreen("generate", "--clarify", "-m", "Say hi.", "--preview")
		p.expect("Which language")
		p.exit(0)
		for _, all := range []string{s.text(), p.text()} {
			asked := regexp.MustCompile(`(?s)(The model wants|Which) .*?(skip\)|for all\s+questions\.\))`).FindString(all)
			if asked == "" {
				t.Fatalf("%d columns: nothing is asked:\n%s", columns, all)
			}
			for _, line := range strings.Split(asked, "\n") {
				if len(line) > int(columns) {
					t.Errorf("%d columns: %q", columns, line)
				}
			}
			if columns == 40 && !strings.Contains(asked, "\n") {
				t.Errorf("one line: %q", asked)
			}
		}
	}
}

// An unfinished line is no consent, and neither is the end of the input.
func TestEndOfInputIsTheDefault(t *testing.T) {
	for _, typed := range []string{"\x04", "y\x04\x04"} { // Ctrl-D
		h := newShell(t, "-- 1.md --\n"+twoReply)
		s := h.editOnScreen()
		s.expect("Apply this change?")
		s.types(typed)
		s.expect("No files changed.")
		s.exit(1)
		if h.read("a.py") != "x = 1\r\nz = 1" {
			t.Errorf("%q: a.py was changed", typed)
		}
	}
}

// What standard input is called does not matter: /dev/null is nobody.
func TestDevNullIsNoTerminal(t *testing.T) {
	fd, err := syscall.Open(os.DevNull, syscall.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	null := os.NewFile(uintptr(fd), "/dev/stdin")
	defer null.Close()
	if console.Is(null) {
		t.Error("/dev/null counts as a terminal")
	}
	h := newShell(t, "-- 1.md --\n"+twoReply)
	ctx, cancel := context.WithTimeout(context.Background(), hung)
	defer cancel()
	env := map[string]string{"HOME": t.TempDir()}
	code := run(ctx, []string{"edit", "-m", "Make x two.", "--format", "diff", filepath.Join(h.root, "a.py"), "--root", h.root, "--model", "local", "--api-base", h.server.URL},
		Streams{In: null, Out: &h.out, Err: &h.err, Env: func(name string) string { return env[name] }})
	if code != 1 || !strings.Contains(h.err.String(), "cannot ask without a terminal") || strings.Contains(h.err.String(), "Apply this change?") {
		t.Errorf("exit %d, told %s", code, h.err.String())
	}
}

// evilReply plays every trick that a terminal knows in the words, and in the change and the names what a change may hold:
// control characters are refused there (TestCharactersThatAreNoText of edits/formats).
const evilReply = "I make \x1b[31mit\x1b[0m two.\x1b]0;owned\x07 \u202egnp.exe\u2069 \u009b2J\n\n" +
	"a.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nimport os; os.system('evil')\rx = 2                            \n# \u202e(live)\u2066\u200b\nx = 2\u202e\u2066\n>>>>>>> REPLACE\n```\n\n" +
	"out\u202e/n.py\n```\n<<<<<<< SEARCH\n=======\ny\n>>>>>>> REPLACE\n```\n"

// What is on the screen is what is written.
func TestNothingHidesOnATerminal(t *testing.T) {
	h := newShell(t, "-- 1.md --\n"+evilReply+"-- 2.md --\nno\x1b[2K more\n-- 3.md --\nno\n-- 4.md --\nno\n")
	h.env = map[string]string{"NO_COLOR": "1"}
	s := h.editOnScreen()
	s.expect("I make <U+001B>[31mit<U+001B>[0m two.<U+001B>]0;owned<U+0007> <U+202E>gnp.exe<U+2069> <U+009B>2J")
	s.expect("+import os; os.system('evil')\n") // a carriage return ends a line of the reply
	s.expect("+# <U+202E>(live)<U+2066><U+200B>")
	s.expect("+x = 2<U+202E><U+2066>")
	s.expect("Note: The change adds hidden characters")
	s.expect("Apply this change?")
	s.types("n\n")
	s.exit(1)
	// What is left are our own colours, the line that moves, and the terminal's line ends.
	shown := regexp.MustCompile("\x1b\\[(0|1|31|32|36)m|\r\x1b\\[K|\x1b\\[[0-9]+A\r\x1b\\[J").ReplaceAllString(s.text(), "")
	if displaytest.Hidden(shown) || strings.Contains(shown, "\r") {
		t.Errorf("something is left:\n%q", shown)
	}
}

// A diff for a program is exact; --json is, too.
func TestDiffForProgramsIsExact(t *testing.T) {
	h := newShell(t, "-- 1.md --\n"+evilReply+"-- 2.md --\nno\n-- 3.md --\nno\n-- 4.md --\nno\n")
	h.edit("--preview")
	if out := h.out.String(); !strings.Contains(out, "+x = 2\u202e\u2066\r\n") || strings.Contains(strings.SplitN(out, "diff --git", 2)[0], "\x1b") {
		t.Errorf("shown %q", out)
	}
	if told := h.err.String(); displaytest.Hidden(told) || !strings.Contains(told, "Note: The change adds hidden characters") {
		t.Errorf("told %q", told)
	}
	h = newShell(t, "-- 1.md --\n"+evilReply+"-- 2.md --\nno\n-- 3.md --\nno\n-- 4.md --\nno\n")
	h.edit("--preview", "--json")
	if !strings.Contains(h.out.String(), `\u001b[31mit`) {
		t.Errorf("shown %q", h.out.String())
	}
}

// What a server answers instead of a reply is shown and not obeyed.
func TestErrorsDoNotHide(t *testing.T) {
	h := newShell(t, "-- 1.md --\n{\"error\":{\"message\":\"bad \x1b[2Kkey \u202e\u0007\"}}\n-- 1.yaml --\nstatus: 401\n")
	code := h.edit("--yes")
	if told := h.err.String(); code != 1 || displaytest.Hidden(told) {
		t.Errorf("exit %d, told %q", code, told)
	}
	for _, args := range [][]string{{"edit", "-m", "x", "no\x1b[2K.py", "--root", "/\x1b[2K"}, {"nosuch\x1b[2K"}, {"apply", "--format", "\x1b[2K"}, {"--\x1b[2K"}, {"map", "--root", "/x\x1b[2K"}, {"doctor", "--root", "/x\x1b[2K"}} {
		h.run(args...)
		if said := h.err.String() + h.out.String(); displaytest.Hidden(said) {
			t.Errorf("%q: %q", args, said)
		}
	}
}

// On a terminal, apply shows the diff and asks, unless --yes; a script is never asked.
func TestApplyAsksOnATerminal(t *testing.T) {
	reply := goodBlock + badBlock
	for _, c := range []struct {
		name   string
		args   []string
		answer string // "" for no question
		code   int
		want   string
	}{
		{"yes", nil, "y", 1, "uno\ntwo\n"},
		{"no", nil, "n", 1, "one\ntwo\n"},
		{"enter", nil, "", 1, "one\ntwo\n"},
		{"--yes", []string{"--yes"}, "-", 1, "uno\ntwo\n"},
		{"--json", []string{"--json"}, "-", 1, "uno\ntwo\n"},
		{"--dry-run", []string{"--dry-run"}, "-", 1, "one\ntwo\n"},
		{"--atomic", []string{"--atomic"}, "-", 1, "one\ntwo\n"},
		{"--json --dry-run", []string{"--json", "--dry-run"}, "-", 1, "one\ntwo\n"},
	} {
		h := newShell(t, "-- 1.md --\nno\n")
		h.put("a.txt", "one\ntwo\n")
		file := filepath.Join(t.TempDir(), "reply.md")
		if err := os.WriteFile(file, []byte(reply), 0o644); err != nil {
			t.Fatal(err)
		}
		s := h.onScreen(append([]string{"apply", "--root", h.root, file}, c.args...)...)
		if c.answer != "-" {
			s.expect("refused: a.txt")
			s.expect("+uno")
			s.expect("Apply this change? [yes/no")
			s.types(c.answer + "\n")
		}
		if c.answer == "n" || c.answer == "" {
			s.expect("No files changed.\n")
		}
		s.exit(c.code)
		if got := h.read("a.txt"); got != c.want {
			t.Errorf("%s: a.txt is %q:\n%s", c.name, got, s.text())
		}
		if c.answer == "-" && strings.Contains(s.text(), "Apply this change?") {
			t.Errorf("%s: it asks:\n%s", c.name, s.text())
		}
		if seen := strings.Contains(s.text(), "+uno"); seen != (c.answer != "-" || c.name == "--dry-run") {
			t.Errorf("%s: the diff is seen: %v\n%s", c.name, seen, s.text())
		}
		if strings.Count(s.text(), "no-match") != 1 && !strings.HasPrefix(c.name, "--json") {
			t.Errorf("%s: the refusal is told %d times", c.name, strings.Count(s.text(), "no-match"))
		}
	}
}

// What ask prints is a question to the user only where its last line says so: then they answer it in their own words, for as
// long as the model asks. Enter alone, and anything that is no terminal, send nothing.
func TestAnAnswerThatAsksIsAnswered(t *testing.T) {
	ask := func(h *shell) []string {
		return []string{"ask", "-m", "What is x?", "--root", h.root, "--model", "local", "--api-base", h.server.URL}
	}
	h := newShell(t, "-- 1.md --\nWhich x?\n\nANSWER NEEDED\n-- 2.md --\nWhere?\n**ANSWER NEEDED**\n-- 3.md --\nIs it one?\n")
	s := h.onScreen(ask(h)...)
	for _, typed := range []string{"the second", "in a.py"} {
		s.expect("Your answer to the model")
		s.types(typed + "\n")
	}
	s.expect("Is it one?")
	s.exit(0)
	all := h.server.Requests()
	if len(all) != 3 || strings.Count(s.text(), "Your answer to the model") != 2 {
		t.Fatalf("%d requests\n%s", len(all), s.text())
	}
	last := all[2].Messages
	for i, want := range []string{"What is x?", "Which x?", "the second", "Where?", "in a.py"} {
		if said := last[len(last)-5+i].Content; !strings.Contains(said, want) {
			t.Errorf("message %d is %q, want %q", i, said, want)
		}
	}
	h = newShell(t, "-- 1.md --\nWhich x?\nANSWER NEEDED\n")
	s = h.onScreen(ask(h)...)
	s.expect("Your answer to the model")
	s.types("\n")
	s.exit(0)
	piped := newShell(t, "-- 1.md --\nWhich x?\nANSWER NEEDED\n")
	code := piped.run("ask", "-m", "What is x?")
	if code != 0 || len(piped.server.Requests()) != 1 || len(h.server.Requests()) != 1 {
		t.Errorf("exit %d, %d and %d requests\n%s", code, len(piped.server.Requests()), len(h.server.Requests()), piped.out.String())
	}
}

// While the question stands there another program writes: what it wrote stays.
func TestApplyComparesAfterTheQuestion(t *testing.T) {
	h := newShell(t, "-- 1.md --\nno\n")
	h.put("a.txt", "one\ntwo\n")
	file := filepath.Join(t.TempDir(), "reply.md")
	if err := os.WriteFile(file, []byte(goodBlock), 0o644); err != nil {
		t.Fatal(err)
	}
	s := h.onScreen("apply", "--root", h.root, file)
	s.expect("Apply this change?")
	h.put("a.txt", "one\ntheirs\n")
	s.types("y\n")
	s.exit(1)
	if got := h.read("a.txt"); got != "one\ntheirs\n" || !strings.Contains(s.text(), "another program changed the file") {
		t.Errorf("a.txt is %q:\n%s", got, s.text())
	}
}

// With the reply on standard input the question goes to the terminal of the process, if somebody
// looks; in a pipe nobody is asked.
func TestApplyAsksBesideAPipe(t *testing.T) {
	for _, looks := range []bool{true, false} {
		h := newShell(t, "-- 1.md --\nno\n")
		h.put("a.txt", "one\ntwo\n")
		person, tty, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		asked := 0
		streams := Streams{In: strings.NewReader(goodBlock), Out: &h.out, Err: &h.err, Env: func(string) string { return "" },
			Terminal: func() (io.ReadCloser, error) { asked++; return io.NopCloser(strings.NewReader("n\n")), nil }}
		if looks {
			streams.Out = tty
		}
		code := run(t.Context(), []string{"apply", "--root", h.root}, streams)
		_, _ = tty.Close(), person.Close()
		want, exit := "uno\ntwo\n", 0
		if looks {
			want, exit = "one\ntwo\n", 1
		}
		if h.read("a.txt") != want || code != exit || (asked == 1) != looks {
			t.Errorf("somebody looks %v: a.txt is %q, exit %d, asked %d times", looks, h.read("a.txt"), code, asked)
		}
	}
}

// A reply without an edit is shown whole, and is answered in the user's own words, for as long as they have some: in every
// coder that changes files. Enter alone, and the end of the input, send nothing.
func TestAQuestionOfTheModelIsAnswered(t *testing.T) {
	for _, coder := range []string{"edit", "architect", "auto"} {
		for _, typed := range []string{"\n", "  \n", "\x04"} {
			h := newShell(t, "-- 1.md --\nWhich x?\n-- 2.md --\n"+twoReply)
			s := h.onScreen(coder, "-m", "Make x two.", "--format", "diff", "--root", h.root, "--model", "local", "--api-base", h.server.URL)
			s.expect("Your answer to the model")
			s.types(typed)
			s.exit(1)
			if n := len(h.server.Requests()); n != 1 || h.read("a.py") != "x = 1\r\nz = 1" {
				t.Errorf("%s, %q: %d requests\n%s", coder, typed, n, s.text())
			}
		}
		h := newShell(t, "-- 1.md --\nYou could set x to two.\n-- 2.md --\nAny x?\n-- 3.md --\nStill: any x?\n")
		s := h.onScreen(coder, "-m", "Make x two.", "--format", "diff", "--root", h.root, "--model", "local", "--api-base", h.server.URL)
		for _, x := range []struct{ said, typed string }{{"You could set x to two.", "no, three"}, {"Any x?", "yes"}, {"Still: any x?", ""}} {
			s.expect(x.said)
			s.expect("Your answer to the model")
			s.types(x.typed + "\n")
		}
		s.exit(1)
		all := h.server.Requests()
		if len(all) != 3 {
			t.Fatalf("%s: %d requests\n%s", coder, len(all), s.text())
		}
		last := all[2].Messages
		for i, want := range []string{"Make x two.", "You could set x to two.", "no, three", "Any x?", "yes"} {
			if said := last[len(last)-5+i].Content; !strings.Contains(said, want) {
				t.Errorf("%s: message %d is %q, want %q", coder, i, said, want)
			}
		}
	}
	{
		h := newShell(t, "-- 1.md --\nYou could set x to two.\n-- 2.md --\n"+twoReply)
		s := h.editOnScreen()
		s.expect("You could set x to two.")
		s.expect("The answer contains no edit.")
		s.types("do it\n")
		s.expect("Apply this change?")
		s.types("y\n")
		s.exit(0)
		if got := h.read("a.py"); got != "x = 2\r\nz = 1" || strings.Count(s.text(), "You could set x to two.") != 1 {
			t.Errorf("a.py is %q\n%s", got, s.text())
		}
	}
}

// While the question stands there another program writes: edit leaves its work alone, too.
func TestEditComparesAfterTheQuestion(t *testing.T) {
	h := newShell(t, "-- 1.md --\n"+twoReply)
	s := h.editOnScreen()
	s.expect("Apply this change?")
	h.put("a.py", "x = 1\r\nz = 1\r\ntheirs = 1\r\nx = 1\r\n")
	h.put("new/b.py", "theirs = 1\n")
	s.types("y\n")
	s.exit(1)
	if got := h.read("new/b.py"); got != "theirs = 1\n" || !strings.Contains(h.read("a.py"), "theirs = 1") {
		t.Errorf("a.py is %q, new/b.py is %q:\n%s", h.read("a.py"), got, s.text())
	}
}

// A protected file needs its own yes.
func TestConsentOnATerminal(t *testing.T) {
	const reply = "-- 1.md --\n.envrc\n```\n<<<<<<< SEARCH\n=======\ny = 1\n>>>>>>> REPLACE\n```\n"
	for answer, want := range map[string]string{"y": "y = 1\n", "n": "absent", "": "absent"} {
		h := newShell(t, reply)
		ws, err := workspace.Open(h.root, workspace.Options{})
		if err != nil {
			t.Fatal(err)
		}
		reason := strings.TrimSuffix(ws.Door().Check(t.Context(), ".envrc", workspace.OpEdit).Reason, ".")
		_ = ws.Close()
		s := h.editOnScreen()
		s.expect("Apply this change?")
		s.types("y\n")
		s.expect(reason + ". Change it anyway? [yes/no] (default: no)")
		s.types(answer + "\n")
		s.exit(map[bool]int{true: 0, false: 1}[want != "absent"])
		if got := h.read(".envrc"); got != want {
			t.Errorf("%q: .envrc is %q:\n%s", answer, got, s.text())
		}
	}
}

// On a terminal the demo is in colour, and its progress is dim.
func TestDemoInColour(t *testing.T) {
	t.Setenv(asCommand, "1") // for the server that it starts
	h := newShell(t, "-- 1.md --\nno\n")
	s := h.onScreen("demo")
	s.expect("\x1b[1m== Request\x1b[0m\n")
	s.expect("\x1b[2m[progress] ")
	s.expect("\x1b[1m+++ b/wordcount/cli.py\x1b[0m\n")
	s.expect("\x1b[36m@@ ")
	s.expect("\x1b[31m-from wordcount.words import count\x1b[0m\n")
	s.expect("\x1b[32m+from wordcount.words import count, most_common\x1b[0m\n")
	s.expect("\x1b[1m== Undo\x1b[0m\n")
	s.exit(0)
}

// A change that takes most of a file away comes with a warning to who is asked, and what they agree to is written.
func TestApplyWarnsOfLossOnATerminal(t *testing.T) {
	for answer, want := range map[string]string{"y": "key7: value7\n", "n": linesOf(1, 300)} {
		h := newShell(t, "-- 1.md --\nno\n")
		h.put("app.yaml", linesOf(1, 300))
		file := filepath.Join(t.TempDir(), "reply.md")
		if err := os.WriteFile(file, []byte("app.yaml\n```\nkey7: value7\n```\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		s := h.onScreen("apply", "--root", h.root, file)
		s.expect("warning: this removes 299 of 300 lines of app.yaml")
		s.expect("See the warnings above the diff. Apply this change? [yes/no")
		s.types(answer + "\n")
		s.exit(map[string]int{"y": exitApplied, "n": exitRefused}[answer])
		if got := h.read("app.yaml"); got != want {
			t.Errorf("answered %s, app.yaml is %q", answer, got)
		}
	}
}

// TestErrorsAreBrokenBetweenWords where the terminal ends.
func TestErrorsAreBrokenBetweenWords(t *testing.T) {
	h := newShell(t, "-- 1.md --\nNo.\n")
	told := func(columns uint16) string {
		h.columns = columns
		s := h.onScreen("edit", "-m", "x", "--root", h.root, filepath.Join(h.root, "a.py"))
		s.exit(1)
		text := strings.ReplaceAll(s.text(), "\r", "")
		return strings.TrimSpace(text[strings.LastIndex(text, "\x1b[K")+len("\x1b[K"):])
	}
	whole, folded := told(500), told(60)
	if strings.Contains(whole, "\n") || len(whole) < 100 {
		t.Fatalf("%q is no long line", whole)
	}
	for row := range strings.Lines(folded) {
		if len(row) > 61 {
			t.Errorf("%q is wider than the terminal", row)
		}
	}
	if got := strings.Join(strings.Fields(folded), " "); got != whole {
		t.Errorf("%q, want %q", got, whole)
	}
}
