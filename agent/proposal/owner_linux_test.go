package proposal

import (
	"io"
	"os/exec"
	"testing"
)

// A server whose editor has gone before it may have ended without anybody who asks how.
func TestAProcessThatNobodyAskedAboutHasEnded(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "cat")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	owner := Owner{Host: ThisProcess().Host, PID: cmd.Process.Pid, Start: startOf(cmd.Process.Pid)}
	if owner.Ended() {
		t.Error("a process that runs has ended")
	}
	_ = in.Close() // then it ends
	if _, err := io.ReadAll(out); err != nil {
		t.Fatal(err)
	}
	for range 1000 { // its output ends a moment before it does
		if owner.Ended() {
			break
		}
		if err := exec.CommandContext(t.Context(), "true").Run(); err != nil {
			t.Fatal(err)
		}
	}
	if !owner.Ended() {
		t.Error("a process that only waits to be asked about runs")
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
}
