package main

import (
	"context"
	"os"
	"strings"

	"coauthor/agent/index"
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
