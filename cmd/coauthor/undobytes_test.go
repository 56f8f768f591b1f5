package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestUndoRestoresEveryByte: whatever a turn does to a file, undo brings back its bytes: encoding, byte order mark, line ends,
// control characters. A binary file is never changed, wherever its NUL stands.
func TestUndoRestoresEveryByte(t *testing.T) {
	utf16 := func(order, text string) string {
		var out strings.Builder
		for _, c := range []byte(text) {
			if order == "\xff\xfe" {
				out.Write([]byte{c, 0})
			} else {
				out.Write([]byte{0, c})
			}
		}
		return order + out.String()
	}
	replies := map[string]string{
		"edit":   "a.txt\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n",
		"delete": "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n",
		"move":   "*** Begin Patch\n*** Update File: a.txt\n*** Move to: b.txt\n*** End Patch\n",
		"write":  "*** Begin Patch\n*** Add File: a.txt\n+new\n*** End Patch\n",
	}
	for name, x := range map[string]struct {
		text   string
		binary bool
	}{
		"UTF-16, little endian": {utf16("\xff\xfe", "x = 1\ny\n"), false},
		"UTF-16, big endian":    {utf16("\xfe\xff", "x = 1\r\ny"), false},
		"mark and mixed ends":   {"\ufeffx = 1\r\ny\nz\rw", false},
		"control characters":    {"x = 1\n\f\x1b[0m\x7f\ufffd\n", false},
		"NUL":                   {"x = 1\na\x00b\n", true},
		"NUL far below":         {"x = 1\n" + strings.Repeat("y\n", 5000) + "a\x00b\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for op, reply := range replies {
				h := newShell(t, "-- 1.md --\n"+reply+"-- 1.yaml --\nrepeat: true\n")
				h.home = t.TempDir() // undo reads what edit has written down
				h.put("a.txt", x.text)
				h.put("keep.txt", "kept\n")
				code := h.run("edit", "-m", "Change a.txt.", "--yes", "--force", "--format", map[bool]string{true: "diff", false: "patch"}[op == "edit"],
					filepath.Join(h.root, "a.txt"), filepath.Join(h.root, "keep.txt"))
				if x.binary {
					if got := h.read("a.txt"); got != x.text || code == 0 {
						t.Errorf("%s: exit %d, %q", op, code, got)
					}
					continue
				}
				if code != 0 || h.read("a.txt") == x.text {
					t.Fatalf("%s: exit %d\n%s", op, code, h.err.String())
				}
				if code := h.run("undo"); code != 0 {
					t.Fatalf("%s: undo exits %d\n%s", op, code, h.err.String())
				}
				if got := h.read("a.txt"); got != x.text {
					t.Errorf("%s: undo leaves %q, not %q", op, got, x.text)
				}
				h.server.Close()
			}
		})
	}
}
