//go:build unix

package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// talk is a session on a pseudo-terminal, what stands on its screen, and the person before it. The screen is high, so that
// nothing leaves it.
type talk struct {
	t      *testing.T
	h      *shell
	person *os.File
	ended  chan int
	stop   context.CancelFunc
	home   string

	mu     sync.Mutex
	screen *vt.Emulator    // guarded by mu
	raw    strings.Builder // guarded by mu; all that was written
}

const talkRows = 200

// chat starts a session on a screen so wide. Without files the session begins without any.
func (h *shell) chat(width int, home string, args ...string) *talk {
	h.t.Helper()
	person, tty, err := pty.Open()
	if err != nil {
		h.t.Fatal(err)
	}
	if err := pty.Setsize(tty, &pty.Winsize{Rows: talkRows, Cols: uint16(width)}); err != nil {
		h.t.Fatal(err)
	}
	if home == "" {
		home = h.t.TempDir()
	}
	k := &talk{t: h.t, h: h, person: person, ended: make(chan int, 1), screen: vt.NewEmulator(width, talkRows), home: home}
	env := map[string]string{"HOME": home, "TERM": "xterm-256color", "PATH": os.Getenv("PATH"),
		"XDG_STATE_HOME": filepath.Join(home, "state"), "XDG_CONFIG_HOME": filepath.Join(home, "config")}
	for name, value := range h.env {
		env[name] = value
	}
	ctx, cancel := context.WithTimeout(context.Background(), hung)
	k.stop = cancel
	go func() { _, _ = io.Copy(person, k.screen) }() // what a terminal answers
	read, ran := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(read)
		piece := make([]byte, 4096)
		for {
			n, err := person.Read(piece)
			k.mu.Lock()
			k.raw.Write(piece[:n])
			_, _ = k.screen.Write([]byte(strings.ReplaceAll(string(piece[:n]), "\r\n", "\n\r")))
			k.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	go func() {
		defer close(ran)
		streams := Streams{In: tty, Out: tty, Err: tty, Env: func(name string) string { return env[name] }}
		code := run(ctx, append([]string{"chat", "--root", h.root, "--model", "local", "--api-base", h.server.URL}, args...), streams)
		_ = tty.Close()
		k.ended <- code
	}()
	h.t.Cleanup(func() {
		cancel()
		_, _ = person.WriteString("\n") // for who still reads there
		await(h.t, ran, "the end of the session")
		_ = person.Close()
		await(h.t, read, "the end of what is shown")
		if answers, ok := k.screen.InputPipe().(io.Closer); ok {
			_ = answers.Close()
		}
	})
	return k
}

// text is what stands on the screen, without blanks at the ends of lines.
func (k *talk) text() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	lines := strings.Split(k.screen.String(), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \r")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

func (k *talk) written() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.raw.String()
}

// sees waits until a text stands on the screen so often; without a number once.
func (k *talk) sees(text string, times ...int) {
	k.t.Helper()
	least := 1
	if len(times) > 0 {
		least = times[0]
	}
	defer func() {
		if k.t.Failed() {
			k.t.Logf("the screen:\n%s", k.text())
		}
	}()
	waitUntil(k.t, fmt.Sprintf("%q %d times on the screen", text, least), func() bool { return strings.Count(k.text(), text) >= least })
}

func (k *talk) types(text string) {
	k.t.Helper()
	if _, err := k.person.WriteString(text); err != nil {
		k.t.Fatal(err)
	}
}

// answers waits for a question and types the answer. What is typed is seen before it is sent, so that the line of the next
// question is another one.
func (k *talk) answers(question, answer string) {
	k.t.Helper()
	k.sees(question)
	waitUntil(k.t, "the line for the answer", func() bool { return strings.HasSuffix(k.text(), "\n?") })
	if answer != "" {
		k.types(answer)
		waitUntil(k.t, "the answer behind the question", func() bool { return strings.HasSuffix(k.text(), "\n? "+answer) })
	}
	k.types("\r")
}

// idle is a screen on which nothing runs: the status stands above the empty input.
var idle = regexp.MustCompile(`\n[^\n]* · [0-9]+ files?\n>$`)

// ready waits until nothing runs, and the input is empty.
func (k *talk) ready() {
	k.t.Helper()
	waitUntil(k.t, "nothing runs, and the input is empty", func() bool { return idle.MatchString(k.text()) })
}

func (k *talk) exit(want int) {
	k.t.Helper()
	if code := await(k.t, k.ended, "the end of the session"); code != want {
		k.t.Errorf("exit %d, want %d:\n%s", code, want, k.text())
	}
}

const twoBugs = "-- 1.md --\n" +
	"**Both** functions in `calc.py` are wrong, so this answer has a sentence that is longer than a line of sixty columns.\n\n" +
	"1. `add` subtracts.\n2. `div` multiplies.\n\n" +
	"calc.py\n```python\n<<<<<<< SEARCH\n    return a - b\n=======\n    return a + b\n>>>>>>> REPLACE\n```\n\n" +
	"calc.py\n```python\n<<<<<<< SEARCH\ndef div(a, b):\n    return a * b\n=======\ndef div(a, b):\n    return a / b\n>>>>>>> REPLACE\n```\n"

const calc = "def add(a, b):\n    return a - b\n\n\ndef mul(a, b):\n    return a * b\n\n\ndef div(a, b):\n    return a * b\n"

// bugs is a folder with two bugs and a model that knows both.
func bugs(t *testing.T, more string) *shell {
	t.Helper()
	h := newShell(t, twoBugs+more)
	h.put("calc.py", calc)
	return h
}

// TestChat: a first session, at all widths: two lines say where one is, the answer is rendered with whole words, the change is
// shown and decided on, and taken back.
func TestChat(t *testing.T) {
	for _, width := range []int{40, 60, 100, 200, 300} {
		h := bugs(t, "")
		k := h.chat(width, "", filepath.Join(h.root, "calc.py"))
		k.sees("Coauthor · model local")
		k.sees("calc.py")
		k.ready()
		k.types("Fix both.\r")
		k.answers("[y,n,h,r,?]", "y")
		k.sees("Changed calc.py (+2 -2)")
		if got := h.read("calc.py"); !strings.Contains(got, "return a + b") || !strings.Contains(got, "return a / b") {
			t.Errorf("%d columns: calc.py is\n%s", width, got)
		}
		k.ready()
		k.types("/undo\r")
		k.sees("Changed calc.py (+2 -2)", 2)
		if got := h.read("calc.py"); got != calc {
			t.Errorf("%d columns: not undone:\n%s", width, got)
		}
		all := k.text()
		for _, want := range []string{"> Fix both.", "1. add subtracts.", "+    return a + b", "-    return a * b", "edit   calc.py  +2 -2", "tokens in"} {
			if !strings.Contains(all, want) {
				t.Errorf("%d columns: %q is not shown:\n%s", width, want, all)
			}
		}
		for _, never := range []string{"<<<<", "**", ">>>>"} {
			if strings.Contains(all, never) {
				t.Errorf("%d columns: %q is shown:\n%s", width, never, all)
			}
		}
		words := strings.Fields(all)
		for _, word := range strings.Fields("functions in calc.py are wrong, so this answer has a sentence that is longer than a line of sixty columns.") {
			if !containsWord(words, word) {
				t.Errorf("%d columns: the word %q is broken:\n%s", width, word, all)
			}
		}
		k.ready()
		k.types("/exit\r")
		k.exit(0)
		// On a light ground as on a dark one each colour is the user's own: no colour is told by its parts or by a number of
		// the 256, and none is the ground itself.
		for _, look := range regexp.MustCompile(`\x1b\[([0-9;]*)m`).FindAllStringSubmatch(k.written(), -1) {
			for _, code := range strings.Split(look[1], ";") {
				if n, _ := strconv.Atoi(code); slices.Contains([]int{30, 37, 38, 40, 47, 48, 90, 97}, n) {
					t.Errorf("%d columns: the look %q", width, look[0])
				}
			}
		}
	}
}

func containsWord(words []string, word string) bool {
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return false
}

var update = flag.Bool("update", false, "write the goldens")

// tokensUsed are figures that depend on the machine: the prompt names its system.
var tokensUsed = regexp.MustCompile(`[0-9]+k? tokens\b`)

// TestChatScreens compares what stands on the screen after a session with goldens: start, a request, the review, two questions,
// what was accepted, undo, and an error. With -update they are written: look at each.
func TestChatScreens(t *testing.T) {
	for _, width := range []int{60, 100, 200} {
		h := newShell(t, twoBugs)
		h.root = filepath.Join(h.root, "shop")
		h.put("calc.py", calc)
		k := h.chat(width, filepath.Dir(h.root), filepath.Join(h.root, "calc.py"))
		k.ready()
		k.types("Fix both functions in calc.py, which are wrong, and change nothing else in it.\r")
		k.answers("[y,n,h,r,?]", "?")
		k.sees("Decide hunk by hunk.")
		k.answers("[y,n,h,r,?]", "y")
		k.sees("Changed calc.py (+2 -2)")
		k.ready()
		k.types("/undo\r")
		k.sees("Changed calc.py (+2 -2)", 2)
		k.ready()
		k.types("/nosuch\r")
		k.sees("There is no command /nosuch")
		k.ready()
		got := tokensUsed.ReplaceAllString(k.text(), "900 tokens") + "\n"
		k.types("/exit\r")
		k.exit(0)
		golden := filepath.Join("testdata", "chat", fmt.Sprintf("%d.txt", width))
		if *update {
			if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("another screen than in %s (-update writes it):\n%s", golden, got)
		}
	}
}

// TestChatStartsAtOnce: what the index and all that asks git for more than the branch are doing is waited for by nobody who only
// starts, types, and asks for help.
func TestChatStartsAtOnce(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git")
	}
	h := bugs(t, "")
	if out, err := exec.Command(git, "-C", h.root, "init", "-q", "-b", "main").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	dir := t.TempDir()
	gate := "#!/bin/sh\ncase \"$*\" in *symbolic-ref*) ;; *) : > '" + dir + "/held'; while [ ! -e '" + dir + "/open' ]; do sleep 0.02; done;; esac\nexec " + git + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte(gate), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	k := h.chat(100, "")
	open := func() {
		if err := os.WriteFile(filepath.Join(dir, "open"), nil, 0o644); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(open)
	k.sees(" · branch main")
	k.ready()
	waitUntil(t, "the index begins behind it", func() bool {
		_, err := os.Stat(filepath.Join(dir, "held"))
		return err == nil
	})
	k.types("/help\r")
	k.sees("Ctrl+X Ctrl+E")
	k.ready()
	open()
	k.types("/ls\r")
	k.sees("calc.py")
	k.ready()
	k.types("/exit\r")
	k.exit(0)
}

// TestChatEnterAlone neither asks a model nor writes.
func TestChatEnterAlone(t *testing.T) {
	h := bugs(t, "")
	k := h.chat(80, "", filepath.Join(h.root, "calc.py"))
	k.ready()
	k.types("\r\r \r")
	k.types("Fix both.\r")
	k.answers("[y,n,h,r,?]", "")
	k.sees("Type one of the letters, or ? for help.")
	k.types("?")
	k.sees("\n? ?")
	k.types("\r")
	k.sees("Decide hunk by hunk.")
	k.answers("[y,n,h,r,?]", "r")
	k.answers("differently? (Enter: back)", "")
	waitUntil(t, "the question again", func() bool { return strings.HasSuffix(k.text(), "Apply this change? [y,n,h,r,?]\n?") })
	k.answers("[y,n,h,r,?]", "n")
	k.sees("No files changed.")
	k.ready()
	k.types("\x04")
	k.exit(0)
	if n := len(h.server.Requests()); n != 1 || h.read("calc.py") != calc {
		t.Errorf("%d requests; calc.py is\n%s", n, h.read("calc.py"))
	}
}

// TestChatHunks: hunk by hunk it is as in git add -p.
func TestChatHunks(t *testing.T) {
	for keys, want := range map[string][2]bool{"y n": {true, false}, "n y": {false, true}, "a": {true, true}, "d": {false, false}, "q": {false, false}, "j y y": {true, true}, "x y q": {true, false}, "y K n y": {false, true}, "J K y n": {true, false}, "j k y q": {true, false}} {
		h := bugs(t, "")
		k := h.chat(80, "", filepath.Join(h.root, "calc.py"))
		k.ready()
		k.types("Fix both.\r")
		k.answers("[y,n,h,r,?]", "h")
		for i, key := range strings.Fields(keys) {
			waitUntil(t, "a question about a hunk", func() bool {
				return strings.Count(k.text(), "Apply this hunk [") == i+1 && strings.HasSuffix(k.text(), "\n?")
			})
			k.answers("Apply this hunk [", key)
		}
		k.ready()
		got := h.read("calc.py")
		if strings.Contains(got, "a + b") != want[0] || strings.Contains(got, "a / b") != want[1] {
			t.Errorf("%s: calc.py is\n%s\n%s", keys, got, k.text())
		}
		k.types("/exit\r")
		k.exit(0)
	}
}

// TestChatEnterAtAHunk says what there is, and decides nothing.
func TestChatEnterAtAHunk(t *testing.T) {
	h := bugs(t, "")
	k := h.chat(80, "", filepath.Join(h.root, "calc.py"))
	k.ready()
	k.types("Fix both.\r")
	k.answers("[y,n,h,r,?]", "h")
	k.answers("(1/2) Apply this hunk [y,n,q,a,d,j,J,e,?]?", "")
	k.sees("Type one of the letters, or ? for help.")
	k.types("?\r")
	k.sees("quit; do not apply this hunk or any of the remaining ones")
	k.types("n\r")
	k.answers("(2/2) Apply this hunk [y,n,q,a,d,K,e,?]?", "q")
	k.sees("No files changed.")
	k.ready()
	k.types("/exit\r")
	k.exit(0)
	if n := len(h.server.Requests()); n != 1 || h.read("calc.py") != calc {
		t.Errorf("%d requests; calc.py is\n%s", n, h.read("calc.py"))
	}
}

// TestChatModelAsks: a question of the model ends the round as a question in every coder, and what is typed then answers it.
func TestChatModelAsks(t *testing.T) {
	for _, coder := range []string{"", "/ask ", "/code ", "/architect ", "/auto "} {
		h := newShell(t, "-- 1.md --\nWhich x do you mean?\n\nANSWER NEEDED\n-- 2.md --\nFine.\n")
		k := h.chat(80, "", filepath.Join(h.root, "a.py"))
		k.ready()
		k.types(coder + "Make x two.\r")
		k.sees("The model asks you something. Type your answer.")
		k.ready()
		if n := len(h.server.Requests()); n != 1 {
			t.Errorf("%q: %d requests", coder, n)
		}
		k.types("\r")
		k.types("The second one.\r")
		k.sees("Fine.")
		k.ready()
		k.types("/exit\r")
		k.exit(0)
		all := h.server.Requests()
		if len(all) < 2 {
			t.Fatalf("%q: %d requests\n%s", coder, len(all), k.text())
		}
		for _, want := range []string{"Make x two.", "Which x do you mean?", "The second one."} {
			if !strings.Contains(string(all[1].Body), want) {
				t.Errorf("%q: %q is not sent", coder, want)
			}
		}
	}
}

// TestChatFixesATest: what a test says is seen in its lines, the model fixes it, and its change passes. What is not yet right
// goes back to it.
func TestChatFixesATest(t *testing.T) {
	h := newShell(t, "-- 1.md --\na.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 3\n>>>>>>> REPLACE\n```\n-- 2.md --\na.py\n```\n<<<<<<< SEARCH\nx = 3\n=======\nx = 2\n>>>>>>> REPLACE\n```\n")
	h.put("a.py", "x = 1\n")
	userSettings(t, h, "verify: off\n")
	h.put("test.sh", "grep -q 'x = 2' a.py && exit\necho first line\necho second line\nexit 1\n")
	k := h.chat(100, "", filepath.Join(h.root, "a.py"))
	k.ready()
	k.types("/test sh test.sh\r")
	k.answers("[run/skip]", "r")
	k.sees("\nsh failed with exit status 1: first line\nAsk the model to fix these problems? [fix/skip]")
	k.answers("[fix/skip]", "f")
	k.answers("[y,n,h,r,?]", "y")
	k.sees("Changed a.py (+1 -1)")
	k.ready()
	if h.read("a.py") != "x = 2\n" || !strings.Contains(k.text(), "✓") {
		t.Errorf("a.py is %q:\n%s", h.read("a.py"), k.text())
	}
	k.types("/exit\r")
	k.exit(0)
}

// TestChatStops: Ctrl+C stops what runs, gives back what waits, and ends the session when it is pressed twice.
func TestChatStops(t *testing.T) {
	h := newShell(t, "-- 1.md --\nno\n-- 1.yaml --\nhold-first: true\n-- 2.md --\nHere I am.\n")
	k := h.chat(80, "")
	k.ready()
	k.types("Say something.\r")
	k.sees("Waiting for local")
	k.types("And then more.\r")
	k.sees("Queued (1): And then more.")
	k.types("\x1b[A") // Up takes it back
	k.sees("> And then more.")
	k.types("\r")
	k.sees("Queued (1)")
	k.types("\x03")
	k.sees("Stopped.")
	waitUntil(t, "what waited is in the input again", func() bool {
		return strings.Contains(k.text(), "\n> And then more.") && !strings.Contains(k.text(), "Queued")
	})
	if n := len(h.server.Requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
	k.types("\r")
	k.sees("Here I am.")
	k.ready()
	k.types("\x03")
	k.sees("Press Ctrl+C again to exit.")
	k.types("\x03")
	k.exit(0)
}

// TestChatAsksAgain: the model is told what to do differently, and what comes takes the place of the change.
func TestChatAsksAgain(t *testing.T) {
	h := bugs(t, "-- 2.md --\ncalc.py\n```python\n<<<<<<< SEARCH\n    return a + b\n=======\n    return b + a\n>>>>>>> REPLACE\n```\n")
	k := h.chat(80, "", filepath.Join(h.root, "calc.py"))
	k.ready()
	k.types("Fix both.\r")
	k.answers("[y,n,h,r,?]", "r")
	k.answers("differently? (Enter: back)", "The other way round.")
	k.sees("+    return b + a")
	k.answers("[y,n,h,r,?]", "y")
	k.sees("Changed calc.py")
	if got := h.read("calc.py"); !strings.Contains(got, "return b + a") {
		t.Errorf("calc.py is\n%s", got)
	}
	k.ready()
	k.types("/exit\r")
	k.exit(0)
	if last := h.server.Requests(); len(last) != 2 || !strings.Contains(string(last[1].Body), "The other way round.") {
		t.Errorf("%d requests", len(last))
	}
}

// TestChatEdits: a hunk and a message are changed in the user's own editor.
func TestChatEdits(t *testing.T) {
	editor := filepath.Join(t.TempDir(), "editor")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\nsed -e 's/a + b/b + a/' -e 's/Fix/Mend/' \"$1\" > \"$1.new\" && mv \"$1.new\" \"$1\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("VISUAL", editor)
	h := bugs(t, "")
	k := h.chat(80, "", filepath.Join(h.root, "calc.py"))
	k.ready()
	k.types("Fix both.\x18\x05") // Ctrl+X Ctrl+E
	k.sees("> Mend both.")
	k.types("\r")
	k.answers("[y,n,h,r,?]", "h")
	k.answers("(1/2) Apply this hunk", "e")
	k.answers("(2/2) Apply this hunk", "n")
	k.sees("Changed calc.py (+1 -1)")
	if got := h.read("calc.py"); !strings.Contains(got, "return b + a") || strings.Contains(got, "a / b") {
		t.Errorf("calc.py is\n%s", got)
	}
	k.ready()
	k.types("/exit\r")
	k.exit(0)
}

// TestChatPager: a change that is higher than the screen can be looked at in the user's own pager.
func TestChatPager(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "pager"), []byte("#!/bin/sh\n(echo LESS=$LESS; cat) > '"+dir+"/shown'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PAGER", filepath.Join(dir, "pager"))
	t.Setenv("LESS", "") // so that it is put back
	_ = os.Unsetenv("LESS")
	h := newShell(t, "-- 1.md --\nnew.txt\n```\n<<<<<<< SEARCH\n=======\n"+strings.Repeat("a line\n", talkRows)+">>>>>>> REPLACE\n```\n")
	k := h.chat(80, "")
	k.ready()
	k.types("Write new.txt.\r")
	k.answers("[y,n,h,r,p,?]", "p")
	waitUntil(t, "the change in the pager", func() bool {
		text, err := os.ReadFile(filepath.Join(dir, "shown"))
		return err == nil && strings.HasPrefix(string(text), "LESS=FRX\n") && strings.Count(string(text), "+a line") == talkRows
	})
	k.answers("[y,n,h,r,p,?]", "n")
	k.ready()
	k.types("/exit\r")
	k.exit(0)
}

// TestChatCommands: the commands of the table, those of the command line among them, and what is none is not sent.
func TestChatCommands(t *testing.T) {
	h := bugs(t, "")
	h.put("other.py", "y = 1\n")
	k := h.chat(100, "")
	k.ready()
	for _, one := range [][2]string{
		{"/add calc.py", "In the chat: calc.py."},
		{"/ls", "other.py"},
		{"/drop calc.py", ""},
		{"/model other", "model other"},
		{"/help", "Ctrl+X Ctrl+E"},
		{"/nosuch thing", "There is no command /nosuch"},
		{"/history", ""},
		{"/undo", "undo"},
		{"/tokens", "tokens"},
		{"/usage", ""},
		{"/clear", "The next request starts a new conversation."},
	} {
		k.types(one[0] + "\r")
		k.sees("> " + one[0])
		if one[1] != "" {
			k.sees(one[1])
		}
		k.ready()
	}
	for _, run := range []string{"!echo one\\; echo two", "/run echo three", "/git version"} { // who types it wants it
		k.types(run + "\r")
		if !strings.HasPrefix(run, "/git") {
			k.sees("succeeded")
			k.answers("[add/skip]", "s")
		}
		k.ready()
	}
	k.sees("git version 2")
	k.types("/doctor\r")
	k.sees("check ")
	k.ready()
	if !strings.Contains(k.written(), "\x1b[1mcheck") {
		t.Error("the table of doctor has no looks")
	}
	k.types("/exit\r")
	k.exit(0)
	if n := len(h.server.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}

// TestChatRunsWhatWasTypedAlone: a command that the model wrote is asked about, also where the user typed /run.
func TestChatRunsWhatWasTypedAlone(t *testing.T) {
	h := newShell(t, "-- 1.md --\n"+suggests("touch ran"))
	k := h.chat(100, "", filepath.Join(h.root, "a.py"))
	k.ready()
	k.types("What now?\r")
	k.answers("[y,n,h,r,?]", "n")
	k.answers("[yes/no/edit]", "n")
	k.ready()
	k.types("/run\r")
	k.answers("[1/none]", "1")
	k.answers("[run/skip]", "s")
	k.sees("The command was not run.")
	k.ready()
	if _, err := os.Stat(filepath.Join(h.root, "ran")); err == nil {
		t.Error("it ran")
	}
	k.types("/exit\r")
	k.exit(0)
}

// TestChatPicksAModel: /model alone is a list that what is typed narrows. Esc leaves all as it was; to choose costs nothing, and
// what is chosen answers the next request.
func TestChatPicksAModel(t *testing.T) {
	h := newShell(t, "repeat: true\n-- 1.md --\nFine.\n")
	for _, width := range []int{60, 100, 200} {
		k := h.chat(width, "")
		k.ready()
		k.types("/model\r")
		k.sees("Type to filter.")
		k.sees("* local")
		k.sees("in use")
		k.types("gptnn")
		k.sees("* gpt-5-nano")
		k.types("\x1b")
		k.sees("The model is local.")
		k.ready()
		k.types("/weak-model\r")
		k.sees("Choose the weak model.")
		k.types("gpt-5-mi\r")
		k.sees("model gpt-5-mini,")
		k.ready()
		k.types("/model\r")
		k.sees("Choose the model.")
		k.types("\x03") // Ctrl+C stops this as it stops all
		k.sees("Stopped.")
		k.types("/exit\r")
		k.exit(0)
	}
	if n := len(h.server.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
	h.env = map[string]string{"TERM": "dumb"}
	k := h.chat(80, "")
	k.sees("\n>")
	k.types("/model\r")
	k.sees("Number or name (Enter: cancel):")
	k.types("gpt-5-mini\r")
	k.sees("model gpt-5-mini")
	k.types("/exit\r")
	k.exit(0)
}

// TestChatQuestions of a turn are answered by words, by a first letter, and by Enter, which does nothing.
func TestChatQuestions(t *testing.T) {
	for answer, want := range map[string]string{"a": "y = 2\n", "add": "y = 2\n", "": "y = 1\n", "s": "y = 1\n"} {
		h := newShell(t, wantsOther)
		h.put("other.py", "y = 1\n")
		k := h.chat(80, "", filepath.Join(h.root, "a.py"))
		k.ready()
		k.types("Make y two.\r")
		k.answers("[add/skip]", answer)
		if want == "y = 2\n" {
			k.answers("[y,n,h,r,?]", "y")
			k.sees("Changed other.py")
		}
		k.ready()
		if got := h.read("other.py"); got != want {
			t.Errorf("%q: other.py is %q\n%s", answer, got, k.text())
		}
		k.types("/exit\r")
		k.exit(0)
	}
}

// TestChatInput: several lines, what was sent before, and completion.
func TestChatInput(t *testing.T) {
	h := newShell(t, "repeat: true\n-- 1.md --\nFine.\n")
	h.put("lib/parser.py", "def parse(): pass\n")
	home := t.TempDir()
	k := h.chat(80, home)
	k.ready()
	k.types("one\\\rtwo\x1b\rthree\x1b[200~\rfour\x1b[201~\r")
	k.sees("Fine.")
	k.ready()
	if all := string(h.server.Requests()[0].Body); !strings.Contains(all, `one\ntwo\nthree\nfour`) {
		t.Errorf("sent: %s", all)
	}
	k.types("look at @pars")
	k.sees("  @lib/parser.py")
	k.types("\t")
	k.sees("> look at @lib/parser.py")
	k.types("\x15/read-o\t")
	k.sees("> /read-only")
	k.types("\x15")
	k.ready()
	k.types("/exit\r")
	k.exit(0)
	k = h.chat(80, home)
	k.ready()
	k.types("\x12one") // Ctrl+R
	k.sees("Search: one")
	k.sees("four")
	k.types("\r")
	waitUntil(t, "the message is in the input", func() bool { return strings.HasSuffix(k.text(), "> one\n  two\n  three\n  four") })
	k.types("\x03")
	k.ready()
	k.types("\x1b[A\x1b[A") // Up, beyond /exit
	waitUntil(t, "the message is in the input", func() bool { return strings.HasSuffix(k.text(), "> one\n  two\n  three\n  four") })
	k.types("\x03")
	k.ready()
	k.types("\x04")
	k.exit(0)
	k = newShell(t, "-- 1.md --\nFine.\n").chat(80, home) // another folder
	k.ready()
	k.types("\x12one")
	k.sees("Search: one")
	k.types("\r\x1b[Anothing")
	k.sees("> nothing")
	k.types("\x03")
	k.ready()
	k.types("\x04")
	k.exit(0)
}

// orders are what a terminal would obey that no text of others may hold: titles, links, the clipboard, other looks.
var orders = regexp.MustCompile(`\x1b\][0-9]|\x1b\[8m|\x1bP[^$+>]|\x9b`)

// TestChatObeysNobody: what a model, a file or a program says is shown and not obeyed.
func TestChatObeysNobody(t *testing.T) {
	bad := "\x1b]0;title\x07\x1b[8mhidden \x9b31m"
	h := newShell(t, "-- 1.md --\nLook: "+bad+" &#27;]0;title2&#7; [link](http://example.com/&#27;[8m)\n\na.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = \"\u202ehidden\"\n>>>>>>> REPLACE\n```\n")
	h.put("bad.txt", bad+"\n")
	k := h.chat(80, "", filepath.Join(h.root, "a.py"))
	k.ready()
	k.types("Go.\r")
	k.answers("[y,n,h,r,?]", "n")
	k.ready()
	k.types("!cat bad.txt\r")
	k.answers("[add/skip]", "s")
	k.ready()
	k.types("/exit\r")
	k.exit(0)
	if found := orders.FindString(k.written()); found != "" || !strings.Contains(k.text(), "<U+001B>") {
		t.Errorf("%q reached the terminal:\n%s", found, k.text())
	}
}

// TestChatWithoutColour: no looks where the user wants none, and no order at all for a terminal that takes none.
func TestChatWithoutColour(t *testing.T) {
	h := bugs(t, "")
	h.env = map[string]string{"NO_COLOR": "1"}
	k := h.chat(80, "", filepath.Join(h.root, "calc.py"))
	k.ready()
	k.types("Fix both.\r")
	k.answers("[y,n,h,r,?]", "n")
	k.ready()
	k.types("/exit\r")
	k.exit(0)
	if found := regexp.MustCompile(`\x1b\[[0-9;]*[1-9][0-9;]*m`).FindString(k.written()); found != "" {
		t.Errorf("a look: %q", found)
	}
	h = bugs(t, "-- 2.md --\n"+strings.TrimPrefix(twoBugs, "-- 1.md --\n"))
	h.env = map[string]string{"TERM": "dumb"}
	k = h.chat(80, "", filepath.Join(h.root, "calc.py"))
	k.sees("\n>")
	k.types("Fix both.\n")
	k.sees("[y,n,h,r,?]")
	k.types("y\n")
	k.sees("Changed calc.py")
	k.types("/undo\nFix both.\n")
	k.sees("[y,n,h,r,?]", 2)
	k.types("\x04") // no answer, and the end
	k.exit(0)
	if strings.Contains(k.written(), "\x1b") || h.read("calc.py") != calc {
		t.Errorf("a dumb terminal is told\n%q", k.written())
	}
}

// TestChatCommits: a change is looked at and committed without leaving the session, under a message that the weak model writes or
// the user types, and not before they agree.
func TestChatCommits(t *testing.T) {
	h := newGitShell(t, "-- 1.md --\na.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n-- 2.md --\nMake x two\n")
	before := h.git("log", "-1", "--format=%H")
	k := h.chat(80, "", filepath.Join(h.root, "a.py"))
	k.ready()
	k.types("Make x two.\r")
	k.answers("[y,n,h,r,?]", "y")
	k.sees("Changed a.py (+1 -1)")
	k.ready()
	k.types("/diff\r")
	k.sees("+x = 2", 2)
	k.ready()
	k.types("/commit\r")
	k.answers("Commit this? [yes/no]", "")
	k.ready()
	if got := h.git("log", "-1", "--format=%H"); got != before {
		t.Errorf("Enter alone committed %s", got)
	}
	k.types("/commit Set x\r")
	k.sees("Commit this? [yes/no]", 2)
	k.answers("Commit this? [yes/no]", "y")
	k.ready()
	if got := h.git("log", "-1", "--format=%s") + h.git("status", "--porcelain"); got != "Set x\n" {
		t.Errorf("committed %q:\n%s", got, k.text())
	}
	k.types("/exit\r")
	k.exit(0)
	if !strings.Contains(k.text(), "Make x two\n") {
		t.Errorf("the message is not shown:\n%s", k.text())
	}
}

// TestChatVerbose: how an answer was read is told with --verbose alone.
func TestChatVerbose(t *testing.T) {
	const note = "its edits were read anyway"
	for _, args := range [][]string{nil, {"--verbose"}} {
		h := newShell(t, "-- 1.md --\na.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n")
		h.put("home/config/coauthor/config.yaml", "editFormat: whole\n")
		k := h.chat(160, filepath.Join(h.root, "home"), append(args, filepath.Join(h.root, "a.py"))...)
		k.ready()
		k.types("Make x two.\r")
		k.answers("[y,n,h,r,?]", "n")
		k.ready()
		k.types("/exit\r")
		k.exit(0)
		if told := strings.Contains(k.text(), note); told != (args != nil) {
			t.Errorf("%q: told %v:\n%s", args, told, k.text())
		}
	}
}

// TestChatRewinds: what a request changed and what was said of it go back together, after a yes.
func TestChatRewinds(t *testing.T) {
	h := bugs(t, "-- 2.md --\nFine.\n")
	k := h.chat(100, "", filepath.Join(h.root, "calc.py"))
	k.ready()
	k.types("Fix both.\r")
	k.answers("[y,n,h,r,?]", "y")
	k.ready()
	k.types("/rewind 1\r")
	k.answers("[yes/no]", "yes")
	k.sees("Restored the state before request 1 (Fix both.)")
	k.ready()
	if got := h.read("calc.py"); got != calc {
		t.Errorf("calc.py is\n%s", got)
	}
	k.types("And now?\r")
	k.sees("Fine.")
	k.ready()
	k.types("/exit\r")
	k.exit(0)
	if requests := h.server.Requests(); len(requests) != 2 || strings.Contains(string(requests[1].Body), "Fix both.") {
		t.Errorf("%d requests; the last one still has what was taken back", len(requests))
	}
}

// TestChatContinues: what was said and chosen is there again.
func TestChatContinues(t *testing.T) {
	h := newShell(t, "repeat: true\n-- 1.md --\nFine.\n")
	home := t.TempDir()
	k := h.chat(80, home)
	k.ready()
	k.types("/add a.py\r")
	k.sees("In the chat: a.py.")
	k.ready()
	k.types("The word is swordfish.\r")
	k.sees("Fine.")
	k.ready()
	k.types("/exit\r")
	k.exit(0)
	k = h.chat(80, home, "--continue")
	k.sees("Files: a.py")
	k.ready()
	k.types("What is the word?\r")
	k.sees("Fine.")
	k.ready()
	k.types("/exit\r")
	k.exit(0)
	if last := h.server.Requests(); !strings.Contains(string(last[len(last)-1].Body), "swordfish") {
		t.Error("the conversation is not gone on with")
	}
}

// TestChatNeedsATerminal, and says what to run without one; coauthor alone prints its help then.
func TestChatNeedsATerminal(t *testing.T) {
	h := newShell(t, "-- 1.md --\nno\n")
	if code := h.run("chat"); code != 1 || !strings.Contains(h.err.String(), "coauthor edit -m") {
		t.Errorf("exit %d: %s", code, h.err.String())
	}
	for _, args := range [][]string{nil, {"--version"}} {
		h.out.Reset()
		code := run(t.Context(), args, Streams{In: strings.NewReader(""), Out: &h.out, Err: &h.err, Env: func(string) string { return "" }})
		want := "Usage: coauthor COMMAND"
		if args != nil {
			want = "coauthor devel"
		}
		if code != 0 || !strings.HasPrefix(h.out.String(), want) {
			t.Errorf("%v: exit %d: %s", args, code, h.out.String())
		}
	}
}
