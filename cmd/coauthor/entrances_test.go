package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestNoEntranceGuesses: a reply that can be read only by a guess changes nothing, and one that is certain does, whichever
// way it comes in: as the answer to a request of a coder or of a pipeline, pasted, or given to apply.
func TestNoEntranceGuesses(t *testing.T) {
	const notes, program = "one\ntwo\n", "x = 1\nprint(x)\n"
	is := map[string]string{"my notes.txt": notes, "app.py": program}
	for name, c := range map[string]struct {
		format, reply string
		file, text    string // what changes; "" is nothing
	}{
		"a name with a blank":          {"whole", "my notes.txt\n```\none\n2\n```\n", "my notes.txt", "one\n2\n"},
		"a new name with a blank":      {"whole", "`your notes.txt`\n```\nthree\n```\n", "your notes.txt", "three\n"},
		"words with a blank above it":  {"whole", "your notes.txt\n```\nthree\n```\n", "", ""},
		"the deletion of no file":      {"patch", "*** Begin Patch\n*** Delete File: old.txt\n*** End Patch\n", "", ""},
		"the deletion of the root":     {"patch", "*** Begin Patch\n*** Delete File: .\n*** End Patch\n", "", ""},
		"the deletion of /dev/null":    {"udiff", "```diff\n--- /dev/null\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-x = 1\n-print(x)\n```\n", "", ""},
		"additions to ../b":            {"udiff", "```diff\n--- ../b\n+++ ../b\n@@ ... @@\n+added\n```\n", "", ""},
		"a listing without a name":     {"whole", "It is right already. You see:\n\n```\nhello\n```\n", "", ""},
		"a script below a name":        {"whole", "app.py\n```bash\nsed -i s/1/2/ app.py\n```\n", "", ""},
		"a NUL in a block":             {"diff", "app.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = \x00\n>>>>>>> REPLACE\n```\n", "", ""},
		"a NUL in a listing":           {"whole", "app.py\n```\nx = \x00\nprint(x)\n```\n", "", ""},
		"a block without its end":      {"diff", "app.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n", "", ""},
		"a listing without its end":    {"whole", "app.py\n```\nx = 2\nprint(x)\n", "", ""},
		"a patch without its end":      {"patch", "*** Begin Patch\n*** Update File: app.py\n@@\n-x = 1\n+x = 2\n", "", ""},
		"a block that is whole":        {"diff", "app.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n", "app.py", "x = 2\nprint(x)\n"},
		"a search text of blank lines": {"diff", "app.py\n```\n<<<<<<< SEARCH\n\n=======\nx = 2\n>>>>>>> REPLACE\n```\n", "", ""},
	} {
		for _, entrance := range []string{"edit", "paste", "apply", "improve"} {
			t.Run(name+"/"+entrance, func(t *testing.T) {
				h := newShell(t, "-- 1.md --\n"+c.reply+"-- 1.yaml --\nrepeat: true\n")
				h.home = t.TempDir()
				want := map[string]string{"a.py": h.read("a.py")}
				var chat []string
				for path, text := range is {
					h.put(path, text)
					want[path] = text
					chat = append(chat, filepath.Join(h.root, path))
				}
				if c.file != "" {
					want[c.file] = c.text
				}
				var code int
				switch entrance {
				case "edit":
					code = h.run(append([]string{"edit", "-m", "Do it.", "--yes", "--format", c.format}, chat...)...)
				case "improve":
					code = h.generate("", append([]string{"improve", "-m", "Do it.", "--yes"}, chat...)...)
				case "paste":
					h.run(append([]string{"add"}, chat...)...)
					code = h.run("paste", c.reply, "--yes")
				case "apply":
					reply := filepath.Join(t.TempDir(), "reply.md")
					put(t, filepath.Dir(reply), "reply.md", c.reply)
					args := []string{"apply", "--root", h.root, "--format", c.format}
					for _, path := range chat {
						args = append(args, "--chat", path)
					}
					code = run(t.Context(), append(args, reply), Streams{In: strings.NewReader(""), Out: &h.out, Err: &h.err, Env: func(string) string { return "" }})
				}
				for path, text := range want {
					if got := h.read(path); got != text {
						t.Errorf("%s: %q, not %q", path, got, text)
					}
				}
				if (code == 0) != (c.file != "") {
					t.Errorf("exit %d\n%s\n%s", code, h.out.String(), h.err.String())
				}
			})
		}
	}
}
