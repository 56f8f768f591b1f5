//go:build unix

package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSpecialFilesStopNoCommand puts pipes, devices and links out of the root where commands look for settings and
// rules, and runs the real program: it ends soon, stays small and takes nothing from elsewhere. What an ignore file
// that cannot be read might hide is left alone, which is said, until the user names it. Where COAUTHOR_LARGE is set, every
// command meets every file, else two of them each that is hostile to settings or is a folder.
func TestSpecialFilesStopNoCommand(t *testing.T) {
	outside := t.TempDir()
	for name, text := range map[string]string{"rules": "a.py\n", "settings": "encoding: utf-16\n"} {
		if err := os.WriteFile(filepath.Join(outside, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	shapes := map[string]func(name, kind string) error{
		"a pipe": func(name, _ string) error { return syscall.Mkfifo(name, 0o644) },
		"a link to a pipe": func(name, _ string) error {
			return errors.Join(syscall.Mkfifo(name+"-pipe", 0o644), os.Symlink(filepath.Base(name)+"-pipe", name))
		},
		"a device":               func(name, _ string) error { return os.Symlink("/dev/zero", name) },
		"a link out of the root": func(name, kind string) error { return os.Symlink(filepath.Join(outside, kind), name) },
		"a folder":               func(name, _ string) error { return os.Mkdir(name, 0o755) },
	}
	for what, make := range shapes {
		for _, places := range []string{".coauthor/config.yaml .ignore sub/.gitignore", ".gitignore", ".aiderignore", ".coauthorignore"} {
			t.Run(what+" as "+places, func(t *testing.T) {
				t.Parallel()
				root := layOut(t, map[string]string{"a.py": "def seen():\n    return 1\n", "sub/b.py": "x = 1\n", ".coauthor/.gitignore": "*\n"})
				for place := range strings.FieldsSeq(places) {
					kind := "rules"
					if strings.HasSuffix(place, ".yaml") {
						kind = "settings"
					}
					if err := make(filepath.Join(root, filepath.FromSlash(place)), kind); err != nil {
						t.Fatal(err)
					}
				}
				closed := !strings.Contains(places, " ") && what != "a folder" // all may be hidden
				one := 1 + (len(what)+len(places))%3
				for i, args := range [][]string{
					{"apply", "--yes", "--format", "diff", "--root", root},
					{"apply", "--yes", "--format", "diff", "--chat", "a.py", "--root", root},
					{"map", "--root", root, "--tokens", "500"},
					{"edit", "--yes", "-m", "x", "--model", "local", "--api-base", "http://127.0.0.1:9", "--root", root, filepath.Join(root, "a.py")},
				} {
					if closed && i > 1 {
						break // no file may be sent, or stand in a map
					}
					if i > 0 && i != one && !closed && os.Getenv("COAUTHOR_LARGE") == "" {
						continue
					}
					cmd := startable(t, t.TempDir(), args...)
					cmd.Stdin = strings.NewReader(block("a.py", "    return 1\n", "    return 2\n"))
					var out strings.Builder
					cmd.Stdout, cmd.Stderr = &out, &out
					if err := cmd.Start(); err != nil {
						t.Fatal(err)
					}
					hung := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
					_ = cmd.Wait() // the edit has no model to ask, and what cannot be judged is not mapped
					if !hung.Stop() {
						t.Fatalf("hung: %s\n%s", args[0], &out)
					}
					var own syscall.Rusage // a new process begins with the figure of the one that starts it
					if err := syscall.Getrusage(syscall.RUSAGE_SELF, &own); err != nil {
						t.Fatal(err)
					}
					if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok && peak(usage) > peak(&own)+1<<30 {
						t.Errorf("%s took %d MB", args[0], peak(usage)>>20)
					}
					text, err := os.ReadFile(filepath.Join(root, "a.py"))
					applied := string(text) == "def seen():\n    return 2\n"
					if err != nil || strings.Contains(out.String(), "panic") {
						t.Errorf("%s: %v\n%s", args[0], err, &out)
					}
					if args[0] == "apply" && (args[4] != "--chat" && applied == closed || args[4] == "--chat" && !applied || !applied && !strings.Contains(out.String(), places)) {
						t.Errorf("%q: applied %v\n%s", args, applied, &out)
					}
				}
			})
		}
	}
}

// peak returns the most memory that was held at a time, in bytes: macOS counts bytes, the others kilobytes.
func peak(usage *syscall.Rusage) int64 {
	most := int64(usage.Maxrss) //nolint:unconvert // it is an int32 elsewhere
	if runtime.GOOS == "darwin" {
		return most
	}
	return most << 10
}
