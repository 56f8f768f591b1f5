package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"coauthor/agent/custom"
	"coauthor/agent/plaintext"
	"coauthor/agent/prompt"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
)

// mostOwnRules is how many bytes the user's own rules may have. Of all rules less than that is sent.
const mostOwnRules = 1 << 20

// ownRules reads the rules that the user follows in every project: AGENTS.md beside the user's settings. Its
// path is written with ~, since it goes to the model.
func (w *wiring) ownRules() (prompt.File, error) {
	home := w.homeDir()
	user, _ := settings.Files(w.env, home, "")
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

// surroundings are what a prompt may say of this machine. language is what the system says of itself, for one that has no
// variables for that.
func surroundings(env func(string) string, system, machine, language string) prompt.Surroundings {
	shell := env("SHELL")
	if shell == "" && system == "windows" {
		shell = env("COMSPEC")
	}
	return prompt.Surroundings{Platform: platform(system, machine), Shell: shellName(shell), Usual: prompt.UsualLanguage(env, language)}
}

// platform is a system with its machine as people call them.
func platform(system, machine string) string {
	called := map[string]string{"linux": "Linux", "darwin": "macOS", "windows": "Windows", "freebsd": "FreeBSD", "amd64": "x86-64"}
	for _, name := range []*string{&system, &machine} {
		if known, ok := called[*name]; ok {
			*name = known
		}
	}
	return system + " (" + machine + ")"
}

// shellNames are what a shell may be called in a prompt.
var shellNames = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$`)

// shellName is the name of a shell without its folder; "" for what looks like none.
func shellName(file string) string {
	name := path.Base(strings.ReplaceAll(file, `\`, "/"))
	if len(name) > 4 && strings.EqualFold(name[len(name)-4:], ".exe") {
		name = name[:len(name)-4]
	}
	if !shellNames.MatchString(name) {
		return ""
	}
	return name
}

// Bounds of what is read of the user's own commands.
const (
	mostOwnCommands = 200
	mostOwnCommand  = 1 << 20
	ownFoldersDeep  = 3
)

// ownCommands reads the files of the user's own commands: the Markdown files in the folder commands beside their settings,
// and in the folders in it.
func (w *wiring) ownCommands() []custom.File {
	user, _ := settings.Files(w.env, w.homeDir(), "")
	if user == "" {
		return nil
	}
	top := filepath.Join(filepath.Dir(user), "commands")
	var list []custom.File
	_ = filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error { // what goes wrong stands in the list
		below, _ := filepath.Rel(top, name) // it is below
		f := custom.File{Path: filepath.ToSlash(below), Name: name}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			f.Err = err
		case d.IsDir() && strings.Count(f.Path, "/") >= ownFoldersDeep:
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(name) != ".md":
			return nil
		case len(list) == mostOwnCommands:
			f.Err = fmt.Errorf("more than %d custom commands; this file and the remaining files are ignored", mostOwnCommands)
			list = append(list, f)
			return filepath.SkipAll
		default:
			var text []byte
			text, f.Err = workspace.ReadRegular(name, mostOwnCommand)
			if errors.Is(f.Err, fs.ErrNotExist) && !isLink(name) {
				return nil // it went since it was listed
			}
			if f.Err == nil {
				f.Text, f.Err = plaintext.Decode(text)
			}
		}
		list = append(list, f)
		return nil
	})
	return list
}

func isLink(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}
