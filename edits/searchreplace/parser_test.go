package searchreplace_test

import (
	"testing"

	"coauthor/edits/editstest"
	"coauthor/edits/searchreplace"
)

// Replies that end in a marker, swap markers, nest them, or have one too many.
func FuzzParser(f *testing.F) {
	for _, reply := range []string{
		"a.py\n```python\n<<<<<<< SEARCH\n    return 1\n=======\n    return 2\n>>>>>>> REPLACE\n```\n",
		"a.py\n<<<<<<< SEARCH\ndef f():\n=======\n=======\n>>>>>>> REPLACE\n",
		"c\n<<<<<<< SEARCH\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n>>>>>>> REPLACE\n",
		"new.txt\n<<<<<<< SEARCH\n=======\n1\n>>>>>>> REPLACE\n\n<<<<<<< SEARCH\n1\n=======\n2",
		"  b.txt\n  <<<<< ORIGINAL\r\n  two\r\n  =====\r\n  2\r\n  >>>>> UPDATED\r\n",
		"a.py\n```\ndef f():\n    return 2\n\n\ndef g():\n    return f()\n```\n",
	} {
		f.Add(reply, uint8(3))
	}
	f.Fuzz(func(t *testing.T, reply string, step uint8) { editstest.CheckParser(t, searchreplace.New, reply, step) })
}
