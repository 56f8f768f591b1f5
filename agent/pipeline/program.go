package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// Program is a run of a pipeline that a Go program starts, without an editor.
type Program struct {
	Engine  *agent.Engine // asks the models
	Command string        // of the table of modes, such as "generate"
	Prompt  string        // what the user wants
	Options Options       // flags, and steps in the place of the built-in ones
	Folder  string        // of the project
	Memory  Memory        // in the place of the folder; nil is Disk(Folder)
	Ask     event.Asker   // answers questions; nil has each get its default, and so no script runs
	Sink    event.Sink    // is told what happens; nil tells nobody
}

// Run runs it on a copy of the memory, and puts what the change makes into the memory itself: the program decides in its
// Memory what becomes of that. What the built-in step run would offer to do afterwards is in Result.Then, and is not done.
func (p Program) Run(ctx context.Context) (agent.Result, error) {
	memory := p.Memory
	if memory == nil {
		if p.Folder == "" {
			return agent.Result{}, errors.New("run the pipeline: set Folder or Memory of the Program")
		}
		memory = Disk(p.Folder)
	}
	dir, err := os.MkdirTemp("", "coauthor-run-")
	if err != nil {
		return agent.Result{}, fmt.Errorf("make a folder for the run: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // nothing of it is needed any more
	if err := copyAll(ctx, memory, Disk(dir)); err != nil {
		return agent.Result{}, err
	}
	result, err := p.turn(ctx, dir)
	if err != nil || result.Proposal == nil {
		return result, err
	}
	for _, f := range result.Proposal.Files {
		if err := carryOut(ctx, memory, f.Change); err != nil {
			return result, fmt.Errorf("write %s: %w", f.Change.Path, err)
		}
	}
	return result, nil
}

// turn runs the turn in a folder.
func (p Program) turn(ctx context.Context, dir string) (agent.Result, error) {
	job, err := New(p.Command, p.Options)
	if err != nil {
		return agent.Result{}, err
	}
	ws, err := workspace.Open(dir, workspace.Options{})
	if err != nil {
		return agent.Result{}, fmt.Errorf("open the folder of the run: %w", err)
	}
	defer func() { _ = ws.Close() }() // nothing is open for writing
	s := p.Engine.Session(ws)
	defer p.Engine.Leave(ws)
	resolved, err := s.Resolve(agent.Request{Instruction: p.Prompt, Label: p.Command, Job: job})
	if err != nil {
		return agent.Result{}, err
	}
	started, err := s.Start(resolved, agent.Ports{Ask: p.Ask, Sink: p.Sink})
	if err != nil {
		return agent.Result{}, err
	}
	result, err := s.Turns.Wait(ctx, started.Turn)
	if err != nil {
		s.Turns.Cancel(started.Turn)
		return result, err
	}
	return result, result.Err
}

// carryOut makes a change in a memory.
func carryOut(ctx context.Context, m Memory, c edits.Change) error {
	switch c.Op {
	case edits.OpDelete:
		return m.Delete(ctx, c.Path)
	case edits.OpRename:
		if err := m.Set(ctx, c.To, c.After); err != nil {
			return err
		}
		return m.Delete(ctx, c.Path)
	case edits.OpCreate, edits.OpUpdate:
	}
	return m.Set(ctx, c.Path, c.After)
}
