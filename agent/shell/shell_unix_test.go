//go:build unix

package shell_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"coauthor/agent/shell"
)

// deadline ends what hangs: ten times what it takes on a busy machine, and more.
func deadline(t *testing.T) context.Context {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(stop)
	return ctx
}

func TestRun(t *testing.T) {
	environ := []string{"PATH=/usr/bin:/bin", "SECRET_KEY=hidden", "SHELL=/bin/sh", "A=b"}
	for name, test := range map[string]struct {
		command string
		code    int
		want    string
	}{
		"both streams":        {"echo one; echo two >&2", 0, "one\ntwo\n"},
		"a failure":           {"echo no; exit 3", 3, "no\n"},
		"several lines":       {"x=1\necho $x$A", 0, "1b\n"},
		"no secrets":          {"echo [$SECRET_KEY] [$secret_key]", 0, "[] []\n"},
		"no input":            {"cat; echo done", 0, "done\n"},
		"a signal":            {"kill -9 $$", 137, ""},
		"no such program":     {"nosuchprogram 2>/dev/null", 127, ""},
		"no text":             {`printf 'a\377b\000c'`, 0, "a\uFFFDb\uFFFDc"},
		"what it leaves":      {"sleep 1000 & echo left", 0, "left\n"},
		"more than is kept":   {"i=0; while [ $i -lt 500 ]; do echo 0123456789; i=$((i+1)); done", 0, strings.Repeat("0123456789\n", 10)[:100] + "\n[5300 bytes left out]\n" + strings.Repeat("0123456789\n", 10)[10:]},
		"a folder of its own": {"pwd -P | tail -c 2", 0, "/\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var told strings.Builder
			r, err := shell.Run(deadline(t), shell.Options{Command: test.command, Dir: "/", Environ: environ, Without: []string{"Secret_Key"}, Most: 100,
				Out: func(text string) { told.WriteString(text) }})
			if err != nil || r.Code != test.code || r.Output != test.want {
				t.Errorf("%d %q, %v; want %d %q", r.Code, r.Output, err, test.code, test.want)
			}
			if name != "more than is kept" && strings.ReplaceAll(told.String(), "\x00", "\uFFFD") != test.want {
				t.Errorf("told %q", told.String())
			}
			if name == "more than is kept" && told.Len() != 5500 {
				t.Errorf("told %d bytes", told.Len())
			}
		})
	}
}

// A character that arrives in two pieces is told as one.
func TestCharactersAreToldWhole(t *testing.T) {
	var told []string
	r, err := shell.Run(deadline(t), shell.Options{Command: `printf 'x\303'; sleep 0.3; printf '\244y'`, Dir: "/", Most: 100,
		Out: func(text string) { told = append(told, text) }})
	if err != nil || r.Output != "xäy" || strings.Join(told, "") != "xäy" {
		t.Errorf("%q, told %q, %v", r.Output, told, err)
	}
}

// A command that is stopped ends with all that it started, also when it does not want to.
func TestStop(t *testing.T) {
	for name, command := range map[string]string{
		"polite":                     "echo begun; sleep 1000",
		"children":                   "(sleep 1000; echo late) & echo begun; wait",
		"a child that does not hear": "sh -c 'trap \"\" TERM; while :; do sleep 0.1; done' & echo begun; wait",
		"stubborn":                   "trap '' TERM; echo begun; while :; do sleep 0.1; done",
	} {
		t.Run(name, func(t *testing.T) {
			ctx, stop := context.WithCancel(deadline(t))
			var once sync.Once
			r, err := shell.Run(ctx, shell.Options{Command: command, Dir: "/", Environ: []string{"PATH=/usr/bin:/bin"}, Most: 100, Out: func(string) { once.Do(stop) }})
			if !errors.Is(err, context.Canceled) || r.Output != "begun\n" {
				t.Errorf("%q, %v", r.Output, err)
			}
		})
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := shell.Run(ctx, shell.Options{Command: "echo one", Dir: "/"}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped before it began: %v", err)
	}
	if _, err := shell.Run(deadline(t), shell.Options{Command: "echo one", Dir: "/nowhere"}); err == nil {
		t.Error("ran in a folder that is not there")
	}
}

// TestStopEndsWhatLeftTheGroup: what a command that is stopped has started ends also where it does not hear or has begun a
// session of its own. Each child holds a pipe, which is closed when the last of them has gone.
func TestStopEndsWhatLeftTheGroup(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the system does not show the variables of its processes")
	}
	for name, child := range map[string]string{"deaf": "sh -c 'trap \"\" TERM; while :; do sleep 0.1; done'", "away": "setsid sleep 1000", "both": "setsid sh -c 'trap \"\" TERM; while :; do sleep 0.1; done'"} {
		t.Run(name, func(t *testing.T) {
			fifo := filepath.Join(t.TempDir(), "held")
			if err := syscall.Mkfifo(fifo, 0o600); err != nil {
				t.Fatal(err)
			}
			held, err := os.OpenFile(fifo, os.O_RDWR, 0) // so that neither side waits for the other to open it
			if err != nil {
				t.Fatal(err)
			}
			reading, err := os.Open(fifo)
			if err != nil {
				t.Fatal(err)
			}
			defer reading.Close()
			ctx, stop := context.WithCancel(deadline(t))
			var once sync.Once
			command := child + " >" + fifo + " 2>&1 </dev/null & echo up >" + fifo + "; echo begun; wait"
			_, err = shell.Run(ctx, shell.Options{Command: command, Dir: "/", Environ: []string{"PATH=/usr/bin:/bin"}, Most: 100, Out: func(string) { once.Do(stop) }})
			if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			_ = held.Close()
			if text, err := io.ReadAll(reading); err != nil || string(text) != "up\n" { // it ends when nobody can write any more
				t.Errorf("%q, %v", text, err)
			}
		})
	}
}
