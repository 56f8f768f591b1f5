package vcs

import (
	"context"
	"os"
	"path/filepath"
)

// asksWhere are the commands that find nothing to do outside of a repository, and that folders are asked about before
// anybody knows whether they are in one.
var asksWhere = map[string]bool{"rev-parse": true, "ls-files": true, "check-ignore": true}

// outside says whether git, started in dir, certainly finds no repository: it looks for .git there and above, and takes
// a folder with objects for the inside of one. Not to start it is what makes it worth knowing: a process costs as much
// as some thousands of these looks. A disk that does not answer is git's to report, within its limit.
func outside(ctx context.Context, dir string) bool {
	found := make(chan bool, 1)
	go func() {
		at, err := filepath.EvalSymlinks(dir)
		if err == nil {
			at, err = filepath.Abs(at)
		}
		for err == nil {
			for _, name := range []string{".git", "objects"} {
				if _, err := os.Lstat(filepath.Join(at, name)); !os.IsNotExist(err) {
					found <- true
					return
				}
			}
			up := filepath.Dir(at)
			if up == at {
				found <- false
				return
			}
			at = up
		}
		found <- true // git says what is wrong with the folder
	}()
	select {
	case any := <-found:
		return !any
	case <-ctx.Done():
		return false
	}
}
