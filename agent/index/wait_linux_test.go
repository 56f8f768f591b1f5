package index

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// hold traces a process, so that it is not gone when it is killed, until standard input ends.
func hold(args []string) error {
	pid, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	runtime.LockOSThread() // the thread that traces
	const seize = 0x4206
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_PTRACE, seize, uintptr(pid), 0, 0, 0, 0); errno != 0 {
		return errno
	}
	fmt.Println("held")
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

func init() { modes["hold"] = hold }

// held keeps the worker of a pool from being gone until release is called.
func held(t *testing.T, w *process) (release func()) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "hold", strconv.Itoa(w.cmd.Process.Pid))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs strings.Builder
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	word := make([]byte, len("held\n"))
	if _, err := io.ReadFull(out, word); err != nil {
		_ = cmd.Wait()
		if strings.Contains(errs.String(), syscall.EPERM.Error()) {
			t.Skip("this system lets nobody hold a process")
		}
		t.Fatalf("%v\n%s", err, errs.String())
	}
	return func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v\n%s", err, errs.String())
		}
	}
}

// A worker that was killed may take long to go, as one with much memory does. Nobody waits for it but
// who closes the pool.
func TestSlowEndOfAWorker(t *testing.T) {
	for what, end := range map[string]func(t *testing.T, p *pool, w *process){
		"cancelled": func(t *testing.T, p *pool, w *process) {
			p.give(w)
			ctx, cancel := context.WithCancel(t.Context())
			stop := make(chan error, 1)
			if err := w.cmd.Process.Signal(syscall.SIGSTOP); err != nil { // so that it does not answer
				t.Fatal(err)
			}
			go func() { _, err := p.Tags(ctx, "a.go", good); stop <- err }()
			until(t, "nobody takes the worker", func() bool { _, free := p.counts(); return free == 0 })
			cancel()
			if err := answer(t, "who is cancelled", stop); !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled: %v", err)
			}
		},
		"idle": func(t *testing.T, p *pool, w *process) {
			p.give(w)
			w.since = w.since.Add(-idleTime)
			prompt(t, "the sweep", p.endIdle)
			if len(p.all) != 0 || len(p.free) != 0 {
				t.Errorf("%d workers are left, %d free", len(p.all), len(p.free))
			}
		},
		"broken": func(t *testing.T, p *pool, w *process) { prompt(t, "the end of a worker", func() { p.end(w) }) },
	} {
		t.Run(what, func(t *testing.T) {
			p := workers(t, "worker", "")
			if _, err := p.Tags(t.Context(), "a.go", good); err != nil {
				t.Fatal(err)
			}
			w, err := p.take(t.Context(), false)
			if err != nil {
				t.Fatal(err)
			}
			release := held(t, w)
			end(t, p, w)
			prompt(t, "the next file", func() {
				if tags, err := p.Tags(t.Context(), "b.go", good); err != nil || len(tags) != 1 {
					t.Errorf("%v %v", tags, err)
				}
			})
			holds(t, "sync.WaitGroup.Wait", "(*pool).close", p.close, func() {
				prompt(t, "who asks a pool that is being closed", func() {
					if _, err := p.Tags(t.Context(), "c.go", good); !errors.Is(err, errClosed) {
						t.Errorf("closed: %v", err)
					}
				})
				release()
			})
		})
	}
}

// A file that opens and cannot be read is an error, and never an empty text.
func TestFileThatCannotBeRead(t *testing.T) {
	s := sourceOf(t, "/proc/self", nil)
	if text, err := s.Read(t.Context(), "mem", nil); err == nil {
		t.Errorf("%d bytes were read of where no memory is", len(text))
	}
}
