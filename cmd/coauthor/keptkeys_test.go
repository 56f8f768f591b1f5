package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever is kept of a conversation (history, journal, labels, logs of runs, the log) is kept without keys, of whatever
// maker, whoever wrote them: the user, the model or its server.
func TestNoKeyIsKept(t *testing.T) {
	letters := func(n int) string { return strings.Repeat("a1B2c3D4e5F6g7H8i9J0", 1+n/20)[:n] }
	keys := []string{
		"sk-" + letters(24), "AKIA" + strings.ToUpper(letters(16)), "ghp_" + letters(36), "github_pat_" + letters(60), "glpat-" + letters(20), "xoxb-" + letters(24),
		"AIza" + letters(35), "hf_" + letters(34), "gsk_" + letters(52), "xai-" + letters(60), "sk_live_" + letters(24), "npm_" + letters(36), "pypi-" + letters(60),
	}
	pem := letters(64)
	said := "Use " + strings.Join(keys, " and ") + " with\n-----BEGIN RSA PRIVATE KEY-----\n" + pem + "\n-----END RSA PRIVATE KEY-----\n"
	h := newShell(t, "-- 1.md --\n"+said+"a.py\n```python\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n"+
		"-- 2.md --\n"+said+"-- 3.md --\n{\"error\":{\"message\":\"no: "+strings.Join(keys, " ")+"\"}}\n-- 3.yaml --\nstatus: 401\n"+
		"-- 4.md --\n"+said+"main.py\n```python\nprint(1)\n```\n-- 5.md --\n"+said+"run.sh\n```bash\npython3 main.py\n```\n")
	h.home = t.TempDir()
	files := 0
	for _, args := range [][]string{
		{"edit", "-m", said, "--yes", "--format", "diff", filepath.Join(h.root, "a.py")}, {"ask", "-m", said, "--continue"}, {"ask", "-m", said, "--continue"}, {"history"}, {"undo"},
	} {
		h.run(args...)
	}
	h.root = t.TempDir()
	h.run("generate", "-m", said, "--yes")
	if err := filepath.WalkDir(h.home, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		files++
		for _, key := range append(keys, pem) {
			if strings.Contains(string(text), key) {
				t.Errorf("%s has %s", strings.TrimPrefix(name, h.home), key)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if files < 4 || len(h.server.Requests()) != 5 {
		t.Errorf("%d files, %d requests\n%s", files, len(h.server.Requests()), h.err.String())
	}
}
