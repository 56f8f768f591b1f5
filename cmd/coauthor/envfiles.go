package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/joho/godotenv"

	"coauthor/agent/settings"
	"coauthor/agent/workspace"
)

// keys is the environment with the keys that the user keeps in files: of the names in env.keys, what the environment does
// not have. The files are read when a key is asked for, so that a new one counts at once.
func (w *wiring) keys(s settings.EnvFiles) func(name string) string {
	return func(name string) string {
		if v := w.secrets.get(name); v != "" {
			return v
		}
		if v := w.env(name); v != "" || !slices.Contains(s.Keys, name) {
			return v
		}
		for _, file := range s.Files {
			if v := w.variable(file, name); v != "" {
				return v
			}
		}
		return ""
	}
}

// variable is what a file says of a variable; "" for nothing. What cannot be read is logged, without what is in it.
func (w *wiring) variable(file, name string) string {
	path := file
	if rest, home := strings.CutPrefix(file, "~/"); home && w.homeDir() != "" {
		path = filepath.Join(w.homeDir(), rest)
	}
	if !filepath.IsAbs(path) {
		w.log.Warn("a file of variables is not read: its path must be absolute or begin with ~/", "setting", "env.files", "file", file)
		return ""
	}
	text, err := workspace.ReadRegular(path, settings.MaxFileBytes)
	if err != nil {
		w.log.Warn("a file of variables is not read", "setting", "env.files", "file", file, "error", err)
		return ""
	}
	all, err := godotenv.UnmarshalBytes(text)
	if err != nil { // the error may quote a line, which may hold a key
		w.log.Warn("a file of variables cannot be read: it has a line that is no NAME=value", "setting", "env.files", "file", file)
		return ""
	}
	return all[name]
}
