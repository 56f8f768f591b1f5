package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"time"

	"coauthor/agent"
	"coauthor/agent/doctor"
	"coauthor/agent/llm"
	"coauthor/agent/llm/remote"
	"coauthor/agent/settings"
	"coauthor/lsp"
	"coauthor/lsp/wire"
)

// ServeCmd runs the language server for one client: what an editor starts.
type ServeCmd struct {
	Stdio   bool          `xor:"way" help:"Use standard input and output (default)."`
	Listen  string        `xor:"way" placeholder:"ADDR" help:"Listen for one client, for example on 127.0.0.1:0."`
	Pipe    string        `xor:"way" placeholder:"PATH" help:"Connect to a socket that the client created."`
	Client  int           `name:"clientProcessId" hidden:"" help:"The editor's process ID."`
	Verbose bool          `help:"Log every step to standard error."`
	Poll    time.Duration `hidden:"" default:"3s" help:"Interval between checks that the editor is still running."`
}

// Help says what --listen prints.
func (c *ServeCmd) Help() string {
	return "With --listen, prints the address and a token first. The client sends the token in initializationOptions.token."
}

// Run serves until the client leaves or hangs up. Exit status 1 when it could not start, or when the
// client said exit without shutdown.
func (c *ServeCmd) Run(ctx context.Context, s Streams) (int, error) {
	handler, level, closeLog, err := c.log(s)
	if err != nil {
		return 1, err
	}
	defer closeLog()
	rwc, err := c.connect(ctx, s)
	if err != nil {
		return 1, err
	}
	w := newWiring(s, nil, slog.New(handler))
	w.starter = remote.ByEditor
	defer w.close()
	go w.temps.get() // removes what killed processes left, and nobody waits for it
	err = lsp.Serve(ctx, rwc, lsp.Options{
		Version: version(),
		Engine:  func(h lsp.Hooks) *agent.Engine { return w.engine(h.Settings, h.Sink) },
		Settings: func(root string, client settings.Editor) (settings.Settings, []settings.Warning) {
			v, warnings := w.settings(root, client)
			level(v.Log.Level)
			return v, warnings
		},
		Coders:    w.coders,
		Env:       s.Env,
		Workspace: w.later,
		Doctor: func(ctx context.Context, root string, v settings.Settings, warnings []settings.Warning, request bool) []lsp.Check {
			var more func(*doctor.Input, llm.Client)
			if request {
				more = complete
			}
			var checks []lsp.Check
			for _, k := range examine(ctx, w, root, v, warnings, more) {
				checks = append(checks, lsp.Check{Name: k.Name, OK: k.OK, Message: k.Text, Advice: k.Advice, Untried: k.Untried})
			}
			return checks
		},
		Lacks:     w.lacks,
		SetSecret: w.user.SetSecret,
		Log:       handler,
		AlivePoll: c.Poll,
		GCPercent: debug.SetGCPercent,
	})
	if errors.Is(err, lsp.ErrNoShutdown) { // an editor that crashed has nobody left to read more
		return 1, nil
	}
	return 0, err
}

// log opens the log that the user's settings name; set has it hold as much as they say later. Editors keep what comes on
// standard error and show it as errors, so only what needs a look goes there, unless more was asked for.
func (c *ServeCmd) log(s Streams) (to slog.Handler, set func(level string), closes func(), err error) {
	user := newWiring(s, nil, nil).plain("").Log
	level := &slog.LevelVar{}
	level.Set(slog.LevelWarn)
	if c.Verbose {
		level.Set(slog.LevelDebug)
	}
	set = func(string) {}
	if user.File == "" {
		return slog.NewTextHandler(s.Err, &slog.HandlerOptions{Level: level}), set, func() {}, nil
	}
	if !c.Verbose {
		set = func(name string) {
			if name == settings.LogPrompts {
				name = "info"
			}
			_ = level.UnmarshalText([]byte(name)) // the table of settings has only words that it knows
		}
	}
	set(user.Level)
	f, err := os.OpenFile(user.File, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("cannot open the log: %w; fix log.file in your settings", err)
	}
	return slog.NewTextHandler(f, &slog.HandlerOptions{Level: level}), set, func() { _ = f.Close() }, nil
}

func (c *ServeCmd) connect(ctx context.Context, s Streams) (io.ReadWriteCloser, error) {
	switch {
	case c.Listen != "":
		token := rand.Text()
		return wire.ListenTCP(ctx, c.Listen, token, func(addr string) { fmt.Fprintf(s.Out, "%s\ntoken %s\n", addr, token) })
	case c.Pipe != "":
		return wire.DialPipe(ctx, c.Pipe)
	default:
		return wire.Streams(s.In, s.Out), nil
	}
}
