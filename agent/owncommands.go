package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"coauthor/agent/coder"
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

// Store reads the commands of one workspace, and remembers them. It is safe for concurrent use.
type Store struct {
	sources func() OwnSources
	last    atomic.Pointer[OwnCommands]
}

// NewStore returns a store that has read nothing yet. sources says where the commands stand at the moment.
func NewStore(sources func() OwnSources) *Store { return &Store{sources: sources} }

// Load reads the commands of the user's folder, those of the settings, and those of the workspace if it is trusted; where
// several have one of a name, the first counts. A word of our own cannot be taken. It returns when ctx ends, whatever hangs.
func (s *Store) Load(ctx context.Context) (OwnCommands, error) {
	read := make(chan OwnCommands, 1) // buffered, so that the reader can leave when nobody waits any more
	go func() { read <- s.sources().Read(ctx) }()
	select {
	case o := <-read:
		if err := ctx.Err(); err != nil {
			return OwnCommands{}, fmt.Errorf("cannot read your custom commands: %w", err)
		}
		s.last.Store(&o)
		return o, nil
	case <-ctx.Done():
		return OwnCommands{}, fmt.Errorf("cannot read your custom commands: %w", ctx.Err())
	}
}

// Last returns what Load read last.
func (s *Store) Last() OwnCommands {
	if o := s.last.Load(); o != nil {
		return *o
	}
	return OwnCommands{}
}

// OwnSources are where such commands stand.
type OwnSources struct {
	Coders    coder.Table
	Reserved  func(word string) bool // the words that are taken beside those of Coders; nil for none
	Settings  settings.Settings
	Files     func() []OwnFile // of the user's folder; nil for none
	Workspace *workspace.Workspace
}

// Read reads all of them.
func (from OwnSources) Read(ctx context.Context) (o OwnCommands) {
	add := func(c OwnCommand) {
		if _, _, word := from.Coders.Slash("/" + c.Name); word || from.Reserved != nil && from.Reserved(c.Name) {
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

// Invocation is a command as it was called: the instruction that it stands for, and the model and the coder that it wants, ""
// for whichever is in force.
type Invocation struct {
	OwnCommand
	Instruction, Model, Coder string
}

// Find returns the command that a text begins with, read anew; ok is false where there is none. A command that cannot be
// used is an error.
func (s *Store) Find(ctx context.Context, text string) (c Invocation, ok bool, err error) {
	text = strings.TrimSpace(text)
	word, rest := text, ""
	if i := strings.IndexAny(text, " \t\r\n"); i >= 0 {
		word, rest = text[:i], text[i:]
	}
	name, slash := strings.CutPrefix(word, "/")
	if !slash || !settings.ActionName(name) {
		return Invocation{}, false, nil
	}
	if _, _, word := s.sources().Coders.Slash(text); word {
		return Invocation{}, false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, findsWithin)
	defer cancel()
	all, err := s.Load(ctx)
	if err != nil {
		return Invocation{}, false, err
	}
	i := slices.IndexFunc(all.List, func(c OwnCommand) bool { return c.Name == name })
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

// findsWithin is how long a request waits for the folders of commands: it is answered whatever hangs.
const findsWithin = 3 * time.Second
