package userfiles

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/joho/godotenv"

	"coauthor/agent/plaintext"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
)

// Keys is the environment with the keys that the user keeps elsewhere: those of the editor above it, and of the variables
// with these names, which hold keys of models, what the environment does not have and one of these files has. The files are
// read when a key is asked for, so that a new one counts at once.
func (f *Files) Keys(files, names []string) func(name string) string {
	return func(name string) string {
		if v := f.secrets.get(name); v != "" {
			return v
		}
		if v := f.env(name); v != "" || !slices.Contains(names, name) {
			return v
		}
		for _, file := range files {
			all, err := f.Variables(file)
			if err != nil {
				f.log.Warn("file of variables not read", "setting", "env.files", "file", file, "error", err)
			}
			if all[name] != "" {
				return all[name]
			}
		}
		return ""
	}
}

// Unread warns of what cannot be read of the user's files of variables. One that does not exist is no reason to.
func (f *Files) Unread(files []string) (warnings []settings.Warning) {
	for _, file := range files {
		_, err := f.Variables(file)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		warning := settings.Warning{Source: file, Key: "env.files", Text: err.Error() + "; the file is ignored"}
		var e *plaintext.Error
		if errors.As(err, &e) {
			warning.Line, warning.Column = e.Line, e.Column
		}
		warnings = append(warnings, warning)
	}
	return warnings
}

// Variables reads a file of variables. The error holds nothing of what is in it, which may be a key; with a place it is
// a *plaintext.Error.
func (f *Files) Variables(file string) (map[string]string, error) {
	path, err := f.resolve(file, "a path in env.files")
	if err != nil {
		return nil, err
	}
	raw, err := workspace.ReadRegular(path, settings.MaxFileBytes)
	if err != nil {
		return nil, err
	}
	text, err := plaintext.Decode(raw)
	if err != nil {
		return nil, err
	}
	all, err := godotenv.Unmarshal(text)
	if err != nil { // which may quote a line
		return nil, &plaintext.Error{Line: badLine(text), Column: 1, Text: "the line must have the form NAME=value"}
	}
	return all, nil
}

// maxEnvLines is how long a file may be for the wrong line to be looked for.
const maxEnvLines = 1000

// badLine finds the line where the statement begins that cannot be read: after the longest beginning of the text that
// can be. A value may go over several lines. It is 1 for a file that is too long.
func badLine(text string) int {
	lines := strings.SplitAfter(text, "\n")
	if len(lines) > maxEnvLines {
		return 1
	}
	good, beginning := 0, ""
	for i, line := range lines {
		beginning += line
		if _, err := godotenv.Unmarshal(beginning); err == nil {
			good = i + 1
		}
	}
	return good + 1
}

// SetSecret keeps a key that the editor has for the user; "" forgets it.
func (f *Files) SetSecret(name, value string) { f.secrets.set(name, value) }

// secrets are keys that the editor has for the user, by the names of their variables. They take precedence over the
// environment, and are nowhere but here: no program that is run gets them, and nothing writes them down. The zero value is ready.
type secrets struct {
	mu     sync.Mutex
	values map[string]string // guarded by mu
}

// set keeps a key; "" forgets it.
func (s *secrets) set(name, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if value == "" {
		delete(s.values, name)
		return
	}
	if s.values == nil {
		s.values = map[string]string{}
	}
	s.values[name] = value
}

// get returns a key; "" for none.
func (s *secrets) get(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.values[name]
}
