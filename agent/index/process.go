package index

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"coauthor/repomap"
)

// fileTime is how long a worker may take for one file; it gives up itself after sixty seconds.
const fileTime = 90 * time.Second

var (
	errNoWorker = errors.New("start the index worker")
	errHung     = errors.New("the worker did not answer in time")
)

// process is one worker. It serves one file at a time.
type process struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	since time.Time // idle since
	asked []byte    // memory for a question
	body  []byte    // and for its answer
	ended sync.Once
}

// startProcess starts a worker, which outlives the call that it is started for: what it is asked has a
// limit of its own.
func startProcess(ctx context.Context, argv []string) (*process, error) {
	cmd := exec.CommandContext(context.WithoutCancel(ctx), argv[0], argv[1:]...)
	cmd.Env = workerEnvironment()
	in, noIn := cmd.StdinPipe()
	out, noOut := cmd.StdoutPipe()
	if err := errors.Join(noIn, noOut); err != nil {
		cmd.Err = err // so Start starts nothing, and closes both ends of the pipe that there is
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w: %w", errNoWorker, err)
	}
	return &process{cmd: cmd, in: in, out: bufio.NewReaderSize(out, pipeSize)}, nil
}

// workerEnvironment keeps the user's secrets out of a process that needs nothing of them.
func workerEnvironment() []string {
	var out []string
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "LANG", "GOCOVERDIR"} {
		if v := os.Getenv(name); v != "" {
			out = append(out, name+"="+v)
		}
	}
	return append(out, "GOMAXPROCS=1")
}

// ask has one file tagged within limit. refused is the worker's own error about this file; err means that the
// worker is of no more use.
func (w *process) ask(ctx context.Context, path string, src []byte, limit time.Duration) (tags []repomap.Tag, refused, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errHung)
	defer cancel()
	defer func() {
		if err != nil && errors.Is(context.Cause(ctx), errHung) {
			err = errHung
		}
	}()
	stop := context.AfterFunc(ctx, func() { _ = w.cmd.Process.Kill() }) // unblocks the pipes below
	defer func() {
		if !stop() && err == nil {
			err = context.Cause(ctx) // it was killed just after it had answered
		}
	}()
	w.asked = appendFrame(appendFrame(w.asked[:0], []byte(path)), src)
	if _, err := w.in.Write(w.asked); err != nil {
		return nil, nil, err
	}
	status, err := w.out.ReadByte()
	if err != nil {
		return nil, nil, err
	}
	w.body, err = readFrame(w.out, w.body)
	if err != nil {
		return nil, nil, err
	}
	if status != 0 {
		return nil, errors.New(string(w.body)), nil
	}
	tags, err = decodeTags(w.body)
	return tags, nil, err
}
