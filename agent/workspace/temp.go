package workspace

import (
	"crypto/rand"
	"encoding/hex"
	"path"
	"path/filepath"
	"strings"
)

// Temps remembers which temporary files are under way, so that those of a process that was killed can
// be removed later.
type Temps interface {
	// Begin is called before a temporary file is made, with its absolute path. done is called when it
	// is gone again; with an error it may be nil. The file is written all the same.
	Begin(abs string) (done func(), err error)
}

const (
	tempSuffix    = ".coauthor-tmp"
	tempSaltBytes = 6
)

// newTemp returns a new name for a temporary file beside real.
func newTemp(real string) (string, error) {
	var salt [tempSaltBytes]byte
	if _, err := rand.Read(salt[:]); err != nil {
		return "", err
	}
	return path.Join(path.Dir(real), "."+hex.EncodeToString(salt[:])+tempSuffix), nil
}

// IsTemp says whether a file name is one that Door gives to its temporary files.
func IsTemp(name string) bool {
	salt, ok := strings.CutSuffix(name, tempSuffix)
	if !ok || !strings.HasPrefix(salt, ".") {
		return false
	}
	raw, err := hex.DecodeString(salt[1:])
	return err == nil && len(raw) == tempSaltBytes
}

// begin remembers a temporary file. That it cannot is no reason not to write.
func (w *Workspace) begin(temp string) (done func()) {
	if w.o.Temps == nil {
		return func() {}
	}
	done, err := w.o.Temps.Begin(filepath.Join(w.root, filepath.FromSlash(temp)))
	if err != nil {
		w.o.Log.Warn("temporary files", "err", err)
	}
	if done == nil {
		return func() {}
	}
	return done
}
