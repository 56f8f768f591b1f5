//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Ctrl-C while the script is being written leaves the folder as it is, and says where the files are that were made, and how to
// write them. That command writes them.
func TestAStoppedGenerationIsKept(t *testing.T) {
	h := newShell(t, "-- 1.md --\n"+generatedReply+"-- 2.yaml --\nhold: true\n-- 2.md --\n"+scriptReply)
	before, err := os.ReadDir(h.root)
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	env := map[string]string{"HOME": home, "XDG_STATE_HOME": filepath.Join(home, "my state"), "XDG_CONFIG_HOME": filepath.Join(home, "config"), "PATH": os.Getenv("PATH")}
	streams := Streams{In: strings.NewReader(""), Out: &h.out, Err: &h.err, Env: func(name string) string { return env[name] }}
	limit, end := context.WithTimeout(t.Context(), 2*time.Minute) // only a hang takes so long
	defer end()
	ctx, stop := context.WithCancel(limit)
	held := make(chan error, 1)
	go func() {
		held <- h.server.WaitHeld(limit, 1)
		stop()
	}()
	code := run(ctx, []string{"generate", "-m", "Say hi.", "--yes", "--root", h.root, "--model", "local", "--api-base", h.server.URL}, streams)
	told := h.err.String()
	if err := <-held; err != nil || code != 130 || !strings.Contains(told, "may be incomplete") || !strings.HasSuffix(told, "No files changed.\ncoauthor: interrupted\n") {
		t.Fatalf("exit %d, %v, told\n%s", code, err, told)
	}
	if after, err := os.ReadDir(h.root); err != nil || len(after) != len(before) {
		t.Errorf("written: %v %v", after, err)
	}
	found := regexp.MustCompile(`To apply it, run: coauthor (apply --format files --root \S+ .+)\n`).FindStringSubmatch(told)
	if found == nil {
		t.Fatalf("it is not said how to go on:\n%s", told)
	}
	words, err := exec.CommandContext(limit, "sh", "-c", "printf '%s\\n' "+found[1]).Output() // as the user's shell reads it
	if err != nil {
		t.Fatal(err)
	}
	if code := run(limit, append(strings.Split(strings.TrimSpace(string(words)), "\n"), "--yes"), streams); code != 0 || h.read("hi.py") != "print('hi')\n" || h.read("run.sh") != "absent" {
		t.Errorf("exit %d, %q\n%s", code, h.read("hi.py"), h.err.String())
	}
}
