package userfiles

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"coauthor/agent/settings"
	"coauthor/agent/workspace"
)

// Files are the files of the user. They are read whenever they are asked for. It is safe for concurrent use.
type Files struct {
	env     func(string) string
	log     *slog.Logger
	secrets secrets
}

// New finds the files by the variables of an environment. log hears of files of keys that cannot be read.
func New(env func(string) string, log *slog.Logger) *Files { return &Files{env: env, log: log} }

// Home is the user's home folder; "" when there is none.
func (f *Files) Home() string {
	if home := f.env("HOME"); home != "" {
		return home
	}
	home, _ := os.UserHomeDir() // "" where there is none
	return home
}

// State is the folder of our records, by the rules of the XDG base directories; "" when there is no
// home.
func (f *Files) State() string {
	dir := f.env("XDG_STATE_HOME")
	if !filepath.IsAbs(dir) { // relative ones are to be ignored
		home := f.Home()
		if home == "" {
			return ""
		}
		dir = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(dir, "coauthor")
}

// SettingsPath is where the user's settings are; "" when there is no home.
func (f *Files) SettingsPath() string {
	user, _ := settings.Files(f.env, f.Home(), "")
	return user
}

// Settings reads the user's settings; no file is no text. A pipe, a device, or more than anybody writes is an error.
func (f *Files) Settings() ([]byte, error) {
	name := f.SettingsPath()
	if name == "" {
		return nil, nil
	}
	text, err := workspace.ReadRegular(name, settings.MaxFileBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// resolve gives the path of a file that a setting names, which is absolute or below the home folder: there is no folder that
// all would take a relative one from. what is the path in an error.
func (f *Files) resolve(name, what string) (string, error) {
	path := name
	if rest, below := strings.CutPrefix(name, "~/"); below && f.Home() != "" {
		path = filepath.Join(f.Home(), rest)
	}
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("%s must be absolute or start with ~/", what)
	}
	return path, nil
}
