package e2e

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// emacsClient is an Emacs and the package in it that speaks to language servers.
type emacsClient struct {
	column  string
	folder  string // of the cache
	require string // the file of ours that is loaded
	menu    string // the command that opens the menu of code actions
	asks    string // what that asks
}

var emacsClients = []emacsClient{
	{"Emacs 30 Eglot", "emacs30", "coauthor-eglot", "eglot-code-actions", "Pick an action"},
	{"Emacs 28 Eglot", "emacs28", "coauthor-eglot", "eglot-code-actions", "Pick an action"},
	{"Emacs lsp-mode", "emacs30", "coauthor-lsp-mode", "lsp-execute-code-action", "Select code action"},
}

func (c emacsClient) eglot() bool { return c.require == "coauthor-eglot" }

// eachEmacs runs a scenario in every Emacs.
func eachEmacs(t *testing.T, run func(t *testing.T, c emacsClient)) {
	t.Parallel()
	for _, c := range emacsClients {
		t.Run(strings.ReplaceAll(c.column, " ", ""), func(t *testing.T) {
			t.Parallel()
			cache(t, c.folder)
			run(t, c)
		})
	}
}

// emacs is an Emacs in a terminal: the user's keys go there, and its own client looks into its buffers.
type emacs struct {
	*terminal
	w *world
	c emacsClient
}

// emacsHarness is what the tests need of an Emacs beside what the page tells its user.
const emacsHarness = `;;; -*- lexical-binding: t -*-
;; Emacs has begun to compile its own library before it reads this, for a home where nothing is compiled yet, and would do so
;; until its end, in each test.
(when (boundp 'comp-files-queue)
  (setq comp-files-queue nil)
  (maphash (lambda (_ process) (delete-process process)) comp-async-compilations))
(setq native-comp-jit-compilation nil native-comp-deferred-compilation nil inhibit-startup-screen t ring-bell-function 'ignore
      auto-save-default nil create-lockfiles nil make-backup-files nil confirm-kill-processes nil
      lsp-auto-guess-root t lsp-client-packages nil lsp-enable-file-watchers nil)
(require 'server)
(setq server-name "e2e" server-socket-dir OWN)
(server-start)
(dolist (dir (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa-src/*"))
  (add-to-list 'load-path dir))
;; What the package's own list of what to load on demand would do.
(with-eval-after-load 'lsp-mode
  (dolist (part '(lsp-lens lsp-modeline lsp-headerline lsp-diagnostics lsp-completion lsp-icons lsp-semantic-tokens))
    (require part nil t)))
`

// pageCode is the first piece of code of a page that holds some words.
func pageCode(t testing.TB, page, language, words string) string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		if strings.Contains(block[1], words) {
			return block[1]
		}
	}
	t.Fatalf("%s shows no %s with %s", page, language, words)
	return ""
}

// startEmacs starts an Emacs as the page says, with more in its init file, and shows the last of the files.
func startEmacs(w *world, c emacsClient, more string, files ...string) *emacs {
	t := w.t
	t.Helper()
	ours := filepath.Join(w.own, "coauthor")
	if err := os.CopyFS(ours, os.DirFS("../emacs")); err != nil {
		t.Fatal(err)
	}
	init := strings.Replace(emacsHarness, "OWN", strconv.Quote(w.own), 1) +
		strings.ReplaceAll(pageCode(t, "../emacs/README.md", "elisp", "(require '"+c.require+")"), "/path/to/coauthor/editors/emacs", ours) + more
	if err := os.WriteFile(filepath.Join(w.own, "init.el"), []byte(init), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(w.own, 0o700); err != nil { // else Emacs refuses to be spoken to there
		t.Fatal(err)
	}
	e := &emacs{w: w, c: c}
	env := append(w.env(), "COAUTHOR_E2E_BIND="+strings.Join([]string{os.TempDir(), w.bin, os.Getenv("COAUTHOR_E2E_CACHE")}, ":"))
	e.terminal = startTerminal(t, w.dir, env, 180, 40, filepath.Join(cache(t, c.folder), "run"), "emacs", "-nw", "-Q", "-l", filepath.Join(w.own, "init.el"))
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("Emacs's screen:\n%s\nits messages:\n%s", e.screen(), e.messages())
		}
		_, _ = e.tried("(kill-emacs)") // it is gone when it has ended
	})
	if !wait(func() bool { _, err := os.Stat(filepath.Join(w.own, "e2e")); return err == nil }) {
		t.Fatalf("Emacs did not start\n%s", e.screen())
	}
	for _, name := range files {
		e.visit(name)
	}
	return e
}

// tried evaluates an expression; the answer is as Emacs prints it. It speaks to Emacs as emacsclient does, without the dozen
// programs that each start of one in Emacs's own root takes: conditions are looked at many times a second.
func (e *emacs) tried(form string) (string, error) {
	conn, err := net.Dial("unix", filepath.Join(e.w.own, "e2e"))
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(hung)); err != nil {
		return "", err
	}
	if _, err := fmt.Fprintf(conn, "-dir %s/ -current-frame -eval %s \n", quoteEmacs.Replace(e.w.dir), quoteEmacs.Replace(form)); err != nil {
		return "", err
	}
	said, err := io.ReadAll(conn) // Emacs closes it
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for line := range strings.Lines(string(said)) {
		switch kind, arg, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); kind {
		case "-print", "-print-nonl":
			out.WriteString(unquoteEmacs.Replace(arg))
		case "-error":
			return "", errors.New(unquoteEmacs.Replace(arg))
		}
	}
	return strings.TrimSpace(out.String()), nil
}

// How Emacs and emacsclient write an argument.
var (
	quoteEmacs   = strings.NewReplacer("&", "&&", "-", "&-", "\n", "&n", " ", "&_")
	unquoteEmacs = strings.NewReplacer("&&", "&", "&-", "-", "&n", "\n", "&_", " ")
)

// eval is tried where it has to go well.
func (e *emacs) eval(form string) string {
	e.t.Helper()
	out, err := e.tried(form)
	if err != nil {
		e.t.Fatalf("%s: %v\n%s", form, err, e.screen())
	}
	return out
}

// text evaluates an expression that gives a text or nil.
func (e *emacs) text(form string) (string, bool) {
	out, err := e.tried("(let ((text " + form + ")) (and text (base64-encode-string (encode-coding-string text 'utf-8-unix) t)))")
	if err != nil || out == "nil" {
		return "", false
	}
	text, err := base64.StdEncoding.DecodeString(strings.Trim(out, `"`))
	return string(text), err == nil
}

func (e *emacs) messages() string {
	text, _ := e.text(`(with-current-buffer (messages-buffer) (buffer-string))`)
	return text
}

// told waits until Emacs has shown a message, which may be gone from the screen again.
func (e *emacs) told(words string) {
	e.t.Helper()
	if !wait(func() bool { return strings.Contains(e.messages(), words) }) {
		e.t.Fatalf("never told: %s", words)
	}
}

// buffer is the text of the buffer of a file of the project.
func (e *emacs) buffer(name string) (string, bool) {
	return e.text("(let ((b (find-buffer-visiting " + strconv.Quote(e.w.path(name)) + "))) (and b (with-current-buffer b (save-restriction (widen) (buffer-string)))))")
}

func (e *emacs) wantBuffer(name, want string) {
	e.t.Helper()
	got := ""
	if !wait(func() bool { got, _ = e.buffer(name); return got == want }) {
		e.t.Fatalf("the buffer of %s holds\n%q\nwant\n%q", name, got, want)
	}
}

// current is the name of the buffer that the keys go to.
func (e *emacs) current() string { return strings.Trim(e.eval("(buffer-name (window-buffer))"), `"`) }

// promptForCommand is what M-x shows where it waits for a name.
var promptForCommand = regexp.MustCompile(`(?m)^M-x( |$)`)

// mx runs a command of Emacs by its name. Keys that come in one piece with M-x, while a server's messages
// are read, are lost in Emacs 30 on a busy machine: so it types when it is asked, as people do.
func (e *emacs) mx(command string) {
	e.t.Helper()
	e.press("M-x")
	if !wait(func() bool { return promptForCommand.MatchString(e.screen()) }) {
		e.t.Fatalf("Emacs does not ask for a command\n%s", e.screen())
	}
	e.write(command)
	e.press("Enter")
}

// visit opens a file of the project alone on the screen, and waits until the server knows it.
func (e *emacs) visit(name string) {
	e.t.Helper()
	e.press("C-x", "C-f", "C-a", "C-k")
	e.write(e.w.path(name))
	e.press("Enter")
	served := "(let ((c (and (equal (buffer-file-name (window-buffer)) " + strconv.Quote(e.w.path(name)) + ") (with-current-buffer (window-buffer) (coauthor--own-connection))))) (and c (coauthor-live-p c) t))"
	if !wait(func() bool { out, err := e.tried(served); return err == nil && out == "t" }) {
		e.t.Fatalf("%s is not served\n%s", name, e.screen())
	}
	e.press("C-x", "1")
}

// asks has the user ask for a change of the first two lines.
func (e *emacs) asks(words string) {
	e.t.Helper()
	e.press("M-<", "C-Space", "C-n", "C-n")
	e.mx("coauthor-edit")
	e.see("Coauthor: Change selection:")
	e.write(words)
	e.press("Enter")
}

// answers waits for a question in the minibuffer and answers it.
func (e *emacs) answers(question, answer string) {
	e.t.Helper()
	e.see(question)
	e.write(answer)
	e.press("Enter")
}

// picks takes a code action by its title.
func (e *emacs) picks(title string) {
	e.t.Helper()
	e.mx(e.c.menu)
	e.see(e.c.asks)
	e.write(title)
	e.press("Enter")
}

// save saves what is to be saved.
func (e *emacs) save() { _, _ = e.tried("(save-some-buffers t)") }

// converse opens a conversation and sends its first words.
func (e *emacs) converse(words string) {
	e.t.Helper()
	e.mx("coauthor-prompt")
	e.see("prompt-1.md")
	if !wait(func() bool { return e.current() == "prompt-1.md" }) {
		e.t.Fatalf("the keys go to %s", e.current())
	}
	e.press("M->")
	e.write(words)
	e.press("C-c", "C-c")
}
