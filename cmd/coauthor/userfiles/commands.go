package userfiles

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"coauthor/agent/custom"
	"coauthor/agent/plaintext"
	"coauthor/agent/workspace"
)

// Bounds of what is read of the user's commands.
const (
	maxCommands      = 200
	maxCommandBytes  = 1 << 20
	maxCommandsDepth = 3
)

// Commands reads the files of the user's commands: the Markdown files in the folder commands beside their settings,
// and in the folders in it.
func (f *Files) Commands() []custom.File {
	user := f.SettingsPath()
	if user == "" {
		return nil
	}
	top := filepath.Join(filepath.Dir(user), "commands")
	var list []custom.File
	_ = filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error { // errors are in the list
		below, _ := filepath.Rel(top, name) // it is below
		c := custom.File{Path: filepath.ToSlash(below), Name: name}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			c.Err = err
		case d.IsDir() && strings.Count(c.Path, "/") >= maxCommandsDepth:
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(name) != ".md":
			return nil
		case len(list) == maxCommands:
			c.Err = fmt.Errorf("more than %d custom commands; this file and the remaining files are ignored", maxCommands)
			list = append(list, c)
			return filepath.SkipAll
		default:
			var text []byte
			text, c.Err = workspace.ReadRegular(name, maxCommandBytes)
			if errors.Is(c.Err, fs.ErrNotExist) && !isLink(name) {
				return nil // it was removed since it was listed
			}
			if c.Err == nil {
				c.Text, c.Err = plaintext.Decode(text)
			}
		}
		list = append(list, c)
		return nil
	})
	return list
}

// isLink says whether a name is a symbolic link, which may lead nowhere.
func isLink(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}
