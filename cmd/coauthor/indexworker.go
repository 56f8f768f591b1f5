package main

import (
	"context"

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
