package commit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// commitKind says what a commit of ours was made of.
type commitKind string

const (
	commitOfTurn commitKind = "turn" // the changes of a turn
	commitOfUser commitKind = "user" // the user's own changes

	commitAmended commitKind = "amended" // one that was there, and more; it is not remembered
)

// ownCommits remembers which commits of a root were made here: only those are undone. They are kept on disk, for the
// command line undoes in another process.
type ownCommits struct {
	file string   // "" is for a root without a place on disk
	here []string // lines of such a root
}

// mostCommits is how many are remembered.
const mostCommits = 200

// commitsOf is the memory of a root; without a stateDir it ends with the session.
func commitsOf(stateDir, root string) *ownCommits {
	if stateDir == "" || root == "" {
		return &ownCommits{}
	}
	sum := sha256.Sum256([]byte(root))
	return &ownCommits{file: filepath.Join(stateDir, "commits", hex.EncodeToString(sum[:8]))}
}

// add remembers a commit. One call at a time.
func (o *ownCommits) add(hash string, kind commitKind) error {
	if o.file == "" {
		o.here = append(o.here, hash+" "+string(kind))
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(o.file), 0o700); err != nil {
		return fmt.Errorf("cannot record the commit: %w", err)
	}
	lines := append(o.lines(), hash+" "+string(kind))
	lines = lines[max(0, len(lines)-mostCommits):]
	temp, err := os.CreateTemp(filepath.Dir(o.file), "new-")
	if err != nil {
		return fmt.Errorf("cannot record the commit: %w", err)
	}
	_, err = temp.WriteString(strings.Join(lines, "\n") + "\n")
	if closing := temp.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(temp.Name(), o.file)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
		return fmt.Errorf("cannot record the commit: %w", err)
	}
	return nil
}

// kind is what a commit was made of; ok is false for one that is not ours.
func (o *ownCommits) kind(hash string) (kind commitKind, ok bool) {
	for _, line := range slices.Backward(o.lines()) {
		if name, kind, _ := strings.Cut(line, " "); name == hash {
			return commitKind(kind), true
		}
	}
	return "", false
}

// ofTurn says whether a commit is one that was made here of a turn.
func (o *ownCommits) ofTurn(hash string) bool {
	kind, ours := o.kind(hash)
	return ours && kind == commitOfTurn
}

func (o *ownCommits) lines() []string {
	if o.file == "" {
		return o.here
	}
	text, err := os.ReadFile(o.file)
	if err != nil {
		return nil // there is none yet; what cannot be read is undone by git
	}
	return slices.DeleteFunc(strings.Split(string(text), "\n"), func(l string) bool { return strings.TrimSpace(l) == "" })
}
