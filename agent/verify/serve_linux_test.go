package verify_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestAnOrderMayEndBehindWhatIsRead: where the reader of an order stops depends on the order's length, and the blanks
// behind it are not the end of who gave it.
func TestAnOrderMayEndBehindWhatIsRead(t *testing.T) {
	dir := t.TempDir()
	order, err := json.Marshal(map[string]any{"Plain": true, "Argv": []string{"sh", "-c", "sleep 0.2; exit 3"}, "Dir": dir, "Env": os.Environ(), "Temp": dir, "TempAt": dir, "Processes": 100, "File": 1 << 20})
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
	cmd := exec.CommandContext(t.Context(), self, "check-worker")
	cmd.Dir, cmd.Stderr = "/", os.Stderr
	cmd.ExtraFiles = []*os.File{toHelper, fromHelper}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = toHelper.Close()
	_ = fromHelper.Close()
	// More than the reader takes with the last piece of the order, and little enough for a pipe.
	if _, err := orders.WriteString(string(order) + strings.Repeat(" ", 2*len(order)+4096) + "\n"); err != nil {
		t.Fatal(err)
	}
	var last struct {
		Ended  bool
		Code   int
		Failed string
	}
	for in := json.NewDecoder(answers); in.More(); {
		if err := in.Decode(&last); err != nil {
			t.Fatal(err)
		}
	}
	if err := cmd.Wait(); err != nil || !last.Ended || last.Code != 3 {
		t.Errorf("%v, %+v", err, last)
	}
}
