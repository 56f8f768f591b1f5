package main

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
	agentsettings "coauthor/agent/settings"
	"coauthor/agent/vcs"
	"coauthor/cmd/editor"
)

//go:embed demo/project.txtar
var demoProject []byte

//go:embed demo/reply.txtar
var demoReply []byte

const demoRequest = "Add an option --top N to the command line that also lists the N most frequent words of each file."

// DemoCmd shows the whole way from a request to an undone change: the real server over pipes, a
// small project in a temporary folder, and a recorded answer or the user's own model.
type DemoCmd struct {
	Model   string        `help:"Use this model, not a recorded answer."`
	APIBase string        `name:"api-base" help:"The OpenAI-compatible endpoint."`
	Keep    bool          `help:"Keep the temporary project."`
	Timeout time.Duration `default:"5m" help:"Time limit for the demo."`
}

// Run plays the demo; exit status 0 means that the change was applied, seen, and undone to the byte.
func (c *DemoCmd) Run(ctx context.Context, s Streams) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	dir, err := os.MkdirTemp("", "coauthor-demo-")
	if err == nil { // the server may name files by their real path; /tmp is a link on some systems
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return 1, fmt.Errorf("cannot create a folder for the demo: %w", err)
	}
	if !c.Keep {
		defer os.RemoveAll(dir)
	}
	d := &demo{out: s.Out, colour: s.colour(s.Out), root: filepath.Join(dir, "project")}
	settings, stop := c.model(d, s)
	defer stop()
	if err := d.play(ctx, dir, settings); err != nil {
		return 1, fmt.Errorf("demo: %w", err)
	}
	if c.Keep {
		d.say("\nThe project is still at %s", d.root)
	}
	return 0, nil
}

// model decides who answers: what the flags or the environment name, else the recorded answer, served on loopback. The
// settings are for the server's environment, where they are the user's word, as an editor's need not be.
func (c *DemoCmd) model(d *demo, s Streams) (settings map[string]string, stop func()) {
	settings = map[string]string{"COAUTHOR_VERIFY": "syntax", "COAUTHOR_PREVIEW": "diff"}
	model, base := c.Model, c.APIBase
	if model == "" {
		model = s.Env("COAUTHOR_MODEL")
	}
	if base == "" {
		base = s.Env("COAUTHOR_API_BASE")
	}
	user := configured(s)
	usual := firstSet(base, user.APIBase, s.Env("OPENAI_BASE_URL"), s.Env("OPENAI_API_BASE")) // the server knows what key those go with
	if model != "" || usual != "" || user.Model != "" || s.Env("OPENAI_API_KEY") != "" {
		if model != "" {
			settings["COAUTHOR_MODEL"] = model
		}
		if base != "" {
			settings["COAUTHOR_API_BASE"] = base
		}
		d.say("Asking the configured model%s%s.", prefixed(" ", firstSet(model, user.Model)), prefixed(" at ", usual))
		return settings, func() {}
	}
	script, err := llmtest.Parse(demoReply)
	if err != nil { // it is embedded, and played by a test
		panic(err)
	}
	server := llmtest.Start(script)
	settings["COAUTHOR_MODEL"], settings["COAUTHOR_API_BASE"], settings["COAUTHOR_EDIT_FORMAT"] = "demo", server.URL, "diff"
	d.say("No model is configured, so the demo replays a recorded answer.")
	d.say("To use a real model, add --model NAME --api-base URL or set OPENAI_API_KEY.")
	return settings, server.Close
}

// configured are the settings that the user has written down; the server tells what is wrong with them.
func configured(s Streams) agentsettings.Settings {
	o := agentsettings.LoadOptions{Env: s.Env}
	user := newWiring(s, nil, nil).user
	o.UserPath = user.SettingsPath()
	o.UserFile, o.UserError = user.Settings()
	v, _ := agentsettings.Load(o)
	return v
}

func firstSet(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

// demo is one run: what it prints to, and the project it plays with.
type demo struct {
	out    io.Writer
	colour bool
	root   string
	before map[string]string // path -> text as laid out

	// What the server told; written by hooks, read in conditions of WaitFor.
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
	for _, f := range txtar.Parse(demoProject).Files {
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

// play lays out the project, and goes through one turn with the server.
func (d *demo) play(ctx context.Context, dir string, settings map[string]string) error {
	if err := d.layOut(ctx); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("cannot find this program: %w", err)
	}
	cmd := exec.CommandContext(ctx, self, "serve")
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(dir, "state"))
	for name, value := range settings {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return d.with(ctx, cmd, filepath.Join(dir, "server.log"))
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
