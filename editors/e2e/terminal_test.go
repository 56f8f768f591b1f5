package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// terminal is a program in a tmux of its own: keys go in, the screen comes out.
type terminal struct {
	t      testing.TB
	tmux   []string // the command that reaches this tmux
	socket string
}

// tmuxCommand finds tmux: the system's, else the one that install.sh unpacked.
func tmuxCommand(t testing.TB) []string {
	t.Helper()
	if path, err := exec.LookPath("tmux"); err == nil {
		return []string{path}
	}
	prefix := cache(t, "tmux")
	return []string{filepath.Join(prefix, "run"), "tmux"}
}

// startTerminal runs a command line in a new tmux, in dir, with env.
func startTerminal(t testing.TB, dir string, env []string, width, height int, argv ...string) *terminal {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "tmux")
	term := &terminal{t: t, tmux: append(tmuxCommand(t), "-S", socket, "-f", os.DevNull), socket: socket}
	args := []string{"new-session", "-d", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height), "-c", dir, "env", "-i"}
	args = append(append(args, env...), argv...)
	if out, err := term.run(args...); err != nil {
		t.Fatalf("start tmux: %v\n%s", err, out)
	}
	t.Cleanup(func() { _, _ = term.run("kill-server") }) // it is gone when its program has ended
	return term
}

func (term *terminal) run(args ...string) (string, error) {
	cmd := exec.Command(term.tmux[0], append(term.tmux[1:len(term.tmux):len(term.tmux)], args...)...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// screen is the text of the screen; "" when the program has ended.
func (term *terminal) screen() string {
	out, err := term.run("capture-pane", "-p")
	if err != nil {
		return ""
	}
	return out
}

// shot keeps the screen for a person to look at, as text, and with its colours for pictures.js.
func (term *terminal) shot(w *world, name string) {
	term.t.Helper()
	w.shot(name, term.screen())
	if coloured, err := term.run("capture-pane", "-p", "-e"); err == nil {
		w.keep(name+".ansi", coloured)
	}
}

// press sends keys by tmux's names.
func (term *terminal) press(keys ...string) {
	term.t.Helper()
	if out, err := term.run(append([]string{"send-keys"}, keys...)...); err != nil {
		term.t.Fatalf("send-keys %v: %v\n%s", keys, err, out)
	}
}

// write types a text as it is.
func (term *terminal) write(text string) {
	term.t.Helper()
	term.press("-l", text)
}

// typed runs one of the program's own commands, as a user types it.
func (term *terminal) typed(command string) {
	term.t.Helper()
	term.write(":" + command)
	term.press("Enter")
}

// see waits until the screen shows a text.
func (term *terminal) see(want string) {
	term.t.Helper()
	if !wait(func() bool { return strings.Contains(term.screen(), want) }) {
		term.t.Fatalf("never on the screen: %s\n%s", want, term.screen())
	}
}

// lacks waits until the screen does not show a text.
func (term *terminal) lacks(text string) {
	term.t.Helper()
	if !wait(func() bool { screen := term.screen(); return screen != "" && !strings.Contains(screen, text) }) {
		term.t.Fatalf("still on the screen: %s\n%s", text, term.screen())
	}
}
