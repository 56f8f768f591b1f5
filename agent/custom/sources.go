// Package custom reads the commands that people write for themselves: entries of the setting actions, and Markdown files whose
// text is an instruction. It runs nothing, and knows neither our own commands nor what becomes of the instruction. Start at Sources.
package custom

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"coauthor/agent/coder"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
)

// Folder is where the commands of a workspace lie.
const Folder = ".coauthor/commands"

// mostFiles is how many files of a workspace are read.
const mostFiles = 200

// Commands are the commands that people wrote for themselves, as they were read.
type Commands struct {
	List     []Command // that can be called: the user's, then the workspace's, each by name
	Problems []Problem
}

// Sources are where such commands stand.
type Sources struct {
	Coders    coder.Table
	Reserved  func(word string) bool // the words that are taken beside those of Coders; nil for none
	Settings  settings.Settings
	Files     func() []File // of the user's folder; nil for none
	Workspace *workspace.Workspace
}

// Load reads the commands of the user's folder, those of the settings, and those of the workspace if it is trusted; where
// several have one of a name, the first counts. A word of our own cannot be taken. It returns when ctx ends, whatever hangs.
func (from Sources) Load(ctx context.Context) (Commands, error) {
	read := make(chan Commands, 1) // buffered, so that the reader can leave when nobody waits any more
	go func() { read <- from.Read(ctx) }()
	select {
	case o := <-read:
		if err := ctx.Err(); err != nil {
			return Commands{}, fmt.Errorf("cannot read your custom commands: %w", err)
		}
		return o, nil
	case <-ctx.Done():
		return Commands{}, fmt.Errorf("cannot read your custom commands: %w", ctx.Err())
	}
}

// Read reads all of them.
func (from Sources) Read(ctx context.Context) (o Commands) {
	add := func(c Command) {
		if _, _, word := from.Coders.Slash("/" + c.Name); word || from.Reserved != nil && from.Reserved(c.Name) {
			o.Problems = append(o.Problems, Problem{File: c.File, Text: fmt.Sprintf("/%s is a built-in command; give yours another name", c.Name), Unused: true})
			return
		}
		if i := slices.IndexFunc(o.List, func(other Command) bool { return other.Name == c.Name }); i >= 0 {
			o.Problems = append(o.Problems, Problem{File: c.File, Text: fmt.Sprintf("/%s is already defined in %s; rename one of them", c.Name, o.List[i].File), Unused: true})
			return
		}
		o.List = append(o.List, c)
	}
	take := func(f File) {
		c, problems := read(f, from.Coders)
		o.Problems = append(o.Problems, problems...)
		if len(problems) == 0 || !problems[len(problems)-1].Unused {
			add(c)
		}
	}
	byName := func(a, b File) int { return cmp.Compare(a.Path, b.Path) }
	if from.Files != nil {
		for _, f := range slices.SortedFunc(slices.Values(from.Files()), byName) {
			take(f)
		}
	}
	for _, a := range from.Settings.Actions {
		add(ofSetting(a).kinded(from.Coders))
	}
	ws := from.Workspace
	if ws.Root() == "" {
		return o
	}
	snap := ws.Snapshot().Within(ctx)
	files := ws.Door().Below(ctx, Folder, ".md")
	var checked []workspace.Decision
	if from.Settings.Trusted {
		checked = ws.Door().CheckAll(ctx, files[:min(len(files), mostFiles)], workspace.OpRead) // git is asked once
	}
	for i, file := range files {
		f := File{Path: strings.TrimPrefix(file, Folder+"/"), Name: file}
		if i == mostFiles {
			o.Problems = append(o.Problems, Problem{File: Folder, Text: fmt.Sprintf("the folder has more than %d files; Coauthor ignores the rest", mostFiles), Unused: true})
			break
		}
		if !from.Settings.Trusted {
			o.Problems = append(o.Problems, Problem{Command: nameOf(f.Path), File: file, Text: "Coauthor ignores commands in untrusted workspaces; to trust this one, add its folder to trust.roots", Unused: true, Untrusted: true})
			continue
		}
		if checked[i].Verdict == workspace.Refuse {
			f.Err = errors.New(checked[i].Reason)
		} else {
			f.Text, f.Err = snap.Read(file)
		}
		take(f)
	}
	return o
}

// Invocation is a command as it was called: the instruction that it stands for, and the model and the coder that it wants, ""
// for whichever is in force.
type Invocation struct {
	Command
	Instruction, Model, Coder string
}

// Find returns the command that a text begins with, read anew; ok is false where there is none. A command that cannot be
// used is an error.
func (from Sources) Find(ctx context.Context, text string) (c Invocation, ok bool, err error) {
	text = strings.TrimSpace(text)
	word, rest := text, ""
	if i := strings.IndexAny(text, " \t\r\n"); i >= 0 {
		word, rest = text[:i], text[i:]
	}
	name, slash := strings.CutPrefix(word, "/")
	if !slash || !settings.ActionName(name) {
		return Invocation{}, false, nil
	}
	if _, _, word := from.Coders.Slash(text); word {
		return Invocation{}, false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, findsWithin)
	defer cancel()
	all, err := from.Load(ctx)
	if err != nil {
		return Invocation{}, false, err
	}
	i := slices.IndexFunc(all.List, func(c Command) bool { return c.Name == name })
	if i < 0 {
		for _, p := range all.Problems {
			if p.Unused && p.Command == name {
				return Invocation{}, false, fmt.Errorf("cannot use /%s: %s", name, p)
			}
		}
		return Invocation{}, false, nil
	}
	own := all.List[i]
	return Invocation{own, own.fill(strings.TrimSpace(rest)), own.model, own.coder}, true, nil
}

// findsWithin is how long a request waits for the folders of commands. It ends whatever hangs, and no disk that is only slow
// makes it fail.
const findsWithin = 20 * time.Second
