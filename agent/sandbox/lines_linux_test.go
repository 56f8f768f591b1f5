package sandbox_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coauthor/agent/sandbox"
)

// TestLinesAreToldWhileACommandRuns: each line is told as soon as it is whole, in every way that there is, and also where no
// helper watches over the command: the command waits until its first lines were told. What it says of a copy it says of the
// folder, and the last line needs no end.
func TestLinesAreToldWhileACommandRuns(t *testing.T) {
	for name, as := range map[string]func(y *yard){
		"overlay": func(y *yard) { y.ways = []sandbox.Way{sandbox.Overlay} },
		"copy":    func(y *yard) { y.ways = []sandbox.Way{sandbox.Copied} },
		"alone":   func(y *yard) { y.ways, y.alone = []sandbox.Way{sandbox.Copied}, true },
	} {
		t.Run(name, func(t *testing.T) {
			y := newYard(t, map[string]string{"a.txt": "one\n"})
			as(y)
			where := filepath.Join(filepath.Dir(y.root), "seen")
			if err := os.Mkdir(where, 0o700); err != nil {
				t.Fatal(err)
			}
			goOn := filepath.Join("..", "seen", "go-on")
			y.put(goOn, "") // an overlay remembers that there is no file
			root, err := filepath.EvalSymlinks(y.root)
			if err != nil {
				t.Fatal(err)
			}
			var told []string
			r, err := y.shadow().Run(t.Context(), sandbox.Job{
				Command: func(string) []string {
					return []string{"sh", "-c", `pwd; printf begun; printf 'half ' >&2; while ! test -s "$0/go-on"; do sleep 0.02; done; printf ' and ended\nlast'; echo line >&2`, where}
				},
				Root: y.root, Visible: []string{where}, Time: hung,
				Line: func(text string) {
					if told = append(told, text); len(told) == 1 {
						y.put(goOn, "x")
					}
				},
			})
			if errors.Is(err, sandbox.ErrNone) && os.Getenv("COAUTHOR_SHADOW") != "require" {
				t.Skip(err)
			}
			if err != nil || r.Code != 0 {
				t.Fatalf("%+v, %v", r, err)
			}
			// The two streams are read beside each other.
			if len(told) != 4 || told[0] != root || !strings.Contains("\x00"+strings.Join(told, "\x00")+"\x00", "\x00begun and ended\x00") ||
				!strings.Contains(strings.Join(told, "\x00"), "half line") || told[3] != "last" {
				t.Errorf("%q", told)
			}
			if r.Out != root+"\nbegun and ended\nlast" || r.Err != "half line\n" {
				t.Errorf("%q, %q", r.Out, r.Err)
			}
		})
	}
}

// TestMuchIsNotTold: neither a command that never stops writing nor a line that never ends is told to its end, and both are
// ended at once.
func TestMuchIsNotTold(t *testing.T) {
	for name, script := range map[string]string{"lines": "yes", "one line": "yes | tr -d '\\n'", "nothing to see": "cat /dev/zero"} {
		t.Run(name, func(t *testing.T) {
			y := newYard(t, map[string]string{"a.txt": "one\n"})
			y.ways = nil
			ctx, cancel := context.WithCancel(t.Context())
			lines, bytes, stopped := 0, 0, time.Time{}
			if name != "lines" { // nobody is told anything
				y.limit = 300 * time.Millisecond
			}
			_, err := y.shadow().Run(ctx, sandbox.Job{
				Command: func(string) []string { return []string{"sh", "-c", script} }, Root: y.root, Time: y.limit,
				Line: func(text string) {
					if bytes += len(text); strings.HasPrefix(text, "[more output") {
						stopped = time.Now()
						cancel()
					}
					lines++
				},
			})
			cancel()
			if errors.Is(err, sandbox.ErrNone) && os.Getenv("COAUTHOR_SHADOW") != "require" {
				t.Skip(err)
			}
			switch {
			case name == "lines" && (!errors.Is(err, context.Canceled) || lines != 2001 || time.Since(stopped) > hung/2):
				t.Errorf("%d lines, %v, %s after it was stopped", lines, err, time.Since(stopped))
			case name != "lines" && (err != nil || lines > 2 || bytes > 16<<10):
				t.Errorf("%d lines of %d bytes, %v", lines, bytes, err)
			}
		})
	}
}
