package lsp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestNoPreviewGuesses: a reply that can be read only by a guess changes nothing in the editor either, however changes are
// looked at there, and one that is certain does what it says.
func TestNoPreviewGuesses(t *testing.T) {
	for name, c := range map[string]struct{ format, reply, changed string }{
		"words with a blank above it":  {"whole", "your notes.txt\n```\nthree\n```\n", ""},
		"the deletion of no file":      {"patch", "*** Begin Patch\n*** Delete File: old.txt\n*** End Patch\n", ""},
		"the deletion of the root":     {"patch", "*** Begin Patch\n*** Delete File: .\n*** End Patch\n", ""},
		"the deletion of /dev/null":    {"udiff", "```diff\n--- /dev/null\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-x = 1\n-print(x)\n```\n", ""},
		"additions to ../b":            {"udiff", "```diff\n--- ../b\n+++ ../b\n@@ ... @@\n+added\n```\n", ""},
		"a listing without a name":     {"whole", "It is right already. You see:\n\n```\nhello\n```\n", ""},
		"a script below a name":        {"whole", "app.py\n```bash\nsed -i s/1/2/ app.py\n```\n", ""},
		"a NUL in a block":             {"diff", "app.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = \x00\n>>>>>>> REPLACE\n```\n", ""},
		"a block without its end":      {"diff", "app.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n", ""},
		"a listing without its end":    {"whole", "app.py\n```\nx = 2\nprint(x)\n", ""},
		"a patch without its end":      {"patch", "*** Begin Patch\n*** Update File: app.py\n@@\n-x = 1\n+x = 2\n", ""},
		"a search text of blank lines": {"diff", "app.py\n```\n<<<<<<< SEARCH\n\n=======\nx = 2\n>>>>>>> REPLACE\n```\n", ""},
		"a block that is whole":        {"diff", "app.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n", "x = 2\nprint(x)\n"},
	} {
		for preview, profile := range map[string]string{"native": "vscode", "inline": "neovim-0.12", "none": "helix-25.07"} {
			t.Run(name+"/"+preview, func(t *testing.T) {
				t.Parallel()
				requests := 3 // it is asked for again, twice
				if strings.HasPrefix(name, "a script") {
					requests = 1 // a command that the model suggests is no edit
				}
				end := fmt.Sprintf("wait end\nrequests %d\nunchanged app.py\nnoaction \"undo last change\"\nnoaction \"pending change\"", requests)
				switch {
				case c.changed != "" && preview == "native":
					end = "wait proposed\nunchanged app.py\ndiscard"
				case c.changed != "":
					end = fmt.Sprintf("buffer app.py %q", c.changed)
				}
				p, err := parsePlay(&txtar.Archive{
					Comment: fmt.Appendf(nil, "# %s\nprofiles %s\nunreviewed\nsetting preview %q\nsetting editFormat %q\nopen notes.txt\nopen app.py\nedit \"Do it.\"\n%s\nunchanged notes.txt\noffdisk old.txt\n",
						name, profile, preview, c.format, end),
					Files: []txtar.File{{Name: "root/app.py", Data: []byte("x = 1\nprint(x)\n")}, {Name: "root/notes.txt", Data: []byte("one\ntwo\n")},
						{Name: "model/server", Data: []byte("repeat: true\n")}, {Name: "model/1.md", Data: []byte(c.reply)}},
				})
				if err != nil {
					t.Fatal(err)
				}
				p.run(t, profile)
			})
		}
	}
}
