package verify_test

import (
	"strings"
	"testing"

	"coauthor/agent/verify"
)

// A tool is spoken of in the words that a user would type, and not at all where they would be no use or no quotation.
func TestSpoken(t *testing.T) {
	for _, c := range []struct {
		tool verify.Tool
		want string
	}{
		{verify.Tool{Argv: verify.Command{"go", "test", "./..."}}, "go test ./..."},
		{verify.Tool{Argv: verify.Command{"ruff", "check", "{files}"}}, "ruff check"},
		{verify.Tool{Argv: verify.Command{"pytest", "--junitxml={report}", "{dirs}", "-x"}}, "pytest -x"},
		{verify.Tool{Argv: verify.Command{"npm", "test"}, Dir: "my web"}, `cd "my web" && npm test`},
		{verify.Tool{Argv: verify.Command{"sh", "-c", "a\nb"}}, `sh -c "a\nb"`},
		{verify.Tool{Argv: verify.Command{"sh", "-c", "`a`"}}, ""},
		{verify.Tool{Argv: verify.Command{strings.Repeat("x", 101)}}, ""},
	} {
		if got := c.tool.Spoken(); got != c.want {
			t.Errorf("%q in %q: %q, want %q", c.tool.Argv, c.tool.Dir, got, c.want)
		}
	}
}
