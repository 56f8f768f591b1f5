package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"coauthor/cmd/editor"
)

// process is one server with the editor that drives it.
type process struct {
	*editor.Editor
	cmd  *exec.Cmd
	in   io.Closer
	root string
	log  bytes.Buffer // what the server wrote to its standard error
}

// launch starts the binary on a root with the given files, and shakes hands.
func launch(ctx context.Context, o options, dir string, files map[string]string, settings map[string]any, hooks editor.Hooks) (*process, error) {
	root, err := os.MkdirTemp(dir, "root-")
	if err != nil {
		return nil, err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(ctx, o.Binary, "serve")
	if o.verbose {
		cmd.Args = append(cmd.Args, "--verbose")
	}
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(dir, "state"), "XDG_CONFIG_HOME="+filepath.Join(dir, "config"),
		"COAUTHOR_TRUST=always") // the endpoint comes with the client's settings
	return launchIn(ctx, cmd, root, settings, hooks)
}

// launchIn starts a server on a root that is there.
func launchIn(ctx context.Context, cmd *exec.Cmd, root string, settings map[string]any, hooks editor.Hooks) (*process, error) {
	p := &process{root: root, cmd: cmd}
	p.cmd.Stderr = &p.log
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.in = in
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	p.Editor = editor.New(in, out, hooks)
	if err := p.Initialize(ctx, root, "coauthor-bench", settings); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, p.log.String())
	}
	return p, nil
}

// end shuts the server down and waits for it.
func (p *process) end(ctx context.Context) error {
	if err := p.Shutdown(ctx); err != nil {
		return err
	}
	p.in.Close()
	return p.cmd.Wait()
}

// startup measures process start to the answer of initialize; the first start warms the page cache.
func startup(ctx context.Context, o options, dir string) ([]time.Duration, error) {
	var samples []time.Duration
	for i := range o.Rounds + 1 {
		begin := time.Now()
		p, err := launch(ctx, o, dir, nil, nil, editor.Hooks{})
		if err != nil {
			return nil, err
		}
		if i > 0 {
			samples = append(samples, time.Since(begin))
		}
		if err := p.end(ctx); err != nil {
			return nil, err
		}
	}
	return samples, nil
}
