package main

import (
	"context"
	"os"
	"os/exec"
	"testing"
)

// asCommand in the environment makes the test binary the command itself: the same main, without building
// it once more.
const asCommand = "COAUTHOR_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	// Whatever this binary is called, as a worker it must not run the tests, which would start it again.
	if os.Getenv(asCommand) != "" || len(os.Args) > 1 && (os.Args[1] == "index-worker" || os.Args[1] == "check-worker") {
		main()
	}
	os.Exit(m.Run())
}

// startable is a process of the real command, with a home of its own, that is killed when it hangs.
func startable(t testing.TB, home string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), hung)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Env = append(os.Environ(), asCommand+"=1", "HOME="+home, "XDG_STATE_HOME=", "XDG_CONFIG_HOME=")
	return cmd
}
