package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"coauthor/agent/event"
	"coauthor/agent/workspace"
)

// ConfigFile is the file in which a project says how it is run.
const ConfigFile = "gpt-engineer.toml"

// Project is what the file says that a step here can use. Its commands are text of the repository: nothing runs them
// without the user's consent.
type Project struct {
	Run   ProjectRun   `toml:"run"`
	Paths ProjectPaths `toml:"paths"`
}

// ProjectRun are commands of the project; "" is not said.
type ProjectRun struct {
	Build  string `toml:"build"`
	Test   string `toml:"test"`
	Lint   string `toml:"lint"`
	Format string `toml:"format"`
}

// ProjectPaths are folders of the project; "" is not said.
type ProjectPaths struct {
	Base string `toml:"base"`
	Src  string `toml:"src"`
}

// ParseProject reads the file. Tables and keys that are not known are passed over. The error says where it is wrong.
func ParseProject(text string) (Project, error) {
	var p Project
	err := toml.Unmarshal([]byte(text), &p)
	var at *toml.DecodeError
	if errors.As(err, &at) {
		line, column := at.Position()
		return Project{}, fmt.Errorf("line %d, column %d: %s", line, column, strings.TrimPrefix(at.Error(), "toml: "))
	}
	if err != nil {
		return Project{}, err
	}
	return p, nil
}

// told is what a model is told of the project for its script; "" where the file says nothing.
func (p Project) told() string {
	var b strings.Builder
	say := func(what, value string) {
		if value = strings.Join(strings.Fields(value), " "); value != "" {
			fmt.Fprintf(&b, "\n%s: %s", what, value)
		}
	}
	say("The project is built with", p.Run.Build)
	say("It is tested with", p.Run.Test)
	say("Its base folder is", p.Paths.Base)
	say("Its source is in", p.Paths.Src)
	if b.Len() == 0 {
		return ""
	}
	return "\n" + b.String()
}

// readProject reads the project's file, where there is one that may be sent. A file that cannot be read ends nothing.
func (f *flow) readProject(ctx context.Context) {
	if !f.w.Now().Exists(ConfigFile) || f.w.Workspace.Door().Check(ctx, ConfigFile, workspace.OpSend).Verdict != workspace.Allow {
		return
	}
	text, err := f.w.Now().Read(ConfigFile)
	if err == nil {
		f.project, err = ParseProject(text)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.w.Note(event.LevelWarning, fmt.Sprintf("Cannot use %s: %v.", ConfigFile, err))
	}
}
