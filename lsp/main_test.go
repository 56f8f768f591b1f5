package lsp_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain lets more scenarios run beside each other than there are processors, unless the command
// line says how many: they spend their time waiting for clients that are slow on purpose.
func TestMain(m *testing.M) {
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
