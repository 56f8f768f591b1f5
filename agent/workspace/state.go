package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

const (
	osWriteNew = os.O_WRONLY | os.O_CREATE | os.O_EXCL
	stateDir   = ".coauthor"
)

// StateDocument writes a document in which the user acts (a prompt, a diff) to the folder .coauthor
// below the root, which it makes with a .gitignore of its own, and returns its absolute path. The
// name is a file name without directories.
func (w *Workspace) StateDocument(name, text string) (abs string, err error) {
	if w.fs == nil {
		return "", &RefusedError{noFolder(path.Join(stateDir, name))}
	}
	clean, err := cleanPath(name)
	if err != nil {
		return "", err
	}
	if strings.Contains(clean, "/") {
		return "", &RefusedError{refused(name, CodeBadName, "the document name contains a slash")}
	}
	dir, err := w.StateFolder()
	if err != nil {
		return "", err
	}
	file := path.Join(stateDir, clean)
	if info, err := w.fs.Lstat(file); err == nil && !info.Mode().IsRegular() {
		return "", &RefusedError{refused(file, CodeSymlink, "it exists and is not a regular file")}
	}
	if err := w.replace(file, []byte(text), 0o600, w.fs.Rename); err != nil {
		return "", err
	}
	return filepath.Join(dir, clean), nil
}

// PruneDocuments removes the oldest documents of the folder .coauthor whose names begin with prefix, so that
// keep of them stay. What inUse names stays in any case; it gets paths below the root.
func (w *Workspace) PruneDocuments(prefix string, keep int, inUse func(path string) bool) error {
	if w.fs == nil {
		return nil
	}
	root, err := w.fs.open()
	if err != nil {
		return err
	}
	entries, err := fs.ReadDir(root.FS(), stateDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("list %s: %w", stateDir, err)
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), prefix) || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil { // one that is gone already needs no removing
			files = append(files, info)
		}
	}
	slices.SortStableFunc(files, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	var errs []error
	for _, f := range files[min(keep, len(files)):] {
		if name := path.Join(stateDir, f.Name()); !inUse(name) {
			errs = append(errs, w.fs.Remove(name))
		}
	}
	return errors.Join(errs...)
}

// hideOurs is the .gitignore of the folder: its documents are nobody else's business, but the settings
// in it and the commands are the team's. hidBefore is what earlier versions wrote.
const hideOurs = "*\n!config.yaml\n!commands/\n!commands/**\n"

func hidBefore() []string { return []string{"*\n", "*\n!config.yaml\n"} }

// StateFolder makes the folder .coauthor below the root, with a .gitignore of its own, and returns
// its absolute path.
func (w *Workspace) StateFolder() (abs string, err error) {
	if w.fs == nil {
		return "", &RefusedError{noFolder(stateDir)}
	}
	if info, err := w.fs.Lstat(stateDir); err == nil && !info.IsDir() {
		return "", &RefusedError{refused(stateDir, CodeSymlink, "it exists and is not a folder; move or rename it")}
	}
	if err := w.fs.Mkdir(stateDir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return "", fmt.Errorf("make %s: %w", stateDir, err)
	}
	guard := path.Join(stateDir, ".gitignore")
	_, err = w.fs.Lstat(guard)
	if old, readErr := w.door.DiskText(context.Background(), guard); errors.Is(err, os.ErrNotExist) || readErr == nil && slices.Contains(hidBefore(), old) {
		if err := w.replace(guard, []byte(hideOurs), 0o600, w.fs.Rename); err != nil {
			return "", err
		}
	}
	return filepath.Join(w.root, stateDir), nil
}

// RootOf maps a file to the folder that it belongs to: the longest of the folders that contains it,
// else the nearest directory above it that holds .git, else its own directory. All are absolute.
func RootOf(abs string, folders []string) string {
	abs = filepath.Clean(abs)
	if best := FolderOf(abs, folders); best != "" {
		return best
	}
	own := filepath.Dir(abs)
	if filepath.Base(own) == stateDir { // our own documents belong to the folder that they are about
		own = filepath.Dir(own)
	}
	for dir := own; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return own
		}
	}
}

// FolderOf returns the longest of the folders that contains a file, "" when none does. It does not look at
// the disk.
func FolderOf(abs string, folders []string) string {
	abs = filepath.Clean(abs)
	best := ""
	for _, folder := range folders {
		folder = filepath.Clean(folder)
		if contains(folder, abs) && len(folder) > len(best) {
			best = folder
		}
	}
	return best
}

func contains(folder, abs string) bool {
	rel, err := filepath.Rel(folder, abs)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
