package pipeline

import (
	"fmt"
	"os"
	"testing"

	"coauthor/agent/verify"
)

// TestMain makes the test binary the helper of a Shadow, as the command is its own.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "check-worker" {
		if err := verify.ServeShadow(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}
