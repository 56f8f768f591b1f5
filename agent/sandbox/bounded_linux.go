package sandbox

import (
	"context"

	"golang.org/x/sys/unix"
)

// bounded runs a command where it is, below a helper that watches over it.
func bounded(ctx context.Context, helper []string, x Execution, h help) (Executed, error) {
	if len(helper) == 0 {
		return direct(ctx, x, h)
	}
	h.plain = true
	return helped(ctx, helper, h, func() (order, error) {
		return order{Plain: true, Reads: x.In != nil, Argv: x.Argv, Dir: x.Dir, Env: x.Environ,
			Processes: h.limits.Processes, Memory: h.limits.Memory, File: h.limits.Written}, nil
	})
}

// adopt makes this process the parent of all that its descendants leave behind.
func adopt() error { return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }
