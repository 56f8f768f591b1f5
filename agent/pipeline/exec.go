package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/sandbox"
	"coauthor/agent/verify"
)

// Script is a text for the shell, and where and how it is run.
type Script struct {
	Dir     string   // OS path of the folder that it runs in, outside of every workspace; what it writes there stays
	Text    string   // what the user has agreed to
	Environ []string // as os.Environ gives it, without keys
	Visible []string // what it sees besides in a sandbox, as the setting verify.visible says it
	Timeout time.Duration
	In      *os.File          // the terminal that it reads from; nil is no input
	Out     func(text string) // is told the output as it comes; nil tells nobody
}

// Ran is what a script did.
type Ran struct {
	Code           int    // its exit status; 128 and the number of the signal that ended it
	Stdout, Stderr string // the middle is missing where it was too much
	TimedOut       bool
	Stopped        string // why it was ended before it was done, in a few words; "" when it ended by itself
	Took           time.Duration
	Notes          []string // what the user should know of how it was run, whole sentences
}

// Environment runs scripts. The error means that a script did not run, or that ctx has ended; what it does itself is
// none.
type Environment interface {
	Run(ctx context.Context, s Script) (Ran, error)
}

// What a script may use where nothing else is said.
const (
	scriptTime      = 2 * time.Minute
	scriptOutput    = 128 << 10 // of each stream, from the beginning and from the end
	scriptProcesses = 512
)

// scriptFile is the file of the folder that holds the text while it runs.
const scriptFile = ".coauthor-run.sh"

// noShell says what to do where there is no shell for scripts, on a system.
func noShell(system string) error {
	const message = "Cannot run the script: neither bash nor sh is installed."
	if system == "windows" {
		return agent.Problem("Install Git for Windows, which includes bash. Or ask for a PowerShell script (coauthor entrypoint -m \"for PowerShell\") and set pipeline.exec to "+
			`[powershell, -NoProfile, -Command, "Get-Content -Raw {script} | Invoke-Expression"].`, message)
	}
	return agent.Problem("Install bash, or set pipeline.exec to the command that runs scripts.", message)
}

// shells are what scripts are run by; the first that is there.
var shells = []string{"bash", "sh"}

// Runner runs a command where it is, under limits; sandbox.Shadow is one.
type Runner interface {
	Execute(ctx context.Context, x sandbox.Execution) (sandbox.Executed, error)
}

// NewEnvironment picks how scripts are run: by the command template of the user, where there is one, else by a shell. The
// limits of memory and processes are those that by can put on a command on this system.
func NewEnvironment(template []string, by Runner, look func(name string) (string, error)) Environment {
	return environment{template: slices.Clone(template), by: by, look: look, most: sandbox.Limits{Output: scriptOutput, Processes: scriptProcesses}}
}

type environment struct {
	template []string
	by       Runner
	look     func(name string) (string, error)
	most     sandbox.Limits
}

// Run implements Environment.
func (e environment) Run(ctx context.Context, s Script) (Ran, error) {
	argv, err := e.command(s.Dir)
	if err != nil {
		return Ran{}, err
	}
	file := filepath.Join(s.Dir, scriptFile)
	if err := os.WriteFile(file, []byte(s.Text), 0o700); err != nil { //nolint:gosec // a container may run it by its name
		return Ran{}, fmt.Errorf("write the script to run: %w", err)
	}
	defer func() { _ = os.Remove(file) }() // its folder goes soon, too
	most := e.most
	most.Time = cmp.Or(s.Timeout, scriptTime)
	environ := sandbox.Environment(s.Environ, os.TempDir())
	if s.In != nil {
		environ = append(environ, "PYTHONUNBUFFERED=1") // else it keeps back what the user is to answer
	}
	tell := &characters{tell: s.Out}
	r, err := e.by.Execute(ctx, sandbox.Execution{Argv: argv, Dir: s.Dir, Environ: environ, Limits: most, Disk: s.Dir, In: s.In, Out: tell,
		Apart: len(e.template) == 0, Visible: s.Visible})
	tell.close()
	switch {
	case err != nil:
		return Ran{}, err
	case r.Missing:
		return Ran{}, fmt.Errorf("%s, the program in pipeline.exec, is not installed; install it, or change pipeline.exec", argv[0])
	}
	return Ran{Code: r.Code, Stdout: r.Out, Stderr: r.Err, Took: r.Took, Stopped: r.Stopped, TimedOut: r.Stopped != "" && r.Took >= most.Time}, nil
}

// command is what runs the file of a script in a folder.
func (e environment) command(dir string) ([]string, error) {
	if len(e.template) > 0 {
		return filled(e.template, dir)
	}
	for _, name := range shells {
		if path, err := e.look(name); err == nil {
			return []string{path, scriptFile}, nil
		}
	}
	return nil, noShell(runtime.GOOS)
}

// filled puts folder and script into a template. A template that names no script gets it at its end.
func filled(template []string, dir string) ([]string, error) {
	var argv []string
	named := false
	for _, word := range template {
		named = named || strings.Contains(word, "{script}")
		word = strings.NewReplacer("{dir}", dir, "{script}", scriptFile).Replace(word)
		argv = append(argv, word)
	}
	if argv[0] == "" {
		return nil, errors.New("pipeline.exec is empty; set it to a command, for example [podman, run, --rm, -v, \"{dir}:/work\", -w, /work, IMAGE, sh, \"{script}\"]")
	}
	if !named {
		argv = append(argv, scriptFile)
	}
	return argv, nil
}

// scriptQuestion asks about a script, and shows all of it. How it is run is part of what the user agrees to, and what it can
// see there.
func scriptQuestion(text string, template []string, sandbox, reads bool) event.Question {
	where := "This system has no sandbox. The script runs in a copy of the folder, but with your permissions: it can read and change your other files and use the network. It gets no API keys and no input."
	switch {
	case len(template) > 0:
		where = "It runs in a copy of the folder with this command (pipeline.exec): " + verify.Command(template).String()
	case sandbox:
		where = "It runs in a sandbox, in a copy of the folder without files that may contain secrets. In your home folder, it sees only toolchains and build caches, and Coauthor discards anything it writes there. It can use the network, but gets no API keys and no input."
	}
	if reads {
		where = strings.Replace(where, "no API keys and no input.", "no API keys.", 1) + " What you type goes to it until it ends; Ctrl-C stops it."
	}
	return event.Question{Text: "Run this script? " + where, Body: strings.TrimRight(text, "\n"),
		Choices: []string{"run", "skip"}, Titles: []string{"run it in a copy of the folder", "do not run it"}}
}

// characters passes bytes on as text, a character that comes in two pieces as one.
type characters struct {
	tell func(string) // nil tells nobody

	part []byte // the beginning of a character
}

// Write implements io.Writer.
func (c *characters) Write(p []byte) (int, error) {
	if c.tell == nil {
		return len(p), nil
	}
	text := append(c.part, p...)
	whole := len(text)
	for k := 1; k < utf8.UTFMax && k <= len(text); k++ {
		if utf8.RuneStart(text[len(text)-k]) {
			if !utf8.FullRune(text[len(text)-k:]) {
				whole = len(text) - k
			}
			break
		}
	}
	c.part = append([]byte(nil), text[whole:]...)
	if whole > 0 {
		c.tell(strings.ToValidUTF8(string(text[:whole]), "\uFFFD"))
	}
	return len(p), nil
}

// close tells what is left of a character that never came to its end.
func (c *characters) close() {
	if c.tell != nil && len(c.part) > 0 {
		c.tell("\uFFFD")
	}
	c.part = nil
}
