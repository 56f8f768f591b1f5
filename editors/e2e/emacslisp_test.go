package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The files of Emacs are compiled without a warning in each Emacs, and checkdoc has nothing to say of them.
func TestEmacsLisp(t *testing.T) {
	eachEmacs(t, func(t *testing.T, c emacsClient) {
		w := newWorld(t, "-- 1.md --\nNobody asked.\n")
		ours := filepath.Join(w.own, "coauthor")
		if err := os.CopyFS(ours, os.DirFS("../emacs")); err != nil {
			t.Fatal(err)
		}
		harness := filepath.Join(w.own, "harness.el")
		code := `(dolist (dir (cons "` + ours + `" (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa-src/*"))) (add-to-list 'load-path dir))
(setq native-comp-jit-compilation nil byte-compile-error-on-warn t)
(require 'checkdoc)
(dolist (file '("coauthor.el" "` + c.require + `.el"))
  (let ((file (expand-file-name file "` + ours + `")))
    (unless (byte-compile-file file) (message "%s is not compiled" file) (kill-emacs 1))
    (checkdoc-file file)))
(message "done")
`
		if err := os.WriteFile(harness, []byte(code), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(w.ctx(), filepath.Join(cache(t, c.folder), "run"), "emacs", "-Q", "--batch", "-l", harness)
		cmd.Env, cmd.Dir = append(w.env(), "COAUTHOR_E2E_BIND="+os.TempDir()), w.dir
		out, err := cmd.CombinedOutput()
		if err != nil || strings.TrimSpace(string(out)) != "done" {
			t.Errorf("%v\n%s", err, out)
		}
	})
}
