package agent_test

import (
	"fmt"
	"os"
	"testing"

	"coauthor/agent/sandbox"
)

// TestMain makes the test binary the helper that runs checks, as the command is its own.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "check-worker" {
		if err := sandbox.ServeShadow(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}
