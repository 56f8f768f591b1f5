package chat

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// editorOf is the user's own editor on a file that has a text. Nobody ends it but the user, whose text is in it.
func editorOf(text, ending string) (cmd *exec.Cmd, name string, err error) {
	f, err := os.CreateTemp("", "coauthor-*-"+ending)
	if err != nil {
		return nil, "", fmt.Errorf("cannot open your editor: %w", err)
	}
	_, err = f.WriteString(text)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return nil, "", fmt.Errorf("cannot open your editor: %w", err)
	}
	words := strings.Fields(firstOf(os.Getenv("VISUAL"), os.Getenv("EDITOR"), "vi"))
	return exec.CommandContext(context.Background(), words[0], append(words[1:], f.Name())...), f.Name(), nil
}

// EditText has the user change a text in their own editor on a terminal.
func EditText(text, ending string, in io.Reader, out io.Writer) (string, error) {
	cmd, name, err := editorOf(text, ending)
	if err != nil {
		return "", err
	}
	defer func() { _ = os.Remove(name) }()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, out
	return readEdited(cmd.Run(), name)
}

// PageText shows a text in the user's own pager on a terminal.
func PageText(text string, out io.Writer) error {
	cmd := pagerOf(text)
	cmd.Stdout, cmd.Stderr = out, out
	return cmd.Run()
}

// readEdited is the text that an editor left in a file.
func readEdited(err error, name string) (string, error) {
	if err != nil {
		return "", fmt.Errorf("your editor failed: %w", err)
	}
	data, err := os.ReadFile(name)
	return string(data), err
}

// pagerOf is the user's own pager on a text, which the user ends. As git does, it has less and lv show colours where the user
// says nothing else.
func pagerOf(text string) *exec.Cmd {
	words := strings.Fields(firstOf(os.Getenv("PAGER"), "less"))
	if _, err := exec.LookPath(words[0]); err != nil {
		words = []string{"more"} // Windows has it
	}
	cmd := exec.CommandContext(context.Background(), words[0], words[1:]...)
	cmd.Stdin = strings.NewReader(text)
	for _, one := range [][2]string{{"LESS", "FRX"}, {"LV", "-c"}} {
		if _, set := os.LookupEnv(one[0]); !set {
			cmd.Env = append(cmd.Environ(), one[0]+"="+one[1])
		}
	}
	return cmd
}

// editor has a text changed in the user's own editor.
func editor(text, ending string, then func(edited) tea.Msg) tea.Cmd {
	cmd, name, err := editorOf(text, ending)
	if err != nil {
		return func() tea.Msg { return then(edited{err: err}) }
	}
	return tea.Exec(settled{cmd}, func(err error) tea.Msg {
		defer func() { _ = os.Remove(name) }()
		changed, err := readEdited(err, name)
		return then(edited{changed, err})
	})
}

// settled is a command that begins a moment later: the drawing that bubbletea ends before it stops a clock when it is through,
// and one that stops it when the command has ended already has stopped the clock of the next drawing.
type settled struct{ *exec.Cmd }

// Run implements tea.ExecCommand.
func (c settled) Run() error {
	<-time.After(settling)
	return c.Cmd.Run()
}

const settling = 50 * time.Millisecond

// SetStdin implements tea.ExecCommand.
func (c settled) SetStdin(r io.Reader) {
	if c.Stdin == nil { // a pager reads what it shows
		c.Stdin = r
	}
}

// SetStdout implements tea.ExecCommand.
func (c settled) SetStdout(w io.Writer) { c.Stdout = w }

// SetStderr implements tea.ExecCommand.
func (c settled) SetStderr(w io.Writer) { c.Stderr = w }

func firstOf(list ...string) string {
	for _, one := range list {
		if strings.TrimSpace(one) != "" {
			return one
		}
	}
	return ""
}
