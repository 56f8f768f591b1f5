//go:build unix

package pipeline

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"coauthor/agent"
	"coauthor/agent/sandbox"
)

// hung is far more than anything here takes.
const hung = 2 * time.Minute

// environments are all ways in which a script is run here.
func environments(t *testing.T, most sandbox.Limits) map[string]Environment {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	watched := sandbox.NewShadow(sandbox.ShadowOptions{Helper: []string{"env", "GORACE=atexit_sleep_ms=0", self, "check-worker"}})
	return map[string]Environment{
		"plain":    environment{by: (*sandbox.Shadow)(nil), look: exec.LookPath, most: most},
		"watched":  environment{by: watched, look: exec.LookPath, most: most},
		"template": environment{template: []string{"sh", "{dir}/{script}"}, by: watched, look: exec.LookPath, most: most},
	}
}

func TestEnvironment(t *testing.T) {
	environ := []string{"PATH=/usr/bin:/bin", "HOME=/nonexistent", "A=b"}
	for name, test := range map[string]struct {
		text           string
		code           int
		stdout, stderr string
	}{
		"both streams":      {"echo one; echo two >&2", 0, "one\n", "two\n"},
		"a failure":         {"echo no >&2; exit 3", 3, "", "no\n"},
		"no input":          {"cat; echo done", 0, "done\n", ""},
		"a signal":          {"kill -9 $$", 137, "", ""},
		"no text":           {`printf 'a\377b\000c'`, 0, "a\uFFFDb\uFFFDc", ""},
		"what it leaves":    {"sleep 1000 & echo left", 0, "left\n", ""},
		"its folder":        {"cat file; echo new > made", 0, "text\n", ""},
		"a blank in a path": {"mkdir 'a b'; cd 'a b'; basename \"$PWD\"", 0, "a b\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for how, env := range environments(t, sandbox.Limits{Output: 1000, Processes: scriptProcesses}) {
				dir := filepath.Join(t.TempDir(), "a folder")
				if err := os.Mkdir(dir, 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, "file"), []byte("text\n"), 0o600); err != nil {
					t.Fatal(err)
				}
				var told strings.Builder
				r, err := env.Run(t.Context(), Script{Dir: dir, Text: test.text, Environ: environ, Timeout: hung, Out: func(text string) { told.WriteString(text) }})
				if err != nil || r.Code != test.code || r.Stdout != test.stdout || r.Stderr != test.stderr || r.TimedOut || r.Stopped != "" {
					t.Errorf("%s: %+v, %v", how, r, err)
				}
				if got := strings.ReplaceAll(told.String(), "\x00", "\uFFFD"); len(got) != len(test.stdout)+len(test.stderr) {
					t.Errorf("%s: told %q", how, got)
				}
				if _, err := os.Stat(filepath.Join(dir, "made")); (err == nil) != (name == "its folder") {
					t.Errorf("%s: %v", how, err)
				}
				if _, err := os.Stat(filepath.Join(dir, scriptFile)); err == nil {
					t.Errorf("%s: the script's own file is still there", how)
				}
			}
		})
	}
}

// What takes too long, or does not want to end, ends with all that it has started.
func TestEnvironmentEnds(t *testing.T) {
	for name, text := range map[string]string{
		"polite":   "echo begun; sleep 1000",
		"children": "(sleep 1000; echo late) & echo begun; wait",
		"stubborn": "trap '' TERM; echo begun; while :; do sleep 0.1; done",
		"busy":     "echo begun; while :; do :; done",
	} {
		for how, env := range environments(t, sandbox.Limits{Output: 1000, Processes: scriptProcesses}) {
			if name == "busy" && how != "watched" && os.Getenv("COAUTHOR_LARGE") == "" {
				continue // each takes a processor for its three seconds
			}
			t.Run(name+"/"+how, func(t *testing.T) {
				t.Parallel()
				r, err := env.Run(t.Context(), Script{Dir: t.TempDir(), Text: text, Environ: os.Environ(), Timeout: 3 * time.Second})
				if err != nil || !r.TimedOut || !strings.Contains(r.Stopped, "took longer than") || r.Stdout != "begun\n" {
					t.Errorf("late: %+v, %v", r, err)
				}
				ctx, stop := context.WithCancel(t.Context())
				var once sync.Once
				_, err = env.Run(ctx, Script{Dir: t.TempDir(), Text: text, Environ: os.Environ(), Timeout: hung, Out: func(string) { once.Do(stop) }})
				if !errors.Is(err, context.Canceled) {
					t.Errorf("cancelled: %v", err)
				}
				stop()
			})
		}
	}
}

// Of too much output the ends are kept, and all of it is told.
func TestEnvironmentBoundsOutput(t *testing.T) {
	for how, env := range environments(t, sandbox.Limits{Output: scriptOutput, Processes: scriptProcesses}) {
		told := 0
		r, err := env.Run(t.Context(), Script{Dir: t.TempDir(), Text: "echo first; head -c 1000000 /dev/zero | tr '\\0' x; echo; echo last", Environ: os.Environ(), Timeout: hung, Out: func(text string) { told += len(text) }})
		if err != nil || r.Code != 0 || len(r.Stdout) > 2*scriptOutput+100 || told != 1000012 ||
			!strings.HasPrefix(r.Stdout, "first\nxxx") || !strings.HasSuffix(r.Stdout, "xxx\nlast\n") || !strings.Contains(r.Stdout, "bytes left out]") {
			t.Errorf("%s: %d bytes, told %d, %v", how, len(r.Stdout), told, err)
		}
	}
}

// A script that multiplies or takes too much memory is ended, where the system lets that be watched.
func TestEnvironmentIsLimited(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("nobody watches over memory and processes here")
	}
	for name, test := range map[string]struct {
		text, stopped string
		most          sandbox.Limits
	}{
		"multiplies":   {"i=0; while [ $i -lt 60 ]; do sleep 100 & i=$((i+1)); done; wait", "processes", sandbox.Limits{Processes: 25}},
		"leaves":       {"i=0; while [ $i -lt 60 ]; do setsid sleep 100 & i=$((i+1)); done; wait", "processes", sandbox.Limits{Processes: 25}},
		"fills memory": {"head -c 200000000 /dev/zero | tail -n 1 | wc -c; sleep 100", "memory", sandbox.Limits{Memory: 50 << 20}},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := environments(t, test.most)["watched"].Run(t.Context(), Script{Dir: t.TempDir(), Text: test.text, Environ: os.Environ(), Timeout: hung})
			if err != nil || !strings.Contains(r.Stopped, test.stopped) {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
}

// Where there is nothing to run it with, that is said with what to do.
func TestEnvironmentIsMissing(t *testing.T) {
	env := environment{by: (*sandbox.Shadow)(nil), look: func(string) (string, error) { return "", exec.ErrNotFound }}
	if _, err := env.Run(t.Context(), Script{Dir: t.TempDir(), Text: "true"}); !agent.IsProblem(err) {
		t.Error(err)
	}
	env = environment{template: []string{"/no/such/program"}, by: (*sandbox.Shadow)(nil), look: exec.LookPath}
	if _, err := env.Run(t.Context(), Script{Dir: t.TempDir(), Text: "true"}); err == nil || !strings.Contains(err.Error(), "/no/such/program") {
		t.Error(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := env.Run(ctx, Script{Dir: t.TempDir(), Text: "true"}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A template with namespaces of its own, as a user without the built-in ones would write it.
func TestTemplateUnshares(t *testing.T) {
	if out, err := exec.Command("unshare", "--user", "--net", "--map-root-user", "true").CombinedOutput(); err != nil {
		t.Skipf("unshare does not work here: %s %v", out, err)
	}
	env := NewEnvironment([]string{"unshare", "--user", "--net", "--map-root-user", "sh", "{script}"}, (*sandbox.Shadow)(nil), exec.LookPath)
	r, err := env.Run(t.Context(), Script{Dir: t.TempDir(), Text: "cat /proc/net/dev | grep -c : ; id -u", Environ: os.Environ(), Timeout: hung})
	if err != nil || r.Code != 0 || r.Stdout != "1\n0\n" {
		t.Errorf("%+v, %v", r, err)
	}
}
