package proposal

import (
	"os"
	"path/filepath"
	"testing"
)

// What a dead process of this machine left goes; everything else stays.
func TestTempsSweepsWhatTheDeadLeft(t *testing.T) {
	here := Owner{Host: "aa", PID: 1, Start: "s"}
	dead, alive, far := Owner{Host: "aa", PID: 2, Start: "s"}, Owner{Host: "aa", PID: 3, Start: "s"}, Owner{Host: "bb", PID: 2, Start: "s"}
	for name, c := range map[string]struct {
		owner Owner
		file  string
		stays bool
	}{
		"dead":              {dead, ".0123456789ab.coauthor-tmp", false},
		"alive":             {alive, ".0123456789ab.coauthor-tmp", true},
		"ours":              {here, ".0123456789ab.coauthor-tmp", true},
		"another machine":   {far, ".0123456789ab.coauthor-tmp", true},
		"a user's file":     {dead, "notes.txt", true},
		"named like it":     {dead, ".mine.coauthor-tmp", true},
		"without the dot":   {dead, "0123456789ab.coauthor-tmp", true},
		"a name too long":   {dead, ".0123456789abcd.coauthor-tmp", true},
		"suffix in between": {dead, ".0123456789ab.coauthor-tmp.orig", true},
	} {
		t.Run(name, func(t *testing.T) {
			dir, root := filepath.Join(t.TempDir(), "state"), t.TempDir()
			file := filepath.Join(root, c.file)
			if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := (&Temps{dir: dir, owner: c.owner, alive: func(Owner) bool { return true }}).Begin(file); err != nil {
				t.Fatal(err)
			}
			temps := &Temps{dir: dir, owner: here, alive: func(o Owner) bool { return o == alive }}
			done, err := temps.Begin(filepath.Join(root, ".ffffffffffff.coauthor-tmp"))
			if err != nil {
				t.Fatal(err)
			}
			done()
			if _, err := os.Lstat(file); (err == nil) != c.stays {
				t.Errorf("stays: %v, want %v", err == nil, c.stays)
			}
			records, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			if kept := len(records) == 1; kept != (c.owner != dead) {
				t.Errorf("its record stays: %v", kept)
			}
		})
	}
}
