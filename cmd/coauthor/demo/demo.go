package demo

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"coauthor/agent/display"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/prose"
	"coauthor/agent/vcs"
	"coauthor/cmd/editor"
)

//go:embed project.txtar
var projectArchive []byte

//go:embed reply.txtar
var recordedReply []byte

const request = "Add an option --top N to the command line that also lists the N most frequent words of each file."

// Options are what the demo needs.
type Options struct {
	Out    io.Writer
	Colour bool
	Root   string            // the project's folder, which Play makes
	Dir    string            // a folder for the state and the log of the server
	Server []string          // the command that starts it
	Env    map[string]string // variables above those of this process, by which it finds its model
}

// Play lays out the project, and goes through one turn with the server. It ends without an error when the change was applied,
// seen, and undone to the byte.
func Play(ctx context.Context, o Options) error {
	d := &demo{out: o.Out, colour: o.Colour, root: o.Root}
	if err := d.layOut(ctx); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, o.Server[0], o.Server[1:]...)
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(o.Dir, "state"))
	for name, value := range o.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return d.with(ctx, cmd, filepath.Join(o.Dir, "server.log"))
}

// Reply is the recorded answer to the demo's request.
func Reply() *llmtest.Script {
	script, err := llmtest.Parse(recordedReply)
	if err != nil { // it is embedded, and played by a test
		panic(err)
	}
	return script
}

// demo is one run: what it prints to, and the project it works on.
type demo struct {
	out    io.Writer
	colour bool
	root   string
	before map[string]string // path -> text as laid out

	// What the server said; written by hooks, read in conditions of WaitFor.
	answered bool   // the turn ended without a change
	failed   string // why the turn failed
	inProse  bool   // the model's prose stands on the current line
	begun    bool   // the model has begun to answer
	words    prose.Stream
	visible  display.Stream
}

func (d *demo) say(format string, args ...any) { fmt.Fprintf(d.out, format+"\n", args...) }

func (d *demo) head(title string) { d.say("\n%s", d.paint("1", "== "+title)) }

// paint wraps s in an ANSI style when the output is a terminal.
func (d *demo) paint(style, s string) string {
	if !d.colour {
		return s
	}
	return "\x1b[" + style + "m" + s + "\x1b[0m"
}

// layOut writes the project; a git repository, because that is what most users have.
func (d *demo) layOut(ctx context.Context) error {
	d.before = map[string]string{}
	for _, f := range txtar.Parse(projectArchive).Files {
		name := filepath.Join(d.root, filepath.FromSlash(f.Name))
		err := os.MkdirAll(filepath.Dir(name), 0o755)
		if err == nil {
			err = os.WriteFile(name, f.Data, 0o644)
		}
		if err != nil {
			return fmt.Errorf("cannot create the demo project: %w", err)
		}
		d.before[f.Name] = string(f.Data)
	}
	if err := vcs.Init(ctx, d.root); err != nil {
		d.say("(Cannot use git here; continuing without it: %v.)", err)
	}
	return nil
}

// with starts the server as a process of its own, as an editor does, and goes through one turn. What the
// server tells its log goes into a file, whose end stands behind an error.
func (d *demo) with(ctx context.Context, server *exec.Cmd, logName string) (err error) {
	log, err := os.Create(logName)
	if err != nil {
		return fmt.Errorf("cannot create the server's log: %w", err)
	}
	defer log.Close()
	server.Stderr, server.WaitDelay = log, 5*time.Second
	in, inErr := server.StdinPipe()
	out, outErr := server.StdoutPipe()
	if err := errors.Join(inErr, outErr); err != nil {
		return fmt.Errorf("cannot connect to the server: %w", err)
	}
	if err := server.Start(); err != nil {
		return fmt.Errorf("cannot start the server: %w", err)
	}
	e := editor.New(in, out, d.hooks())
	if err = d.turn(ctx, e); err == nil {
		err = e.Shutdown(ctx)
	}
	in.Close() // a server that was not told to shut down ends with its input
	if bad := server.Wait(); bad != nil {
		err = errors.Join(err, fmt.Errorf("the server failed: %w", bad))
	}
	if err != nil {
		err = fmt.Errorf("%w%s", err, serverLog(logName))
	}
	return err
}

// serverLog is the end of what the server wrote to its log, to show behind an error; "" for nothing.
func serverLog(name string) string {
	text, err := os.ReadFile(name)
	if err != nil || len(text) == 0 {
		return ""
	}
	const most = 2000
	if len(text) > most {
		text = text[len(text)-most:]
	}
	return fmt.Sprintf("\nThe server's log ends with:\n%s", text)
}
