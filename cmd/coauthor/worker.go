package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"coauthor/agent/index"
	"coauthor/agent/sandbox"
)

// IndexWorkerCmd parses files for the server, which starts it: a grammar that crashes then takes
// only this process with it.
type IndexWorkerCmd struct{}

// Run serves until its input ends.
func (c *IndexWorkerCmd) Run(ctx context.Context, s Streams) (exit int, err error) {
	if err := index.ServeWorker(ctx, s.In, s.Out); err != nil {
		return 1, err
	}
	return 0, nil
}

// workerCommand starts this program as a worker. In a test it is another program, which would run
// its tests again, so there the index parses in its own process.
func workerCommand() []string {
	exe, err := os.Executable()
	if err != nil || strings.HasSuffix(exe, ".test") {
		return nil
	}
	return []string{exe, "index-worker"}
}

// CheckWorkerCmd runs one linter or test for the server and watches over it: in namespaces of its own, where the command
// sees the change and nothing that it writes reaches the user's files, or in a copy of the folder.
type CheckWorkerCmd struct{}

// Run ends with the command.
func (c *CheckWorkerCmd) Run(context.Context, Streams) (exit int, err error) {
	if err := sandbox.ServeShadow(); err != nil {
		return 1, err
	}
	return 0, nil
}

// shadow runs linters and tests; without a home there is no place for what they write.
func (w *wiring) shadow() *sandbox.Shadow {
	dir := w.user.State()
	exe, err := os.Executable()
	if dir == "" || err != nil {
		return nil
	}
	o := sandbox.ShadowOptions{Dir: filepath.Join(dir, "checks"), Helper: []string{exe, "check-worker"}, Environ: environ(w.env), List: index.Names}
	return sandbox.NewShadow(o)
}

// environ is the environment of this process, as far as the caller knows it.
func environ(env func(string) string) []string {
	list := []string{}
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		if v := env(name); v != "" {
			list = append(list, name+"="+v)
		}
	}
	return list
}
