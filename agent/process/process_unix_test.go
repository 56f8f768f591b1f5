//go:build unix

package process_test

import (
	"bufio"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"coauthor/agent/process"
)

// TestEnd: a command ends with what it has started when it is asked to; one that does not hear is made to, and its status
// names the signal.
func TestEnd(t *testing.T) {
	for _, c := range []struct {
		name, script string
		now          bool
		status       int
	}{
		{"asked", "sleep 600 & echo up; wait", false, 128 + 15},
		{"made to", "trap '' TERM; sleep 600 & echo up; wait", true, 128 + 9},
		{"hears", "trap 'exit 7' TERM; echo up; while :; do sleep 0.01; done", false, 7},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), "sh", "-c", c.script)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			process.Apart(cmd)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			in := bufio.NewReader(out)
			if line, err := in.ReadString('\n'); err != nil || line != "up\n" {
				t.Fatalf("%q, %v", line, err)
			}
			process.End(cmd, c.now)
			if rest, err := in.ReadString(0); err == nil || strings.TrimSpace(rest) != "" { // all that hold the pipe are gone
				t.Errorf("%q, %v", rest, err)
			}
			var status *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &status) || process.Status(status) != c.status {
				t.Errorf("%v", err)
			}
		})
	}
}
