package userfiles

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"coauthor/agent/custom"
	"coauthor/agent/plaintext"
	"coauthor/agent/prompt"
	"coauthor/agent/workspace"
)

// mostOwnRules is how many bytes the user's own rules may have. Of all rules less than that is sent.
const mostOwnRules = 1 << 20

// Rules reads the rules that the user follows in every project: AGENTS.md beside the user's settings. Its
// path is written with ~, since it goes to the model.
func (f *Files) Rules() (prompt.File, error) {
	home, user := f.Home(), f.SettingsPath()
	if user == "" {
		return prompt.File{}, nil
	}
	name := filepath.Join(filepath.Dir(user), "AGENTS.md")
	shown := filepath.ToSlash(name)
	if below, err := filepath.Rel(home, name); home != "" && err == nil && filepath.IsLocal(below) {
		shown = "~/" + filepath.ToSlash(below)
	} else {
		shown = path.Base(shown)
	}
	text, err := workspace.ReadRegular(name, mostOwnRules)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	rules, unclear := plaintext.Decode(text)
	if unclear != nil {
		rules = strings.ToValidUTF8(string(text), "\ufffd") // prose, in which a letter may be missing
	}
	return prompt.File{Path: shown, Text: rules}, err
}

// Bounds of what is read of the user's own commands.
const (
	mostOwnCommands = 200
	mostOwnCommand  = 1 << 20
	ownFoldersDeep  = 3
)

// Commands reads the files of the user's own commands: the Markdown files in the folder commands beside their settings,
// and in the folders in it.
func (f *Files) Commands() []custom.File {
	user := f.SettingsPath()
	if user == "" {
		return nil
	}
	top := filepath.Join(filepath.Dir(user), "commands")
	var list []custom.File
	_ = filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error { // what goes wrong stands in the list
		below, _ := filepath.Rel(top, name) // it is below
		c := custom.File{Path: filepath.ToSlash(below), Name: name}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			c.Err = err
		case d.IsDir() && strings.Count(c.Path, "/") >= ownFoldersDeep:
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(name) != ".md":
			return nil
		case len(list) == mostOwnCommands:
			c.Err = fmt.Errorf("more than %d custom commands; this file and the remaining files are ignored", mostOwnCommands)
			list = append(list, c)
			return filepath.SkipAll
		default:
			var text []byte
			text, c.Err = workspace.ReadRegular(name, mostOwnCommand)
			if errors.Is(c.Err, fs.ErrNotExist) && !isLink(name) {
				return nil // it went since it was listed
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

func isLink(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}
