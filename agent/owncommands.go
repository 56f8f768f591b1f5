package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"coauthor/agent/coder"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
)

// OwnFolder is where the commands of a workspace lie.
const OwnFolder = ".coauthor/commands"

// mostOwn is how many files of a workspace are read.
const mostOwn = 200

// OwnCommands are the commands that people wrote for themselves, as they were read last.
type OwnCommands struct {
	List     []OwnCommand // that can be called: the user's, then the workspace's, each by name
	Problems []OwnProblem
}

// LoadOwn reads the commands of the user's folder, those of the settings, and those of the workspace if it is trusted; where
// several have one of a name, the first counts. A word of our own cannot be taken.
func (s *Session) LoadOwn(ctx context.Context) (OwnCommands, error) {
	var o OwnCommands
	err := await(ctx, func() { o = s.readOwns(ctx) })
	if err != nil {
		return OwnCommands{}, fmt.Errorf("cannot read your custom commands: %w", err)
	}
	s.own.Store(&o)
	return o, nil
}

// Own returns what LoadOwn read last.
func (s *Session) Own() OwnCommands {
	if o := s.own.Load(); o != nil {
		return *o
	}
	return OwnCommands{}
}

func (s *Session) readOwns(ctx context.Context) OwnCommands {
	return OwnSources{Coders: s.e.o.Coders, Actions: s.e.actions, Settings: s.settings(), Files: s.e.o.OwnCommands, Workspace: s.ws}.Read(ctx)
}

// OwnSources are where such commands stand.
type OwnSources struct {
	Coders    coder.Table
	Actions   func() []Action // of Coders, whose words are taken; nil makes them
	Settings  settings.Settings
	Files     func() []OwnFile // of the user's folder; nil for none
	Workspace *workspace.Workspace
}

// Read reads all of them.
func (from OwnSources) Read(ctx context.Context) (o OwnCommands) {
	actions := from.Actions // a large table, which is read with every list of code actions and seldom needed
	if actions == nil {
		actions = sync.OnceValue(func() []Action { return ActionsOf(from.Coders) })
	}
	add := func(c OwnCommand) {
		_, _, command := CommandOf(actions(), "/"+c.Name)
		if _, _, word := from.Coders.Slash("/" + c.Name); word || command {
			o.Problems = append(o.Problems, OwnProblem{File: c.File, Text: fmt.Sprintf("/%s is a built-in command; give yours another name", c.Name), Unused: true})
			return
		}
		if i := slices.IndexFunc(o.List, func(other OwnCommand) bool { return other.Name == c.Name }); i >= 0 {
			o.Problems = append(o.Problems, OwnProblem{File: c.File, Text: fmt.Sprintf("/%s is already defined in %s; rename one of them", c.Name, o.List[i].File), Unused: true})
			return
		}
		o.List = append(o.List, c)
	}
	take := func(f OwnFile) {
		c, problems := readOwn(f, from.Coders)
		o.Problems = append(o.Problems, problems...)
		if len(problems) == 0 || !problems[len(problems)-1].Unused {
			add(c)
		}
	}
	byName := func(a, b OwnFile) int { return cmp.Compare(a.Path, b.Path) }
	if from.Files != nil {
		for _, f := range slices.SortedFunc(slices.Values(from.Files()), byName) {
			take(f)
		}
	}
	for _, a := range from.Settings.Actions {
		add(ownAction(a).kinded(from.Coders))
	}
	ws := from.Workspace
	if ws.Root() == "" {
		return o
	}
	snap := ws.Snapshot().Within(ctx)
	for i, file := range ws.Door().Below(ctx, OwnFolder, ".md") {
		f := OwnFile{Path: strings.TrimPrefix(file, OwnFolder+"/"), Name: file}
		if i == mostOwn {
			o.Problems = append(o.Problems, OwnProblem{File: OwnFolder, Text: fmt.Sprintf("the folder has more than %d files; Coauthor ignores the rest", mostOwn), Unused: true})
			break
		}
		if !from.Settings.Trusted {
			o.Problems = append(o.Problems, OwnProblem{Command: ownNameOf(f.Path), File: file, Text: "Coauthor ignores commands in untrusted workspaces; to trust this one, add its folder to trust.roots", Unused: true, Untrusted: true})
			continue
		}
		if d := ws.Door().Check(ctx, file, workspace.OpRead); d.Verdict == workspace.Refuse {
			f.Err = errors.New(d.Reason)
		} else {
			f.Text, f.Err = snap.Read(file)
		}
		take(f)
	}
	return o
}

// readsOwnWithin is how long a request waits for the folders of commands: it is answered whatever hangs.
const readsOwnWithin = 3 * time.Second

// ownCommand makes the request that a command of the user's own stands for. own is nil for every other one.
func (s *Session) ownCommand(r Request) (out Request, own *OwnCommand, err error) {
	text := strings.TrimSpace(r.Instruction)
	word, rest := text, ""
	if i := strings.IndexAny(text, " \t\r\n"); i >= 0 {
		word, rest = text[:i], text[i:]
	}
	name, slash := strings.CutPrefix(word, "/")
	if !slash || !settings.ActionName(name) || r.Given != "" || r.again != "" || r.Job != nil {
		return r, nil, nil
	}
	if _, _, word := s.e.o.Coders.Slash(text); word {
		return r, nil, nil
	}
	ctx, cancel := context.WithTimeout(s.life.ctx, readsOwnWithin)
	defer cancel()
	all, err := s.LoadOwn(ctx)
	if err != nil {
		return r, nil, err
	}
	i := slices.IndexFunc(all.List, func(c OwnCommand) bool { return c.Name == name })
	if i < 0 {
		for _, p := range all.Problems {
			if p.Unused && p.Command == name {
				return r, nil, fmt.Errorf("cannot use /%s: %s", name, p)
			}
		}
		return r, nil, nil
	}
	c := all.List[i]
	r.Instruction, r.Label, r.Model = c.fill(strings.TrimSpace(rest)), cmp.Or(r.Label, proposal.Label(text)), cmp.Or(r.Model, c.model)
	if r.Coder == "" || r.Coder == coder.Default { // who asks for another one, such as ask, means it
		r.Coder = cmp.Or(c.coder, r.Coder)
	}
	return r, &c, nil
}
