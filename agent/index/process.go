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

// process is one worker. It serves one question at a time.
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

// ask has files tagged within limit and gives what comes of each, in their order; a Tagged's error is the worker's own
// about that file. After an error the worker is of no more use, and of the files that were not answered it may be any.
func (w *process) ask(ctx context.Context, texts []repomap.Text, limit time.Duration, answer func(repomap.Tagged)) (err error) {
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
	w.asked = appendRequest(w.asked[:0], texts)
	if _, err := w.in.Write(w.asked); err != nil {
		return err
	}
	for range texts {
		status, err := w.out.ReadByte()
		if err != nil {
			return err
		}
		w.body, err = readFrame(w.out, w.body)
		if err != nil {
			return err
		}
		var t repomap.Tagged
		if status != 0 {
			t.Err = errors.New(string(w.body))
		} else if t.Tags, err = decodeTags(w.body); err != nil {
			return err
		}
		answer(t)
	}
	return nil
}
