package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// kakouneColumn is Kakoune in the table.
const kakouneColumn = "Kakoune"

// kakoune is a Kakoune in a terminal: the user's keys go there, and a second one looks into its buffers.
type kakoune struct {
	*terminal
	w   *world
	bin string // holds kak and kak-lsp
	env []string
}

// kakouneSession is the name by which the second one finds it.
const kakouneSession = "e2e"

// noteMode keeps the mode that keys go to for who asks from outside: on the screen a message may stand over it.
const noteMode = `
declare-option -hidden str e2e_mode 'push::normal'
hook global ModeChange .* %{ set-option global e2e_mode %val{hook_param} }
`

// startKakoune starts a Kakoune as the page says, with more at the end of its kakrc, and opens the files of the project; the
// last is in front.
func startKakoune(w *world, more string, files ...string) *kakoune {
	t := w.t
	t.Helper()
	ours, err := filepath.Abs("../kakoune")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(pageCode(t, "../kakoune/README.md", "kak", "coauthor.kak"), "/path/to/coauthor/editors/kakoune", ours)
	name := filepath.Join(w.own, "config/kak/kakrc")
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("set-option global startup_info_version 99999999\n"+text+more+noteMode), 0o644); err != nil {
		t.Fatal(err)
	}
	k := &kakoune{w: w, bin: filepath.Join(cache(t, "kakoune"), "bin")}
	k.env = w.env()
	for i, one := range k.env {
		if path, is := strings.CutPrefix(one, "PATH="); is { // kakoune-lsp looks for kak there
			k.env[i] = "PATH=" + k.bin + ":" + path
		}
	}
	k.terminal = startTerminal(t, w.dir, k.env, 160, 40, append([]string{filepath.Join(k.bin, "kak"), "-s", kakouneSession}, files[:1]...)...)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("Kakoune's screen:\n%s\nits messages:\n%s", k.screen(), k.messages())
		}
		k.tell("kill!")
	})
	for _, name := range files {
		k.visit(name)
	}
	return k
}

// tell has the running Kakoune carry out commands, beside the user.
func (k *kakoune) tell(commands string) {
	cmd := exec.Command(filepath.Join(k.bin, "kak"), "-p", kakouneSession)
	cmd.Env, cmd.Dir, cmd.Stdin = k.env, k.w.dir, strings.NewReader(commands)
	_ = cmd.Run() // it is gone, or it is not there yet: who asks looks for what was to come of it
}

// dump is the text of a buffer, as it would be saved.
func (k *kakoune) dump(buffer string) (string, bool) {
	k.t.Helper()
	return k.said(func(to string) string {
		return "evaluate-commands -no-hooks -buffer '" + buffer + "' %{ write -force '" + to + "' }"
	})
}

// said is what commands have written to a file; false where they do not.
func (k *kakoune) said(commands func(to string) string) (string, bool) {
	k.t.Helper()
	to := filepath.Join(k.t.TempDir(), "said")
	k.tell(commands(to+".new") + "\nnop %sh{ mv '" + to + ".new' '" + to + "' }")
	text, err := os.ReadFile(to)
	if err != nil && !wait1(func() bool { text, err = os.ReadFile(to); return err == nil }) {
		return "", false
	}
	return string(text), true
}

// inserting says whether keys are text.
func (k *kakoune) inserting() bool {
	mode, _ := k.said(func(to string) string { return "nop %sh{ printf %s \"$kak_opt_e2e_mode\" > '" + to + "' }" })
	return strings.HasSuffix(mode, ":insert")
}

// buffer is the text of the buffer of a file of the project.
func (k *kakoune) buffer(name string) string {
	text, _ := k.dump(k.w.path(name))
	return text
}

func (k *kakoune) wantBuffer(name, want string) {
	k.t.Helper()
	got := ""
	if !wait(func() bool { got = k.buffer(name); return got == want }) {
		k.t.Fatalf("the buffer of %s holds\n%q\nwant\n%q", name, got, want)
	}
}

// messages is what Kakoune and kakoune-lsp have noted.
func (k *kakoune) messages() string {
	text, _ := k.dump("*debug*")
	return text
}

// told waits until Kakoune has shown a message, which may be gone from the screen again.
func (k *kakoune) told(words string) {
	k.t.Helper()
	if !wait(func() bool { return strings.Contains(k.messages(), words) }) {
		k.t.Fatalf("never told: %s", words)
	}
}

// visit goes to a file of the project.
func (k *kakoune) visit(name string) {
	k.t.Helper()
	k.typed("edit " + name)
	k.inFront(name)
}

// inFront waits until a file is the one that the keys go to.
func (k *kakoune) inFront(name string) {
	k.t.Helper()
	front := func() bool {
		at, _ := k.said(func(to string) string {
			return "evaluate-commands -client client0 %{ nop %sh{ printf %s \"$kak_bufname\" > '" + to + "' } }"
		})
		return strings.HasSuffix(at, name)
	}
	if !wait(front) {
		k.t.Fatalf("%s is not in front\n%s", name, k.screen())
	}
}

// stopsTyping leaves the insert mode. The next key may not come in the same moment, in which the two would be one key with Alt.
func (k *kakoune) stopsTyping() {
	k.t.Helper()
	// Before the first key it would look as if it were over, and a key right behind Escape makes one with it.
	if !wait(k.inserting) {
		k.t.Fatalf("Kakoune is not in its insert mode\n%s", k.screen())
	}
	k.press("Escape")
	if !wait(func() bool { return !k.inserting() }) {
		k.t.Fatalf("Kakoune is in its insert mode\n%s", k.screen())
	}
}

// does runs a command of ours by its keys, which begin with the user's leader.
func (k *kakoune) does(keys ...string) {
	k.t.Helper()
	k.press("Space")
	k.see("o: Coauthor")
	k.write("o")
	k.see("change the selection")
	k.press(keys...)
}

// asks has the user ask for a change of the first two lines.
func (k *kakoune) asks(words string) {
	k.t.Helper()
	k.write("ggxJx")
	k.does("e")
	k.see("Coauthor: change: ")
	k.write(words)
	k.press("Enter")
}

// picks takes a code action by its title.
func (k *kakoune) picks(title string) {
	k.t.Helper()
	k.does("l")
	k.see("Coauthor: ")
	k.write(title)
	k.press("Enter")
}

// save saves what is to be saved.
func (k *kakoune) save() { k.tell("write-all") }
