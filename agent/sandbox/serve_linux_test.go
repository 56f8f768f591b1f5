package sandbox_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// helped gives a helper an order for a script, with so many blanks behind it, and returns its last answer.
func helped(t *testing.T, script string, blanks int) (ended bool, code int) {
	t.Helper()
	dir := t.TempDir()
	order, err := json.Marshal(map[string]any{"Plain": true, "Argv": []string{"sh", "-c", script}, "Dir": dir, "Env": os.Environ(), "Temp": dir, "TempAt": dir, "Processes": 100, "File": 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	toHelper, orders, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer orders.Close()
	answers, fromHelper, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer answers.Close()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "env", "GORACE=atexit_sleep_ms=0", self, "check-worker")
	cmd.Dir, cmd.Stderr = "/", os.Stderr
	cmd.ExtraFiles = []*os.File{toHelper, fromHelper}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = toHelper.Close()
	_ = fromHelper.Close()
	if _, err := orders.WriteString(string(order) + strings.Repeat(" ", blanks) + "\n"); err != nil {
		t.Fatal(err)
	}
	var last struct {
		Ended bool
		Code  int
	}
	for in := json.NewDecoder(answers); in.More(); {
		if err := in.Decode(&last); err != nil {
			t.Fatal(err)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the helper: %v", err)
	}
	return last.Ended, last.Code
}

// TestAnOrderMayEndBehindWhatIsRead: where the reader of an order stops depends on the order's length, and the blanks
// behind it are not the end of who gave it.
func TestAnOrderMayEndBehindWhatIsRead(t *testing.T) {
	// More blanks than the reader takes with the last piece of the order, and few enough for a pipe.
	if ended, code := helped(t, "sleep 0.2; exit 3", 30_000); !ended || code != 3 {
		t.Errorf("ended %v, exit status %d", ended, code)
	}
}

// TestAHelperIsStoppedAtOnce: the signal that stops a command may come as soon as it runs, and does not end the helper in
// its place, which would leave the command behind.
func TestAHelperIsStoppedAtOnce(t *testing.T) {
	times := 5
	if os.Getenv("COAUTHOR_LARGE") != "" {
		times = 20
	}
	for range times {
		if ended, code := helped(t, "kill -TERM $PPID; exec sleep 60.5", 0); !ended || code != 143 {
			t.Fatalf("ended %v, exit status %d", ended, code)
		}
	}
}
