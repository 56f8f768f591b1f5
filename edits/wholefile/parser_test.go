package wholefile_test

import (
	"testing"

	"coauthor/edits/editstest"
	"coauthor/edits/wholefile"
)

// Replies with nested, unclosed and nameless listings.
func FuzzParser(f *testing.F) {
	for _, reply := range []string{
		"c\n```\ny\n```\n",
		"Write `b.txt`:\n```text\n1\n```\nand d/e.go\n~~~go\npackage e\n~~~\n",
		"x.md\n````md\n```go\nvar x\n```\n````\n",
		"x.md\n```md\n```go\n```\n```\nnew/y.py\n  ```python\n  z = 1",
		"<source>a.py\npass\n</source>\n```sh\nls\n```\n",
	} {
		f.Add(reply, uint8(3))
	}
	f.Fuzz(func(t *testing.T, reply string, step uint8) {
		editstest.CheckParser(t, wholefile.New, reply, step)
	})
}
