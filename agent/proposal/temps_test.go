package proposal

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
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

// TestTempsAreRemembered until they are done, each by itself.
func TestTempsAreRemembered(t *testing.T) {
	dir, root := filepath.Join(t.TempDir(), "deep", "state"), t.TempDir()
	temps, err := NewTemps(dir, owner(1))
	if err != nil {
		t.Fatal(err)
	}
	count := func(want int) {
		t.Helper()
		records, err := os.ReadDir(dir)
		if err != nil || len(records) != want {
			t.Fatalf("%d records, %v; want %d", len(records), err, want)
		}
	}
	var done []func()
	for i := range 3 {
		end, err := temps.Begin(filepath.Join(root, "x"))
		if err != nil {
			t.Fatal(err)
		}
		done = append(done, end)
		count(i + 1)
	}
	for i, end := range done {
		end()
		end() // it does no harm
		count(2 - i)
	}
	if _, err := NewTemps(dir, owner(1)); err != nil {
		t.Error(err)
	}
	file := filepath.Join(root, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{file, filepath.Join(file, "below")} {
		temps, err := NewTemps(bad, owner(1))
		if temps == nil || err == nil {
			t.Errorf("%s is taken for a folder: %v", bad, err)
		}
		if end, err := temps.Begin(filepath.Join(root, "x")); err == nil || end != nil {
			t.Errorf("%s: begun: %v", bad, err)
		}
	}
}

// TestTempsOfTheDead: whatever lies there, only what we made goes, and one bad record does not keep the
// others from being swept.
func TestTempsOfTheDead(t *testing.T) {
	dir, root := t.TempDir(), t.TempDir()
	temp := func(n string) string { return filepath.Join(root, "."+n+".coauthor-tmp") }
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	left, folder, target, link := temp("0123456789ab"), temp("0123456789ac"), filepath.Join(root, "target"), temp("0123456789ad")
	write(left, "x")
	write(target, "x")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	dead := owner(7).Name()
	record := func(name string) string { return filepath.Join(dir, name) }
	write(record(dead+"-1"), "")                               // it was cut off
	write(record(dead+"-2"), filepath.Base(left))              // no whole path
	write(record(dead+"-3"), temp("0123456789ae"))             // gone already
	write(record(dead+"-4"), folder)                           // no file
	write(record(dead+"-5"), link)                             // nor this
	write(record(dead+"-6"), strings.Repeat("x", 70<<10))      // no path that there can be
	write(record(dead+"-7"), left)                             // the one
	write(record("notes"), left)                               // nobody's
	write(record("no-owner"), left)                            // nor this
	write(record("aabbccdd-x-b1t2-1"), left)                   // nor this
	if err := os.Mkdir(record(dead+"-8"), 0o700); err != nil { // no record
		t.Fatal(err)
	}
	temps := &Temps{dir: dir, owner: owner(1), alive: func(Owner) bool { return false }}
	done, err := temps.Begin(temp("ffffffffffff"))
	if err == nil || done == nil {
		t.Fatalf("what cannot be swept is not told, or it is in the way: %v", err)
	}
	done()
	for file, stays := range map[string]bool{left: false, folder: true, target: true, link: true, record(dead + "-1"): false,
		record(dead + "-2"): false, record(dead + "-3"): false, record(dead + "-4"): false, record(dead + "-5"): false,
		record(dead + "-6"): true, record(dead + "-7"): false, record("notes"): true, record("no-owner"): true, record("aabbccdd-x-b1t2-1"): true} {
		if _, err := os.Lstat(file); (err == nil) != stays {
			t.Errorf("%s stays: %v", filepath.Base(file), err == nil)
		}
	}
}

// TestATempThatCannotBeRemoved is told of and tried again by the next one; what a record names and we never make is
// left alone.
func TestATempThatCannotBeRemoved(t *testing.T) {
	state, root := filepath.Join(t.TempDir(), "state"), t.TempDir()
	const name = ".ffffffffffff.coauthor-tmp"
	for _, dir := range []string{root, filepath.Dir(state)} {
		for at := dir; at != os.TempDir() && at != "/"; at = filepath.Dir(at) {
			if err := os.Chmod(at, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	locked, file := filepath.Join(root, "locked"), filepath.Join(root, "file")
	if err := errors.Join(os.Mkdir(locked, 0o755), os.WriteFile(filepath.Join(locked, name), nil, 0o644), os.WriteFile(file, nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	remember := func(path string) {
		t.Helper()
		if _, err := (&Temps{dir: state, owner: owner(7), alive: func(Owner) bool { return true }}).Begin(path); err != nil {
			t.Fatal(err)
		}
	}
	next := &Temps{dir: state, owner: owner(8), alive: func(Owner) bool { return false }}
	records := func() int { list, _ := os.ReadDir(state); return len(list) }
	remember(filepath.Join(file, name)) // below what is no folder
	if err := next.sweep(); err == nil || errors.Is(err, os.ErrNotExist) || records() != 1 {
		t.Errorf("below a file: %d records, %v", records(), err)
	}
	if err := os.RemoveAll(state); err != nil {
		t.Fatal(err)
	}
	remember(filepath.Join(locked, name))
	if err := errors.Join(os.Chmod(locked, 0o555), os.Chmod(state, 0o777)); err != nil {
		t.Fatal(err)
	}
	list, _ := os.ReadDir(state)
	if err := os.Chmod(filepath.Join(state, list[0].Name()), 0o644); err != nil {
		t.Fatal(err)
	}
	unprivileged(t, func() {
		if err := next.sweep(); !errors.Is(err, os.ErrPermission) || records() != 1 {
			t.Errorf("in a folder that is locked: %d records, %v", records(), err)
		}
	})
	if err := os.Chmod(locked, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := next.sweep(); err != nil || records() != 0 {
		t.Errorf("%d records, %v", records(), err)
	}
	if _, err := os.Lstat(filepath.Join(locked, name)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}
