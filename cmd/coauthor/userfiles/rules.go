package userfiles

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"coauthor/agent/plaintext"
	"coauthor/agent/prompt"
	"coauthor/agent/workspace"
)

// maxRulesBytes bounds the user's rules. Of all rules less than that is sent.
const maxRulesBytes = 1 << 20

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
	text, err := workspace.ReadRegular(name, maxRulesBytes)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	rules, unclear := plaintext.Decode(text)
	if unclear != nil {
		rules = strings.ToValidUTF8(string(text), "\ufffd") // prose, in which a letter may be missing
	}
	return prompt.File{Path: shown, Text: rules}, err
}
