package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"coauthor/agent/coder"
	"coauthor/agent/proposal"
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

// LoadOwn reads the commands of the user, and those of the workspace if it is trusted; where both have one of a name, the
// user's counts. A word of our own cannot be taken.
func (s *Session) LoadOwn(ctx context.Context) (OwnCommands, error) {
	var o OwnCommands
	err := await(ctx, func() { o = s.readOwns(ctx) })
	if err != nil {
		return OwnCommands{}, fmt.Errorf("read the commands of your own: %w", err)
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

func (s *Session) readOwns(ctx context.Context) (o OwnCommands) {
	table := ActionsOf(s.e.o.Coders)
	take := func(f OwnFile) {
		c, problems := readOwn(f, s.e.o.Coders)
		o.Problems = append(o.Problems, problems...)
		if len(problems) > 0 && problems[len(problems)-1].Unused {
			return
		}
		_, _, command := CommandOf(table, "/"+c.Name)
		if _, _, word := s.e.o.Coders.Slash("/" + c.Name); word || command {
			o.Problems = append(o.Problems, OwnProblem{"", f.Name, 0, fmt.Sprintf("/%s is a command of Coauthor; rename the file", c.Name), true})
			return
		}
		if i := slices.IndexFunc(o.List, func(other OwnCommand) bool { return other.Name == c.Name }); i >= 0 {
			o.Problems = append(o.Problems, OwnProblem{"", f.Name, 0, fmt.Sprintf("/%s is %s already; rename one of them", c.Name, o.List[i].File), true})
			return
		}
		o.List = append(o.List, c)
	}
	byName := func(a, b OwnFile) int { return cmp.Compare(a.Path, b.Path) }
	if s.e.o.OwnCommands != nil {
		for _, f := range slices.SortedFunc(slices.Values(s.e.o.OwnCommands()), byName) {
			take(f)
		}
	}
	if s.ws.Root() == "" {
		return o
	}
	snap := s.ws.Snapshot().Within(ctx)
	trusted := s.settings().Trusted
	for i, file := range s.ws.Door().Below(ctx, OwnFolder, ".md") {
		f := OwnFile{Path: strings.TrimPrefix(file, OwnFolder+"/"), Name: file}
		if i == mostOwn {
			o.Problems = append(o.Problems, OwnProblem{"", OwnFolder, 0, fmt.Sprintf("there are more than %d files; the others are not read", mostOwn), true})
			break
		}
		if !trusted {
			o.Problems = append(o.Problems, OwnProblem{ownNameOf(f.Path), file, 0, "commands of a workspace count when you trust it; add its folder to the setting trust.roots", true})
			continue
		}
		if d := s.ws.Door().Check(ctx, file, workspace.OpRead); d.Verdict == workspace.Refuse {
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

// ownCommand makes the request that a command of the user's own stands for. ok is false for every other one.
func (s *Session) ownCommand(r Request) (out Request, ok bool, err error) {
	text := strings.TrimSpace(r.Instruction)
	word, rest := text, ""
	if i := strings.IndexAny(text, " \t\r\n"); i >= 0 {
		word, rest = text[:i], text[i:]
	}
	name, slash := strings.CutPrefix(word, "/")
	if !slash || !ownName.MatchString(name) || r.Given != "" || r.again != "" || r.Job != nil {
		return r, false, nil
	}
	if _, _, word := s.e.o.Coders.Slash(text); word {
		return r, false, nil
	}
	ctx, cancel := context.WithTimeout(s.ctx, readsOwnWithin)
	defer cancel()
	own, err := s.LoadOwn(ctx)
	if err != nil {
		return r, false, err
	}
	i := slices.IndexFunc(own.List, func(c OwnCommand) bool { return c.Name == name })
	if i < 0 {
		for _, p := range own.Problems {
			if p.Unused && p.Command == name {
				return r, false, fmt.Errorf("/%s cannot be used: %s", name, p)
			}
		}
		return r, false, nil
	}
	c := own.List[i]
	r.Instruction, r.Label, r.Model = c.fill(strings.TrimSpace(rest)), cmp.Or(r.Label, proposal.Label(text)), cmp.Or(r.Model, c.model)
	if r.Coder == "" || r.Coder == coder.Default { // who asks for another one, such as ask, means it
		r.Coder = cmp.Or(c.coder, r.Coder)
	}
	return r, true, nil
}
