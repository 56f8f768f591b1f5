package pipeline

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"coauthor/agent/sandbox"
)

// TestMain makes the test binary the helper of a Shadow, as the command is its own. Unless the command line says how many,
// more parallel tests run beside each other than there are processors: they wait for the time of programs to be up.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "check-worker" {
		if err := sandbox.ServeShadow(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		if err := flag.Set("test.parallel", "16"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
